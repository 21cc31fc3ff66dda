import EngineUnderTest
import Foundation
import Harness

/// Collections, and objects, that a write takes away and that come back as it comes to nothing: in
/// an object, in mixed values, in each other; asked in the middle of the write or not.
enum Taken {
  /// Something that is held, and what it shows in words.
  private struct Kept {
    let name: String
    let shows: () -> String
  }

  private static func words(_ value: AnyRealmValue) -> String {
    if let list = value.listValue { return "[\(list.map(words).joined(separator: " "))]" }
    if let map = value.dictionaryValue { return words(map) }
    if case .object(let object) = value {
      return object.isInvalidated ? "gone" : "object \((object as? Hamper)?.key ?? -1)"
    }
    return "\(value)"
  }

  private static func words(_ map: Map<String, AnyRealmValue>) -> String {
    "{\(map.keys.sorted().map { "\($0)=\(map[$0].map(words) ?? "")" }.joined(separator: " "))}"
  }

  private static func list(_ name: String, _ list: List<AnyRealmValue>) -> Kept {
    Kept(name: name) {
      if list.isInvalidated { return "gone" }
      let some = list.isEmpty ? "" : words(list[list.count - 1])
      return "\(list.count) [\(list.map(words).joined(separator: " "))] \(some)"
    }
  }

  private static func map(_ name: String, _ map: Map<String, AnyRealmValue>) -> Kept {
    Kept(name: name) { map.isInvalidated ? "gone" : "\(map.count) \(words(map))" }
  }

  private static func members<C: RealmCollection>(
    _ name: String, _ some: C, isSorted: Bool = false, _ words: @escaping (C.Element) -> String
  ) -> Kept {
    Kept(name: name) {
      if some.isInvalidated { return "gone" }
      let all = some.map(words)
      return "\(some.count) \(isSorted ? all.sorted() : Array(all))"
    }
  }

  static func configuration(_ stage: Stage) -> Realm.Configuration {
    var configuration = stage.configuration()
    configuration.objectTypes = [Hamper.self, Address.self]
    return configuration
  }

  private static func address(_ street: String) -> Address {
    let address = Address()
    address.street = street
    return address
  }

  /// Two of them; the first has something in each place, in several depths.
  static func stock(_ realm: Realm) {
    let (one, two) = (Hamper(key: 1), Hamper(key: 2))
    realm.add([one, two])
    one.any = .fromDictionary([
      "list": .fromArray([.int(1), .fromArray([.int(2), .object(two)])]),
      "map": .fromDictionary(["a": .int(3), "b": .fromArray([.int(4)])]),
    ])
    two.any = .fromArray([.fromArray([.fromDictionary(["deep": .fromArray([.int(5)])])])])
    one.anys.append(objectsIn: [
      .fromArray([.int(6), .object(two)]), .fromDictionary(["c": .int(7)]), .object(two), .int(8),
    ])
    one.byName["list"] = .fromArray([.int(9)])
    one.byName["map"] = .fromDictionary(["d": .fromArray([.int(10)])])
    one.byName["two"] = .object(two)
    one.some.insert(objectsIn: [.int(11), .object(two)])
    one.address = address("own")
    one.addresses.append(objectsIn: ["first", "second"].map(address))
    one.places["home"] = .some(address("home"))
    one.number = 12
  }

  /// All that there is to hold of them.
  private static func hold(_ realm: Realm) -> [Kept] {
    let one = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
    let two = realm.object(ofType: Hamper.self, forPrimaryKey: 2)!
    let (any, deep) = (one.any.dictionaryValue!, two.any.listValue!)
    func object(_ name: String, _ hamper: Hamper) -> Kept {
      Kept(name: name) {
        hamper.isInvalidated ? "gone" : "\(hamper.key) \(hamper.number) \(words(hamper.any))"
      }
    }
    func embedded(_ name: String, _ address: Address) -> Kept {
      Kept(name: name) { address.isInvalidated ? "gone" : address.street }
    }
    return [
      object("an object", one), object("another object", two),
      map("a dictionary in a mixed value", any), list("a list in a mixed value", deep),
      list("a list in that dictionary", any["list"]!.listValue!),
      list("a list in a list in it", any["list"]!.listValue![1].listValue!),
      map("a dictionary in a dictionary", any["map"]!.dictionaryValue!),
      list("a list in that", any["map"]!.dictionaryValue!["b"]!.listValue!),
      list("a list in a list", deep[0].listValue!),
      map("a dictionary in that", deep[0].listValue![0].dictionaryValue!),
      list("the list in it", deep[0].listValue![0].dictionaryValue!["deep"]!.listValue!),
      list("a list of mixed values", one.anys), list("a list in it", one.anys[0].listValue!),
      map("a dictionary in the list", one.anys[1].dictionaryValue!),
      map("a map of mixed values", one.byName),
      list("a list in the map", one.byName["list"]!.listValue!),
      map("a dictionary in the map", one.byName["map"]!.dictionaryValue!),
      list("a list in that one", one.byName["map"]!.dictionaryValue!["d"]!.listValue!),
      members("a set of mixed values", one.some, isSorted: true, words),
      embedded("an embedded object", one.address!),
      embedded("a member of a list of them", one.addresses[1]),
      embedded("a value of a map of them", one.places["home"]!!),
      members("a list of embedded objects", one.addresses) { $0.street },
      members("all objects", realm.objects(Hamper.self).sorted(byKeyPath: "key")) { "\($0.key)" },
      members("some objects", realm.objects(Hamper.self).where { $0.number == 12 }) { "\($0.key)" },
      members("a sorted list", one.addresses.sorted(byKeyPath: "street")) { $0.street },
    ]
  }

