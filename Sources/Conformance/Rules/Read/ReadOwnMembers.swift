import EngineUnderTest
import Foundation
import Harness

/// Collections that get what is made of themselves: what is read is what was there when the call
/// began.
enum OwnMembers {
  /// Something that a list may get, made of the list.
  private struct Way<Element: RealmCollectionValue> {
    let name: String
    let give: (List<Element>) -> Void
    let expected: ([Element]) -> [Element]
  }

  /// For elements of each type.
  private static func ways<Element: RealmCollectionValue>() -> [Way<Element>] {
    [
      Way(name: "itself, assigned", give: { $0.assign($0) }, expected: { $0 }),
      Way(
        name: "itself as any sequence, assigned", give: { $0.assign(AnySequence($0)) },
        expected: { $0 }),
      Way(
        name: "itself turned around, assigned", give: { $0.assign($0.reversed()) },
        expected: { $0.reversed() }),
      Way(
        name: "all but the first, assigned", give: { $0.assign($0.dropFirst()) },
        expected: { Array($0.dropFirst()) }),
      Way(
        name: "what is mapped lazily, assigned", give: { $0.assign($0.lazy.map { $0 }) },
        expected: { $0 }),
      Way(
        name: "what is chosen lazily, assigned", give: { $0.assign($0.lazy.prefix { _ in true }) },
        expected: { $0 }),
      Way(
        name: "what is looked up as it comes, assigned",
        give: { list in list.assign((0..<list.count).lazy.map { list[$0] }) }, expected: { $0 }),
      Way(
        name: "itself behind itself", give: { $0.append(objectsIn: $0) },
        expected: { $0 + $0 }),
      Way(
        name: "itself within itself", give: { $0.insert(contentsOf: $0, at: 1) },
        expected: { Array($0.prefix(1)) + $0 + $0.dropFirst() }),
      Way(
        name: "itself in the place of two",
        give: { $0.replaceSubrange(0..<2, with: $0) }, expected: { $0 + $0.dropFirst(2) }),
      Way(
        name: "itself turned around, in the place of all",
        give: { $0.replaceSubrange(0..<$0.count, with: $0.reversed()) },
        expected: { $0.reversed() }),
    ]
  }

  /// For objects: what is asked of the list lives, and changes with it.
  private static var living: [Way<Vessel>] {
    [
      Way(
        name: "a filter of itself, assigned", give: { $0.assign($0.where { $0.number > 2 }) },
        expected: { $0.filter { $0.number > 2 } }),
      Way(
        name: "a sort of itself, assigned",
        give: { $0.assign($0.sorted(byKeyPath: "number", ascending: false)) },
        expected: { $0.sorted { $0.number > $1.number } }),
      Way(
        name: "distinct ones of itself, assigned",
        give: { $0.assign($0.distinct(by: ["text"])) },
        expected: { Array($0.prefix(1)) }),
      Way(
        name: "a filter of itself behind itself",
        give: { $0.append(objectsIn: $0.where { $0.number > 2 }) },
        expected: { $0 + $0.filter { $0.number > 2 } }),
      Way(
        name: "a filter of itself within itself",
        give: { $0.insert(contentsOf: $0.where { $0.number > 2 }, at: 1) },
        expected: { Array($0.prefix(1)) + $0.filter { $0.number > 2 } + $0.dropFirst() }),
      Way(
        name: "a filter of itself in the place of all",
        give: { $0.replaceSubrange(0..<$0.count, with: $0.where { $0.number > 2 }) },
        expected: { $0.filter { $0.number > 2 } }),
      Way(
        name: "a sort of a filter, erased, assigned",
        give: {
          $0.assign(
            AnyRealmCollection($0.where { $0.number > 1 }.sorted(byKeyPath: "id", ascending: false))
          )
        }, expected: { $0.filter { $0.number > 1 }.sorted { $0.id > $1.id } }),
    ]
  }

