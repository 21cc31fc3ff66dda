import EngineUnderTest
import Evidence

/// Keys that are taken out of maps, in each way and of each kind of map: what was found before, and
/// asked, is without them at once.
enum TakenKeys {
  /// How the key "a" goes, of a map that has more.
  private enum Way: String, CaseIterable {
    case none = "set to nil"
    case removed = "removed"

    func take<Value: RealmCollectionValue>(_ key: String, from map: Map<String, Value>) {
      switch self {
      case .none: map[key] = nil
      case .removed: map.removeObject(for: key)
      }
    }
  }

  /// Something that was found of the maps of an object, by what it shows.
  private struct View {
    let name: String
    let ask: () -> [String]

    init(_ name: String, _ ask: @escaping () -> [String]) { (self.name, self.ask) = (name, ask) }
  }

  static let probes: [Probe] = Way.allCases.flatMap { way in
    [true, false].map { asks in
      Probe(
        "what was found of maps is without a key that is \(way.rawValue)"
          + (asks ? ", and was asked before" : "")
      ) { stage in
        let realm = try Realm(configuration: stage.specimens())
        try stock(realm)
        let views = views(of: realm)
        for commits in [false, true] {
          for keys in [["a"], ["a", "c"], ["b", "a", "c"]] {
            realm.beginWrite()
            // Nothing but a key that goes may show that something changed.
            if asks { for view in views { _ = view.ask() } }
            for key in keys {
              for map in maps(of: realm) { way.take(key, from: map) }
              way.take(key, from: realm.specimen(0)!.named)
              compare(stage, realm, views, asks, "'\(key)' is \(way.rawValue)")
            }
            if commits { try realm.commitWrite() } else { realm.cancelWrite() }
            compare(stage, realm, views, true, "the write is \(commits ? "kept" : "cancelled")")
            try stock(realm)
          }
        }
      }
    }
  }

  /// Each kind of value by itself: the key that goes is the only change since all were asked.
  static let alone: [Probe] = Way.allCases.map { way in
    Probe("what was found of one map is without a key that is \(way.rawValue) and nothing else") {
      stage in
      let realm = try Realm(configuration: stage.specimens())
      let takes: [(String, (Specimen) -> Void)] = [
        ("numbers", { way.take("a", from: $0.scores) }),
        ("objects", { way.take("a", from: $0.named) }),
        ("no object", { way.take("none", from: $0.named) }),
      ]
      for (name, take) in takes {
        try stock(realm)
        let views = views(of: realm)
        for view in views { _ = view.ask() }
        realm.beginWrite()
        for view in views { _ = view.ask() }
        take(realm.specimen(0)!)
        compare(stage, realm, views, true, "a key of \(name) is \(way.rawValue)")
        take(realm.specimen(1)!)
        compare(stage, realm, views, true, "a key of \(name) of another is \(way.rawValue)")
        realm.cancelWrite()
        compare(stage, realm, views, true, "a key of \(name) was \(way.rawValue), and came back")
      }
    }
  }

  private static func maps(of realm: Realm) -> [Map<String, Int>] {
    [realm.specimen(0)!.scores, realm.specimen(1)!.scores]
  }

  private static func stock(_ realm: Realm) throws {
    try realm.write {
      for id in 0..<4 where realm.specimen(id) == nil { realm.add(Specimen(id: id)) }
      for id in 0..<2 {
        let owner = realm.specimen(id)!
        for (number, key) in ["a", "b", "c"].enumerated() {
          owner.scores[key] = 10 * id + number
          owner.named[key] = .some(realm.specimen(number + 1))
        }
        owner.named["none"] = .some(nil)
      }
    }
  }

  /// The same view made anew is what one that was made before has to show.
  private static func compare(
    _ stage: Stage, _ realm: Realm, _ views: [View], _ asksAll: Bool, _ when: String
  ) {
    for (known, new) in zip(views, TakenKeys.views(of: realm)) {
      stage.equal(known.ask(), new.ask(), "\(known.name) when \(when)")
      if !asksAll { return }
    }
  }

  private static func views(of realm: Realm) -> [View] {
    let all = realm.objects(Specimen.self)
    func among(_ name: String, _ found: Results<Specimen>) -> [View] {
      [
        View("the count of \(name)") { ["\(found.count)"] },
        View(name) { found.map { "\($0.id)" }.sorted() },
      ]
    }
    return
      among("those whose map has a key", all.filter("ANY scores.@keys == %@", "a"))
      + among("those whose map has a value", all.filter("ANY scores.@values == %@", 0))
      + among("those with a number under a key", all.filter("scores['a'] >= %@", 0))
      + among("those with so many", all.filter("scores.@count == %@", 3))
      + among("those with fewer objects", all.filter("named.@count < %@", 4))
      + members(of: realm.specimen(0)!)
  }

  private static func members(of owner: Specimen) -> [View] {
    let (scores, named) = (owner.scores, owner.named)
    return [
      View("the keys of a map") { scores.keys.sorted() },
      View("the values of a map") { scores.values.map { "\($0)" }.sorted() },
      View("the keys of a map of objects") { named.keys.sorted() },
      View("a walk through a map") { named.map { "\($0.key) \($0.value?.id ?? -1)" }.sorted() },
    ]
  }
}
