import EngineUnderTest
import Evidence
import Foundation
import Harness

/// What a collection holds, in words, kept up by its change sets alone.
private final class WordsMirror {
  private(set) var words: [String] = []
  private(set) var calls = 0
  private(set) var wrong: String?

  func begin(_ now: [String]) {
    calls += 1
    if calls > 1 { wrong = "begun twice" }
    words = now
  }

  func take(_ now: [String], _ gone: [Int], _ come: [Int], _ changed: [Int]) {
    calls += 1
    defer { words = now }
    if wrong != nil { return }
    for some in [gone, come, changed] where some != Set(some).sorted() {
      wrong = "not ascending: \(some.prefix(20))"
    }
    if (gone + changed).contains(where: { $0 >= words.count }) || come.last ?? -1 >= now.count {
      wrong = "positions beyond the end"
    }
    if !Set(gone).isDisjoint(with: changed) { wrong = "deleted and modified" }
    if words.count - gone.count + come.count != now.count {
      wrong = "\(words.count) less \(gone.count) and \(come.count) are not \(now.count)"
    }
    if gone.isEmpty, come.isEmpty, changed.isEmpty { wrong = "called for nothing" }
    if wrong != nil { return }
    let (dead, new, set) = (Set(gone), Set(come), Set(changed))
    var left = words.indices.lazy.filter { !dead.contains($0) }.makeIterator()
    for place in now.indices where !new.contains(place) {
      let old = left.next()!
      if now[place] != words[old], !set.contains(old) {
        wrong = "\(now[place]) instead of \(words[old]) at \(place), from \(old)"
        return
      }
    }
  }
}

/// The same of a map, by its keys.
private final class MapWordsMirror {
  private(set) var words: [String: String] = [:]
  private(set) var calls = 0
  private(set) var wrong: String?

  func begin(_ now: [String: String]) {
    calls += 1
    if calls > 1 { wrong = "begun twice" }
    words = now
  }

  func take(_ now: [String: String], _ gone: [String], _ come: [String], _ changed: [String]) {
    calls += 1
    for key in gone where words.removeValue(forKey: key) == nil { wrong = "\(key) was not there" }
    for key in come where words.updateValue(now[key] ?? "", forKey: key) != nil {
      wrong = "\(key) was there"
    }
    for key in changed where words.updateValue(now[key] ?? "", forKey: key) == nil {
      wrong = "\(key) was not there"
    }
    if words != now { wrong = wrong ?? "\(words.count) keys that are not the \(now.count)" }
    words = now
  }
}

/// What lots do to a collection.
private enum Edits {
  static func edit<T: RealmCollectionValue>(
    _ list: List<T>, _ dice: inout SplitMix, _ make: (Int) -> T
  ) {
    let value = make(Int.random(in: 0..<40, using: &dice))
    guard !list.isEmpty else { return list.append(value) }
    let place = Int.random(in: 0..<list.count, using: &dice)
    let other = Int.random(in: 0..<list.count, using: &dice)
    switch Int.random(in: 0..<9, using: &dice) {
    case 0, 1: list.append(value)
    case 2: list.insert(value, at: place)
    case 3, 4: list.remove(at: place)
    case 5, 6: list[place] = value
    case 7: list.swapAt(place, other)
    default: list.move(from: place, to: other)
    }
  }

  static func edit<T: RealmCollectionValue>(
    _ set: MutableSet<T>, _ dice: inout SplitMix, _ make: (Int) -> T
  ) {
    let value = make(Int.random(in: 0..<2_000, using: &dice))
    if Bool.random(using: &dice), !set.isEmpty {
      set.remove(set[Int.random(in: 0..<set.count, using: &dice)])
    } else {
      set.insert(value)
    }
  }

  static func edit<T: RealmCollectionValue>(
    _ map: Map<String, T>, _ dice: inout SplitMix, _ make: (Int) -> T
  ) {
    let number = Int.random(in: 0..<2_000, using: &dice)
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: map["key \(number)"] = make(number)
    case 1:
      if let key = map.keys.randomElement(using: &dice) { map[key] = make(number) }
    default:
      if let key = map.keys.randomElement(using: &dice) { map[key] = nil }
    }
  }

  /// Changes each collection of a vessel so many times.
  static func edit(_ vessel: Vessel, _ count: Int, _ seed: UInt64) {
    var dice = SplitMix(seed: seed)
    let others = Array(vessel.realm!.objects(Vessel.self).where { $0.id >= 100 })
    for _ in 0..<count {
      edit(vessel.numbers, &dice) { $0 }
      edit(vessel.texts, &dice) { "text \($0)" }
      edit(vessel.mixture, &dice) {
        $0 % 3 == 0 ? .none : $0 % 3 == 1 ? .int($0) : .string("\($0)")
      }
      edit(vessel.links, &dice) { others[$0 % others.count] }
      edit(vessel.labels, &dice) { "label \($0)" }
      edit(vessel.titles, &dice) { "title \($0)" }
      edit(vessel.named, &dice) { $0 % 4 == 0 ? nil : others[$0 % others.count] }
    }
  }
}

