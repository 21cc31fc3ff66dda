import EngineUnderTest
import Foundation

/// Every way in which an object that exists comes into a realm that is in a write: as a link, as a
/// member, within something unmanaged that is added.
struct Gift: Sendable {
  let name: String
  let give: @Sendable (Realm, Vessel) -> Void

  init(_ name: String, _ give: @escaping @Sendable (Realm, Vessel) -> Void) {
    (self.name, self.give) = (name, give)
  }

  /// Into what the first vessel has.
  private static func into(_ name: String, _ give: @escaping @Sendable (Vessel, Vessel) -> Void)
    -> Gift
  { Gift(name) { realm, gift in give(realm.vessel(1), gift) } }

  /// Within an unmanaged vessel that is added.
  private static func within(
    _ name: String, _ give: @escaping @Sendable (Vessel, Vessel) -> Void
  ) -> Gift {
    Gift("\(name) of an object that is added") { realm, gift in
      let vessel = Vessel(id: 9)
      give(vessel, gift)
      realm.add(vessel)
    }
  }

  static let all = links + members + mixtures + unmanaged

  private static let links: [Gift] = [
    into("a link") { $0.link = $1 },
    into("a link, by setValue") { $0.setValue($1, forKey: "link") },
    into("a link, by its name") { ByName.set($1, "link", of: $0) },
    into("an embedded object's link") { $0.part!.link = $1 },
    into("a link of an embedded object in a list") { $0.parts[0].link = $1 },
    into("a link of a new embedded object") { $0.part = Part(text: "new", link: $1) },
    into("a link of an embedded object that is appended") {
      $0.parts.append(Part(text: "new", link: $1))
    },
    into("a link of an embedded object that is put into a map") {
      $0.partMap["b"] = .some(Part(text: "new", link: $1))
    },
    into("a link of all members, by name") { ByName.set($1, "link", in: $0.links) },
  ]

  private static let members: [Gift] = [
    into("a list's member, appended") { $0.links.append($1) },
    into("a list's member, appended with others") { $0.links.append(objectsIn: [$1, $1]) },
    into("a list's member, inserted") { $0.links.insert($1, at: 0) },
    into("a list's member, inserted with others") { $0.links.insert(contentsOf: [$1], at: 1) },
    into("a list's member, set at a position") { $0.links[0] = $1 },
    into("a list's member, replaced") { $0.links.replace(index: 0, object: $1) },
    into("a list's member, in a range") { $0.links.replaceSubrange(0..<1, with: [$1]) },
    into("a list's member, in an empty range") { $0.links.replaceSubrange(1..<1, with: [$1]) },
    into("a list's member, filled anew") { $0.links.assign([$1]) },
    into("a list that is assigned") { vessel, gift in
      let list = List<Vessel>()
      list.append(gift)
      vessel.links = list
    },
    into("a list, by setValue") { $0.setValue([$1], forKey: "links") },
    into("a set's member") { $0.group.insert($1) },
    into("a set's member, with others") { $0.group.insert(objectsIn: [$1]) },
    into("a set, united") { vessel, gift in
      let set = MutableSet<Vessel>()
      set.insert(gift)
      vessel.group.formUnion(set)
    },
    into("a set that is assigned") { vessel, gift in
      let set = MutableSet<Vessel>()
      set.insert(gift)
      vessel.group = set
    },
    into("a map's value") { $0.named["b"] = .some($1) },
    into("a map's value, in the place of another") { $0.named["a"] = .some($1) },
    into("a map's value, updated") { $0.named.updateValue($1, forKey: "b") },
    into("a map's value, merged") { $0.named.merge([(key: "b", value: $1)]) { $1 } },
    into("a map's value, by name") { ByName.set($1, "b", in: $0.named) },
    into("a map that is assigned") { vessel, gift in
      let map = Map<String, Vessel?>()
      map["b"] = .some(gift)
      vessel.named = map
    },
  ]

  private static let mixtures: [Gift] =
    [
      into("a mixed value") { $0.mixed = .object($1) },
      into("a mixed value of an embedded object") { $0.part!.mixed = .object($1) },
      into("a list of mixed values, appended to") { $0.mixture.append(.object($1)) },
      into("a list of mixed values, set at a position") { $0.mixture[0] = .object($1) },
      into("a list of mixed values, filled anew") { $0.mixture.assign([.object($1)]) },
      into("a set of mixed values") { $0.mixedSet.insert(.object($1)) },
      into("a map of mixed values") { $0.mixedMap["b"] = .object($1) },
    ]
    + (Engine.offersReins
      ? [
        into("a list in a mixed value") { $0.mixed = .fromArray([.int(1), .object($1)]) },
        into("a dictionary in a mixed value") { $0.mixed = .fromDictionary(["b": .object($1)]) },
        into("a list in a mixed value, appended to") {
          $0.mixed.dictionaryValue!["list"]!.listValue!.append(.object($1))
        },
        into("a dictionary in a mixed value, set") {
          $0.mixed.dictionaryValue!["b"] = .object($1)
        },
        into("a list in a list of mixed values") {
          $0.mixture.append(.fromArray([.fromArray([.object($1)])]))
        },
      ] : [])

