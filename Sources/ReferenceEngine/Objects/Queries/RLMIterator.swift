/// Walks a collection as it was when the walk began, even while the body changes or deletes
/// members.
///
/// Inlinable, because a call per element would cost as much as the element.
@frozen
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline let walk: RowWalk?
  @usableFromInline let state: UnsafeMutablePointer<WalkState>?
  @usableFromInline var values: [Element]
  @usableFromInline var position = 0

  /// - Parameter positions: of the members to walk, if not all.
  init(_ results: ResultsState, at positions: [Int]? = nil) {
    if let table = results.elementClass, !Element._rlmIsProjection {
      let walk = RowWalk(results, of: table, at: positions)
      self.walk = walk
      state = walk.state
      values = []
    } else {
      walk = nil
      state = nil
      let session = results.session
      let all = results.allValues()
      values = (positions.map { $0.map { all[$0] } } ?? all).map {
        Element._rlmDecode(_Stored($0, session))
      }
    }
  }

  @inlinable
  public mutating func next() -> Element? {
    guard let state else {
      guard position < values.count else { return nil }
      position += 1
      return values[position - 1]
    }
    if _slowPath(!state.pointee.moved()) {
      guard let object = state.pointee.advance() else { return nil }
      if state.pointee.object == nil {
        return unsafeBitCast(object.takeUnretainedValue(), to: Element.self)
      }
    }
    state.pointee.retainAlone()
    return unsafeBitCast(
      state.pointee.object.unsafelyUnwrapped.takeRetainedValue(), to: Element.self)
  }
}

extension Results where Element: ObjectBase {
  @usableFromInline
  func walk() -> RowWalk {
    guard let table = state.elementClass else { refuse(.invalidated) }
    return RowWalk(state, of: table)
  }

  /// Calls `body` with each element. Faster than a loop: the element is lent, not handed over.
  // Inlined always: what the body adds up would otherwise lie in memory, and every element wait for
  // the one before. And the body is called in one place, or it is not inlined itself.
  @inlinable @inline(__always)
  public func forEach(_ body: (Element) throws -> Void) rethrows {
    let walk = walk()
    defer { withExtendedLifetime(walk) {} }
    let state = walk.state
    var run = WalkRun()
    while run.next(state) {
      try Unmanaged<ObjectBase>.fromOpaque(run.object.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
        try body(unsafeDowncast($0, to: Element.self))
      }
    }
  }
}
