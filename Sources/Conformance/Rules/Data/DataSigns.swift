import EngineUnderTest
import Evidence
import Foundation

/// Objects whose keys lie on both sides of zero and at both ends: each stands in a collection where
/// it is found, in whatever order an engine keeps them.
enum Signs {
  private static let target = 5_000
  private static let stranger = -5_000

  private static let keys: [(name: String, ids: [Int])] = [
    ("one on each side", [-1, 1]),
    ("below zero", [-70_000, -3, -2, -1]),
    ("from zero on", [0, 1, 2, 70_000]),
    (
      "at the ends",
      [
        Int.min, Int.min + 1, -(1 << 32), -(1 << 31) - 1, -70_000, -256, -1, 0, 1, 255, 70_000,
        1 << 31, 1 << 32, Int.max - 1, Int.max,
      ]
    ),
    ("many on each side", Array(-70..<70)),
  ]

  static let positions: [Probe] = keys.map { name, ids in
    Probe("positions in each collection of objects by their keys: \(name)") { stage in
      Backstage.hooks?.skipFlushes()
      var chance = stage.chance
      let configuration = stage.specimens()
      let realm = try Realm(configuration: configuration)
      var there = ids.shuffled(using: &chance)
      try realm.write {
        realm.add([Specimen(id: target), Specimen(id: stranger)])
        for id in there { add(id, to: realm) }
      }
      look(stage, realm, there, "after the write")
      look(stage, realm.freeze(), there, "in a frozen realm")
      try stage.elsewhere {
        look(stage, try Realm(configuration: configuration), there, "elsewhere")
      }
      realm.beginWrite()
      let gone = there.removeFirst()
      realm.delete(realm.specimen(gone)!)
      look(stage, realm, there, "in a write that deleted one")
      for id in [-77_777, 77_777] {
        add(id, to: realm)
        there.append(id)
      }
      look(stage, realm, there, "in a write that added some")
      add(gone, to: realm)
      there.append(gone)
      try realm.commitWrite()
      look(stage, realm, there, "after another write")
      look(stage, realm.freeze(), there, "in another frozen realm")
    }
  }

  /// Adds one that links to the target in each way, and that the target has in each collection.
  private static func add(_ id: Int, to realm: Realm) {
    let (one, all) = (Specimen(id: id), realm.specimen(target)!)
    realm.add(one)
    one.next = all
    one.members.append(all)
    one.group.insert(all)
    all.members.append(one)
    all.group.insert(one)
  }

  private static func look(_ stage: Stage, _ realm: Realm, _ there: [Int], _ when: String) {
    let (all, other) = (realm.specimen(target)!, realm.specimen(stranger)!)
    let asked = realm.objects(Specimen.self).where { $0.id != target && $0.id != stranger }
    let collections: [(name: String, members: AnyRealmCollection<Specimen>, ids: [Int]?)] = [
      ("links backwards", AnyRealmCollection(all.throughNext), nil),
      ("links backwards through lists", AnyRealmCollection(all.throughMembers), nil),
      ("links backwards through sets", AnyRealmCollection(all.throughGroup), nil),
      ("a query of links backwards", AnyRealmCollection(all.throughNext.where { $0.id < 9 }), nil),
      (
        "sorted links backwards",
        AnyRealmCollection(all.throughNext.sorted(byKeyPath: "id")), there.sorted()
      ),
      ("a list", AnyRealmCollection(all.members), there),
      ("a set", AnyRealmCollection(all.group), nil),
      ("a query", AnyRealmCollection(asked), nil),
      (
        "a sorted query",
        AnyRealmCollection(asked.sorted(byKeyPath: "id", ascending: false)),
        there.sorted(by: >)
      ),
    ]
    for (name, members, ids) in collections {
      let found = members.map { $0.id }
      let expected = name == "a query of links backwards" ? there.filter { $0 < 9 } : there
      stage.equal(found.sorted(), expected.sorted(), "who is in \(name) \(when)")
      if let ids { stage.equal(found, ids, "the order of \(name) \(when)") }
      let ones = found.map { realm.specimen($0)! }
      stage.equal(
        ones.map { members.index(of: $0) }, found.indices.map { $0 },
        "the positions in \(name) \(when)")
      stage.equal(
        found.map { members.index(matching: "id == %@", $0) }, found.indices.map { $0 },
        "the positions by their keys in \(name) \(when)")
      stage.equal(
        found.indices.map { members[$0].id }, found, "who is at each position of \(name) \(when)")
      stage.equal(
        ones.filter { !members.contains($0) }.map(\.id), [], "who is not in \(name) \(when)")
      stage.equal(members.index(of: other), nil, "the position of another in \(name) \(when)")
      stage.equal(members.contains(other), false, "whether another is in \(name) \(when)")
    }
    // Asked of the collection itself, too, which an erased one may answer for otherwise.
    let linkers = all.throughNext
    stage.equal(
      linkers.map { linkers.index(of: $0) }, linkers.indices.map { $0 },
      "the positions in links backwards themselves \(when)")
    let lists = all.throughMembers
    stage.equal(
      lists.map { lists.index(of: $0) }, lists.indices.map { $0 },
      "the positions in links backwards through lists themselves \(when)")
  }
}
