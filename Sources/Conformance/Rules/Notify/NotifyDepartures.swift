import EngineUnderTest
import Foundation
import Harness

/// Who listens to much, and goes before it has been told anything: an engine may still be looking
/// for what the first call needs.
enum LeftSearches {
  static let probes: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe(
      "who goes with its realm before the first call over much has come is told nothing: "
        + kind.rawValue
    ) { stage in
      try stage.elsewhere {
        let realm = try stage.open()
        try realm.write { for id in 0..<count { realm.add(Account(id: id, balance: id % 100)) } }
      }
      let home = BusyHome(kind, stage)
      for (round, farewell) in (Farewell.allCases + Farewell.allCases).enumerated() {
        // At once, or a few turns of the home later.
        let turns = [0, 0, 0, 1, 3, 6][round % 6]
        let left = Screen()
        try home.work {
          try left.open(home)
          left.leave(home, farewell, after: turns)
        }
        try home.wait(until: { left.hasGone }, "the turn in which who listens goes")
        // Who comes next has the same to look for: behind its calls nothing is left of before.
        let next = Screen()
        try home.work { try next.open(home) }
        try home.wait(until: { next.calls == next.expected.count }, "the next screen's first calls")
        home.work {
          stage.equal(next.found, next.expected, "what who came next has found")
          stage.equal(left.lateCalls, 0, "calls to a screen that was closed: \(farewell.rawValue)")
          next.leave(home, farewell, after: 0)
        }
        try home.wait(until: { next.hasGone }, "the turn in which the next one goes")
        stage.equal(home.work { next.lateCalls }, 0, "calls of the next one that has gone")
      }
    }
  }

  private static let count = 5000

  /// What goes first.
  private enum Farewell: String, CaseIterable {
    case realm = "the realm is let go first"
    case tokens = "the tokens are dropped first"
    case invalidated = "the tokens are invalidated first"
  }

  /// A realm with listeners, as a screen has it. All of it is at home.
  private final class Screen {
    /// What the first calls find, by listener.
    let expected = [0: count * 9 / 10, 1: count, 2: 100]
    private(set) var found: [Int: Int] = [:]
    private(set) var calls = 0
    private(set) var lateCalls = 0
    private(set) var hasGone = false
    private var realm: Realm?
    private var tokens: [NotificationToken] = []

    func open(_ home: BusyHome) throws {
      let realm = try home.open()
      self.realm = realm
      let all = realm.objects(Account.self)
      let listened = [
        all.where { $0.balance >= 10 }, all.sorted(byKeyPath: "balance"),
        all.distinct(by: ["balance"]),
      ]
      tokens = listened.enumerated().map { number, results in
        results.observe { [self] change in
          if hasGone { lateCalls += 1 }
          guard case .initial(let members) = change else { return }
          calls += 1
          found[number] = members.count
        }
      }
    }

    /// Lets go of everything behind what the home is to do by now, or so many turns later.
    func leave(_ home: BusyHome, _ farewell: Farewell, after turns: Int) {
      home.later { [self] in
        if turns > 0 { return leave(home, farewell, after: turns - 1) }
        switch farewell {
        case .realm: realm = nil
        case .tokens: break
        case .invalidated: for token in tokens { token.invalidate() }
        }
        tokens = []
        realm = nil
        hasGone = true
      }
    }
  }
}
