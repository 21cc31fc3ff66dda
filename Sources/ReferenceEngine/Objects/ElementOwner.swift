/// What lists and sets have in common: elements of their own until a realm manages them, and a
/// place in a row from then on.
protocol ElementOwner: CollectionOwner {
  associatedtype Element: RealmCollectionValue
  /// The elements while no realm manages the collection.
  var elements: [Element] { get set }
}

extension ElementOwner {
  /// All elements, each asked for once: in the order of the row where a realm manages them.
  var all: [Element] {
    guard let managed else { return elements }
    return managed.allValues().map { Element._rlmDecode(_Stored($0, managed.session)) }
  }

  func element(at position: Int) -> Element {
    guard let managed else {
      checkIndex(position, below: elements.count)
      return elements[position]
    }
    return Element._rlmDecode(managed.checkedElement(at: position))
  }

  /// The first place of an element equal to this one; for objects, of the same row.
  func place(of element: Element) -> Int? {
    guard let managed else {
      if Element._rlmType == .object || Element._rlmType == .any {
        return elements.firstIndex(of: element)
      }
      // As in a realm: NaN is found, and another spelling of a text is not.
      let wanted = SetMember(element)
      return elements.firstIndex { SetMember($0) == wanted }
    }
    return managed.index(of: Element._rlmEncode(element).value)
  }

  func clear() {
    guard let managed else { return elements.removeAll() }
    managed.removeAll()
  }

  /// Whether both are the same collection: of the same row and property, or free ones with the same
  /// elements.
  func isSame(as other: Self, ifFree isEqual: ([Element], [Element]) -> Bool) -> Bool {
    if self === other { return true }
    if let managed, let place = other.managed { return managed.isSame(as: place) }
    return managed == nil && other.managed == nil && isEqual(elements, other.elements)
  }

  /// Becomes the collection of a row that has its elements by now.
  func move(into cell: _Cell) {
    managed = cell.collection
    elements = []
  }
}
