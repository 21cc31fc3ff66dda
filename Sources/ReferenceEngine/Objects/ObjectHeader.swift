import CShims

/// What the objects of one session share and compare at every access: one line of memory, so that a read
/// costs a load and no reference count.
///
/// Written only where the session is at home; `generation` moves whenever a remembered place may be stale.
@frozen @usableFromInline
struct HotWord {
  /// The token of the thread the session lives on; never equal to a thread's if only the scheduler can tell.
  @usableFromInline var token: UInt
  /// All ones where the token decides, 0 where anybody may read (frozen).
  @usableFromInline var mask: UInt
  /// The base in which the nodes of the session's version are resolved.
  @usableFromInline var base: UnsafeRawPointer
  /// Counts the states the session has shown; never 0, so that a zeroed header is always stale.
  @usableFromInline var generation: UInt32
  /// What tells a queue or an actor without asking its scheduler.
  var sign: HomeSign
}

/// The words before a model's own properties: who manages the object, and where its row is.
///
/// Read through a raw pointer at offset 16 of the instance: a stored property of a class would cost a
/// `swift_beginAccess` per read.
@frozen @usableFromInline
struct ObjectHeader {
  /// The cluster that holds the row, in the generation below; nil for an unmanaged object.
  @usableFromInline var place: UnsafeRawPointer?
  @usableFromInline var hot: UnsafeMutablePointer<HotWord>
  @usableFromInline var generation: UInt32
  /// The row within the cluster.
  @usableFromInline var row: UInt32
  @usableFromInline var key: Int64
  @usableFromInline var session: Session?
  @usableFromInline var table: BoundClass?
  /// The write of the session in which the accessor was made, 0 outside; see `Session.isUndone`.
  @usableFromInline var birth: UInt32
  /// The session's life in which the accessor was made: `invalidate` begins a new one.
  @usableFromInline var epoch: UInt32

  @inlinable
  init() {
    place = nil
    hot = HotWord.nowhere
    generation = 0
    row = 0
    key = 0
    session = nil
    table = nil
    birth = 0
    epoch = 0
  }
}

extension HotWord {
  /// What an unmanaged object points at: stale for every header, and never written.
  // Unsafe only by type: allocated once and never changed.
  @usableFromInline nonisolated(unsafe) static let nowhere: UnsafeMutablePointer<HotWord> = {
    let word = UnsafeMutablePointer<HotWord>.allocate(capacity: 1)
    word.initialize(
      to: HotWord(
        token: .max, mask: .max, base: UnsafeRawPointer(word), generation: .max, sign: .none))
    return word
  }()
}
