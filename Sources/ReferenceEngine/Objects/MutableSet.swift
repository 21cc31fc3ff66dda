/// Distinct values or objects: a property of an object, or free of any realm.
public final class MutableSet<Element: RealmCollectionValue>: ElementOwner {
  // In the order in which they came.
  var elements: [Element] = []
  /// The same, found faster; out of step where it has another number of them.
  private var known: Set<SetMember> = []
  var managed: ManagedCollection?

  public init() {}

  init(_ managed: ManagedCollection) { self.managed = managed }

  deinit {
    if managed == nil, Element.self == AnyRealmValue.self { Remains.take(&elements) }
  }

  public var realm: Realm? { managed?.realm }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }

  public var count: Int { managed?.count ?? elements.count }

  public subscript(position: Int) -> Element { element(at: position) }

  public func contains(_ element: Element) -> Bool {
    managed == nil ? isKnown(element) : place(of: element) != nil
  }

  /// An object's hash changes when a realm takes it in, so objects are compared.
  private static var keepsHashes: Bool { Element._rlmType != .object && Element._rlmType != .any }

  /// Whether two members of a free set are one, as a realm would have them.
  fileprivate static func isSame(_ one: Element, _ other: Element) -> Bool {
    if keepsHashes { return SetMember(one) == SetMember(other) }
    guard let one = one as? AnyRealmValue, let other = other as? AnyRealmValue else {
      return one == other
    }
    return one.isSameMember(as: other)
  }

  /// Whether a free set has the element.
  private func isKnown(_ element: Element) -> Bool {
    if !MutableSet.keepsHashes { return elements.contains { MutableSet.isSame($0, element) } }
    if known.count != elements.count { known = Set(elements.map { SetMember($0) }) }
    return known.contains(SetMember(element))
  }

  public func insert(_ element: Element) {
    guard let managed else {
      if isKnown(element) { return }
      if MutableSet.keepsHashes { known.insert(SetMember(element)) }
      return elements.append(element)
    }
    managed.insertMember(Element._rlmEncode(element).value)
  }

  public func insert<S: Sequence>(objectsIn sequence: S) where S.Element == Element {
    for element in sequence { insert(element) }
  }

  public func remove(_ element: Element) {
    guard let managed else {
      if MutableSet.keepsHashes { known.remove(SetMember(element)) }
      return elements.removeAll { MutableSet.isSame($0, element) }
    }
    managed.removeMember(Element._rlmEncode(element).value)
  }

  public func removeAll() { clear() }

  // MARK: Algebra

  // What takes a set is a change of it, and refused outside a write, even if nothing is changed:
  // what other sets hold is no reason for a mistake to pass.

  /// Keeps what is in the other set, too.
  public func formIntersection(_ other: MutableSet) {
    managed?.verifyWrite()
    for element in all where !other.contains(element) { remove(element) }
  }

  /// Adds what is in the other set.
  public func formUnion(_ other: MutableSet) {
    managed?.verifyWrite()
    insert(objectsIn: other.all)
  }

  /// Removes what is in the other set.
  public func subtract(_ other: MutableSet) {
    managed?.verifyWrite()
    for element in other.all { remove(element) }
  }

  public func isSubset(of other: MutableSet) -> Bool { all.allSatisfy(other.contains) }

  public func intersects(_ other: MutableSet) -> Bool { all.contains(where: other.contains) }
}

extension MutableSet: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var first: Element? { isEmpty ? nil : self[0] }
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  public func index(of element: Element) -> Int? {
    if managed != nil { return place(of: element) }
    return elements.firstIndex { MutableSet.isSame($0, element) }
  }

  /// Walks the elements as they were when it began.
  public func makeIterator() -> IndexingIterator<[Element]> { all.makeIterator() }
}

extension MutableSet: Equatable {
  public static func == (left: MutableSet, right: MutableSet) -> Bool {
    left.isSame(as: right) { one, other in
      if keepsHashes { return Set(one.map { SetMember($0) }) == Set(other.map { SetMember($0) }) }
      return one.count == other.count
        && one.allSatisfy { member in other.contains { isSame($0, member) } }
    }
  }
}

extension MutableSet: CustomStringConvertible {
  public var description: String { describe(depth: Description.mostLevels) }
}

extension MutableSet: ExpressibleByArrayLiteral {
  public convenience init(arrayLiteral elements: Element...) {
    self.init()
    insert(objectsIn: elements)
  }
}

extension MutableSet: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension MutableSet: Decodable where Element: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Element.self)) }
  }
}

extension MutableSet: _Persistable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmIsOptional: Bool { Element._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Element._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 2 }
  public static func _rlmDefaultValue() -> MutableSet { MutableSet() }
  public static func _rlmRead(_ cell: _Cell) -> MutableSet { cell.kept { MutableSet($0) } }

  public static func _rlmAdopt(_ value: MutableSet, _ cell: _Cell) {
    _rlmWrite(value, cell)
    if value.managed == nil {
      value.move(into: cell)
      cell.keep(value)
    }
  }

  public static func _rlmWrite(_ value: MutableSet, _ cell: _Cell) {
    let target = cell.writtenCollection
    if let source = value.managed, source.isSame(as: target) { return }
    let new = value.all.map { Element._rlmEncode($0).value }
    target.replaceMembers(with: new)
  }

  public static func _rlmCoerceProperty(_ any: Any) -> MutableSet? {
    let made = MutableSet()
    if let same = any as? MutableSet {
      made.elements = same.all
      return made
    }
    if isAbsent(any) { return made }
    guard let elements = coerceElements(any, to: Element.self) else { return nil }
    made.insert(objectsIn: elements)
    return made
  }
}
