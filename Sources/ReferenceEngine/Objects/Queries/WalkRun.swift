import CShims

/// The rest of a cluster in a loop's own registers: what a walk remembers of every step is written
/// down once a cluster.
///
/// Only of one without gaps, on the thread of the session. There the instant tells all at once: as
/// long as it lasts the object lies where it was put, and is asked for at home. What is left to do
/// for a step is to note the row.
@frozen @usableFromInline
struct WalkRun {
  @usableFromInline var index = 0
  /// 0 where every step is the walk's.
  @usableFromInline var end = 0
  @usableFromInline var instant: UInt64 = 0
  @usableFromInline var soleCount: UInt = 0
  /// The object at the row; nil behind the last one.
  @usableFromInline var object: UnsafeMutableRawPointer?

  @inlinable @inline(__always)
  init() {}

  /// Goes on to the next row; false behind the last one.
  @inlinable @inline(__always)
  mutating func next(_ state: UnsafeMutablePointer<WalkState>) -> Bool {
    let index = self.index
    if _fastPath(index != end), _fastPath(instant == rb_instant_get()) {
      let object = self.object.unsafelyUnwrapped
      if _fastPath(rb_count_word(object) == soleCount) {
        let header = (object + 16).assumingMemoryBound(to: ObjectHeader.self)
        // The same word again: so the compiler knows in the body, too, that it is the one of this
        // instant.
        header.pointee.instant = instant
        header.pointee.row = UInt16(truncatingIfNeeded: index)
        self.index = index &+ 1
        return true
      }
    }
    if end == 0, let object = WalkRun.moved(state) {
      self.object = object
      return true
    }
    self = WalkRun.step(state, index, end)
    return object != nil
  }

  /// The object where every step is the walk's, moved to the next row; nil where that is more than
  /// to move it.
  @usableFromInline @inline(never)
  static func moved(_ state: UnsafeMutablePointer<WalkState>) -> UnsafeMutableRawPointer? {
    state.pointee.moved() ? state.pointee.object?.toOpaque() : nil
  }

  // A value, and not a change of the last one: a run whose address was taken would lie in memory.
  @usableFromInline @inline(never)
  static func step(
    _ state: UnsafeMutablePointer<WalkState>, _ index: Int, _ end: Int
  ) -> WalkRun {
    if end != 0 { state.pointee.next = index }
    let object = state.pointee.moved() ? state.pointee.object : state.pointee.advance()
    var run = WalkRun()
    guard let object else { return run }
    run.object = object.toOpaque()
    let (hot, now) = (state.pointee.hot, rb_instant_get())
    guard state.pointee.cluster != nil, state.pointee.object != nil,
      state.pointee.generation == hot.pointee.generation, hot.pointee.clock?.pointee == now
    else { return run }
    run.index = state.pointee.next
    run.end = state.pointee.filled
    run.instant = now
    run.soleCount = state.pointee.soleCount
    return run
  }
}