  /// What a write may do to them.
  private static let takings: [(name: String, take: @Sendable (Realm, Hamper, Hamper) -> Void)] = [
    ("a mixed value becomes null", { _, one, _ in one.any = .none }),
    ("a mixed value becomes a number", { $2.any = .int(0) }),
    ("a mixed value becomes another list", { _, one, _ in one.any = .fromArray([.int(0)]) }),
    (
      "another dictionary in its place is alike",
      { _, one, _ in one.any = .fromDictionary(["list": .fromArray([.int(1)])]) }
    ),
    ("the outer list is emptied", { $2.any.listValue!.removeAll() }),
    ("a member of a dictionary goes", { _, one, _ in one.any.dictionaryValue!["list"] = nil }),
    ("a member of a dictionary is set", { _, one, _ in one.any.dictionaryValue!["map"] = .int(0) }),
    ("a list of mixed values is emptied", { _, one, _ in one.anys.removeAll() }),
    ("its first goes", { _, one, _ in one.anys.remove(at: 0) }),
    ("its first is set", { _, one, _ in one.anys[0] = .int(0) }),
    ("one comes before them", { _, one, _ in one.anys.insert(.fromArray([.int(0)]), at: 0) }),
    ("they change places", { _, one, _ in one.anys.swapAt(0, 1) }),
    ("a map of mixed values is emptied", { _, one, _ in one.byName.removeAll() }),
    ("its members are set", { _, one, _ in one.byName["list"] = .int(0) }),
    ("a set of mixed values is emptied", { _, one, _ in one.some.removeAll() }),
    ("an inner list grows", { _, one, _ in one.anys[0].listValue!.append(.fromArray([.int(0)])) }),
    ("an embedded object goes", { _, one, _ in one.address = nil }),
    ("a list of embedded objects is emptied", { _, one, _ in one.addresses.removeAll() }),
    ("a map of embedded objects is emptied", { _, one, _ in one.places.removeAll() }),
    ("the object goes", { realm, one, _ in realm.delete(one) }),
    ("the other one goes", { $0.delete($2) }),
    ("all of the class go", { realm, _, _ in realm.delete(realm.objects(Hamper.self)) }),
    ("all there is goes", { realm, _, _ in realm.deleteAll() }),
    (
      "all goes and comes again",
      { realm, _, _ in
        realm.deleteAll()
        stock(realm)
      }
    ),
  ]

  /// Whether they are looked at in the write, and by whom first.
  private enum Look: CaseIterable { case never, once, twice, afterEach }

  static let probe = Probe("whatever a write took away is back when it came to nothing") { stage in
    struct Unwanted: Error {}
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: configuration(stage))
    try realm.write { stock(realm) }
    for (number, taking) in takings.enumerated() {
      for (turn, look) in Look.allCases.enumerated()
      where look != .afterEach || stage.isDue(number, of: 2) {
        let kept = hold(realm)
        let before = kept.map { $0.shows() }
        realm.beginWrite()
        let one = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
        let two = realm.object(ofType: Hamper.self, forPrimaryKey: 2)!
        if look == .afterEach { one.anys[3] = .int(-1) }
        if look == .afterEach { for one in kept { use(one.shows()) } }
        taking.take(realm, one, two)
        if look != .never { for one in kept { use(one.shows()) } }
        if look == .twice {
          taken(realm)
          for one in kept { use(one.shows()) }
        }
        realm.cancelWrite()
        for (place, one) in kept.enumerated() {
          stage.equal(
            one.shows(), before[place],
            "\(one.name) after a cancel of: \(taking.name), looked at \(look)")
        }
        // The next write is of what there is.
        if turn == 1 {
          _ = try? realm.write {
            for one in kept { use(one.shows()) }
            throw Unwanted()
          }
          stage.equal(kept.map { $0.shows() }, before, "all after another write")
        }
      }
    }
    // What is back can be written to.
    let one = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
    let inner = one.any.dictionaryValue!["list"]!.listValue!
    realm.beginWrite()
    one.any = .none
    use(inner.isInvalidated)
    realm.cancelWrite()
    try realm.write { inner.append(.int(77)) }
    let configuration = realm.configuration
    stage.equal(
      try stage.elsewhere {
        try Realm(configuration: configuration).object(ofType: Hamper.self, forPrimaryKey: 1)?
          .any.dictionaryValue?["list"]?.listValue?.last
      }, .int(77), "what others see of what was written to one that was back")
  }

  /// Takes what may be left of them.
  private static func taken(_ realm: Realm) {
    for hamper in realm.objects(Hamper.self) { hamper.any = .none }
  }
}
