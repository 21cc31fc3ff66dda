import Foundation
import Testing

@testable import ReferenceEngine

/// Listeners of the same results who know the same version are told what one of them has found out.
/// They come and go, are skipped, and write while they are told: each hears of its own.
@Suite struct SharedStepTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Pebble.self, Cairn.self])

  /// What one listener makes of its change sets.
  private final class Ear: @unchecked Sendable {
    // Sendable because it is only touched at the desk.
    private(set) var ids: [Int]?
    private(set) var modified = 0
    private(set) var faults: [String] = []
    var token: NotificationToken?

    /// It was not told of a write, and goes on from what that left.
    func know(_ now: [Int]) { ids = now }

    func hear(_ change: RealmCollectionChange<Results<Pebble>>) {
      switch change {
      case .initial(let all): ids = all.map(\.id)
      case .update(let all, let gone, let come, let changed):
        guard var mirror = ids else { return faults.append("told before the first call") }
        let now = all.map { $0.id }
        modified += changed.count
        for place in gone.reversed() { mirror.remove(at: place) }
        for place in come { mirror.insert(now[place], at: place) }
        if mirror != now { faults.append("\(mirror) instead of \(now)") }
        ids = now
      case .error: faults.append("error")
      }
    }
  }

  private static func shapes(_ realm: Realm) -> [Results<Pebble>] {
    let all = realm.objects(Pebble.self)
    return [
      all, all.where { $0.weight > 3 }, all.sorted(by: ["weight", "id"]),
      all.where { $0.next.weight > 2 },
    ]
  }

  @Test(arguments: 0..<4)
  func `NOTIFY-06, NOTIFY-30: each of several listeners of the same results hears of all`(
    shape: Int
  ) throws {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 150)
    var dice = Dice(seed: seed &* 4 &+ UInt64(shape))
    let (desk, other) = (Desk(configuration), Desk(configuration))
    func change(_ realm: Realm) {
      for _ in 0...dice.below(4) {
        let id = dice.below(30)
        guard let pebble = realm.object(ofType: Pebble.self, forPrimaryKey: id) else {
          realm.create(Pebble.self, value: ["id": id, "weight": dice.below(6)])
          continue
        }
        switch dice.below(5) {
        case 0: realm.delete(pebble)
        case 1: pebble.name += "x"
        case 2: pebble.next = realm.objects(Pebble.self).last
        default: pebble.weight = dice.below(6)
        }
      }
    }
    let results = desk.work { Smuggled(Self.shapes($0)[shape]) }
    func ear() -> Ear {
      let ear = Ear()
      let paths = [nil, ["weight"], ["name"]][dice.below(3)]
      ear.token = results.value.observe(keyPaths: paths) { ear.hear($0) }
      return ear
    }
    var ears = desk.work { _ in (0..<5).map { _ in ear() } }
    for round in 0..<rounds {
      switch dice.below(7) {
      case 0: desk.commit(change)
      case 1:
        let skipped = ears.filter { _ in dice.below(2) == 0 }
        try desk.work { realm in
          realm.beginWrite()
          change(realm)
          try realm.commitWrite(withoutNotifying: skipped.compactMap(\.token))
          for ear in skipped { ear.know(results.value.map(\.id)) }
        }
      case 2:
        desk.work { _ in
          ears.remove(at: dice.below(ears.count)).token?.invalidate()
          ears.append(ear())
        }
      case 3: desk.work { _ = $0.refresh() }
      case 4: desk.work { $0.autorefresh.toggle() }
      case 5:
        desk.work { realm in
          realm.beginWrite()
          change(realm)
          realm.cancelWrite()
        }
      default: other.commit(change)
      }
      if dice.below(3) > 0 { desk.work { _ in } }
      let faults = ears.flatMap(\.faults)
      #expect(faults == [], "round \(round), SEED=\(seed)")
      if !faults.isEmpty { break }
    }
    desk.work { realm in
      realm.refresh()
      let now = results.value.map(\.id)
      for ear in ears {
        #expect(ear.ids == now, "SEED=\(seed)")
        ear.token?.invalidate()
      }
    }
  }

  @Test func `NOTIFY-32: one that writes while it is told leaves the others their own steps`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    let tokens = desk.work { realm in
      let all = realm.objects(Pebble.self)
      return (0..<3).map { number in
        all.observe { change in
          guard case .update(_, let gone, let come, let changed) = change else { return }
          told.add("\(number): -\(gone) +\(come) ~\(changed)")
          if number == 1, come == [0] {
            try? realm.write { _ = realm.create(Pebble.self, value: ["id": 2]) }
          }
        }
      }
    }
    desk.work { _ in }
    other.commit { $0.create(Pebble.self, value: ["id": 1]) }
    desk.work { $0.refresh() }
    desk.work { _ in }
    desk.work { _ in }
    #expect(told.all.filter { $0.hasPrefix("0") } == ["0: -[] +[0] ~[]", "0: -[] +[1] ~[]"])
    #expect(told.all.filter { $0.hasPrefix("1") } == ["1: -[] +[0] ~[]", "1: -[] +[1] ~[]"])
    #expect(told.all.filter { $0.hasPrefix("2") } == ["2: -[] +[0] ~[]", "2: -[] +[1] ~[]"])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-06: what several listeners hear is found out once`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let steps = Noted<ObjectIdentifier>()
    let (tokens, _) = desk.work { realm in
      let all = realm.objects(Pebble.self)
      let tokens = (0..<3).map { _ in
        all.observe { [unowned state = all.state] change in
          if case .update = change { steps.add(state.lastTold.map(ObjectIdentifier.init)!) }
        }
      }
      return (tokens, Smuggled(all))
    }
    desk.work { _ in }
    other.commit { $0.create(Pebble.self, value: ["id": 1]) }
    desk.work { $0.refresh() }
    #expect(steps.all.count == 3 && Set(steps.all).count == 1)
    for token in tokens { token.invalidate() }
  }
}
