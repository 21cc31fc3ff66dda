import EngineUnderTest
import Harness

// Readers beside writers.

extension Scenario {
  static let reading = [
    writerAndReader, refreshAndCommit, pinAndReuse, freezeAndReuse, referenceAndCommit,
    autorefresh, observer,
  ]

  static let writerAndReader = Scenario(
    "writer-and-reader", "one begins and ends reads while another commits twice",
    rules: ["READ-01", "READ-05", "READ-10"]
  ) { turns, ledger in
    [
      .init("writer") {
        let pen = try Pen(ledger, session: 1)
        try pen.write(1, 2)
        try pen.write(1, 2)
      },
      .init("reader") {
        let pen = try Pen(ledger, session: 2)
        pen.look()
        pen.realm.invalidate()
        turns.point("ended")
        pen.look()
      },
    ]
  }

  static let refreshAndCommit = Scenario(
    "refresh-and-commit", "one refreshes again and again while two others commit",
    rules: ["REFRESH-01", "READ-05", "WRITE-32"]
  ) { _, ledger in
    [
      .init("reader") {
        let pen = try Pen(ledger, session: 1)
        pen.look()
        pen.refreshAndLook()
        pen.refreshAndLook()
      },
      .init("one") { try Pen(ledger, session: 2).write(1, 2) },
      .init("two") { try Pen(ledger, session: 3).write(2) },
    ]
  }

  static let pinAndReuse = Scenario(
    "pin-and-reuse", "a version is read while commits look for the space of older ones",
    rules: ["READ-15", "COMMIT-09", "GROW-01"], pages: 260
  ) { _, ledger in
    [
      .init("writer") {
        let pen = try Pen(ledger, session: 1)
        for _ in 0..<3 { try pen.write(Array(1...ledger.pages)) }
      },
      .init("reader") { try Pen(ledger, session: 2).look() },
    ]
  }

  static let freezeAndReuse = Scenario(
    "freeze-and-reuse", "a frozen version is read after its session has gone on",
    rules: ["FREEZE-37", "COMMIT-09"], pages: 260
  ) { _, ledger in
    [
      .init("writer") {
        let pen = try Pen(ledger, session: 1)
        for _ in 0..<2 { try pen.write(Array(1...ledger.pages)) }
      },
      .init("freezer") {
        let pen = try Pen(ledger, session: 2)
        let frozen = pen.realm.freeze()
        pen.refreshAndLook()
        pen.look(atFrozen: frozen, session: 3)
      },
    ]
  }

  static let referenceAndCommit = Scenario(
    "reference-and-commit", "an object is handed over while its page is written",
    rules: ["REF-02", "REF-12"]
  ) { turns, ledger in
    var reference: ThreadSafeReference<Page>?
    var version = 0
    return [
      .init("giver") {
        let realm = try Realm(configuration: ledger.configuration)
        version = realm.object(ofType: Page.self, forPrimaryKey: 0)?.version ?? -1
        reference = realm.object(ofType: Page.self, forPrimaryKey: 1).map {
          ThreadSafeReference(to: $0)
        }
      },
      .init("taker") {
        turns.wait(for: "reference") { reference != nil }
        let pen = try Pen(ledger, session: 1)
        let page = reference.flatMap { pen.realm.resolve($0) }
        ledger.expect(page != nil, "the page of a reference is not found")
        let seen = pen.realm.object(ofType: Page.self, forPrimaryKey: 0)?.version ?? -1
        ledger.expect(seen >= version, "resolved at \(seen), handed over at \(version)")
        ledger.expect(
          page.map { Array($0.entries).count } == seen, "page and version do not belong together")
      },
      .init("writer") {
        let pen = try Pen(ledger, session: 2)
        try pen.write(1)
        try pen.write(1)
      },
    ]
  }

  static let autorefresh = Scenario(
    "autorefresh", "a home that attends comes to the newest version by itself",
    rules: ["REFRESH-09", "REFRESH-10"]
  ) { turns, ledger in
    [
      .init("home") {
        let pen = try Pen(ledger, session: 1)
        pen.look()
        // A deadlock here is a step that never came.
        turns.attend { pen.realm.object(ofType: Page.self, forPrimaryKey: 0)?.version == 3 }
        pen.look()
      },
      .init("writer") {
        let pen = try Pen(ledger, session: 2)
        try pen.write(1, 2)
        try pen.write(1, 2)
      },
    ]
  }

  static let observer = Scenario(
    "observer", "what a listener has been told adds up to what there is",
    rules: ["NOTIFY-04", "NOTIFY-05", "NOTIFY-06"]
  ) { turns, ledger in
    [
      .init("home") {
        let realm = try Realm(configuration: ledger.configuration)
        var known: [Int]?
        var complaint: String?
        let token = realm.object(ofType: Page.self, forPrimaryKey: 1)?.entries.observe { change in
          switch change {
          case .initial(let entries):
            if known != nil { complaint = "told twice that it begins" }
            known = Array(entries)
          case .update(let entries, let deletions, let insertions, _):
            if known == nil { complaint = "told of a change before the beginning" }
            for index in deletions.reversed() { known?.remove(at: index) }
            for index in insertions { known?.insert(entries[index], at: index) }
            if known != Array(entries) { complaint = "\(known ?? []) told, \(entries) there" }
          case .error(let error): complaint = "\(error)"
          }
        }
        turns.attend { known?.count == 3 || complaint != nil }
        ledger.expect(complaint == nil, complaint ?? "")
        token?.invalidate()
      },
      .init("writer") {
        let pen = try Pen(ledger, session: 2)
        try pen.write(1)
        try pen.write(1)
      },
    ]
  }
}
