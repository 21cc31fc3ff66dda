import EngineUnderTest
import Evidence
import Foundation
import Harness
import Synchronization

/// What came of the jobs of a crowd, written down by whoever is inside its write.
private final class Tally: Sendable {
  private let committed = Mutex<[Int]>([])

  var count: Int { committed.withLock { $0.count } }
  var all: Set<Int> { committed.withLock { Set($0) } }
  func add(_ number: Int) { committed.withLock { $0.append(number) } }
}

private enum Job: CaseIterable, Sendable {
  case write, twoWrites, throwing, cancelling, committing, cancelledBefore, cancelledMeanwhile
  case plain, plainThrowing, callback, callbackLeft, refresh, foreign
}

private struct Unwanted: Error {}

extension Probe {
  /// Tasks of two actors with one file, each with a job that lots choose, all at once.
  static let crowdOfTasks = (0..<3).map { part in
    Probe.task(
      "tasks of two actors write, cancel and are cancelled at once, part \(part)",
      deadline: .seconds(150)
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for round in 0..<(stage.isDeep ? 40 : 4) {
        var dice = SplitMix(seed: derivedSeed(stage.seed, "crowd \(part) \(round)"))
        let configuration = stage.configuration("crowd \(round)")
        let keepers = [try await Keeper(configuration), try await Keeper(configuration)]
        try await keepers[0].add(Account.self, id: 0)
        let tally = Tally()
        let jobs = (1...14).map { number in
          (number, Job.allCases.randomElement(using: &dice)!, keepers[Int(dice.next() % 2)])
        }
        let words = "\(jobs.map { "\($0.1)" }.joined(separator: ", "))"
        await withTaskGroup(of: Void.self) { group in
          for (number, job, keeper) in jobs {
            group.addTask { await run(job, number, keeper, tally, stage, configuration, words) }
          }
        }
        // Nobody has kept a turn, and everything that was to be there is.
        for (number, keeper) in keepers.enumerated() {
          try await keeper.run { _, realm in
            try await realm.asyncWrite { realm.account(0).note = "\(number)" }
            stage.equal(
              realm.isPerformingAsynchronousWriteOperations, false,
              "whether actor \(number) is busy after \(words)")
            stage.equal(
              realm.isInWriteTransaction, false, "whether actor \(number) is in a write")
          }
        }
        try stage.foreign("crowd \(round)") { $0.account(0).note = "foreign" }
        let seen = try stage.seen("crowd \(round)") { realm in
          (Set(realm.objects(Account.self).map(\.id)).subtracting([0]), realm.account(0).balance)
        }
        stage.equal(seen.0, tally.all, "whose writes are there after \(words)")
        stage.equal(seen.1, tally.count, "how many there are after \(words)")
        for keeper in keepers {
          let ids = await keeper.run { _, realm in
            _ = await realm.asyncRefresh()
            return Set(realm.objects(Account.self).map(\.id)).subtracting([0])
          }
          stage.equal(ids, tally.all, "what an actor sees after \(words)")
          await keeper.close()
        }
      }
    }
  }
}

/// What a job writes: each write is on the newest version, so it knows how many were before it.
private func change(_ realm: Realm, _ number: Int, _ tally: Tally, _ stage: Stage, _ words: String)
{
  stage.equal(realm.isInWriteTransaction, true, "whether job \(number) is in a write: \(words)")
  stage.equal(realm.account(0).balance, tally.count, "what job \(number) finds: \(words)")
  realm.add(Account(id: number))
  realm.account(0).balance += 1
}

private func run(
  _ job: Job, _ number: Int, _ keeper: Keeper, _ tally: Tally, _ stage: Stage,
  _ configuration: Realm.Configuration, _ words: String
) async {
  do {
    switch job {
    case .write: try await write(number, keeper, tally, stage, words)
    case .twoWrites:
      try await write(number, keeper, tally, stage, words)
      try await write(number + 100, keeper, tally, stage, words)
    case .throwing, .cancelling, .committing:
      try await keeper.run { _, realm in
        do {
          try await realm.asyncWrite {
            change(realm, number, tally, stage, words)
            if job == .throwing { throw Unwanted() }
            if job == .cancelling { return realm.cancelWrite() }
            tally.add(number)
            try realm.commitWrite()
          }
          if job == .throwing { stage.fail(expected: "the block's error", observed: "none") }
        } catch is Unwanted {}
      }
    case .cancelledBefore, .cancelledMeanwhile:
      let task = Task { try await write(number, keeper, tally, stage, words) }
      if job == .cancelledMeanwhile { for _ in 0..<(number % 5) { await Task.yield() } }
      task.cancel()
      let ending = await task.result
      // Either it has written, or nothing of it is there.
      if case .success = ending {
        stage.expect(tally.all.contains(number), "job \(number) has written, as it says")
      }
    case .plain:
      try await keeper.with { _, realm in
        try realm.write {
          change(realm, number, tally, stage, words)
          tally.add(number)
        }
      }
    case .plainThrowing:
      await keeper.with { _, realm in
        _ = try? realm.write {
          change(realm, number, tally, stage, words)
          throw Unwanted()
        }
      }
    case .callback, .callbackLeft: await callBack(job, number, keeper, tally, stage, words)
    case .refresh: _ = await keeper.run { _, realm in await realm.asyncRefresh() }
    case .foreign:
      try await Task.detached {
        try await withoutActor(number, tally, stage, configuration, words)
      }.value
    }
  } catch {
    stage.fail(expected: "job \(number), \(job), comes to its end: \(words)", observed: "\(error)")
  }
}

private func write(
  _ number: Int, _ keeper: Keeper, _ tally: Tally, _ stage: Stage, _ words: String
) async throws {
  try await keeper.run { _, realm in
    try await realm.asyncWrite {
      change(realm, number, tally, stage, words)
      tally.add(number)
    }
    // Its own write, whoever else has written since.
    stage.expect(
      realm.object(ofType: Account.self, forPrimaryKey: number) != nil,
      "job \(number) sees what it wrote: \(words)")
  }
}

/// By the calls that take closures, on the actor.
private func callBack(
  _ job: Job, _ number: Int, _ keeper: Keeper, _ tally: Tally, _ stage: Stage, _ words: String
) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    Task {
      await keeper.with { _, realm in
        realm.beginAsyncWrite {
          change(realm, number, tally, stage, words)
          if job == .callbackLeft { return continuation.resume() }
          tally.add(number)
          realm.commitAsyncWrite(allowGrouping: number % 2 == 0) { error in
            stage.expect(error == nil, "job \(number) is told of its commit: \(words)")
            continuation.resume()
          }
        }
      }
    }
  }
}

/// Somebody else's thread, which waits for its turn as threads do.
private func withoutActor(
  _ number: Int, _ tally: Tally, _ stage: Stage, _ configuration: Realm.Configuration,
  _ words: String
) async throws {
  let done = Latch("a thread's write")
  let thread = Thread {
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        change(realm, number, tally, stage, words)
        tally.add(number)
      }
    } catch { stage.fail(expected: "a thread writes", observed: "\(error)") }
    done.open()
  }
  thread.start()
  try await stage.arrival(of: done)
}
