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

  /// A frozen realm answered for the classes of the file that its configuration does not list.
  @Test func `a frozen realm refuses a class that is not listed, as the live one does`() async {
    func sentence(ofFrozen isFrozen: Bool) async -> String {
      let result =
        isFrozen
        ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          _ = try LateFrozenClassTests.kennel().realm.freeze().objects(Keyed.self).count
        }
        : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          _ = try LateFrozenClassTests.kennel().realm.objects(Keyed.self).count
        }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      return said.contains("Object type 'Keyed' is not managed by the Realm.") ? "refused" : said
    }
    #expect(await sentence(ofFrozen: true) == "refused")
    #expect(await sentence(ofFrozen: false) == "refused")
  }

  @Test func `what the listed classes link to is a frozen realm's, too`() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: identifier, objectTypes: [Person.self]))
    #expect(realm.freeze().objects(Dog.self).isEmpty)
  }

  @Test func `what a later open of the realm lists is frozen at the version it was on`() throws {
    let other = Desk(
      Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [Keyed.self, Person.self]))
    other.commit {
      replace($0, "old")
      $0.create(Person.self, value: ["name": "Ann", "best": Dog()])
    }
    var configuration = Realm.Configuration(
      inMemoryIdentifier: identifier, objectTypes: [Keyed.self])
    let realm = try Realm(configuration: configuration)
    #expect(realm.freeze().objects(Keyed.self).count == 1)
    configuration.objectTypes = [Person.self]
    let again = try Realm(configuration: configuration)
    let ann = try #require(again.objects(Person.self).first).freeze()
    #expect(again == realm && ann.name == "Ann" && ann.best?.isFrozen == true)
    #expect(realm.freeze().objects(Person.self).count == 1)
  }

  /// A realm whose file has a class that it does not list, and what keeps it there.
  private static func kennel() throws -> (realm: Realm, other: Desk) {
    let identifier = UUID().uuidString
    let other = Desk(
      Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [Keyed.self, Dog.self]))
    other.commit { $0.create(Keyed.self, value: ["id": 1]) }
    let configuration = Realm.Configuration(
      inMemoryIdentifier: identifier, objectTypes: [Dog.self])
    return (try Realm(configuration: configuration), other)
  }
}
