/// Walks a collection as it was when the walk began, even while the body changes or deletes members.
///
/// Inlinable, because a call per element would cost as much as the element.
@frozen
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline let walk: RowWalk?
  @usableFromInline let state: UnsafeMutablePointer<WalkState>?
  @usableFromInline var values: [Element]
  @usableFromInline var position = 0

  init(_ results: ResultsState) {
    if let table = results.elementClass, !Element._rlmIsProjection {
      let walk = RowWalk(results, of: table)
      self.walk = walk
      state = walk.state
      values = []
    } else {
      walk = nil
      state = nil
      let session = results.session
      values = results.allValues().map { Element._rlmDecode(_Stored($0, session)) }
    }
  }

  @inlinable
  public mutating func next() -> Element? {
    guard let state else {
      guard position < values.count else { return nil }
      position += 1
      return values[position - 1]
    }
    guard let object = RLMIterator.advance(state, walk.unsafelyUnwrapped) else { return nil }
    return unsafeBitCast(object.takeUnretainedValue(), to: Element.self)
  }

  /// Moves the object to the next row, or makes another one.
  @inlinable @inline(__always)
  static func advance(
    _ state: UnsafeMutablePointer<WalkState>, _ walk: RowWalk
  ) -> Unmanaged<ObjectBase>? {
    if _slowPath(state.pointee.next == state.pointee.filled) {
      guard walk.refill() else { return nil }
    }
    let index = state.pointee.next
    state.pointee.next = index &+ 1
    let generation = state.pointee.generation
    if _fastPath(
      state.pointee.object != nil && generation == state.pointee.hot.pointee.generation
        && state.pointee.count == state.pointee.soleCount)
    {
      let entry = state.pointee.entry(index)
      if _fastPath(entry.row != .max) {
        let header = state.pointee.header
        header.pointee.place = entry.place
        header.pointee.generation = generation
        header.pointee.row = entry.row
        header.pointee.key = entry.key
        return state.pointee.object
      }
    }
    let made = walk.make()
    walk.noteSoleCount()
    return made
  }
}

extension Results {
  /// Calls `body` with each element. Faster than a loop: the element is lent, not handed over.
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) rethrows {
    let iterator = makeIterator()
    guard let state = iterator.state, let walk = iterator.walk else {
      for value in iterator.values { try body(value) }
      return
    }
    while let object = RLMIterator<Element>.advance(state, walk) {
      try object._withUnsafeGuaranteedRef { try body(unsafeBitCast($0, to: Element.self)) }
    }
    withExtendedLifetime(iterator) {}
  }
}
