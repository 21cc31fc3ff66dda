import Foundation
import Testing

@testable import ReferenceEngine

private final class Barn: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var built: Date
  @Persisted var tools: List<String>
  @Persisted var annexes: List<Barn>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
/// What a later version means by the name.
private final class BarnOfStone: Object {
  @Persisted var stones: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Barn" }
}
private final class Farm: Object {
  @Persisted var any: AnyRealmValue
  @Persisted var all: List<AnyRealmValue>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class Village: Object {
  @Persisted var barns: List<Barn>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Classes that a migration takes out of the file.
///
/// What broke: `deleteData` left the class in the file, without objects.
struct RemovedClassTests {
  private let scratch = Scratch()

  private static let removes: MigrationBlock = { migration, _ in
    let answers = [0, 1].map { _ in migration.deleteData(forType: "Barn") }
    if answers != [true, false] { fatalError("said \(answers)") }
  }

  private func fill() throws {
    let realm = try Realm(configuration: scratch.configuration([Barn.self, Farm.self]))
    try realm.write {
      for id in 0..<300 {
        let barn = realm.create(Barn.self, value: ["id": id, "name": "barn \(id)"])
        barn.tools.append("fork")
        barn.annexes.append(barn)
        let farm = realm.create(Farm.self)
        farm.any = .object(barn)
        farm.all.append(objectsIn: [.int(id), .object(barn)])
      }
    }
    realm.invalidate()
  }

  /// Opens the file as if nobody had it open.
  private func opened(_ types: [ObjectBase.Type]?, version: UInt64) throws -> Realm {
    var configuration = scratch.configuration(
      types, version: version, migration: version == 1 ? RemovedClassTests.removes : nil)
    configuration.cache = false
    return try Realm(configuration: configuration)
  }

  @Test func `a class is no more, and what was linked to it is null`() throws {
    try fill()
    do {
      let realm = try opened([Farm.self], version: 1)
      let farms = realm.objects(Farm.self)
      #expect(farms.count == 300 && farms.allSatisfy { $0.any == .none && $0.all[1] == .none })
      #expect(realm.session.stored.index(of: "Barn") == nil)
      _ = try realm.session.coordinator.checkEverything()
    }
    // Opened by what the file says.
    #expect(try opened(nil, version: 1).schema["Barn"] == nil)
  }

  @Test func `a later version may have another class of the name`() throws {
    try fill()
    for version: UInt64 in 1...2 {
      let types: [ObjectBase.Type] = version == 1 ? [Farm.self] : [Farm.self, BarnOfStone.self]
      let realm = try opened(types, version: version)
      if version == 1 { continue }
      let barns = realm.objects(BarnOfStone.self)
      #expect(barns.isEmpty)
      try realm.write {
        let barn = realm.create(BarnOfStone.self, value: ["stones": 7])
        realm.objects(Farm.self)[3].any = .object(barn)
      }
      #expect(realm.objects(Farm.self)[3].any.object(BarnOfStone.self)?.stones == 7)
      #expect(realm.objects(Farm.self)[4].any == .none)
      let copy = scratch.directory.appendingPathComponent("copy.realm")
      try realm.writeCopy(toFile: copy)
      let other = try Realm(
        configuration: .init(fileURL: copy, schemaVersion: 2, objectTypes: types))
      #expect(other.objects(BarnOfStone.self).map(\.stones) == [7])
      _ = try other.session.coordinator.checkEverything()
    }
  }

  @Test func `a class that another one links to is not removed`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      do { _ = try Realm(configuration: scratch.configuration([Village.self])) }
      var configuration = scratch.configuration([Farm.self], version: 1) { migration, _ in
        migration.deleteData(forType: "Barn")
      }
      configuration.cache = false
      _ = try Realm(configuration: configuration)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Cannot remove class_Barn that is target of outside links"))
  }

  @Test func `nor one that the new schema has: it only loses its objects`() throws {
    try fill()
    var configuration = scratch.configuration([Barn.self, Farm.self], version: 1) { migration, _ in
      migration.deleteData(forType: "Barn")
    }
    configuration.cache = false
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Barn.self).isEmpty && realm.session.stored.index(of: "Barn") != nil)
  }

  @Test func `DATA-12: who has the class open elsewhere cannot find it`() {
    let layout = ClassLayout.of(Barn.self)
    var before = StoredSchema(version: 0)
    before.tables = [StoredTable(name: "Barn", isEmbedded: false)]
    var after = before
    after.version = 1
    after.tables[0].isDropped = true
    #expect(
      SchemaDifference(of: layout, from: before, to: after).problems
        == ["- Class 'Barn' has been removed."])
    #expect(SchemaDifference(of: layout, from: after, to: after).problems.isEmpty)
  }
}
