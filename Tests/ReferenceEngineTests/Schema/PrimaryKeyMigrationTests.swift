import Foundation
import Testing

@testable import ReferenceEngine

/// Classes of one name, before and after their primary key changed.
private enum Before {
  class Stop: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var next: Stop?
    @Persisted var list: List<Stop>
    @Persisted var set: MutableSet<Stop>
    @Persisted var map: Map<String, Stop?>
    @Persisted var mixed: AnyRealmValue
    @Persisted var mixedList: List<AnyRealmValue>
    @Persisted var address: Address?
    override class func _realmObjectName() -> String? { "Stop" }
  }
}

private enum After {
  class Stop: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var next: Stop?
    @Persisted var list: List<Stop>
    @Persisted var set: MutableSet<Stop>
    @Persisted var map: Map<String, Stop?>
    @Persisted var mixed: AnyRealmValue
    @Persisted var mixedList: List<AnyRealmValue>
    @Persisted var address: Address?
    @Persisted(originProperty: "next") var previous: LinkingObjects<Stop>
    @Persisted(originProperty: "list") var listed: LinkingObjects<Stop>
    override class func _realmObjectName() -> String? { "Stop" }
  }
  class TextKeyed: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var name = ""
    override class func _realmObjectName() -> String? { "Stop" }
  }
}

struct PrimaryKeyMigrationTests {
  let scratch = Scratch()

  /// What a stop is to be like after a migration, by its name.
  private struct Model: Equatable {
    var id: Int
    var next: String?
    var list: [String]
    var set: Set<String>
    var map: [String: String]
    var mixed: String?
    var mixedList: [String]
    var street: String?
    var previous: Set<String> = []
  }

  private func look(_ stop: After.Stop) -> Model {
    Model(
      id: stop.id, next: stop.next?.name, list: stop.list.map(\.name),
      set: Set(stop.set.map(\.name)),
      map: Dictionary(uniqueKeysWithValues: stop.map.map { ($0.key, $0.value?.name ?? "") }),
      mixed: stop.mixed.object(After.Stop.self)?.name,
      mixedList: stop.mixedList.compactMap { $0.object(After.Stop.self)?.name },
      street: stop.address?.street, previous: Set(stop.previous.map(\.name)))
  }

  /// Stops that link to each other at random, and what is expected of them.
  private func fill(_ ids: [Int], _ dice: inout Dice) throws -> [String: Model] {
    let realm = try Realm(configuration: scratch.configuration([Before.Stop.self]))
    var models: [String: Model] = [:]
    realm.beginWrite()
    let stops = ids.enumerated().map {
      realm.create(Before.Stop.self, value: ["id": $0.element, "name": "stop \($0.offset)"])
    }
    for stop in stops {
      func any() -> Before.Stop { stops[dice.below(stops.count)] }
      if dice.below(4) > 0 { stop.next = any() }
      for _ in 0..<dice.below(5) { stop.list.append(any()) }
      for _ in 0..<dice.below(5) { stop.set.insert(any()) }
      for key in 0..<dice.below(3) { stop.map["\(key)"] = any() }
      if dice.below(2) == 0 { stop.mixed = .object(any()) }
      for _ in 0..<dice.below(3) { stop.mixedList.append(.object(any())) }
      if dice.below(2) == 0 { stop.address = Address(value: ["street": stop.name]) }
      models[stop.name] = Model(
        id: stop.id, next: stop.next?.name, list: stop.list.map(\.name),
        set: Set(stop.set.map(\.name)),
        map: Dictionary(uniqueKeysWithValues: stop.map.map { ($0.key, $0.value?.name ?? "") }),
        mixed: stop.mixed.object(Before.Stop.self)?.name,
        mixedList: stop.mixedList.compactMap { $0.object(Before.Stop.self)?.name },
        street: stop.address?.street)
    }
    for stop in stops { if let next = stop.next { models[next.name]?.previous.insert(stop.name) } }
    try realm.commitWrite()
    return models
  }

