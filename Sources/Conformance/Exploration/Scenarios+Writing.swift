import EngineUnderTest
import Harness

// Writers that meet.

extension Scenario {
  static let writing = [
    twoWriters, threeWriters, cancelledWriter, openerAndWriter, writerAndItself,
    sharedFlushes, sharedAndFrozen,
  ]

  static let twoWriters = Scenario(
    "two-writers", "two threads write twice each", rules: ["WRITE-01", "WRITE-03", "WRITE-08"]
  ) { _, ledger in
    func writer(_ name: String, _ session: Int) -> Turns.Part {
      .init(name) {
        let pen = try Pen(ledger, session: session)
        try pen.write(1)
        try pen.write(1, 2)
      }
    }
    return [writer("one", 1), writer("two", 2)]
  }

  static let threeWriters = Scenario(
    "three-writers", "three threads write once each", rules: ["WRITE-01", "WRITE-25"]
  ) { _, ledger in
    (1...3).map { session in
      .init("writer \(session)") { try Pen(ledger, session: session).write(1) }
    }
  }

  static let cancelledWriter = Scenario(
    "cancelled-writer", "one cancels its write, one commits, one reads",
    rules: ["WRITE-03", "WRITE-08"]
  ) { _, ledger in
    [
      .init("canceller") {
        let pen = try Pen(ledger, session: 1)
        try pen.write(1, 2, ending: .cancel)
        pen.look()
        try pen.write(2)
      },
      .init("writer") { try Pen(ledger, session: 2).write(1, 2) },
      .init("reader") { try Pen(ledger, session: 3).look() },
    ]
  }

  static let openerAndWriter = Scenario(
    "opener-and-writer", "one opens the file while another commits and closes it",
    rules: ["REFRESH-01", "LIFE-01"]
  ) { turns, ledger in
    [
      .init("writer") {
        try Pen(ledger, session: 1).write(1, 2)
        turns.point("closed")
        try Pen(ledger, session: 1).write(1, 2)
      },
      .init("opener") {
        try Pen(ledger, session: 2).look()
        turns.point("closed")
        try Pen(ledger, session: 2).look()
      },
    ]
  }

  static let sharedFlushes = Scenario(
    "shared-flushes",
    "three threads whose commits may go to the disk together; the second cancels, and another one "
      + "copies the file as another process would", rules: ["WRITE-03", "WRITE-32", "COMMIT-08"]
  ) { turns, ledger in
    [
      .init("first") {
        let pen = try Pen(ledger, session: 1)
        try pen.write(1, 2)
        pen.look()
      },
      .init("canceller") { try Pen(ledger, session: 2).write(1, ending: .cancel) },
      .init("last") { try Pen(ledger, session: 3).write(2) },
      .init("reader") {
        try ledger.lookApart(session: 4)
        turns.point("closed")
        try ledger.lookApart(session: 4)
      },
    ]
  }

  static let sharedAndFrozen = Scenario(
    "shared-and-frozen",
    "one freezes in its write what it was begun on while that is just being committed; another "
      + "opens the file then", rules: ["FREEZE-01", "WRITE-32", "COMMIT-08"]
  ) { turns, ledger in
    func version(of realm: Realm) -> Int {
      realm.object(ofType: Page.self, forPrimaryKey: 0)?.version ?? 0
    }
    var frozen: Realm?
    return [
      .init("first") { try Pen(ledger, session: 1).write(1) },
      .init("freezer") {
        let realm = try Realm(configuration: ledger.configuration)
        realm.beginWrite()
        frozen = realm.freeze()
        realm.cancelWrite()
      },
      .init("reader") {
        turns.wait(for: "frozen") { frozen != nil }
        let now = version(of: try Realm(configuration: ledger.configuration))
        let then = frozen.map(version) ?? 0
        ledger.expect(then <= now, "version \(then) was frozen, and \(now) is the newest")
      },
    ]
  }

  static let writerAndItself = Scenario(
    "commit-sees-itself", "a writer reads what it committed while another commits",
    rules: ["WRITE-08", "WRITE-32"]
  ) { _, ledger in
    (1...2).map { session in
      .init("writer \(session)") {
        let pen = try Pen(ledger, session: session)
        try pen.write(session)
        pen.look()
      }
    }
  }
}
