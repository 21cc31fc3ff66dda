import EngineUnderTest
import Harness

/// Something that a program has found once and keeps: an object, a collection, a question's answer.
/// It must show what its realm shows, whatever happens.
protocol Held: AnyObject {
  var name: String { get }
  /// Whether what it stands for is there.
  func isThere(in state: WideState) -> Bool
  /// Whether it must say so itself when what it stands for is gone.
  var tellsItsEnd: Bool { get }
  var isInvalidated: Bool { get }
  var isFrozen: Bool { get }
  /// The realm that it is of.
  var shownRealm: Realm? { get }
  /// The first thing that is not as the model has it, of something that is there.
  func complaint(_ finder: Finder, _ dice: inout SplitMix) -> String?
  func frozen() -> any Held
  func thawed() -> (any Held)?
  /// Nil for what no reference can be made to.
  func parcel() -> (any Parcel)?
  /// What reads a variable that any thread may read; nil for what none can hold.
  func variable() -> (() -> (any Held)?)?
}

/// A reference to something that is held.
protocol Parcel {
  func resolve(in realm: Realm) -> (any Held)?
}

struct Letter<Confined: ThreadConfined>: Parcel {
  private let reference: ThreadSafeReference<Confined>
  private let wrap: (Confined) -> any Held

  init(to confined: Confined, _ wrap: @escaping (Confined) -> any Held) {
    (reference, self.wrap) = (ThreadSafeReference(to: confined), wrap)
  }

  func resolve(in realm: Realm) -> (any Held)? { realm.resolve(reference).map(wrap) }
}

/// An object.
final class HeldObject<T: Wide>: Held {
  let object: T
  let birth: Int

  init(_ object: T, _ birth: Int) { (self.object, self.birth) = (object, birth) }

  var name: String { "the object of row \(birth)" }
  var tellsItsEnd: Bool { true }
  var isInvalidated: Bool { object.isInvalidated }
  var isFrozen: Bool { object.isFrozen }
  var shownRealm: Realm? { object.realm }
  func isThere(in state: WideState) -> Bool { state.rows[birth] != nil }
  func frozen() -> any Held { HeldObject(object.freeze(), birth) }
  func thawed() -> (any Held)? { object.thaw().map { HeldObject($0, birth) } }
  func parcel() -> (any Parcel)? { Letter(to: object) { [birth] in HeldObject($0, birth) } }
  func variable() -> (() -> (any Held)?)? {
    let variable = ThreadSafe(wrappedValue: object)
    return { [birth] in variable.wrappedValue.map { HeldObject($0, birth) } }
  }

  func complaint(_ finder: Finder, _ dice: inout SplitMix) -> String? {
    guard let row = finder.state.rows[birth] else { return nil }
    if let complaint = object.difference(from: row) { return "\(name): \(complaint)" }
    let other = T.find(row.key, birth, finder)
    if other == nil { return "\(name) is not found by its key \(row.key.words)" }
    if other.map({ object.isSameObject(as: $0) }) != true {
      return "\(name) and the one found by its key are not the same object"
    }
    if object.realm != finder.realm { return "\(name) is of another realm" }
    return nil
  }
}

extension Wide {
  /// The first property that does not hold what the model has.
  func difference(from row: WideState.Row) -> String? {
    for (member, content) in zip(Self.members, row.contents) {
      let observed = member.read(self)
      if observed != content {
        return "\(member.name) is \(observed.words) instead of \(content.words)"
      }
    }
    return nil
  }
}

/// The members that a collection must have.
struct Expected {
  let values: [Worth]
  let isOrdered: Bool

  init(_ values: [Worth], isOrdered: Bool) { (self.values, self.isOrdered) = (values, isOrdered) }
}

/// A list, a set, links backwards or results.
final class HeldCollection<C: RealmCollection>: Held where C.Element: Worthy {
  let name: String
  let collection: C
  let tellsItsEnd: Bool
  private let hasIdentity: Bool
  private let expected: (WideState) -> Expected?
  /// Further questions to it.
  private let further: ((C, Finder, inout SplitMix) -> String?)?

  init(
    _ name: String, _ collection: C, hasIdentity: Bool = false,
    further: ((C, Finder, inout SplitMix) -> String?)? = nil,
    expected: @escaping (WideState) -> Expected?
  ) {
    (self.name, self.collection, self.expected) = (name, collection, expected)
    (self.hasIdentity, self.further) = (hasIdentity, further)
    tellsItsEnd = name.hasPrefix("the list") || name.hasPrefix("the set")
  }

  var isInvalidated: Bool { collection.isInvalidated }
  var isFrozen: Bool { collection.isFrozen }
  var shownRealm: Realm? { collection.realm }
  func isThere(in state: WideState) -> Bool { expected(state) != nil }

  private func of(_ other: C) -> any Held {
    HeldCollection(
      name, other, hasIdentity: hasIdentity, further: further, expected: expected)
  }
  func frozen() -> any Held { of(collection.freeze()) }
  func thawed() -> (any Held)? { collection.thaw().map(of) }
  func parcel() -> (any Parcel)? { Letter(to: collection) { self.of($0) } }
  func variable() -> (() -> (any Held)?)? {
    let variable = ThreadSafe(wrappedValue: collection)
    return { variable.wrappedValue.map { self.of($0) } }
  }

  func complaint(_ finder: Finder, _ dice: inout SplitMix) -> String? {
    guard let expected = expected(finder.state) else { return nil }
    let basic = Asking.members(collection, expected, hasIdentity: hasIdentity, &dice)
    return (basic ?? further?(collection, finder, &dice)).map { "\(name): \($0)" }
  }
}

/// A map.
final class HeldMap<V: Worthy & RealmCollectionValue>: Held {
  let name: String
  let map: Map<String, V>
  private let expected: (WideState) -> [String: Worth]?

  init(
    _ name: String, _ map: Map<String, V>, expected: @escaping (WideState) -> [String: Worth]?
  ) { (self.name, self.map, self.expected) = (name, map, expected) }

  var tellsItsEnd: Bool { true }
  var isInvalidated: Bool { map.isInvalidated }
  var isFrozen: Bool { map.isFrozen }
  var shownRealm: Realm? { map.realm }
  func isThere(in state: WideState) -> Bool { expected(state) != nil }
  private func of(_ other: Map<String, V>) -> any Held { HeldMap(name, other, expected: expected) }
  func frozen() -> any Held { of(map.freeze()) }
  func thawed() -> (any Held)? { map.thaw().map(of) }
  func parcel() -> (any Parcel)? { Letter(to: map) { self.of($0) } }
  func variable() -> (() -> (any Held)?)? {
    let variable = ThreadSafe(wrappedValue: map)
    return { variable.wrappedValue.map { self.of($0) } }
  }

  func complaint(_ finder: Finder, _ dice: inout SplitMix) -> String? {
    guard let expected = expected(finder.state) else { return nil }
    return Asking.entries(map, expected).map { "\(name): \($0)" }
  }
}
