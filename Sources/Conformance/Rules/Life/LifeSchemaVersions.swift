import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// A file has one schema version for all realms of a process: nobody migrates it under those that
/// have it open.
enum SchemaVersions {
  private static let words = "already opened with different schema version"

  /// Where the other one is opened.
  private enum Place: String, CaseIterable {
    case thread = "on another thread"
    case queue = "on a queue"
    case here = "here, beside a queue's"
    case asynchronously = "by asyncOpen"
    case alone = "by performMigration"
  }

  static let refused: [Probe] = Place.allCases.map { place in
    Probe("a migration of a file that is open with another schema version, \(place.rawValue)") {
      stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let runs = Atomic<Int>(0)
      let first = stage.configuration(version: 0)
      let second = stage.configuration(version: 1) { migration, _ in
        runs.add(1, ordering: .relaxed)
        migration.deleteData(forType: Account.className())
      }
      let queue = DispatchQueue(label: "home")
      let home = place == .here ? queue : nil
      func atHome<T>(_ body: () throws -> T) rethrows -> T {
        try home?.sync(execute: body) ?? body()
      }
      nonisolated(unsafe) var realm: Realm? = try atHome {
        try Realm(configuration: first, queue: home)
      }
      do {
        try open(second, place, queue, stage)
        stage.fail(expected: "an error: \(words)", observed: "a realm")
      } catch let error as Realm.Error {
        stage.expect(
          error.localizedDescription.contains(words), "what is told",
          observed: error.localizedDescription)
      }
      stage.equal(runs.load(ordering: .relaxed), 0, "how often the block ran")
      stage.equal(
        try schemaVersionAtURL(first.fileURL!), 0, "the schema's version after what was refused")
      // Whoever had it open goes on as before.
      try atHome {
        realm!.refresh()
        try realm!.write { realm!.account(1).balance += 1 }
        stage.equal(realm!.account(1).balance, 101, "the balance in the realm that was open before")
        realm = nil
      }
    }
  }

  private static func open(
    _ configuration: Realm.Configuration, _ place: Place, _ queue: DispatchQueue, _ stage: Stage
  ) throws {
    switch place {
    case .thread:
      try stage.elsewhere { use(try Realm(configuration: configuration).isEmpty) }
    case .queue:
      try queue.sync { use(try Realm(configuration: configuration, queue: queue).isEmpty) }
    case .here: use(try Realm(configuration: configuration).isEmpty)
    case .asynchronously:
      use(try stage.openedAsynchronously(configuration, on: queue, \.isEmpty).get())
    case .alone: try stage.elsewhere { try Realm.performMigration(for: configuration) }
    }
  }

  /// Nothing migrates what is only read, so it is opened with the version that it has.
  static let readers = Probe("a file is opened to be read only with its schema version alone") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    try stage.elsewhere { use(try Realm(configuration: stage.configuration(version: 2)).isEmpty) }
    for version in 1...3 as ClosedRange<UInt64> {
      var reading = stage.configuration(version: version)
      reading.readOnly = true
      let asked = reading
      try stage.elsewhere {
        do {
          let balance = try Realm(configuration: asked).account(1).balance
          stage.equal(version, 2, "the version that may read")
          stage.equal(balance, 100, "the balance that is read")
        } catch let error as Realm.Error {
          stage.expect(version != 2, "who has the file's version may read", observed: "\(error)")
          let words = "Provided schema version \(version) does not equal last set version 2."
          stage.expect(
            error.localizedDescription.contains(words), "what is told",
            observed: error.localizedDescription)
        }
      }
    }
  }

  /// What is let go of is in nobody's way, and several of one version are in none either.
  static let afterwards = Probe(
    "a file is migrated when the realms of the version before are gone, and opened by several"
  ) { stage in
    try stage.elsewhere { _ = try stage.stocked() }
    for version in 1...4 as ClosedRange<UInt64> {
      let runs = Atomic<Int>(0)
      let asked = stage.configuration(version: version) { migration, _ in
        runs.add(1, ordering: .relaxed)
        migration.enumerateObjects(ofType: Account.className()) { old, new in
          new?["balance"] = (old?["balance"] as? Int ?? -1) + 1
        }
      }
      let queue = DispatchQueue(label: "home")
      try stage.elsewhere {
        let realm = try Realm(configuration: asked)
        try queue.sync {
          let other = try Realm(configuration: asked, queue: queue)
          stage.equal(
            other.account(1).balance, 100 + Int(version), "the balance on a queue, \(version)")
        }
        stage.equal(realm.account(1).balance, 100 + Int(version), "the balance, \(version)")
      }
      stage.equal(runs.load(ordering: .relaxed), 1, "how often the block ran, \(version)")
    }
  }
}
