import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// Several come to a file while somebody migrates it, each with the same new schema version: who
/// has waited finds it done.
enum MigratedTogether {
  /// For a migration that doubles each balance, after something else.
  private static func configuration(
    _ stage: Stage, _ first: @escaping @Sendable () -> Void = {}
  ) -> Realm.Configuration {
    stage.configuration(version: 1) { migration, _ in
      first()
      migration.enumerateObjects(ofType: Account.className()) { old, new in
        new?["balance"] = (old?["balance"] as? Int ?? -1) * 2
      }
    }
  }

  static let once = Probe(
    "a migration under which threads and processes come runs once", deadline: .seconds(60),
    companions: [
      "opener": { stage in
        stage.tell("ready")
        _ = stage.hear()
        let realm = try Realm(configuration: configuration(stage))
        stage.tell("\(realm.account(1).balance)")
      }
    ]
  ) { stage in
    for round in 1...4 {
      let name = "round \(round)"
      try stage.elsewhere { _ = try stage.stocked() }
      let threads = round % 3
      // Used by the thread that migrates while this one waits for it.
      nonisolated(unsafe) let children = try (0..<(round + 1) % 3).map { _ in
        try stage.companion("opener")
      }
      for child in children { _ = try stage.hear(child, "ready") }
      let balances = Mutex<[Int]>([])
      // Inside of the migration they are called, and it goes on when all of them wait for it.
      let asked = configuration(stage) {
        let others = Mutex<[Sleeper]>([])
        let begun = (0..<threads).map { Latch("thread \($0)") }
        for latch in begun {
          stage.thread("another") {
            others.withLock { $0.append(Sleeper()) }
            latch.open()
            let realm = try Realm(configuration: configuration(stage))
            balances.withLock { $0.append(realm.account(1).balance) }
          }
        }
        for latch in begun { try? stage.wait(for: latch) }
        for child in children { child.send("go") }
        let all =
          others.withLock { $0 } + children.map { Sleeper(process: $0.identifier) }
        for one in all { one.awaitSleep() }
      }
      let first = stage.thread("first") {
        let realm = try Realm(configuration: asked)
        balances.withLock { $0.append(realm.account(1).balance) }
      }
      try stage.join(first)
      try stage.joinAll()
      stage.equal(
        balances.withLock { $0 }, Array(repeating: 200, count: threads + 1),
        "the balance for each thread, \(name)")
      for child in children {
        stage.equal(child.line(within: stage.patience), "200", "the balance elsewhere, \(name)")
        _ = child.remains()
      }
      _ = try Realm.deleteFiles(for: stage.configuration())
    }
  }
}
