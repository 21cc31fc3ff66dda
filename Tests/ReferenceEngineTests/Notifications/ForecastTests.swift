import Foundation
import Testing

@testable import ReferenceEngine

class Pebble: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: Int
  @Persisted var name: String
  @Persisted var next: Pebble?
}

class Cairn: Object {
  @Persisted var pebbles: List<Pebble>
}

/// A copy of a collection that change sets alone keep up.
private final class Copy: @unchecked Sendable {
  // Sendable because it is only touched at the desk.
  private struct Row: Equatable {
    let id: Int
    let weight: Int
  }

  let name: String
  /// Whether it hears of every change to a member.
  let hearsAll: Bool
  private let listen: (Realm, Copy) -> NotificationToken
  private let content: (Realm) -> [Pebble]
  private(set) var token: NotificationToken?
  private var rows: [Row]?
  private(set) var faults: [String] = []
  private(set) var calls = 0
  private(set) var isGone = false

  init<C: RealmCollection>(
    _ name: String, keyPaths: [String]? = nil, _ collection: @escaping (Realm) -> C?
  ) where C.Element == Pebble {
    self.name = name
    hearsAll = keyPaths == nil
    content = { realm in collection(realm)?.map { $0 } ?? [] }
    listen = { realm, copy in
      guard let found = collection(realm) else { return NotificationToken() }
      return found.observe(keyPaths: keyPaths) { [unowned copy] in copy.take($0) }
    }
  }

  func begin(_ realm: Realm) {
    rows = nil
    token = listen(realm, self)
  }

  func end() {
    token?.invalidate()
    token = nil
    rows = nil
  }

  private func take<C: RealmCollection>(_ change: RealmCollectionChange<C>)
  where C.Element == Pebble {
    calls += 1
    switch change {
    case .initial(let pebbles): rows = pebbles.map { Row(id: $0.id, weight: $0.weight) }
    case .update(let pebbles, let deletions, let insertions, let modifications):
      guard !pebbles.isInvalidated else {
        rows = []
        isGone = true
        return
      }
      guard let old = rows else { return faults.append("told before the first call") }
      let now = pebbles.map { Row(id: $0.id, weight: $0.weight) }
      let told = ToldPlaces(
        deletions: deletions, insertions: insertions, modifications: modifications)
      faults += told.faults(from: old, to: now) { hearsAll ? $0 == $1 : $0.id == $1.id }
      rows = now
    case .error: faults.append("error")
    }
  }

  /// What is wrong with the copy of what the realm shows.
  func fault(in realm: Realm) -> String? {
    if !faults.isEmpty { return "\(name): \(faults.prefix(3))" }
    guard let rows, token != nil, !isGone else { return nil }
    let now = content(realm).map { Row(id: $0.id, weight: $0.weight) }
    let isRight = hearsAll ? rows == now : rows.map(\.id) == now.map(\.id)
    return isRight ? nil : "\(name): \(rows.count) rows are not the \(now.count)"
  }
}

