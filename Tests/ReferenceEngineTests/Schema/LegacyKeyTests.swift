import Foundation
import Testing

@testable import ReferenceEngine

private final class LegacyText: Object {
  @Persisted var id: String
  @Persisted var value: Int
  override class func primaryKey() -> String? { "id" }
}

private final class LegacyOptional: Object {
  @Persisted var id: Int?
  @Persisted var value: Int
  override class func primaryKey() -> String? { "id" }
}

private final class LegacyUUID: Object {
  @Persisted var id: UUID
  @Persisted var value: Int
  override class func primaryKey() -> String? { "id" }
}

private final class LegacyInt: Object {
  @Persisted var id: Int
  @Persisted var value: Int
  override class func primaryKey() -> String? { "id" }
}

private final class KeyedByNothing: Object {
  @Persisted var id: Int
  override class func primaryKey() -> String? { "key" }
}

/// Classes that name their primary key the older way.
struct LegacyKeyTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  private func isOneRow<T: Object, K>(_ type: T.Type, _ key: K) throws {
    try realm.write {
      for value in 1...3 {
        let object = type.init()
        object["id"] = key
        object["value"] = value
        realm.add(object, update: .all)
      }
      realm.create(type, value: ["id": key, "value": 4], update: .modified)
    }
    #expect(realm.objects(type).count == 1)
    #expect(realm.object(ofType: type, forPrimaryKey: key)?["value"] as? Int == 4)
  }

  @Test func `a key of any type is one row`() throws {
    try isOneRow(LegacyText.self, "a")
    try isOneRow(LegacyOptional.self, 7)
    try isOneRow(LegacyUUID.self, UUID())
    try isOneRow(LegacyInt.self, 7)
    #expect(LegacyText().objectSchema.primaryKeyProperty?.isIndexed == true)
  }

  @Test func `a key that no property is, is refused`() {
    #expect(throws: Realm.Error.self) {
      _ = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [KeyedByNothing.self]))
    }
  }
}
