import EngineUnderTest
import Foundation
import Harness

/// Each call that changes a collection, while that is empty: it needs a write all the same.
enum Empties {
  static let probes: [Probe] =
    list("a list of texts", { $0.texts }, "new") + list("a list of numbers", { $0.numbers }, 7)
    + list("a list of data", { $0.blobs }, Data([7]))
    + list("a list of mixed values", { $0.mixture }, .int(7))
    + set("a set of texts", { $0.labels }, "new")
    + set("a set of mixed values", { $0.mixedSet }, .int(7))
    + map("a map of texts", { $0.titles }, "new")
    + map("a map of mixed values", { $0.mixedMap }, .int(7))
    + [
      probe("a list of objects, appended to", { $0.links }, { $0.append(Vessel(id: 9)) }),
      probe("a list of objects, emptied", { $0.links }, { $0.removeAll() }),
      probe("a set of objects, added to", { $0.group }, { $0.insert(Vessel(id: 9)) }),
      probe("a set of objects, emptied", { $0.group }, { $0.removeAll() }),
      probe("a map of objects, set", { $0.named }, { $0["a"] = .some(Vessel(id: 9)) }),
      probe("a map of objects, emptied", { $0.named }, { $0.removeAll() }),
      probe("a list of embedded objects, emptied", { $0.parts }, { $0.removeAll() }),
      probe("a map of embedded objects, emptied", { $0.partMap }, { $0.removeAll() }),
    ]

  private static func list<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> List<Value>, _ value: Value
  ) -> [Probe] {
    nonisolated(unsafe) let value = value
    return [
      probe("\(name), appended to", find) { $0.append(value) },
      probe("\(name), appended to with several", find) { $0.append(objectsIn: [value, value]) },
      probe("\(name), inserted into", find) { $0.insert(value, at: 0) },
      probe("\(name), filled anew", find) { $0.assign([value]) },
      probe("\(name), emptied", find) { $0.removeAll() },
    ]
  }

  private static func set<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> MutableSet<Value>, _ value: Value
  ) -> [Probe] {
    nonisolated(unsafe) let value = value
    return [
      probe("\(name), added to", find) { $0.insert(value) },
      probe("\(name), added to with several", find) { $0.insert(objectsIn: [value, value]) },
      probe("\(name), emptied", find) { $0.removeAll() },
    ]
  }

  private static func map<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> Map<String, Value>, _ value: Value
  ) -> [Probe] {
    nonisolated(unsafe) let value = value
    return [
      probe("\(name), set", find) { $0["a"] = value },
      probe("\(name), updated", find) { $0.updateValue(value, forKey: "a") },
      probe("\(name), emptied", find) { $0.removeAll() },
    ]
  }

  private static func probe<Owner: SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> Owner,
    _ change: @escaping @Sendable (Owner) -> Void
  ) -> Probe {
    Probe(
      "\(name), while empty, outside of a write",
      refusing: [Words.outsideWrite, "Attempting to modify object outside", "Cannot modify"]
    ) { stage in
      let realm = try Vessel.stocked(stage)
      try realm.write { realm.add(Vessel(id: 3)) }
      let found = find(realm.vessel(3))
      // In a write it is fine.
      realm.beginWrite()
      change(found)
      realm.cancelWrite()
      stage.act { change(found) }
    }
  }
}