/// Large steps are looked into elsewhere before a home makes them. Whatever the home does
/// meanwhile, its listeners are told what has happened to what they know.
@Suite struct ForecastTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Pebble.self, Cairn.self])
  private let worker = HeldErrands()

  /// A desk whose listeners' large steps wait for the test.
  private func desk() -> Desk {
    let desk = Desk(configuration)
    desk.work { $0.session.listeners?.worker = worker }
    return desk
  }

  private func add(_ ids: Range<Int>, weight: Int = 0, to realm: Realm) {
    for id in ids { realm.create(Pebble.self, value: ["id": id, "weight": weight]) }
  }

  private func brief<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
    switch change {
    case .initial(let all): "initial \(all.count)"
    case .update(let all, let deletions, let insertions, let modifications):
      "-\(deletions.count) +\(insertions.count) ~\(modifications.count) of \(all.count)"
    case .error: "error"
    }
  }

  // desk            worker          other
  //                                 adds 2,000
  // asks            is to look
  // stays                           adds one
  //                 looks
  // steps, is told of 2,000
  // comes again, is told of one
  @Test func `NOTIFY-18: a home steps when what the step means has been found out elsewhere`() {
    let (desk, other) = (desk(), Desk(configuration))
    let told = Noted<String>()
    let tokens = desk.work { realm in
      let all = realm.objects(Pebble.self)
      return [
        all.observe { told.add("all " + brief($0)) },
        all.where { $0.weight > 4 }.observe { told.add("heavy " + brief($0)) },
        all.sorted(by: \.weight, ascending: false).observe { told.add("sorted " + brief($0)) },
      ]
    }
    desk.work { _ in }
    told.clear()
    other.commit { realm in
      add(0..<1_000, weight: 3, to: realm)
      add(1_000..<2_000, weight: 5, to: realm)
    }
    desk.work { #expect($0.objects(Pebble.self).isEmpty) }
    other.commit { add(2_000..<2_001, weight: 9, to: $0) }
    desk.work { #expect($0.objects(Pebble.self).isEmpty) }
    #expect(worker.count == 1)
    #expect(told.all == [])
    worker.work()
    desk.work { _ in }
    #expect(
      told.all == [
        "all -0 +2000 ~0 of 2000", "heavy -0 +1000 ~0 of 1000", "sorted -0 +2000 ~0 of 2000",
      ])
    told.clear()
    // Sorting so many anew is not for the home either.
    desk.work { _ in }
    #expect(worker.count == 1)
    worker.work()
    desk.work { _ in }
    #expect(
      told.all == [
        "all -0 +1 ~0 of 2001", "heavy -0 +1 ~0 of 1001", "sorted -0 +1 ~0 of 2001",
      ])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-18: a home asks no question itself that was answered elsewhere`() {
    let (desk, other) = (desk(), Desk(configuration))
    other.commit { add(0..<3_000, weight: 1, to: $0) }
    let asked = Noted<String>()
    let (token, heavy) = desk.work { realm in
      let heavy = realm.objects(Pebble.self).where { $0.weight > 4 && $0.name == "" }
      let token = heavy.observe { [unowned state = heavy.state] change in
        if case .initial = change { return }
        asked.add("\(state.found.condition != nil) \(change.count ?? -1)")
        asked.add("\(state.found.condition != nil)")
      }
      return (token, Smuggled(heavy))
    }
    desk.work { _ in }
    other.commit { realm in
      for pebble in realm.objects(Pebble.self) where pebble.id % 3 == 0 { pebble.weight = 7 }
    }
    desk.work { _ in }
    worker.work()
    desk.work { _ in }
    // Neither to be told nor to count, nor afterwards.
    #expect(asked.all == ["false 1000", "false"])
    desk.work { _ in #expect(heavy.value.map(\.id) == (0..<1_000).map { $0 * 3 }) }
    token.invalidate()
  }

  @Test func `NOTIFY-18: a refresh waits for nobody who looks ahead, and nothing is told twice`() {
    let (desk, other) = (desk(), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { $0.objects(Pebble.self).observe { told.add(brief($0)) } }
    desk.work { _ in }
    other.commit { add(0..<1_000, to: $0) }
    desk.work { realm in
      #expect(realm.refresh())
      #expect(told.all == ["initial 0", "-0 +1000 ~0 of 1000"])
    }
    worker.work()
    desk.work { _ in }
    #expect(told.all.count == 2)
    token.invalidate()
  }

  @Test func `NOTIFY-18: a write of the home's own begins on all that was committed before it`() {
    let (desk, other) = (desk(), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { $0.objects(Pebble.self).observe { told.add(brief($0)) } }
    desk.work { _ in }
    other.commit { add(0..<1_000, to: $0) }
    desk.work { realm in
      realm.beginWrite()
      #expect(told.all == ["initial 0", "-0 +1000 ~0 of 1000"])
      realm.delete(realm.objects(Pebble.self).where { $0.id < 300 })
      // What was found out meanwhile is about a version that the home has left.
      worker.work()
      try? realm.commitWrite()
    }
    desk.work { _ in }
    #expect(told.all == ["initial 0", "-0 +1000 ~0 of 1000", "-300 +0 ~0 of 700"])
    token.invalidate()
  }

  @Test func `REFRESH-11: a home that stops to follow meanwhile does not step`() {
    let (desk, other) = (desk(), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { $0.objects(Pebble.self).observe { told.add(brief($0)) } }
    desk.work { _ in }
    other.commit { add(0..<1_000, to: $0) }
    desk.work { $0.autorefresh = false }
    worker.work()
    desk.work { #expect($0.objects(Pebble.self).isEmpty) }
    #expect(told.all == ["initial 0"])
    token.invalidate()
  }

  @Test func `NOTIFY-23, NOTIFY-38: listeners come and go while a step is looked into`() {
    let (desk, other) = (desk(), Desk(configuration))
    let told = Noted<String>()
    let first = desk.work { $0.objects(Pebble.self).observe { told.add("first " + brief($0)) } }
    desk.work { _ in }
    other.commit { add(0..<1_000, to: $0) }
    let second = desk.work { realm in
      first.invalidate()
      return realm.objects(Pebble.self).observe { told.add("second " + brief($0)) }
    }
    desk.work { _ in }
    worker.work()
    desk.work { _ in }
    #expect(told.all == ["first initial 0", "second initial 1000"])
    second.invalidate()
  }

  @Test func `NOTIFY-18: a realm that is gone is not missed by who looks ahead for it`() {
    let (desk, other) = (desk(), Desk(configuration))
    let told = Noted<String>()
    var token: NotificationToken? = desk.work {
      $0.objects(Pebble.self).observe { told.add(brief($0)) }
    }
    desk.work { _ in }
    other.commit { add(0..<1_000, to: $0) }
    desk.work { _ in }
    #expect(worker.count == 1)
    desk.work { _ in token?.invalidate() }
    token = nil
    desk.leave()
    worker.work()
    desk.queue.sync {}
    #expect(told.all == ["initial 0"])
    // And its versions go with it.
    other.work { #expect($0.session.coordinator.activeVersionCount == 1) }
  }

  @Test func `NOTIFY-18: the realm's own worker does it where nobody holds it up`() async throws {
    let told = Bell()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let token = desk.work { realm in
      realm.objects(Pebble.self).sorted(by: \.weight).observe { change in
        if case .update(let pebbles, _, let insertions, _) = change, insertions.count == 5_000,
          pebbles.count == 5_000
        {
          told.ring()
        }
      }
    }
    desk.work { _ in }
    other.commit { add(0..<5_000, to: $0) }
    #expect(try await apart { told.wait() })
    token.invalidate()
  }

  // MARK: Everything at once

  private static func copies() -> [Copy] {
    [
      Copy("all") { $0.objects(Pebble.self) },
      Copy("heavy") { $0.objects(Pebble.self).filter("weight > 4") },
      Copy("light, weights only", keyPaths: ["weight"]) {
        $0.objects(Pebble.self).filter("weight < 3")
      },
      Copy("named") { $0.objects(Pebble.self).filter("name BEGINSWITH 'm' AND weight != 2") },
      Copy("sorted") { $0.objects(Pebble.self).sorted(by: ["weight", "id"]) },
      Copy("heavy sorted", keyPaths: ["name"]) {
        $0.objects(Pebble.self).filter("weight > 4").sorted(by: ["id"])
      },
      Copy("linked") { $0.objects(Pebble.self).filter("next.weight > 4") },
      Copy("next's name", keyPaths: ["next.name"]) { $0.objects(Pebble.self) },
      Copy("list") { $0.objects(Cairn.self).first?.pebbles },
      Copy("heavy of the list") { $0.objects(Cairn.self).first?.pebbles.filter("weight > 4") },
    ]
  }

  private static func change(_ realm: Realm, _ dice: inout Dice) {
    let isLarge = dice.below(3) > 0
    let count = isLarge ? 520 + dice.below(200) : 1 + dice.below(70)
    let first = dice.below(1_200)
    let ids = first..<(first + count)
    func pebble(_ id: Int) -> Pebble? { realm.object(ofType: Pebble.self, forPrimaryKey: id) }
    switch dice.below(7) {
    case 0, 1:
      for id in ids {
        realm.create(
          Pebble.self,
          value: ["id": id, "weight": dice.below(9), "name": dice.below(2) == 0 ? "mica" : "ore"],
          update: .modified)
      }
    case 2:
      for id in ids { pebble(id)?.weight = dice.below(9) }
    case 3:
      for id in ids where dice.below(2) == 0 {
        if dice.below(2) == 0 {
          pebble(id)?.name = "marl"
        } else {
          pebble(id)?.next = pebble(first)
        }
      }
    case 4:
      realm.delete(realm.objects(Pebble.self).where { $0.id >= first && $0.id < first + count })
    case 5:
      // Gone and come again under the same keys: others.
      for id in ids {
        guard let old = pebble(id) else { continue }
        realm.delete(old)
        if dice.below(4) > 0 { realm.create(Pebble.self, value: ["id": id, "weight": 5]) }
      }
    default:
      guard let list = realm.objects(Cairn.self).first?.pebbles else { return }
      if dice.below(3) == 0 { list.removeAll() }
      for id in ids { if let one = pebble(id) { list.append(one) } }
      if dice.below(12) == 0 { realm.delete(realm.objects(Cairn.self)) }
    }
  }

  @Test(arguments: 0..<4)
  func `NOTIFY-07, NOTIFY-20: change sets are right whatever the home does meanwhile`(
    part: Int
  ) {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 25)
    var dice = Dice(seed: seed &* 4 &+ UInt64(part))
    let (desk, other) = (desk(), Desk(configuration))
    other.commit { realm in
      realm.create(Cairn.self)
      add(0..<800, weight: 3, to: realm)
    }
    let copies = Self.copies()
    desk.work { realm in for copy in copies { copy.begin(realm) } }
    var foreseen = 0
    for round in 0..<rounds {
      for _ in 0...dice.below(2) { other.commit { Self.change($0, &dice) } }
      desk.work { _ in }
      foreseen += worker.count
      switch dice.below(12) {
      case 0: desk.work { _ = $0.refresh() }
      case 1: desk.commit { Self.change($0, &dice) }
      case 2:
        desk.work { realm in
          realm.beginWrite()
          Self.change(realm, &dice)
          realm.cancelWrite()
        }
      case 3:
        let copy = copies[dice.below(copies.count)]
        desk.work { _ in copy.end() }
        if dice.below(2) == 0 { worker.work() }
        desk.work { realm in copy.begin(realm) }
      case 4:
        desk.work { $0.autorefresh = false }
        worker.work()
        desk.work { _ in }
        desk.work { $0.autorefresh = true }
      case 5: other.commit { Self.change($0, &dice) }
      case 6 where dice.below(3) == 0:
        desk.work { realm in
          realm.invalidate()
          for copy in copies { copy.begin(realm) }
        }
      default: break
      }
      if dice.below(4) > 0 { worker.work() }
      desk.work { _ in }
      if dice.below(2) == 0 { worker.work() }
      desk.work { _ in }
      let isChecked = dice.below(3) == 0
      let faults = desk.work { realm in
        if isChecked { realm.refresh() }
        return copies.compactMap { isChecked ? $0.fault(in: realm) : $0.faults.first }
      }
      #expect(faults == [], "round \(round), SEED=\(seed)")
      if !faults.isEmpty { break }
    }
    #expect(foreseen > 0, "SEED=\(seed)")
    desk.work { _ in for copy in copies { copy.end() } }
  }
}

extension RealmCollectionChange where CollectionType: RealmCollection {
  /// How many members there are.
  fileprivate var count: Int? {
    switch self {
    case .initial(let all), .update(let all, _, _, _): all.count
    case .error: nil
    }
  }
}
