import Foundation
import Testing

@testable import ReferenceEngine

private final class DeepMixed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}

private let levels = 100
private let many = 20_000

private func configuration(_ scratch: Scratch) -> Realm.Configuration {
  scratch.configuration([DeepMixed.self, Dog.self])
}

/// Mixed values that hold each other.
@Suite struct MixedDepthTests {
  /// A value within so many lists and dictionaries by turns.
  private static func nested(
    _ count: Int, around value: AnyRealmValue = .int(1)
  ) -> AnyRealmValue {
    var value = value
    for level in 0..<count {
      value = level % 2 == 0 ? .fromArray([value]) : .fromDictionary(["in": value])
    }
    return value
  }

  /// The same in Swift's own collections.
  private static func given(_ count: Int) -> Any {
    var value: Any = 1
    for level in 0..<count {
      value = level % 2 == 0 ? [value] : ["in": value] as [String: Any]
    }
    return value
  }

  private static func innermost(_ value: AnyRealmValue) -> AnyRealmValue {
    var value = value
    while true {
      if let list = value.listValue {
        value = list[0]
      } else if let map = value.dictionaryValue {
        value = map["in"] ?? .none
      } else {
        return value
      }
    }
  }

  private static func depth(_ value: AnyRealmValue?) -> Int {
    var (count, here) = (0, value)
    while let next = here?.listValue?.first ?? here?.dictionaryValue?["in"] {
      (count, here) = (count + 1, next)
    }
    return count
  }

