import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Each change, committed in each way and behind whatever comes before: when the commit is
  /// reported it is on the medium, and so is all that was reported before it.
  static let flushedChanges: [Probe] = Manner.all.enumerated().map { place, manner in
    Probe("when a commit is reported the medium has it, whatever it was: \(manner.name)") { stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try Vessel.stocked(stage)
      hooks.stop()
      let medium = Medium(hooks)
      var copy = realm.configuration
      copy.fileURL = stage.directory.appendingPathComponent("what is left.realm")
      let isLeft = { [copy] (what: String) in
        let dump = realm.dump
        try medium.leave(at: copy.fileURL!)
        let left = try stage.elsewhere { try Realm(configuration: copy).dump }
        stage.equal(left, dump, "what a power failure leaves \(what)")
      }
      for (number, change) in Change.all.enumerated()
      where stage.isDue(number + place, of: 8) {
        let preamble = Preamble.turn(stage, number / 8 + place, apart: 8)
        try preamble.pass(stage, realm)
        try manner.commit(stage, realm) {
          realm.deleteAll()
          Vessel.stock(realm)
          change.prepare(realm.vessel(1))()
        }
        try isLeft("of \(change.name), behind \(preamble.rawValue)")
        // Nearly nothing is a commit, too.
        try manner.commit(stage, realm) { realm.vessel(2).number += 1 }
        try isLeft("of a number behind \(change.name)")
      }
      try manner.commit(stage, realm) { realm.deleteAll() }
      try isLeft("when all is deleted")
    }
  }
}
