import EngineUnderTest
import Foundation
import Harness

extension Vessel {
  /// Everything in it, and who leads to it, as one line that can be compared.
  var dump: String {
    let values: [String] = [
      "\(id) \(number) \(maybe.map(String.init) ?? "nil") '\(text)' '\(name)'",
      "'\(maybeText ?? "nil")' \(data.count) \(maybeData?.count ?? -1) \(ratio)",
      "\(day.timeIntervalSince1970) \(mark) \(price) \(truth)", Vessel.words(mixed),
      "link \(link?.id ?? -1)",
      "links \(links.map(\.id))", "group \(group.map(\.id).sorted())",
      "named \(Vessel.sorted(named) { "\($0?.id ?? -1)" })",
      "numbers \(Array(numbers))", "texts \(Array(texts))", "labels \(Array(labels).sorted())",
      "titles \(Vessel.sorted(titles) { $0 })", "blobs \(blobs.map { Array($0) })",
      "mixture \(mixture.map(Vessel.words))", "mixedSet \(mixedSet.map(Vessel.words).sorted())",
      "mixedMap \(Vessel.sorted(mixedMap, Vessel.words))",
      "part \(part?.dump ?? "nil")", "parts \(parts.map(\.dump))",
      "partMap \(Vessel.sorted(partMap) { $0?.dump ?? "nil" })",
      "through \(throughLink.map(\.id).sorted()) \(throughLinks.map(\.id).sorted())",
    ]
    return values.joined(separator: ", ")
  }

  private static func sorted<Value>(_ map: Map<String, Value>, _ words: (Value) -> String)
    -> String
  {
    map.keys.sorted().map { key in "\(key)=\(map[key].map(words) ?? "missing")" }
      .joined(separator: " ")
  }

  fileprivate static func words(_ value: AnyRealmValue) -> String {
    if let list = value.listValue { return "[\(list.map(words).joined(separator: " "))]" }
    if let map = value.dictionaryValue { return "{\(sorted(map, words))}" }
    if case .object(let object) = value { return "vessel \((object as? Vessel)?.id ?? -1)" }
    return "\(value)"
  }
}

extension Part {
  fileprivate var dump: String {
    "'\(text)' \(link?.id ?? -1) \(Vessel.words(mixed)) \(Array(texts))"
  }
}

extension Realm {
  /// The same without what is another one in each file: every vessel's own mark.
  var unmarked: String {
    objects(Vessel.self).reduce(dump) { dump, vessel in
      dump.replacingOccurrences(of: vessel.mark.uuidString, with: "a mark")
    }
  }

  /// All vessels of it.
  var dump: String {
    objects(Vessel.self).sorted(byKeyPath: "id").map(\.dump).joined(separator: "; ")
  }
}

/// Who looks on while something is changed, and what each of them must see.
private final class Sight {
  let stage: Stage
  let realm: Realm
  let queue = DispatchQueue(label: "who stays")
  var stays: Realm?

  init(_ stage: Stage) throws {
    self.stage = stage
    Backstage.hooks?.skipFlushes()
    realm = try Vessel.stocked(stage)
    realm.autorefresh = false
    let configuration = realm.configuration
    try queue.sync {
      stays = try Realm(configuration: configuration, queue: queue)
      stays!.autorefresh = false
    }
  }

  /// Back to what it was at first.
  func restock() throws {
    try realm.write {
      realm.deleteAll()
      Vessel.stock(realm)
    }
    queue.sync { _ = stays!.refresh() }
  }

  func elsewhere(_ change: @escaping @Sendable (Vessel) -> Void) throws {
    let configuration = realm.configuration
    try stage.elsewhere {
      let other = try Realm(configuration: configuration)
      try other.write { change(other.vessel(1)!) }
    }
  }

  func leave() { queue.sync { stays = nil } }
}

