import Foundation
import Testing

@testable import ReferenceEngine

/// Leads to pallets, which it does not declare.
private final class Dock: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class Pallet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: Int
  @Persisted var tags: List<Int>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
/// What later versions make of it.
private final class PalletWithLabel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String
  @Persisted(indexed: true) var weight: Int
  @Persisted var tags: List<Int>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Pallet" }
}
private final class PalletOfTexts: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: String
  @Persisted var tags: List<String>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Pallet" }
}
private final class PalletWithoutWeight: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var tags: List<Int>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Pallet" }
}

/// Classes that a realm knows by name alone, and that others migrate.
///
/// What broke: the realm kept the form that it had met first. A number that had become a text read
/// as the text's length, a list was no list, and what was written by name went into the columns of
/// other properties.
struct MigratedByNameTests {
  private struct Wrong: Error {
    let what: String
    init(_ what: String) { self.what = what }
  }

  /// What others make of the class.
  enum Change: String, CaseIterable, Sendable {
    case retyped
    case removed
    case gone

    fileprivate var types: [ObjectBase.Type] {
      switch self {
      case .retyped: [Dock.self, PalletOfTexts.self]
      case .removed: [Dock.self, PalletWithoutWeight.self]
      case .gone: [Dock.self]
      }
    }

    fileprivate var block: MigrationBlock {
      switch self {
      case .retyped:
        { migration, _ in
          migration.enumerateObjects(ofType: "Pallet") { _, new in new?["weight"] = "seventy" }
        }
      case .removed: { _, _ in }
      case .gone: { migration, _ in migration.deleteData(forType: "Pallet") }
      }
    }

    var sentence: String {
      switch self {
      case .retyped: "Property 'Pallet.weight' has been changed from 'int' to 'string'"
      case .removed: "Property 'Pallet.weight' has been removed"
      case .gone: "Class 'Pallet' has been removed"
      }
    }
  }

  /// What the realm does when it comes to the new version.
  enum Step: String, CaseIterable, Sendable {
    case read
    case write
    case make
    case follow
  }

