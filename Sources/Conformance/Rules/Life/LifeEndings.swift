import EngineUnderTest
import Foundation
import Harness

/// What somebody may have of a vessel's realm, and how it is asked whether it is gone.
private let belongings: [(name: String, take: @Sendable (Realm) -> () -> Bool)] = [
  (
    "an object",
    {
      let one = $0.vessel(1)!
      return { one.isInvalidated }
    }
  ),
  (
    "another object",
    {
      let one = $0.vessel(2)!
      return { one.isInvalidated }
    }
  ),
  (
    "an embedded object",
    {
      let one = $0.vessel(1).part!
      return { one.isInvalidated }
    }
  ),
  (
    "an embedded object in a list",
    {
      let one = $0.vessel(1).parts[1]
      return { one.isInvalidated }
    }
  ),
  (
    "a list",
    {
      let some = $0.vessel(1).numbers
      return { some.isInvalidated }
    }
  ),
  (
    "a list of objects",
    {
      let some = $0.vessel(1).links
      return { some.isInvalidated }
    }
  ),
  (
    "a list of embedded objects",
    {
      let some = $0.vessel(1).parts
      return { some.isInvalidated }
    }
  ),
  (
    "a set",
    {
      let some = $0.vessel(1).labels
      return { some.isInvalidated }
    }
  ),
  (
    "a set of objects",
    {
      let some = $0.vessel(1).group
      return { some.isInvalidated }
    }
  ),
  (
    "a map",
    {
      let some = $0.vessel(1).titles
      return { some.isInvalidated }
    }
  ),
  (
    "a map of objects",
    {
      let some = $0.vessel(1).named
      return { some.isInvalidated }
    }
  ),
  (
    "results",
    {
      let some = $0.objects(Vessel.self)
      return { some.isInvalidated }
    }
  ),
  (
    "a filter",
    {
      let some = $0.objects(Vessel.self).where { $0.id == 1 }
      use(some.count)
      return { some.isInvalidated }
    }
  ),
  (
    "a sort that nobody has asked",
    {
      let some = $0.objects(Vessel.self).sorted(byKeyPath: "name")
      return { some.isInvalidated }
    }
  ),
]

