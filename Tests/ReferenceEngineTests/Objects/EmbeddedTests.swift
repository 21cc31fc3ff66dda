import Foundation
import Testing

@testable import ReferenceEngine

private final class Engine: EmbeddedObject {
  @Persisted var power: Int
  @Persisted var fuel = "diesel"
}

private final class Car: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var engine: Engine?
  @Persisted var spares: List<Engine>
  @Persisted var named: Map<String, Engine?>
}

/// Objects that belong to one parent.
struct EmbeddedTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  private func car() -> Car {
    realm.create(
      Car.self,
      value: [
        "id": 1, "engine": ["power": 5, "fuel": "gas"],
        "spares": [["power": 1, "fuel": "wood"], ["power": 2]], "named": ["a": ["power": 3]],
      ])
  }

  @Test func `an update of what was modified changes an embedded object in place`() throws {
    try realm.write {
      let car = car()
      let (engine, spare) = (try #require(car.engine), car.spares[0])
      let named = try #require(car.named["a"] ?? nil)
      realm.create(
        Car.self,
        value: [
          "id": 1, "engine": ["power": 7], "spares": [["power": 9]],
          "named": ["a": ["fuel": "coal"], "b": ["power": 4]],
        ],
        update: .modified)
      #expect(!engine.isInvalidated && engine.power == 7 && engine.fuel == "gas")
      #expect(!spare.isInvalidated && spare.power == 9 && spare.fuel == "wood")
      #expect(car.spares.count == 1 && realm.dynamicObjects("Engine").count == 4)
      #expect(!named.isInvalidated && named.power == 3 && named.fuel == "coal")
      #expect(car.named.count == 2)
    }
  }

  @Test func `an update of all replaces an embedded object`() throws {
    try realm.write {
      let car = car()
      let engine = try #require(car.engine)
      realm.create(Car.self, value: ["id": 1, "engine": ["power": 7]], update: .all)
      #expect(engine.isInvalidated && car.engine?.power == 7 && car.engine?.fuel == "diesel")
    }
  }

  @Test func `an embedded object that is set to where it is stays`() throws {
    try realm.write {
      let car = car()
      let engine = try #require(car.engine)
      car.engine = engine
      car.engine = car.engine
      car["engine"] = engine
      car.spares[0] = car.spares[0]
      car.named["a"] = car.named["a"]
      #expect(!engine.isInvalidated && car.engine?.power == 5 && car.spares[0].power == 1)
      #expect(realm.dynamicObjects("Engine").count == 4)
    }
  }
}