  @Test func `free values 20,000 deep are made, compared, hashed, printed and let go`() async {
    await #expect(processExitsWith: .success) {
      try SmallStack.run {
        let (one, same, other) = (
          Self.nested(many), Self.nested(many), Self.nested(many, around: .int(2))
        )
        #expect(one == same && one != other && one != Self.nested(many - 1))
        #expect(one.hashValue == same.hashValue && [one: 1][same] == 1)
        #expect("\(one)".contains("<Maximum depth exceeded>"))
        if case .dictionary(let map) = one {
          #expect(map == same.dictionaryValue && map != other.dictionaryValue)
          #expect(map.description.contains("<Maximum depth exceeded>"))
          #expect(Set([map, same.dictionaryValue!]).count == 1)
        }
        let mixed = DeepMixed(value: ["value": one, "list": [one], "map": ["a": one]])
        #expect(mixed.value == one && mixed.list[0] == one && mixed.map["a"] == one)
        #expect(mixed.list == List([same]) && mixed.map != ["a": other])
        #expect(mixed.description.contains("<Maximum depth exceeded>"))
        mixed.setValue(same, forKey: "value")
        #expect(Self.depth(mixed.value) == many)
        let set = MutableSet<AnyRealmValue>()
        set.insert(objectsIn: [one, same, other])
        #expect(set.count == 2 && set.contains(same))
      }
    }
  }

  @Test func `free collections that hold themselves are compared, hashed and printed`() async {
    await #expect(processExitsWith: .success) {
      try SmallStack.run {
        func list(_ last: Int) -> List<AnyRealmValue> {
          let (list, map) = (List<AnyRealmValue>(), Map<String, AnyRealmValue>())
          list.append(objectsIn: [.int(1), .list(list), .dictionary(map)])
          map["list"] = .list(list)
          map["self"] = .dictionary(map)
          map["last"] = .int(last)
          return list
        }
        let (one, same, other) = (list(1), list(1), list(2))
        #expect(one == one && one == same && one != other && other != one)
        #expect(AnyRealmValue.list(one) == .list(same) && .list(one) != AnyRealmValue.list(other))
        #expect(one[2].dictionaryValue == same[2].dictionaryValue)
        #expect(one[2].dictionaryValue != other[2].dictionaryValue)
        #expect(one.hashValue == same.hashValue && Set([one, same, other]).count == 2)
        for text in [
          one.description, "\(AnyRealmValue.list(one))", one[2].dictionaryValue!.description,
          "\(one[2])",
        ] { #expect(text.contains("<Maximum depth exceeded>")) }
        let mixed = DeepMixed()
        mixed.value = .list(one)
        #expect(mixed.value == .list(same) && mixed.value != .list(other))
        #expect(mixed.description.contains("<Maximum depth exceeded>"))
        #expect(one.contains(.list(same)) && one.index(of: .list(other)) == nil)
        let set = MutableSet<AnyRealmValue>()
        set.insert(objectsIn: [.list(one), .list(same), .list(other), one[2]])
        #expect(set.count == 3)
        // One that unfolds to the same.
        let longer = List<AnyRealmValue>()
        longer.append(objectsIn: [.int(1), .list(one), one[2]])
        #expect(longer == one)
        for list in [one, same, other] {
          list[2].dictionaryValue?.removeAll()
          list.removeAll()
        }
      }
    }
  }

  @Test func `the same collection in itself again and again is one to compare`() {
    func tower() -> AnyRealmValue {
      var value = AnyRealmValue.int(1)
      for _ in 0..<levels { value = .fromArray([value, value]) }
      return value
    }
    #expect(tower() == tower())
  }

  @Test(arguments: ["list", "dictionary", "given", "itself", "append", "key", "moved", "position"])
  func `deeper than 100 levels is refused when it is set`(act: String) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [act = act as String] in
      try SmallStack.run {
        let scratch = Scratch()
        let realm = try Realm(configuration: configuration(scratch))
        let mixed = try realm.write {
          realm.create(DeepMixed.self, value: ["value": [1], "list": [Self.nested(levels)]])
        }
        let itself = List<AnyRealmValue>()
        itself.append(objectsIn: [.list(itself), .list(itself)])
        try realm.write {
          switch act {
          case "list": mixed.list.append(Self.nested(levels + 1))
          case "dictionary": mixed.map["a"] = Self.nested(many)
          case "given":
            realm.create(DeepMixed.self, value: ["id": 1, "value": Self.given(levels + 1)])
          case "itself": mixed.value = .list(itself)
          case "append": mixed.value.listValue?.append(Self.nested(levels))
          case "key": mixed.value = .fromDictionary(["a": Self.nested(levels)])
          case "moved": mixed.value.listValue?[0] = mixed.list[0]
          default: mixed.list[0] = .fromArray([.none, Self.nested(levels)])
          }
        }
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Max nesting level reached"))
  }

  @Test func `100 levels can be used on a small stack`() async {
    await #expect(processExitsWith: .success) {
      try SmallStack.run {
        let scratch = Scratch()
        let realm = try Realm(configuration: configuration(scratch))
        let dog = try realm.write { realm.create(Dog.self, value: ["age": 7]) }
        let mixed = DeepMixed()
        mixed.value = Self.nested(levels, around: .object(dog))
        mixed.list.append(Self.nested(levels))
        mixed.map["a"] = Self.nested(levels)
        try realm.write { realm.add(mixed) }
        let copy = try realm.write {
          realm.create(
            DeepMixed.self,
            value: [
              "id": 1, "value": mixed.value, "list": mixed.list, "map": ["a": Self.given(100)],
            ])
        }
        for one in [mixed, copy, mixed.freeze()] {
          #expect(Self.depth(one.value) == levels && Self.depth(one.list[0]) == levels)
          #expect(Self.depth(one.map["a"]) == levels)
          #expect(Self.innermost(one.value).object(Dog.self)?.age == 7)
          #expect(Self.innermost(one.list[0]) == .int(1))
          #expect(one.description.contains("<Maximum depth exceeded>"))
        }
        #expect(mixed.value != copy.value && mixed.list.index(of: Self.nested(levels)) == 0)
        #expect(
          realm.objects(DeepMixed.self).where { $0.list.contains(Self.nested(levels)) }.count == 2)
        #expect(
          realm.objects(DeepMixed.self).filter("ANY list == %@", Self.nested(levels))
            .count == 2)
        #expect(copy.list.distinct(by: ["self"]).count == 1)
        #expect(copy.list.sorted(byKeyPath: "self").first.map(Self.depth) == levels)
        // The innermost list changes, and all around it.
        var inner = mixed.list[0]
        for level in 0..<levels - 1 {
          inner = level % 2 == 0 ? inner.dictionaryValue!["in"]! : inner.listValue![0]
        }
        try realm.write { inner.listValue!.append(.int(2)) }
        #expect(inner.listValue?.count == 2 && Self.depth(mixed.list[0]) == levels)
        let reference = ThreadSafeReference(to: mixed)
        let found = try Realm(configuration: configuration(scratch)).resolve(reference)
        #expect(found.map { Self.depth($0.value) } == levels)
        try realm.write {
          realm.create(DeepMixed.self, value: ["id": 1, "value": mixed.value], update: .modified)
          mixed.value = mixed.value
        }
        try realm.write { realm.delete(dog) }
        #expect(Self.innermost(mixed.value) == .none && Self.innermost(copy.value) == .none)
        let url = scratch.directory.appendingPathComponent("copy.realm")
        try realm.writeCopy(configuration: Realm.Configuration(fileURL: url))
        let again = try Realm(fileURL: url)
        #expect(again.objects(DeepMixed.self).allSatisfy { Self.depth($0.value) == levels })
        try realm.session.coordinator.checkEverything()
        try realm.write { realm.delete(realm.objects(DeepMixed.self)) }
      }
    }
  }
}
