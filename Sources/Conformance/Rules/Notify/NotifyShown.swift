import EngineUnderTest
import Foundation
import Harness

/// Listeners of projections, and of what is shown of members: here, on a queue, ended, twice, and
/// beside writes that come to nothing.
enum ShownNews {
  /// What somebody was told, on whichever thread.
  private final class Log: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var lines: [String] = []  // guarded by the lock

    func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
    func clear() { lock.withLock { lines = [] } }
  }

  private static func stocked(_ stage: Stage) throws -> Realm {
    let realm = try Realm(configuration: stage.specimens())
    try realm.write {
      for id in 0..<8 { realm.add(Specimen(id: id)) }
      let first = realm.specimen(0)!
      first.next = realm.specimen(1)
      realm.specimen(1)!.next = realm.specimen(2)
      first.members.append(objectsIn: [3, 4, 3].map { realm.specimen($0)! })
      first.group.insert(realm.specimen(5)!)
      realm.specimen(6)!.next = first
      for id in 3..<8 { realm.specimen(id)!.word = "word \(id)" }
    }
    return realm
  }

  private static func words(_ change: ObjectChange<WideView>) -> String {
    switch change {
    case .change(let view, let properties):
      "\(view.number): "
        + properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" }.sorted()
        .joined(separator: ", ")
    case .deleted: "deleted"
    case .error: "error"
    }
  }

  private static func settle(_ stage: Stage, _ realm: Realm, _ queue: DispatchQueue?) throws {
    for _ in 0..<(queue == nil ? 1 : 3) {
      try stage.settle(of: realm)
      queue?.sync {}
    }
  }

  /// Waits until as much was told as must be, where that comes from another thread.
  private static func heard(
    _ stage: Stage, _ log: Log, _ expected: [String], _ what: String, _ realm: Realm,
    _ queue: DispatchQueue?
  ) throws {
    if queue != nil {
      try stage.spin(until: { log.all.count >= expected.count }, "what is told of \(what)")
    }
    try settle(stage, realm, queue)
    stage.equal(log.all, expected, "what is told of \(what)")
    log.clear()
  }

  // MARK: One projection

  static let views: [Probe] = [false, true].map { onQueue in
    Probe("a projection's listener is told by its names, \(onQueue ? "on a queue" : "here")") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stocked(stage)
      let configuration = realm.configuration
      let queue = onQueue ? DispatchQueue(label: "listener") : nil
      let view = WideView(projecting: realm.specimen(0)!)
      let (log, twin, brief) = (Log(), Log(), Log())
      let token = view.observe(on: queue) { log.add(words($0)) }
      let second = WideView(projecting: realm.specimen(0)!).observe(on: queue) {
        twin.add(words($0))
      }
      var own: NotificationToken?
      own = view.observe(on: queue) {
        brief.add(words($0))
        own?.invalidate()
      }
      try settle(stage, realm, queue)
      stage.equal(log.all, [], "what is told at first")
      /// Old values are there where somebody else has written, and on a queue.
      func old(_ value: Any?, _ isForeign: Bool) -> String {
        onQueue || isForeign ? value.map { "\($0)" } ?? "-" : "-"
      }
      let changes: [(String, (Realm) -> Void, (Bool) -> [String])] = [
        ("a number", { $0.specimen(0)!.amount = 7 }, { ["0: amount \(old(0, $0)) 7"] }),
        ("what it does not show", { $0.specimen(0)!.ratio += 1 }, { _ in [] }),
        ("an optional", { $0.specimen(0)!.whole = 5 }, { _ in ["0: whole - 5"] }),
        ("an optional, to nil", { $0.specimen(0)!.whole = nil }, { ["0: whole \(old(5, $0)) -"] }),
        (
          "what a link leads to", { $0.specimen(1)!.amount = 3 },
          { ["0: nextAmount \(old(0, $0)) 3"] }
        ),
        ("what is hidden there", { $0.specimen(1)!.word = "hidden" }, { _ in [] }),
        ("a list", { $0.specimen(0)!.numbers.append(1) }, { _ in ["0: numbers - -"] }),
        ("a map", { $0.specimen(0)!.scores["a"] = 1 }, { _ in ["0: scores - -"] }),
        ("a member's text", { $0.specimen(4)!.word = "new" }, { _ in ["0: words - -"] }),
        ("a set", { $0.specimen(0)!.group.insert($0.specimen(7)!) }, { _ in ["0: groupIDs - -"] }),
      ]
      for (number, (name, change, expected)) in changes.enumerated() {
        let isForeign = stage.isTurn(number + 1, of: 2)
        if isForeign {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other) }
          }
          realm.refresh()
        } else {
          try realm.write { change(realm) }
        }
        let lines = expected(isForeign)
        let what = "\(name)\(isForeign ? ", elsewhere" : "")"
        try heard(stage, log, lines, what, realm, queue)
        stage.equal(twin.all, lines, "what another listener is told of \(what)")
        twin.clear()
      }
      stage.equal(brief.all.count, 1, "calls of the one that ended itself")
      // What comes to nothing, and what skips one of two.
      realm.beginWrite()
      realm.specimen(0)!.amount = -1
      realm.cancelWrite()
      try heard(stage, log, [], "a cancelled write", realm, queue)
      if !onQueue {
        try realm.write(withoutNotifying: [token]) { realm.specimen(0)!.amount = 20 }
        try heard(stage, log, [], "a write that skips it", realm, queue)
        stage.equal(twin.all, ["0: amount - 20"], "what the other is told of it")
        twin.clear()
      }
      second.invalidate()
      try realm.write { realm.delete(realm.specimen(0)!) }
      try heard(stage, log, ["deleted"], "the deletion", realm, queue)
      try realm.write {
        let next = Specimen(id: 0)
        realm.add(next)
        next.amount = 9
      }
      try heard(stage, log, [], "another under its key", realm, queue)
      stage.equal(twin.all, [], "what is told to the one that has ended")
      token.invalidate()
    }
  }

  /// Key paths of a projection: properties of the object, or of the projection.
  static let paths = Probe("key paths choose what a projection's listener hears") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stocked(stage)
    let view = WideView(projecting: realm.specimen(0)!)
    var told: Set<String> = []
    let tokens = [
      view.observe(keyPaths: ["amount"]) { _ in told.insert("amount") },
      view.observe(keyPaths: ["next.amount"]) { _ in told.insert("next.amount") },
      view.observe(keyPaths: ["members.word", "whole"]) { _ in told.insert("two") },
    ]
    try stage.settle(of: realm)
    let changes: [(String, Set<String>, () -> Void)] = [
      ("a number", ["amount"], { realm.specimen(0)!.amount += 1 }),
      ("the next one's number", ["next.amount"], { realm.specimen(1)!.amount += 1 }),
      ("an optional", ["two"], { realm.specimen(0)!.whole = 3 }),
      ("a member's text", ["two"], { realm.specimen(3)!.word += "x" }),
      ("another text", [], { realm.specimen(0)!.text = "x" }),
      ("another's number", [], { realm.specimen(7)!.amount += 1 }),
      ("the link", ["next.amount"], { realm.specimen(0)!.next = realm.specimen(2) }),
      ("a member", ["two"], { realm.specimen(0)!.members.append(realm.specimen(7)!) }),
    ]
    for (name, expected, change) in changes {
      told = []
      try realm.write { change() }
      try stage.settle(of: realm)
      stage.equal(told, expected, "who is told of \(name)")
    }
    for token in tokens { token.invalidate() }
  }

  // MARK: What is shown of members

  static let members: [Probe] = [false, true].map { onQueue in
    Probe("what is shown of members tells its changes, \(onQueue ? "on a queue" : "here")") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stocked(stage)
      let configuration = realm.configuration
      let queue = onQueue ? DispatchQueue(label: "listener") : nil
      let view = WideView(projecting: realm.specimen(0)!)
      let (log, others, brief) = (Log(), Log(), Log())
      func line<Members: Collection & ThreadConfined>(
        _ change: RealmCollectionChange<Members>
      ) -> String {
        switch change {
        case .initial(let members): "\(Array(members))"
        case .update(let members, let gone, let come, let changed):
          "\(members.isInvalidated ? [] : Array(members)) \(gone) \(come) \(changed)"
        case .error: "error"
        }
      }
      let token = view.words.observe(on: queue) { log.add(line($0)) }
      let other = view.followers.observe(on: queue) { others.add(line($0)) }
      var own: NotificationToken?
      own = view.words.observe(on: queue) {
        brief.add(line($0))
        if case .update = $0 { own?.invalidate() }
      }
      try heard(
        stage, log, ["[\"word 3\", \"word 4\", \"word 3\"]"], "what there is at first", realm, queue
      )
      stage.equal(others.all, ["[6]"], "who follows at first")
      others.clear()
      let changes: [(String, String?, (Realm) -> Void)] = [
        (
          "a member that comes", "[\"word 3\", \"word 4\", \"word 3\", \"word 7\"] [] [3] []",
          { $0.specimen(0)!.members.append($0.specimen(7)!) }
        ),
        (
          "a text of one that is there twice",
          "[\"x\", \"word 4\", \"x\", \"word 7\"] [] [] [0, 2]", { $0.specimen(3)!.word = "x" }
        ),
        ("what is not shown of a member", nil, { $0.specimen(4)!.amount += 1 }),
        (
          "a member that goes", "[\"word 4\", \"x\", \"word 7\"] [0] [] []",
          { $0.specimen(0)!.members.remove(at: 0) }
        ),
        (
          "one deleted and one set", "[\"y\", \"word 7\"] [1] [] [0]",
          {
            $0.delete($0.specimen(3)!)
            $0.specimen(4)!.word = "y"
          }
        ),
        ("another's text", nil, { $0.specimen(5)!.word = "z" }),
      ]
      for (number, (name, expected, change)) in changes.enumerated() {
        let isForeign = stage.isTurn(number + 1, of: 2)
        if isForeign {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other) }
          }
          realm.refresh()
        } else {
          try realm.write { change(realm) }
        }
        let what = "\(name)\(isForeign ? ", elsewhere" : "")"
        try heard(stage, log, expected.map { [$0] } ?? [], what, realm, queue)
      }
      stage.equal(brief.all.count, 2, "calls of the one that ended itself")
      stage.equal(others.all, [], "what the listener of its followers is told")
      realm.beginWrite()
      realm.specimen(4)!.word = "cancelled"
      realm.cancelWrite()
      try heard(stage, log, [], "a cancelled write", realm, queue)
      try realm.write { realm.specimen(2)!.next = realm.specimen(0) }
      if onQueue { try stage.spin(until: { !others.all.isEmpty }, "who follows") }
      try settle(stage, realm, queue)
      stage.expect(
        others.all.count == 1
          && ["[] [0] []", "[] [1] []"].contains { others.all[0].hasSuffix($0) },
        "that one more follows",
        observed: "\(others.all)")
      try realm.write { realm.delete(realm.specimen(0)!) }
      try heard(stage, log, ["[] [0, 1] [] []"], "the end of their object", realm, queue)
      token.invalidate()
      other.invalidate()
    }
  }
}
