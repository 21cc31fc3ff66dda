import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Autorefresh ends while a large change is on its way to a realm that has listeners: wherever it
  /// is by then, the realm stays.
  static let endsOfAutorefresh: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    ["results", "sorted results", "sections"].map { name in
      Probe("autorefresh ends while a large change is on its way to \(name), on \(kind.rawValue)") {
        stage in
        Backstage.hooks?.skipFlushes()
        let (home, rows) = (RealmHome(kind), 4_000)
        var realm: Realm! = try home.open(stage)
        var calls = 0
        let token = try home.work {
          try realm.write { for id in 0..<rows { realm.add(Account(id: id)) } }
          let all = realm.objects(Account.self)
          func tell() { calls += 1 }
          switch name {
          case "results": return all.observe { _ in tell() }
          case "sorted results": return all.sorted(byKeyPath: "balance").observe { _ in tell() }
          default: return all.sectioned(by: \.note).observe { _ in tell() }
          }
        }
        try stage.spin(until: { home.work { calls > 0 } }, "the first call")
        func turn() {
          if kind == .mainThread {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
          } else {
            home.work {}
          }
        }
        func balance() -> Int { home.work { realm.account(7).balance } }
        // The change is somewhere else each time: not yet heard of, looked into, about to be told.
        for round in 1...9 {
          try stage.foreign {
            for id in 0..<rows where id % 3 != 0 || id == 7 {
              let account = $0.account(id)
              (account.balance, account.note) = (round, "\(round + id % 3)")
            }
          }
          for _ in 0..<((round - 1) % 5) { turn() }
          let before = home.work {
            realm.autorefresh = false
            return realm.account(7).balance
          }
          // A queue turns by itself, and what must not come tells nobody: time is what it gets.
          for _ in 0..<150 where balance() == before {
            turn()
            sched_yield()
            if kind == .queue { usleep(500) }
          }
          stage.equal(balance(), before, "the balance while autorefresh is off, round \(round)")
          home.work { _ = realm.refresh() }
          stage.equal(balance(), round, "the balance after a refresh, round \(round)")
          home.work { realm.autorefresh = true }
        }
        home.work {
          token.invalidate()
          realm = nil
        }
      }
    }
  }
}
