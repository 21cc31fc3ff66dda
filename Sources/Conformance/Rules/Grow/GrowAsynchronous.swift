import EngineUnderTest

extension Probe {
  /// Who may not write, as too many versions are held, may not write later either, and is told so;
  /// when they are let go of all may write.
  static let asynchronousLimits = Probe("an asynchronous write is refused at the limit, too") {
    stage in
    let realm = try Vessel.settling(stage, limit: 4)
    // One more than may be: the write that would make another is not begun.
    var held: [Realm] = []
    for round in 0..<5 {
      if round > 0 { try realm.write { realm.vessel(1).number = round } }
      held.append(realm.freeze())
    }
    let before = realm.vessel(1).number
    func ask(_ what: String) throws -> String {
      var told: String?
      let id = realm.writeAsync {
        realm.vessel(1).number = 1000
      } onComplete: { error in
        told = error == nil ? "written" : "refused"
      }
      use(id)
      try stage.spin(until: { told != nil }, "the end of \(what)")
      return told!
    }
    for round in 0..<2 {
      stage.equal(try ask("a write at the limit"), "refused", "a write at the limit, \(round)")
      stage.equal(realm.isInWriteTransaction, false, "a write under way, \(round)")
      stage.equal(realm.vessel(1).number, before, "the number, \(round)")
    }
    use(held.count)
    held = []
    try stage.settle(realm)
    stage.equal(try ask("a write under the limit"), "written", "a write under the limit")
    stage.equal(realm.vessel(1).number, 1000, "the number that was written")
  }
}
