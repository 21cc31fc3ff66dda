import EngineUnderTest
import Foundation
import Harness

// Who opens, compacts, deletes and closes a file while others do.

extension Scenario {
  static let files = [
    openerAndCompaction, openerAndDeletion, openerAndCloser, listenersComeAndGo,
  ]

  static let openerAndCompaction = Scenario(
    "opener-and-compaction",
    "one compacts the file as it opens it, and commits, while another opens it twice to copy it",
    rules: ["LIFE-16", "REFRESH-01"], showsOpening: true
  ) { turns, ledger in
    [
      .init("compactor") {
        try Pen(ledger, session: 1) { $0.shouldCompactOnLaunch = { _, _ in true } }.write(1)
      },
      .init("reader") {
        try ledger.lookApart(session: 2)
        turns.point("closed")
        try ledger.lookApart(session: 2)
      },
    ]
  }

  static let openerAndDeletion = Scenario(
    "opener-and-deletion", "one deletes the file while another opens it, commits and reads on",
    rules: ["LIFE-11"], showsOpening: true
  ) { turns, ledger in
    let file = ledger.configuration.fileURL ?? URL(fileURLWithPath: "/dev/null")
    let whole = try? Data(contentsOf: file)
    var (wasDeleted, isThrough) = (false, false)
    return [
      .init("deleter") {
        defer { isThrough = true }
        do { wasDeleted = try Realm.deleteFiles(for: ledger.configuration) } catch Realm.Error
          .alreadyOpen
        {}
      },
      .init("opener") {
        do {
          let pen = try Pen(ledger, session: 1)
          if pen.isBlank {
            turns.wait(for: "deletion") { isThrough }
            ledger.expect(wasDeleted, "the file is empty, and nobody has deleted it")
          } else {
            try pen.write(1)
            turns.wait(for: "deletion") { isThrough }
            ledger.expect(!wasDeleted, "the file was deleted while it was open")
            pen.refreshAndLook()
          }
        }
        // What was deleted is put back, for whoever looks at the end.
        if wasDeleted { try whole?.write(to: file) }
      },
    ]
  }

  static let openerAndCloser = Scenario(
    "opener-and-closer",
    "one opens, commits and closes twice while another opens it to copy it, and closes",
    rules: ["LIFE-24", "REFRESH-01", "LIFE-01"], showsOpening: true
  ) { turns, ledger in
    [
      .init("writer") {
        try Pen(ledger, session: 1).write(1, 2)
        turns.point("closed")
        try Pen(ledger, session: 1).write(2)
      },
      .init("reader") {
        try ledger.lookApart(session: 2)
        turns.point("closed")
        try ledger.lookApart(session: 2)
      },
    ]
  }

  static let listenersComeAndGo = Scenario(
    "listeners-come-and-go", "one begins to listen and closes while another listens to a commit",
    rules: ["LIFE-24", "NOTIFY-04", "NOTIFY-05"]
  ) { turns, ledger in
    func listen(_ realm: Realm, _ told: @escaping ([Int]) -> Void) -> NotificationToken? {
      realm.object(ofType: Page.self, forPrimaryKey: 1)?.entries.observe { change in
        switch change {
        case .initial(let entries), .update(let entries, _, _, _): told(Array(entries))
        case .error: break
        }
      }
    }
    return [
      .init("guest") {
        let realm = try Realm(configuration: ledger.configuration)
        var calls = 0
        let token = listen(realm) { _ in calls += 1 }
        turns.attendOnce()
        token?.invalidate()
        let before = calls
        turns.attendOnce()
        ledger.expect(calls == before, "called after its end")
      },
      .init("home") {
        let realm = try Realm(configuration: ledger.configuration)
        var known: [Int] = []
        let token = listen(realm) { known = $0 }
        // A listener that is deaf is a delivery that never comes.
        turns.attend { known.count == 2 }
        token?.invalidate()
      },
      .init("writer") { try Pen(ledger, session: 3).write(1) },
    ]
  }
}
