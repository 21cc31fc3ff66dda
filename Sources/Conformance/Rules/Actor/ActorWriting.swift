import EngineUnderTest
import Foundation
import Harness

extension Rules.Actor {
  static let writing: [Rule] = [
    actor12, actor13, actor14, actor15, actor16, actor17, actor18, actor19, actor20, actor21,
  ]

  static let actor12 = Rule(
    "ACTOR-12", .documented,
    "`asyncWrite` MUST suspend the calling task while it waits for the write lock and MUST "
      + "NOT block the thread or actor.",
    source: "S4 Write; S2 (\"suspends the calling task while waiting ... rather than blocking the "
      + "thread\").",
    broken: "synchronous lock",
    probes: [
      Probe.task("waiting for the lock suspends and does not block the actor") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let keeper = try await Keeper(stage.configuration())
        let release = Latch("the other job on the actor")
        let writer = try stage.holdingWrite(until: release)
        let asked = Latch("the write being asked for")
        let write = Task {
          try await keeper.run { _, realm in
            asked.open()
            try await realm.asyncWrite {
              stage.stamps.mark("got")
              realm.account(1).balance = 7
            }
          }
        }
        // The actor takes other jobs while the write waits.
        try await stage.arrival(of: asked)
        for _ in 0..<20 {
          await Task.yield()
          let balance = await keeper.with { _, realm in realm.account(2).balance }
          stage.equal(balance, 200, "what another job reads")
        }
        stage.stamps.mark("other job")
        release.open()
        try await write.value
        try stage.join(writer)
        stage.ordered("other job", before: "release")
        stage.ordered("release", before: "got")
      }
    ] + Standstills.busyActors)

  static let actor13 = Rule(
    "ACTOR-13", .documented,
    "The block of `asyncWrite` MUST run on the actor, inside the write, synchronously.",
    source: "S4.",
    broken: "block on helper thread",
    probes: [
      Probe.task("the block runs on the actor, inside the write") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.run { keeper, realm in
          try await realm.asyncWrite {
            keeper.assertIsolated()
            stage.equal(realm.isInWriteTransaction, true, "the flag in the block")
            realm.add(Account(id: 1))
          }
          keeper.assertIsolated()
          stage.equal(realm.isInWriteTransaction, false, "the flag afterwards")
        }
      }
    ] + ActorWays.probes([.returnsNothing]))

  static let actor14 = Rule(
    "ACTOR-14", .documented,
    "`asyncWrite` MUST do the disk I/O on a background thread and resume the task only when "
      + "it is complete.",
    source: "S4 Write; S2.",
    broken: "fsync on the actor thread; resume before sync",
    probes: [
      Probe.task(
        "what asyncWrite reported survives a kill",
        companions: [
          "writer": { stage in
            let done = Latch("the write")
            Task.detached {
              let keeper = try await Keeper(stage.configuration())
              try await keeper.run { _, realm in
                try await realm.asyncWrite {
                  realm.account(1).balance = 7
                  // Keeps the disk busy for a while; one value of Realm's holds 16 MB at most.
                  for id in 1...4 {
                    realm.add(Blob(id: id, bytes: Data(repeating: 7, count: 8 << 20)))
                  }
                }
              }
              stage.tell("written")
            }
            try stage.spin(until: { done.isOpen }, "the kill")
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let writer = try stage.companion("writer")
        stage.equal(try stage.hear(writer, "its word"), "written", "the writer's word")
        writer.signal(SIGKILL)
        use(writer.remains())
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      },
      Probe.task("while the disk is waited for the actor works, and the task does not") { stage in
        let hooks = try stage.hooks()
        hooks.record()
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let flushing = Latch("the flush of the write")
        let release = Latch("the flush's release")
        hooks.beforeFlush {
          flushing.open()
          _ = release.wait(stage.patience)
        }
        let write = Task {
          try await keeper.run { _, realm in
            try await realm.asyncWrite { realm.account(1).balance = 7 }
            stage.stamps.mark("resumed")
          }
        }
        try await stage.arrival(of: flushing)
        await keeper.with { _, _ in _ = stage.stamps.mark("other job") }
        stage.stamps.mark("released")
        hooks.beforeFlush(nil)
        release.open()
        try await write.value
        stage.ordered("other job", before: "released")
        stage.ordered("released", before: "resumed")
      },
    ] + [.failuresAreThrown] + ActorLateCancels.probes)

  static let actor15 = Rule(
    "ACTOR-15", .documented,
    "`asyncWrite` MUST return the block's value; returned objects are usable afterwards on "
      + "the actor.",
    source: "S4 code (newTodo._id, scourTheShire).",
    broken: "returned object detached",
    probes: [
      Probe.task("the block's value is handed over and usable") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.run { _, realm in
          let todo = try await realm.asyncWrite {
            realm.create(Todo.self, value: ["name": "scour the Shire"])
          }
          stage.equal(todo.name, "scour the Shire", "the object's name")
          let number = try await realm.asyncWrite { 42 }
          stage.equal(number, 42, "a number")
        }
      }
    ] + ActorWays.probes([.returns]) + [Programs.acting.probe])

  static let actor16 = Rule(
    "ACTOR-16", .implementation,
    "If the block throws, `asyncWrite` MUST cancel the write and rethrow.",
    source: "(impl) RST:1758.",
    broken: "commits; wraps the error",
    probes: [
      Probe.task("a block that throws leaves nothing") { stage in
        struct Trouble: Error {}
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.run { _, realm in
          do {
            try await realm.asyncWrite {
              realm.account(1).balance = 7
              throw Trouble()
            }
            stage.fail(expected: "the block's error", observed: "none")
          } catch { stage.expect(error is Trouble, "the block's error", observed: "\(error)") }
          stage.equal(realm.account(1).balance, 0, "the balance")
          stage.equal(realm.isInWriteTransaction, false, "the flag")
        }
        try stage.foreign { $0.account(1).note = "free" }
        stage.equal(try stage.seen { $0.account(1).note }, "free", "what another writer wrote")
      }
    ] + ActorWays.probes([.throwsError, .throwsWithoutChanges, .cancelsAndThrows])
      + Probe.writesAfterEnds + [Probe.crowdOfTasks[2]])

  static let actor17 = Rule(
    "ACTOR-17", .implementation,
    "If the block has itself cancelled or committed, `asyncWrite` MUST not fail; it may "
      + "even begin a new synchronous write which is then committed.",
    source: "(impl) RST:1721, 1732.",
    broken: "double commit dies",
    probes: [
      Probe.task("a block ends its write itself") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        try await keeper.run { _, realm in
          try await realm.asyncWrite {
            realm.account(1).balance = 7
            realm.cancelWrite()
          }
          stage.equal(realm.account(1).balance, 0, "the balance after a cancellation")
          try await realm.asyncWrite {
            realm.account(1).balance = 8
            try realm.commitWrite()
          }
          stage.equal(realm.account(1).balance, 8, "the balance after a commit")
          try await realm.asyncWrite {
            realm.cancelWrite()
            realm.beginWrite()
            realm.account(1).balance = 9
          }
          stage.equal(realm.isInWriteTransaction, false, "the flag")
        }
        stage.equal(try stage.seen { $0.account(1).balance }, 9, "the balance elsewhere")
      },
      .turnsAfterOwnEnds,
    ] + ActorWays.probes([.cancels, .commits, .beginsAnew]))

  static let actor18 = Rule(
    "ACTOR-18", .documented,
    "Cancelling the task while it waits for the lock, or before, MUST throw "
      + "`CancellationError`, not run the block, and not leave the lock taken.",
    source: "(impl) RST:1842, 1865; S2 (tasks can be cancelled).",
    broken: "lock leak; block runs",
    probes: [
      Probe.task("a task cancelled while it waits for the lock") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let keeper = try await Keeper(stage.configuration())
        let release = Latch("the cancellation")
        let writer = try stage.holdingWrite(until: release)
        let ran = Latch("the block")
        let started = Latch("the task")
        let write = Task {
          try await keeper.run { _, realm in
            started.open()
            try await realm.asyncWrite { ran.open() }
          }
        }
        try await stage.arrival(of: started, "the task's start")
        // The actor takes another job only once asyncWrite waits.
        await keeper.with { _, _ in }
        write.cancel()
        release.open()
        do {
          try await write.value
          stage.fail(expected: "CancellationError", observed: "no error")
        } catch {
          stage.expect(error is CancellationError, "CancellationError", observed: "\(error)")
        }
        try stage.join(writer)
        stage.equal(ran.isOpen, false, "whether the block ran")
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "what another writer wrote")
      },
      Probe.task("a task that is already cancelled") { stage in
        let keeper = try await Keeper(stage.configuration())
        let ran = Latch("the block")
        let write = Task {
          while !Task.isCancelled { await Task.yield() }
          try await keeper.run { _, realm in try await realm.asyncWrite { ran.open() } }
        }
        write.cancel()
        do {
          try await write.value
          stage.fail(expected: "CancellationError", observed: "no error")
        } catch {
          stage.expect(error is CancellationError, "CancellationError", observed: "\(error)")
        }
        stage.equal(ran.isOpen, false, "whether the block ran")
      },
      Probe.task("those behind tasks that were cancelled in the line get their turn") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let keeper = try await Keeper(stage.configuration())
        for round in 0..<3 {
          let release = Latch("the cancellations")
          let writer = try stage.holdingWrite(until: release)
          let before = await keeper.with { _, realm in
            realm.refresh()
            return realm.account(2).balance
          }
          var tasks: [Task<Void, any Error>] = []
          for _ in 0..<6 {
            let started = Latch("a task")
            tasks.append(
              Task {
                try await keeper.run { _, realm in
                  started.open()
                  try await realm.asyncWrite { realm.account(2).balance += 1 }
                }
              })
            try await stage.arrival(of: started, "a task's start")
            await keeper.with { _, _ in }
          }
          // Others each time: the first, one in the middle, neighbours, the last.
          let victims = [[0, 3], [1, 2, 5], [0, 1, 4]][round]
          for victim in victims { tasks[victim].cancel() }
          await keeper.with { _, _ in }
          release.open()
          for (number, task) in tasks.enumerated() where !victims.contains(number) {
            let done = Latch("task \(number) of round \(round)")
            let waiter = Task {
              try? await task.value
              done.open()
            }
            try await stage.arrival(of: done)
            await waiter.value
          }
          try stage.join(writer)
          let after = await keeper.with { _, realm in realm.account(2).balance }
          stage.equal(after - before, 6 - victims.count, "the writes of round \(round)")
          try stage.foreign { $0.account(1).balance = round }
        }
      },
      invalidatedWhileLent,
    ] + [Probe.crowdOfTasks[1]])

  static let actor19 = Rule(
    "ACTOR-19", .implementation,
    "After `asyncWrite` returned, `isInWriteTransaction` and "
      + "`isPerformingAsynchronousWriteOperations` MUST be false (if nothing else is queued); "
      + "during the block both true.",
    source: "RST:1707.",
    broken: "flag stuck true",
    probes: [
      Probe.task("both flags in the block and after it") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.run { _, realm in
          try await realm.asyncWrite {
            stage.equal(realm.isInWriteTransaction, true, "isInWriteTransaction in the block")
            stage.equal(
              realm.isPerformingAsynchronousWriteOperations, true, "the other flag in the block")
          }
          stage.equal(realm.isInWriteTransaction, false, "isInWriteTransaction afterwards")
          stage.equal(
            realm.isPerformingAsynchronousWriteOperations, false, "the other flag afterwards")
        }
      }
    ])

  static let actor20 = Rule(
    "ACTOR-20", .documented,
    "Concurrent `asyncWrite` calls of several tasks on one actor MUST each run with an "
      + "active transaction, be applied exactly once, and never observe another's open write.",
    source: "S4 (acquires the lock, then invokes the block); issue #8675 shows real Realm failing "
      + "under re-entrancy plus cancellation.",
    broken: "shared resume slot",
    probes: [
      Probe.task("many tasks on one actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let succeeded = await withTaskGroup(of: Bool.self) { group in
          for number in 0..<40 {
            group.addTask {
              let task = Task {
                try await keeper.run { _, realm in
                  try await realm.asyncWrite {
                    stage.equal(realm.isInWriteTransaction, true, "the flag in a block")
                    realm.account(1).balance += 1
                  }
                }
              }
              if number % 5 == 0 { task.cancel() }
              do {
                try await task.value
                return true
              } catch { return false }
            }
          }
          return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        stage.expect(
          succeeded >= 32, "at least the 32 that were not cancelled", observed: "\(succeeded)")
        stage.equal(try stage.seen { $0.account(1).balance }, succeeded, "the number of increments")
      },
      Probe.task("a write that is suspended while a group and a task have their turn") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        try await keeper.run { keeper, realm in
          var other: Task<Void, any Error>?
          realm.beginAsyncWrite {
            // On its way to the actor before the task that waits for its turn is.
            other = Task {
              try await keeper.run { _, realm in
                realm.beginWrite()
                realm.account(1).balance += 10
                for _ in 0..<100 { await Task.yield() }
                stage.equal(realm.isInWriteTransaction, true, "the flag in the suspended write")
                stage.equal(realm.account(1).balance, 11, "the balance in the suspended write")
                try realm.commitWrite()
              }
            }
            realm.account(1).balance = 1
            realm.commitAsyncWrite(allowGrouping: true)
          }
          try await realm.asyncWrite { realm.account(1).balance += 100 }
          try await other?.value
        }
        stage.equal(try stage.seen { $0.account(1).balance }, 111, "the balance")
      },
    ] + [Probe.crowdOfTasks[0]])

  static let actor21 = Rule(
    "ACTOR-21", .documented,
    "`asyncWrite` and `asyncRefresh` on realms that are neither MainActor nor "
      + "actor-isolated MUST trap.",
    source: "S4 (\"only supported for actor-isolated Realms or in @MainActor functions\").",
    broken: "hangs for ever",
    probes: [
      Probe.diesInTask(
        "asyncWrite on a queue's realm",
        saying: "asyncWrite() can only be called on main thread or actor-isolated Realms"
      ) { stage in
        let realm = try Smuggling(queueRealm(stage.configuration()))
        try await asyncWriteOn(realm, stage)
      },
      Probe.diesInTask(
        "asyncRefresh on a queue's realm",
        saying: "asyncRefresh() can only be called on main thread or actor-isolated Realms"
      ) { stage in
        let realm = try Smuggling(queueRealm(stage.configuration()))
        await asyncRefreshOn(realm, stage)
      },
    ] + Probe.unisolatedRealms)
}

