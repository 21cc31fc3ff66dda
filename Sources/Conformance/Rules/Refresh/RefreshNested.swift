import EngineUnderTest

extension Probe {
  /// Lists and dictionaries in mixed values that are held over refreshes, one step at a time and
  /// several.
  static let nestedRefresh = Probe("what is held of a mixed value shows what a refresh brings") {
    stage in
    guard Engine.offersReins else {
      try stage.skip(.noType, "no lists in mixed values here")
    }
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    realm.autorefresh = false
    let vessel = realm.vessel(1)!
    let map = vessel.mixed.dictionaryValue!
    let list = map["list"]!.listValue!
    for (round, steps) in [1, 1, 2, 1, 3].enumerated() {
      stage.equal(list.count, 2 + round, "the list before, round \(round)")
      stage.equal(map.count, 2 + round, "the dictionary before, round \(round)")
      for step in 0..<steps {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          let theirs = other.vessel(1).mixed.dictionaryValue!
          try other.write {
            theirs["a"] = .int(100 * round + step)
            guard step == 0 else { return }
            theirs["list"]!.listValue!.append(.int(round))
            theirs["key \(round)"] = .int(round)
          }
        }
      }
      stage.equal(realm.refresh(), true, "whether there was something, round \(round)")
      stage.equal(map["a"], .int(100 * round + steps - 1), "a value, round \(round)")
      stage.equal(map["key \(round)"], .int(round), "a new key, round \(round)")
      stage.equal(list.count, 3 + round, "the list, round \(round)")
      stage.equal(list.last, .int(round), "the last of the list, round \(round)")
    }
  }
}
