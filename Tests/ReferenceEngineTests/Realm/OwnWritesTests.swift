import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// What a write had added that came to nothing stays invalid, whatever is added in its place later;
/// what it had deleted is as it was.
@Suite struct OwnWritesTests {
  /// Runs two asynchronous writes as a group that the disk does not take.
  private static func lose(
    _ desk: Desk, _ disks: FailingDisks, _ first: @escaping (Realm) -> Void,
    _ second: @escaping (Realm) -> Void
  ) {
    let done = Bell()
    desk.work { realm in
      realm.beginAsyncWrite {
        first(realm)
        realm.commitAsyncWrite(allowGrouping: true) { _ in done.ring() }
      }
      realm.beginAsyncWrite {
        second(realm)
        disks.fail(at: 0, .noSpace, sticky: true)
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          done.ring()
        }
      }
    }
    #expect(done.wait())
    #expect(done.wait())
    disks.heal()
  }

  // W1 seals a person, W2 finds it; both are lost. The next person gets its row.
  @Test func `WRITE-19: who was found in a later write of a lost group is gone with it`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      var found: Person?
      OwnWritesTests.lose(desk, disks) { realm in
        realm.add(Person(name: "Bob"))
      } _: { realm in
        found = realm.objects(Person.self).filter("name == 'Bob'").first
        found?.name = "Rob"
      }
      desk.commit { $0.add(Person(name: "Cyd")) }
      desk.work { realm in
        #expect(realm.objects(Person.self).count == 2)
        #expect(found?.isInvalidated == true)
      }
    }
  }

  // W1 deletes 7, W2 adds another 7.
  @Test func `WRITE-20: what a lost group had deleted and added again is the one before`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Keyed.self]))
      var (old, new): (Keyed?, Keyed?)
      desk.commit { old = $0.create(Keyed.self, value: ["id": 7, "name": "old"]) }
      OwnWritesTests.lose(desk, disks) { realm in
        realm.deleteAll()
      } _: { realm in
        new = realm.create(Keyed.self, value: ["id": 7, "name": "new"])
      }
      desk.work { realm in
        let name = realm.object(ofType: Keyed.self, forPrimaryKey: 7)?.name
        #expect(name == "old", "\(name as Any)")
        #expect([old, new].map { $0?.isInvalidated } == [false, true])
      }
    }
  }

  // W1 deletes 7, W2 adds a second one, and a third in its place.
  /// The second was found before the write gave the key again, and so was taken for the first.
  @Test func `WRITE-19: what a lost group had added and replaced is not the one before`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Keyed.self]))
      var all: [Keyed] = []
      func add(_ name: String, _ realm: Realm) {
        all.append(realm.create(Keyed.self, value: ["id": 7, "name": name]))
      }
      desk.commit { add("first", $0) }
      OwnWritesTests.lose(desk, disks) { realm in
        realm.delete(all[0])
      } _: { realm in
        add("second", realm)
        realm.delete(all[1])
        add("third", realm)
      }
      desk.work { realm in
        #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 7)?.name == "first")
        #expect(all.map(\.isInvalidated) == [false, true, true])
        all = []
      }
    }
  }

  // W1 replaces 7 by a second one, and deletes that. A cancelled write adds a third.
  /// What lay in the first one's place was counted from the third on.
  @Test func `WRITE-19: what a lost write had put in another's place and deleted is gone`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Keyed.self, Dog.self]))
      var all: [Keyed] = []
      func add(_ name: String, _ realm: Realm) {
        all.append(realm.create(Keyed.self, value: ["id": 7, "name": name]))
      }
      desk.commit { add("first", $0) }
      OwnWritesTests.lose(desk, disks) { realm in
        realm.delete(all[0])
        add("second", realm)
        realm.delete(all[1])
      } _: { realm in
        add("third", realm)
        realm.cancelWrite()
        realm.beginWrite()
        realm.create(Dog.self)
      }
      desk.work { realm in
        #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 7)?.name == "first")
        #expect(all.map(\.isInvalidated) == [false, true, true])
        all = []
      }
    }
  }

  // Twice: W1 deletes 7, a cancelled write adds another, and all is lost.
  @Test func `WRITE-20: what has come back from a lost write comes back from the next one`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Keyed.self, Dog.self]))
      desk.commit { $0.create(Keyed.self, value: ["id": 7, "name": "first"]) }
      var found: [Keyed] = []
      for _ in 0..<2 {
        OwnWritesTests.lose(desk, disks) { realm in
          found.append(realm.object(ofType: Keyed.self, forPrimaryKey: 7)!)
          realm.deleteAll()
        } _: { realm in
          realm.create(Keyed.self, value: ["id": 7, "name": "other"])
          realm.cancelWrite()
          realm.beginWrite()
          realm.create(Dog.self)
        }
      }
      desk.work { _ in
        #expect(found.map(\.isInvalidated) == [false, false])
        found = []
      }
    }
  }

  // What is lost adds a 7. A second one is kept. W1 deletes that, a cancelled write adds a third,
  // and all is lost.
  /// The third was remembered in place of the first, and what was before the third came back.
  @Test func `WRITE-19: what was lost stays gone when a later one under its key comes back`() async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Keyed.self, Dog.self]))
      var all: [Keyed] = []
      func add(_ name: String, _ realm: Realm) {
        all.append(realm.create(Keyed.self, value: ["id": 7, "name": name]))
      }
      OwnWritesTests.lose(desk, disks) {
        add("first", $0)
      } _: {
        $0.create(Dog.self)
      }
      desk.commit { add("second", $0) }
      OwnWritesTests.lose(desk, disks) { realm in
        realm.delete(all[1])
      } _: { realm in
        add("third", realm)
        realm.cancelWrite()
        realm.beginWrite()
        realm.create(Dog.self)
      }
      desk.work { realm in
        #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 7)?.name == "second")
        #expect(all.map(\.isInvalidated) == [true, false, true])
        all = []
      }
    }
  }

  @Test func `WRITE-19: a key that a write gives twice is nobody's when it is cancelled`() throws {
    let realm = try Realm(configuration: freshConfiguration())
    realm.beginWrite()
    let first = realm.create(Keyed.self, value: ["id": 7, "name": "first"])
    realm.delete(first)
    let second = realm.create(Keyed.self, value: ["id": 7, "name": "second"])
    realm.cancelWrite()
    try realm.write { _ = realm.create(Keyed.self, value: ["id": 7, "name": "third"]) }
    #expect(first.isInvalidated && second.isInvalidated)
  }

  @Test func `WRITE-20: a row that was replaced twice and is back is the first one's`() throws {
    let realm = try Realm(configuration: freshConfiguration())
    try realm.write { _ = realm.create(Keyed.self, value: ["id": 7, "name": "old"]) }
    let old = try #require(realm.object(ofType: Keyed.self, forPrimaryKey: 7))
    var others: [Keyed] = []
    for _ in 0..<2 {
      realm.beginWrite()
      let inWrite = try #require(realm.object(ofType: Keyed.self, forPrimaryKey: 7))
      realm.delete(old)
      others.append(realm.create(Keyed.self, value: ["id": 7, "name": "new"]))
      realm.delete(others[others.count - 1])
      others.append(realm.create(Keyed.self, value: ["id": 7, "name": "newer"]))
      realm.cancelWrite()
      #expect(!old.isInvalidated && old.name == "old")
      #expect(!inWrite.isInvalidated && inWrite.name == "old")
      #expect(!others.map(\.isInvalidated).contains(false))
    }
  }

  /// Each of what came was compared with all that had gone: a cancel took minutes.
  @Test func `WRITE-20: a cancel of very many scattered rows takes as long as they are many`()
    throws
  {
    let realm = try Realm(configuration: freshConfiguration())
    let count = 100_000
    try realm.write {
      for id in 0..<count { realm.create(Keyed.self, value: ["id": 2 * id, "name": "old"]) }
    }
    let kept = Array(realm.objects(Keyed.self).filter("id < 2000"))
    realm.beginWrite()
    for keyed in realm.objects(Keyed.self).sorted(byKeyPath: "id", ascending: false) {
      realm.delete(keyed)
    }
    for id in 0..<count { realm.create(Keyed.self, value: ["id": 2 * id + 1, "name": "new"]) }
    realm.cancelWrite()
    let asBefore = kept.filter { !$0.isInvalidated && $0.name == "old" }
    #expect(asBefore.count == 1000)
  }

  /// Where much was forgotten at the begin of a write, what was forgotten counted as gone in that
  /// write: an object that it added under such a row's key was invalidated at once.
  @Test func `WRITE-19: what is added in a write that begins with forgetting is there`() throws {
    let realm = try Realm(configuration: freshConfiguration())
    for turn in 0..<300 {
      func add() -> [Keyed] {
        (0..<40).map { realm.create(Keyed.self, value: ["id": $0, "name": "\(turn)"]) }
      }
      realm.beginWrite()
      let lost = add()
      realm.cancelWrite()
      realm.beginWrite()
      let added = add()
      try #require(!added.map(\.isInvalidated).contains(true), "in turn \(turn)")
      try #require(!lost.map(\.isInvalidated).contains(false), "in turn \(turn)")
      for keyed in added { realm.delete(keyed) }
      try realm.commitWrite()
    }
  }

  @Test func `what cancelled writes had added is not remembered for ever`() throws {
    let realm = try Realm(configuration: freshConfiguration())
    for turn in 0..<20_000 {
      realm.beginWrite()
      realm.create(Keyed.self, value: ["id": 2 * turn, "name": "never"])
      realm.cancelWrite()
    }
    realm.beginWrite()
    #expect(realm.session.writes.remembered <= 4096)
    realm.cancelWrite()
  }
}
