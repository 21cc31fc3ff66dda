import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// However the write ends in which an asynchronous one was asked for, that one runs.
  static let begunInAFailure = [1, 3].map { count in
    Probe("inside a plain write whose commit fails: \(count) blocks") { stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try stage.stocked()
      for round in 0..<2 {
        var ran: [Int] = []
        var told = 0
        realm.beginWrite()
        realm.account(1).balance = 7
        for number in 0..<count {
          realm.writeAsync {
            ran.append(number)
            realm.account(2).balance = 10 * round + number
          } onComplete: { error in
            stage.expect(error == nil, "write \(number) went well", observed: "\(error!)")
            told += 1
          }
        }
        hooks.fail(round == 0 ? .flushes : .writes, after: 0, times: 1)
        var hasFailed = false
        do { try realm.commitWrite() } catch { hasFailed = true }
        stage.equal(hasFailed, true, "whether the plain commit failed")
        try stage.spin(until: { told == count }, "\(count) completions")
        stage.equal(ran, Array(0..<count), "the blocks that ran")
        stage.equal(
          try stage.seen { [$0.account(1).balance, $0.account(2).balance] },
          [100, 10 * round + count - 1], "the balances")
      }
    }
  }

  /// Commits that are lost with a plain one behind them in the same turn.
  static let lostWithAPlainCommit = [1, 3].map { count in
    Probe("\(count) grouped commits before a plain one that fails hear of it") { stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try stage.stocked()
      var told: [Bool] = []
      var hasFailed: Bool?
      for number in 1...count {
        realm.beginAsyncWrite {
          realm.account(1).balance = number
          realm.commitAsyncWrite(allowGrouping: true) { told.append($0 == nil) }
        }
      }
      realm.beginAsyncWrite {
        realm.account(2).balance = 7
        hooks.fail(.flushes, after: 0, times: 1)
        do {
          try realm.commitWrite()
          hasFailed = false
        } catch { hasFailed = true }
      }
      try stage.spin(until: { hasFailed != nil && told.count == count }, "\(count) completions")
      let there = try stage.seen { [$0.account(1).balance, $0.account(2).balance] }
      stage.equal(hasFailed, there[1] != 7, "whether the plain commit failed, as others see it")
      stage.equal(
        told, [Bool](repeating: there[0] == count, count: count),
        "what the grouped commits were told, as others see them")
      stage.equal(
        [realm.account(1).balance, realm.account(2).balance], there, "what the realm shows itself")
      var isDone = false
      realm.writeAsync {
        realm.account(3).balance = 1
      } onComplete: { _ in
        isDone = true
      }
      try stage.spin(until: { isDone }, "a later write")
    }
  }

  /// Lines of blocks, from one to many.
  static let longLines = [1, 20, 65, 130, 300].map { count in
    Probe("\(count) blocks that were queued at once run in the order of their calls") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.stocked()
      var (order, told): ([Int], [Int]) = ([], [])
      for number in 0..<count {
        if number % 2 == 0 {
          realm.writeAsync {
            order.append(number)
          } onComplete: { _ in
            told.append(number)
          }
        } else {
          realm.beginAsyncWrite {
            order.append(number)
            realm.commitAsyncWrite(allowGrouping: number % 3 == 0) { _ in told.append(number) }
          }
        }
      }
      var isLast = false
      realm.writeAsync {
      } onComplete: { _ in
        isLast = true
      }
      try stage.spin(until: { isLast }, "the write behind them")
      stage.equal(order, Array(0..<count), "the order of the blocks")
      stage.equal(told, Array(0..<count), "the order of the completions")
      stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "whether work is left")
    }
  }

  /// A completion stays one, whatever it brings about.
  static let completionsWithin = [false, true].map { isTold in
    Probe.dies(
      "an async write begins in a completion that has written\(isTold ? " and told another" : "")",
      saying: "Can't begin a write transaction from inside a commit completion callback"
    ) { stage in
      let realm = try stage.stocked()
      var done = false
      func ended() {
        try! realm.write { realm.account(2).balance = 1 }
        stage.act { realm.beginAsyncWrite {} }
        done = true
      }
      // Both in one turn, so that no write begins between them in which the first one could end:
      // what a completion may do there is ASYNC-33's question.
      realm.beginAsyncWrite {
        realm.account(1).balance = 1
        realm.commitAsyncWrite { _ in ended() }
        guard isTold else { return }
        realm.beginWrite()
        realm.account(1).balance = 2
        realm.commitAsyncWrite { _ in }
      }
      try stage.spin(until: { done }, "the completion")
    }
  }

  /// Cancelling one of several commits that are on their way.
  static let cancelledAmongOthers = (0..<3).map { cancelled in
    Probe("of three commits the completion of number \(cancelled) is cancelled") { stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try stage.stocked()
      var told: [Int] = []
      var ids: [AsyncTransactionId] = []
      for number in 0..<3 {
        realm.beginWrite()
        realm.account(1).balance = number
        ids.append(
          realm.commitAsyncWrite { _ in
            told.append(number)
            // What is told is what others see, too.
            let seen = try? stage.seen { $0.account(1).balance }
            stage.expect(
              (seen ?? -1) >= number, "the commit is there when it is told of",
              observed: "\(seen ?? -1) for \(number)")
          })
      }
      stage.equal(Set(ids).count, 3, "the ids")
      try realm.cancelAsyncWrite(ids[cancelled])
      var isLast = false
      realm.writeAsync {
      } onComplete: { _ in
        isLast = true
      }
      try stage.spin(until: { isLast }, "the write behind them")
      stage.equal(
        Set(told).subtracting([cancelled]), Set(0..<3).subtracting([cancelled]),
        "the completions of the others")
      stage.equal(told, told.sorted(), "their order")
      stage.equal(try stage.seen { $0.account(1).balance }, 2, "the balance")
    }
  }

  /// The completion of a commit that is on the disk is cancelled before it came home, while the
  /// next commit is on its way.
  static let silencedBeforeItsEnd = Probe(
    "a cancelled completion brings no later one forward"
  ) { stage in
    let hooks = try stage.hooks()
    hooks.record()
    let realm = try stage.stocked()
    for number in 0..<2 {
      var told: [String] = []
      realm.beginWrite()
      realm.account(1).balance = number
      let first = realm.commitAsyncWrite { _ in told.append("first") }
      // This waits until the first is on the disk; its end has yet to come home.
      realm.beginWrite()
      realm.account(2).balance = number
      let (held, release) = (Latch("the flush of the second"), Latch("its end"))
      hooks.beforeFlush {
        held.open()
        _ = release.wait(stage.patience)
      }
      realm.commitAsyncWrite { _ in told.append("second") }
      try realm.cancelAsyncWrite(first)
      try stage.wait(for: held)
      // The loop turns for whoever came before this.
      var turned = false
      stage.later(on: .main) { turned = true }
      try stage.spin(until: { turned }, "a turn of the loop")
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
      stage.equal(told, [], "who was told while the second was on its way")
      hooks.beforeFlush(nil)
      release.open()
      try stage.spin(until: { !told.isEmpty }, "the second completion")
      stage.equal(told, ["second"], "who was told")
      stage.equal(try stage.seen { $0.account(2).balance }, number, "the balance")
    }
  }

  /// Ids of blocks and commits, drawn while both are under way.
  static let idsOfAllKinds = Probe("blocks and commits that are under way at once have ids apart") {
    stage in
    let realm = try stage.stocked()
    var ids: [AsyncTransactionId] = []
    var told = 0
    for number in 0..<5 {
      realm.beginWrite()
      realm.account(1).balance = number
      for _ in 0..<2 {
        ids.append(
          realm.writeAsync {
          } onComplete: { _ in
            told += 1
          })
      }
      ids.append(realm.commitAsyncWrite { _ in told += 1 })
    }
    stage.equal(Set(ids).count, 15, "the number of ids")
    try stage.spin(until: { told == 15 }, "all completions")
  }

  /// An actor that is let go while its write waits.
  static let actorsLetGo = ["beginAsyncWrite", "writeAsync"].map { verb in
    Probe.task("a write of an actor that is let go while it waits is not lost: \(verb)") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let release = Latch("the end of the other's write")
      let writer = try stage.holdingWrite(until: release)
      do {
        let keeper = try await Keeper(stage.configuration())
        await keeper.with { _, realm in
          if verb == "writeAsync" {
            realm.writeAsync { realm.account(1).balance = 9 }
          } else {
            realm.beginAsyncWrite {
              realm.account(1).balance = 9
              realm.commitAsyncWrite()
            }
          }
        }
      }
      for _ in 0..<200 { await Task.yield() }
      release.open()
      try stage.join(writer)
      let limit = ContinuousClock.now + stage.patience
      var seen = 0
      while seen != 9, ContinuousClock.now < limit {
        await Task.yield()
        seen = try stage.seen { $0.account(1).balance }
      }
      stage.equal(seen, 9, "the balance that was written")
    }
  }
}
