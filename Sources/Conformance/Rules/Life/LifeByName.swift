import EngineUnderTest
import Foundation

extension Probe {
  /// Calls about a file by its name: some open it, for as long as they take.
  static let filesAreLetGo = Probe("a file that was asked about by its name is open to nobody") {
    stage in
    let configuration = stage.configuration()
    let url = configuration.fileURL!
    var older = configuration
    older.schemaVersion = 7
    let asks: [(String, () throws -> Void)] = [
      ("schemaVersionAtURL", { use(try schemaVersionAtURL(url)) }),
      ("fileExists", { use(Realm.fileExists(for: configuration)) }),
      ("performMigration", { try Realm.performMigration(for: older) }),
      (
        "an opening that is refused",
        {
          try Realm.performMigration(for: older)
          stage.expect((try? Realm(configuration: configuration)) == nil, "it is refused")
        }
      ),
    ]
    for (name, ask) in asks {
      for _ in 0..<2 {
        try stage.elsewhere { _ = try stage.stocked() }
        try ask()
        stage.equal(
          try Realm.deleteFiles(for: configuration), true, "whether it is deleted after \(name)")
        stage.equal(Realm.fileExists(for: configuration), false, "whether it is there then")
      }
    }
  }

  /// A copy is opened with the version of the original's schema, whatever it was made of.
  static let copiesKeepTheVersion = Probe("a copy has its original's schema version") { stage in
    var configuration = stage.configuration()
    configuration.schemaVersion = 3
    let realm = try Realm(configuration: configuration)
    try realm.write { Stage.stock(realm) }
    let ways: [(String, Int, (URL) throws -> Void)] = [
      ("a realm", 100, { try realm.writeCopy(toFile: $0) }),
      ("a frozen realm", 100, { try realm.freeze().writeCopy(toFile: $0) }),
      (
        "a write", 7,
        {
          realm.beginWrite()
          realm.account(1).balance = 7
          try realm.writeCopy(toFile: $0)
          realm.cancelWrite()
        }
      ),
      (
        "a write that has changed nothing", 100,
        {
          realm.beginWrite()
          try realm.writeCopy(toFile: $0)
          realm.cancelWrite()
        }
      ),
      (
        "a write, by its configuration", 8,
        {
          var other = configuration
          other.fileURL = $0
          realm.beginWrite()
          realm.account(1).balance = 8
          try realm.writeCopy(configuration: other)
          realm.cancelWrite()
        }
      ),
    ]
    for (number, (name, balance, copy)) in ways.enumerated() {
      let url = stage.directory.appendingPathComponent("copy \(number).realm")
      try copy(url)
      stage.equal(try schemaVersionAtURL(url), 3, "the version of a copy of \(name)")
      var other = configuration
      other.fileURL = url
      let opened = try Realm(configuration: other)
      stage.equal(opened.account(1).balance, balance, "the balance in a copy of \(name)")
    }
  }
}
