import Foundation
import Testing

@testable import ReferenceEngine

class FarOne: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
}

class NearOne: Object {
  @Persisted(primaryKey: true) var id: Int
}

/// Links from mixed values are found by a word of table and key, in which very large keys meet
/// small ones of other tables. Deleting the small one made lists forget that they link to the
/// large one.
@Suite struct LargeKeyTests {
  @Test func `DATA-10: who links to a row of a large key knows when it goes`() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [FarOne.self, NearOne.self]))
    let keys = (1..<16).map { $0 << 40 }
    try realm.write {
      let owner = realm.create(FarOne.self, value: ["id": 1])
      for key in keys {
        let far = realm.create(FarOne.self, value: ["id": key])
        owner.anys.append(.object(far))
        owner.named["\(key)"] = .object(far)
      }
      let near = realm.create(NearOne.self, value: ["id": 0])
      realm.delete(near)
      for key in keys {
        realm.delete(try #require(realm.object(ofType: FarOne.self, forPrimaryKey: key)))
        realm.create(FarOne.self, value: ["id": key])
      }
    }
    let owner = try #require(realm.object(ofType: FarOne.self, forPrimaryKey: 1))
    #expect(owner.anys.count == keys.count && owner.anys.allSatisfy { $0 == .none })
    #expect(owner.named.allSatisfy { $0.value == .none })
  }
}
