import EngineUnderTest
import Foundation
import Harness

/// Listeners that come in the middle of a write, which ends in each way, at once or later: each
/// gets its first call, and what is committed after that.
enum FirstCalls {
  private enum End: String, CaseIterable {
    case commit = "committed"
    case cancel = "cancelled"
    case commitLater = "committed in the background"
    case fail = "failed"
  }

  static let probes: [Probe] = End.allCases.map { end in
    Probe("who begins to listen in a write gets a first call: \(end.rawValue)") { stage in
      if end == .fail { try stage.hooks().record() }
      let realm = try stage.stocked()
      for changes in [false, true] {
        for turns in [0, 1, 5] {
          try listen(stage, realm, end, changes, turns)
        }
      }
    }
  }

  private static func listen(
    _ stage: Stage, _ realm: Realm, _ end: End, _ changes: Bool, _ turns: Int
  ) throws {
    let what = "\(end.rawValue) after \(turns) turns, \(changes ? "something" : "nothing") changed"
    var told: [String: (first: Int, later: Int)] = [:]
    func tell(_ name: String, isFirst: Bool) {
      if isFirst { told[name, default: (0, 0)].first += 1 } else { told[name]?.later += 1 }
    }
    func watch<C: RealmCollection>(_ name: String, _ members: C) -> NotificationToken {
      members.observe { change in
        if case .initial = change { tell(name, isFirst: true) } else { tell(name, isFirst: false) }
      }
    }
    let ann = realm.person("Ann")
    realm.beginWrite()
    // Before anything changes in it: later none may come.
    let tokens = [
      watch("a class", realm.objects(Person.self)),
      watch("a filter", realm.objects(Person.self).where { $0.age > 0 }),
      watch("an order", realm.objects(Person.self).sorted(byKeyPath: "name")),
      watch("a list", ann.dogs), watch("linkers", ann.dogs[0].owners),
    ]
    if changes { ann.age += 1 }
    // What is due at home comes meanwhile.
    for _ in 0..<turns {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
    }
    switch end {
    case .commit: try realm.commitWrite()
    case .cancel: realm.cancelWrite()
    case .commitLater: realm.commitAsyncWrite()
    case .fail:
      Backstage.hooks!.fail(.writes, after: 0, times: 1)
      do {
        try realm.commitWrite()
        stage.fail(expected: "a commit whose disk fails throws", observed: "it does not")
      } catch { stage.expect(true, "it throws") }
      Backstage.hooks!.fail(.writes, after: 0, times: 0)
    }
    try stage.spin(
      until: { told.count == tokens.count }, "the first call of each listener, \(what)")
    try stage.settle(realm)
    stage.equal(
      told.values.map(\.first), Array(repeating: 1, count: tokens.count), "first calls, \(what)")
    let before = told
    try realm.write {
      ann.age += 1
      ann.dogs[0].age += 1
    }
    try stage.spin(
      until: { told.allSatisfy { $0.value.later > before[$0.key]!.later } },
      "a call of each for the next commit, \(what)")
    for token in tokens { token.invalidate() }
  }
}
