import EngineUnderTest
import Foundation
import Harness

// What `asyncRefresh()` does, which only an actor's realms have, and that they move by themselves,
// too. What any refresh does is in `Rules/Refresh`.

extension Rules.Actor {
  static let asyncRefresh: [Rule] = [
    actor22, actor23, actor24, actor38,
  ]

  static let actor22 = Rule(
    "ACTOR-22", .documented,
    "`asyncRefresh()` MUST bring the realm to the latest version, deliver notifications, "
      + "and return true if there were updates, false if it already was latest, frozen, "
      + "read-only or without read transaction.",
    source: "S4 Observe.",
    broken: "returns before advance; wrong Bool",
    probes: [
      Probe.task("asyncRefresh goes to the latest version and tells whether it moved") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        try await keeper.run { _, realm in
          realm.autorefresh = false
          use(realm.account(1).balance)
          stage.equal(await realm.asyncRefresh(), false, "the answer with nothing new")
          try stage.foreign { $0.account(1).balance = 7 }
          stage.equal(await realm.asyncRefresh(), true, "the answer with something new")
          stage.equal(realm.account(1).balance, 7, "the balance")
          stage.equal(await realm.asyncRefresh(), false, "the answer the second time")
        }
      },
      Probe.task("it tells that the realm has moved, though the realm would move by itself") {
        stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        try await keeper.run { _, realm in
          use(realm.account(1).balance)
          for balance in 1...10 {
            try stage.foreign { $0.account(1).balance = balance }
            stage.equal(await realm.asyncRefresh(), true, "the answer to commit \(balance)")
            stage.equal(realm.account(1).balance, balance, "the balance")
          }
        }
      },
      Probe.task("asyncRefresh delivers the news") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let initial = Latch("the initial call")
        let told = Latch("the call for the foreign commit")
        let token = await keeper.with { _, realm in
          realm.autorefresh = false
          return realm.objects(Account.self).observe { change in
            if case .update(let accounts, _, _, _) = change {
              if accounts[0].balance == 7 { told.open() }
            } else {
              initial.open()
            }
          }
        }
        try await stage.arrival(of: initial)
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(told.isOpen, false, "whether it was told before the refresh")
        stage.equal(await keeper.run { _, realm in await realm.asyncRefresh() }, true, "the answer")
        try await stage.arrival(of: told)
        token.invalidate()
      },
      Probe.task("a realm that has not read yet has nothing to refresh") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.run { _, realm in
          realm.invalidate()
          stage.equal(await realm.asyncRefresh(), false, "the answer")
          stage.equal(realm.account(1).balance, 0, "what it reads then")
        }
      },
      Probe.task("a frozen realm's answer is no") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.run { _, realm in
          stage.equal(await realm.freeze().asyncRefresh(), false, "the answer of a frozen realm")
        }
      },
    ] + [ActorWays.answers] + [.refreshTellsOwnWrites] + [Programs.actorsCatchUp.probe])

  static let actor23 = Rule(
    "ACTOR-23", .implementation,
    "It MUST wait for the version that was latest at the call, even if notifiers lag, with "
      + "autorefresh on or off, and several waiters MUST all resume.",
    source: "(impl) RST:1558-1660; 10.43.1 hang fix.",
    broken: "stops at an intermediate version; one waiter never resumes",
    probes: [
      Probe.task("asyncRefresh shows the last of many commits, and every waiter resumes") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.with { _, realm in
          realm.autorefresh = false
          use(realm.account(1).balance)
        }
        for round in 1...10 { try stage.foreign { $0.account(1).balance = round } }
        await withTaskGroup(of: Int.self) { group in
          for _ in 0..<5 {
            group.addTask {
              await keeper.run { _, realm in
                await realm.asyncRefresh()
                return realm.account(1).balance
              }
            }
          }
          for await balance in group { stage.equal(balance, 10, "the balance a waiter saw") }
        }
      }
    ])

  static let actor24 = Rule(
    "ACTOR-24", .implementation,
    "Cancelling a task in `asyncRefresh` MUST resume it with false.",
    source: "(impl) RST:1685.",
    broken: "hangs; true",
    probes: [
      Probe.task("a cancelled asyncRefresh resumes") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.with { _, realm in use(realm.account(1).balance) }
        try stage.foreign { $0.account(1).balance = 7 }
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          return await keeper.run { _, realm in await realm.asyncRefresh() }
        }
        task.cancel()
        stage.equal(await task.value, false, "the answer")
      }
    ] + [RefreshHomes.cancelled])

  static let actor38 = Rule(
    "ACTOR-38", .documented,
    "Autorefresh MUST work on actor realms: foreign commits appear without any call once "
      + "the actor runs other work.",
    source: "S4 (\"(auto)refreshed\").",
    broken: "only with observers; never",
    probes: [
      Probe.task("an actor's realm advances by itself") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.with { _, realm in use(realm.account(1).balance) }
        try stage.foreign { $0.account(1).balance = 7 }
        let limit = ContinuousClock.now + stage.patience
        while await keeper.with({ _, realm in realm.account(1).balance }) != 7,
          ContinuousClock.now < limit
        {
          await Task.yield()
        }
        stage.equal(await keeper.with { _, realm in realm.account(1).balance }, 7, "the balance")
      }
    ] + Probe.actorsAfterwards)
}
