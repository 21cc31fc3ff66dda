import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Each change in a commit that fails, made in each way: nothing of it is there, here, elsewhere
  /// or for whoever opens the file, and the same change is made by the next commit, whoever makes
  /// it, as if nothing had been.
  static let failedChanges: [Probe] = [("writes", DiskFault.writes), ("flushes", .flushes)].map {
    name, fault in
    Probe("each change that there is fails as a whole, and can be made again: its \(name) fail") {
      stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try Vessel.stocked(stage)
      hooks.stop()
      let configuration = realm.configuration
      let twin = try Vessel.stocked(stage, "twin")
      for (number, change) in Change.all.enumerated()
      where stage.isDue(number + (fault == .writes ? 0 : 2), of: 3) {
        for one in [realm, twin] {
          try one.write {
            one.deleteAll()
            Vessel.stock(one)
            one.add(Vessel(id: 3))
          }
        }
        let (vessel, third) = (realm.vessel(1)!, realm.vessel(3)!)
        let (before, own) = (realm.dump, vessel.dump)
        let frozen = realm.freeze()
        let manner = Manner.turn(stage, number / 3, apart: 3)
        hooks.fail(fault, after: 0, times: 1)
        var failed = false
        do {
          try manner.commit(stage, realm) {
            realm.vessel(2).number = -1
            change.prepare(vessel)()
            realm.delete(third)
            realm.add(Vessel(id: 77))
          }
        } catch { failed = true }
        hooks.fail(fault, after: 0, times: 0)
        let what = "\(change.name) by \(manner.name)"
        stage.equal(failed, true, "whether the commit of \(what) failed")
        stage.equal(realm.isInWriteTransaction, false, "whether a write is open after \(what)")
        stage.equal(realm.dump, before, "what is here after a failed commit of \(what)")
        for one in [vessel, third] {
          stage.equal(one.isInvalidated, false, "whether \(one.id) is gone after \(what)")
        }
        stage.equal(vessel.dump, own, "what the object has after a failed commit of \(what)")
        stage.equal(frozen.dump, before, "what is frozen after a failed commit of \(what)")
        stage.equal(
          try stage.elsewhere { try Realm(configuration: configuration).dump }, before,
          "what is elsewhere after a failed commit of \(what)")
        try twin.write { change.prepare(twin.vessel(1))() }
        if (number + 2 * stage.turn(of: 2, apart: 3)) % 4 < 2 {
          try realm.write { change.prepare(vessel)() }
        } else {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change.prepare(other.vessel(1))() }
          }
          realm.refresh()
        }
        // A new one each time: nobody can say which.
        if change.name == "a UUID" { continue }
        stage.equal(realm.unmarked, twin.unmarked, "what is here when \(what) is made again")
        stage.equal(
          try stage.elsewhere { try Realm(configuration: configuration).unmarked }, twin.unmarked,
          "what is elsewhere when \(what) is made again")
      }
    }
  }
}
