import Foundation
import Testing

@testable import ReferenceEngine

private final class Crate: Object {
  @Persisted var id: Int
  @Persisted(originProperty: "best") var keepers: LinkingObjects<CrateKeeper>
  @Persisted var label: String
  @Persisted var any: AnyRealmValue
  @Persisted var weight: Float
  @Persisted var volume: Double?
  @Persisted var isFull: Bool
  @Persisted var price: Decimal128
  @Persisted var ints: List<Int>
  @Persisted var texts: MutableSet<String>
  @Persisted var prices: Map<String, Int>
  @Persisted var crates: List<Crate>
}

private final class CrateKeeper: Object {
  @Persisted var name: String
  @Persisted var best: Crate?
  @Persisted var crates: List<Crate>
  @Persisted var crateSet: MutableSet<Crate>
  @Persisted var crateMap: Map<String, Crate?>
}

/// What is asked, told and made by the names of properties.
struct ByNameTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  private func keeper() throws -> CrateKeeper {
    try realm.write {
      let keeper = realm.create(CrateKeeper.self, value: ["name": "Kim", "best": ["id": 1]])
      let second = realm.create(Crate.self, value: ["id": 2])
      keeper.crates.append(second)
      keeper.crateSet.insert(second)
      keeper.crateMap["b"] = second
      return keeper
    }
  }

  @Test func `a dynamic object's links lead to dynamic objects`() throws {
    _ = try keeper()
    let dynamic = realm.dynamicObjects("CrateKeeper")[0]
    let best = try #require(dynamic["best"] as? DynamicObject)
    #expect(best["id"] as? Int == 1 && (best.id as? Int) == 1)
    #expect(dynamic.dynamicList("crates")[0]["id"] as? Int == 2)
    #expect(dynamic.dynamicList("crates").first?["id"] as? Int == 2)
    #expect(Array(dynamic.dynamicList("crates")).map { $0["id"] as? Int } == [2])
    #expect(dynamic.dynamicMutableSet("crateSet")[0]["id"] as? Int == 2)
    let map: Map<String, DynamicObject?> = dynamic.dynamicMap("crateMap")
    #expect(map["b"]??["id"] as? Int == 2)
    let linkers = realm.dynamicObjects("Crate")[0]["keepers"] as? LinkingObjects<DynamicObject>
    #expect(linkers?[0]["name"] as? String == "Kim")
    try realm.write { dynamic["best"] = realm.dynamicObjects("Crate")[1] }
    #expect((dynamic["best"] as? DynamicObject)?["id"] as? Int == 2)
  }

  @Test func `an array's values go to the persisted properties, one after the other`() throws {
    let free = Crate(value: [1, "two", 3, 4.5])
    #expect(free.label == "two" && free.any == .int(3) && free.weight == 4.5)
    let made = try realm.write { realm.create(Crate.self, value: [1, "two"]) }
    #expect(made.id == 1 && made.label == "two")
    #expect(made.objectSchema.properties.map(\.name).contains("keepers") == false)
    #expect(made.objectSchema["keepers"]?.type == .linkingObjects)
  }

  @Test func `a free object that is set by name is added, not copied`() throws {
    let keeper = try keeper()
    let (link, element) = (Crate(value: ["id": 7]), Crate(value: ["id": 8]))
    try realm.write {
      keeper["best"] = link
      keeper["crates"] = [element]
    }
    #expect(link.realm == realm && keeper.best?.isSameObject(as: link) == true)
    #expect(element.realm == realm && keeper.crates[0].isSameObject(as: element))
    #expect(realm.objects(Crate.self).count == 4)
    let (member, value, mixed) = (
      Crate(value: ["id": 9]), Crate(value: ["id": 10]), Crate(value: ["id": 11])
    )
    try realm.write {
      keeper["crateSet"] = [member]
      keeper["crateMap"] = ["c": value]
      link["any"] = mixed
    }
    #expect(member.realm == realm && keeper.crateSet[0].isSameObject(as: member))
    #expect(value.realm == realm && keeper.crateMap["c"]??.isSameObject(as: value) == true)
    #expect(mixed.realm == realm && link.any.object(Crate.self)?.isSameObject(as: mixed) == true)
    let (one, other) = (Crate(value: ["id": 12]), Crate(value: ["id": 13]))
    try realm.write {
      realm.dynamicObjects("CrateKeeper")[0]["best"] = one
      keeper.setValue(other, forKeyPath: "best")
    }
    #expect(one.realm == realm && keeper.best?.isSameObject(as: other) == true)
    #expect(realm.objects(Crate.self).count == 9)
  }

  @Test func `a mixed value is read by name as what it holds`() throws {
    let crate = try realm.write { realm.create(Crate.self, value: ["any": 5]) }
    #expect(crate["any"] as? Int == 5 && crate.value(forKey: "any") as? Int == 5)
    let free = Crate(value: ["any": "text"])
    #expect(free["any"] as? String == "text")
    try realm.write { crate["any"] = nil }
    #expect(crate["any"] == nil && Crate()["any"] == nil)
  }

  @Test(arguments: [true, false])
  func `links backwards are not set by name`(isManaged: Bool) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isManaged] in
      let test = ByNameTests()
      let keeper = try test.keeper()
      test.realm.beginWrite()
      let crate = isManaged ? keeper.crates[0] : Crate()
      crate["keepers"] = keeper
    }
    let told = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(told.contains("Cannot modify read-only property 'Crate.keepers'"))
  }

  @Test func `NSNull is an empty collection`() throws {
    let values: [String: Any] = [
      "ints": NSNull(), "texts": NSNull(), "prices": NSNull(),
      "crates": NSNull(),
    ]
    let free = Crate(value: values)
    #expect(free.ints.isEmpty && free.texts.isEmpty && free.prices.isEmpty && free.crates.isEmpty)
    try realm.write {
      let made = realm.create(Crate.self, value: values)
      #expect(made.ints.isEmpty && made.texts.isEmpty && made.prices.isEmpty)
      made.ints.append(1)
      made.prices["a"] = 1
      made.crates.append(free)
      made["ints"] = nil
      made["prices"] = NSNull()
      made["crates"] = NSNull()
      #expect(made.ints.isEmpty && made.prices.isEmpty && made.crates.isEmpty)
    }
  }

  @Test func `an NSNumber is taken for every kind of number`() throws {
    let values: [String: Any] = [
      "id": NSNumber(value: 3), "weight": NSNumber(value: 11.1), "volume": NSNumber(value: 2.5),
      "isFull": NSNumber(value: true), "price": NSNumber(value: 1.25), "ints": [NSNumber(value: 9)],
    ]
    let named = Crate()
    for (name, value) in values { named[name] = value }
    for crate in [
      Crate(value: values), try realm.write { realm.create(Crate.self, value: values) }, named,
    ] {
      #expect(crate.id == 3 && crate.weight == 11.1 && crate.volume == 2.5 && crate.isFull)
      #expect(crate.price == 1.25 && crate.ints.first == 9)
    }
  }
}
