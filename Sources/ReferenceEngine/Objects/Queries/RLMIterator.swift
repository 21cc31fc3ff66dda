/// Walks a collection as it was when the walk began, even while the body changes or deletes members.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let elements: [Element]
  private var position = 0

  init(_ elements: [Element]) { self.elements = elements }

  public mutating func next() -> Element? {
    guard position < elements.count else { return nil }
    position += 1
    return elements[position - 1]
  }
}