extension Probe {
  /// Collections of each kind, small and large, of which little or much changes at once.
  static let sizesOfCollections: [Probe] = [1, 65, 300, 1_100].map { size in
    Probe("collections of \(size) values: change sets of each kind, of few and of many changes") {
      stage in
      Backstage.hooks?.skipFlushes()
      var configuration = Vessel.configuration(stage)
      configuration.objectTypes = [Vessel.self, Part.self, Todo.self]
      let others = configuration
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      try realm.write {
        for id in 0..<20 { realm.add(Vessel(id: 100 + id)) }
        let vessel = Vessel(id: 1)
        realm.add(vessel)
        let all = Array(realm.objects(Vessel.self).where { $0.id >= 100 })
        for number in 0..<size {
          vessel.numbers.append(number % 40)
          vessel.texts.append("text \(number % 40)")
          vessel.mixture.append(.int(number % 7))
          vessel.links.append(all[number % all.count])
          vessel.labels.insert("label \(number)")
          vessel.titles["key \(number)"] = "title"
          vessel.named["key \(number)"] = .some(all[number % all.count])
        }
      }
      let vessel = realm.vessel(1)!
      let names = ["numbers", "texts", "mixed values", "links", "labels", "sorted numbers"]
      let mirrors = names.map { _ in WordsMirror() }
      let mapNames = ["titles", "named ones"]
      let maps = mapNames.map { _ in MapWordsMirror() }
      func watch<C: RealmCollection>(
        _ mirror: WordsMirror, _ some: C, _ word: @escaping (C.Element) -> String
      ) -> NotificationToken {
        some.observe { change in
          switch change {
          case .initial(let now): mirror.begin(now.map(word))
          case .update(let now, let gone, let come, let changed):
            mirror.take(now.map(word), gone, come, changed)
          case .error: mirror.begin([])
          }
        }
      }
      func watchMap<T: RealmCollectionValue>(
        _ mirror: MapWordsMirror, _ map: Map<String, T>, _ word: @escaping (T) -> String
      ) -> NotificationToken {
        func words(_ map: Map<String, T>) -> [String: String] {
          Dictionary(uniqueKeysWithValues: map.keys.map { ($0, map[$0].map(word) ?? "missing") })
        }
        return map.observe { change in
          switch change {
          case .initial(let now): mirror.begin(words(now))
          case .update(let now, let gone, let come, let changed):
            mirror.take(words(now), gone, come, changed)
          case .error: mirror.begin([:])
          }
        }
      }
      let sorted = vessel.numbers.sorted(ascending: false)
      let tokens = [
        watch(mirrors[0], vessel.numbers) { "\($0)" }, watch(mirrors[1], vessel.texts) { $0 },
        watch(mirrors[2], vessel.mixture) { "\($0)" },
        watch(mirrors[3], vessel.links) { "\($0.id)" }, watch(mirrors[4], vessel.labels) { $0 },
        watch(mirrors[5], sorted) { "\($0)" }, watchMap(maps[0], vessel.titles) { $0 },
        watchMap(maps[1], vessel.named) { "\($0?.id ?? -1)" },
      ]
      try stage.spin(
        until: { mirrors.allSatisfy { $0.calls == 1 } && maps.allSatisfy { $0.calls == 1 } },
        "the first calls")
      func there() -> [[String]] {
        [
          vessel.numbers.map { "\($0)" }, Array(vessel.texts), vessel.mixture.map { "\($0)" },
          vessel.links.map { "\($0.id)" }, Array(vessel.labels), sorted.map { "\($0)" },
        ]
      }
      for (round, count) in [3, 65, 1, 300].enumerated()
      where size <= 300 || [0, 3].contains(where: { stage.isDue(round + $0, of: 4) }) {
        let seed = derivedSeed(stage.seed, "sizes \(size) \(round)")
        if round % 2 == 0 {
          try realm.write { Edits.edit(vessel, count, seed) }
        } else {
          try stage.elsewhere {
            let other = try Realm(configuration: others)
            try other.write { Edits.edit(other.vessel(1), count, seed) }
          }
          realm.refresh()
        }
        try stage.settle(realm)
        let now = there()
        for (place, mirror) in mirrors.enumerated() {
          stage.equal(mirror.wrong, nil, "what is wrong with \(names[place]) after \(count)")
          stage.expect(
            mirror.words == now[place], "the mirror of \(names[place]) after \(count)",
            observed: "\(mirror.words.count) words for \(now[place].count), or others")
        }
        let mapsNow = [
          Dictionary(
            uniqueKeysWithValues: vessel.titles.keys.map { ($0, vessel.titles[$0] ?? "missing") }),
          Dictionary(
            uniqueKeysWithValues: vessel.named.keys.map {
              ($0, "\(vessel.named[$0].flatMap { $0 }?.id ?? -1)")
            }),
        ]
        for (place, mirror) in maps.enumerated() {
          stage.equal(mirror.wrong, nil, "what is wrong with \(mapNames[place]) after \(count)")
          stage.expect(
            mirror.words == mapsNow[place], "the mirror of \(mapNames[place]) after \(count)",
            observed: "\(mirror.words.count) keys for \(mapsNow[place].count), or others")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }
}
