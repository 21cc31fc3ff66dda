import EngineUnderTest
import Foundation
import Harness

/// Lists and sets of none to three members, and each call that there is with each argument that it
/// may have there: beside plain Swift, member by member.
enum SmallCollections {
  private struct Call<Element: RealmCollectionValue> {
    let name: String
    let run: (List<Element>) -> Void
    let model: (inout [Element]) -> Void
  }

  private static func subsets(_ count: Int) -> [[Int]] {
    (0..<1 << count).map { bits in (0..<count).filter { bits >> $0 & 1 == 1 } }
  }

  private static func ranges(_ count: Int) -> [Range<Int>] {
    (0...count).flatMap { low in (low...count).map { low..<$0 } }
  }

  /// Every call of a list with so many elements; `new` are two that it may not have.
  private static func calls<Element: RealmCollectionValue>(_ count: Int, _ new: [Element])
    -> [Call<Element>]
  {
    typealias One = Call<Element>
    let places = Array(0..<count)
    let gifts: [(name: String, members: (([Element]) -> [Element]))] = [
      ("nothing", { _ in [] }), ("one", { _ in [new[0]] }), ("two", { _ in new }),
      ("what is there", { $0 }), ("what is there, turned", { $0.reversed() }),
    ]
    var all: [One] = [
      One(name: "append", run: { $0.append(new[0]) }, model: { $0.append(new[0]) }),
      One(name: "removeAll", run: { $0.removeAll() }, model: { $0 = [] }),
      One(
        name: "append of itself", run: { list in list.append(objectsIn: list) }, model: { $0 += $0 }
      ),
    ]
    for gift in gifts {
      all.append(
        One(
          name: "append of \(gift.name)",
          run: { list in list.append(objectsIn: gift.members(Array(list))) },
          model: { $0 += gift.members($0) }))
      all.append(
        One(
          name: "assign of \(gift.name)",
          run: { list in list.assign(gift.members(Array(list))) },
          model: { $0 = gift.members($0) }))
      for range in ranges(count) {
        all.append(
          One(
            name: "replaceSubrange \(range) with \(gift.name)",
            run: { list in list.replaceSubrange(range, with: gift.members(Array(list))) },
            model: { $0.replaceSubrange(range, with: gift.members($0)) }))
      }
      for place in 0...count {
        all.append(
          One(
            name: "insert of \(gift.name) at \(place)",
            run: { list in list.insert(contentsOf: gift.members(Array(list)), at: place) },
            model: { $0.insert(contentsOf: gift.members($0), at: place) }))
      }
    }
    for place in 0...count {
      all += [
        One(
          name: "insert at \(place)", run: { $0.insert(new[0], at: place) },
          model: { $0.insert(new[0], at: place) }),
        One(
          name: "removeFirst of \(place)", run: { $0.removeFirst(place) },
          model: { $0.removeFirst(place) }),
        One(
          name: "removeLast of \(place)", run: { $0.removeLast(place) },
          model: { $0.removeLast(place) }),
      ]
      for subset in subsets(count) {
        all.append(
          One(
            name: "move of \(subset) to \(place)",
            run: { $0.move(fromOffsets: subset, toOffset: place) },
            model: { members in
              let moved = subset.map { members[$0] }
              let head = (0..<place).filter { !subset.contains($0) }.map { members[$0] }
              let tail = (place..<count).filter { !subset.contains($0) }.map { members[$0] }
              members = head + moved + tail
            }))
      }
    }
    for range in ranges(count) {
      all.append(
        One(
          name: "removeSubrange \(range)", run: { $0.removeSubrange(range) },
          model: { $0.removeSubrange(range) }))
    }
    for subset in subsets(count) {
      all.append(
        One(
          name: "remove of \(subset)", run: { $0.remove(atOffsets: subset) },
          model: { members in
            members = places.filter { !subset.contains($0) }.map { members[$0] }
          }))
    }
    for place in places {
      all += [
        One(
          name: "remove at \(place)", run: { $0.remove(at: place) as Void },
          model: { $0.remove(at: place) }),
        One(name: "set \(place)", run: { $0[place] = new[1] }, model: { $0[place] = new[1] }),
        One(
          name: "replace \(place)", run: { $0.replace(index: place, object: new[0]) },
          model: { $0[place] = new[0] }),
      ]
      for other in places {
        all += [
          One(
            name: "swap \(place) and \(other)", run: { $0.swapAt(place, other) },
            model: { $0.swapAt(place, other) }),
          One(
            name: "move \(place) to \(other)", run: { $0.move(from: place, to: other) },
            model: { $0.insert($0.remove(at: place), at: other) }),
          One(
            name: "set \(place) to what is at \(other)", run: { $0[place] = $0[other] },
            model: { $0[place] = $0[other] }),
        ]
      }
    }
    return all
  }

