import EngineUnderTest
import Foundation
import Harness

extension Rules.Actor {
  static let actor41 = Rule(
    "ACTOR-41", .implementation,
    "Actors with an executor of their own MUST be served and confined like others.",
    source: "Swift's `unownedExecutor`; S4 Open (a realm that is isolated to an actor).",
    broken: "such an actor not checked; refused where it is at home",
    probes: [
      Probe.task("a realm of an actor with an executor of its own") { stage in
        let keeper = try await QueueKeeper(stage.configuration())
        try await keeper.write(round: 0)
        for round in 1..<5 {
          try await keeper.write(round: round)
          let balance = await keeper.balance
          stage.equal(balance, round, "the balance after write \(round)")
          try await keeper.writeSynchronously(round: round)
        }
        let ids = await keeper.balances
        stage.equal(ids, [4, 4], "the balances in the end")
        await keeper.close()
      }
    ]
      + ["another thread", "a task of no actor", "another actor of the kind"].map { place in
        Probe.diesInTask("used on \(place)", saying: Words.wrongThread) { stage in
          let keeper = try await QueueKeeper(stage.configuration())
          try await keeper.write(round: 0)
          let smuggled = await keeper.smuggled()
          switch place {
          case "another thread":
            try stage.elsewhere { stage.act { use(smuggled.value.objects(Account.self).count) } }
          case "a task of no actor":
            await Task.detached {
              stage.act { use(smuggled.value.objects(Account.self).count) }
            }.value
          default:
            let other = try await QueueKeeper(stage.configuration())
            await other.trespass(smuggled, stage)
          }
        }
      })
}

/// Runs an actor's jobs on a queue, as programs do whose other half knows queues only.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// An actor with such an executor, and its realm.
private actor QueueKeeper {
  private let executor = QueueExecutor()
  private var realm: Realm!

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var balance: Int { realm.account(1).balance }
  var balances: [Int] { realm.objects(Account.self).map(\.balance) }

  func write(round: Int) async throws {
    try await realm.asyncWrite {
      if round == 0 { for id in 1...2 { realm.add(Account(id: id)) } }
      realm.account(1).balance = round
    }
  }

  func writeSynchronously(round: Int) throws {
    try realm.write { realm.account(2).balance = round }
  }

  func smuggled() -> Smuggling<Realm> { Smuggling(realm) }

  func trespass(_ realm: Smuggling<Realm>, _ stage: Stage) {
    stage.act { use(realm.value.objects(Account.self).count) }
  }

  func close() { realm = nil }
}