extension Probe {
  /// Each change, committed here or elsewhere: who has an older version keeps all of it, and all
  /// others have the new one.
  static let changesBesideOlderVersions = Probe(
    "each change that there is leaves older versions as they are, and comes to all others"
  ) { stage in
    let sight = try Sight(stage)
    let realm = sight.realm
    for (number, change) in Change.all.enumerated() {
      for isForeign in [false, true]
      where stage.isDue(number + (isForeign ? 0 : 1), of: 2) {
        try sight.restock()
        let before = realm.dump
        let frozen = realm.freeze()
        let vessel = realm.vessel(1)!.freeze()
        let what = "\(change.name)\(isForeign ? ", elsewhere" : "")"
        // Some have been read before, some have not.
        if stage.isTurn(number, of: 3) {
          stage.equal(frozen.dump, before, "what is frozen, at once")
        }
        if isForeign {
          try sight.elsewhere { change.prepare($0)() }
          stage.equal(realm.dump, before, "before a refresh, of \(what)")
          realm.refresh()
        } else {
          try realm.write { change.prepare(realm.vessel(1)!)() }
        }
        let after = realm.dump
        stage.equal(frozen.dump, before, "what is frozen, after \(what)")
        stage.equal(
          vessel.dump, frozen.vessel(1)!.dump, "the frozen object, after \(what)")
        sight.queue.sync {
          stage.equal(sight.stays!.dump, before, "where nobody refreshed, after \(what)")
          sight.stays!.refresh()
          stage.equal(sight.stays!.dump, after, "refreshed, after \(what)")
        }
        let configuration = realm.configuration
        let seen = try stage.elsewhere { try Realm(configuration: configuration).dump }
        stage.equal(seen, after, "on another thread, after \(what)")
        stage.equal(vessel.thaw()?.dump, realm.vessel(1)?.dump, "thawed, after \(what)")
      }
    }
    sight.leave()
  }

  /// Each change, taken back in each way.
  static let changesTakenBack = Probe("each change that there is can be taken back, all of it") {
    stage in
    struct Unwanted: Error {}
    let sight = try Sight(stage)
    let realm = sight.realm
    try sight.restock()
    let before = realm.dump
    var told = 0
    let tokens = [
      realm.observe { _, _ in told += 1 }, realm.objects(Vessel.self).observe { _ in told += 1 },
      realm.vessel(1)!.observe { (_: ObjectChange<Vessel>) in told += 1 },
    ]
    try stage.spin(until: { told == 1 }, "the first call")
    let vessel = realm.vessel(1)!
    for change in Change.all {
      for way in ["cancelWrite", "an error"] {
        switch way {
        case "cancelWrite":
          realm.beginWrite()
          change.prepare(vessel)()
          realm.cancelWrite()
        default:
          _ = try? realm.write {
            change.prepare(vessel)()
            throw Unwanted()
          }
        }
        stage.equal(realm.dump, before, "what is there after \(change.name), \(way)")
      }
      realm.refresh()
    }
    stage.equal(told, 1, "how often anybody was told")
    let configuration = realm.configuration
    stage.equal(
      try stage.elsewhere { try Realm(configuration: configuration).dump }, before,
      "what another thread sees")
    for token in tokens { token.invalidate() }
    sight.leave()
  }

  /// Each change, committed here or elsewhere: whoever listens hears of it, if it is one.
  static let changesTold = Probe("each change that there is, is told") { stage in
    let sight = try Sight(stage)
    let realm = sight.realm
    for (number, change) in Change.all.enumerated() {
      for isForeign in [false, true]
      where stage.isDue(number + (isForeign ? 0 : 1), of: 2) {
        try sight.restock()
        let vessel = realm.vessel(1)!
        var told: [String: Int] = [:]
        func watch<C: RealmCollection>(_ name: String, _ members: C) -> NotificationToken {
          told[name] = -1
          return members.observe { _ in told[name]! += 1 }
        }
        told["the object"] = 0
        let tokens = [
          watch("all", realm.objects(Vessel.self)),
          watch("a filter", realm.objects(Vessel.self).where { $0.id == 1 }),
          watch("sorted results", realm.objects(Vessel.self).sorted(byKeyPath: "id")),
          watch("a list with it", realm.vessel(2)!.links),
          vessel.observe { (_: ObjectChange<Vessel>) in told["the object"]! += 1 },
        ]
        try stage.spin(until: { !told.values.contains(-1) }, "the first calls")
        let before = vessel.dump
        if isForeign {
          try sight.elsewhere { change.prepare($0)() }
        } else {
          try realm.write { change.prepare(vessel)() }
        }
        realm.refresh()
        let isChange = vessel.dump != before
        for (name, count) in told where isChange {
          // Of what is embedded an object's own listener hears or does not.
          if name == "the object", change.place == .part || change.name.contains("embedded") {
            continue
          }
          stage.equal(count, 1, "how often \(name) is told of \(change.name), \(isForeign)")
        }
        for token in tokens { token.invalidate() }
      }
    }
    sight.leave()
  }

