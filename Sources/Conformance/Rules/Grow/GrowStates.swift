import EngineUnderTest

extension Probe {
  /// Versions that are held when a state is over: with as many as two realms need, writing goes on.
  static func versionsInStates(_ make: RealmMake) -> Probe {
    Probe("no state of a realm leaves a version behind: \(make.rawValue)") { stage in
      for place in RealmPlace.allCases {
        let situation = try Situation(stage, make, place, limit: 4)
        for state in RealmState.due(situation) where state != .pinned {
          let what = "\(state.rawValue), \(situation.words)"
          try situation.pass(
            state,
            asking: { realm in
              // Whatever is asked, and frozen, and sent, and let go of.
              situation.compare(realm, turn: state.turn, what)
              if state != .inWrite {
                use(ThreadSafeReference(to: realm.objects(Vessel.self)))
                use(ThreadSafeReference(to: realm.vessel(0)!))
              }
              use(realm.freeze().vessel(0)?.freeze().thaw()?.number)
              // Nobody can be frozen in the write that has added him.
              if state == .inWrite { return }
              for vessel in realm.objects(Vessel.self) { use(vessel.links.freeze().count) }
            })
          try situation.work { _ = situation.realm.refresh() }
          // Each in the turn of the other: older ones than theirs must be gone.
          for _ in 0..<3 {
            do {
              try situation.foreign { _ in }
              try situation.work {
                situation.realm.refresh()
                try situation.realm.write {}
              }
            } catch {
              stage.fail(
                expected: "no version is left of \(what)", observed: error.localizedDescription)
              return
            }
          }
          stage.expect(true, "two realms write under the limit")
        }
        try situation.end()
      }
    }
  }
}
