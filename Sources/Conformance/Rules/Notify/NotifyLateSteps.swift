import EngineUnderTest
import Foundation
import Harness

/// Large steps, which an engine may look into beside the home of who listens, and more commits
/// before the home has made them.
enum LateSteps {
  static let probes: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe(
      "commits behind a large one, while its listeners' home is busy, are all told: "
        + kind.rawValue
    ) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let home = BusyHome(kind, stage)
      let desk = try home.work { try Desk(home, stage) }
      try home.wait(until: { desk.mirrors.allSatisfy { $0.calls > 0 } }, "the initial calls")
      for (round, step) in steps.enumerated() {
        home.work { desk.begin(step, round, following: round % 3 + 1) }
        try home.wait(until: { desk.chains == 0 }, "the telling of \(step.name)")
        try home.wait(until: { desk.isNewest }, "the telling of what came behind \(step.name)")
        home.work {
          for mirror in desk.mirrors {
            stage.equal(mirror.wrong, nil, "what was told wrongly of \(step.name)")
          }
          stage.equal(desk.lacks, [], "the listeners that have not got all of \(step.name)")
        }
      }
      home.work { desk.close() }
    }
  }

  private struct Step: Sendable {
    let name: String
    let make: @Sendable (Realm) -> Void
  }

  private static let steps = [
    Step(name: "many additions") { realm in
      for id in 1000..<1800 { realm.add(Account(id: id, balance: id)) }
    },
    Step(name: "many changes") { realm in
      for id in 1000..<1800 { realm.account(id).balance += 1 }
    },
    Step(name: "additions and changes") { realm in
      for id in 1800..<2200 { realm.add(Account(id: id, balance: id)) }
      for id in 1000..<1400 { realm.account(id).balance += 1 }
    },
    Step(name: "many deletions") { realm in
      realm.delete(realm.objects(Account.self).where { $0.id >= 1000 })
    },
  ]

  /// Who listens, and what it has been told. All of it is at home.
  private final class Desk {
    let mirrors = (0..<3).map { _ in CollectionMirror() }
    /// How many series of blocks of the home are still under way.
    private(set) var chains = 0
    private let home: BusyHome
    private let stage: Stage
    private var realm: Realm?
    private var all: [Results<Account>] = []
    private var tokens: [NotificationToken] = []
    private var small = 0

    init(_ home: BusyHome, _ stage: Stage) throws {
      (self.home, self.stage) = (home, stage)
      let realm = try home.open()
      self.realm = realm
      let accounts = realm.objects(Account.self)
      all = [
        accounts.sorted(byKeyPath: "id"), accounts.where { $0.id >= 1 },
        accounts.where { $0.balance >= 0 }.sorted(byKeyPath: "id", ascending: false),
      ]
      tokens = zip(all, mirrors).map { results, mirror in results.observe { mirror.take($0) } }
    }

    /// Lets others commit a large step and, in each later turn of the home until that is told, some
    /// small ones. At any time two blocks of the home wait for their turn: whatever is found out
    /// elsewhere comes to the home behind commits that were made meanwhile.
    func begin(_ step: Step, _ round: Int, following: Int) {
      chains = 2
      turn(0, round, following) { realm in
        step.make(realm)
        realm.account(3).balance = 5000 + round
      }
      turn(1, round, following, nil)
    }

    private func turn(
      _ number: Int, _ round: Int, _ following: Int, _ large: ((Realm) -> Void)?
    ) {
      home.later { [self] in
        do {
          if let large { try stage.foreign { large($0) } } else { try commit(following) }
        } catch {
          stage.fail(expected: "a commit", observed: "\(error)")
          chains -= 1
          return
        }
        let isTold = mirrors.allSatisfy { mirror in
          mirror.rows.contains { $0.id == 3 && $0.balance == 5000 + round }
        }
        // Enough for any engine that gets its turn; what is left is told without more of them.
        if isTold || number == 200 { chains -= 1 } else { turn(number + 1, round, following, nil) }
      }
    }

    private func commit(_ count: Int) throws {
      for _ in 0..<count {
        small += 1
        let balance = 10_000 + small
        try stage.foreign { $0.account(1).balance = balance }
      }
    }

    /// Whether each listener has been told of the last commit.
    var isNewest: Bool {
      mirrors.allSatisfy { mirror in
        mirror.rows.contains { $0.id == 1 && $0.balance == 10_000 + small }
      }
    }

    /// The listeners that do not have what is there.
    var lacks: [Int] {
      zip(all, mirrors).enumerated().compactMap { number, pair in
        Array(pair.0.map(CollectionMirror.row)) == pair.1.rows ? nil : number
      }
    }

    func close() {
      for token in tokens { token.invalidate() }
      (tokens, all, realm) = ([], [], nil)
    }
  }
}
