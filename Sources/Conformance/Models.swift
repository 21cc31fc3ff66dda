import EngineUnderTest
import Foundation

/// A person with dogs, as Realm's documentation has them.
final class Person: Object {
  @Persisted var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted var dogs: List<Dog>
  @Persisted var best: Dog?

  convenience init(name: String, age: Int = 0) {
    self.init()
    self.name = name
    self.age = age
  }
}

/// What a list of people shows of each.
final class PersonView: Projection<Person> {
  @Projected(\Person.name) var fullName
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}

/// A dog that knows its owners.
final class Dog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

  convenience init(name: String, age: Int = 0) {
    self.init()
    self.name = name
    self.age = age
  }
}

/// A task on a list, with the primary key that Realm's pages use.
final class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

/// A row that is found by number: counters, chains, balances.
final class Account: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var balance: Int
  @Persisted var note: String
  @Persisted var previous: Account?

  convenience init(id: Int, balance: Int = 0, note: String = "") {
    self.init()
    self.id = id
    self.balance = balance
    self.note = note
  }
}

/// A row without numbers of its own whose bytes take space.
final class Blob: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bytes: Data

  convenience init(id: Int, bytes: Data) {
    self.init()
    self.id = id
    self.bytes = bytes
  }
}

/// Owned by the object that holds it.
final class Address: EmbeddedObject {
  @Persisted var street: String
}

/// One property of every kind.
final class Everything: Object {
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var bool: Bool
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var uuid: UUID
  @Persisted var any: AnyRealmValue
  @Persisted var optionalInt: Int?
  @Persisted var optionalString: String?
  @Persisted var link: Dog?
  @Persisted var embedded: Address?
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var dogs: List<Dog>

  /// Fills every property with a value that depends on one number.
  func fill(_ number: Int) {
    int = number
    int8 = Int8(truncatingIfNeeded: number)
    int16 = Int16(truncatingIfNeeded: number)
    int32 = Int32(truncatingIfNeeded: number)
    int64 = Int64(number)
    bool = number % 2 == 0
    float = Float(number)
    double = Double(number) / 2
    string = "text \(number)"
    data = Data("data \(number)".utf8)
    date = Date(timeIntervalSince1970: Double(number))
    uuid = UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number))")!
    any = .int(number)
    optionalInt = number % 3 == 0 ? nil : number
    optionalString = number % 3 == 0 ? nil : "maybe \(number)"
  }

  /// Everything in it, as one line that can be compared.
  var dump: String {
    let scalars =
      "\(int) \(int8) \(int16) \(int32) \(int64) \(bool) \(float) \(double) \(string) "
      + "\([UInt8](data)) \(date.timeIntervalSince1970) \(objectId) \(decimal) \(uuid) \(any)"
    let optionals = "\(optionalInt.map { "\($0)" } ?? "nil") \(optionalString ?? "nil")"
    let links = "\(link?.name ?? "nil") \(embedded?.street ?? "nil")"
    let lists = "\(Array(numbers)) \(Array(words).sorted()) \(dogs.map(\.name))"
    let map = scores.keys.sorted().map { "\($0)=\(scores[$0] ?? -1)" }.joined(separator: ",")
    return "\(scalars) \(optionals) \(links) \(lists) \(map)"
  }
}

enum Models {
  static let all: [ObjectBase.Type] = [
    Person.self, Dog.self, Todo.self, Account.self, Blob.self, Address.self, Everything.self,
  ]
}
