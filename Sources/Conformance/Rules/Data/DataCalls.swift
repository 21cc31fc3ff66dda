import EngineUnderTest
import Foundation
import Harness

/// Each call of lists, sets and maps with each kind of argument: what is free, what is managed,
/// what is of the same object, the collection itself, nothing; beside plain Swift.
enum CollectionCalls {
  // MARK: Maps

  /// A map that is merged with another one, whoever that is of, whatever both have.
  static let merges = Probe("a map is merged with each kind of map, as the block says") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let combinations: [(name: String, combine: (String, String) -> String)] = [
      ("the old one", { old, _ in old }), ("the new one", { $1 }), ("both", { $0 + $1 }),
      ("the other way round", { $1 + $0 }),
    ]
    let facts = ["a": "1", "c": "3", "": "none"]
    for (name, combine) in combinations {
      for source in ["free", "of another object", "of the object", "itself", "pairs", "empty"] {
        for isManaged in [true, false] {
          let what = "\(name), \(source), managed: \(isManaged)"
          try realm.write {
            let (vessel, other) = (realm.vessel(1)!, realm.vessel(2)!)
            let map = isManaged ? vessel.titles : Map<String, String>()
            map.removeAll()
            for (key, value) in ["a": "old", "b": "old b"] { map[key] = value }
            var given = facts
            let argument: Map<String, String>
            switch source {
            case "of another object":
              argument = other.titles
              argument.removeAll()
              for (key, value) in facts { argument[key] = value }
            case "itself", "of the object":
              argument = isManaged ? vessel.titles : map
              given = ["a": "old", "b": "old b"]
            case "empty":
              argument = Map()
              given = [:]
            default:
              argument = Map()
              for (key, value) in facts { argument[key] = value }
            }
            var expected = ["a": "old", "b": "old b"]
            expected.merge(given, uniquingKeysWith: combine)
            if source == "pairs" {
              map.merge(
                given.map { (key: $0.key, value: $0.value) }, uniquingKeysWith: combine)
            } else {
              map.merge(argument, uniquingKeysWith: combine)
            }
            func look(_ moment: String) {
              let seen = Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) })
              stage.equal(seen, expected, "the map merged by \(what), \(moment)")
              stage.equal(map.count, expected.count, "its count, \(what), \(moment)")
              if source == "free" || source == "of another object" {
                stage.equal(
                  Dictionary(uniqueKeysWithValues: argument.map { ($0.key, $0.value) }), facts,
                  "the map that was given, \(what), \(moment)")
              }
            }
            look("at once")
            // Merged again, all keys are in both.
            expected.merge(source == "itself" ? expected : given, uniquingKeysWith: combine)
            if source != "itself", source != "of the object" {
              map.merge(argument, uniquingKeysWith: combine)
              look("twice")
            }
          }
          if isManaged {
            let here = Dictionary(
              uniqueKeysWithValues: realm.vessel(1)!.titles.map { ($0.key, $0.value) })
            let configuration = realm.configuration
            let there = try stage.elsewhere {
              Dictionary(
                uniqueKeysWithValues: try Realm(configuration: configuration).vessel(1)!.titles
                  .map { ($0.key, $0.value) })
            }
            stage.equal(there, here, "what others see of the map, \(what)")
          }
        }
      }
    }
    // Who throws while it combines ends the merge, and leaves the rest.
    struct Unwanted: Error {}
    try realm.write {
      let map = realm.vessel(1)!.titles
      map.removeAll()
      map["a"] = "old"
      do {
        try map.merge([(key: "a", value: "new")]) { _, _ in throw Unwanted() }
        stage.fail(expected: "the error of the block", observed: "none")
      } catch is Unwanted {}
      stage.equal(map["a"], "old", "the value whose combination threw")
    }
  }

  /// A map's values by key with a default, set, updated and removed, where they are and are not.
  static let entries = Probe("a map's entries, with and without a default, there and not there") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    for isManaged in [true, false] {
      try realm.write {
        let vessel = isManaged ? realm.vessel(1)! : Vessel(id: 9)
        let titles = vessel.titles
        let (named, mixed) = (vessel.named, vessel.mixedMap)
        titles.removeAll()
        named.removeAll()
        mixed.removeAll()
        let what = "managed: \(isManaged)"
        stage.equal(titles["a"], nil, "a title that is not there, \(what)")
        stage.equal(titles["a", default: "none"], "none", "one with a default, \(what)")
        stage.equal(titles.count, 0, "how many there are after a default was asked, \(what)")
        titles["a", default: "x"] += "y"
        stage.equal(titles["a"], "xy", "a title that was changed in place, \(what)")
        titles["a", default: "x"] += "z"
        stage.equal(titles["a"], "xyz", "a title that was changed in place again, \(what)")
        stage.equal(titles["a", default: "none"], "xyz", "one that is there, \(what)")
        titles.updateValue("new", forKey: "a")
        titles.updateValue("b", forKey: "b")
        titles.updateValue("b", forKey: "b")
        stage.equal([titles["a"], titles["b"]], ["new", "b"], "updated titles, \(what)")
        stage.equal(titles.keys.sorted(), ["a", "b"], "the keys, \(what)")
        titles.removeObject(for: "z")
        titles["z"] = nil
        stage.equal(titles.count, 2, "how many there are after a removal of nobody, \(what)")
        titles.removeObject(for: "a")
        titles.removeObject(for: "a")
        stage.equal(titles.keys, ["b"], "the keys after a removal, twice, \(what)")
        titles[""] = "empty"
        stage.equal(titles["", default: "none"], "empty", "the value of the empty key, \(what)")
        let pairs = titles.asKeyValueSequence().map { "\($0.key)=\($0.value)" }
        stage.equal(pairs.sorted(), ["=empty", "b=b"], "the pairs, \(what)")
        // None is a value, where there may be one, and another thing than no entry.
        named["a"] = .some(nil)
        stage.equal(named.count, 1, "how many there are with one of none, \(what)")
        stage.expect(named["a"] != nil && named["a"]! == nil, "an entry of none, \(what)")
        stage.expect(named["b"] == nil, "no entry, \(what)")
        stage.expect(
          named["b", default: realm.vessel(2)]?.id == 2, "a default for no entry, \(what)")
        stage.expect(
          named["a", default: realm.vessel(2)] == nil, "a default beside an entry of none, \(what)")
        stage.equal(named.keys, ["a"], "the keys of all, \(what)")
        mixed["a"] = AnyRealmValue.none
        stage.equal(mixed.count, 1, "how many mixed values there are, with one of none, \(what)")
        stage.equal(mixed["a", default: .int(1)], AnyRealmValue.none, "the mixed none, \(what)")
        stage.equal(mixed["b", default: .int(1)], .int(1), "a mixed default, \(what)")
        titles.removeAll()
        titles.removeAll()
        stage.equal(titles.isEmpty, true, "whether it is empty when emptied twice, \(what)")
      }
    }
  }

  // MARK: Sets

  private static let setArguments = [
    "free", "managed", "itself", "an unrelated one", "empty",
  ]

  /// What sets do with other sets.
  static let sets = Probe("a set is united, lessened and compared with each kind of set") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let facts: Set = ["a", "b", "c", "d"]
    for call in ["formUnion", "formIntersection", "subtract", "isSubset", "intersects"] {
      for kind in setArguments {
        for isManaged in [true, false] {
          try realm.write {
            let other = realm.vessel(2)!
            let set = isManaged ? realm.vessel(1)!.labels : MutableSet<String>()
            set.removeAll()
            set.insert(objectsIn: facts)
            var given: Set<String> = ["b", "d", "e"]
            var argument = MutableSet<String>()
            switch kind {
            case "managed":
              argument = other.labels
              argument.removeAll()
              argument.insert(objectsIn: given)
            case "itself":
              argument = set
              given = facts
            case "an unrelated one":
              given = ["x", "y"]
              argument.insert(objectsIn: given)
            case "empty": given = []
            default: argument.insert(objectsIn: given)
            }
            let what = "\(call), \(kind), managed: \(isManaged)"
            var expected = facts
            for round in 1...2 {
              switch call {
              case "formUnion":
                set.formUnion(argument)
                expected.formUnion(given)
              case "formIntersection":
                set.formIntersection(argument)
                expected.formIntersection(given)
              case "subtract":
                set.subtract(argument)
                expected.subtract(given)
              case "isSubset":
                stage.equal(
                  set.isSubset(of: argument), facts.isSubset(of: given), "the answer, \(what)")
                stage.equal(
                  argument.isSubset(of: set), given.isSubset(of: facts), "the reverse, \(what)")
              default:
                stage.equal(
                  set.intersects(argument), !facts.isDisjoint(with: given), "the answer, \(what)")
                stage.equal(
                  argument.intersects(set), !facts.isDisjoint(with: given), "the reverse, \(what)")
              }
              stage.equal(Set(set), expected, "the set, \(what), round \(round)")
              stage.equal(set.count, expected.count, "its count, \(what), round \(round)")
              for label in facts.union(given) {
                stage.equal(
                  set.contains(label), expected.contains(label), "whether it has \(label), \(what)")
              }
              if kind != "itself" {
                stage.equal(Set(argument), given, "the set that was given, \(what)")
              } else {
                given = expected
              }
            }
          }
        }
      }
    }
    // Of objects, too, which are the same whoever fetched them.
    try realm.write {
      for id in 3...6 { realm.add(Vessel(id: id)) }
      func members(_ ids: [Int], of set: MutableSet<Vessel>) {
        set.removeAll()
        set.insert(objectsIn: ids.map { realm.vessel($0)! })
      }
      let (one, two) = (realm.vessel(1)!.group, realm.vessel(2)!.group)
      func ids() -> [Int] { one.map(\.id).sorted() }
      for round in 1...2 {
        members([2, 3, 4], of: one)
        members([3, 5], of: two)
        for _ in 0..<round { one.formUnion(two) }
        stage.equal(ids(), [2, 3, 4, 5], "united objects")
        stage.equal(two.isSubset(of: one), true, "whether those that were united are a subset")
        stage.equal(one.isSubset(of: two), false, "whether it is a subset of those")
        for _ in 0..<round { one.subtract(two) }
        stage.equal(ids(), [2, 4], "lessened objects")
        stage.equal(one.intersects(two), false, "whether any is left of those")
        members([3, 4, 6], of: one)
        for _ in 0..<round { one.formIntersection(two) }
        stage.equal(ids(), [3], "intersected objects")
        stage.equal(one.intersects(two), true, "whether one is left")
        stage.equal(two.map(\.id).sorted(), [3, 5], "those that were given")
        one.insert(realm.vessel(3)!)
        one.insert(objectsIn: [realm.vessel(3)!, realm.vessel(3)!])
        stage.equal(ids(), [3], "objects that were there already")
        one.remove(realm.vessel(6)!)
        stage.equal(ids(), [3], "after the removal of one that was not there")
      }
    }
  }

  // MARK: Lists

  /// Calls of lists whose arguments are at an edge, or nothing.
  static let lists = Probe("each call of a list with nothing, all, and what is at its edges") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let base = [10, 20, 30, 40, 50]
    let calls: [(name: String, call: (List<Int>) -> Void, model: (inout [Int]) -> Void)] = [
      ("append of nothing", { $0.append(objectsIn: []) }, { _ in }),
      ("append of a range", { $0.append(objectsIn: 1...3) }, { $0 += 1...3 }),
      ("append of a set", { $0.append(objectsIn: Set([7])) }, { $0.append(7) }),
      ("append of itself", { $0.append(objectsIn: $0) }, { $0 += $0 }),
      ("insert of nothing", { $0.insert(contentsOf: [], at: 2) }, { _ in }),
      (
        "insert at the end", { $0.insert(contentsOf: [1, 2], at: 5) },
        { $0.insert(contentsOf: [1, 2], at: 5) }
      ),
      (
        "insert at the front", { $0.insert(contentsOf: [1, 2], at: 0) },
        { $0.insert(contentsOf: [1, 2], at: 0) }
      ),
      ("insert of one at the end", { $0.insert(9, at: 5) }, { $0.append(9) }),
      ("removeFirst of none", { $0.removeFirst(0) }, { _ in }),
      ("removeFirst by default", { list in list.removeFirst(1) }, { $0.removeFirst() }),
      ("removeFirst of two", { $0.removeFirst(2) }, { $0.removeFirst(2) }),
      ("removeFirst of all", { $0.removeFirst(5) }, { $0 = [] }),
      ("removeLast of none", { $0.removeLast(0) }, { _ in }),
      ("removeLast of two", { $0.removeLast(2) }, { $0.removeLast(2) }),
      ("removeLast of all", { $0.removeLast(5) }, { $0 = [] }),
      ("removeSubrange, closed", { $0.removeSubrange(1...2) }, { $0.removeSubrange(1...2) }),
      ("removeSubrange, from", { $0.removeSubrange(3...) }, { $0.removeSubrange(3...) }),
      ("removeSubrange, up to", { $0.removeSubrange(..<2) }, { $0.removeSubrange(..<2) }),
      ("removeSubrange, through", { $0.removeSubrange(...2) }, { $0.removeSubrange(...2) }),
      ("removeSubrange, empty", { $0.removeSubrange(5..<5) }, { _ in }),
      ("removeSubrange, all", { $0.removeSubrange(0..<5) }, { $0 = [] }),
      (
        "replaceSubrange, closed", { $0.replaceSubrange(1...3, with: [7]) },
        { $0.replaceSubrange(1...3, with: [7]) }
      ),
      (
        "replaceSubrange, from", { $0.replaceSubrange(3..., with: [7, 8, 9]) },
        { $0.replaceSubrange(3..., with: [7, 8, 9]) }
      ),
      (
        "replaceSubrange, up to", { $0.replaceSubrange(..<3, with: []) },
        { $0.replaceSubrange(..<3, with: []) }
      ),
      (
        "replaceSubrange, an end", { $0.replaceSubrange(5..<5, with: [6]) }, { $0.append(6) }
      ),
      ("replaceSubrange, all with nothing", { $0.replaceSubrange(0..<5, with: []) }, { $0 = [] }),
      ("remove of no offsets", { $0.remove(atOffsets: [] as [Int]) }, { _ in }),
      ("remove of some offsets", { $0.remove(atOffsets: [0, 2, 4]) }, { $0 = [20, 40] }),
      (
        "remove of an index set", { $0.remove(atOffsets: IndexSet([1, 3])) },
        { $0 = [10, 30, 50] }
      ),
      ("remove of all offsets", { $0.remove(atOffsets: Array(0..<5)) }, { $0 = [] }),
      (
        "move of offsets to the end", { $0.move(fromOffsets: [0, 1], toOffset: 5) },
        { $0 = [30, 40, 50, 10, 20] }
      ),
      (
        "move of offsets to the front", { $0.move(fromOffsets: [2, 4], toOffset: 0) },
        { $0 = [30, 50, 10, 20, 40] }
      ),
      (
        "move of offsets to the middle", { $0.move(fromOffsets: [0, 4], toOffset: 2) },
        { $0 = [20, 10, 50, 30, 40] }
      ),
      (
        "move of an index set", { $0.move(fromOffsets: IndexSet([3]), toOffset: 1) },
        { $0 = [10, 40, 20, 30, 50] }
      ),
      (
        "move of offsets to where they are", { $0.move(fromOffsets: [1], toOffset: 2) }, { _ in }
      ),
      ("move to the end", { $0.move(from: 0, to: 4) }, { $0 = [20, 30, 40, 50, 10] }),
      ("move to the front", { $0.move(from: 4, to: 0) }, { $0 = [50, 10, 20, 30, 40] }),
      ("move by one, up", { $0.move(from: 1, to: 2) }, { $0 = [10, 30, 20, 40, 50] }),
      ("move by one, down", { $0.move(from: 2, to: 1) }, { $0 = [10, 30, 20, 40, 50] }),
      ("move to itself", { $0.move(from: 2, to: 2) }, { _ in }),
      ("swap of the ends", { $0.swapAt(0, 4) }, { $0.swapAt(0, 4) }),
      ("swap, the other way round", { $0.swapAt(3, 1) }, { $0.swapAt(1, 3) }),
      ("swap with itself", { $0.swapAt(2, 2) }, { _ in }),
      ("removeAll of some", { $0.removeAll { $0 > 20 && $0 < 50 } }, { $0 = [10, 20, 50] }),
      ("removeAll of none", { $0.removeAll { _ in false } }, { _ in }),
      ("removeAll", { $0.removeAll() }, { $0 = [] }),
      ("replace", { $0.replace(index: 4, object: 7) }, { $0[4] = 7 }),
      ("replace with the same", { $0.replace(index: 0, object: 10) }, { _ in }),
      ("assign of nothing", { $0.assign([]) }, { $0 = [] }),
      ("assign of a range", { $0.assign(1...2) }, { $0 = [1, 2] }),
    ]
    for (name, call, model) in calls {
      for isManaged in [true, false] {
        for isDone in [true, false] {
          var expected = base
          let vessel = isManaged ? realm.vessel(1)! : Vessel(id: 9)
          func look(_ numbers: [Int], _ moment: String) {
            let what = "\(name), managed: \(isManaged), \(moment)"
            stage.equal(Array(vessel.numbers), numbers, "the list after \(what)")
            stage.equal(vessel.numbers.count, numbers.count, "its count after \(what)")
            stage.equal(vessel.numbers.first, numbers.first, "its first after \(what)")
            stage.equal(vessel.numbers.last, numbers.last, "its last after \(what)")
          }
          try realm.write { vessel.numbers.assign(base) }
          realm.beginWrite()
          model(&expected)
          call(vessel.numbers)
          look(expected, "at once")
          if isDone {
            try realm.commitWrite()
            look(expected, "when it was committed")
          } else {
            realm.cancelWrite()
            look(isManaged ? base : expected, "when it was cancelled")
          }
        }
      }
    }
  }
}
