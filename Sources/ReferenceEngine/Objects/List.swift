/// Values or objects in an order of their own: a property of an object, or free of any realm.
///
/// A managed list is named by its object's row and the property, so it stays the same list whatever
/// happens around it; every access asks the row.
public final class List<Element: RealmCollectionValue>: ElementOwner {
  var elements: [Element] = []
  var managed: ManagedCollection?

  public init() {}

  init(_ managed: ManagedCollection) { self.managed = managed }

  /// An unmanaged list of the elements.
  public convenience init<S: Sequence>(_ elements: S) where S.Element == Element {
    self.init()
    self.elements = Array(elements)
  }

  deinit {
    if managed == nil, Element.self == AnyRealmValue.self { Remains.take(&elements) }
  }

  public var realm: Realm? { managed?.realm }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }

  public var count: Int { managed?.count ?? elements.count }

  /// The element at a position; setting it replaces the element.
  public subscript(position: Int) -> Element {
    get { element(at: position) }
    set {
      guard let managed else {
        checkIndex(position, below: elements.count)
        elements[position] = newValue
        return
      }
      managed.set(Element._rlmEncode(newValue).value, at: position)
    }
  }

  // MARK: Changing

  public func append(_ element: Element) {
    guard let managed else { return elements.append(element) }
    managed.append(Element._rlmEncode(element).value)
  }

  public func append<S: Sequence>(objectsIn sequence: S) where S.Element == Element {
    for element in sequence { append(element) }
  }

  public func insert(_ element: Element, at index: Int) {
    guard let managed else {
      checkIndex(index, below: elements.count + 1)
      return elements.insert(element, at: index)
    }
    managed.insert(Element._rlmEncode(element).value, at: index)
  }

  public func remove(at index: Int) {
    guard let managed else {
      checkIndex(index, below: elements.count)
      elements.remove(at: index)
      return
    }
    managed.remove(at: index)
  }

  public func remove(atOffsets offsets: some Sequence<Int>) {
    for offset in Set(offsets).sorted(by: >) { remove(at: offset) }
  }

  public func removeFirst(_ number: Int = 1) {
    checkRemoval(of: number)
    for _ in 0..<number { remove(at: 0) }
  }

  public func removeLast(_ number: Int = 1) {
    checkRemoval(of: number)
    for _ in 0..<number { remove(at: count - 1) }
  }

  private func checkRemoval(of number: Int) {
    if number > count { refuse(.removesTooMany(number, of: count)) }
  }

  public func removeAll() { clear() }

  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    for index in try indices.filter({ try shouldBeRemoved(self[$0]) }).reversed() {
      remove(at: index)
    }
  }

  public func replace(index: Int, object: Element) { self[index] = object }

  public func replaceSubrange<C: Collection>(_ range: Range<Int>, with newElements: C)
  where C.Element == Element {
    let new = Array(newElements)
    removeSubrange(range)
    insert(contentsOf: new, at: range.lowerBound)
  }

  public func replaceSubrange<C: Collection>(_ range: some RangeExpression<Int>, with new: C)
  where C.Element == Element {
    replaceSubrange(range.relative(to: indices), with: new)
  }

  public func insert<C: Collection>(contentsOf newElements: C, at index: Int)
  where C.Element == Element {
    for (offset, element) in Array(newElements).enumerated() { insert(element, at: index + offset) }
  }

  public func removeSubrange(_ range: Range<Int>) {
    for index in range.reversed() { remove(at: index) }
  }

  public func removeSubrange(_ range: some RangeExpression<Int>) {
    removeSubrange(range.relative(to: indices))
  }

  /// Moves the elements at some positions, in their order, before the one that is at another.
  public func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    let sources = Set(offsets).sorted()
    let before = sources.count { $0 < destination }
    for (done, source) in sources.prefix(before).reversed().enumerated() {
      move(from: source, to: destination - 1 - done)
    }
    for (done, source) in sources.dropFirst(before).enumerated() {
      move(from: source, to: destination + done)
    }
  }

  /// Moves the element at one position to another, past the elements in between.
  public func move(from: Int, to: Int) {
    guard let managed else {
      checkIndex(from, below: elements.count)
      checkIndex(to, below: elements.count)
      let element = elements.remove(at: from)
      return elements.insert(element, at: to)
    }
    managed.move(from: from, to: to)
  }

  public func swapAt(_ first: Int, _ second: Int) {
    guard let managed else {
      checkIndex(first, below: elements.count)
      checkIndex(second, below: elements.count)
      return elements.swapAt(first, second)
    }
    managed.swap(first, second)
  }

  /// Replaces all elements by others.
  public func assign<S: Sequence>(_ newElements: S) where S.Element == Element {
    if let list = newElements as? List, list === self { return }
    let new = Array(newElements)
    removeAll()
    append(objectsIn: new)
  }
}

