import Foundation
import Testing

@testable import ReferenceEngine

private class TwoKeys: Object {
  @Persisted(primaryKey: true) var one: Int
  @Persisted(primaryKey: true) var other: Int
}

private class FractionKeyed: Object {
  @Persisted(primaryKey: true) var id: Double
}

private class ListIndexed: Object {
  @Persisted(indexed: true) var numbers: List<Int>
}

private class KeyedPart: EmbeddedObject {
  @Persisted(primaryKey: true) var id: Int
}

private class Whole: Object {
  @Persisted var part: KeyedPart?
}

private class Misled: Object {
  @Persisted var number: Int
  @Persisted var link: Dog?
  @Persisted(originProperty: "nothing") var missing: LinkingObjects<Misled>
  @Persisted(originProperty: "number") var numbers: LinkingObjects<Misled>
  @Persisted(originProperty: "link") var others: LinkingObjects<Misled>
}

private class Aliased: Object {
  @Persisted var one: Int
  @Persisted var other: Int
  override class func propertiesMapping() -> [String: String] { ["one": "x", "other": "x"] }
}

/// A class that contradicts itself is told in Realm's words when it is named, before it writes
/// anything.
struct MistakenClassTests {
  private func words(_ type: ObjectBase.Type) -> String {
    do {
      _ = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [type]))
      return ""
    } catch {
      return error.localizedDescription
    }
  }

  @Test func `opening with a class that contradicts itself throws what is wrong with it`() {
    let start = "Schema validation failed due to the following errors:\n- "
    #expect(
      words(TwoKeys.self) == start
        + "Properties 'other' and 'one' are both marked as the primary key of 'TwoKeys'.")
    #expect(
      words(FractionKeyed.self) == start
        + "Property 'FractionKeyed.id' of type 'double' cannot be made the primary key.")
    #expect(
      words(ListIndexed.self) == start
        + "Property 'ListIndexed.numbers' of type 'array<int>' cannot be indexed.")
    #expect(
      words(Whole.self) == start + "Embedded object type 'KeyedPart' cannot have a primary key.")
    #expect(
      words(Aliased.self) == start
        + "Alias 'x' appears more than once in the schema for type 'Aliased'.")
    #expect(
      words(Misled.self) == """
        \(start)Property 'Misled.nothing' declared as origin of linking objects property 'Misled.missing' does not exist.
        - Property 'Misled.number' declared as origin of linking objects property 'Misled.numbers' is not a link.
        - Property 'Misled.link' declared as origin of linking objects property 'Misled.others' links to type 'Dog'.
        """)
  }

  @Test func `a class that contradicts itself dies when it is first used`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      try realm.write { _ = realm.create(TwoKeys.self) }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("are both marked as the primary key of 'TwoKeys'"))
  }

  @Test func `a configuration without a place is refused`() async {
    await #expect(processExitsWith: .failure) {
      var configuration = Realm.Configuration()
      configuration.fileURL = nil
      _ = try Realm(configuration: configuration)
    }
  }
}
