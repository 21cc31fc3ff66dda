import EngineUnderTest
import Foundation
import Harness

/// Names of files, of each length that there may be.
enum LongNames {
  /// The longest one beside which there is room for the folder that Realm makes there: eleven more.
  private static let longest = 244

  private static func configuration(_ stage: Stage, _ name: String) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: stage.directory.appendingPathComponent(name), objectTypes: [Account.self])
  }

  static let probe = Probe(
    "a file is the same to all who open it, whatever the length of its name"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let files = FileManager.default
    let lengths = [1, 2, 8, 16, 32, 64, 100, 128, 160, 200, 220] + Array(230...longest)
    for length in lengths {
      // The same letter throughout, or letters of two bytes each.
      for letter in length % 2 == 0 && length > 2 ? ["n", "ä"] : ["n"] {
        let name = String(repeating: letter, count: length / letter.utf8.count)
        let what = "a name of \(length) bytes, each letter \(letter.utf8.count)"
        let asked = configuration(stage, name)
        do {
          for round in 1...2 {
            try stage.elsewhere {
              let realm = try Realm(configuration: asked)
              try realm.write { realm.add(Account(id: length * 10 + round)) }
            }
          }
          let realm = try Realm(configuration: asked)
          stage.equal(
            realm.objects(Account.self).map(\.id).sorted(), [length * 10 + 1, length * 10 + 2],
            "what is in the file with \(what)")
          if stage.isDue(length, of: 4), letter == "n" {
            let copy = configuration(stage, String(repeating: "c", count: length))
            try realm.writeCopy(configuration: copy)
            stage.equal(
              try stage.elsewhere { try Realm(configuration: copy).objects(Account.self).count },
              2, "what is in a copy with \(what)")
          }
        } catch {
          stage.fail(expected: "a file with \(what) opens", observed: error.localizedDescription)
        }
        let exists = files.fileExists(atPath: asked.fileURL!.path)
        stage.equal(exists, true, "whether there is a file with \(what)")
      }
    }
    for length in lengths {
      let asked = configuration(stage, String(repeating: "n", count: length))
      stage.equal(
        try stage.elsewhere { try Realm.deleteFiles(for: asked) }, true,
        "whether a file was deleted with a name of \(length) bytes")
    }
    // What is too long is refused, and not by the end of the process.
    for length in [256, 300, 1_000] {
      do {
        try stage.elsewhere {
          use(try Realm(configuration: configuration(stage, String(repeating: "n", count: length))))
        }
        stage.fail(expected: "a name of \(length) bytes is refused", observed: "it opens")
      } catch {
        stage.expect(
          error is Realm.Error, "a name of \(length) bytes is refused by an error of Realm's",
          observed: "\(error)")
      }
    }
  }
}
