import EngineUnderTest

extension Probe {
  /// A copy knows of each of its objects who links to it, whatever had been written when it was
  /// made: links backwards lead to all of them, and who is deleted is gone from all lists.
  static let linksOfCopies = Probe("a copy knows its links from both ends") {
    stage in
    let realm = try Vessel.stocked(stage)
    func linkers(_ realm: Realm) -> [String] {
      realm.objects(Vessel.self).sorted(byKeyPath: "id").map { vessel in
        "\(vessel.id): \(vessel.throughLink.map(\.id).sorted()) "
          + "\(vessel.throughLinks.map(\.id).sorted())"
      }
    }
    for isInWrite in [true, false] {
      let what = isInWrite ? "made in a write" : "made after it"
      realm.beginWrite()
      for id in 3..<40 {
        let vessel = realm.create(Vessel.self, value: ["id": id], update: .modified)
        vessel.link = realm.vessel(1 + id % 3)
        vessel.links.append(objectsIn: [realm.vessel(1), vessel])
        vessel.mixed = .object(realm.vessel(2))
      }
      realm.vessel(2).links.removeAll()
      realm.delete(realm.vessel(30))
      if !isInWrite { try realm.commitWrite() }
      let right = linkers(realm)
      var configuration = Vessel.configuration(stage, "copy \(isInWrite)")
      try realm.writeCopy(configuration: configuration)
      if isInWrite { realm.cancelWrite() }
      configuration.seedFilePath = nil
      let copied = configuration
      try stage.elsewhere {
        let copy = try Realm(configuration: copied)
        stage.equal(linkers(copy), right, "who links to whom, \(what)")
        try copy.write { copy.delete(copy.vessel(1)) }
        stage.equal(copy.vessel(3).links.map(\.id), [3], "a list when a member has gone, \(what)")
        stage.equal(copy.vessel(6).link == nil, true, "a link when it has gone, \(what)")
      }
    }
  }
}
