import EngineUnderTest
import Foundation
import Harness
import Synchronization

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

extension Rules.Actor {
  // The actor               The other writer      The engine              The task
  //                         is inside
  // is busy                                                               waits for its turn
  // lets the other end
  //                         ends
  //                                               asks the actor to come
  // has itself asked for invalidate()
  // comes, lends the turn                                                 is asked to come
  // invalidates
  //                                                                       comes, and it is over
  /// What comes between a turn and the task that it is lent to. How many jobs the engine asks an
  /// actor for before the turn is its own affair: so several are tried.
  static let invalidatedWhileLent = Probe.task("invalidate() between a turn and its task") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let keeper = try await QueueKeeper(stage.configuration())
    for jobs in [1, 2, 3] {
      let release = Latch("the other writer's end")
      let writer = try stage.holdingWrite(until: release)
      let (started, ended) = (Latch("the task's start"), Latch("the end of the task"))
      let task = Task {
        try? await keeper.write(round: jobs, started)
        ended.open()
      }
      try await stage.arrival(of: started)
      // The actor takes another job only once asyncWrite waits.
      await keeper.rest()
      try await keeper.come(behind: jobs, release) { $0.invalidate() }.value
      try await stage.arrival(of: ended)
      await task.value
      try stage.join(writer)
      let after = Latch("a write of the same realm, invalidated behind \(jobs) jobs")
      let next = Task {
        try await keeper.write(round: 10 * jobs)
        after.open()
      }
      try await stage.arrival(of: after)
      try await next.value
      let balance = await keeper.balance
      stage.equal(balance, 10 * jobs, "the balance after invalidating behind \(jobs) jobs")
      try stage.foreign { $0.account(2).balance = jobs }
    }
    await keeper.close()
  }

  /// The same with a plain write of the actor's: it takes the turn, and the task that it was lent
  /// to waits again, where it was.
  static let takenWhileLent = Probe.task("a plain write between a turn and its task") { stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let keeper = try await QueueKeeper(stage.configuration())
    for jobs in [1, 2, 3] {
      let release = Latch("the other writer's end")
      let writer = try stage.holdingWrite(until: release)
      var tasks: [Task<Void, any Error>] = []
      for name in ["one", "two", "three"] {
        let started = Latch("the start of \(name)")
        tasks.append(Task { try await keeper.note(name, started) })
        try await stage.arrival(of: started)
        await keeper.rest()
      }
      try await keeper.come(behind: jobs, release) { realm in
        try realm.write { realm.account(2).balance = jobs }
      }.value
      for task in tasks { try await task.value }
      try stage.join(writer)
      let order = await keeper.takeNotes()
      stage.equal(order, ["one", "two", "three"], "the tasks, with a write behind \(jobs) jobs")
      let balances = await keeper.balances
      stage.equal(balances[1], jobs, "what was written behind \(jobs) jobs")
    }
    await keeper.close()
  }
}

/// Runs an actor's jobs on a queue, as programs do whose other half knows queues only.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")
  private let count = Atomic(0)

  /// How many jobs have been asked for.
  var asked: Int { count.load(ordering: .acquiring) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    count.add(1, ordering: .releasing)
  }
}

/// An actor with such an executor, and its realm.
private actor QueueKeeper {
  private let executor = QueueExecutor()
  private var realm: Realm!
  private var notes: [String] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var balance: Int { realm.account(1).balance }
  var balances: [Int] { realm.objects(Account.self).map(\.balance) }

  func write(round: Int, _ started: Latch? = nil) async throws {
    started?.open()
    try await realm.asyncWrite {
      if round == 0 { for id in 1...2 { realm.add(Account(id: id)) } }
      realm.account(1).balance = round
    }
  }

  func rest() {}

  /// Lets the other writer end, stays until so many jobs wait for this actor, or none seems to
  /// come, and does something to the realm behind them.
  func come(
    behind jobs: Int, _ release: Latch, _ act: @escaping @Sendable (Realm) throws -> Void
  ) -> Task<Void, any Error> {
    let before = executor.asked
    release.open()
    let patience = ContinuousClock.now + .milliseconds(200)
    while executor.asked < before + jobs, .now < patience { sched_yield() }
    return Task { try act(realm) }
  }

  /// Writes, and notes who has.
  func note(_ name: String, _ started: Latch) async throws {
    started.open()
    try await realm.asyncWrite { notes.append(name) }
  }

  func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
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
