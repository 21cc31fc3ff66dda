import EngineUnderTest
import Foundation

extension Probe {
  /// What is in a file after a commit in each state: whoever finds no more than its bytes has all
  /// of it, and the file is whole.
  static func filesInStates(_ make: RealmMake) -> Probe {
    Probe("what was committed in each state is in the file: \(make.rawValue)") { stage in
      try Situation.each(stage, make) { situation, state in
        guard state.isLive, state != .beside else { return }
        let url = situation.configuration.fileURL!
        let what = "\(state.rawValue), \(situation.words)"
        let name = "left \(make) \(situation.place) \(state)"
        let copy = stage.directory.appendingPathComponent("\(name).realm")
        try situation.pass(
          state,
          asking: { realm in
            if !realm.isInWriteTransaction { realm.beginWrite() }
            situation.cargo(2).put(into: realm)
            try realm.commitWrite()
            // As a process leaves it that dies now.
            try FileManager.default.copyItem(at: url, to: copy)
          })
        var configuration = situation.configuration
        configuration.fileURL = copy
        configuration.seedFilePath = nil
        configuration.shouldCompactOnLaunch = nil
        let asked = configuration
        try stage.elsewhere {
          let found = try Realm(configuration: asked)
          situation.compare(found, turn: 2, "left in the file, \(what)")
          try found.write { situation.cargo(0).put(into: found) }
          situation.compare(found, turn: 0, "written behind it, \(what)")
        }
        try Backstage.hooks?.verify(copy.path)
        try FileManager.default.removeItem(at: copy)
      }
    }
  }
}
