import EngineUnderTest
import Evidence
import Foundation

/// Types of the app's own, stored as others: kept, collected and asked for as what they are.
enum Customs {
  private static func draw(_ chance: inout SeededGenerator) -> Station.Facts {
    func warmth() -> Double { Double(chance.below(9) - 4) / 2 }
    func parts() -> [String] {
      (0..<chance.below(3)).map { _ in ["a", "b", "c", "bd"][chance.below(4)] }
    }
    var facts = Station.Facts()
    (facts.warmth, facts.trail) = (warmth(), parts())
    facts.highest = chance.below(3) == 0 ? nil : warmth()
    facts.maybeTrail = chance.below(3) == 0 ? nil : parts()
    facts.even = 2 * (chance.below(7) - 3)
    facts.maybeEven = chance.below(3) == 0 ? nil : 2 * (chance.below(7) - 3)
    facts.spot = chance.below(3) == 0 ? nil : [chance.below(9), chance.below(9)]
    facts.readings = (0..<chance.below(5)).map { _ in warmth() }
    facts.maybes = (0..<chance.below(4)).map { _ in chance.below(3) == 0 ? nil : warmth() }
    facts.trails = Set((0..<chance.below(4)).map { _ in parts() })
    for key in ["x", "y", ""] where chance.below(2) == 0 { facts.days[key] = warmth() }
    for key in ["x", "y"] where chance.below(2) == 0 {
      facts.maybeDays[key] = .some(chance.below(3) == 0 ? nil : parts())
    }
    return facts
  }

  /// What `create` takes: the values themselves, or what is stored of them.
  private static func described(_ id: Int, _ facts: Station.Facts, raw: Bool) -> [String: Any] {
    func none() -> Any { NSNull() }
    func warmth(_ degrees: Double) -> Any { raw ? degrees as Any : Warmth(degrees) }
    func trail(_ parts: [String]) -> Any {
      let text = parts.joined(separator: "/")
      return raw ? text as Any : Trail(persistedValue: text)
    }
    func even(_ number: Int) -> Any { raw ? number as Any : Even(number / 2) }
    func spot(_ place: [Int]) -> Any {
      raw ? ["x": place[0], "y": place[1]] as [String: Int] : Spot(place[0], place[1])
    }
    var values: [String: Any] = ["id": id]
    values["warmth"] = warmth(facts.warmth)
    values["highest"] = facts.highest.map(warmth) ?? none()
    values["trail"] = trail(facts.trail)
    values["maybeTrail"] = facts.maybeTrail.map(trail) ?? none()
    values["even"] = even(facts.even)
    values["maybeEven"] = facts.maybeEven.map(even) ?? none()
    values["spot"] = facts.spot.map(spot) ?? none()
    values["readings"] = facts.readings.map(warmth)
    values["maybes"] = facts.maybes.map { $0.map(warmth) ?? none() }
    values["trails"] = facts.trails.map(trail)
    values["days"] = facts.days.mapValues(warmth)
    values["maybeDays"] = facts.maybeDays.mapValues { $0.map(trail) ?? none() }
    return values
  }

  // MARK: Kept

