import EngineUnderTest
import Harness

extension Probe {
  /// Of each make, on the main thread or on a queue; of some on both.
  static let advancesInEachState: [Probe] = RealmMake.allCases.filter(\.isWritable).enumerated()
    .flatMap {
      number, make in
      RealmPlace.allCases.filter(\.hasLoop).enumerated().filter { place, _ in
        number < 2 || place == number % 2
      }.map { advancesInStates(make, $0.element) }
    }

  /// What `refresh()` answers and brings in each state, by itself and after another's commit.
  static func refreshesInStates(_ make: RealmMake) -> Probe {
    Probe("refresh() brings another's commit in each state of a realm: \(make.rawValue)") {
      stage in
      try Situation.each(stage, make) { situation, state in
        guard state != .beside else { return }
        let what = "\(state.rawValue), \(situation.words)"
        var kept: [() -> String] = []
        try situation.pass(
          state, fetching: { realm in kept = CargoQuestion.all.map { $0.prepare(realm) } }
        ) { realm in
          // In a write, and frozen, there is nothing to come to.
          if state.isFrozen || state.isInWrite {
            if state.isFrozen { try situation.foreign(turn: 2) }
            stage.equal(realm.refresh(), false, "the answer, \(what)")
            stage.equal(
              realm.isInWriteTransaction, state.isInWrite, "the write after it, \(what)")
            return situation.compare(realm, turn: state.turn, "refreshed, \(what)")
          }
          // A realm that has not been read yet has no version to stay on.
          use(realm.objects(Vessel.self).count)
          try situation.foreign(turn: 2)
          situation.compare(realm, turn: state.turn, "behind, \(what)")
          stage.equal(realm.refresh(), true, "the answer of the first, \(what)")
          situation.compare(realm, turn: 2, "refreshed, \(what)")
          if state.keeps { situation.compare(kept, turn: 2, "refreshed, \(what)") }
          stage.equal(realm.refresh(), false, "the answer of the second, \(what)")
          try situation.foreign { _ in }
          stage.equal(realm.refresh(), true, "the answer after an empty commit, \(what)")
          situation.compare(realm, turn: 2, "refreshed again, \(what)")
        }
      }
    }
  }

  /// Whether realms in each state come to another's commit by themselves, and what their listeners
  /// are told then.
  static func advancesInStates(_ make: RealmMake, _ place: RealmPlace) -> Probe {
    Probe(
      "a realm comes by itself, or says that it could, in each state: \(make.rawValue), "
        + place.rawValue
    ) { stage in
      let situation = try Situation(stage, make, place)
      for state in RealmState.due(situation)
      where state.isLive && !state.isInWrite && state != .beside {
        for rests in [false, true] {
          let what = "\(state.rawValue), \(situation.words), resting: \(rests)"
          var news: [Realm.Notification] = []
          var token: NotificationToken?
          let came = Latch("the listener's call, \(what)")
          try situation.pass(
            state,
            asking: { realm in
              realm.autorefresh = !rests
              use(realm.objects(Vessel.self).count)
              token = realm.observe { notification, _ in
                news.append(notification)
                if notification == (rests ? .refreshRequired : .didChange) { came.open() }
              }
            }
          ) {
            // Where the commit is on its way this one waits behind it.
            try situation.foreign(turn: 2)
            try situation.wait(for: came)
            try situation.work {
              situation.compare(situation.realm, turn: rests ? state.turn : 2, "told, \(what)")
              stage.equal(
                news.contains(rests ? .didChange : .refreshRequired), false,
                "whether the other news came, \(what)")
              stage.equal(situation.realm.autorefresh, !rests, "autorefresh, \(what)")
              news = []
              stage.equal(situation.realm.refresh(), rests, "what is left to refresh, \(what)")
              situation.compare(situation.realm, turn: 2, "refreshed, \(what)")
              if rests { stage.equal(news, [.didChange], "what the refresh told, \(what)") }
              token?.invalidate()
              token = nil
            }
          }
        }
      }
      try situation.end()
    }
  }
}
