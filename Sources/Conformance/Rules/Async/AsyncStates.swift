import EngineUnderTest
import Foundation
import Harness

extension Probe {
  static let asynchronousInEachState: [Probe] = RealmPlace.loops.map(asynchronousInStates)

  /// Each asynchronous call in each state of a realm: what it does at once, what it does then, and
  /// in which order.
  static func asynchronousInStates(_ make: RealmMake, _ place: RealmPlace) -> Probe {
    Probe(
      "asynchronous writes do the same in each state of a realm: \(make.rawValue), "
        + place.rawValue
    ) { stage in
      let situation = try Situation(stage, make, place, recorded: make == .file)
      for state in RealmState.due(situation) where state.isLive {
        let what = "\(state.rawValue), \(situation.words)"
        let log = CallLog()
        let last = Latch("the last completion, \(what)")
        try situation.pass(
          state,
          asking: { realm in
            try ask(stage, realm, state, log, last, what)
            stage.equal(log.all, [], "what has run when the calls returned, \(what)")
            if state.isInWrite { try realm.commitWrite() }
          }
        ) {
          if state == .beside {
            stage.equal(log.all, [], "what runs beside another's write, \(what)")
            situation.foreignCancel()
          }
          try situation.wait(for: last)
          try situation.work {
            let realm = situation.realm!
            stage.equal(
              log.all.sorted(),
              ["one", "one is done", "three", "three is done", "two", "two is done"],
              "what has run, \(what)")
            stage.equal(realm.vessel(50)?.number, 3, "what was written in turn, \(what)")
            stage.equal(
              realm.vessel(51) == nil, true, "whether the cancelled is not there, \(what)")
            stage.equal(realm.isInWriteTransaction, false, "the flag when all is over, \(what)")
          }
          try flagFalls(situation, what)
          situation.otherQueue.sync {
            situation.other!.refresh()
            stage.equal(
              situation.other!.vessel(50)?.number, 3, "the same of another realm, \(what)")
          }
        }
      }
      try situation.end()
    }
  }

  /// The flag falls when the last completion has returned.
  private static func flagFalls(_ situation: Situation, _ what: String) throws {
    var isBusy = true
    for _ in 0..<3 where isBusy {
      let turned = Latch("another turn")
      situation.stage.later(on: situation.place == .main ? .main : situation.queue) {
        if Engine.offersReins {
          isBusy = situation.realm.isPerformingAsynchronousWriteOperations
        } else {
          isBusy = false
        }
        turned.open()
      }
      try situation.wait(for: turned)
    }
    situation.stage.equal(isBusy, false, "whether it is busy when all is over, \(what)")
  }

  private static func ask(
    _ stage: Stage, _ realm: Realm, _ state: RealmState, _ log: CallLog, _ last: Latch,
    _ what: String
  ) throws {
    func done(_ name: String) -> ((any Error)?) -> Void {
      { error in
        stage.equal(error.map { "\($0)" } ?? "none", "none", "the error of \(name), \(what)")
        stage.equal(realm.isInWriteTransaction, false, "the flag in the completion, \(what)")
        log.mark("\(name) is done")
        if name == "three" { last.open() }
      }
    }
    let first = realm.writeAsync(
      {
        stage.equal(realm.isInWriteTransaction, true, "the flag in the block, \(what)")
        let vessel = Vessel(id: 50)
        vessel.number = 1
        realm.add(vessel, update: .all)
        log.mark("one")
      }, onComplete: done("one"))
    let second = realm.beginAsyncWrite {
      realm.vessel(50).number += 1
      log.mark("two")
      realm.commitAsyncWrite(allowGrouping: true, done("two"))
    }
    let cancelled = realm.writeAsync(
      {
        log.mark("cancelled")
        realm.add(Vessel(id: 51), update: .all)
      }, onComplete: { _ in log.mark("cancelled is done") })
    try realm.cancelAsyncWrite(cancelled)
    let third = realm.writeAsync(
      {
        stage.equal(realm.vessel(50)?.number, 2, "what the two before wrote, \(what)")
        realm.vessel(50).number += 1
        log.mark("three")
      }, onComplete: done("three"))
    stage.equal(Set([first, second, cancelled, third]).count, 4, "how many ids there are, \(what)")
    if Engine.offersReins, !state.isInWrite {
      stage.equal(
        realm.isPerformingAsynchronousWriteOperations, true, "whether it is busy at once, \(what)")
    }
  }
}
