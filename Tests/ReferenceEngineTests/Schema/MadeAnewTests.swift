import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

private enum Before {
  final class Remade: Object {
    @Persisted var id: Int
    @Persisted var text: String
  }
}

private enum After {
  enum More {
    final class Remade: Object {
      @Persisted var id: Int
      @Persisted var text: String
      @Persisted var more: Int?
    }
  }

  enum Less {
    final class Remade: Object { @Persisted var id: Int }
  }

  enum Found {
    final class Remade: Object {
      @Persisted(indexed: true) var id: Int
      @Persisted var text: String
    }
  }

  enum Another {
    final class Remade: Object {
      @Persisted var id: Int
      @Persisted var text: String?
    }
  }
}

/// When `deleteRealmIfMigrationNeeded` deletes a file, and when it leaves it.
///
/// What broke: a file of a higher schema version was refused, one that lacked a property was
/// extended, and one of a lower version was migrated if there was a block.
struct MadeAnewTests {
  private let folder = Folder()
  private var path: String { folder.path + "/remade.realm" }

  private static func configuration(
    _ path: String, _ classes: [ObjectBase.Type], version: UInt64 = 2, deletes: Bool = true
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: version,
      deleteRealmIfMigrationNeeded: deletes, objectTypes: classes)
  }

  /// A file of version 2 with one object.
  private func fill() async throws {
    try await apart { [path] in
      let realm = try Realm(
        configuration: Self.configuration(path, [Before.Remade.self], deletes: false))
      try realm.write { realm.create(Before.Remade.self, value: ["id": 7, "text": "old"]) }
    }
  }

  /// The objects of a file that is opened with those classes.
  private func ids(_ type: ObjectBase.Type, _ others: [ObjectBase.Type] = []) async throws -> [Int]
  {
    let classes = [type] + others
    return try await apart { [path] in
      let realm = try Realm(configuration: Self.configuration(path, classes))
      return realm.dynamicObjects("Remade").compactMap { $0["id"] as? Int }
    }
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64], [false, true])
  func `a file of any other schema version is made anew, and no block is called`(
    version: UInt64, hasBlock: Bool
  ) async throws {
    try await fill()
    let calls = Mutex(0)
    let found = try await apart { [path] in
      var configuration = Self.configuration(path, [Before.Remade.self], version: version)
      if hasBlock { configuration.migrationBlock = { _, _ in calls.withLock { $0 += 1 } } }
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Before.Remade.self, value: ["id": 8]) }
      return realm.objects(Before.Remade.self).map(\.id).sorted()
    }
    #expect(found == (version == 2 ? [7, 8] : [8]))
    #expect(calls.withLock { $0 } == 0)
    #expect(try schemaVersionAtURL(URL(fileURLWithPath: path)) == version)
  }

  @Test func `a file is made anew for each change of a class's properties`() async throws {
    try await fill()
    #expect(try await ids(Before.Remade.self) == [7])
    #expect(try await ids(After.More.Remade.self) == [])
    for type in [After.Less.Remade.self, After.Another.Remade.self] as [ObjectBase.Type] {
      let place = URL(fileURLWithPath: path)
      try await apart {
        _ = try Realm.deleteFiles(for: Realm.Configuration(fileURL: place))
      }
      try await fill()
      #expect(try await ids(type) == [])
    }
  }

  @Test func `a file stays for whole classes and for indexes`() async throws {
    try await fill()
    #expect(try await ids(Before.Remade.self, [Keyed.self]) == [7])
    #expect(try await ids(Before.Remade.self) == [7])
    #expect(try await ids(After.Found.Remade.self) == [7])
    #expect(try await ids(Before.Remade.self, [Keyed.self]) == [7])
  }

  /// Whoever has found it fit before may have asked for less.
  @Test func `what was extended without a wish to delete is left then`() async throws {
    try await fill()
    try await apart { [path] in
      _ = try Realm(
        configuration: Self.configuration(path, [After.More.Remade.self], deletes: false))
    }
    #expect(try await ids(After.More.Remade.self) == [7])
    #expect(try await ids(Before.Remade.self) == [])
  }

  @Test func `a seed is not copied once more`() async throws {
    try await fill()
    let found = try await apart { [path] in
      var configuration = Self.configuration(path, [Before.Remade.self], version: 1)
      configuration.seedFilePath = URL(fileURLWithPath: path + ".seed")
      try FileManager.default.copyItem(atPath: path, toPath: path + ".seed")
      return try Realm(configuration: configuration).objects(Before.Remade.self).count
    }
    #expect(found == 0)
  }

  @Test func `what is open is not deleted under who has it`() async throws {
    try await fill()
    let (words, found) = try await apart { [path] in
      let realm = try Realm(configuration: Self.configuration(path, [Before.Remade.self]))
      let refusal = Mutex("none")
      try onThreads(1) { _ in
        do {
          let older = Self.configuration(path, [Before.Remade.self], version: 1)
          _ = try Realm(configuration: older)
        } catch let error as Realm.Error {
          refusal.withLock { $0 = error.localizedDescription }
        }
      }
      return (refusal.withLock { $0 }, realm.objects(Before.Remade.self).map(\.id))
    }
    #expect(words.contains("still in use") && found == [7])
  }
}
