import EngineUnderTest
import Harness

// Asynchronous writes: the home, the thread that waits for the gate and the thread that flushes.

extension Scenario {
  static let background = [
    asyncAndSync, twoAsyncHomes, groupedCommits, cancelAndArrival, cancelCompletion,
    invalidateAndFlush, closeAndFlush, syncOvertakesAsync, asyncInCompletion, commitsOnAndOn,
  ]

  static let asyncAndSync = Scenario(
    "async-and-sync", "one writes asynchronously, another synchronously",
    rules: ["ASYNC-04", "ASYNC-43"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done = 0
        pen.writeAsync([1, 2]) { done += 1 }
        pen.look()
        turns.attend { done == 1 }
        pen.look()
      },
      .init("writer") { try Pen(ledger, session: 2).write(1) },
    ]
  }

  static let twoAsyncHomes = Scenario(
    "two-async-homes", "two homes write asynchronously at the same time",
    rules: ["ASYNC-52", "WRITE-01"]
  ) { turns, ledger in
    (1...2).map { session in
      .init("home \(session)") {
        let pen = try Pen(ledger, session: session)
        var done = 0
        pen.writeAsync([1]) { done += 1 }
        turns.attend { done == 1 }
      }
    }
  }

  static let groupedCommits = Scenario(
    "grouped-commits", "three grouped commits of a home beside a writer",
    rules: ["ASYNC-11", "ASYNC-12"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done: [Int] = []
        for number in 0..<3 { pen.writeAsync([1], grouping: true) { done.append(number) } }
        turns.attend { done.count == 3 }
        ledger.expect(done == [0, 1, 2], "completions came as \(done)")
      },
      .init("writer") {
        let pen = try Pen(ledger, session: 2)
        try pen.write(1)
        pen.look()
      },
    ]
  }

  static let cancelAndArrival = Scenario(
    "cancel-and-arrival", "a write is cancelled while the gate is entered for it",
    rules: ["ASYNC-27"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var hasRun = false
        var done = 0
        let id = pen.writeAsync([1], block: { hasRun = true })
        turns.point("asked")
        turns.attendOnce()
        turns.attendOnce()
        let wasLate = hasRun
        try pen.realm.cancelAsyncWrite(id)
        pen.writeAsync([2]) { done += 1 }
        turns.attend { done == 1 }
        ledger.expect(hasRun == wasLate, "a cancelled write has run")
      },
      .init("writer") { try Pen(ledger, session: 2).write(1, 2) },
    ]
  }

  static let cancelCompletion = Scenario(
    "cancel-completion", "the completion of a commit is cancelled while it is flushed",
    rules: ["ASYNC-28"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var told = 0
        let id = pen.writeThenCommitAsync([1]) { told += 1 }
        turns.point("committed")
        turns.attendOnce()
        let before = told
        try pen.realm.cancelAsyncWrite(id)
        turns.attend { !pen.realm.isPerformingAsynchronousWriteOperations }
        ledger.expect(told == before, "a cancelled completion was called")
        pen.look()
      },
      .init("writer") { try Pen(ledger, session: 2).write(1) },
    ]
  }

  static let invalidateAndFlush = Scenario(
    "invalidate-and-flush", "a session is invalidated while a commit is flushed and a write waits",
    rules: ["ASYNC-17", "ASYNC-18", "ASYNC-19"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done = 0
        var late = false
        var isOver = false
        pen.writeThenCommitAsync([1]) { done += 1 }
        pen.writeAsync([2], block: { late = isOver })
        turns.point("committed")
        turns.attendOnce()
        turns.attendOnce()
        pen.realm.invalidate()
        isOver = true
        ledger.expect(done == 1, "invalidate came back before the commit was acknowledged")
        turns.point("invalidated")
        turns.attend()
        ledger.expect(!late, "a write ran after invalidate")
        pen.look()
      },
      .init("writer") { try Pen(ledger, session: 2).write(1, 2) },
    ]
  }

  static let closeAndFlush = Scenario(
    "close-and-flush", "the last reference to a realm goes while its write waits",
    rules: ["ASYNC-51"]
  ) { turns, ledger in
    [
      .init("home") {
        var done = 0
        do {
          let pen = try Pen(ledger, session: 1)
          pen.writeAsync([1, 2]) { done += 1 }
        }
        turns.point("closed")
        turns.attend { done == 1 }
        try Pen(ledger, session: 1).look()
      },
      .init("writer") { try Pen(ledger, session: 2).write(1) },
    ]
  }

  /// A home that writes by itself after it has asked for an asynchronous write.
  static func overtakingHome(_ turns: Turns, _ ledger: Ledger) -> Turns.Part {
    .init("home") {
      let pen = try Pen(ledger, session: 1)
      var done = 0
      pen.writeAsync([1]) { done += 1 }
      turns.point("asked")
      turns.attendOnce()
      try pen.write(1, 2)
      turns.attend { done == 1 }
      pen.look()
    }
  }

  static let syncOvertakesAsync = Scenario(
    "sync-overtakes-async", "a home writes by itself while the gate is awaited for it",
    rules: ["ASYNC-36", "ASYNC-40"]
  ) { turns, ledger in
    [
      overtakingHome(turns, ledger),
      .init("writer") { try Pen(ledger, session: 2).write(1) },
    ]
  }

  static let asyncInCompletion = Scenario(
    "async-in-blocks", "writes are begun inside blocks, and cancelled there",
    rules: ["ASYNC-39", "ASYNC-27"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done: [String] = []
        pen.writeAsync(
          [1], then: { done.append("outer") },
          block: {
            let id = pen.writeAsync([2], block: { done.append("cancelled") })
            pen.writeAsync([2]) { done.append("inner") }
            try? pen.realm.cancelAsyncWrite(id)
          })
        turns.attend { done.count >= 2 }
        ledger.expect(done == ["outer", "inner"], "it went \(done)")
      },
      .init("writer") { try Pen(ledger, session: 2).write(1, 2) },
    ]
  }

  static let commitsOnAndOn = Scenario(
    "commits-on-and-on",
    "a home commits again while the end of its last commit is on the way to it",
    rules: ["ASYNC-40", "ASYNC-41"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done: [Int] = []
        pen.writeThenCommitAsync([1]) { done.append(1) }
        pen.writeThenCommitAsync([2]) { done.append(2) }
        try pen.write(1)
        ledger.expect(done == [1, 2], "a plain commit came back before \(done)")
        pen.look()
      },
      .init("writer") { try Pen(ledger, session: 2).write(1) },
    ]
  }
}
