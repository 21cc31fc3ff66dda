import Foundation
import Testing

@testable import ReferenceEngine

private class Chest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
  @Persisted var inner: Drawer?
  @Persisted var drawers: List<Drawer>
}

private class Drawer: EmbeddedObject {
  @Persisted var any: AnyRealmValue
}

/// A copy of an object had, in a mixed value, the very list or dictionary of the object.
@Suite struct MixedCopyTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Chest.self, Drawer.self, Dog.self])

  /// A list in a dictionary in a list, as deep as it is told.
  private func nest(_ depth: Int) -> AnyRealmValue {
    if depth == 0 { return .fromArray([.int(1), .string("two")]) }
    return depth % 2 == 0
      ? .fromArray([nest(depth - 1), .none]) : .fromDictionary(["in": nest(depth - 1)])
  }

  private func fill(_ chest: Chest) {
    chest.any = nest(3)
    chest.list.append(objectsIn: [nest(2), .int(7)])
    chest.map["a"] = nest(1)
    chest.map["b"] = .int(7)
  }

  /// All lists and dictionaries in mixed values of an object.
  private func collections(_ chest: Chest) -> [AnyRealmValue] {
    func within(_ value: AnyRealmValue) -> [AnyRealmValue] {
      switch value {
      case .list(let list): [value] + list.flatMap(within)
      case .dictionary(let map): [value] + map.map(\.value).flatMap(within)
      default: []
      }
    }
    return ([chest.any] + Array(chest.list) + chest.map.map(\.value)).flatMap(within)
  }

  /// Adds to each of them.
  private func change(_ chest: Chest) {
    for value in collections(chest) {
      value.listValue?.append(.string("new"))
      value.dictionaryValue?["new"] = .string("new")
    }
  }

  private func text(_ value: AnyRealmValue) -> String {
    switch value {
    case .list(let list): "[" + list.map(text).joined(separator: ",") + "]"
    case .dictionary(let map):
      "{" + map.map { $0.key + ":" + text($0.value) }.sorted().joined(separator: ",") + "}"
    default: "\(value)"
    }
  }

  private func text(_ chest: Chest) -> String {
    ([chest.any] + Array(chest.list)).map(text).joined(separator: " ")
      + chest.map.map { $0.key + text($0.value) }.sorted().joined(separator: " ")
  }

  private func isFree(_ value: AnyRealmValue) -> Bool {
    value.listValue?.realm == nil && value.dictionaryValue?.realm == nil
  }

  @Test func `LIFE-15: a copy has lists and dictionaries of its own in mixed values`() throws {
    let realm = try Realm(configuration: configuration)
    let chest = try realm.write {
      let chest = realm.create(Chest.self, value: ["id": 1])
      fill(chest)
      return chest
    }
    let before = text(chest)
    let sources: [(String, () -> Any)] = [
      ("an object", { chest }), ("a frozen one", { chest.freeze() }),
      ("its values", { ["id": 1, "any": chest.any, "list": chest.list, "map": chest.map] }),
      ("they in an array", { [1, chest.any, chest.list, chest.map] }),
      ("arrays of them", { ["any": chest.any, "list": Array(chest.list)] }),
      ("a free one", { Chest(value: chest) }),
    ]
    for (name, source) in sources {
      let copy = Chest(value: source())
      #expect(collections(copy).allSatisfy(isFree), "\(name)")
      #expect(!collections(copy).isEmpty, "\(name)")
      let copied = text(copy)
      if name != "arrays of them" { #expect(copied == before, "\(name)") }
      try realm.write { change(chest) }
      #expect(text(copy) == copied, "\(name)")
      let changed = text(chest)
      change(copy)
      #expect(text(chest) == changed && text(copy) != copied, "\(name)")
      try realm.write {
        chest.list.removeAll()
        chest.map.removeAll()
        fill(chest)
      }
    }
    // What it was copied from may go.
    let copy = Chest(value: chest)
    try realm.write { realm.delete(chest) }
    #expect(text(copy) == before)
    realm.invalidate()
    change(copy)
  }

  @Test func `LIFE-15: a copy of a free object shares nothing with it`() {
    let chest = Chest()
    fill(chest)
    let copy = Chest(value: chest)
    let before = text(chest)
    change(copy)
    #expect(text(chest) == before)
    change(chest)
    #expect(text(copy) == text(chest))
  }

  @Test func `LIFE-15: embedded objects are copied with what is in their mixed values`() throws {
    let realm = try Realm(configuration: configuration)
    let chest = try realm.write {
      let chest = realm.create(Chest.self, value: ["id": 1, "inner": ["any": [1, ["a": 2]]]])
      chest.drawers.append(Drawer(value: ["any": [[3]]]))
      return chest
    }
    let drawer = try #require(chest.inner)
    let copy = Drawer(value: drawer)
    let before = text(copy.any)
    try realm.write { drawer.any.listValue?[1].dictionaryValue?["b"] = .int(5) }
    #expect(text(copy.any) == before && isFree(copy.any))
    copy.any.listValue?.append(.int(9))
    #expect(drawer.any.listValue?.count == 2)
  }

  @Test func `LIFE-15: what create makes of another object's values is its own`() throws {
    let realm = try Realm(configuration: configuration)
    let other = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Chest.self, Drawer.self, Dog.self]))
    let chest = try realm.write {
      let chest = realm.create(Chest.self, value: ["id": 1])
      fill(chest)
      return chest
    }
    let before = text(chest)
    for target in [realm, other] {
      let copies = try target.write {
        [
          target.create(
            Chest.self, value: ["id": 2, "any": chest.any, "list": chest.list, "map": chest.map]),
          target.create(Chest.self, value: [3, chest.any, chest.list, chest.map]),
        ]
      }
      let far = target == realm ? nil : try target.write { target.create(Chest.self, value: chest) }
      for copy in copies + [far].compactMap({ $0 }) {
        #expect(text(copy) == before)
        try target.write { change(copy) }
        #expect(text(chest) == before)
        let changed = text(copy)
        try realm.write {
          change(chest)
          chest.list.removeAll()
          chest.map.removeAll()
          fill(chest)
        }
        #expect(text(copy) == changed)
      }
    }
  }

  @Test func `LIFE-15: a free object that takes in a copy can be added`() throws {
    let realm = try Realm(configuration: configuration)
    let chest = try realm.write {
      let chest = realm.create(Chest.self, value: ["id": 1])
      fill(chest)
      return chest
    }
    let copy = Chest(value: chest)
    copy.id = 2
    try realm.write { realm.add(copy) }
    #expect(text(copy) == text(chest))
    try realm.write { change(copy) }
    #expect(text(copy) != text(chest))
  }
}