extension Probe {
  /// Whatever a realm has been through: `invalidate()` takes all that anybody has of it, lets its
  /// version go, and what is asked next is of the newest one.
  static let invalidatedWhatever = Probe(
    "invalidate() takes all that is held, and its version, whatever has been"
  ) { stage in
    Backstage.hooks?.record()
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    for autorefresh in [true, false] {
      for preamble in Preamble.allCases where Backstage.hooks != nil || preamble != .failed {
        realm.autorefresh = autorefresh
        let early = belongings.map { $0.take(realm) }
        let isLost = preamble == .invalidated
        try preamble.pass(stage, realm)
        let late = belongings.map { $0.take(realm) }
        let what = "\(preamble.rawValue), autorefresh \(autorefresh)"
        for (place, one) in belongings.enumerated() {
          stage.equal(early[place](), isLost, "whether \(one.name) of before is gone by \(what)")
          stage.equal(late[place](), false, "whether \(one.name) is gone after \(what)")
        }
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { other.vessel(2).number += 1 }
        }
        realm.invalidate()
        for (place, one) in belongings.enumerated() {
          stage.equal(
            [early[place](), late[place]()], [true, true],
            "whether \(one.name) is gone by invalidate() after \(what)")
        }
        stage.equal(
          realm.dump, try stage.elsewhere { try Realm(configuration: configuration).dump },
          "what is read next after \(what)")
        try realm.write { realm.vessel(2).number += 1 }
        stage.equal(
          try stage.elsewhere { try Realm(configuration: configuration).vessel(2).number },
          realm.vessel(2).number, "what is written next after \(what)")
      }
    }
  }

  /// In each kind of write, after each kind of change.
  static let invalidatedWrites = Probe(
    "invalidate() takes back whatever a write of any kind has done, and lets others write"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    let ways = ["beginWrite", "write", "writeAsync", "beginAsyncWrite"]
    for (number, change) in Change.all.enumerated() where stage.isDue(number, of: 2) {
      try realm.write {
        realm.deleteAll()
        Vessel.stock(realm)
      }
      let before = realm.dump
      let kept = belongings.map { $0.take(realm) }
      var added: Vessel?
      let body = {
        change.prepare(realm.vessel(1))()
        added = realm.create(Vessel.self, value: ["id": 77] as [String: Any])
        realm.delete(realm.vessel(2))
        realm.invalidate()
        stage.equal(realm.isInWriteTransaction, false, "whether the write goes on")
      }
      let turn = stage.turn(of: ways.count, apart: 2)
      let way = ways[(number / 2 + turn) % ways.count]
      var isDone = false
      switch way {
      case "beginWrite":
        realm.beginWrite()
        body()
        isDone = true
      case "write":
        try realm.write { body() }
        isDone = true
      case "writeAsync":
        realm.writeAsync {
          body()
          isDone = true
        }
      default:
        realm.beginAsyncWrite {
          body()
          isDone = true
        }
      }
      try stage.spin(until: { isDone }, "the block of \(way)")
      let what = "after \(change.name) in \(way)"
      stage.equal(added?.isInvalidated, true, "whether what was added is gone \(what)")
      for (place, one) in belongings.enumerated() {
        stage.equal(kept[place](), true, "whether \(one.name) is gone \(what)")
      }
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        stage.equal(other.dump, before, "what is there elsewhere \(what)")
        try other.write { other.vessel(2).number = number }
      }
      realm.refresh()
      stage.equal(realm.vessel(2)?.number, number, "what another one has written \(what)")
      stage.equal(realm.vessel(77) == nil, true, "whether nobody is under the key \(what)")
    }
  }

  /// In the call of each kind of listener, at home and on a queue.
  static let invalidatedInCalls: [Probe] = VesselEar.all.map { ear in
    Probe("invalidate() in the call of a listener of \(ear.name) is ignored") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Vessel.stocked(stage)
      let configuration = realm.configuration
      let kept = belongings.map { $0.take(realm) }
      let vessel = realm.vessel(1)!
      var (calls, others) = (0, 0)
      var gone: [String] = []
      let tokens = [
        ear.listen(realm) {
          realm.invalidate()
          calls += 1
          gone += zip(belongings, kept).filter { $0.1() }.map(\.0.name)
          use(vessel.dump)
        },
        realm.objects(Vessel.self).observe { _ in others += 1 },
      ]
      try stage.spin(until: { others == 1 }, "the first calls")
      for round in 1...4 {
        let before = (calls, others)
        let change = { (one: Realm) in
          let first = one.vessel(1)!
          first.number = round + 1
          first.numbers.append(round)
          first.titles["\(round)"] = "title"
          one.vessel(2).number = round + 1
        }
        if round % 2 == 0 {
          try realm.write { change(realm) }
        } else {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other) }
          }
        }
        if round == 3 { realm.refresh() }
        try stage.spin(
          until: { calls > before.0 && others > before.1 }, "the calls of round \(round)")
        stage.equal(gone, [], "what is gone in the call of \(ear.name) in round \(round)")
        stage.equal(
          zip(belongings, kept).filter { $0.1() }.map(\.0.name), [],
          "what is gone after the call of \(ear.name) in round \(round)")
        stage.equal(vessel.number, round + 1, "the number in round \(round)")
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// What somebody does who has the file open elsewhere, and goes: who stays keeps all.
  static let neighboursEnd = Probe("whoever goes, and however, all others keep what they have") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    let kept = belongings.map { $0.take(realm) }
    let before = realm.dump
    let frozen = realm.freeze()
    let told = CallCounts()
    let tokens = VesselEar.all.map { ear in ear.listen(realm) { told.count(ear.name) } }
    try stage.spin(until: { told.of("sections") == 1 && told.of("a map") == 1 }, "the first calls")
    let ends: [(String, (Realm) throws -> Void)] = [
      ("is let go", { use($0.dump) }),
      ("is invalidated", { $0.invalidate() }),
      (
        "is invalidated twice, and read",
        { one in
          one.invalidate()
          use(one.dump)
          one.invalidate()
        }
      ),
      (
        "is invalidated in a write",
        { one in
          one.beginWrite()
          one.deleteAll()
          one.invalidate()
        }
      ),
      (
        "is let go in a write",
        { one in
          one.beginWrite()
          one.deleteAll()
        }
      ),
      ("has its frozen realm invalidated", { $0.freeze().invalidate() }),
      (
        "has what it froze, and is invalidated",
        { one in
          let (frozen, object) = (one.freeze(), one.vessel(1)!.freeze())
          let dump = one.dump
          one.invalidate()
          stage.equal(frozen.dump, dump, "what it had frozen")
          stage.equal(object.id, 1, "the object that it had frozen")
        }
      ),
      ("has autorefresh turned off", { $0.autorefresh = false }),
    ]
    for (name, end) in ends {
      for onQueue in [false, true] {
        if onQueue {
          let queue = DispatchQueue(label: "who goes")
          try queue.sync {
            let other = try Realm(configuration: configuration, queue: queue)
            use(other.vessel(1).number)
            try end(other)
          }
        } else {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            use(other.vessel(1).number)
            try end(other)
          }
        }
        let what = "when another one \(name)"
        stage.equal(
          zip(belongings, kept).filter { $0.1() }.map(\.0.name), [], "what is gone \(what)")
        stage.equal(realm.dump, before, "what is there \(what)")
        stage.equal(frozen.dump, before, "what is frozen \(what)")
        stage.equal(realm.isInWriteTransaction, false, "whether this one is in a write \(what)")
        stage.equal(realm.autorefresh, true, "whether this one follows \(what)")
      }
    }
    let counts = told.all
    try stage.elsewhere {
      let other = try Realm(configuration: configuration)
      try other.write {
        let one = other.vessel(1)!
        one.number = 2
        one.numbers.append(7)
        one.titles["seven"] = "7"
        other.vessel(2).number = 3
      }
    }
    try stage.spin(
      until: { VesselEar.all.allSatisfy { told.of($0.name) > counts[$0.name] ?? 0 } },
      "the calls of all listeners in the end")
    stage.equal(realm.vessel(2).number, 3, "the number in the end")
    for token in tokens { token.invalidate() }
  }
}
