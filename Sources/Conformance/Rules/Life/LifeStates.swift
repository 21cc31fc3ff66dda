import EngineUnderTest
import Foundation

extension Probe {
  /// Copies of a realm in each state, and what its file allows meanwhile and afterwards.
  static func copiesInStates(_ make: RealmMake) -> Probe {
    Probe("a realm is copied, and held, as it is in each state: \(make.rawValue)") { stage in
      try Situation.each(
        stage, make,
        afterwards: { situation in
          guard make != .memory else { return }
          try stage.elsewhere {
            stage.equal(
              try Realm.deleteFiles(for: situation.configuration), true,
              "whether the files went, \(situation.words)")
            stage.equal(
              Realm.fileExists(for: situation.configuration), false, "whether they are there")
          }
        }
      ) { situation, state in
        let what = "\(state.rawValue), \(situation.words)"
        let name = "copy \(make) \(situation.place) \(state)"
        let url = stage.directory.appendingPathComponent("\(name).realm")
        try situation.pass(
          state,
          asking: { realm in
            try realm.writeCopy(toFile: url)
            situation.compare(realm, turn: state.turn, "when it was copied, \(what)")
            stage.equal(
              realm.isInWriteTransaction, state.isInWrite, "the write when copied, \(what)")
            refuses(stage, .fileExists, "another copy in its place, \(what)") {
              try realm.writeCopy(toFile: url)
            }
            guard make != .memory else { return }
            refuses(stage, .alreadyOpen, "deleting the files, \(what)") {
              _ = try Realm.deleteFiles(for: situation.configuration)
            }
            stage.equal(
              Realm.fileExists(for: situation.configuration), true, "the file, \(what)")
          }
        ) {
          try stage.elsewhere {
            let copy = try Realm(configuration: Vessel.configuration(stage, name, of: situation))
            situation.compare(copy, turn: state.turn, "in a copy, \(what)")
            try copy.write { situation.cargo(2).put(into: copy) }
            situation.compare(copy, turn: 2, "in a copy that was written to, \(what)")
          }
        }
      }
    }
  }

  private static func refuses(
    _ stage: Stage, _ code: Realm.Error.Code, _ what: String, _ act: () throws -> Void
  ) {
    do {
      try act()
      stage.fail(expected: "an error of \(what)", observed: "none")
    } catch {
      stage.equal((error as? Realm.Error)?.code, code, "the error of \(what)")
    }
  }
}

extension Vessel {
  /// The configuration of a copy: of the classes and the version that the realm has.
  fileprivate static func configuration(_ stage: Stage, _ name: String, of situation: Situation)
    -> Realm.Configuration
  {
    var configuration = configuration(stage, name)
    configuration.objectTypes = situation.configuration.objectTypes
    configuration.schemaVersion = situation.configuration.schemaVersion
    return configuration
  }
}