  /// Puts each call to a list of each size, free and managed, and taken back.
  private static func look<Element: RealmCollectionValue & Hashable>(
    _ stage: Stage, _ kind: String, _ realm: Realm, _ members: [Element], _ new: [Element],
    _ list: List<Element>, _ more: (_ expected: [Element], _ what: String) -> Void = { _, _ in }
  ) throws {
    // With others of the kind, and with some that are the same.
    let bases = [[]] + (1...3).map { Array(members.prefix($0)) } + [[members[0], members[0]]]
    for base in bases {
      try realm.write { list.assign(base) }
      for call in calls(base.count, new) {
        let what = "\(call.name) of \(base.count) \(kind)"
        var expected = base
        call.model(&expected)
        func look(_ list: List<Element>, _ expected: [Element], _ what: String) {
          let words = "\(expected)"
          guard
            stage.expect(
              Array(list) == expected, "the list after \(what) is \(words)",
              observed: "\(Array(list))")
          else { return }
          stage.equal(list.count, expected.count, "its count after \(what)")
          stage.expect(
            list.first == expected.first && list.last == expected.last, "its ends after \(what)")
          for one in Set(base + new) {
            stage.equal(
              list.index(of: one), expected.firstIndex(of: one), "where \(one) is after \(what)")
          }
        }
        realm.beginWrite()
        call.run(list)
        look(list, expected, what)
        more(expected, what)
        realm.cancelWrite()
        stage.expect(
          Array(list) == base, "the list when \(what) was cancelled", observed: "\(list)")
        more(base, "\(what), cancelled")
        if base.isEmpty || Element.self is ObjectBase.Type { continue }
        let free = List<Element>()
        free.append(objectsIn: base)
        call.run(free)
        look(free, expected, "\(what), free")
      }
    }
  }

