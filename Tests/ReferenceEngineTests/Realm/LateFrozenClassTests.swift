import Foundation
import Testing

@testable import ReferenceEngine

/// What was deleted was kept for the classes that a realm had used when it was frozen. One that was
/// asked for later in the frozen realm had nobody who told of its rows.
@Suite struct LateFrozenClassTests {
  private let identifier = UUID().uuidString

  private func replace(_ realm: Realm, _ name: String) {
    realm.delete(realm.objects(Keyed.self))
    realm.create(Keyed.self, value: ["id": 7, "name": name])
  }

  /// - Parameter classes: Nil for all that are loaded, which a realm comes to know as it uses them.
  @Test(arguments: [false, true])
  func `FREEZE-27: an object of a class that was not used yet does not thaw to another`(
    isNamed: Bool
  ) throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: identifier, objectTypes: isNamed ? [Keyed.self, Dog.self] : nil)
    let other = Desk(configuration)
    other.commit { replace($0, "old") }
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    realm.refresh()
    let frozen = realm.freeze()
    other.commit { replace($0, "new") }
    realm.refresh()
    let old = try #require(frozen.object(ofType: Keyed.self, forPrimaryKey: 7))
    #expect(old.name == "old")
    #expect(old.thaw()?.name == nil)
  }

  @Test func `FREEZE-27: nor does one of a class that the realm knows by its name alone`() throws {
    let other = Desk(
      Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [Keyed.self, Dog.self]))
    other.commit { replace($0, "old") }
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: identifier, objectTypes: [Dog.self]))
    realm.autorefresh = false
    realm.refresh()
    let frozen = realm.freeze()
    other.commit { replace($0, "new") }
    realm.refresh()
    let old = try #require(frozen.dynamicObject(ofType: "Keyed", forPrimaryKey: 7))
    #expect(old["name"] as? String == "old")
    #expect(old.thaw() == nil)
  }
}