  static let kept = Probe("types of the app's own keep each value and each null, in each place") {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = Station.configuration(stage)
    var chance = stage.chance
    let realm = try Realm(configuration: configuration)
    let plain = Station()
    stage.equal(plain.facts, Station.Facts(), "what a new one has")
    var expected: [Int: Station.Facts] = [:]
    func look(_ realm: Realm, _ moment: String) {
      for (id, facts) in expected {
        let station = realm.station(id)!
        stage.equal(station.facts, facts, "what \(id) has \(moment)")
        if id % 7 == 0 {
          stage.equal(Station(value: station).facts, facts, "a copy of \(id) \(moment)")
        }
      }
      stage.equal(realm.objects(Station.self).count, expected.count, "how many \(moment)")
    }
    for round in 0..<4 {
      try realm.write {
        for number in 0..<20 {
          let id = 20 * round + number
          let facts = draw(&chance)
          switch number % 5 {
          case 0:
            let station = Station()
            station.id = id
            station.set(facts)
            stage.equal(station.facts, facts, "what \(id) has without a realm")
            realm.add(station)
          case 1: realm.create(Station.self, value: described(id, facts, raw: false))
          case 2: realm.create(Station.self, value: described(id, facts, raw: true))
          case 3: realm.add(Station(value: described(id, facts, raw: number % 2 == 0)))
          default:
            realm.create(Station.self, value: ["id": id])
            realm.station(id).set(facts)
          }
          expected[id] = facts
        }
        look(realm, "in write \(round)")
      }
      look(realm, "after write \(round)")
      // Another's values over it, by each policy; and some that go.
      try realm.write {
        for id in expected.keys.sorted() where id % 4 == round {
          let facts = draw(&chance)
          let policy: Realm.UpdatePolicy = id % 8 < 4 ? .modified : .all
          realm.create(
            Station.self, value: described(id, facts, raw: id % 3 == 0), update: policy)
          expected[id] = facts
        }
        for id in [20 * round + 3, 20 * round + 11] {
          realm.delete(realm.station(id))
          expected[id] = nil
        }
      }
      look(realm, "after the update \(round)")
      let frozen = realm.freeze()
      realm.beginWrite()
      for id in expected.keys.sorted() where id % 2 == 0 { realm.station(id).set(draw(&chance)) }
      look(frozen, "frozen")
      realm.cancelWrite()
      look(realm, "after a cancelled write")
      try stage.elsewhere { look(try Realm(configuration: configuration), "elsewhere") }
    }
  }

  /// What is stored where no value has it.
  static let impossible = Probe("what is stored and makes no value is nil where nil may be") {
    stage in
    let realm = try Realm(configuration: Station.configuration(stage))
    try realm.write {
      for id in 0..<6 {
        realm.create(Station.self, value: ["id": id])
        // By the name of its class it is what is stored.
        realm.dynamicObject(ofType: "Station", forPrimaryKey: id)!["maybeEven"] = id
      }
    }
    for home in [realm, realm.freeze()] {
      stage.equal(
        home.objects(Station.self).map { $0.maybeEven?.number }, [0, nil, 2, nil, 4, nil],
        "what makes a value and what does not, frozen: \(home.isFrozen)")
    }
    stage.equal(
      realm.objects(Station.self).filter("maybeEven == 3").map(\.id), [3], "who has what is stored")
    stage.equal(
      Array(realm.objects(Station.self).where { $0.maybeEven == nil }.map(\.id)), [],
      "who has nothing stored")
    try realm.write { realm.station(3).maybeEven = Even(4) }
    stage.equal(realm.station(3).maybeEven, Even(4), "what is set over it")
  }

  // MARK: Collected

