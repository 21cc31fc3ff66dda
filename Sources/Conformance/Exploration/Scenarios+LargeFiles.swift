import EngineUnderTest
import Harness

// Asynchronous writes to a file of a megabyte, of which nobody knows yet what space is free in it.

extension Scenario {
  static let largeFiles = [
    largeFileAndSync, largeFileAndOvertaking, largeFileAndCancelled, largeFileAndInvalidate,
  ]

  static let largeFileAndSync = Scenario(
    "large-file-and-sync", "one writes to a large file asynchronously, another synchronously",
    rules: ["ASYNC-04", "ASYNC-43", "WRITE-01"], isLarge: true
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done = 0
        pen.writeAsync([1, 2]) { done += 1 }
        turns.attend { done == 1 }
        pen.look()
      },
      .init("writer") {
        let pen = try Pen(ledger, session: 2)
        try pen.write(1)
        try pen.write(1, 2)
      },
    ]
  }

  static let largeFileAndOvertaking = Scenario(
    "large-file-and-overtaking", "a home writes by itself while its large file is looked through",
    rules: ["ASYNC-36", "ASYNC-40"], isLarge: true
  ) { turns, ledger in
    [
      overtakingHome(turns, ledger),
      .init("reader") {
        let pen = try Pen(ledger, session: 2)
        pen.look()
        pen.refreshAndLook()
      },
    ]
  }

  static let largeFileAndCancelled = Scenario(
    "large-file-and-cancelled", "one writes to a large file asynchronously, another in vain",
    rules: ["ASYNC-04", "ASYNC-11"], isLarge: true
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var done = 0
        pen.writeAsync([1]) { done += 1 }
        turns.attend { done == 1 }
      },
      // It holds the gate, and leaves what is free unknown.
      .init("writer") { try Pen(ledger, session: 2).write(1, ending: .cancel) },
    ]
  }

  static let largeFileAndInvalidate = Scenario(
    "large-file-and-invalidate", "a session is invalidated while its large file is looked through",
    rules: ["ASYNC-18", "ASYNC-19"], isLarge: true
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        var late = false
        var isOver = false
        pen.writeAsync([1], block: { late = isOver })
        turns.point("asked")
        turns.attendOnce()
        pen.realm.invalidate()
        isOver = true
        turns.point("invalidated")
        turns.attend()
        ledger.expect(!late, "a write ran after invalidate")
        pen.look()
      },
      .init("writer") { try Pen(ledger, session: 2).write(1) },
    ]
  }
}
