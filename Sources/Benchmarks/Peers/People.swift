import EngineUnderTest

/// A person as a user of Realm declares one.
final class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var note: String?
}

/// A person found by a string.
final class Member: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var note: String?
}