  static let collected = Probe("lists, sets and maps of the app's own types, beside plain ones") {
    stage in
    Backstage.hooks?.skipFlushes()
    var chance = stage.chance
    let realm = try Realm(configuration: Station.configuration(stage))
    try realm.write { realm.create(Station.self, value: ["id": 0]) }
    let station = realm.station(0)!
    for isManaged in [false, true] {
      let owner = isManaged ? station : Station()
      var (list, set): ([Double], Set<[String]>) = ([], [])
      var map: [String: Double] = [:]
      func look(_ moment: String, _ owner: Station) {
        let what = "\(moment), managed: \(isManaged)"
        stage.equal(owner.readings.map(\.degrees), list, "the list \(what)")
        stage.equal(owner.readings.first?.degrees, list.first, "the first \(what)")
        stage.equal(owner.readings.last?.degrees, list.last, "the last \(what)")
        for degrees in [-1.0, 0, 0.5] {
          stage.equal(
            owner.readings.index(of: Warmth(degrees)), list.firstIndex(of: degrees),
            "where \(degrees) is \(what)")
          stage.equal(
            owner.readings.contains(Warmth(degrees)), list.contains(degrees),
            "if it is there, \(what)")
        }
        stage.equal(Set(owner.trails.map(\.parts)), set, "the set \(what)")
        stage.equal(owner.trails.count, set.count, "how many are in the set \(what)")
        stage.equal(owner.trails.contains(Trail("a", "b")), set.contains(["a", "b"]), what)
        stage.equal(Set(owner.days.keys), Set(map.keys), "the keys \(what)")
        for key in ["", "x", "y"] {
          stage.equal(owner.days[key]?.degrees, map[key], "what '\(key)' has \(what)")
        }
      }
      func change() {
        let degrees = Double(chance.below(5) - 2) / 2
        let parts = [["a", "b"], ["a"], [], ["b"]][chance.below(4)]
        let trail = Trail(persistedValue: parts.joined(separator: "/"))
        let key = ["", "x", "y"][chance.below(3)]
        switch chance.below(list.count > 6 ? 14 : 8) {
        case 0, 1:
          owner.readings.append(Warmth(degrees))
          list.append(degrees)
        case 2:
          let place = chance.below(list.count + 1)
          owner.readings.insert(Warmth(degrees), at: place)
          list.insert(degrees, at: place)
        case 3:
          owner.trails.insert(trail)
          set.insert(parts)
        case 4:
          owner.trails.remove(trail)
          set.remove(parts)
        case 5:
          owner.days[key] = Warmth(degrees)
          map[key] = degrees
        case 6:
          owner.days[key] = nil
          map[key] = nil
        case 7 where !list.isEmpty, 8, 9:
          let place = chance.below(list.count)
          owner.readings[place] = Warmth(degrees)
          list[place] = degrees
        case 10, 11:
          let place = chance.below(list.count)
          owner.readings.remove(at: place)
          list.remove(at: place)
        case 12:
          owner.readings.move(from: 0, to: 2)
          list.insert(list.remove(at: 0), at: 2)
        default:
          owner.trails.removeAll()
          set = []
        }
      }
      for round in 0..<30 {
        if !isManaged {
          for _ in 0..<3 { change() }
          look("in round \(round)", owner)
          continue
        }
        let before = (list, set, map)
        realm.beginWrite()
        for _ in 0..<3 { change() }
        look("in write \(round)", owner)
        if round % 5 == 4 {
          realm.cancelWrite()
          (list, set, map) = before
        } else {
          try realm.commitWrite()
        }
        look("after write \(round)", owner)
        if round % 6 == 5 { look("frozen, after write \(round)", owner.freeze()) }
      }
    }
  }

  // MARK: Asked for

  private struct Ask {
    let name: String
    let swift: (Query<Station>) -> Query<Bool>
    /// Nil where only Swift can say it.
    let words: String?
    let holds: (Station.Facts) -> Bool
  }

