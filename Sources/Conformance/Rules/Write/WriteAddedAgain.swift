import EngineUnderTest

extension Probe {
  /// What the realm has already is added again, with each policy, by itself and among others: that
  /// is no change, and nobody hears of one.
  static let addedAgain = Probe("what is there is added again, by each policy, and is no news") {
    stage in
    let realm = try Vessel.settling(stage)
    let vessel = realm.vessel(1)!
    var names: [String] = []
    let token = vessel.observe { change in
      if case .change(_, let properties) = change { names += properties.map(\.name) }
    }
    try stage.settle(realm)
    let ways: [(String, (Vessel) -> Void)] = [
      ("by itself", { realm.add($0) }),
      ("by itself, .modified", { realm.add($0, update: .modified) }),
      ("by itself, .all", { realm.add($0, update: .all) }),
      ("in an array, .modified", { realm.add([$0], update: .modified) }),
      ("in an array, .all", { realm.add([$0], update: .all) }),
      ("as what another one links to", { realm.vessel(2)!.link = $0 }),
    ]
    for (number, (way, add)) in ways.enumerated() {
      names = []
      try realm.write { add(vessel) }
      // Only this is news, and brings whatever was told before it.
      try realm.write { vessel.number = 100 + number }
      try stage.spin(until: { names.contains("number") }, "the change behind it, \(way)")
      try stage.settle(realm)
      stage.equal(names, ["number"], "the properties that have changed, \(way)")
    }
    token.invalidate()
  }
}
