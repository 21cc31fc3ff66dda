import Foundation
import Testing

@testable import ReferenceEngine

/// Rows that a query names go together, with their entries in indexes, and what hangs on them goes
/// as if each went by itself.
@Suite struct DeletingManyTests {
  let scratch = Scratch()

  private func keyed(_ count: Int) throws -> Realm {
    let realm = try scratch.realm()
    try realm.write {
      for id in 0..<count { realm.add(Keyed(value: ["id": id, "name": "name \(id % 10)"])) }
    }
    return realm
  }

  private func check(_ realm: Realm, _ left: [Int]) {
    let all = realm.objects(Keyed.self)
    #expect(all.map(\.id) == left)
    for name in 0..<10 {
      #expect(
        all.where { $0.name == "name \(name)" }.map(\.id) == left.filter { $0 % 10 == name })
    }
    for id in [0, 1, 255, 256, 999] {
      #expect((realm.object(ofType: Keyed.self, forPrimaryKey: id) != nil) == left.contains(id))
    }
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `some of all, in the write and after it`(step: Int) throws {
    let realm = try keyed(1000)
    let gone = Set(stride(from: 0, to: 1000, by: step))
    let left = (0..<1000).filter { !gone.contains($0) }
    let held = realm.objects(Keyed.self).where { $0.id == 0 || $0.id == 1 }.map { $0 }
    try realm.write {
      realm.delete(realm.objects(Keyed.self).where { $0.id.in(gone) })
      check(realm, left)
      #expect(held.map(\.isInvalidated) == [true, step == 1])
    }
    check(realm, left)
    #expect(
      try Realm(configuration: realm.configuration).freeze().objects(Keyed.self).count == left.count
    )
  }

  @Test func `by a sorted query, and one by one, and all`() throws {
    let realm = try keyed(1000)
    try realm.write {
      realm.delete(realm.objects(Keyed.self).where { $0.id >= 500 }.sorted(byKeyPath: "name"))
      for keyed in Array(realm.objects(Keyed.self)) where keyed.id < 100 { realm.delete(keyed) }
      for keyed in Array(realm.objects(Keyed.self)).reversed() where keyed.id >= 400 {
        realm.delete(keyed)
      }
    }
    check(realm, Array(100..<400))
    try realm.write { realm.delete(realm.objects(Keyed.self)) }
    check(realm, [])
    try realm.write { realm.add(Keyed(value: ["id": 7, "name": "name 7"])) }
    check(realm, [7])
  }

  @Test func `a cancelled write brings them back`() throws {
    let realm = try keyed(600)
    realm.beginWrite()
    realm.delete(realm.objects(Keyed.self).where { $0.id > 20 })
    realm.cancelWrite()
    check(realm, Array(0..<600))
  }

  @Test func `rows that others link to leave their lists`() throws {
    let realm = try scratch.realm()
    try realm.write {
      let owner = realm.create(Person.self)
      for age in 0..<500 { owner.dogs.append(Dog(value: ["age": age])) }
      owner.best = owner.dogs[3]
      realm.delete(realm.objects(Dog.self).where { $0.age < 400 })
      #expect(owner.dogs.map(\.age) == Array(400..<500) && owner.best == nil)
    }
    #expect(realm.objects(Dog.self).count == 100)
  }
}
