import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What is frozen in each state: the realm, and each thing of it. It shows what there was at
  /// home, elsewhere, and when the realm has gone on; and leads back to it.
  static func freezingInStates(_ make: RealmMake) -> Probe {
    Probe("what is frozen in each state of a realm stays as it was: \(make.rawValue)") { stage in
      try Situation.each(stage, make) { situation, state in
        let what = "\(state.rawValue), \(situation.words)"
        // In a write, what there was when it began.
        let turn = state.isInWrite ? state.turnAfterwards : state.turn
        let piece = situation.cargo(turn)[0]
        var frozen: Realm!
        var things: [() -> String] = []
        try situation.pass(
          state,
          asking: { realm in
            frozen = realm.freeze()
            stage.equal(frozen.isFrozen, true, "whether it is frozen, \(what)")
            stage.equal(realm.isFrozen, state.isFrozen, "whether the realm is, \(what)")
            stage.equal(frozen.isInWriteTransaction, false, "the write of the frozen, \(what)")
            stage.equal(frozen.autorefresh, false, "autorefresh of the frozen, \(what)")
            // Of an object of before the write, too.
            things = freeze(realm)
            // On a queue it thaws for the thread.
            if !state.isFrozen, situation.place != .queue {
              stage.expect(frozen.thaw() == realm, "the frozen realm thaws to its own, \(what)")
              stage.equal(
                frozen.vessel(0)?.thaw()?.number, realm.vessel(0)?.number,
                "the thawed number, \(what)")
            }
          }
        ) {
          try stage.elsewhere {
            situation.compare(frozen, turn: turn, "frozen, elsewhere, \(what)")
            stage.equal(things.map { $0() }, expected(piece), "frozen things elsewhere, \(what)")
          }
        }
        if situation.make.isWritable {
          try situation.work {
            try situation.realm.write { situation.realm.deleteAll() }
          }
        }
        situation.compare(frozen, turn: turn, "frozen, afterwards, \(what)")
        stage.equal(things.map { $0() }, expected(piece), "frozen things, afterwards, \(what)")
        frozen = nil
        things = []
      }
    }
  }

  /// Each kind of thing, frozen, and what it shows whenever it is asked.
  private static func freeze(_ realm: Realm) -> [() -> String] {
    let vessel = realm.vessel(0)!
    let object = vessel.freeze()
    let (list, group, named) = (vessel.links.freeze(), vessel.group.freeze(), vessel.named.freeze())
    let (numbers, labels) = (vessel.numbers.freeze(), vessel.labels.freeze())
    let titles = vessel.titles.freeze()
    let filter = realm.objects(Vessel.self).where { $0.id == 0 }.freeze()
    let sorted = realm.objects(Vessel.self).sorted(byKeyPath: "id").freeze()
    let linking = vessel.throughLink.freeze()
    return [
      { CargoQuestion.values(object) }, { "\(list.map(\.id))" }, { "\(group.map(\.id).sorted())" },
      { "\(named.keys.sorted())" }, { "\(Array(numbers))" }, { "\(Array(labels).sorted())" },
      { "\(titles.values.sorted())" }, { "\(filter.map(\.number))" },
      { "\(sorted.first?.name ?? "nil")" },
      { "\(object.isFrozen) \(list.isFrozen) \(filter.isFrozen) \(linking.isFrozen)" },
    ]
  }

  private static func expected(_ piece: Cargo.Piece) -> [String] {
    [
      CargoQuestion.values(piece, 0), "\(piece.links)", "\(piece.group.sorted())",
      "\(piece.named.keys.sorted())", "\(piece.numbers)", "\(piece.labels.sorted())",
      "\(piece.titles.values.sorted())", "\([piece.number])", piece.name, "true true true true",
    ]
  }
}