  private static func walk<Element: RealmCollectionValue & Equatable>(
    _ stage: Stage, _ name: String, _ realm: Realm, _ list: List<Element>, _ elements: [Element],
    _ ways: [Way<Element>]
  ) throws {
    for way in ways {
      for count in [2, 5, elements.count] {
        let before = Array(elements.prefix(count))
        try realm.write { list.assign(before) }
        let expected = way.expected(before)
        for isKept in [false, true] {
          realm.beginWrite()
          way.give(list)
          stage.equal(Array(list), expected, "\(name) of \(count) that gets \(way.name)")
          if isKept { try realm.commitWrite() } else { realm.cancelWrite() }
          stage.equal(
            Array(list), isKept ? expected : before,
            "\(name) of \(count) that got \(way.name), kept: \(isKept)")
        }
      }
    }
  }

  static let probes: [Probe] = [
    Probe("a list gets what is made of itself, for each type of element") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Vessel.stocked(stage)
      let vessel = realm.vessel(1)!
      try walk(stage, "a list of numbers", realm, vessel.numbers, Array(1...300), ways())
      try walk(
        stage, "a list of texts", realm, vessel.texts, (1...70).map { "text \($0)" }, ways())
      try walk(
        stage, "a list of data", realm, vessel.blobs, (1...20).map { Data([$0]) }, ways())
      try walk(
        stage, "a list of mixed values", realm, vessel.mixture,
        (1...20).map { $0 % 2 == 0 ? .int($0) : .string("\($0)") }, ways())
    },
    Probe("a list of objects gets what is asked of itself") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Vessel.stocked(stage)
      let vessel = realm.vessel(1)!
      let others = try realm.write {
        (0..<60).map { number in
          let other = Vessel(id: 100 + number)
          other.number = number % 5
          realm.add(other)
          return other
        }
      }
      try walk(stage, "a list of objects", realm, vessel.links, others, ways() + living)
      for other in others { stage.expect(!other.isInvalidated, "each object is still there") }
    },
    Probe("sets and maps get what is made of themselves") { stage in
      let realm = try Vessel.stocked(stage)
      let vessel = realm.vessel(1)!
      let words = Set((1...40).map { "label \($0)" })
      typealias Way = (MutableSet<String>) -> Void
      let ways: [(name: String, give: Way, expected: Set<String>)] = [
        ("united with itself", { $0.formUnion($0) }, words),
        ("cut with itself", { $0.formIntersection($0) }, words),
        ("without itself", { $0.subtract($0) }, []),
        ("with its own members", { $0.insert(objectsIn: $0) }, words),
      ]
      for way in ways {
        try realm.write {
          vessel.labels.removeAll()
          vessel.labels.insert(objectsIn: words)
        }
        try realm.write { way.give(vessel.labels) }
        stage.equal(Set(vessel.labels), way.expected, "a set \(way.name)")
      }
      try realm.write {
        vessel.labels.insert(objectsIn: words)
        for number in 1...40 { vessel.titles["\(number)"] = "title \(number)" }
      }
      func titles() -> [String: String] {
        Dictionary(uniqueKeysWithValues: vessel.titles.map { ($0.key, $0.value) })
      }
      let before = titles()
      try realm.write {
        vessel.titles.merge(vessel.titles.lazy.map { (key: $0.key, value: $0.value) }) { $0 + $1 }
      }
      stage.equal(titles(), before.mapValues { $0 + $0 }, "a map that is merged with itself")
      try realm.write {
        vessel.titles = vessel.titles
        vessel.labels = vessel.labels
        vessel.links = vessel.links
      }
      stage.equal(titles(), before.mapValues { $0 + $0 }, "a map that is assigned to itself")
      stage.equal(Set(vessel.labels), words, "a set that is assigned to itself")
      stage.equal(vessel.links.map(\.id), [2, 1], "a list that is assigned to itself")
    },
  ]
}