  /// As another process has it: none of the realms of this one asks another one.
  fileprivate static func open(
    _ path: String, _ types: [ObjectBase.Type], version: UInt64, _ block: MigrationBlock? = nil
  ) throws -> Realm {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: version, migrationBlock: block,
      objectTypes: types)
    configuration.cache = false
    return try Realm(configuration: configuration)
  }

  private static func fill(_ path: String) throws {
    let realm = try open(path, [Dock.self, Pallet.self], version: 0)
    try realm.write {
      let pallet = realm.create(Pallet.self, value: ["id": 7, "weight": 70, "tags": [1, 2]])
      realm.create(Dock.self, value: ["id": 1]).any = .object(pallet)
    }
  }

  @Test(arguments: Change.allCases, Step.allCases)
  func `DATA-12: who knows a class by name ends where it has lost what it had`(
    change: Change, step: Step
  ) async throws {
    let folder = Folder()
    let path = folder.path + "/pallets.realm"
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      [
        path = path as String, changed = change.rawValue as String, taken = step.rawValue as String
      ] in
      guard let change = Change(rawValue: changed), let step = Step(rawValue: taken) else {
        exit(0)
      }
      try MigratedByNameTests.fill(path)
      let realm = try MigratedByNameTests.open(path, [Dock.self], version: 0)
      // Met as what a link leads to, or by its name.
      let held =
        step == .follow
        ? realm.objects(Dock.self).first?.any.dynamicObject : realm.dynamicObjects("Pallet").first
      guard held?["weight"] as? Int == 70 else { exit(0) }
      _ = try MigratedByNameTests.open(path, change.types, version: 1, change.block)
      switch step {
      case .read:
        realm.refresh()
        print(held?["weight"] ?? "none")
      case .write: try realm.write { held?["weight"] = 5 }
      case .make: try realm.write { realm.dynamicCreate("Pallet", value: ["id": 8, "tags": [4]]) }
      case .follow:
        realm.refresh()
        print(realm.objects(Dock.self).first?.any.dynamicObject?["weight"] ?? "none")
      }
      // Nothing of that may have worked.
      exit(0)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Unsupported schema changes were made by another client or process"))
    #expect(said.contains(change.sentence))
    // What the others made of it is as they made it.
    let realm = try Self.open(path, change.types, version: 1)
    switch change {
    case .retyped: #expect(realm.objects(PalletOfTexts.self).map(\.weight) == ["seventy"])
    case .removed:
      #expect(realm.objects(PalletWithoutWeight.self).map { Array($0.tags) } == [[1, 2]])
    case .gone: #expect(realm.objects(Dock.self).map(\.any) == [.none])
    }
    _ = try realm.session.coordinator.checkEverything()
  }

  /// Nothing that is held has lost anything: it goes on, and who asks again gets all.
  @Test func `a class by name alone gets what others have added to it`() throws {
    let scratch = Scratch()
    let path = scratch.directory.appendingPathComponent("pallets.realm").path
    try Self.fill(path)
    let realm = try Self.open(path, [Dock.self], version: 0)
    let results = realm.dynamicObjects("Pallet")
    let held = try #require(results.first)
    let tags: List<Int> = try #require(held["tags"] as? List<Int>)
    do {
      let other = try Self.open(path, [Dock.self, PalletWithLabel.self], version: 1)
      try other.write {
        other.objects(PalletWithLabel.self).first?.label = "fragile"
        other.create(PalletWithLabel.self, value: ["id": 8, "weight": 80, "label": "heavy"])
      }
    }
    realm.refresh()
    let found = try #require(realm.dynamicObject(ofType: "Pallet", forPrimaryKey: 7))
    #expect(found["label"] as? String == "fragile" && found["weight"] as? Int == 70)
    let names = found.objectSchema.properties.map(\.name).sorted()
    #expect(names == ["id", "label", "tags", "weight"])
    let heavy = realm.dynamicObjects("Pallet").filter("label == 'heavy'")
    #expect(heavy.map { $0["id"] as? Int } == [8])
    #expect(held == found && held.isSameObject(as: found))
    #expect(results.map { $0["weight"] as? Int } == [70, 80] && Array(tags) == [1, 2])
    try realm.write {
      held["weight"] = 71
      tags.append(3)
      found["label"] = "mended"
      realm.dynamicCreate("Pallet", value: ["id": 9, "weight": 90, "label": "new", "tags": [4]])
    }
    do {
      let other = try Self.open(path, [Dock.self, PalletWithLabel.self], version: 1)
      let pallets = other.objects(PalletWithLabel.self).sorted(byKeyPath: "id")
      #expect(pallets.map(\.weight) == [71, 80, 90])
      #expect(pallets.map(\.label) == ["mended", "heavy", "new"])
      #expect(pallets.map { Array($0.tags) } == [[1, 2, 3], [], [4]])
      #expect(other.objects(PalletWithLabel.self).filter("weight == 71").count == 1)
    }
    _ = try realm.session.coordinator.checkEverything()
  }

  @Test func `a class that is met later has the form that it has then`() throws {
    let scratch = Scratch()
    let path = scratch.directory.appendingPathComponent("pallets.realm").path
    try Self.fill(path)
    let realm = try Self.open(path, [Dock.self], version: 0)
    #expect(realm.objects(Dock.self).count == 1)
    _ = try Self.open(path, Change.retyped.types, version: 1, Change.retyped.block)
    realm.refresh()
    #expect(realm.dynamicObjects("Pallet").map { $0["weight"] as? String } == ["seventy"])
    let linked = realm.objects(Dock.self).first?.any.dynamicObject
    #expect(linked?["weight"] as? String == "seventy")
  }

  @Test func `DATA-12: a key that comes, and owners, are no additions`() {
    let layout = ClassLayout.of(PalletWithoutWeight.self)
    var before = StoredSchema(version: 0)
    before.tables = [StoredTable(name: "Pallet", isEmbedded: false)]
    var after = before
    after.version = 1
    let key = Property(name: "code", type: .string, isIndexed: true, isPrimaryKey: true)
    after.tables[0].columns = [StoredColumn(key, number: 0)]
    #expect(
      SchemaDifference(of: layout, from: before, to: after).problems
        == ["- Primary Key for class 'Pallet' has been added."])
    after = before
    after.tables[0].isEmbedded = true
    #expect(
      SchemaDifference(of: layout, from: before, to: after).problems
        == ["- Class 'Pallet' has been changed from top-level to embedded."])
  }
}
