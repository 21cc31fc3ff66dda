import Foundation
import Testing

@testable import ReferenceEngine

private final class Pearl: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var link: Pearl?
  @Persisted var list: List<Pearl>
  @Persisted var set: MutableSet<Pearl>
  @Persisted var map: Map<String, Pearl?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<Pearl>
}

/// Objects that are there no more, asked for where another one is under their key: they were taken
/// for it.
@Suite struct DetachedTests {
  enum Way: CaseIterable { case deletedAndMadeAgain, invalidated, deletedElsewhereAndMadeAgain }

  private static func make(in realm: Realm) {
    let two = realm.create(Pearl.self, value: ["id": 2])
    let one = realm.create(Pearl.self, value: ["id": 1], update: .modified)
    (one.link, two.link) = (two, one)
    one.list.append(two)
    one.set.insert(two)
    one.map["two"] = two
    one.any = .object(two)
    one.anys.append(.object(two))
  }

  /// A realm in which the object with the key 2 is linked in every way, and an object that was it.
  private func scene(_ way: Way) throws -> (realm: Realm, own: Pearl, lost: Pearl) {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Pearl.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { Self.make(in: realm) }
    let lost = try #require(realm.object(ofType: Pearl.self, forPrimaryKey: 2))
    switch way {
    case .invalidated: realm.invalidate()
    case .deletedAndMadeAgain:
      try realm.write {
        lost.link?.anys.removeAll()
        realm.delete(lost)
        Self.make(in: realm)
      }
    case .deletedElsewhereAndMadeAgain:
      onNewThread {
        let realm = try! Realm(configuration: configuration)
        try! realm.write {
          let two = realm.object(ofType: Pearl.self, forPrimaryKey: 2)!
          two.link?.anys.removeAll()
          realm.delete(two)
          Self.make(in: realm)
        }
      }
      realm.refresh()
    }
    return (realm, try #require(realm.object(ofType: Pearl.self, forPrimaryKey: 1)), lost)
  }

  @Test(arguments: Way.allCases)
  func `no collection and no query finds one that is there no more`(way: Way) throws {
    let (realm, own, lost) = try scene(way)
    let all = realm.objects(Pearl.self)
    func found(_ pearl: Pearl) -> [String: Bool] {
      var found: [String: Bool] = [:]
      found["results"] = all.index(of: pearl) != nil
      found["sorted"] = all.sorted(by: \.id).index(of: pearl) != nil
      found["filtered"] = all.where { $0.id > 1 }.index(of: pearl) != nil
      found["list"] = own.list.index(of: pearl) != nil && own.list.contains(pearl)
      found["set"] = own.set.contains(pearl)
      found["linkers"] = own.linkers.index(of: pearl) != nil
      found["map"] = own.map.contains { $0.value == pearl }
      found["mixed list"] = own.anys.contains(.object(pearl))
      found["mixed"] = own.any == .object(pearl)
      found["filter"] = !all.filter("link == %@", pearl).isEmpty
      found["where"] = !all.where { $0.link == pearl }.isEmpty
      found["in"] = !all.where { $0.link.in([pearl]) }.isEmpty
      found["member"] = !all.where { $0.list.contains(pearl) }.isEmpty
      found["mixed query"] = !all.where { $0.any == .object(pearl) }.isEmpty
      found["equal"] = own.link == pearl
      found["same"] = pearl.isSameObject(as: own.link)
      found["seen from it"] = own.link?.isSameObject(as: pearl) == true
      return found
    }
    let two = try #require(own.link)
    #expect(lost.isInvalidated && found(two).filter { !$0.value }.map(\.key) == [])
    #expect(found(lost).filter { $0.value }.map(\.key).sorted() == [])
    #expect(lost == lost && lost.isSameObject(as: lost))
    #expect(all.where { $0.link != lost }.count == all.where { $0.link != nil }.count)
    try realm.write { own.set.remove(lost) }
    #expect(own.set.count == 1)
  }
}
