/// Values or objects in an order of their own: a property of an object, or free of any realm.
///
/// A managed one asks realm-core at every access.
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
    managed.insert(Element._rlmEncode(element).value, at: managed.count)
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
    if number > count {
      Facade.refuse(
        "It is not possible to remove more objects (\(number)) from a list than it already "
          + "contains (\(count)).")
    }
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
    if first == second { return }
    let (low, high) = (Swift.min(first, second), Swift.max(first, second))
    managed.move(from: high, to: low)
    managed.move(from: low + 1, to: high)
  }

  /// Replaces all elements by others.
  public func assign<S: Sequence>(_ newElements: S) where S.Element == Element {
    if let list = newElements as? List, list === self { return }
    let new = Array(newElements)
    removeAll()
    append(objectsIn: new)
  }
}

extension List: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

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
  public var description: String { "List<\(Element.self)> (\(count) elements)" }
}

extension List: ExpressibleByArrayLiteral {
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: _Persistable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmIsOptional: Bool { Element._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Element._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 1 }
  public static func _rlmDefaultValue() -> List { List() }
  public static func _rlmRead(_ cell: _Cell) -> List { List(cell.collection) }

  public static func _rlmAdopt(_ value: List, _ cell: _Cell) {
    _rlmWrite(value, cell)
    value.move(into: cell)
  }

  /// Replaces the elements of the row's list; the list that was assigned becomes the row's if it
  /// was free.
  public static func _rlmWrite(_ value: List, _ cell: _Cell) {
    let target = cell.collection
    if let source = value.managed, source.isSame(as: target) { return }
    let new = value.all
    target.removeAll()
    for (index, element) in new.enumerated() {
      target.insert(Element._rlmEncode(element).value, at: index)
    }
  }

  public static func _rlmCoerceProperty(_ any: Any) -> List? {
    if let same = any as? List { return List(same.all) }
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
