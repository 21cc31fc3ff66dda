import EngineUnderTest
import Foundation
import Harness

/// What is done inside a listener's call, at each home, by a listener of each kind of thing:
/// afterwards everybody must know the newest.
enum Callback {
  enum Home: String, CaseIterable, Sendable {
    case main = "on the main thread"
    case queue = "on a queue"
    case neighbour = "on a queue that targets the realm's"
    case elsewhere = "for another queue"
  }

  enum Act: String, CaseIterable, Sendable {
    case foreign = "another thread commits"
    case foreignTwice = "another thread commits twice"
    case write = "it commits"
    case writes = "it commits twice"
    case cancel = "it cancels a write, and another thread commits"
    case later = "it asks for a write"
    case handOver = "it commits in the background"
    case refresh = "another thread commits, and it refreshes"
    case more = "it listens once more, and another thread commits"
    case end = "it ends another one, and another thread commits"
    case freeze = "it freezes what it is given, and another thread commits"
  }

  enum Kind: String, CaseIterable, Sendable {
    case realm, results, filtered, sorted, object, list, set, map, linking
  }

  static func probes(_ homes: [Home]) -> [Probe] {
    homes.flatMap { home in
      Act.allCases.map { act in
        Probe("in a call \(home.rawValue), \(act.rawValue): all are told of it") { stage in
          Backstage.hooks?.skipFlushes()
          for kind in Kind.allCases where home != .elsewhere || kind != .realm {
            try Scene(stage, home, act, kind).play()
          }
        }
      }
    }
  }
}

/// One kind of listener at one home, which does one thing in its call.
private final class Scene {
  let stage: Stage
  let home: Callback.Home
  let act: Callback.Act
  let kind: Callback.Kind
  let file: String
  let queue = DispatchQueue(label: "home")
  let near: DispatchQueue
  var realm: Realm!
  /// What listeners were told last, to be touched where they are called.
  var told: [Int: Int] = [:]
  var tokens: [Int: NotificationToken] = [:]
  var hasActed = false
  var newest = 100

  init(_ stage: Stage, _ home: Callback.Home, _ act: Callback.Act, _ kind: Callback.Kind) {
    (self.stage, self.home, self.act, self.kind) = (stage, home, act, kind)
    file = "\(kind)"
    near = DispatchQueue(label: "near", target: queue)
  }

  private var name: String { "a listener of \(kind.rawValue)" }

  private func at<Value>(_ body: () throws -> Value) rethrows -> Value {
    switch home {
    case .main: try body()
    case .queue, .elsewhere: try queue.sync(execute: body)
    case .neighbour: try near.sync(execute: body)
    }
  }

  private var configuration: Realm.Configuration { Vessel.configuration(stage, file) }

  func play() throws {
    try stage.elsewhere { [stage, file] in
      let realm = try Vessel.stocked(stage, file)
      // Whoever is observed has one member that changes, and is found for ever.
      try realm.write { Scene.set(100, in: realm) }
    }
    if home == .main || home == .elsewhere {
      realm = try Realm(configuration: configuration)
    } else {
      try at { realm = try Realm(configuration: configuration, queue: queue) }
    }
    begin { for number in 0..<3 { listen(number) } }
    if kind != .object, kind != .realm { try settle("the first calls") { $0.count == 3 } }
    // The act is that of the second of them.
    try foreign()
    try settle("what was committed in the call") { [unowned self] in
      hasActed && $0.filter { tokens[$0.key] != nil }.allSatisfy { $0.value == newest }
        && $0.count >= tokens.count
    }
    // And once more, now that it is over.
    try foreign()
    try settle("what was committed afterwards") { [unowned self] in
      $0.filter { tokens[$0.key] != nil }.allSatisfy { $0.value == newest }
    }
    begin {
      for token in tokens.values { token.invalidate() }
      tokens = [:]
      realm = nil
    }
    if home != .main { queue.sync {} }
    stage.expect(true, "all were told")
  }

  /// Where listeners are made.
  private func begin(_ body: () throws -> Void) rethrows {
    if home == .elsewhere { try body() } else { try at(body) }
  }

  private static func set(_ number: Int, in realm: Realm) {
    for vessel in realm.objects(Vessel.self) { vessel.number = number }
  }

