import EngineUnderTest

extension Probe {
  /// In each state, what a realm is to others: the same one where it is opened again at its home,
  /// another one elsewhere, with the configuration that it was opened with.
  static func instancesInStates(_ make: RealmMake) -> Probe {
    Probe("a realm is one and the same at its home in each state: \(make.rawValue)") { stage in
      try Situation.each(stage, make) { situation, state in
        // What is thawed on a queue is of the thread that works there.
        guard state != .thawed || situation.place != .queue else { return }
        let configuration = situation.configuration
        let queue = situation.place == .queue ? situation.queue : nil
        let what = "\(state.rawValue), \(situation.words)"
        try situation.pass(
          state,
          asking: { realm in
            let again = try Realm(configuration: configuration, queue: queue)
            stage.equal(again == realm, !state.isFrozen, "whether they are one, \(what)")
            if state.isFrozen { return }
            stage.equal(
              again.isInWriteTransaction, state.isInWrite, "the write of the second, \(what)")
            situation.compare(again, turn: state.turn, "of the second, \(what)")
            again.autorefresh = false
            stage.equal(realm.autorefresh, false, "autorefresh of the first, \(what)")
            stage.equal(
              realm.configuration.fileURL, configuration.fileURL, "its file, \(what)")
            stage.equal(
              realm.configuration.schemaVersion, configuration.schemaVersion,
              "its schema's version, \(what)")
            stage.equal(realm.vessel(0)?.realm == realm, true, "its object's realm, \(what)")
          }
        ) {
          try stage.elsewhere {
            let third = try Realm(configuration: configuration)
            stage.equal(third == situation.realm, false, "whether another is the same, \(what)")
            stage.equal(third.isInWriteTransaction, false, "the other one's write, \(what)")
            stage.equal(third.autorefresh, true, "the other one's autorefresh, \(what)")
            stage.equal(
              situation.realm.configuration.fileURL, configuration.fileURL, "its file elsewhere")
          }
        }
      }
    }
  }

  /// Calls off the realm's home, in each state: each time others, in realms of each make.
  static let trespassesInStates: [Probe] = RealmState.allCases.filter {
    !$0.isFrozen && $0 != .failed
  }.enumerated().map { number, state in
    let calls: [(String, @Sendable (Realm, Vessel) -> Void)] = [
      ("objects", { realm, _ in use(realm.objects(Vessel.self).count) }),
      ("a number", { _, vessel in use(vessel.number) }),
      ("a list", { _, vessel in use(vessel.links.count) }),
      ("refresh()", { realm, _ in realm.refresh() }),
      ("a text, changed", { _, vessel in vessel.text = "elsewhere" }),
      ("beginWrite()", { realm, _ in realm.beginWrite() }),
      ("freeze()", { realm, _ in use(realm.freeze()) }),
      ("a link", { _, vessel in use(vessel.link) }),
    ]
    let makes = RealmMake.allCases.filter { $0.isWritable }
    let make = makes[number * 5 % makes.count]
    let place = RealmPlace.allCases[number % 2]
    let (name, call) = calls[number * 3 % calls.count]
    return Probe(
      "\(name), off its home, \(state.rawValue): \(make.rawValue), \(place.rawValue)",
      refusing: [Words.wrongThread]
    ) { stage in
      let situation = try Situation(stage, make, place)
      var vessel: Vessel?
      try situation.pass(
        state, asking: { realm in vessel = realm.vessel(0) }
      ) {
        try stage.elsewhere { stage.act { call(situation.realm, vessel!) } }
      }
    }
  }
}
