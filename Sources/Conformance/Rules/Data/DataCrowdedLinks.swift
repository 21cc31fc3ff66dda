import EngineUnderTest
import Foundation

/// Many objects that hold one and the same, each in its way: some let it go, it is deleted, and
/// none of the others has it any more, however alike their keys are.
enum CrowdedLinks {
  private struct Place: Sendable {
    let name: String
    let put: @Sendable (Vessel, Vessel) -> Void
    let letGo: @Sendable (Vessel) -> Void
    let holds: @Sendable (Vessel) -> Bool
  }

  private static func holds(_ value: AnyRealmValue) -> Bool {
    if let object = value.object(Vessel.self) { return !object.isInvalidated }
    if let list = value.listValue { return list.contains { holds($0) } }
    if let map = value.dictionaryValue { return map.contains { holds($0.value) } }
    return false
  }

  private static let plain: [Place] = [
    Place(
      name: "a link", put: { $0.link = $1 }, letGo: { $0.link = nil }, holds: { $0.link != nil }),
    Place(
      name: "a list", put: { $0.links.append($1) }, letGo: { $0.links.removeAll() },
      holds: { !$0.links.isEmpty }),
    Place(
      name: "a set", put: { $0.group.insert($1) }, letGo: { $0.group.removeAll() },
      holds: { !$0.group.isEmpty }),
    Place(
      name: "a map", put: { $0.named["a"] = .some($1) }, letGo: { $0.named["a"] = .some(nil) },
      holds: { $0.named["a"]?.map { !$0.isInvalidated } ?? false }),
    Place(
      name: "a mixed value", put: { $0.mixed = .object($1) }, letGo: { $0.mixed = .none },
      holds: { holds($0.mixed) }),
    Place(
      name: "a list of mixed values", put: { $0.mixture.append(.object($1)) },
      letGo: { $0.mixture.removeLast() }, holds: { $0.mixture.contains { holds($0) } }),
    Place(
      name: "a map of mixed values", put: { $0.mixedMap["a"] = .object($1) },
      letGo: { $0.mixedMap["a"] = .some(.int(1)) },
      holds: { $0.mixedMap.contains { holds($0.value) } }),
  ]

  private static let nested: [Place] = [
    Place(
      name: "a list in a mixed value", put: { $0.mixed = .fromArray([.int(1), .object($1)]) },
      letGo: { $0.mixed.listValue?.remove(at: 1) }, holds: { holds($0.mixed) }),
    Place(
      name: "a dictionary in a mixed value",
      put: { $0.mixed = .fromDictionary(["a": .object($1), "b": .int(1)]) },
      letGo: { $0.mixed.dictionaryValue?["a"] = .some(.int(2)) }, holds: { holds($0.mixed) }),
    Place(
      name: "a list in a list of mixed values",
      put: { $0.mixture.append(.fromArray([.object($1)])) },
      letGo: { $0.mixture.last?.listValue?.removeAll() },
      holds: { $0.mixture.contains { holds($0) } }),
    Place(
      name: "a list in a dictionary in a mixed value",
      put: { $0.mixed = .fromDictionary(["a": .fromArray([.object($1)])]) },
      letGo: { $0.mixed = .int(1) }, holds: { holds($0.mixed) }),
  ]

  static let deleted: [Probe] = (plain + (Engine.offersReins ? nested : [])).map { place in
    Probe("one that six hundred hold in \(place.name) is deleted when some have let it go") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Vessel.configuration(stage))
      let count = 600
      try realm.write {
        for id in 0...count { realm.add(Vessel(id: id)) }
        let one = realm.vessel(0)!
        for id in 1...count { place.put(realm.vessel(id)!, one) }
      }
      func holders() -> Int { realm.objects(Vessel.self).count { $0.id > 0 && place.holds($0) } }
      stage.equal(holders(), count, "how many hold it in \(place.name)")
      // Those whose keys are alike in their last digits, whichever system one counts in.
      let leaving = (1...count).filter { $0 > 256 && $0 <= 300 || $0 % 100 == 7 }
      try realm.write { for id in leaving { place.letGo(realm.vessel(id)!) } }
      stage.equal(holders(), count - leaving.count, "how many hold it when some have let it go")
      try realm.write { realm.delete(realm.vessel(0)!) }
      stage.equal(holders(), 0, "how many hold what is deleted in \(place.name)")
      try realm.write {
        let again = Vessel(id: 0)
        again.text = "another"
        realm.add(again)
      }
      stage.equal(holders(), 0, "how many hold another under its key")
      let configuration = realm.configuration
      let elsewhere = try stage.elsewhere {
        try Realm(configuration: configuration).objects(Vessel.self)
          .count { $0.id > 0 && place.holds($0) }
      }
      stage.equal(elsewhere, 0, "how many hold it elsewhere")
    }
  }
}
