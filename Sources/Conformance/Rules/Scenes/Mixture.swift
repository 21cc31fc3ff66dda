import EngineUnderTest

/// An object whose mixed value holds lists and dictionaries, in each other.
enum Mixture {
  static func stocked(_ realm: Realm) throws -> Everything {
    try realm.write {
      let all = realm.create(Everything.self)
      all.any = .fromDictionary([
        "list": .fromArray([.int(1), .string("two"), .fromArray([.int(3), .int(4)])]),
        "map": .fromDictionary(["a": .int(5), "b": .fromArray([.int(6)])]),
      ])
      return all
    }
  }

  /// Each list of it, from the outermost in.
  static let lists: [(name: String, find: @Sendable (Everything) -> List<AnyRealmValue>?)] = [
    ("a list in a dictionary", { $0.any.dictionaryValue?["list"]?.listValue }),
    ("a list in a list", { $0.any.dictionaryValue?["list"]?.listValue?[2].listValue }),
    (
      "a list in a dictionary in a dictionary",
      { $0.any.dictionaryValue?["map"]?.dictionaryValue?["b"]?.listValue }
    ),
  ]

  static let maps: [(name: String, find: @Sendable (Everything) -> Map<String, AnyRealmValue>?)] = [
    ("a dictionary", { $0.any.dictionaryValue }),
    ("a dictionary in a dictionary", { $0.any.dictionaryValue?["map"]?.dictionaryValue }),
  ]

  /// Reads of them that must be refused elsewhere.
  static let readings: [Probe] =
    lists.flatMap { list in
      ["its count", "its first", "a member", "walked"].map { way in
        Probe.dies("\(list.name) of a mixed value, \(way)", saying: Words.wrongThread) { stage in
          let realm = try stage.open()
          let found = list.find(try stocked(realm))!
          use(found.count)
          try stage.elsewhere {
            stage.act {
              switch way {
              case "its count": use(found.count)
              case "its first": use(found.first)
              case "a member": use(found[0])
              default: for member in found { use(member) }
              }
            }
          }
        }
      }
    }
    + maps.flatMap { map in
      ["its count", "a value", "its keys"].map { way in
        Probe.dies("\(map.name) of a mixed value, \(way)", saying: Words.wrongThread) { stage in
          let realm = try stage.open()
          let found = map.find(try stocked(realm))!
          use(found.count)
          try stage.elsewhere {
            stage.act {
              switch way {
              case "its count": use(found.count)
              case "a value": use(found["a"])
              default: use(found.keys)
              }
            }
          }
        }
      }
    }

  /// They go with references and into snapshots as any collection does.
  static let crossings = Probe("collections of mixed values cross by reference, frozen and wrapped")
  {
    stage in
    let realm = try stage.open()
    let all = try stocked(realm)
    for list in lists {
      let found = list.find(all)!
      let told = found.map { $0.intValue ?? -1 }
      stage.equal(found.freeze().map { $0.intValue ?? -1 }, told, "\(list.name), frozen")
      stage.equal(
        found.freeze().thaw().map { $0.map { $0.intValue ?? -1 } }, told, "\(list.name), thawed")
      let count = found.count
      let reference = ThreadSafeReference(to: found)
      let frozen = found.freeze()
      try stage.elsewhere {
        let other = try stage.open()
        let there = other.resolve(reference)
        stage.equal(there?.count, count, "\(list.name), the resolved one's count")
        stage.equal(there?.first?.intValue, frozen.first?.intValue, "\(list.name), its first")
        stage.equal(frozen.count, count, "\(list.name), the frozen one's count elsewhere")
      }
    }
    for map in maps {
      let found = map.find(all)!
      let keys = found.keys.sorted()
      stage.equal(found.freeze().keys.sorted(), keys, "\(map.name), frozen")
      let reference = ThreadSafeReference(to: found)
      try stage.elsewhere {
        stage.equal(
          try stage.open().resolve(reference)?.keys.sorted(), keys, "\(map.name), resolved")
      }
    }
  }
}
