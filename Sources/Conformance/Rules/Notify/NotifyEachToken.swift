import EngineUnderTest
import Foundation
import Harness

/// What is said of tokens, and of what may not be observed, is said of each kind of listener.
enum EachToken {
  /// Where a token is ended.
  private enum Place: String, CaseIterable {
    case here = "at home"
    case elsewhere = "on another thread"
    case queue = "on a queue"
    case write = "in a write"
    case changed = "in a write that has changed something"
  }

  /// The first end is one, and any later one is none; nobody is called afterwards.
  static let ends: [Probe] = Place.allCases.map { place in
    Probe("a token of each kind is ended \(place.rawValue): once true, and then false") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      for (number, ear) in EachListener.all.enumerated() {
        // A realm's own listeners end at home.
        let isRealm = ear.name == "a realm"
        if isRealm, place == .elsewhere || place == .queue { continue }
        for isSettled in [true, false] {
          var calls = 0
          let token = ear.listen(realm) { calls += 1 }
          let other = ear.listen(realm) { calls += 1_000 }
          if isSettled { try stage.settle(realm) }
          let mark = 2 * number + (isSettled ? 1 : 2)
          let what = "\(ear.name), \(place.rawValue), called before: \(isSettled)"
          func end() {
            stage.equal(token.invalidate(), true, "the first answer, \(what)")
            for _ in 0..<2 { stage.equal(token.invalidate(), false, "a later answer, \(what)") }
          }
          switch place {
          case .here: end()
          case .elsewhere: try stage.elsewhere { end() }
          case .queue: DispatchQueue(label: "another").sync { end() }
          case .write:
            realm.beginWrite()
            end()
            realm.cancelWrite()
          case .changed:
            realm.beginWrite()
            realm.vessel(2)!.price = 7
            end()
            realm.cancelWrite()
          }
          stage.equal(token.invalidate(), false, "the answer at home afterwards, \(what)")
          try stage.settle(realm)
          calls = 0
          try realm.write { RefKinds.change(realm, mark) }
          try stage.settle(realm)
          stage.equal(calls, 1_000, "calls of the other one, not of this, \(what)")
          stage.equal(other.invalidate(), true, "the first answer of the other, \(what)")
          stage.equal(other.invalidate(), false, "the second answer of the other, \(what)")
        }
      }
    }
  }

  /// Ended within its own call, and once more there.
  static let endsInCalls = Probe("a token of each kind ends itself in its call") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    for (number, ear) in EachListener.all.enumerated() {
      var token: NotificationToken?
      var answers: [Bool] = []
      token = ear.listen(realm) {
        answers.append(token?.invalidate() ?? false)
        answers.append(token?.invalidate() ?? true)
      }
      try stage.settle(realm)
      for round in 0..<2 {
        try realm.write { RefKinds.change(realm, 2 * number + round + 1) }
        try stage.settle(realm)
        stage.equal(answers, [true, false], "the answers in its call, \(ear.name), round \(round)")
      }
      stage.equal(token?.invalidate(), false, "the answer afterwards, \(ear.name)")
      token = nil
    }
  }

  /// Each thing observed on a queue, ended before the queue has come to it.
  static let early: [Probe] = Outposts.ways.filter { $0.name.hasSuffix("on a queue") }.map { way in
    Probe("ended before its queue has heard of it: \(way.name)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      let queue = DispatchQueue(label: "listener")
      let release = Latch("the queue's way")
      stage.later(on: queue) { _ = release.wait(stage.patience) }
      let early = way.find(realm)(queue)
      let dropped = way.find(realm)(queue)
      stage.equal(early.invalidate(), true, "the answer")
      stage.equal(early.invalidate(), false, "the second answer")
      try stage.elsewhere { stage.equal(dropped.invalidate(), true, "the answer elsewhere") }
      release.open()
      queue.sync {}
      try realm.write { realm.vessel(1)!.number = 7 }
      try stage.settle(realm)
      queue.sync {}
      stage.equal(early.invalidate(), false, "the answer in the end")
      stage.equal(dropped.invalidate(), false, "the answer of the other in the end")
    }
  }

  /// Nobody is called of those that ended before their queue had heard of them.
  static let earlyIsSilent = Probe("who ended before its queue knew is never called") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let vessel = realm.vessel(1)!
    let queue = DispatchQueue(label: "listener")
    var calls: [String] = []
    var kept: [NotificationToken] = []
    for round in 1...2 {
      let release = Latch("the queue's way, round \(round)")
      stage.later(on: queue) { _ = release.wait(stage.patience) }
      let paths = ["number"]
      let tokens: [(String, NotificationToken)] = [
        (
          "an object",
          vessel.observe(on: queue) { (_: ObjectChange<Vessel>) in calls.append("an object") }
        ),
        (
          "an object by a path",
          vessel.observe(keyPaths: paths, on: queue) { (_: ObjectChange<Vessel>) in
            calls.append("an object by a path")
          }
        ),
        ("results", realm.objects(Vessel.self).observe(on: queue) { _ in calls.append("results") }),
        (
          "results by a path",
          realm.objects(Vessel.self).observe(keyPaths: paths, on: queue) { _ in
            calls.append("results by a path")
          }
        ),
        ("a list", vessel.links.observe(on: queue) { _ in calls.append("a list") }),
        ("a list of texts", vessel.texts.observe(on: queue) { _ in calls.append("texts") }),
        ("a set", vessel.labels.observe(on: queue) { _ in calls.append("a set") }),
        ("a map", vessel.titles.observe(on: queue) { _ in calls.append("a map") }),
        (
          "links backwards",
          vessel.throughLink.observe(on: queue) { _ in calls.append("backwards") }
        ),
        (
          "sections",
          realm.objects(Vessel.self).sectioned(by: \.number).observe(on: queue) { _ in
            calls.append("sections")
          }
        ),
      ]
      for (name, token) in tokens {
        stage.equal(token.invalidate(), true, "the first answer of \(name), round \(round)")
        stage.equal(token.invalidate(), false, "the second answer of \(name), round \(round)")
      }
      let witness = Latch("the call of the listener that goes on")
      kept.append(realm.objects(Vessel.self).observe(on: queue) { _ in witness.open() })
      release.open()
      try stage.wait(for: witness)
      try realm.write {
        (vessel.number, vessel.text) = (round, "new \(round)")
        vessel.texts.append("new")
        vessel.labels.insert("new \(round)")
        vessel.titles["new"] = "\(round)"
      }
      for _ in 0..<3 {
        try stage.settle(realm)
        queue.sync {}
      }
      stage.equal(queue.sync { calls }, [], "who was called of those that had ended")
    }
    for token in kept { token.invalidate() }
  }

  /// Each kind of token of a realm of another file, or of another home.
  static let strangers: [Probe] = EachListener.all.enumerated().map { number, ear in
    let verb = number % 2 == 0 ? "write" : "commitWrite"
    return Probe(
      "a token of \(ear.name) of another realm, in \(verb)",
      refusing: ["Incorrect Realm: only notifications for the Realm being modified can be skipped"]
    ) { stage in
      let one = try RefKinds.stocked(stage, "one")
      let two = try RefKinds.stocked(stage, "two")
      let (own, token) = (ear.listen(two) {}, ear.listen(one) {})
      stage.act {
        if verb == "write" {
          try two.write(withoutNotifying: [own, token]) { two.vessel(1)!.number = 7 }
        } else {
          two.beginWrite()
          two.vessel(1)!.number = 7
          try two.commitWrite(withoutNotifying: [own, token])
        }
      }
    }
  }

  // MARK: What may not be observed

  /// Each thing, each way, of a realm that does not change.
  static let ofReadOnly: [Probe] = Outposts.ways.map { way in
    .dies(
      "of a read-only realm: \(way.name)",
      saying: "Read-only Realms do not change and do not have change notifications"
    ) { stage in
      try stage.elsewhere { _ = try Vessel.stocked(stage) }
      var configuration = Vessel.configuration(stage)
      configuration.readOnly = true
      let observe = way.find(try Realm(configuration: configuration))
      stage.act { use(observe(DispatchQueue(label: "listener"))) }
    }
  }

  /// Each thing, each way, of a frozen realm.
  static let ofFrozen: [Probe] = Outposts.ways.map { way in
    .dies("frozen: \(way.name)", saying: Words.frozenNews) { stage in
      let realm = try Vessel.stocked(stage)
      let observe = way.find(realm.freeze())
      stage.act { use(observe(DispatchQueue(label: "listener"))) }
    }
  }

  /// Each thing in a write that has changed something.
  static let inWrites: [Probe] = Outposts.ways.filter {
    !$0.name.hasSuffix("on a queue") && $0.name != "a realm"
  }.map { way in
    .dies(
      "in a write that has changes: \(way.name)",
      saying: "Cannot create asynchronous query after making changes in a write transaction"
    ) { stage in
      let realm = try Vessel.stocked(stage)
      let early = way.find(realm)
      realm.beginWrite()
      realm.vessel(2)!.text = "new"
      stage.act { use(early(DispatchQueue(label: "listener"))) }
    }
  }

  /// Each thing of no realm.
  static let ofNobody: [Probe] = {
    let words = [
      "Only objects which are managed by a Realm support change notifications",
      "Change notifications are only supported on managed collections",
    ]
    let acts: [(String, @Sendable (Vessel, DispatchQueue?) -> Void)] = [
      (
        "an object",
        { vessel, queue in use(vessel.observe(on: queue) { (_: ObjectChange<Vessel>) in }) }
      ),
      (
        "an object by a path",
        { vessel, queue in
          use(vessel.observe(keyPaths: ["number"], on: queue) { (_: ObjectChange<Vessel>) in })
        }
      ),
      (
        "an embedded object",
        { vessel, queue in use(vessel.part!.observe(on: queue) { (_: ObjectChange<Part>) in }) }
      ),
      ("a list of objects", { use($0.links.observe(on: $1) { _ in }) }),
      (
        "a list of objects by a path",
        { use($0.links.observe(keyPaths: ["number"], on: $1) { _ in }) }
      ),
      ("a list of texts", { use($0.texts.observe(on: $1) { _ in }) }),
      ("a set of objects", { use($0.group.observe(on: $1) { _ in }) }),
      ("a set of texts", { use($0.labels.observe(on: $1) { _ in }) }),
      ("a map of objects", { use($0.named.observe(on: $1) { _ in }) }),
      ("a map of texts", { use($0.titles.observe(on: $1) { _ in }) }),
    ]
    return acts.flatMap { name, act in
      [false, true].map { onQueue in
        Probe("\(name) without a realm\(onQueue ? ", on a queue" : "")", refusing: words) { stage in
          let vessel = Vessel(id: 1)
          vessel.part = Part(text: "part")
          stage.act { act(vessel, onQueue ? DispatchQueue(label: "listener") : nil) }
        }
      }
    }
  }()
}
