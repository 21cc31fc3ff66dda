import Foundation

@testable import ReferenceEngine

/// Reads all there is in a file, in every way, and sums it up: two files of equal content have
/// equal sums.
struct DamageReader {
  private(set) var sum: UInt64 = 0

  /// - Throws: what opening says.
  init(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    read(keyed: realm)
    read(named: realm)
    read(people: realm)
    read(everything: realm)
  }

  private mutating func add(_ number: Int) {
    sum = (sum ^ UInt64(bitPattern: Int64(number))) &* 0x9FB2_1C65_1E98_DF25
    sum ^= sum >> 29
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 { add(Int(byte)) }
    add(text.utf8.count)
  }

  private mutating func add(_ data: Data) {
    for byte in data { add(Int(byte)) }
    add(data.count)
  }

  private mutating func add(_ text: String?) { if let text { add(text) } else { add(-1) } }

  private mutating func read(keyed realm: Realm) {
    let all = realm.objects(Keyed.self)
    add(all.count)
    for keyed in all {
      add(keyed.id)
      add(keyed.name)
    }
    for id in stride(from: -1, to: 1000, by: 37) {
      add(realm.object(ofType: Keyed.self, forPrimaryKey: id)?.name)
    }
    add(all.sum(of: \.id))
    add(all.max(of: \.id) ?? 0)
    let named = all.filter("name == 'name 3'")
    add(named.count)
    for keyed in named { add(keyed.id) }
    if all.count > 3 { add(all[all.count / 2].id) }
    for keyed in all.where({ $0.id > 100 && $0.id < 200 }).sorted(byKeyPath: "name") {
      add(keyed.id)
    }
  }

  private mutating func read(named realm: Realm) {
    let all = realm.objects(Named.self)
    for named in all {
      add(named.id)
      add(named.value)
    }
    for index in stride(from: 0, to: 90, by: 11) {
      add(realm.object(ofType: Named.self, forPrimaryKey: "key \(index)")?.value ?? -1)
    }
    for named in all.sorted(byKeyPath: "id").prefix(9) { add(named.value) }
  }

  private mutating func read(people realm: Realm) {
    for person in realm.objects(Person.self).freeze() {
      add(person.name)
      add(person.age)
      add(person.email)
      for dog in person.dogs { add(dog.name) }
      add(person.best?.age ?? -1)
    }
    for dog in realm.objects(Dog.self) {
      add(dog.name)
      for owner in dog.owners { add(owner.age) }
    }
    add(realm.objects(Person.self).filter("best.age > 5").count)
  }

  private mutating func read(everything realm: Realm) {
    for one in realm.objects(Everything.self) {
      add(one.bool ? 1 : 0)
      for number in [
        one.int, Int(one.int8), Int(one.int16), Int(one.int32), Int(one.int64),
        one.intOptional ?? -1, one.boolOptional == true ? 1 : 0,
      ] {
        add(number)
      }
      for fraction in [
        Double(one.float), one.double, Double(one.floatOptional ?? 0), one.doubleOptional ?? 0,
        one.date.timeIntervalSince1970, one.dateOptional?.timeIntervalSince1970 ?? 0,
      ] {
        add(Int(truncatingIfNeeded: Int64(bitPattern: fraction.bitPattern)))
      }
      for text in [
        one.string, one.stringOptional, one.mood.rawValue, one.moodOptional?.rawValue,
        one.objectId.stringValue, one.objectIdOptional?.stringValue, one.uuid.uuidString,
        one.uuidOptional?.uuidString, "\(one.decimal)", "\(one.any)",
        one.address?.street, one.link?.string,
      ] {
        add(text)
      }
      add(one.data)
      add(one.dataOptional ?? Data())
      readCollections(of: one)
    }
    add(realm.objects(Everything.self).filter("string CONTAINS 'long 2'").count)
    add(realm.objects(Everything.self).where { $0.data != Data() }.count)
  }

  private mutating func readCollections(of one: Everything) {
    for number in one.ints { add(number) }
    add(one.ints.sum())
    if one.ints.count > 2 { add(one.ints[one.ints.count - 1]) }
    for text in one.strings { add(text) }
    add(one.strings.index(of: "a") ?? -1)
    for address in one.addresses { add(address.street) }
    for number in one.intSet { add(number) }
    add(one.intSet.contains(5) ? 1 : 0)
    for text in one.stringSet { add(text) }
    for linked in one.linkSet { add(linked.int) }
    for entry in one.intMap {
      add(entry.key)
      add(entry.value)
    }
    add(one.intMap["two"] ?? -1)
    for entry in one.linkMap {
      add(entry.key)
      add(entry.value?.int ?? -1)
    }
    for linker in one.linkers { add(linker.int) }
  }

  /// Changes a little of everything, as somebody would who does not know of the damage.
  static func write(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for index in 0..<5 { realm.create(Keyed.self, value: [5000 + index, "new"]) }
      for keyed in realm.objects(Keyed.self).filter("id < 40") { keyed.name = "changed" }
      if let keyed = realm.object(ofType: Keyed.self, forPrimaryKey: 100) { realm.delete(keyed) }
      for named in realm.objects(Named.self).prefix(3) { named.value += 1 }
      if let person = realm.objects(Person.self).first {
        person.dogs.append(realm.create(Dog.self, value: ["new", 1]))
        person.email = "new"
      }
      for one in realm.objects(Everything.self).prefix(2) {
        one.string += "!"
        one.ints.append(1)
        if !one.strings.isEmpty { one.strings.removeLast() }
        one.intMap["three"] = 3
        one.intSet.insert(99)
        one.link = nil
      }
      if let last = realm.objects(Everything.self).last { realm.delete(last) }
    }
    try realm.write { realm.delete(realm.objects(Dog.self)) }
  }
}