extension List: RangeReplaceableCollection {
  // What the protocol would make of a list's own methods where it asks for a result; without a use
  // for that, and so for the object it takes, the own ones come first.
  @_disfavoredOverload @discardableResult
  public func remove(at index: Int) -> Element {
    let element = self[index]
    let _: Void = remove(at: index)
    return element
  }

  @_disfavoredOverload @discardableResult
  public func removeFirst() -> Element {
    let element = self[0]
    let _: Void = remove(at: 0)
    return element
  }

  @_disfavoredOverload @discardableResult
  public func removeLast() -> Element {
    let element = self[count - 1]
    let _: Void = remove(at: count - 1)
    return element
  }

  // The protocol's own `+` adds to a copy of the left side. A list's copy is the list itself.
  public static func + <Other: Sequence>(left: List, right: Other) -> List
  where Other.Element == Element { List(left.all + Array(right)) }
  public static func + <Other: RangeReplaceableCollection>(left: List, right: Other) -> List
  where Other.Element == Element { List(left.all + Array(right)) }
  public static func + <Other: Sequence>(left: Other, right: List) -> List
  where Other.Element == Element { List(Array(left) + right.all) }

  public func append<S: Sequence>(contentsOf elements: S) where S.Element == Element {
    append(objectsIn: Array(elements))
  }

  /// The elements that satisfy a condition, in an array.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    try all.filter(isIncluded)
  }
}

extension List: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var first: Element? { isEmpty ? nil : self[0] }
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// The first place of an element equal to this one; for objects, of the same row.
  public func index(of element: Element) -> Int? { place(of: element) }

  /// Walks the elements as they were when it began, even while the body changes the list.
  public func makeIterator() -> IndexingIterator<[Element]> { all.makeIterator() }
}

extension List: Equatable {
  /// Whether both are the same list: of the same row and property, or the same unmanaged elements.
  public static func == (left: List, right: List) -> Bool { left.isSame(as: right) { $0 == $1 } }
}

extension List: CustomStringConvertible {
  public var description: String { describe(depth: Description.mostLevels) }
}

extension List: ExpressibleByArrayLiteral {
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension List: Decodable where Element: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
  }
}

extension List: _Persistable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmIsOptional: Bool { Element._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Element._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 1 }
  public static func _rlmDefaultValue() -> List { List() }
  public static func _rlmRead(_ cell: _Cell) -> List { cell.kept { List($0) } }

  public static func _rlmAdopt(_ value: List, _ cell: _Cell) {
    _rlmWrite(value, cell)
    if value.managed == nil {
      value.move(into: cell)
      cell.keep(value)
    }
  }

  /// Replaces the elements of the row's list; the list that was assigned becomes the row's if it
  /// was free.
  public static func _rlmWrite(_ value: List, _ cell: _Cell) {
    let target = cell.writtenCollection
    if let source = value.managed, source.isSame(as: target) { return }
    target.replaceAll(with: value.all.map { Element._rlmEncode($0).value })
  }

  public static func _rlmCopied(_ value: List) -> List { List(value.all.map(Element._rlmCopied)) }

  public static func _rlmCoerceProperty(_ any: Any) -> List? {
    if let same = any as? List { return List(same.all) }
    if isAbsent(any) { return List() }
    guard let elements = coerceElements(any, to: Element.self) else { return nil }
    return List(elements)
  }
}

/// The elements of an array or another sequence, each taken for the wanted type; nil if one cannot
/// be.
func coerceElements<Element: RealmCollectionValue>(_ any: Any, to _: Element.Type) -> [Element]? {
  guard !(any is String), let sequence = any as? any Sequence else { return nil }
  var found: [Element] = []
  for element in sequence {
    guard let element = Element._rlmCoerce(element) else { return nil }
    found.append(element)
  }
  return found
}

func checkIndex(_ index: Int, below count: Int) {
  if index < 0 || index >= count { refuse(.outOfBounds(index, count: count)) }
}

extension Violation {
  static func outOfBounds(_ index: Int, count: Int) -> Violation {
    index < 0
      ? Violation("Cannot pass a negative value")
      : Violation("Index \(index) is out of bounds (must be less than \(count)).")
  }
  static func removesTooMany(_ number: Int, of count: Int) -> Violation {
    Violation(
      "It is not possible to remove more objects (\(number)) from a list than it already "
        + "contains (\(count)).")
  }
}
