import Foundation
import Testing

@testable import ReferenceEngine

private final class Held: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String?
  @Persisted var day: Date
  @Persisted var ints: List<Int>
  @Persisted var address: Address?
  @Persisted var next: Held?
  @Persisted var others: List<Held>
}

/// What is refused, and that it is in Realm's words.
struct SentenceTests {
  fileprivate struct Case: Sendable, CustomTestStringConvertible {
    let says: String
    let act: @Sendable (Realm, Held) -> Void
    var testDescription: String { says }
  }

  fileprivate static let cases: [Case] = [
    Case(says: "Primary key can't be changed to '5' after an object is inserted.") { realm, held in
      try! realm.write { held["id"] = 5 }
    },
    Case(says: "Primary key can't be changed after an object is inserted.") { realm, held in
      try! realm.write { held.id = 5 }
    },
    Case(
      says: "Invalid value (seven) for 'int' array property 'Held.ints': value is not enumerable"
    ) { realm, held in try! realm.write { held["ints"] = "seven" } },
    Case(says: "for 'int' array property 'Held.ints'.") { realm, held in
      try! realm.write { held["ints"] = ["seven"] }
    },
    Case(says: "of type 'Int' for 'string?' property 'Held.text'.") { realm, held in
      try! realm.write { held["text"] = 7 }
    },
    Case(says: "for 'Held?' property 'Held.next'.") { realm, held in
      try! realm.write { held["next"] = "nobody" }
    },
    Case(says: "Operation 'sum' not supported for string? property 'Held.text'") { realm, _ in
      _ = realm.objects(Held.self).sum(ofProperty: "text") as Int
    },
    Case(says: "Operation 'average' not supported for date property 'Held.day'") { realm, _ in
      _ = realm.objects(Held.self).average(ofProperty: "day") as Double?
    },
    Case(says: "@count can only be compared with a numeric value.") { realm, _ in
      _ = realm.objects(Held.self).filter("ints.@count == nil")
    },
    Case(
      says: "Aggregate operations can only be used on key paths that include an collection property"
    ) { realm, _ in _ = realm.objects(Held.self).filter("ANY id == 1").count },
    Case(
      says: "Aggregate operations can only be used on key paths that include an collection property"
    ) { realm, _ in _ = realm.objects(Held.self).filter("NONE next.text IN {'a', 'b'}").count },
    Case(says: "The keypath following 'ALL' must contain a list") { realm, _ in
      _ = realm.objects(Held.self).filter("text == 'a' AND ALL 3 < next.id").count
    },
    Case(
      says: "Invalid keypath 'others.next.@count': collection operation '@count' must be applied "
        + "to a collection"
    ) { realm, _ in _ = realm.objects(Held.self).filter("others.next.@count == 0").count },
    Case(
      says: "Invalid keypath 'others.next.@sum.id': collection operation '@sum' must be applied "
        + "to a collection"
    ) { realm, _ in _ = realm.freeze().objects(Held.self).filter("others.next.@sum.id > 0").count },
    Case(
      says: "Aggregate operations can only be used on key paths that include an collection property"
    ) { _, _ in _ = List<Held>([Held()]).index(matching: "ANY id == 1") },
    Case(
      says: "Aggregate operations can only be used on key paths that include an collection property"
    ) { _, _ in _ = MutableSet<Held>().index(matching: "NONE next.text IN {'a', 'b'}") },
    Case(
      says: "Aggregate operations can only be used on key paths that include an collection property"
    ) { _, _ in _ = List<Int>([1]).index(matching: "SOME SELF == 1") },
    Case(says: "The keypath following 'ALL' must contain a list") { _, _ in
      _ = List<Held>([Held()]).index(
        matching: "SUBQUERY(others, $one, text == 'a' AND ALL 3 < $one.next.id).@count > 0")
    },
    Case(
      says: "Invalid keypath 'others.next.@count': collection operation '@count' must be applied "
        + "to a collection"
    ) { _, _ in _ = List<Held>([Held()]).index(matching: "others.next.@count == 0") },
    Case(says: "Can't set link to existing managed embedded object") { realm, held in
      try! realm.write {
        held.address = Address()
        realm.create(Held.self, value: ["id": 2]).address = held.address
      }
    },
    Case(says: "Embedded objects cannot be created directly") { realm, held in
      try! realm.write {
        held.address = Address()
        _ = realm.dynamicCreate("Address", value: ["street": "x"])
      }
    },
    Case(says: "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.") { _, _ in
      var configuration = Realm.Configuration(inMemoryIdentifier: "x")
      (configuration.readOnly, configuration.shouldCompactOnLaunch) = (true, { _, _ in true })
      _ = try? Realm(configuration: configuration)
    },
    Case(says: "A Realm Configuration must specify a path or an in-memory identifier.") { _, _ in
      var configuration = Realm.Configuration()
      configuration.fileURL = nil
      _ = try? Realm(configuration: configuration)
    },
    Case(says: "In-memory identifier must not be empty") { _, _ in
      _ = try? Realm(configuration: Realm.Configuration(inMemoryIdentifier: ""))
    },
    Case(says: "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)") { _, _ in
      let never = UInt64.max
      _ = try? Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "x", schemaVersion: never))
    },
    Case(says: "Encryption key must be exactly 64 bytes long") { _, _ in
      _ = try? Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "x", encryptionKey: Data(count: 3)))
    },
  ]

  @Test(arguments: cases.indices)
  func `a mistake is told in Realm's words`(_ number: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [number] in
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "told"))
      let held = try realm.write { realm.create(Held.self, value: ["id": 1]) }
      SentenceTests.cases[number].act(realm, held)
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains(SentenceTests.cases[number].says))
  }
}
