import Foundation
import Testing

@testable import ReferenceEngine

class Tagged: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
}

/// A realm that many hundred commits had left behind took an object that was added meanwhile under
/// the primary key of a deleted one for the one that it held. One after the other: each keeps a
/// processor busy for seconds, and others are timed.
@Suite(.serialized) struct FarBehindTests {
  /// More commits than leave a record each, and fewer than that.
  static let distances = [3, 1_200]

  /// A kind of primary key: how an object comes under one key, and how it is found.
  enum Key: String, CaseIterable, Sendable {
    case int, string, uuid, objectId

    private static let aUUID = UUID()
    private static let anObjectId = ObjectId.generate()

    func add(_ realm: Realm, _ name: String) {
      switch self {
      case .int: realm.create(Keyed.self, value: ["id": 7, "name": name])
      case .string: realm.create(Named.self, value: ["id": "seven", "value": name.count])
      case .uuid: realm.create(Tagged.self, value: ["id": Key.aUUID, "name": name])
      case .objectId: realm.create(Todo.self, value: ["_id": Key.anObjectId, "name": name])
      }
    }

    func object(_ realm: Realm) -> Object? {
      switch self {
      case .int: realm.object(ofType: Keyed.self, forPrimaryKey: 7)
      case .string: realm.object(ofType: Named.self, forPrimaryKey: "seven")
      case .uuid: realm.object(ofType: Tagged.self, forPrimaryKey: Key.aUUID)
      case .objectId: realm.object(ofType: Todo.self, forPrimaryKey: Key.anObjectId)
      }
    }
  }

  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [
        Keyed.self, Named.self, Tagged.self, Todo.self, Dog.self, Person.self, Slip.self,
      ])
  }

  /// Commits that have nothing to do with it.
  static func commit(_ desk: Desk, _ count: Int) {
    for age in 0..<count { desk.commit { $0.objects(Dog.self)[0].age = age } }
  }

  /// Deletes the object in the middle of many commits, and adds another one later under its key.
  private func succeed(_ key: Key, _ desk: Desk, _ distance: Int) {
    Self.commit(desk, distance / 3)
    desk.commit { $0.delete(key.object($0)!) }
    Self.commit(desk, distance / 3)
    desk.commit { key.add($0, "second") }
    Self.commit(desk, distance / 3)
  }

  @Test(arguments: Key.allCases, distances)
  func `REFRESH-20: another object under the key is another, however many commits behind`(
    key: Key, distance: Int
  ) {
    let configuration = Self.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      key.add(realm, "first")
    }
    var held: Object?
    desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      held = key.object(realm)
    }
    succeed(key, other, distance)
    desk.work { realm in
      #expect(held?.isInvalidated == false)
      realm.refresh()
      #expect(held?.isInvalidated == true)
      let found = key.object(realm)
      #expect(found?.isInvalidated == false)
      // It is the new one's turn.
      held = found
    }
    succeed(key, other, distance)
    desk.work { realm in
      realm.refresh()
      #expect(held?.isInvalidated == true)
      held = nil
    }
  }

  @Test(arguments: Key.allCases, distances)
  func `REF-05: a reference does not lead to another object, however many commits later`(
    key: Key, distance: Int
  ) {
    let configuration = Self.configuration()
    let (desk, other, third) = (Desk(configuration), Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      key.add(realm, "first")
    }
    var (early, frozen): (ThreadSafeReference<Object>?, Object?)
    var held: Object?
    desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      held = key.object(realm)
      early = held.map { ThreadSafeReference(to: $0) }
      frozen = held?.freeze()
    }
    third.work { realm in
      realm.autorefresh = false
      realm.refresh()
    }
    Self.commit(other, distance / 3)
    third.work { _ = $0.refresh() }
    succeed(key, other, distance)
    var late: [ThreadSafeReference<Object>] = []
    var (variable, lateFrozen): (ThreadSafe<Object>?, Object?)
    desk.work { _ in
      late = (0..<3).map { _ in ThreadSafeReference(to: held!) }
      variable = ThreadSafe(wrappedValue: held)
      lateFrozen = held?.freeze()
    }
    // Where it is there still, it is found.
    third.work { realm in
      #expect(realm.resolve(late.removeLast())?.isInvalidated == false)
    }
    other.work { realm in
      #expect(realm.resolve(late.removeLast()) == nil)
      #expect(early.map { realm.resolve($0) == nil } == true)
      #expect(variable?.wrappedValue == nil)
      #expect(frozen?.thaw() == nil)
      #expect(lateFrozen?.thaw() == nil)
    }
    desk.work { realm in
      realm.refresh()
      #expect(realm.resolve(late.removeLast()) == nil)
      #expect(frozen?.thaw() == nil)
      #expect(lateFrozen?.thaw() == nil)
      (held, frozen, lateFrozen) = (nil, nil, nil)
    }
  }

  @Test(arguments: Key.allCases, distances)
  func `NOTIFY-06: observers are told of both, however many commits later`(
    key: Key, distance: Int
  ) {
    let configuration = Self.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      key.add(realm, "first")
    }
    let told = Noted<String>()
    func note<C>(_ change: RealmCollectionChange<C>) {
      if case .update = change { told.add(change.brief) }
    }
    let tokens = desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      let all =
        switch key {
        case .int: realm.objects(Keyed.self).observe { note($0) }
        case .string: realm.objects(Named.self).observe { note($0) }
        case .uuid: realm.objects(Tagged.self).observe { note($0) }
        case .objectId: realm.objects(Todo.self).observe { note($0) }
        }
      return [
        all,
        key.object(realm)!.observe { change in
          if case .deleted = change { told.add("deleted") } else { told.add("\(change)") }
        },
      ]
    }
    desk.work { _ in }
    succeed(key, other, distance)
    desk.work { _ = $0.refresh() }
    desk.work { _ in }
    #expect(told.all == ["-[0] +[0] ~[]", "deleted"])
    desk.work { _ in for token in tokens { token.invalidate() } }
  }

  @Test(arguments: distances)
  func `NOTIFY-06: a list is told of the object in the place of another`(distance: Int) {
    let configuration = Self.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      for id in 0..<3 { realm.create(Slip.self, value: ["id": id]) }
      let holder = realm.create(Slip.self, value: ["id": 9])
      holder.others.append(objectsIn: realm.objects(Slip.self).filter("id < 3"))
      holder.any = .object(realm.objects(Slip.self)[1])
    }
    let told = Noted<String>()
    var members: [Slip] = []
    var token: NotificationToken?
    desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      let list = realm.object(ofType: Slip.self, forPrimaryKey: 9)!.others
      members = Array(list)
      token = list.observe { change in
        if case .update(_, let gone, let come, let modified) = change {
          told.add("-\(gone) +\(come) ~\(modified)")
        }
      }
    }
    desk.work { _ in }
    Self.commit(other, distance / 2)
    other.commit { $0.delete($0.object(ofType: Slip.self, forPrimaryKey: 1)!) }
    other.commit { realm in
      let slip = realm.create(Slip.self, value: ["id": 1])
      realm.object(ofType: Slip.self, forPrimaryKey: 9)!.others.insert(slip, at: 1)
    }
    Self.commit(other, distance / 2)
    desk.work { realm in
      realm.refresh()
      #expect(members.map(\.isInvalidated) == [false, true, false])
      #expect(realm.object(ofType: Slip.self, forPrimaryKey: 9)!.any == .none)
    }
    desk.work { _ in }
    #expect(told.all == ["-[1] +[1] ~[]"])
    desk.work { _ in
      members = []
      token?.invalidate()
    }
  }

  /// A commit that deleted more rows here and there than its record has room for told of none.
  @Test func `REFRESH-20: of very many objects that are replaced none is there any more`() {
    let configuration = Self.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let count = 2 * (ChangeLog.mostChanges + 4)
    other.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      for id in 0..<count { realm.add(Keyed(value: ["id": id])) }
    }
    var held: [Keyed] = []
    desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      held = Array(realm.objects(Keyed.self))
    }
    // Every second one, so that they are no runs.
    other.commit { $0.delete(Array($0.objects(Keyed.self)).filter { $0.id % 2 == 0 }) }
    other.commit { realm in
      for id in 0..<count where id % 2 == 0 { realm.add(Keyed(value: ["id": id])) }
    }
    Self.commit(other, 1_000)
    desk.work { realm in
      realm.refresh()
      #expect(held.indices.allSatisfy { held[$0].isInvalidated == ($0 % 2 == 0) })
      held = []
    }
  }

  /// What one summary told the next one forgot, or it grew with each commit.
  @Test func `what is left of records is bounded by what is there`() throws {
    let folder = Scratch()
    let configuration = folder.configuration([Keyed.self, Dog.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      for id in 0..<20 { realm.add(Keyed(value: ["id": id * 1_000_000])) }
    }
    var held: [Keyed] = []
    desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      held = Array(realm.objects(Keyed.self))
    }
    // One goes and comes again; others come, each under a key of its own, and go.
    other.commit { $0.delete($0.object(ofType: Keyed.self, forPrimaryKey: 3_000_000)!) }
    other.commit { $0.add(Keyed(value: ["id": 3_000_000])) }
    for number in 0..<3_000 {
      other.work { realm in
        realm.beginWrite()
        realm.add(Keyed(value: ["id": (number % 20) * 1_000_000 + number + 1]))
        if number >= 20 {
          let last = ((number - 20) % 20) * 1_000_000 + number - 19
          realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: last)!)
        }
        try! realm.commitWrite(withoutNotifying: [])
      }
    }
    desk.work { realm in
      let coordinator = realm.session.coordinator
      let newest = coordinator.board.newestRoot
      let first = realm.session.version ?? VersionID(0)
      let deletions = Deletions(after: first, upTo: newest, in: coordinator.space)
      let told = deletions.summary?.runs.count ?? 0
      #expect(deletions.isComplete && !deletions.isFromRecords)
      #expect(deletions.logs.count < 800)
      // The one, and a run between each two that are there.
      #expect(told > 0 && told < 60)
      realm.refresh()
      #expect(held.indices.filter { held[$0].isInvalidated } == [3])
      held = []
    }
    try other.work { try $0.session.coordinator.checkEverything() }
  }

  /// Nobody here hears of what another process commits, and no realm here is on the version of what
  /// is remembered.
  @Test(.timeLimit(.minutes(3)))
  func `REF-05: what another process put in the place of an object is not that object`() async {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let desk = Desk(configuration)
    var (frozen, variable): (Keyed?, ThreadSafe<Keyed>?)
    desk.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      realm.add(Keyed(value: ["id": 7, "name": "first"]))
    }
    desk.work { realm in
      let keyed = realm.object(ofType: Keyed.self, forPrimaryKey: 7)
      (frozen, variable) = (keyed?.freeze(), ThreadSafe(wrappedValue: keyed))
    }
    desk.leave()
    let path = configuration.fileURL?.path ?? ""
    await #expect(processExitsWith: .success) { [path = path as String] in
      alarm(120)
      let other = Desk(
        Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), objectTypes: [Keyed.self, Dog.self]))
      FarBehindTests.commit(other, 10)
      other.commit { $0.delete($0.object(ofType: Keyed.self, forPrimaryKey: 7)!) }
      other.commit { $0.add(Keyed(value: ["id": 7, "name": "second"])) }
      FarBehindTests.commit(other, 1_000)
    }
    Desk(configuration).work { realm in
      #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 7)?.name == "second")
      #expect(variable?.wrappedValue == nil)
      #expect(frozen?.thaw() == nil)
      frozen = nil
    }
  }

  /// Lives under few keys, in thousands of commits that realms at several distances step over.
  @Test(arguments: [UInt64.random(in: 1...999_999)])
  func `REFRESH-20: who holds an object knows whether that one is still there`(seed: UInt64) {
    var dice = Dice(seed: seed)
    let configuration = Self.configuration()
    let writer = Desk(configuration)
    let desks = (0..<3).map { _ in Desk(configuration) }
    writer.commit { $0.add(Dog(value: ["name": "Rex"])) }
    for desk in desks { desk.work { $0.autorefresh = false } }
    var lives: [Int: Int] = [:]
    var next = 0
    // Who holds an object: the key, and which life under it.
    var held: [[(object: Keyed, key: Int, life: Int)]] = Array(repeating: [], count: desks.count)
    for _ in 0..<40 {
      for _ in 0..<dice.below(200) {
        writer.commit { realm in
          for _ in 0...dice.below(3) {
            let key = dice.below(30)
            next += 1
            if lives.removeValue(forKey: key) != nil {
              realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: key)!)
            } else {
              realm.create(Keyed.self, value: ["id": key, "name": "\(next)"])
              lives[key] = next
            }
          }
          if dice.below(50) == 0 {
            realm.delete(realm.objects(Keyed.self))
            lives = [:]
          }
          realm.objects(Dog.self)[0].age += 1
        }
      }
      // The first one goes rarely.
      for (place, desk) in desks.enumerated() where dice.below([12, 4, 1][place]) == 0 {
        desk.work { realm in
          realm.refresh()
          for one in held[place] {
            #expect(
              one.object.isInvalidated == (lives[one.key] != one.life),
              "key \(one.key) at \(place), SEED=\(seed)")
          }
          held[place] = realm.objects(Keyed.self).map { ($0, $0.id, lives[$0.id]!) }
        }
      }
    }
    for (place, desk) in desks.enumerated() { desk.work { _ in held[place] = [] } }
  }
}
