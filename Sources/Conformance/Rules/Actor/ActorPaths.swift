import EngineUnderTest
import Foundation
import Harness

/// Each way to name what a listener on an actor is to be told of.
private enum Naming: String, CaseIterable {
  case words = "by words"
  case typed = "by typed key paths"
}

extension Probe {
  /// What is listened to, and how its properties are named.
  static let pathsOnActors: [Probe] = Naming.allCases.flatMap { naming in
    [
      "an object", "a collection", "a list", "a map", "a set", "sections", "one section",
    ].map { what in
      Probe.task("key paths filter \(what) on an actor, \(naming.rawValue)") { stage in
        let configuration = stage.specimens()
        let keeper = try await Keeper(configuration)
        let listener = try await Keeper(configuration)
        try await keeper.run { _, realm in
          try await realm.asyncWrite {
            for id in 0..<2 { realm.add(Specimen(id: id)) }
            realm.specimen(0)!.members.append(realm.specimen(1)!)
            realm.specimen(0)!.named["a"] = .some(realm.specimen(1)!)
            realm.specimen(0)!.group.insert(realm.specimen(1)!)
          }
        }
        let told = Stamps()
        let token = await keeper.run { _, realm -> NotificationToken in
          let first = realm.specimen(0)!
          let words = ["word"]
          let typed: [PartialKeyPath<Specimen>] = [\Specimen.word]
          switch what {
          case "an object":
            let other = realm.specimen(1)!
            return naming == .words
              ? await other.observe(keyPaths: words, on: listener) { _, change in
                if case .change(let specimen, _) = change {
                  told.mark(specimen.word == "new" ? "word" : "other")
                }
              }
              : await other.observe(keyPaths: typed, on: listener) { _, change in
                if case .change(let specimen, _) = change {
                  told.mark(specimen.word == "new" ? "word" : "other")
                }
              }
          case "a collection":
            let all = realm.objects(Specimen.self)
            return naming == .words
              ? await all.observe(keyPaths: words, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now[1].word == "new" ? "word" : "other")
                }
              }
              : await all.observe(keyPaths: typed, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now[1].word == "new" ? "word" : "other")
                }
              }
          case "a list":
            return naming == .words
              ? await first.members.observe(keyPaths: words, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now[0].word == "new" ? "word" : "other")
                }
              }
              : await first.members.observe(keyPaths: typed, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now[0].word == "new" ? "word" : "other")
                }
              }
          case "a set":
            return naming == .words
              ? await first.group.observe(keyPaths: words, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now.first?.word == "new" ? "word" : "other")
                }
              }
              : await first.group.observe(keyPaths: typed, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now.first?.word == "new" ? "word" : "other")
                }
              }
          case "sections":
            return naming == .words
              ? await realm.objects(Specimen.self).sectioned(by: \.name).observe(
                keyPaths: words, on: listener
              ) { _, change in
                if case .update(let now, _, _, _, _, _) = change {
                  told.mark(now[0].first { $0.id == 1 }?.word == "new" ? "word" : "other")
                }
              }
              : await realm.objects(Specimen.self).sectioned(by: \.name).observe(
                keyPaths: typed, on: listener
              ) { _, change in
                if case .update(let now, _, _, _, _, _) = change {
                  told.mark(now[0].first { $0.id == 1 }?.word == "new" ? "word" : "other")
                }
              }
          case "one section":
            return naming == .words
              ? await realm.objects(Specimen.self).sectioned(by: \.name)[0].observe(
                keyPaths: words, on: listener
              ) { _, change in
                if case .update(let now, _, _, _, _, _) = change {
                  told.mark(now.first { $0.id == 1 }?.word == "new" ? "word" : "other")
                }
              }
              : await realm.objects(Specimen.self).sectioned(by: \.name)[0].observe(
                keyPaths: typed, on: listener
              ) { _, change in
                if case .update(let now, _, _, _, _, _) = change {
                  told.mark(now.first { $0.id == 1 }?.word == "new" ? "word" : "other")
                }
              }
          default:
            return naming == .words
              ? await first.named.observe(keyPaths: words, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now["a"].flatMap { $0 }?.word == "new" ? "word" : "other")
                }
              }
              : await first.named.observe(keyPaths: typed, on: listener) { _, change in
                if case .update(let now, _, _, _) = change {
                  told.mark(now["a"].flatMap { $0 }?.word == "new" ? "word" : "other")
                }
              }
          }
        }
        let fence = await keeper.run { _, realm in
          await realm.objects(Specimen.self).observe(on: listener) { _, change in
            // The first call may be of the version before the commit, or have it in it.
            if change.members?[1].amount == 7 { told.mark("amount") }
          }
        }
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { other.specimen(1)!.amount = 7 }
        }
        try await stage.arrival(of: told.latch("amount"), "the call of the listener to all")
        await listener.with { _, _ in }
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { other.specimen(1)!.word = "new" }
        }
        try await stage.arrival(of: told.latch("word"), "the call for the word")
        stage.expect(told.of("other") == nil, "no call for the amount", observed: "a call")
        token.invalidate()
        fence.invalidate()
      }
    }
  }

  /// What an actor's realm has written itself, told before `asyncRefresh` is back.
  static let refreshTellsOwnWrites = Probe.task(
    "asyncRefresh tells of own and foreign writes before it returns"
  ) { stage in
    let keeper = try await Keeper(stage.configuration())
    try await keeper.add(Account.self, id: 1)
    for round in 1...4 {
      try await keeper.run { _, realm in
        var told = 0
        let token = realm.objects(Account.self).observe { if case .update = $0 { told += 1 } }
        // The first call is over.
        await realm.asyncRefresh()
        try realm.write { realm.account(1).balance = round }
        await realm.asyncRefresh()
        stage.equal(told, 1, "the calls for an own write")
        if round % 2 == 0 {
          realm.autorefresh = false
          try stage.foreign { $0.account(1).balance = 10 + round }
          stage.equal(await realm.asyncRefresh(), true, "whether it advanced")
          stage.equal(told, 2, "the calls for a foreign write")
          realm.autorefresh = true
        }
        token.invalidate()
      }
    }
  }

  /// Actors that keep their realm are let go like any other.
  static let actorsAreLetGo = Probe.task("an actor that keeps a realm goes, and the realm with it")
  {
    stage in
    for round in 0..<3 {
      weak var gone: Keeper?
      do {
        let keeper = try await Keeper(stage.configuration())
        gone = keeper
        if round == 0 { try await keeper.add(Account.self, id: 1) }
        if round == 1 {
          try await keeper.run { _, realm in
            try await realm.asyncWrite { realm.account(1).balance += 1 }
            await realm.asyncRefresh()
          }
        }
        if round == 2 { use(await keeper.ids) }
      }
      let limit = ContinuousClock.now + stage.patience / 2
      while gone != nil, ContinuousClock.now < limit { await Task.yield() }
      stage.expect(gone == nil, "the actor is gone in round \(round)", observed: "it is kept")
    }
    stage.equal(
      try Realm.deleteFiles(for: stage.configuration()), true, "whether the files were deleted")
  }

  /// A disk that fails under each way to write of an actor.
  static let failuresAreThrown = Probe.task(
    "asyncWrite throws what the disk said, and all is as before"
  ) {
    stage in
    let hooks = try stage.hooks()
    hooks.record()
    let keeper = try await Keeper(stage.configuration())
    try await keeper.add(Account.self, id: 1)
    for (round, kind) in [DiskFault.flushes, .writes, .flushes].enumerated() {
      let failed = await keeper.run { _, realm in
        hooks.fail(kind, after: 0, times: 1)
        do {
          try await realm.asyncWrite { realm.account(1).balance = 100 + round }
          return false
        } catch { return true }
      }
      let seen = try stage.seen { $0.account(1).balance }
      stage.equal(failed, seen != 100 + round, "whether it threw, as others see it")
      stage.equal(await keeper.run { _, realm in realm.account(1).balance }, seen, "the balance")
      try await keeper.run { _, realm in
        try await realm.asyncWrite { realm.account(1).balance = round }
        stage.equal(realm.isInWriteTransaction, false, "whether it is in a write")
      }
      stage.equal(try stage.seen { $0.account(1).balance }, round, "the balance written next")
    }
  }
}