  /// Each read, where another has committed or is about to: the realm stays where it is.
  static let readsStandStill = Probe("no read moves a realm, whichever is asked") { stage in
    let sight = try Sight(stage)
    let realm = sight.realm
    for look in Look.all where look.name != "observe()" {
      let before = realm.vessel(1)!.number
      let call = look.prepare(realm.vessel(1)!)
      sight.queue.sync {
        do { try sight.stays!.write { sight.stays!.vessel(1)!.number += 1 } } catch {
          stage.fail(expected: "a commit", observed: "\(error)")
        }
        sight.stays!.beginWrite()
        sight.stays!.vessel(1)!.number = -7
      }
      call()
      stage.equal(realm.vessel(1)!.number, before, "the number after \(look.name)")
      sight.queue.sync { sight.stays!.cancelWrite() }
      call()
      stage.equal(realm.vessel(1)!.number, before, "the number after \(look.name) again")
      realm.refresh()
      stage.equal(realm.vessel(1)!.number, before + 1, "the number after a refresh")
    }
    sight.leave()
  }

  /// Each read of what is frozen, anywhere, whatever has become of the live realm.
  static let readsOfFrozen = Probe("each read of what is frozen can be made anywhere, for ever") {
    stage in
    let sight = try Sight(stage)
    let looks = Look.all.filter { !$0.name.hasSuffix("observe()") }
    let realm = sight.realm
    let frozen = realm.vessel(1)!.freeze()
    let before = frozen.dump
    let calls = looks.map { $0.prepare(frozen) }
    for round in 0..<3 {
      if round == 1 { try realm.write { realm.deleteAll() } }
      if round == 2, Engine.offersReins { realm.invalidate() }
      for call in calls { call() }
      for look in looks { look.prepare(frozen)() }
      try stage.elsewhere {
        for call in calls { call() }
        for look in looks { look.prepare(frozen)() }
        stage.equal(frozen.dump, before, "what is frozen, elsewhere, in round \(round)")
      }
      stage.equal(frozen.dump, before, "what is frozen, in round \(round)")
    }
    sight.leave()
  }

  private static let refusalsOfTheInvalid = [
    Words.invalidated, "is no longer valid", "Access to invalidated", "has been invalidated",
    "invalidated",
  ]

  /// Each read of what is gone: by `invalidate()`, by the closing of a frozen realm.
  static func readsOfTheInvalid(frozen: Bool) -> [Probe] {
    // Freezing and making a reference are no reads.
    let reads = Look.all.filter { look in
      !["freeze()", "a reference to it", "observe()"].contains { look.name.hasSuffix($0) }
    }
    return reads.enumerated().filter { $0.offset % (frozen ? 4 : 3) == 0 }.map { _, look in
      Probe(
        "\(look.name), \(frozen ? "frozen and closed" : "invalidated")",
        refusing: refusalsOfTheInvalid
      ) { stage in
        let realm = try Vessel.stocked(stage)
        let home = frozen ? realm.freeze() : realm
        let call = look.prepare(home.vessel(1)!)
        home.invalidate()
        stage.act { call() }
      }
    }
  }

  /// Each read of an object that was deleted, here or elsewhere, and what belonged to it.
  static let readsOfTheDeleted: [Probe] = Look.all.filter(\.isOfObject).enumerated().map {
    number, look in
    Probe("\(look.name), of what was deleted", refusing: refusalsOfTheInvalid) { stage in
      let realm = try Vessel.stocked(stage)
      let call = look.prepare(realm.vessel(1)!)
      if stage.isTurn(number, of: 2) {
        try realm.write { realm.delete(realm.vessel(1)!) }
      } else {
        let configuration = realm.configuration
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write {
            other.delete(other.vessel(1)!)
            other.add(Vessel(id: 1))
          }
        }
        realm.refresh()
      }
      stage.act { call() }
    }
  }
}
