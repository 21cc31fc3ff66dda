@testable import ReferenceEngine

class Corner: EmbeddedObject {
  @Persisted var name: String
}

class Estate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var size: Int
  @Persisted var main: Corner?
  @Persisted var corners: List<Corner>
  @Persisted var dogs: List<Dog>
  @Persisted var guests: MutableSet<Dog>
  @Persisted var places: Map<String, Dog?>
  @Persisted var keys: MutableSet<Keyed>
}

class Street: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
}
