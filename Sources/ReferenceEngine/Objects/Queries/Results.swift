/// The objects of a class, or the members of a collection, that a query names, in the order it asks
/// for.
///
/// A `Results` is a question, not an answer: it is asked anew when its realm's content has changed,
/// also inside a write, and never before somebody looks. Copies share one answer.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  let state: ResultsState

  init(_ state: ResultsState) { self.state = state }

  public var _source: _CollectionSource { _CollectionSource(state) }

  public var realm: Realm? { Realm(state.session) }
  public var isInvalidated: Bool { state.isInvalidated }

  public var count: Int { state.count }

  public var first: Element? { state.hasFirst ? self[0] : nil }

  public var last: Element? {
    let count = self.count
    return count > 0 ? self[count - 1] : nil
  }

  public subscript(position: Int) -> Element {
    guard let table = state.elementClass, !Element._rlmIsProjection else {
      return Element._rlmDecode(_Stored(state.value(at: position), state.session))
    }
    return unsafeBitCast(state.object(at: position, of: table), to: Element.self)
  }

  public func index(of object: Element) -> Int? {
    state.index(of: Element._rlmEncode(object).value)
  }

  /// Walks the elements as they were when it began.
  public func makeIterator() -> RLMIterator<Element> { RLMIterator(state) }

  /// Two results are equal if they are one and the same question.
  public static func == (left: Results, right: Results) -> Bool { left.state === right.state }
}

extension Results: CustomStringConvertible {
  /// The elements, one a line, as Realm prints collections.
  public var description: String {
    Description.collection(
      "Results", at: address(of: state), self, depth: Description.mostLevels,
      isInvalidated: isInvalidated)
  }
}

extension Results: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