  static let lists: [Probe] = ["numbers", "texts", "objects", "mixed values"].map { kind in
    Probe("each call of a list of few \(kind), with each argument that it may have") { stage in
      Backstage.hooks?.skipFlushes()
      var configuration = stage.specimens()
      configuration.objectTypes = [Specimen.self, Hamper.self, Address.self]
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for id in 0..<6 { realm.add(Specimen(id: id)) }
        realm.add(Hamper(key: 1))
      }
      let owner = realm.specimen(0)!
      switch kind {
      case "numbers":
        try look(stage, kind, realm, [1, nil, -1], [0, Int.max], owner.numbers)
      case "texts":
        try look(stage, kind, realm, ["a", "", "A"], ["ä", "b"], owner.words)
      case "mixed values":
        let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
        try look(
          stage, kind, realm, [.int(1), .none, .string("1")], [.bool(true), .double(1.5)],
          parcel.anys)
      default:
        let all = (1..<6).map { realm.specimen($0)! }
        let sorted = owner.members.sorted(byKeyPath: "id", ascending: false)
        let some = owner.members.where { $0.id > 2 }
        try look(
          stage, kind, realm, Array(all[0..<3]), Array(all[3...]), owner.members
        ) { expected, what in
          let ids = expected.map(\.id)
          for one in all {
            stage.equal(
              one.throughMembers.count, ids.filter { $0 == one.id }.count,
              "how often \(one.id) is held after \(what)")
          }
          stage.equal(sorted.map(\.id), ids.sorted(by: >), "the list, sorted, after \(what)")
          stage.equal(some.map(\.id), ids.filter { $0 > 2 }, "those of it after \(what)")
        }
      }
    }
  }

  // MARK: Sets and maps

  /// Each set of three possible members and each other one.
  static let sets = Probe("each call of a set of few members, with each other set") { stage in
    Backstage.hooks?.skipFlushes()
    var configuration = stage.specimens()
    configuration.objectTypes = [Specimen.self, Hamper.self, Address.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<4 { realm.add(Specimen(id: id)) }
      for key in 0..<2 { realm.add(Hamper(key: key)) }
    }
    let parcels = (0..<2).map { realm.object(ofType: Hamper.self, forPrimaryKey: $0)! }
    let owners = (0..<2).map { realm.specimen($0)! }
    try look(stage, "texts", realm, ["", "a", "A"], owners[0].labels, owners[1].labels)
    try look(
      stage, "mixed values", realm, [.none, .int(1), .string("1")], parcels[0].some,
      parcels[1].some)
    try look(
      stage, "objects", realm, (1..<4).map { realm.specimen($0)! }, owners[0].group, owners[1].group
    ) { members, what in
      for id in 1..<4 {
        stage.equal(
          realm.specimen(id)!.throughGroup.map(\.id).contains(0),
          members.contains { $0.id == id }, "whether \(id) is held after \(what)")
      }
    }
  }

  private static func look<Element: RealmCollectionValue & Hashable>(
    _ stage: Stage, _ kind: String, _ realm: Realm, _ all: [Element], _ set: MutableSet<Element>,
    _ other: MutableSet<Element>, _ more: (Set<Element>, String) -> Void = { _, _ in }
  ) throws {
    typealias Members = Set<Element>
    let calls:
      [(
        name: String, run: (MutableSet<Element>, MutableSet<Element>) -> Void,
        model: (inout Members, Members) -> Void
      )] = [
        ("formUnion", { $0.formUnion($1) }, { $0.formUnion($1) }),
        ("formIntersection", { $0.formIntersection($1) }, { $0.formIntersection($1) }),
        ("subtract", { $0.subtract($1) }, { $0.subtract($1) }),
        ("insert of all", { $0.insert(objectsIn: $1) }, { $0.formUnion($1) }),
        (
          "insert one by one", { for one in $1 { $0.insert(one) } },
          { for one in $1 { $0.insert(one) } }
        ),
        (
          "remove one by one", { for one in $1 { $0.remove(one) } },
          { for one in $1 { $0.remove(one) } }
        ),
        (
          "remove and insert",
          {
            for one in $1 {
              $0.remove(one)
              $0.insert(one)
            }
          }, { $0.formUnion($1) }
        ),
        ("removeAll", { set, _ in set.removeAll() }, { members, _ in members = [] }),
      ]
    let subsets = subsets(all.count).map { $0.map { all[$0] } }
    for (place, mine) in subsets.enumerated() {
      for (number, theirs) in subsets.enumerated()
      where kind == "texts" || stage.isDue(place + number, of: 3) {
        try realm.write {
          set.removeAll()
          other.removeAll()
          set.insert(objectsIn: mine)
          other.insert(objectsIn: theirs)
        }
        for call in calls {
          let what = "\(call.name) of \(mine.count) \(kind), with \(theirs.count)"
          func look(_ set: MutableSet<Element>, _ expected: Members, _ what: String) {
            let members = Array(set)
            stage.expect(
              Set(members) == expected && members.count == expected.count
                && set.count == expected.count,
              "the set after \(what)", observed: "\(members) and not \(expected)")
            for one in all {
              stage.equal(
                set.contains(one), expected.contains(one), "whether it has \(one) after \(what)")
            }
          }
          var expected = Set(mine)
          call.model(&expected, Set(theirs))
          realm.beginWrite()
          call.run(set, other)
          look(set, expected, what)
          look(other, Set(theirs), "\(what), the other one")
          stage.equal(
            set.isSubset(of: other), expected.isSubset(of: theirs), "if it is within, \(what)")
          stage.equal(
            set.intersects(other), !expected.isDisjoint(with: theirs), "if they meet, \(what)")
          more(expected, what)
          realm.cancelWrite()
          look(set, Set(mine), "\(what), cancelled")
          more(Set(mine), "\(what), cancelled")
        }
      }
    }
  }
}
