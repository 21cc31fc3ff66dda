import EngineUnderTest
import Evidence
import Foundation

/// Sections of each kind of collection, in each of the ways to ask for them, beside plain Swift.
enum Sections {
  /// What a section must be, by words: keys of all kinds are compared so.
  private struct Expected: Equatable {
    let key: String
    let ids: [Int]
  }

  private struct Row {
    let id: Int
    let amount: Int
    let whole: Int?
    let word: String
    let ratio: Double
  }

  /// Members that are together as they come.
  private static func grouped(_ rows: [Row], _ key: (Row) -> String) -> [Expected] {
    var (keys, ids) = ([String](), [String: [Int]]())
    for row in rows {
      if ids[key(row)] == nil { keys.append(key(row)) }
      ids[key(row), default: []].append(row.id)
    }
    return keys.map { Expected(key: $0, ids: ids[$0]!) }
  }

  private static func sorted(
    _ rows: [Row], _ comparisons: [(Row, Row) -> Int]
  ) -> [Row] {
    rows.enumerated().sorted { one, other in
      for compare in comparisons {
        let order = compare(one.element, other.element)
        if order != 0 { return order < 0 }
      }
      return one.offset < other.offset
    }.map(\.element)
  }

  private static func by<Value: Comparable>(
    _ value: @escaping (Row) -> Value, _ up: Bool = true
  ) -> (Row, Row) -> Int {
    { one, other in
      let (left, right) = (value(one), value(other))
      if left == right { return 0 }
      return (left < right) == up ? -1 : 1
    }
  }

  private static func words<Value>(_ value: Value) -> String { "\(value)" }

  /// A way to ask for sections of specimens, and what it must give.
  private struct Way {
    let name: String
    let ask: (AnyRealmCollection<Specimen>) -> Asked
    let rows: ([Row]) -> [Row]
    let key: (Row) -> String
  }

  /// Sections whose keys are of some kind.
  private struct Asked {
    let look: (Stage, [Expected], String) -> Void
    let freeze: () -> Asked
    let isFrozen: Bool

    init<Key, Member>(
      _ sections: SectionedResults<Key, Member>, _ id: @escaping (Member) -> Int
    ) {
      isFrozen = sections.isFrozen
      freeze = { Asked(sections.freeze(), id) }
      look = { stage, expected, what in
        stage.equal(sections.allKeys.map { words($0) }, expected.map(\.key), "the keys of \(what)")
        stage.equal(sections.count, expected.count, "how many sections there are, \(what)")
        stage.equal(sections.isEmpty, expected.isEmpty, "whether there are none, \(what)")
        // From behind: whoever asks for the last first is told the same.
        for place in expected.indices.reversed() where place < sections.count {
          let (section, wanted) = (sections[place], expected[place])
          stage.equal(words(section.key), wanted.key, "the key of section \(place), \(what)")
          stage.equal(section.count, wanted.ids.count, "the count of section \(place), \(what)")
          stage.equal(section.last.map(id), wanted.ids.last, "the last of \(place), \(what)")
          stage.equal(section.first.map(id), wanted.ids.first, "the first of \(place), \(what)")
          stage.equal(section.map(id), wanted.ids, "section \(place), \(what)")
          stage.equal(section.isFrozen, sections.isFrozen, "if section \(place) is frozen, \(what)")
          for member in Set([0, wanted.ids.count / 2, wanted.ids.count - 1]) {
            stage.equal(
              id(sections[IndexPath(indexes: [place, member])]), wanted.ids[member],
              "the member \(member) of section \(place) by its path, \(what)")
          }
        }
        stage.equal(
          sections.map { $0.map(id) }, expected.map(\.ids), "all of them, one by one, \(what)")
      }
    }
  }