  /// Commits from another thread while the home is kept.
  private func foreign() throws {
    try at {
      newest += 1
      let (number, configuration) = (newest, configuration)
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { Scene.set(number, in: other) }
      }
    }
  }

  private func settle(_ what: String, _ isSo: ([Int: Int]) -> Bool) throws {
    let limit = ContinuousClock.now + stage.patience
    while !at({ isSo(told) }) {
      if ContinuousClock.now > limit {
        let (all, wanted) = at { (told, newest) }
        stage.fail(
          expected: "\(name) comes to know of \(what), \(wanted)", observed: "they know \(all)")
        throw Stage.Interruption.overdue(what)
      }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
  }

  // MARK: In the call

  private func take(_ number: Int, _ value: Int?, _ own: Realm?) {
    told[number] = value
    guard number == 1, !hasActed, (value ?? 0) > 100, let own, !own.isInWriteTransaction
    else { return }
    hasActed = true
    do { try perform(own) } catch { stage.fail(expected: act.rawValue, observed: "\(error)") }
  }

  private func perform(_ own: Realm) throws {
    switch act {
    case .foreign: try foreignHere()
    case .foreignTwice:
      try foreignHere()
      try foreignHere()
    case .write: try writeHere(own)
    case .writes:
      try writeHere(own)
      try writeHere(own)
    case .cancel:
      own.beginWrite()
      Scene.set(-1, in: own)
      own.cancelWrite()
      try foreignHere()
    case .later:
      newest += 1
      own.writeAsync { [newest] in Scene.set(newest, in: own) }
    case .handOver:
      newest += 1
      own.beginWrite()
      Scene.set(newest, in: own)
      own.commitAsyncWrite()
    case .refresh:
      try foreignHere()
      own.refresh()
    case .more:
      // There the listeners are of another realm.
      if home != .elsewhere { listen(3) }
      try foreignHere()
    case .end:
      tokens[2]?.invalidate()
      tokens[2] = nil
      try foreignHere()
    case .freeze:
      stage.equal(own.freeze().vessel(1)?.number, own.vessel(1)?.number, "what is frozen in a call")
      try foreignHere()
    }
  }

  private func writeHere(_ own: Realm) throws {
    newest += 1
    try own.write { Scene.set(newest, in: own) }
  }

  private func foreignHere() throws {
    newest += 1
    let (number, configuration) = (newest, configuration)
    try stage.elsewhere {
      let other = try Realm(configuration: configuration)
      try other.write { Scene.set(number, in: other) }
    }
  }

  private func listen(_ number: Int) {
    let target = home == .elsewhere ? queue : nil
    let first = realm.vessel(1)!
    switch kind {
    case .realm:
      tokens[number] = realm.observe { [unowned self] _, realm in
        take(number, realm.vessel(1)?.number, realm)
      }
    case .results: tokens[number] = observe(realm.objects(Vessel.self), target, number)
    case .filtered:
      tokens[number] = observe(realm.objects(Vessel.self).where { $0.number > 0 }, target, number)
    case .sorted:
      tokens[number] = observe(
        realm.objects(Vessel.self).sorted(byKeyPath: "number"), target, number)
    case .list: tokens[number] = observe(first.links, target, number)
    case .set: tokens[number] = observe(first.group, target, number)
    case .linking: tokens[number] = observe(first.throughLinks, target, number)
    case .map:
      tokens[number] = first.named.observe(on: target) { [unowned self] change in
        switch change {
        case .initial(let map), .update(let map, _, _, _):
          take(number, (map["a"] ?? nil)?.number, map.realm)
        case .error: stage.fail(expected: "no error", observed: "one")
        }
      }
    case .object:
      tokens[number] = first.observe(on: target) {
        [unowned self] (change: ObjectChange<Vessel>) in
        if case .change(let object, _) = change { take(number, object.number, object.realm) }
      }
    }
  }

  private func observe<C: RealmCollection>(
    _ members: C, _ target: DispatchQueue?, _ number: Int
  ) -> NotificationToken where C.Element == Vessel {
    members.observe(on: target) { [unowned self] change in
      switch change {
      case .initial(let all), .update(let all, _, _, _):
        take(number, all.first?.number, all.realm)
      case .error: stage.fail(expected: "no error", observed: "one")
      }
    }
  }
}
