import Foundation

@testable import ReferenceEngine

class Person: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var email: String?
  @Persisted var dogs: List<Dog>
  @Persisted var best: Dog?

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

class Dog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Keyed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name = "nobody"
}

class Named: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var value: Int
}

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

class Address: EmbeddedObject {
  @Persisted var street: String
}

enum Mood: String, PersistableEnum {
  case fine
  case sad
}

class Everything: Object {
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var any: AnyRealmValue
  @Persisted var mood: Mood
  @Persisted var boolOptional: Bool?
  @Persisted var intOptional: Int?
  @Persisted var floatOptional: Float?
  @Persisted var doubleOptional: Double?
  @Persisted var stringOptional: String?
  @Persisted var dataOptional: Data?
  @Persisted var dateOptional: Date?
  @Persisted var objectIdOptional: ObjectId?
  @Persisted var uuidOptional: UUID?
  @Persisted var decimalOptional: Decimal128?
  @Persisted var moodOptional: Mood?
  @Persisted var link: Everything?
  @Persisted var address: Address?
  @Persisted var ints: List<Int>
  @Persisted var strings: List<String?>
  @Persisted var addresses: List<Address>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var linkSet: MutableSet<Everything>
  @Persisted var intMap: Map<String, Int>
  @Persisted var linkMap: Map<String, Everything?>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<Everything>
}
