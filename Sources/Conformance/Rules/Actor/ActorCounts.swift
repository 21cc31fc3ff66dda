import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// What listeners of many actors were told.
private final class Heard: Sendable {
  private let events = Mutex<[Int: [String]]>([:])

  func add(_ who: Int, _ what: String) { events.withLock { $0[who, default: []].append(what) } }
  func of(_ who: Int) -> [String] { events.withLock { $0[who] ?? [] } }
  func clear() { events.withLock { $0 = [:] } }
}

extension Probe {
  /// Many actors with one file: each has a realm, its turn, and its news.
  static let crowdsOfActors: [Probe] = [1, 5, 9, 65].map { count in
    Probe.task("\(count) actors with one file write, listen and refresh, each its own realm") {
      stage in
      Backstage.hooks?.skipFlushes()
      let configuration = stage.configuration()
      var keepers: [Keeper] = []
      for _ in 0..<count { keepers.append(try await Keeper(configuration)) }
      try await keepers[0].add(Account.self, id: 1)
      let heard = Heard()
      var tokens: [NotificationToken] = []
      for (number, keeper) in keepers.enumerated() {
        stage.equal(try await keeper.opensTheSame(configuration), true, "whether \(number) has one")
        tokens.append(
          await keeper.run { _, realm in
            await realm.asyncRefresh()
            return await realm.account(1).observe(on: keeper) { keeper, change in
              keeper.assertIsolated()
              guard case .change(let account, _) = change else { return }
              heard.add(number, "\(account.balance)")
            }
          })
      }
      for round in 1...2 {
        // All at once: each increment is on top of all before it.
        await withTaskGroup(of: Void.self) { group in
          for (number, keeper) in keepers.enumerated() {
            group.addTask {
              do {
                try await keeper.run { _, realm in
                  let seen = try await realm.asyncWrite {
                    realm.account(1).balance += 1
                    return realm.account(1).balance
                  }
                  stage.expect(
                    seen <= round * count && realm.account(1).balance >= seen,
                    "a balance that goes up, on actor \(number)", observed: "\(seen)")
                }
              } catch { stage.fail(expected: "a write of \(number)", observed: "\(error)") }
            }
          }
        }
        stage.equal(try stage.seen { $0.account(1).balance }, round * count, "the increments")
        for (number, keeper) in keepers.enumerated() {
          let balance = await keeper.run { _, realm in
            await realm.asyncRefresh()
            return realm.account(1).balance
          }
          stage.equal(balance, round * count, "the balance on actor \(number)")
        }
        let limit = ContinuousClock.now + stage.patience / 2
        for number in keepers.indices {
          while heard.of(number).last != "\(round * count)", ContinuousClock.now < limit {
            await Task.yield()
          }
          let all = heard.of(number).compactMap { Int($0) }
          stage.equal(all.last, round * count, "what actor \(number) heard last")
          stage.equal(all, Set(all).sorted(), "that each call of actor \(number) has something new")
        }
        heard.clear()
      }
      for token in tokens { token.invalidate() }
      for keeper in keepers { await keeper.close() }
      stage.equal(
        try Realm.deleteFiles(for: configuration), true, "whether the file is nobody's any more")
    }
  }

  /// An actor's realm after `invalidate()`, a cancelled write and a block that threw: what it
  /// tells, and what it shows.
  static let actorsAfterwards: [Probe] = [
    "invalidate()", "a cancelled write", "a thrown error", "a write and invalidate()",
  ].map { what in
    Probe.task("listeners on an actor after \(what): each later commit is told, once") { stage in
      struct Unwanted: Error {}
      Backstage.hooks?.skipFlushes()
      let configuration = stage.configuration()
      let keeper = try await Keeper(configuration)
      let fence = try await Keeper(configuration)
      try await keeper.add(Account.self, id: 1)
      let heard = Heard()
      let fenced = Stamps()
      let (realmToken, fenceToken) = (
        await keeper.run { _, realm in
          realm.observe { notification, _ in heard.add(0, "\(notification)") }
        },
        await fence.run { _, realm in
          await realm.asyncRefresh()
          return realm.observe { _, realm in fenced.mark("\(realm.account(1).balance)") }
        }
      )
      for round in 1...3 {
        await keeper.run { _, realm in
          await realm.asyncRefresh()
          use(realm.account(1).balance)
        }
        let token = await keeper.run { _, realm in
          await realm.objects(Account.self).observe(on: keeper) { _, change in
            if case .update = change { heard.add(1, "update") }
          }
        }
        heard.clear()
        let ownCommits: Int
        switch what {
        case "invalidate()":
          ownCommits = 0
          await keeper.with { _, realm in realm.invalidate() }
        case "a cancelled write":
          ownCommits = 0
          await keeper.with { _, realm in
            realm.beginWrite()
            realm.account(1).balance = -1
            realm.cancelWrite()
          }
        case "a thrown error":
          ownCommits = 0
          await keeper.run { _, realm in
            _ = try? await realm.asyncWrite {
              realm.account(1).balance = -1
              throw Unwanted()
            }
          }
        default:
          ownCommits = 1
          try await keeper.run { _, realm in
            try await realm.asyncWrite { realm.account(1).balance = 100 * round }
            realm.invalidate()
          }
          try await stage.arrival(of: fenced.latch("\(100 * round)"), "the write elsewhere")
        }
        for _ in 0..<3 { await keeper.with { _, _ in } }
        stage.equal(heard.of(0).count, ownCommits, "the realm's calls for \(what)")
        heard.clear()
        try stage.foreign { $0.account(1).balance = 100 * round + 1 }
        try await stage.arrival(of: fenced.latch("\(100 * round + 1)"), "the commit elsewhere")
        let limit = ContinuousClock.now + stage.patience / 2
        while heard.of(0).isEmpty, ContinuousClock.now < limit { await Task.yield() }
        for _ in 0..<3 { await keeper.with { _, _ in } }
        stage.equal(heard.of(0).count, 1, "the realm's calls for a commit after \(what)")
        stage.equal(
          await keeper.run { _, realm in realm.account(1).balance }, 100 * round + 1,
          "the balance after \(what)")
        if !what.contains("invalidate()") {
          while heard.of(1).isEmpty, ContinuousClock.now < limit { await Task.yield() }
          stage.equal(heard.of(1), ["update"], "a collection's calls after \(what)")
        } else {
          stage.equal(heard.of(1).count <= ownCommits, true, "whether a collection was told")
        }
        token.invalidate()
      }
      realmToken.invalidate()
      fenceToken.invalidate()
    }
  }
}