  private static var ways: [Way] {
    [
      Way(
        name: "by a number", ask: { Asked($0.sectioned(by: \.amount), \.id) },
        rows: { sorted($0, [by(\.amount)]) }, key: { words($0.amount) }),
      Way(
        name: "by a number, down",
        ask: { Asked($0.sectioned(by: \.amount, ascending: false), \.id) },
        rows: { sorted($0, [by(\.amount, false)]) }, key: { words($0.amount) }),
      Way(
        name: "by an optional", ask: { Asked($0.sectioned(by: \.whole), \.id) },
        rows: { sorted($0, [by { $0.whole ?? .min }]) }, key: { words($0.whole) }),
      Way(
        name: "by a text, down", ask: { Asked($0.sectioned(by: \.word, ascending: false), \.id) },
        rows: { sorted($0, [by(\.word, false)]) }, key: { words($0.word) }),
      Way(
        name: "by a fraction", ask: { Asked($0.sectioned(by: \.ratio), \.id) },
        rows: { sorted($0, [by(\.ratio)]) }, key: { words($0.ratio) }),
      Way(
        name: "by a number, then down by the id",
        ask: {
          Asked(
            $0.sectioned(
              by: \.amount,
              sortDescriptors: [
                SortDescriptor(keyPath: "amount"), SortDescriptor(keyPath: "id", ascending: false),
              ]), \.id)
        }, rows: { sorted($0, [by(\.amount), by(\.id, false)]) }, key: { words($0.amount) }),
      Way(
        name: "by a text down, a number, the id down",
        ask: {
          Asked(
            $0.sectioned(
              by: \.word,
              sortDescriptors: [
                SortDescriptor(keyPath: \Specimen.word, ascending: false),
                SortDescriptor(keyPath: \Specimen.amount),
                SortDescriptor(keyPath: \Specimen.id, ascending: false),
              ]), \.id)
        }, rows: { sorted($0, [by(\.word, false), by(\.amount), by(\.id, false)]) },
        key: { words($0.word) }),
      Way(
        name: "by a block, down by the id",
        ask: {
          Asked(
            $0.sectioned(
              by: { $0.id % 4 },
              sortDescriptors: [SortDescriptor(keyPath: "id", ascending: false)]),
            \.id)
        }, rows: { sorted($0, [by(\.id, false)]) }, key: { words($0.id % 4) }),
      Way(
        name: "by a block of texts, by a number and the id",
        ask: {
          Asked(
            $0.sectioned(
              by: { $0.word + ($0.whole == nil ? "-" : "+") }, sortDescriptors: ["amount", "id"]),
            \.id)
        }, rows: { sorted($0, [by(\.amount), by(\.id)]) },
        key: { $0.word + ($0.whole == nil ? "-" : "+") }),
    ]
  }

  private static func rows(_ realm: Realm) -> [Int: Row] {
    Dictionary(
      uniqueKeysWithValues: realm.objects(Specimen.self).map {
        (
          $0.id,
          Row(id: $0.id, amount: $0.amount, whole: $0.whole, word: $0.word, ratio: $0.ratio)
        )
      })
  }

  private static func change(
    _ realm: Realm, _ ids: some Sequence<Int>, _ chance: inout SeededGenerator
  ) {
    for id in ids {
      let specimen = realm.specimen(id)!
      specimen.amount = chance.below(5) - 2
      specimen.whole = chance.below(3) == 0 ? nil : chance.below(4)
      specimen.word = ["", "a", "b", "c"][chance.below(4)]
      specimen.ratio = Double(chance.below(3)) / 2
    }
  }

