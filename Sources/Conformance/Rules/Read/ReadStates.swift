import EngineUnderTest

extension Situation {
  /// Whether each question has its answer, of a turn.
  func compare(_ realm: Realm, turn: Int, _ what: @autoclosure () -> String) {
    let answers = answers(turn)
    for (number, question) in CargoQuestion.all.enumerated() {
      let answer = question.prepare(realm)()
      guard answer != answers[number] else { continue }
      stage.equal(answer, answers[number], "\(question.name), \(what())")
    }
    stage.expect(true, "all questions have their answers")
  }

  /// The same of what was fetched before.
  func compare(_ kept: [() -> String], turn: Int, _ what: @autoclosure () -> String) {
    let answers = answers(turn)
    for (number, question) in CargoQuestion.all.enumerated() {
      let answer = kept[number]()
      guard answer != answers[number] else { continue }
      stage.equal(answer, answers[number], "\(question.name), fetched before, \(what())")
    }
  }
}

extension Probe {
  /// Each question to realms of a make, wherever they are at home, in each state: put to what is
  /// fetched then, and to what was fetched before.
  static func answersInStates(
    _ make: RealmMake, _ places: [RealmPlace] = RealmPlace.allCases, count: Int = 6,
    _ states: [RealmState] = RealmState.allCases
  ) -> Probe {
    let size = count == 6 ? "" : ", \(count) objects"
    let home = places.count == 1 ? ", \(places[0].rawValue)" : ""
    return Probe(
      "each question has its answer in each state of a realm: \(make.rawValue)\(home)\(size)"
    ) { stage in
      for place in places {
        let situation = try Situation(
          stage, make, place, count: count, recorded: make == .file && count == 6)
        for (number, state) in RealmState.due(situation).enumerated()
        where states.contains(state) {
          let what = "\(state.rawValue), \(situation.words), \(count)"
          var kept: [() -> String] = []
          func look() { for one in kept { use(one()) } }
          try situation.pass(
            state,
            fetching: { realm in
              kept = CargoQuestion.all.map { $0.prepare(realm) }
              // Some have been asked before, some have not.
              if stage.isTurn(number + 1, of: 2, apart: RealmState.share(situation)) { look() }
            }, meanwhile: look
          ) { realm in
            situation.compare(realm, turn: state.turn, what)
            if state.keeps { situation.compare(kept, turn: state.turn, what) }
          }
          guard state.isLive else { continue }
          try situation.work {
            let realm = situation.realm!
            situation.compare(realm, turn: state.turnAfterwards, "when that is over: \(what)")
            if state.keeps {
              situation.compare(kept, turn: state.turnAfterwards, "when that is over: \(what)")
            }
          }
        }
        try situation.end()
      }
    }
  }

  /// The same at sizes at which an engine may do otherwise than with a few.
  static let answersAtSizes: [Probe] = [0, 1, 40, 300, 3_000].map { count in
    let few: [RealmState] = [.refreshed, .inWrite]
    return answersInStates(
      count % 2 == 0 ? .file : .memory, [.main], count: count,
      count < 300
        ? RealmState.allCases
        : count < 3_000 ? few + [.behind, .sealed, .pinned, .cancelled, .frozenLate] : few)
  }
}
