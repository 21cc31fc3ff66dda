import Foundation
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
