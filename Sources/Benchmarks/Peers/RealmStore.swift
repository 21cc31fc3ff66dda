import EngineUnderTest
import Evidence
import Foundation

/// Realm among the peers: whichever engine this build holds, used as its users use it.
///
/// A connection is a realm of its thread. Realm has no read transaction to begin: a realm stands on
/// a version until it is refreshed, so many reads in a row share one as they do within the peers'
/// transactions.
package struct RealmStore: KeyValueStore {
  package static let name = Engine.name
  package static let version = Engine.version ?? "0.1.0"
  package static let setting =
    "a realm per thread, objects found by primary key and read through their accessors; two-phase "
    + "flushes data, then the slot that points at it; single-flush flushes both at once; none "
    + "leaves it to the system"
  package static let durabilities = Durability.allCases.filter {
    Engine.offersDurability($0.rawValue)
  }

  let configuration: Realm.Configuration
  let directory: URL

  package init(directory: URL, durability: Durability, keys: Keys) throws {
    self.directory = directory
    var configuration = Realm.Configuration(
      fileURL: directory.appendingPathComponent("people.realm"),
      objectTypes: keys == .integers ? [Person.self] : [Member.self])
    // What an engine with but one way cannot do is not asked for by name: `Catalogue.offers`. The
    // rest, such as making a data set, it does in that way.
    _ = Engine.setDurability(durability.rawValue, of: &configuration)
    self.configuration = configuration
  }

  package func connect() throws -> RealmConnection {
    RealmConnection(try Realm(configuration: configuration))
  }

  package func bytesInUse() -> Int {
    let file = directory.appendingPathComponent("people.realm")
    return Engine.bytesInUse(ofFileAt: file.path) ?? bytesOnDisk()
  }

  package func bytesOnDisk() -> Int {
    let file = directory.appendingPathComponent("people.realm")
    return (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
  }
}

package final class RealmConnection: KeyValueConnection {
  package typealias Held = RealmPeople
  let realm: Realm
  private var reader: EngineReader?

  init(_ realm: Realm) { self.realm = realm }

  package func read<Result>(_ body: (RealmPeople) throws -> Result) throws -> Result {
    try body(RealmPeople(realm: realm))
  }

  package func write<Result>(_ body: (RealmPeople) throws -> Result) throws -> Result {
    try realm.write { try body(RealmPeople(realm: realm)) }
  }

  package func hold() throws -> RealmPeople { RealmPeople(realm: realm.freeze()) }

  package func read<Result>(in held: RealmPeople, _ body: (RealmPeople) throws -> Result) throws
    -> Result
  {
    try body(held)
  }

  package func refresh() throws { realm.refresh() }

  /// A realm stands on a version until it is refreshed: to begin and to end is a matter of the
  /// level below.
  package func beginAndEnd(_ count: Int) throws -> UInt64 {
    let reader = try self.reader ?? EngineReader(beside: realm)
    self.reader = reader
    var sum: UInt64 = 0
    for _ in 0..<count { sum &+= reader.beginAndEnd() }
    return sum
  }
}

package struct RealmPeople: KeyValueReader, KeyValueWriter {
  let realm: Realm

  package func ageAndName(_ key: Int) throws -> UInt64? {
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else { return nil }
    return Population.digest(age: person.age, nameLength: person.name.utf8.count)
  }

  package func ageAndName(_ key: String) throws -> UInt64? {
    guard let member = realm.object(ofType: Member.self, forPrimaryKey: key) else { return nil }
    return Population.digest(age: member.age, nameLength: member.name.utf8.count)
  }

  package func forEachAge() throws -> Int { ObjectLoops.eachAge(realm.objects(Person.self)) }

  package func iterateAges() throws -> Int { ObjectLoops.walkedAges(realm.objects(Person.self)) }

  package func count() throws -> Int { realm.objects(Person.self).count }

  package func sumOfAges() throws -> Int { realm.objects(Person.self).sum(of: \.age) }

  package func countAges(above limit: Int) throws -> Int {
    realm.objects(Person.self).where { $0.age > limit }.count
  }

  package func firstAge(above limit: Int) throws -> Int? {
    realm.objects(Person.self).where { $0.age > limit }.first?.age
  }

  package func countNames(equalTo name: String) throws -> Int {
    realm.objects(Person.self).where { $0.name == name }.count
  }

  package func countConjunction(below age: Int, above score: Double, prefix: String) throws -> Int {
    realm.objects(Person.self).where {
      $0.age < age && $0.score > score && $0.name.starts(with: prefix)
    }.count
  }

  private var sorted: Results<Person> {
    realm.objects(Person.self).sorted(by: [
      SortDescriptor(keyPath: "age", ascending: true),
      SortDescriptor(keyPath: "id", ascending: true),
    ])
  }

  package func sortedEnds() throws -> [Int] {
    let all = sorted
    return all.isEmpty ? [] : [all[0].id, all[all.count / 2].id, all[all.count - 1].id]
  }

  package func firstHundred() throws -> [Int] {
    let all = sorted
    return (0..<min(100, all.count)).map { all[$0].id }
  }

  package func insert(_ row: Population.Row) throws { realm.add(Person(row)) }

  package func insert(_ row: Population.Row, key: String) throws {
    realm.add(Member(row, key: key))
  }

  package func setAge(_ key: Int, _ age: Int) throws {
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
      throw BenchmarkError("there is no person \(key)")
    }
    person.age = age
  }

  package func delete(_ key: Int) throws {
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
      throw BenchmarkError("there is no person \(key)")
    }
    realm.delete(person)
  }
}