  static let probe = Probe(
    "sections of each collection by each kind of key, descriptors and blocks, kept and frozen"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for size in [1, 6, 70, 260] {
      let realm = try Realm(configuration: stage.specimens("\(size)"))
      let crowd = Crowd(size, seed: stage.seed)
      try crowd.fill(realm, [])
      var chance = stage.chance
      try realm.write { change(realm, 0..<size, &chance) }
      let before = rows(realm)
      var kept: [(way: Way, asked: Asked, ids: [Int], name: String, wasFrozen: Bool)] = []
      for view in View.all(crowd, in: realm) {
        for way in ways where view.isOrdered || way.name.contains("id") {
          let asked = way.ask(view.members)
          let what = "\(way.name) of \(view.name) of \(size)"
          asked.look(stage, grouped(way.rows(view.ids.map { before[$0]! }), way.key), what)
          stage.equal(asked.isFrozen, view.members.isFrozen, "if it is frozen, \(what)")
          kept.append((way, asked, view.ids, what, asked.isFrozen))
          if !asked.isFrozen, stage.isTurn(kept.count, of: 3) {
            kept.append((way, asked.freeze(), view.ids, "\(what), then frozen", true))
          }
        }
      }
      // The same sections after each change, in the write, too; those of a snapshot as they were.
      for round in 0..<3 {
        realm.beginWrite()
        change(realm, (0..<size).filter { $0 % 3 == round || size == 1 }, &chance)
        for isCommitted in [false, true] {
          if isCommitted { try realm.commitWrite() }
          let now = rows(realm)
          for (place, one) in kept.enumerated()
          where size < 100 || stage.isDue(place + 2 * round, of: 3, apart: 3) {
            let facts = one.wasFrozen ? before : now
            one.asked.look(
              stage, grouped(one.way.rows(one.ids.map { facts[$0]! }), one.way.key),
              "\(one.name), after change \(round), committed: \(isCommitted)")
          }
        }
      }
    }
  }

  /// Sections of values, which know no properties.
  static let ofValues = Probe("sections of lists and sets of values, up and down") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.cupboards("values"))
    try realm.write { realm.add(Cupboard(id: 0)) }
    let cupboard = realm.cupboard(0)
    for count in [0, 1, 7, 90] {
      var chance = stage.chance
      let wholes = (0..<count).map { _ in chance.below(40) - 9 }
      let texts = (0..<count).map { _ in "\(["a", "b", "c"][chance.below(3)])\(chance.below(9))" }
      try realm.write {
        cupboard.wholeList.removeAll()
        cupboard.wholeList.append(objectsIn: wholes)
        cupboard.textSet.removeAll()
        cupboard.textSet.insert(objectsIn: texts)
      }
      func check<Key: Hashable, Value: Comparable>(
        _ sections: [(Key, [Value])], _ values: [Value], _ key: (Value) -> Key, _ up: Bool,
        _ what: String
      ) {
        let ordered = values.sorted { up ? $0 < $1 : $0 > $1 }
        var keys: [Key] = []
        for value in ordered where !keys.contains(key(value)) { keys.append(key(value)) }
        stage.equal(sections.map(\.0), keys, "the keys of \(count) \(what), up: \(up)")
        stage.equal(
          sections.map(\.1), keys.map { wanted in ordered.filter { key($0) == wanted } },
          "the sections of \(count) \(what), up: \(up)")
      }
      for up in [true, false] {
        for (when, cupboard) in [("live", cupboard), ("frozen", cupboard.freeze())] {
          let (list, set) = (cupboard.wholeList, cupboard.textSet)
          check(
            list.sectioned(by: { $0 & 3 }, ascending: up).map { ($0.key, Array($0)) }, wholes,
            { $0 & 3 }, up, "numbers of a list, \(when)")
          check(
            list.sectioned(
              by: { $0 < 5 },
              sortDescriptors: [SortDescriptor(keyPath: "self", ascending: up)]
            ).map { ($0.key, Array($0)) }, wholes, { $0 < 5 }, up,
            "numbers by a truth, \(when)")
          check(
            set.sectioned(by: { $0.prefix(1) == "b" ? "b" : "" }, ascending: up)
              .map { ($0.key, Array($0)) }, Array(Set(texts)), { $0.prefix(1) == "b" ? "b" : "" },
            up, "texts of a set, \(when)")
          check(
            list.sorted(ascending: !up).sectioned(by: { $0 % 2 == 0 }, ascending: up)
              .map { ($0.key, Array($0)) }, wholes, { $0 % 2 == 0 }, up,
            "numbers that were sorted, \(when)")
        }
      }
    }
  }
}