  private static func asks() -> [Ask] {
    var all: [Ask] = [
      Ask(
        name: "an optional that is null", swift: { $0.highest == nil }, words: "highest == nil",
        holds: { $0.highest == nil }),
      Ask(
        name: "an optional that is not", swift: { $0.maybeTrail != nil },
        words: "maybeTrail != nil",
        holds: { $0.maybeTrail != nil }),
      Ask(
        name: "a text", swift: { $0.trail == Trail("a", "b") }, words: "trail == 'a/b'",
        holds: { $0.trail == ["a", "b"] }),
      Ask(
        name: "the beginning of a text", swift: { $0.trail.persistableValue.starts(with: "a") },
        words: "trail BEGINSWITH 'a'", holds: { $0.trail.first == "a" }),
      Ask(
        name: "one of a set", swift: { $0.trails.contains(Trail("b")) }, words: "ANY trails == 'b'",
        holds: { $0.trails.contains(["b"]) }),
      Ask(
        name: "how many", swift: { $0.readings.count > 2 }, words: "readings.@count > 2",
        holds: { $0.readings.count > 2 }),
    ]
    for degrees in [-1.0, 0, 0.5] {
      let warmth = Warmth(degrees)
      all += [
        Ask(
          name: "equal to \(degrees)", swift: { $0.warmth == warmth },
          words: "warmth == \(degrees)", holds: { $0.warmth == degrees }),
        Ask(
          name: "not equal to \(degrees)", swift: { $0.highest != warmth },
          words: "highest != \(degrees)", holds: { $0.highest != degrees }),
        Ask(
          name: "above \(degrees)", swift: { $0.warmth.persistableValue > degrees },
          words: "warmth > \(degrees)", holds: { $0.warmth > degrees }),
        Ask(
          name: "one of two with \(degrees)", swift: { $0.warmth.in([warmth, Warmth(1)]) },
          words: "warmth IN {\(degrees), 1.0}", holds: { [degrees, 1].contains($0.warmth) }),
        Ask(
          name: "a list with \(degrees)", swift: { $0.readings.contains(warmth) },
          words: "ANY readings == \(degrees)", holds: { $0.readings.contains(degrees) }),
        Ask(
          name: "a map with \(degrees)", swift: { $0.days.contains(warmth) },
          words: nil,
          holds: { $0.days.values.contains(degrees) }),
        Ask(
          name: "a key with \(degrees)", swift: { $0.days["x"] == warmth },
          words: "days['x'] == \(degrees)", holds: { $0.days["x"] == degrees }),
      ]
    }
    return all
  }

  static let asked = Probe("types of the app's own are found and sorted as what is stored") {
    stage in
    Backstage.hooks?.skipFlushes()
    var chance = stage.chance
    let realm = try Realm(configuration: Station.configuration(stage))
    var facts: [Station.Facts] = []
    try realm.write {
      for id in 0..<90 {
        facts.append(draw(&chance))
        let station = realm.create(Station.self, value: ["id": id])
        station.set(facts[id])
        if id % 3 > 0 { station.next = realm.station(id / 2) }
      }
    }
    for home in [realm, realm.freeze()] {
      let all = home.objects(Station.self)
      let when = "frozen: \(home.isFrozen)"
      for ask in asks() {
        let ids = facts.indices.filter { ask.holds(facts[$0]) }
        stage.equal(Array(all.where(ask.swift).map(\.id)), ids, "who has \(ask.name), \(when)")
        if let words = ask.words {
          stage.equal(Array(all.filter(words).map(\.id)), ids, "who has \(words), \(when)")
        }
        stage.equal(
          all.where { !ask.swift($0) }.count, 90 - ids.count, "who has not \(ask.name), \(when)")
      }
      stage.equal(
        Array(all.where { $0.next.warmth == Warmth(0) }.map(\.id)),
        facts.indices.filter { $0 % 3 > 0 && facts[$0 / 2].warmth == 0 },
        "whose next one has zero, \(when)")
      for up in [true, false] {
        let warmths = facts.map(\.warmth).sorted()
        stage.equal(
          all.sorted(byKeyPath: "warmth", ascending: up).map(\.warmth.degrees),
          up ? warmths : warmths.reversed(), "sorted by what is stored, up: \(up), \(when)")
        let texts = facts.map { $0.trail.joined(separator: "/") }.sorted()
        stage.equal(
          all.sorted(byKeyPath: "trail", ascending: up).map(\.trail.persistableValue),
          up ? texts : texts.reversed(), "sorted by a text, up: \(up), \(when)")
      }
      stage.equal(
        all.distinct(by: ["warmth"]).count, Set(facts.map(\.warmth)).count, "distinct, \(when)")
      let highest = facts.compactMap(\.highest)
      stage.equal(all.max(ofProperty: "highest") as Double?, highest.max(), "greatest, \(when)")
      stage.equal(all.min(ofProperty: "highest") as Double?, highest.min(), "least, \(when)")
      stage.equal(
        all.sum(ofProperty: "highest") as Double, highest.reduce(0, +), "the sum, \(when)")
    }
  }
}
