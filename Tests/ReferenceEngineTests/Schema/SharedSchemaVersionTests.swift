import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Realms of one process that are opened with several schema versions.
///
/// What broke: a file was migrated under those that had it open, whose properties read as empty
/// from then on and whose writes went into columns that were no more.
struct SharedSchemaVersionTests {
  /// What a thread saw.
  private struct Wrong: Error {
    let what: String
    init(_ what: String) { self.what = what }
  }

  private func configuration(
    _ path: String, version: UInt64, deleting: Bool = false
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: version, objectTypes: [Keyed.self])
    configuration.deleteRealmIfMigrationNeeded = deleting
    return configuration
  }

  @Test(arguments: [false, true])
  func `LIFE-03: who has a file open is not migrated under`(deleting: Bool) async throws {
    let folder = Folder()
    let path = folder.path + "/shared.realm"
    try await apart {
      let realm = try Realm(configuration: configuration(path, version: 1))
      try realm.write { realm.create(Keyed.self, value: ["id": 7]) }
      try onThreads(1) { _ in
        do {
          _ = try Realm(configuration: configuration(path, version: 2, deleting: deleting))
          throw Wrong("it was opened")
        } catch let error as Realm.Error {
          let known = deleting ? "still in use" : "already opened with different schema version"
          if !error.localizedDescription.contains(known) {
            throw Wrong(error.localizedDescription)
          }
        }
        // Those of its own version are let in.
        let other = try Realm(configuration: configuration(path, version: 1))
        if other.objects(Keyed.self).map(\.id) != [7] { throw Wrong("another sees others") }
      }
      if realm.objects(Keyed.self).map(\.id) != [7] { throw Wrong("the first sees others") }
    }
    try await apart {
      let realm = try Realm(configuration: configuration(path, version: 2))
      if realm.objects(Keyed.self).map(\.id) != [7] { throw Wrong("the migrated one sees others") }
    }
    #expect(try schemaVersionAtURL(URL(fileURLWithPath: path)) == 2)
  }

  /// What broke: those that had it open were asked before the lock was taken, and who was still
  /// opening it was none of them. It was opened, and ended at its next refresh.
  @Test func `LIFE-03: who comes to a migration with the old version is refused`() async throws {
    let folder = Folder()
    let path = folder.path + "/migrating.realm"
    let old = configuration(path, version: 1)
    try await apart {
      try onThreads(1) { _ in
        let realm = try Realm(configuration: old)
        try realm.write { realm.create(Keyed.self, value: ["id": 7]) }
      }
      var new = configuration(path, version: 2)
      let told = Mutex<[String]>([])
      new.migrationBlock = { _, _ in
        do {
          try onThreads(1) { _ in
            do {
              _ = try Realm(configuration: old)
              throw Wrong("it was opened")
            } catch let error as Realm.Error {
              told.withLock { $0.append(error.localizedDescription) }
            }
          }
        } catch { told.withLock { $0.append("\(error)") } }
      }
      let realm = try Realm(configuration: new)
      if realm.objects(Keyed.self).map(\.id) != [7] { throw Wrong("it sees others") }
      let words = told.withLock { $0 }
      if words.count != 1 || !words[0].contains("already opened with different schema version") {
        throw Wrong("told: \(words)")
      }
    }
    #expect(try schemaVersionAtURL(URL(fileURLWithPath: path)) == 2)
  }

  @Test func `LIFE-03: nor is a file migrated under who is still opening it`() async throws {
    let folder = Folder()
    let path = folder.path + "/opening.realm"
    try await apart {
      try onThreads(1) { _ in _ = try Realm(configuration: configuration(path, version: 1)) }
      guard let coming = Openings.begin(path, version: 1),
        let other = Openings.begin(path + ".other", version: 1)
      else { throw Wrong("an opening is refused") }
      defer { Openings.end(other) }
      do {
        _ = try Realm(configuration: configuration(path, version: 2))
        throw Wrong("it was migrated")
      } catch let error as Realm.Error {
        let words = "already opened with different schema version"
        if !error.localizedDescription.contains(words) { throw error }
      }
      // What was refused is in nobody's way.
      guard let again = Openings.begin(path, version: 1) else { throw Wrong("it is in the way") }
      Openings.end(again)
      Openings.end(coming)
      _ = try Realm(configuration: configuration(path, version: 2))
    }
    #expect(try schemaVersionAtURL(URL(fileURLWithPath: path)) == 2)
  }

  /// What broke: it returned without a word, and the file had its version still.
  @Test(arguments: [1, 2] as [UInt64])
  func `LIFE-03: what is open here is not migrated without a word`(version: UInt64) async throws {
    let folder = Folder()
    let path = folder.path + "/open.realm"
    try await apart {
      let realm = try Realm(configuration: configuration(path, version: 1))
      do {
        try Realm.performMigration(for: configuration(path, version: version))
        throw Wrong("it returned")
      } catch let error as Realm.Error {
        guard error.code == .fail,
          error.localizedDescription.contains("Cannot migrate Realms that are already open."),
          error.fileURL?.path == path
        else { throw error }
      }
      try realm.write { realm.create(Keyed.self, value: ["id": 7]) }
    }
    try await apart { try Realm.performMigration(for: configuration(path, version: 2)) }
    #expect(try schemaVersionAtURL(URL(fileURLWithPath: path)) == 2)
  }

  /// Nothing brings a file that is only read to another version: a higher one was taken, and what
  /// the file lacks of it read as empty.
  @Test(arguments: [(1, "does not equal"), (2, nil), (3, "does not equal")] as [(UInt64, String?)])
  func `a file that is only read has the version that it has`(
    version: UInt64, refusal: String?
  ) async throws {
    let folder = Folder()
    let path = folder.path + "/read.realm"
    try await apart {
      let realm = try Realm(configuration: configuration(path, version: 2))
      try realm.write { realm.create(Keyed.self, value: ["id": 7]) }
    }
    try await apart {
      var reading = configuration(path, version: version)
      reading.readOnly = true
      do {
        let keys = try Realm(configuration: reading).objects(Keyed.self).map(\.id)
        if refusal != nil || keys != [7] { throw Wrong("it was opened and has \(keys)") }
      } catch let error as Realm.Error {
        let sentence = "Provided schema version \(version) \(refusal ?? "-") last set version 2."
        guard error.code == .invalidSchemaVersion, error.localizedDescription.contains(sentence)
        else { throw error }
      }
    }
  }

  /// A frozen realm has its version and what that was: nobody has to wait for its end.
  @Test func `who has only frozen a realm is in no migration's way`() async throws {
    let folder = Folder()
    let path = folder.path + "/frozen.realm"
    try await apart {
      nonisolated(unsafe) var frozen: Realm?
      try onThreads(1) { _ in
        let realm = try Realm(configuration: configuration(path, version: 1))
        try realm.write { realm.create(Keyed.self, value: ["id": 7]) }
        frozen = realm.freeze()
      }
      let realm = try Realm(configuration: configuration(path, version: 2))
      try realm.write { realm.deleteAll() }
      if frozen?.objects(Keyed.self).map(\.id) != [7] { throw Wrong("the frozen one has changed") }
    }
  }
}
