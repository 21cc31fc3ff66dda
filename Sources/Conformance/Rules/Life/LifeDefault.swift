import EngineUnderTest
import Foundation

extension Probe {
  /// Whatever else is done with realms and configurations, `Realm()` goes where it went before.
  static let onlySettingSetsTheDefault = Probe("only who sets the default configuration sets it") {
    stage in
    Realm.Configuration.defaultConfiguration = stage.configuration("own")
    try Realm().write { try Realm().add(Account(id: 1, balance: 7)) }
    let other = stage.configuration("other")
    let calls: [(String, () throws -> Void)] = [
      ("a realm with another configuration", { use(try Realm(configuration: other).isEmpty) }),
      (
        "a realm at a URL",
        {
          let url = stage.directory.appendingPathComponent("at a URL.realm")
          // With every class that there is: whatever is in the default configuration counts.
          use(try? Realm(fileURL: url))
        }
      ),
      (
        "a realm in memory",
        {
          var configuration = other
          configuration.fileURL = nil
          configuration.inMemoryIdentifier = "default \(stage.directory.lastPathComponent)"
          use(try Realm(configuration: configuration).isEmpty)
        }
      ),
      (
        "a realm of another thread",
        { try stage.elsewhere { use(try Realm(configuration: other).isEmpty) } }
      ),
      (
        "a copy of the default that is changed",
        {
          var copy = Realm.Configuration.defaultConfiguration
          copy.fileURL = other.fileURL
          copy.schemaVersion = 9
          use(copy)
        }
      ),
      (
        "a realm's configuration that is changed",
        {
          var copy = try Realm().configuration
          copy.fileURL = other.fileURL
          use(copy)
        }
      ),
      ("a write in another file", { try Realm(configuration: other).write {} }),
      ("a frozen realm", { use(try Realm(configuration: other).freeze().isEmpty) }),
    ]
    for (name, call) in calls {
      try call()
      stage.equal(
        Realm.Configuration.defaultConfiguration.fileURL?.lastPathComponent, "own.realm",
        "the default configuration's file after \(name)")
      stage.equal(
        try Realm().objects(Account.self).first?.balance, 7, "what Realm() finds after \(name)")
      stage.equal(
        try stage.elsewhere { try Realm().objects(Account.self).first?.balance }, 7,
        "what Realm() finds on another thread after \(name)")
    }
  }
}
