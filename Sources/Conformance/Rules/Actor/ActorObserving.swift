import EngineUnderTest
import Foundation
import Harness

extension Rules.Actor {
  static let observing: [Rule] = [
    actor29, actor30, actor31, actor32, actor33, actor34,
  ]

  static let actor29 = Rule(
    "ACTOR-29", .documented,
    "`await collection.observe(on: actor) { actor, changes in }` and `await "
      + "object.observe(on: actor) { actor, change in }` MUST deliver on that actor's executor, "
      + "with the actor passed as isolated parameter.",
    source: "S4 Observe Notifications on a Different Actor.",
    broken: "delivers on caller's actor",
    probes: [
      Probe.task("observation is delivered on the actor that was asked for") { stage in
        let keeper = try await Keeper(stage.configuration())
        let listener = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let told = Stamps()
        let token = await keeper.run { _, realm in
          await realm.objects(Account.self).observe(on: listener) { listener, change in
            listener.assertIsolated()
            switch change {
            case .initial: told.mark("initial")
            case .update(let accounts, _, _, let modified):
              if modified == [0] && accounts[0].balance == 7 { told.mark("update") }
            case .error: told.mark("error")
            }
          }
        }
        let object = await keeper.run { _, realm in
          await realm.account(1).observe(on: listener) { listener, change in
            listener.assertIsolated()
            if case .change(let account, let properties) = change,
              account.balance == 7, properties.map(\.name) == ["balance"]
            {
              told.mark("object")
            }
          }
        }
        try await stage.arrival(of: told.latch("initial"), "the initial call")
        try stage.foreign { $0.account(1).balance = 7 }
        try await stage.arrival(of: told.latch("update"), "the update")
        try await stage.arrival(of: told.latch("object"), "the object's change")
        stage.expect(told.ordered("initial", before: "update"), "the initial call comes first")
        token.invalidate()
        object.invalidate()
      }
    ] + Probe.earlyEnds + [Probe.earlyEndsOnQueues] + [Programs.tellingActors.probe])

  static let actor30 = Rule(
    "ACTOR-30", .documented,
    "The object or collection passed to the block MUST be a copy isolated to that actor, "
      + "not the caller's instance.",
    source: "S4 (\"copy of the object isolated to the requested actor ... safely used\").",
    broken: "same instance passed (data race)",
    probes: [
      Probe.task("the block gets a copy of its own actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        let listener = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let told = Stamps()
        let token = await keeper.run { _, realm in
          let own = Smuggling(realm.account(1))
          return await own.value.observe(on: listener) { _, change in
            guard case .change(let account, _) = change else { return }
            if account !== own.value { told.mark("another instance") }
            if account.balance == 7 { told.mark("readable") }
            told.mark("called")
          }
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try await stage.arrival(of: told.latch("called"), "the call")
        stage.expect(told.of("another instance") != nil, "another instance than the one observed")
        stage.expect(told.of("readable") != nil, "it is read on its actor")
        token.invalidate()
      }
    ] + [ActorWays.observed])

  static let actor31 = Rule(
    "ACTOR-31", .documented,
    "When `await observe(on:)` has returned, the observation MUST be in force: a write made "
      + "right after is reported.",
    source: "S4 code order (observe then write).",
    broken: "lazily registered, first change lost",
    probes: [
      Probe.task("once observe returned, the next write is told") { stage in
        let keeper = try await Keeper(stage.configuration())
        let listener = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        for round in 1...5 {
          let told = Latch("the call for write \(round)")
          let token = await keeper.run { _, realm in
            await realm.account(1).observe(on: listener) { _, change in
              if case .change = change { told.open() }
            }
          }
          try await keeper.run { _, realm in
            try await realm.asyncWrite { realm.account(1).balance = round }
          }
          try await stage.arrival(of: told, "the call for write \(round)")
          stage.expect(told.isOpen, "write \(round) was told")
          token.invalidate()
        }
      }
    ])

  static let actor32 = Rule(
    "ACTOR-32", .implementation,
    "If the calling task is already cancelled, no registration is made; a token is returned "
      + "whose `invalidate()` gives false.",
    source: "(impl) RST:1685; RealmCollectionTypeTests:750.",
    broken: "registers anyway",
    probes: [
      Probe.task("a cancelled task registers nothing") { stage in
        let keeper = try await Keeper(stage.configuration())
        let listener = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let told = Latch("a call")
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          return await keeper.run { _, realm in
            await realm.objects(Account.self).observe(on: listener) { _, _ in told.open() }
          }
        }
        task.cancel()
        let token = await task.value
        stage.equal(token.invalidate(), false, "the token's answer")
        // Whoever was registered before this one on the same actor is called before it.
        let (ready, fenced) = (Latch("the fence's first call"), Latch("the fence's call"))
        let fence = await keeper.run { _, realm in
          await realm.objects(Account.self).observe(on: listener) { _, change in
            if case .update = change { fenced.open() } else { ready.open() }
          }
        }
        // What is written before its first call may be in that.
        try await stage.arrival(of: ready)
        try stage.foreign { $0.account(1).balance = 7 }
        try await stage.arrival(of: fenced)
        await listener.with { _, _ in }
        stage.equal(told.isOpen, false, "whether it was called")
        fence.invalidate()
      }
    ] + [ActorCancelled.probe])

