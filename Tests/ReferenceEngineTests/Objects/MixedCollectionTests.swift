import Foundation
import Testing

@testable import ReferenceEngine

private final class Mixed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
}

/// Lists and dictionaries among mixed values.
struct MixedCollectionTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  private var tree: AnyRealmValue {
    .fromDictionary([
      "number": .int(7), "none": .none, "text": .string("seven"),
      "list": .fromArray([.int(1), .fromDictionary(["deep": .bool(true)]), .fromArray([])]),
    ])
  }

  private func checkTree(_ value: AnyRealmValue, line: Int = #line) {
    let map = value.dictionaryValue
    #expect(map?.count == 4 && map?.keys.sorted() == ["list", "none", "number", "text"])
    #expect(map?["number"] == .int(7) && map?["none"] == AnyRealmValue.none && map?["no"] == nil)
    let list = map?["list"]?.listValue
    #expect(list?.count == 3 && list?[0] == .int(1) && list?.first?.intValue == 1)
    #expect(list?[1].dictionaryValue?["deep"]?.boolValue == true)
    #expect(list?[2].listValue?.isEmpty == true && value.listValue == nil)
  }

  /// A mixed value may hold a collection, and between two properties the word means nothing.
  @Test func `a quantifier may stand before a mixed value, and between two properties`() throws {
    try realm.write {
      for id in 1...3 {
        realm.create(Mixed.self, value: ["id": id, "value": AnyRealmValue.int(id)])
      }
    }
    let all = realm.objects(Mixed.self)
    #expect(all.filter("ANY value == 2").map(\.id) == [2])
    #expect(all.filter("NONE value == 2").map(\.id) == [1, 3])
    #expect(all.filter("ANY id == id").count == 3 && all.filter("NONE id == id").isEmpty)
  }

  /// Swift's equality would make one key of the two.
  @Test func `two spellings are two keys of a dictionary and two texts`() throws {
    let (short, long) = ("\u{e9}", "e\u{301}")
    let mixed = Mixed()
    try realm.write {
      realm.add(mixed)
      mixed.value = .fromDictionary([short: .int(1)])
      let map = mixed.value.dictionaryValue!
      #expect(map[long] == nil)
      map[long] = .int(2)
      #expect(map.count == 2 && map[short] == .int(1) && map[long] == .int(2))
      map[short] = nil
      #expect(map.count == 1 && map[long] == .int(2))
      mixed.value = .fromArray([.string(short)])
    }
    let all = realm.objects(Mixed.self)
    let (same, other) = (AnyRealmValue.fromArray([.string(short)]), [AnyRealmValue.string(long)])
    #expect(all.where { $0.value == same }.count == 1)
    #expect(all.where { $0.value == .fromArray(other) }.isEmpty)
  }

  @Test func `they are the same free, managed, frozen, copied and read by name`() throws {
    let free = Mixed()
    free.value = tree
    checkTree(free.value)
    try realm.write { realm.add(free) }
    checkTree(free.value)
    checkTree(free.freeze().value)
    let copies = try realm.write {
      [
        realm.create(Mixed.self, value: ["id": 1, "value": free.value]),
        realm.create(
          Mixed.self,
          value: [
            "id": 2,
            "value": [
              "number": 7, "none": NSNull(), "text": "seven",
              "list": [1, ["deep": true] as [String: Any], [Any]()] as [Any],
            ] as [String: Any],
          ]),
      ]
    }
    for copy in copies { checkTree(copy.value) }
    let named = free.value(forKey: "value") as? Map<String, AnyRealmValue>
    #expect(named?["number"] == .int(7))
    try realm.write { copies[0]["value"] = [1, "two"] as [Any] }
    #expect(copies[0].value.listValue.map(Array.init) == [.int(1), .string("two")])
    try realm.write { copies[0].value = .int(3) }
    #expect(copies[0].value == .int(3))
  }

  @Test func `a list in a mixed value changes like any other`() throws {
    let mixed = try realm.write { realm.create(Mixed.self) }
    var model: [AnyRealmValue] = []
    try realm.write { mixed.value = .fromArray([]) }
    let list = try #require(mixed.value.listValue)
    #expect(list.isEmpty && list.realm != nil && !list.isFrozen)
    try realm.write {
      list.append(.int(1))
      list.append(objectsIn: [.string("two"), .double(3)])
      list.insert(.none, at: 0)
      model = [.none, .int(1), .string("two"), .double(3)]
      #expect(Array(list) == model)
      list[1] = .fromArray([.int(9)])
      list.move(from: 0, to: 3)
      list.swapAt(0, 1)
      list.remove(at: 3)
    }
    #expect(list.count == 3 && list[0] == .string("two") && list[1].listValue?[0] == .int(9))
    #expect(list.index(of: .double(3)) == 2 && list.index(of: .int(4)) == nil)
    #expect(list.max(ofProperty: "self") == .double(3) as AnyRealmValue?)
    let inner = try #require(list[1].listValue)
    try realm.write {
      list.insert(.int(0), at: 0)
      inner.append(.int(10))
    }
    #expect(inner.count == 2 && list[2].listValue?.last == .int(10) && !inner.isInvalidated)
    let frozen = list.freeze()
    try realm.write { list.removeAll() }
    #expect(list.isEmpty && inner.isInvalidated && frozen.count == 4)
    #expect(frozen[2].listValue?[1] == .int(10) && frozen.thaw()?.isEmpty == true)
    try realm.write { mixed.value = .none }
    #expect(list.isInvalidated && frozen.thaw() == nil)
  }

  @Test func `a dictionary in a mixed value changes like any other`() throws {
    let mixed = try realm.write { realm.create(Mixed.self) }
    try realm.write { mixed.value = .fromDictionary(["b": .int(2)]) }
    let map = try #require(mixed.value.dictionaryValue)
    try realm.write {
      map["a"] = .int(1)
      map["c"] = .fromDictionary([:])
      map["b"] = .string("two")
      map["c"]?.dictionaryValue?["d"] = .bool(true)
    }
    #expect(map.keys == ["a", "b", "c"] && map["b"] == .string("two"))
    #expect(map["c"]?.dictionaryValue?["d"] == .bool(true))
    #expect(map.values.count == 3 && map.contains { $0.key == "a" })
    try realm.write {
      map["a"] = nil
      map.removeObject(for: "no")
    }
    #expect(map.keys == ["b", "c"])
    try realm.write { map.removeAll() }
    #expect(map.isEmpty && mixed.value.dictionaryValue?.count == 0)
    try realm.write { realm.delete(mixed) }
    #expect(map.isInvalidated)
  }

  @Test func `lists, maps and sets of mixed values hold them`() throws {
    let mixed = try realm.write {
      realm.create(Mixed.self, value: ["list": [tree, .int(1)], "map": ["a": tree]])
    }
    checkTree(mixed.list[0])
    checkTree(mixed.map["a"]!)
    checkTree(Array(mixed.list)[0])
    let numbers = try #require(mixed.list[0].dictionaryValue?["list"]?.listValue)
    try realm.write {
      mixed.list.insert(.int(0), at: 0)
      numbers.append(.int(5))
      mixed.map["a"]!.dictionaryValue!["number"] = .int(8)
    }
    #expect(mixed.list[1].dictionaryValue?["list"]?.listValue?.last == .int(5))
    #expect(mixed.map["a"]!.dictionaryValue!["number"] == .int(8))
    #expect(mixed.list.filter("SELF == 1").count == 1)
    let sorted = mixed.list.sorted(byKeyPath: "self")
    #expect(sorted.last?.dictionaryValue?["number"] == .int(7))
  }

  @Test func `objects in them are the realm's, and go with their rows`() throws {
    let mixed = try realm.write { realm.create(Mixed.self) }
    try realm.write {
      mixed.value = .fromArray([
        .object(Dog(value: ["name": "Rex"])), .fromDictionary(["dog": .object(Dog())]), .int(1),
      ])
    }
    #expect(realm.objects(Dog.self).count == 2)
    let list = try #require(mixed.value.listValue)
    let rex = try #require(list[0].object(Dog.self))
    #expect(rex.name == "Rex" && rex.realm != nil)
    try realm.write {
      list.append(.object(rex))
      mixed.list.append(.fromArray([.object(rex)]))
      realm.delete(rex)
    }
    #expect(list.count == 4 && list[0] == .none && list[3] == .none && list[2] == .int(1))
    #expect(mixed.list[0].listValue?[0] == AnyRealmValue.none)
    try realm.write { realm.delete(realm.objects(Dog.self)) }
    #expect(list[1].dictionaryValue?["dog"] == AnyRealmValue.none)
    // Whoever was linked to only from what has gone is not looked for there any more.
    let dog = try realm.write { () -> Dog in
      let dog = realm.create(Dog.self)
      mixed.value = .fromArray([.object(dog)])
      mixed.value = .int(5)
      realm.delete(dog)
      return dog
    }
    #expect(dog.isInvalidated && mixed.value == .int(5))
  }

  @Test func `queries look into them`() throws {
    try realm.write {
      _ = realm.create(Mixed.self, value: ["id": 1, "value": tree])
      _ = realm.create(
        Mixed.self, value: ["id": 2, "value": AnyRealmValue.fromArray([1, .fromArray([7, 8])])])
      _ = realm.create(Mixed.self, value: ["id": 3, "value": AnyRealmValue.int(7)])
    }
    let all = realm.objects(Mixed.self)
    func ids(_ query: (Query<Mixed>) -> Query<Bool>) -> [Int] { all.where(query).map(\.id) }
    #expect(ids { $0.value["number"] == .int(7) } == [1])
    #expect(ids { $0.value["list"][1]["deep"] == .bool(true) } == [1])
    #expect(ids { $0.value[0] == .int(1) } == [2])
    #expect(ids { $0.value[1][1] > .int(7) } == [2])
    #expect(ids { $0.value.any == .int(1) } == [2])
    #expect(ids { $0.value.any.any == .int(8) } == [2])
    #expect(ids { $0.value["text"].starts(with: .string("sev")) } == [1])
    #expect(all.filter("value['number'] == 7").map(\.id) == [1])
    #expect(all.filter("value[%@][%@] == 1", "list", 0).map(\.id) == [1])
    #expect(all.filter("value[%K] == 1", "#any").map(\.id) == [2])
    #expect(all.filter("value[#any][0] == 7").map(\.id) == [2])
    #expect(ids { $0.value == .int(7) } == [3])
  }

  @Test func `listeners are told of what changes in them`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Mixed.self])
    let desk = Desk(configuration)
    desk.commit {
      $0.create(
        Mixed.self,
        value: ["value": AnyRealmValue.fromArray([1, 2, .fromDictionary(["a": .int(1)])])])
    }
    let told = Noted<String>()
    let tokens = desk.work { realm in
      let mixed = realm.objects(Mixed.self)[0]
      let list = mixed.value.listValue!
      return [
        list.observe { change in
          if case .update(_, let gone, let new, let changed) = change {
            told.add("list \(gone) \(new) \(changed)")
          }
        },
        list[2].dictionaryValue!.observe { change in
          if case .update(_, let gone, let new, let changed) = change {
            told.add("map \(gone) \(new) \(changed)")
          }
        },
        mixed.observe { (change: ObjectChange<Mixed>) in
          if case .change(_, let properties) = change {
            told.add("object \(properties.map(\.name))")
          }
        },
      ]
    }
    desk.work { _ in }
    desk.commit { $0.objects(Mixed.self)[0].value.listValue!.append(.int(4)) }
    desk.work { _ in }
    #expect(told.all.sorted() == ["list [] [3] []", "object [\"value\"]"])
    desk.commit { $0.objects(Mixed.self)[0].value.listValue![2].dictionaryValue!["b"] = .int(4) }
    desk.work { _ in }
    #expect(told.all.contains("map [] [\"b\"] []"))
    desk.commit { $0.objects(Mixed.self)[0].value = .none }
    desk.work { _ in }
    #expect(told.all.contains("list [0, 1, 2, 3] [] []"))
    #expect(told.all.contains("map [\"a\", \"b\"] [] []"))
    for token in tokens { token.invalidate() }
  }

  @Test func `a reference finds one again`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Mixed.self])
    let (one, other) = (Desk(configuration), Desk(configuration))
    let reference = one.work { realm in
      try! realm.write {
        realm.create(Mixed.self, value: ["value": AnyRealmValue.fromArray([1, .fromArray([2])])])
      }
      return ThreadSafeReference(to: realm.objects(Mixed.self)[0].value.listValue![1].listValue!)
    }
    #expect(other.work { $0.resolve(reference).map(Array.init) } == [AnyRealmValue.int(2)])
  }

  @Test func `they come through a copy of the file`() throws {
    let scratch = Scratch()
    let copied = scratch.directory.appendingPathComponent("copy.realm")
    do {
      let realm = try Realm(configuration: scratch.configuration([Mixed.self, Dog.self]))
      try realm.write {
        let dog = realm.create(Dog.self, value: ["name": "Rex"])
        realm.create(
          Mixed.self,
          value: ["value": tree, "list": [AnyRealmValue.fromArray([.object(dog)])]] as [String: Any]
        )
      }
      try realm.writeCopy(toFile: copied)
    }
    var configuration = scratch.configuration([Mixed.self, Dog.self])
    configuration.fileURL = copied
    let realm = try Realm(configuration: configuration)
    let mixed = realm.objects(Mixed.self)[0]
    checkTree(mixed.value)
    #expect(mixed.list[0].listValue?[0].object(Dog.self)?.name == "Rex")
    try realm.write { realm.delete(realm.objects(Dog.self)) }
    #expect(mixed.list[0].listValue?[0] == AnyRealmValue.none)
  }

  @Test func `bytes that are none are taken for none`() {
    let value = AnyRealmValue._rlmEncode(tree).value
    let bytes = value.taggedBytes
    bytes.withUnsafeBytes { #expect(StoredValue(tagged: $0) == value) }
    for length in 1..<bytes.count {
      bytes.prefix(length).withUnsafeBytes { #expect(StoredValue(tagged: $0) == nil) }
    }
    for place in 1..<bytes.count {
      var wrong = bytes
      wrong[place] ^= 0xFF
      wrong.withUnsafeBytes { _ = StoredValue(tagged: $0) }
    }
  }

  @Test func `what no mixed value holds is refused`() async {
    await #expect(processExitsWith: .failure) {
      var value = AnyRealmValue.int(1)
      for _ in 0...100 { value = .fromArray([value]) }
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "levels"))
      try realm.write { realm.create(Mixed.self).value = value }
    }
    await #expect(processExitsWith: .failure) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "set"))
      try realm.write { realm.create(Mixed.self).set.insert(.fromArray([])) }
    }
    await #expect(processExitsWith: .failure) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "outside"))
      try realm.write { realm.create(Mixed.self).value = .fromArray([]) }
      realm.objects(Mixed.self)[0].value.listValue?.append(.int(1))
    }
  }
}