  @Test(arguments: 0..<20)
  func `numbers become primary keys, and every link follows its object`(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed * 2 + 1))
    let count = 1 + dice.below(40)
    let ids = (0..<count).map { $0 - 3 }.shuffled(using: &dice)
    var models = try fill(ids, &dice)
    let changed = (0..<count).map { $0 * (1 + seed % 2) }.shuffled(using: &dice)
    let new = seed % 3 == 0 ? nil : Dictionary(uniqueKeysWithValues: zip(ids, changed))
    if let new { for name in models.keys { models[name]!.id = new[models[name]!.id]! } }
    let configuration = scratch.configuration([After.Stop.self], version: 1) { migration, _ in
      guard let new else { return }
      migration.enumerateObjects(ofType: "Stop") { old, stop in
        stop!["id"] = new[old!["id"] as! Int]!
      }
    }
    for _ in 0..<2 {
      let realm = try Realm(configuration: configuration)
      let stops = realm.objects(After.Stop.self)
      #expect(stops.count == count)
      #expect(stops.map(\.id) == models.values.map(\.id).sorted())
      for (name, model) in models {
        let stop = try #require(realm.object(ofType: After.Stop.self, forPrimaryKey: model.id))
        let found = look(stop)
        #expect(stop.name == name && found == model, "seed \(seed)")
      }
      let isForgotten = stops.contains { stop in
        stop.list.contains { !$0.listed.contains(stop) }
      }
      #expect(!isForgotten, "seed \(seed)")
    }
  }

  @Test
  func `two objects with the same primary key after a migration are told, and nothing changes`()
    throws
  {
    var dice = Dice(seed: 1)
    _ = try fill([1, 2, 2], &dice)
    let error = #expect(throws: Realm.Error.self) {
      try Realm(configuration: scratch.configuration([After.Stop.self], version: 1))
    }
    #expect(
      error?.localizedDescription
        == "Primary key property 'Stop.id' has duplicate values after migration.")
    let realm = try Realm(configuration: scratch.configuration([Before.Stop.self]))
    #expect(realm.objects(Before.Stop.self).map(\.id) == [1, 2, 2])
  }

  /// Swift takes them for equal; the file has two.
  @Test func `two spellings of one text are two primary keys`() throws {
    var dice = Dice(seed: 5)
    _ = try fill([0, 1], &dice)
    let keys = ["\u{e9}", "e\u{301}"]
    let texts = scratch.configuration([After.TextKeyed.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Stop") { old, stop in
        stop!["id"] = keys[old!["id"] as! Int]
      }
    }
    let realm = try Realm(configuration: texts)
    for key in keys {
      let stop = realm.object(ofType: After.TextKeyed.self, forPrimaryKey: key)
      #expect(stop.map { Array($0.id.utf8) } == Array(key.utf8))
    }
  }

  @Test func `a migration sets primary keys and makes objects with them`() throws {
    var dice = Dice(seed: 3)
    _ = try fill([5, 6], &dice)
    let texts = scratch.configuration([After.TextKeyed.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Stop") { old, stop in stop!["id"] = "\(old!["id"]!)" }
      migration.create("Stop", value: ["id": "7"])
    }
    do {
      let realm = try Realm(configuration: texts)
      #expect(realm.objects(After.TextKeyed.self).map(\.id) == ["5", "6", "7"])
      #expect(realm.object(ofType: After.TextKeyed.self, forPrimaryKey: "6")?.name == "stop 1")
    }
    let numbers = scratch.configuration([After.Stop.self], version: 2) { migration, _ in
      migration.create("Stop", value: ["id": 1])
      migration.enumerateObjects(ofType: "Stop") { old, stop in
        stop!["id"] = Int(old!["id"] as! String)!
      }
    }
    let realm = try Realm(configuration: numbers)
    #expect(realm.objects(After.Stop.self).map(\.id) == [1, 5, 6, 7])
    #expect(realm.object(ofType: After.Stop.self, forPrimaryKey: 5)?.name == "stop 0")
  }
}