  static let actor33 = Rule(
    "ACTOR-33", .documented,
    "Observing with key paths (strings and typed) MUST exist on the actor variants, same "
      + "filtering (NOTIFY-12).",
    source: "S4 (\"keypath array\").",
    broken: "key paths ignored on actor overload",
    probes: [
      Probe.task("key paths filter on the actor variants") { stage in
        let keeper = try await Keeper(stage.configuration())
        let listener = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let told = Stamps()
        let token = await keeper.run { _, realm in
          await realm.account(1).observe(keyPaths: ["note"], on: listener) { _, change in
            guard case .change(let account, _) = change else { return }
            told.mark(account.note == "x" ? "note" : "other")
          }
        }
        // One without key paths tells when the balance has been told, so that the two commits are
        // not told as one.
        let fence = await keeper.run { _, realm in
          await realm.account(1).observe(on: listener) { _, _ in told.mark("balance") }
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try await stage.arrival(of: told.latch("balance"), "the call without key paths")
        await listener.with { _, _ in }
        try stage.foreign { $0.account(1).note = "x" }
        try await stage.arrival(of: told.latch("note"), "the call for the note")
        stage.expect(told.of("other") == nil, "no call for the balance", observed: "a call")
        token.invalidate()
        fence.invalidate()
      },
      Probe.task("key paths filter a collection on an actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        let listener = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let told = Stamps()
        let tokens = await keeper.run { _, realm in
          [
            await realm.objects(Account.self).observe(keyPaths: ["note"], on: listener) {
              _, change in
              guard case .update(let accounts, _, _, _) = change else { return }
              told.mark(accounts[0].note == "x" ? "note" : "other")
            },
            await realm.objects(Account.self).observe(on: listener) { _, change in
              if change.members?[0].balance == 7 { told.mark("balance") }
            },
          ]
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try await stage.arrival(of: told.latch("balance"), "the call without key paths")
        await listener.with { _, _ in }
        try stage.foreign { $0.account(1).note = "x" }
        try await stage.arrival(of: told.latch("note"), "the call for the note")
        stage.expect(told.of("other") == nil, "no call for the balance", observed: "a call")
        for token in tokens { token.invalidate() }
      },
    ] + Probe.pathsOnActors + Probe.farPathsOnActors
      + [Programs.tellingActorsOfObjects.probe])

  static let actor34 = Rule(
    "ACTOR-34", .documented,
    "Observing an actor-confined collection from outside its actor MUST fail (ACTOR-09).",
    source: "S4 Observation Limitations.",
    broken: "silent registration",
    probes: [
      Probe.diesInTask(
        "an actor's collection observed outside", saying: "Incorrect actor executor",
        Words.wrongThread
      ) { stage in
        let keeper = try await Keeper(stage.configuration())
        let results = await keeper.with { _, realm in Smuggling(realm.objects(Account.self)) }
        stage.act { use(results.value.observe { _ in }) }
      }
    ] + Outposts.ofActors)
}