extension Probe {
  /// Realms of threads and queues, asked by the main actor and by another one.
  fileprivate static let unisolatedRealms: [Probe] = ["asyncWrite", "asyncRefresh"].flatMap {
    verb in
    ["a thread's, by the main actor", "a thread's, by an actor", "a queue's, by an actor"].map {
      place in
      .diesInTask(
        "\(verb) on a realm that is \(place)",
        saying: "\(verb)() can only be called on main thread or actor-isolated Realms"
      ) { stage in
        let configuration = stage.configuration()
        try stage.elsewhere { _ = try stage.stocked() }
        let realm: Smuggling<Realm>
        if place.hasPrefix("a queue's") {
          realm = try Smuggling(queueRealm(configuration))
        } else {
          realm = try stage.elsewhere { Smuggling(try openHere(configuration)) }
        }
        guard place.hasSuffix("an actor") else {
          if verb == "asyncWrite" { return try await asyncWriteOn(realm, stage) }
          return await asyncRefreshOn(realm, stage)
        }
        let keeper = try await Keeper(stage.configuration("another"))
        await keeper.run { keeper, _ in
          await stage.act {
            // Belongs to the actor because it has it.
            use(keeper)
            if verb == "asyncWrite" {
              try await realm.value.asyncWrite {}
            } else {
              use(await realm.value.asyncRefresh())
            }
          }
        }
      }
    }
  }
}
