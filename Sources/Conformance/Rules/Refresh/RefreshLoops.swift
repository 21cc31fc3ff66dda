import EngineUnderTest
import Foundation
import Harness

/// Realms of a thread that runs a loop of its own, as the main thread does.
enum OwnLoops {
  /// What such a thread is given: turns of its loop, until something is so.
  private struct Turns {
    let stage: Stage

    func spin(until condition: () -> Bool, _ what: String) throws {
      let limit = ContinuousClock.now + stage.patience
      while !condition() {
        guard ContinuousClock.now < limit else { throw Stage.Interruption.overdue(what) }
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
      }
    }

    /// Until everything that was on its way to a realm's listeners has arrived: a new one's first
    /// call comes behind what was due before it.
    func settle(_ realm: Realm) throws {
      for _ in 0..<2 {
        var arrived = false
        let fence = realm.objects(Todo.self).observe { _ in arrived = true }
        try spin(until: { arrived }, "the fence")
        fence.invalidate()
      }
    }
  }

  /// Runs a body in a turn of the loop of a new thread.
  private static func onLoop(
    _ stage: Stage, _ body: @escaping (Turns) throws -> Void
  ) throws {
    try stage.elsewhere("loop") {
      nonisolated(unsafe) var result: Result<Void, any Error>?
      nonisolated(unsafe) let body = body
      // Of a timer, because a loop that has nothing else does not run.
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        result = Result { try body(Turns(stage: stage)) }
      }
      RunLoop.current.add(timer, forMode: .default)
      let limit = ContinuousClock.now + stage.patience * 3
      while result == nil, ContinuousClock.now < limit {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      }
      guard let result else { throw Stage.Interruption.overdue("the loop's turn") }
      try result.get()
    }
  }

  // MARK: Moving

  static let advances = Probe("a realm of a thread with a loop advances by itself") { stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    try onLoop(stage) { turns in
      let realm = try stage.open()
      stage.equal(realm.autorefresh, true, "autorefresh at first")
      var mark = 1_000
      let courses: [(String, () throws -> Void)] = [
        ("nothing", {}), ("a read", { use(realm.account(1).balance) }),
        ("a write", { try realm.write { realm.account(2).balance += 1 } }),
        (
          "a cancelled write",
          {
            realm.beginWrite()
            realm.cancelWrite()
          }
        ),
        ("a refresh", { realm.refresh() }), ("a freeze", { use(realm.freeze()) }),
        (
          "invalidate() and a read",
          {
            realm.invalidate()
            use(realm.account(1).balance)
          }
        ),
        (
          "autorefresh off and on",
          {
            realm.autorefresh = false
            realm.autorefresh = true
          }
        ),
        ("a listener that ended", { realm.objects(Account.self).observe { _ in }.invalidate() }),
      ]
      for (name, course) in courses {
        try course()
        for _ in 0..<2 {
          mark += 1
          let balance = mark
          let before = realm.account(1).balance
          try stage.foreign { $0.account(1).balance = balance }
          // Not in the middle of a stretch of code.
          for _ in 0..<50 where realm.account(1).balance != before {
            return stage.fail(expected: "\(before) until its loop runs", observed: "\(balance)")
          }
          try turns.spin(
            until: { realm.account(1).balance == balance }, "the advance after \(name)")
          stage.equal(realm.refresh(), false, "what a refresh answers after \(name)")
        }
      }
      realm.beginWrite()
      stage.equal(realm.refresh(), false, "what a refresh answers in a write")
      realm.cancelWrite()
      stage.equal(realm.freeze().refresh(), false, "what a frozen realm answers")
    }
  }

  static let stays = Probe("with autorefresh off a realm of a thread with a loop stays") { stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    try onLoop(stage) { turns in
      let realm = try stage.open()
      realm.autorefresh = false
      var told: [String] = []
      let token = realm.observe { notification, _ in told.append(notification.rawValue) }
      for round in 1...4 {
        told = []
        let before = realm.account(1).balance
        try stage.foreign { $0.account(1).balance = 10 * round }
        try turns.spin(until: { !told.isEmpty }, "the news of round \(round)")
        try turns.settle(realm)
        stage.equal(Set(told).count, 1, "kinds of news in round \(round): \(told)")
        stage.equal(
          told.first, Realm.Notification.refreshRequired.rawValue, "the news of round \(round)")
        stage.equal(realm.account(1).balance, before, "the balance in round \(round)")
        switch round {
        case 1: stage.equal(realm.refresh(), true, "what a refresh answers")
        case 2:
          realm.beginWrite()
          realm.cancelWrite()
        case 3:
          realm.invalidate()
          use(realm.account(1).balance)
        default: try realm.write { realm.account(2).balance = 1 }
        }
        stage.equal(realm.account(1).balance, 10 * round, "the balance after round \(round)")
        stage.equal(realm.refresh(), false, "what a second refresh answers in round \(round)")
        stage.equal(realm.autorefresh, false, "autorefresh after round \(round)")
      }
      realm.autorefresh = true
      told = []
      try stage.foreign { $0.account(1).balance = 77 }
      try turns.spin(until: { realm.account(1).balance == 77 }, "the advance when it is on again")
      stage.equal(
        told, [Realm.Notification.didChange.rawValue], "the news when it is on again")
      token.invalidate()
    }
  }

  // MARK: Being told

  static let told = Probe("listeners and completions come to the thread whose loop it is") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let configuration = RefKinds.configuration(stage)
    try onLoop(stage) { turns in
      let (home, realm) = (threadNumber(), try Realm(configuration: configuration))
      var told: [String: Int] = [:]
      var strangers: Set<String> = []
      // (Sections are told in the same way, and not every engine can be asked for them.)
      let ears = EachListener.all.filter { $0.name != "sections" }
      let tokens = ears.map { one in
        one.listen(realm) {
          told[one.name, default: 0] += 1
          if threadNumber() != home { strangers.insert(one.name) }
        }
      }
      try turns.settle(realm)
      let expected = Dictionary(uniqueKeysWithValues: ears.map { ($0.name, 1) })
      func hear(_ what: String) throws {
        try turns.spin(until: { told.count == expected.count }, "who is told of \(what)")
        try turns.settle(realm)
        stage.equal(told, expected, "who is told of \(what)")
        told = [:]
      }
      for round in 0..<3 {
        told = [:]
        let mark = 10 * round
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { RefKinds.change(other, mark + 1) }
        }
        try hear("another's commit, round \(round)")
        try realm.write { RefKinds.change(realm, mark + 2) }
        try hear("an own commit, round \(round)")
        var end: (any Error)??
        var isHome = false
        realm.writeAsync({ RefKinds.change(realm, mark + 3) }) {
          end = .some($0)
          isHome = threadNumber() == home
        }
        try turns.spin(until: { end != nil }, "the completion of round \(round)")
        stage.expect((end ?? nil) == nil, "an asynchronous write ends well in round \(round)")
        stage.equal(isHome, true, "whether the completion came to its thread, round \(round)")
        try hear("an asynchronous commit, round \(round)")
      }
      stage.equal(strangers, [], "who was called on another thread")
      for token in tokens { token.invalidate() }
    }
  }
}
