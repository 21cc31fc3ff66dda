import EngineUnderTest
import Foundation

/// A call that changes something, whichever: of an object, a collection, or the whole realm.
private struct AnyChange: Sendable {
  let name: String
  let run: @Sendable (Realm) -> Void

  static let all: [AnyChange] =
    Change.all.filter { $0.name != "a UUID" }.map { change in
      AnyChange(name: change.name) { change.prepare($0.vessel(1))() }
    }
    + [
      AnyChange(name: "an object, added") { $0.add(Vessel(id: 7)) },
      AnyChange(name: "an object, added in the place of another") {
        $0.add(Vessel(id: 2), update: .all)
      },
      AnyChange(name: "an object, added as what is modified") {
        let vessel = Vessel(id: 2)
        vessel.text = "modified"
        $0.add(vessel, update: .modified)
      },
      AnyChange(name: "several objects, added") { $0.add([Vessel(id: 7), Vessel(id: 8)]) },
      AnyChange(name: "an object, created") {
        $0.create(Vessel.self, value: ["id": 7, "text": "created"] as [String: Any])
      },
      AnyChange(name: "an object, created as an update") {
        $0.create(
          Vessel.self, value: ["id": 2, "text": "updated"] as [String: Any], update: .modified)
      },
      AnyChange(name: "an object with others, created") {
        $0.create(
          Vessel.self,
          value: ["id": 7, "links": [["id": 8] as [String: Any], ["id": 9] as [String: Any]]]
            as [String: Any])
      },
      AnyChange(name: "an object, deleted") { $0.delete($0.vessel(2)) },
      AnyChange(name: "an object, deleted and added") {
        $0.delete($0.vessel(2))
        $0.add(Vessel(id: 2))
      },
      AnyChange(name: "a list of objects, deleted") { $0.delete($0.vessel(1).links) },
      AnyChange(name: "results, deleted") { $0.delete($0.objects(Vessel.self)) },
      AnyChange(name: "an embedded object, deleted") { $0.delete($0.vessel(1).part!) },
      AnyChange(name: "everything, deleted") { $0.deleteAll() },
      AnyChange(name: "nothing") { _ in },
    ]

  /// What each makes of the same beginning, in a realm of which nothing is special.
  static func outcomes(_ stage: Stage) throws -> (before: String, after: [String]) {
    let realm = try Vessel.stocked(stage, "outcomes")
    let before = realm.unmarked
    let after = all.map { change in
      realm.beginWrite()
      change.run(realm)
      defer { realm.cancelWrite() }
      return realm.unmarked
    }
    return (before, after)
  }
}

extension Probe {
  /// Changes in each state, each time others: taken back, and committed in some way. The realm
  /// itself, the other one and who opens the file then must have what the change makes elsewhere.
  static func changesInStates(_ make: RealmMake) -> Probe {
    Probe("each change makes the same in each state of a realm: \(make.rawValue)") { stage in
      let recorded = make == .file
      if !recorded { Backstage.hooks?.skipFlushes() }
      let outcomes = try AnyChange.outcomes(stage)
      // Other changes with each seed, and in each state, whichever seeds bring it, all.
      var number =
        1 + 5 * stage.turn(of: 15) + stage.turn(of: AnyChange.all.count, apart: 15)
      for place in RealmPlace.allCases {
        let situation = try Situation(stage, make, place, count: 2, recorded: recorded)
        for state in RealmState.due(situation) where state.isLive {
          for _ in 0..<(stage.isDeep ? 12 : 2) {
            number = (number + 37) % AnyChange.all.count
            let (change, after) = (AnyChange.all[number], outcomes.after[number])
            let what = "\(change.name), \(state.rawValue), \(situation.words)"
            // Who waits for another's write is asked elsewhere.
            let isHeld = state == .beside
            try situation.pass(
              state,
              asking: { realm in
                if isHeld { return }
                try write(stage, realm, change, (outcomes.before, after), number, what)
              }
            ) {
              guard !isHeld else { return }
              situation.otherQueue.sync {
                situation.other!.refresh()
                stage.equal(situation.other!.unmarked, after, "another realm after \(what)")
              }
              guard stage.isDue(number, of: 3) else { return }
              let configuration = situation.configuration
              let seen = try stage.elsewhere { try Realm(configuration: configuration).unmarked }
              stage.equal(seen, after, "on another thread after \(what)")
            }
          }
        }
        try situation.end()
      }
    }
  }

  private static func write(
    _ stage: Stage, _ realm: Realm, _ change: AnyChange, _ outcome: (before: String, after: String),
    _ number: Int, _ what: String
  ) throws {
    stage.equal(realm.isFrozen, false, "whether it is frozen, \(what)")
    if !realm.isInWriteTransaction { realm.beginWrite() }
    realm.deleteAll()
    Vessel.stock(realm)
    if stage.isTurn(number, of: 2) { try realm.commitWrite() }
    if !realm.isInWriteTransaction {
      // Taken back, and then once more.
      realm.beginWrite()
      change.run(realm)
      stage.equal(realm.unmarked, outcome.after, "in the write that is cancelled: \(what)")
      realm.cancelWrite()
      stage.equal(realm.isInWriteTransaction, false, "the flag after cancelWrite(): \(what)")
      stage.equal(realm.unmarked, outcome.before, "cancelled: \(what)")
      realm.beginWrite()
    }
    change.run(realm)
    stage.equal(realm.isInWriteTransaction, true, "the flag in the write: \(what)")
    stage.equal(realm.unmarked, outcome.after, "in the write: \(what)")
    try realm.commitWrite()
    stage.equal(realm.isInWriteTransaction, false, "the flag after the commit: \(what)")
    stage.equal(realm.unmarked, outcome.after, "committed: \(what)")
  }
}
