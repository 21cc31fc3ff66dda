import Foundation
import RealmCore
import Testing

private final class Dog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

private final class Person: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted var dogs: List<Dog>
  @Persisted var words: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var home: Address?
  @Persisted var any: AnyRealmValue
  @Persisted var born: Date
  @Persisted var id: ObjectId
  @Persisted var price: Decimal128
  @Persisted var key: UUID
  @Persisted var bytes: Data
  @Persisted var maybe: Double?
  @Persisted var friend: Person?
  @Persisted var friends: List<Person>
  @Persisted var named: Map<String, Person?>
}

private final class Address: EmbeddedObject {
  @Persisted var street: String
}

/// Values on their way into realm-core and back: asked of a library, where the environment names
/// one.
@Suite(
  .enabled(
    if: CoreLibrary.reason == nil,
    "a realm-core library is needed: name one in REALM_CORE_LIBRARY"))
struct `The facade` {
  private func open() throws -> Realm {
    let place = try Folder()
    return try Realm(
      configuration: .init(
        fileURL: place.url.appendingPathComponent("a.realm"),
        objectTypes: [Person.self, Dog.self, Address.self]))
  }

  @Test func `hands every kind of value over and back`() throws {
    let realm = try open()
    let (id, key) = (ObjectId.generate(), UUID())
    let moment = Date(timeIntervalSince1970: -1.25)
    try realm.write {
      let ann = Person()
      ann.name = "Ann"
      ann.age = -3
      ann.words.insert("ä")
      ann.words.insert("ä")
      ann.scores["one"] = 1
      ann.home = Address(value: ["street": "Main"])
      ann.any = .string("")
      ann.born = moment
      ann.id = id
      ann.price = try Decimal128(string: "-12.50")
      ann.key = key
      ann.bytes = Data()
      realm.add(ann)
    }
    let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: "Ann"))
    #expect(ann.age == -3)
    #expect(Array(ann.words) == ["ä"])
    #expect(ann.scores["one"] == 1)
    #expect(ann.scores["two"] == nil)
    #expect(ann.home?.street == "Main")
    #expect(ann.any == .string(""))
    #expect(ann.born == moment)
    #expect(ann.id == id)
    #expect(ann.price.description == "-12.50")
    #expect(ann.key == key)
    #expect(ann.bytes == Data())
    #expect(ann.maybe == nil)
  }

  @Test func `asks typed queries and filter strings in realm-core's language`() throws {
    let realm = try open()
    try realm.write {
      for age in 1...10 {
        let person = Person(value: ["name": "P\(age)", "age": age])
        realm.add(person)
        for number in 0..<age { person.dogs.append(Dog(value: ["name": "D", "age": number])) }
      }
    }
    let people = realm.objects(Person.self)
    #expect(people.where { $0.age > 3 && $0.age <= 5 }.count == 2)
    #expect(people.where { $0.name.starts(with: "P1") }.count == 2)
    #expect(people.where { $0.age.in([1, 2, 99]) }.count == 2)
    #expect(people.where { !($0.age == 1) || $0.maybe == nil }.count == 10)
    #expect(people.where { $0.dogs.age >= 8 }.count == 2)
    #expect(people.where { $0.dogs.count == 4 }.count == 1)
    #expect(people.where { $0.dogs.age.max >= 7 }.count == 3)
    #expect(people.where { $0.age.contains(2...4) }.count == 3)
    #expect(people.filter("age BETWEEN {%@, %@}", 2, 4).count == 3)
    #expect(people.filter("%K == %@ AND name ENDSWITH %@", "age", 7, "7").count == 1)
    #expect(people.sorted(byKeyPath: "age", ascending: false).first?.age == 10)
    let sum: Int = people.sum(ofProperty: "age")
    #expect(sum == 55)
    #expect(realm.objects(Dog.self)[0].owners.count == 1)
  }

  @Test func `updates what is there by key, and only what differs`() throws {
    let realm = try open()
    try realm.write {
      realm.create(Person.self, value: ["name": "Ann", "age": 1])
      realm.create(Person.self, value: ["name": "Ann", "age": 2], update: .modified)
      realm.add(Person(value: ["name": "Bob", "age": 5]), update: .all)
    }
    #expect(realm.objects(Person.self).count == 2)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: "Ann")?.age == 2)
  }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified])
  func `updates objects that are given as values inside, too`(_ policy: Realm.UpdatePolicy) throws {
    let realm = try open()
    try realm.write {
      for age in 1...2 {
        realm.create(
          Person.self,
          value: [
            "name": "Ann", "friend": ["name": "Bob", "age": age],
            "friends": [["name": "Cy", "age": age], ["name": "Bob"]],
            "named": ["d": ["name": "Dan", "age": age]],
          ], update: policy)
      }
    }
    #expect(realm.objects(Person.self).where { $0.age == 2 }.count == 3)
    let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: "Ann"))
    #expect(ann.friend?.name == "Bob")
    #expect(Array(ann.friends.map(\.name)) == ["Cy", "Bob"])
    #expect(ann.named["d"]??.name == "Dan")
    #expect(realm.objects(Person.self).count == 4)
  }

  /// A file that realm-core has written, said to be of another format: that is in two bytes of its
  /// header, one of which counts.
  private func file(ofFormat format: UInt8) throws -> Realm.Configuration {
    var configuration = try written()
    let original = try #require(configuration.fileURL)
    var bytes = try Data(contentsOf: original)
    try #require(bytes[16..<20] == Data("T-DB".utf8))
    (bytes[20], bytes[21]) = (format, format)
    let other = original.deletingLastPathComponent().appendingPathComponent("other.realm")
    try bytes.write(to: other)
    configuration.fileURL = other
    return configuration
  }

  private func written() throws -> Realm.Configuration {
    let realm = try open()
    try realm.write { realm.add(Person(value: ["name": "Ann"])) }
    return realm.configuration
  }

  @Test(arguments: [UInt8(9), 25, 99])
  func `refuses a file of a format that realm-core does not know, and leaves it`(
    _ format: UInt8
  ) throws {
    let configuration = try file(ofFormat: format)
    let url = try #require(configuration.fileURL)
    let before = try Data(contentsOf: url)
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(error?.code == .unsupportedFileFormatVersion)
    #expect(error?.message.contains("\(format)") == true)
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `tells a file that is no realm by its own code`() throws {
    let place = try Folder()
    let url = place.url.appendingPathComponent("letter.realm")
    try Data(repeating: 7, count: 5000).write(to: url)
    let error = #expect(throws: Realm.Error.self) { try Realm(fileURL: url) }
    #expect(error?.code == .invalidDatabase)
  }

  /// docs/REALM.md tells of it: nothing but realm-core's own doing is asked for here.
  @Test func `loses a file of a newer format where migrations delete`() throws {
    var configuration = try file(ofFormat: 99)
    configuration.deleteRealmIfMigrationNeeded = true
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Person.self).isEmpty)
  }

  @Test func `freezes a version and finds what lives of it`() throws {
    let realm = try open()
    try realm.write { realm.create(Person.self, value: ["name": "Ann", "age": 1]) }
    let ann = try #require(realm.objects(Person.self).first)
    let (frozen, list) = (ann.freeze(), ann.dogs.freeze())
    try realm.write {
      ann.age = 2
      ann.dogs.append(Dog())
    }
    #expect(frozen.isFrozen)
    #expect(frozen.age == 1)
    #expect(list.count == 0)
    #expect(frozen.thaw()?.age == 2)
    #expect(list.thaw()?.count == 1)
    #expect(realm.freeze() == realm.freeze())
  }
}
