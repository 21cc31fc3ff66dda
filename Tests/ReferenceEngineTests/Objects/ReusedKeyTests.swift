import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

class Slip: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var next: Slip?
  @Persisted var others: List<Slip>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted(originProperty: "next") var before: LinkingObjects<Slip>
}

/// An object with a whole number as primary key was deleted, and another one added later under that
/// key: whoever held the first saw the second. What was deleted stays deleted.
@Suite struct ReusedKeyTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Slip.self])

  private func add(_ realm: Realm, _ text: String, id: Int = 1) {
    realm.create(Slip.self, value: ["id": id, "text": text])
  }

  /// How an object goes and another comes under its key, as one commit or as several.
  private static let ways: [String] = [
    "at once", "apart", "all at once", "all apart", "among many", "two in between",
  ]

  private func replace(_ way: String, _ commit: ((Realm) -> Void) -> Void) {
    func drop(_ realm: Realm) {
      if let slip = realm.object(ofType: Slip.self, forPrimaryKey: 1) { realm.delete(slip) }
    }
    switch way {
    case "at once":
      commit {
        drop($0)
        add($0, "new")
      }
    case "apart":
      commit { drop($0) }
      commit { add($0, "new") }
    case "all at once":
      commit {
        $0.deleteAll()
        add($0, "new")
      }
    case "all apart":
      commit { $0.deleteAll() }
      commit { add($0, "new") }
    case "among many":
      // So many changes in one commit that its record cannot name them all.
      commit { realm in for id in 10..<80_010 { add(realm, "many", id: id) } }
      commit { realm in
        for slip in realm.objects(Slip.self) where slip.id % 2 == 0 { slip.text = "even" }
        drop(realm)
        add(realm, "new")
      }
    default:
      commit { drop($0) }
      commit { add($0, "newer") }
      commit { drop($0) }
      commit { add($0, "new") }
    }
  }

  @Test(arguments: ways)
  func `an object stays deleted when its realm replaces it`(way: String) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { add(realm, "old") }
    let slip = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    let (text, others, held) = (slip.text, slip.others, AnyRealmValue.object(slip))
    #expect(text == "old" && others.isEmpty)
    let results = others.filter("id > 0")
    replace(way) { change in try? realm.write { change(realm) } }
    #expect(slip.isInvalidated && others.isInvalidated)
    #expect(results.isInvalidated || results.isEmpty)
    #expect((held.object(Slip.self)?.isInvalidated) == true)
    let new = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    #expect(!new.isInvalidated && new.text == "new" && !new.others.isInvalidated)
    realm.refresh()
    #expect(slip.isInvalidated && !new.isInvalidated && new.text == "new")
  }

  @Test(arguments: ways)
  func `an object stays deleted when another realm replaces it`(way: String) throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try realm.write { add(realm, "old") }
    let slip = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    let others = slip.others
    let desk = Desk(configuration)
    replace(way) { desk.commit($0) }
    #expect(!slip.isInvalidated && slip.text == "old")
    realm.refresh()
    #expect(slip.isInvalidated && others.isInvalidated)
    let new = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    #expect(!new.isInvalidated && new.text == "new")
    try realm.write { new.text = "newest" }
    #expect(slip.isInvalidated && new.text == "newest")
  }

  @Test(arguments: ways)
  func `a snapshot of an object is not thawed as another one`(way: String) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { add(realm, "old") }
    let frozen = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1)).freeze()
    let others = frozen.others
    #expect(frozen.thaw() != nil && others.thaw() != nil)
    let desk = Desk(configuration)
    replace(way) { desk.commit($0) }
    realm.refresh()
    #expect(frozen.text == "old" && !frozen.isInvalidated)
    #expect(frozen.thaw() == nil && others.thaw() == nil)
    let newest = realm.object(ofType: Slip.self, forPrimaryKey: 1)?.freeze()
    #expect(newest?.thaw()?.text == "new")
  }

  /// The realm was behind, the records of what came between were let go of, and so it was taken for
  /// granted that the object had gone: it had, but not in any version that the realm had seen.
  @Test(arguments: ["one", "many"])
  func `a snapshot thaws in a realm that is behind the object's end`(count: String) throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let ids = count == "one" ? 1...1 : 1...200
    try realm.write { for id in ids { add(realm, "old", id: id) } }
    func slip() -> Slip? { realm.object(ofType: Slip.self, forPrimaryKey: 1) }
    let first = try #require(slip()).freeze()
    let desk = Desk(configuration)
    // Nobody needs the records of what the realm follows at once.
    func pass() {
      for round in 0..<40 {
        desk.commit { add($0, "other", id: 1_000 + round) }
        realm.refresh()
      }
      desk.commit { $0.delete($0.objects(Slip.self).where { $0.id >= 1_000 }) }
      realm.refresh()
    }
    func replace(_ text: String) {
      desk.commit { realm in
        realm.delete(realm.objects(Slip.self).where { $0.id <= ids.upperBound })
        for id in ids { add(realm, text, id: id) }
      }
    }
    pass()
    replace("new")
    #expect(first.thaw()?.text == "old" && first.others.thaw() != nil)
    realm.refresh()
    #expect(first.thaw() == nil && first.others.thaw() == nil)
    let second = try #require(slip()).freeze()
    pass()
    replace("newer")
    // It went twice: once before what is shown here, and once after that.
    #expect(first.thaw() == nil && first.others.thaw() == nil)
    #expect(second.thaw()?.text == "new" && second.others.thaw() != nil)
    realm.refresh()
    #expect(first.thaw() == nil && second.thaw() == nil)
  }

  @Test(arguments: ways)
  func `a variable and a reference do not show another one`(way: String) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { add(realm, "old") }
    let slip = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    let variable = ThreadSafe(wrappedValue: slip)
    let list = ThreadSafe(wrappedValue: slip.others)
    let (reference, another) = (ThreadSafeReference(to: slip), ThreadSafeReference(to: slip.others))
    let desk = Desk(configuration)
    replace(way) { desk.commit($0) }
    realm.refresh()
    #expect(variable.wrappedValue == nil && list.wrappedValue == nil)
    #expect(realm.resolve(reference) == nil && realm.resolve(another) == nil)
    desk.work { #expect($0.objects(Slip.self).first?.text != "old") }
  }

  @Test func `what a cancelled write deleted is there again, and what it added is not`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { add(realm, "old") }
    let slip = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    let others = slip.others
    realm.beginWrite()
    realm.delete(slip)
    add(realm, "new")
    let new = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    #expect(slip.isInvalidated && others.isInvalidated && new.text == "new")
    realm.cancelWrite()
    #expect(!slip.isInvalidated && slip.text == "old" && !others.isInvalidated)
    #expect(new.isInvalidated)
  }

  /// Both were found in one write under one key, and what became of it was kept by the key: with
  /// the object that the write had added, the one that it had found before became invalid.
  @Test(arguments: [1, 2, 3]) func `what a cancelled write found, deleted and replaced is back`(
    times: Int
  ) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { add(realm, "old") }
    realm.beginWrite()
    let old = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 1))
    let others = old.others
    var added: [Slip] = []
    for _ in 0..<times {
      realm.delete(realm.objects(Slip.self).first!)
      add(realm, "new")
      added.append(realm.object(ofType: Slip.self, forPrimaryKey: 1)!)
    }
    // The last one may go, too.
    if times == 3 { realm.delete(added[2]) }
    #expect(old.isInvalidated && others.isInvalidated)
    realm.cancelWrite()
    #expect(!old.isInvalidated && old.text == "old" && !others.isInvalidated)
    #expect(added.count { !$0.isInvalidated } == 0)
    try realm.write { old.text = "again" }
    #expect(!old.isInvalidated)
    #expect(added.count { !$0.isInvalidated } == 0)
  }

  @Test func `mixed values forget an object however it came into them`() throws {
    let realm = try Realm(configuration: configuration)
    for way in 0..<4 {
      try realm.write {
        realm.deleteAll()
        add(realm, "old")
        let slip = realm.object(ofType: Slip.self, forPrimaryKey: 1)!
        switch way {
        case 0: realm.create(Slip.self, value: ["id": 2, "anys": [slip]])
        case 1:
          realm.create(Slip.self, value: ["id": 2]).anys.append(objectsIn: [.object(slip)])
        case 2:
          let free = Slip(value: ["id": 2])
          free.any = .object(slip)
          free.anys.append(.object(slip))
          realm.add(free)
        default:
          let other = realm.create(Slip.self, value: ["id": 2])
          other.setValue([slip, slip], forKey: "anys")
          other.any = .object(slip)
        }
      }
      let holder = try #require(realm.object(ofType: Slip.self, forPrimaryKey: 2))
      try realm.write {
        realm.delete(realm.object(ofType: Slip.self, forPrimaryKey: 1)!)
        add(realm, "new")
      }
      #expect(holder.any.object(Slip.self) == nil, "way \(way)")
      #expect(holder.anys.allSatisfy { $0.object(Slip.self) == nil }, "way \(way)")
    }
  }
}