  /// Only what keeps the object as it is: where values are copied a copy comes in, which is no
  /// gift.
  private static let unmanaged: [Gift] = [
    within("the link") { $0.link = $1 },
    within("a list's member") { $0.links.append($1) },
    within("a set's member") { $0.group.insert($1) },
    within("a map's value") { $0.named["a"] = .some($1) },
    within("the mixed value") { $0.mixed = .object($1) },
    within("the link of the embedded object") { $0.part = Part(text: "new", link: $1) },
    within("the link of the link") { vessel, gift in
      vessel.link = Vessel(id: 10)
      vessel.link!.link = gift
    },
    within("the list of a list's member") { vessel, gift in
      vessel.links.append(objectsIn: [Vessel(id: 10), Vessel(id: 11)])
      vessel.links[1].links.append(gift)
    },
    Gift("the link of an object that is added as an update") { realm, gift in
      let vessel = Vessel(id: 1)
      vessel.link = gift
      realm.add(vessel, update: .all)
    },
    Gift("the link of an object that is added as what is modified") { realm, gift in
      let vessel = Vessel(id: 1)
      vessel.link = gift
      realm.add(vessel, update: .modified)
    },
    Gift("the list of one of several that are added") { realm, gift in
      let vessel = Vessel(id: 10)
      vessel.links.append(gift)
      realm.add([Vessel(id: 9), vessel])
    },
    Gift("the link of one that is appended") { realm, gift in
      let vessel = Vessel(id: 9)
      vessel.link = gift
      realm.vessel(1).links.append(vessel)
    },
    Gift("itself, added") { $0.add($1) },
    Gift("itself, added as an update") { $0.add($1, update: .all) },
    Gift("itself, added with another") { $0.add([Vessel(id: 9), $1]) },
  ]
}

extension Probe {
  /// By names values are copied, and whoever has the key is in the way of the copy.
  private static let refusals = [
    Words.managedElsewhere, Words.frozenObject, Words.wrongThread, "with an existing primary key",
  ]

  /// Each way in for what is frozen.
  static let frozenGifts: [Probe] = Gift.all.map { gift in
    Probe("frozen, as \(gift.name)", refusing: refusals) {
      stage in
      let realm = try Vessel.stocked(stage)
      let frozen = realm.vessel(2)!.freeze()
      realm.beginWrite()
      stage.act { gift.give(realm, frozen) }
    }
  }

  /// Each way in for an object of another file, which has an object with its key, too.
  static let strangeGifts: [Probe] = Gift.all.map { gift in
    Probe("of another file, as \(gift.name)", refusing: refusals) { stage in
      let realm = try Vessel.stocked(stage)
      let stranger = try Vessel.stocked(stage, "others").vessel(2)!
      realm.beginWrite()
      stage.act { gift.give(realm, stranger) }
    }
  }

  /// Each way in for an object of another realm of the same file, at home in the same block.
  static let neighbouringGifts: [Probe] = Gift.all.map { gift in
    Probe(
      "of another realm of the file, as \(gift.name)",
      refusing: refusals
    ) { stage in
      let realm = try Vessel.stocked(stage)
      let queue = DispatchQueue(label: "queue")
      try queue.sync {
        let other = try Realm(configuration: Vessel.configuration(stage), queue: queue)
        let neighbour = other.vessel(2)!
        realm.beginWrite()
        stage.act { gift.give(realm, neighbour) }
      }
    }
  }

  /// How an object goes that is given nevertheless.
  private static let goings:
    [(name: String, run: @Sendable (Stage, Realm, Vessel) throws -> Void)] = [
      (
        "deleted in the same write",
        { _, realm, gift in
          realm.beginWrite()
          realm.delete(gift)
        }
      ),
      (
        "deleted in a write before",
        { _, realm, gift in
          try realm.write { realm.delete(gift) }
          realm.beginWrite()
        }
      ),
      (
        "deleted with all there is",
        { _, realm, gift in
          try realm.write {
            realm.deleteAll()
            Vessel.stock(realm)
          }
          realm.beginWrite()
        }
      ),
      (
        "deleted elsewhere",
        { stage, realm, gift in
          try stage.elsewhere {
            let other = try Vessel.stocked(stage)
            try other.write { other.delete(other.vessel(2)!) }
          }
          realm.beginWrite()
        }
      ),
      (
        "deleted, and another one has its key",
        { _, realm, gift in
          try realm.write {
            realm.delete(gift)
            realm.add(Vessel(id: 2))
          }
          realm.beginWrite()
        }
      ),
    ]

  /// Each way in for an object of the realm that is gone, in one of the ways to go; and what is
  /// added by itself in each of these.
  static let goneGifts: [Probe] = Gift.all.enumerated().flatMap { place, gift in
    let all = goings.indices.filter { gift.name.hasPrefix("itself") || $0 == place % goings.count }
    return all.map { number in
      let going = goings[number]
      return Probe(
        "\(going.name), as \(gift.name)",
        refusing: ["deleted or invalidated", "invalidated"]
      ) { stage in
        let realm = try Vessel.stocked(stage)
        let gone = realm.vessel(2)!
        try going.run(stage, realm, gone)
        stage.act { gift.give(realm, gone) }
      }
    }
  }

  /// And each way in for one of its own.
  static let ownGifts = Probe("an object of the realm comes in by each way, as itself") { stage in
    let realm = try Vessel.stocked(stage)
    for gift in Gift.all {
      try realm.write {
        realm.deleteAll()
        Vessel.stock(realm)
        let own = realm.vessel(2)!
        gift.give(realm, own)
        own.text = "of \(gift.name)"
      }
      stage.equal(realm.vessel(2)?.text, "of \(gift.name)", "the object given as \(gift.name)")
      let count = realm.objects(Vessel.self).where { $0.id < 9 }.count
      stage.equal(count, 2, "how many there are with \(gift.name)")
    }
  }
}
