import CShims

/// What the objects of one session share and compare at every access: one line of memory, so that a read
/// costs a load and no reference count.
///
/// Written only where the session is at home; `generation` moves whenever a remembered place may be stale.
@frozen @usableFromInline
struct HotWord {
  // The first four words are read in C, too: Rows.h.
  /// The token of the thread the session lives on; never equal to a thread's if only the scheduler can tell.
  @usableFromInline var token: UInt
  /// All ones where the token decides, 0 where anybody may read (frozen).
  @usableFromInline var mask: UInt
  /// The base in which the nodes of the session's version are resolved.
  @usableFromInline var base: UnsafeRawPointer
  /// Counts the states the session has shown; never 0, so that a zeroed header is always stale.
  @usableFromInline var generation: UInt32
  /// Whether nobody listens to the session, so that a step to another version concerns it alone. Here, where it takes no room:
  /// all that a step looks at lies in one line of the cache.
  var isUnheard = false
  /// What tells a queue or an actor without asking its scheduler.
  var sign: HomeSign
  /// Where the newest version of the file stands, for all to see.
  var published: UnsafeMutablePointer<UInt64>
  /// The version at which `refresh` has nothing to do unless there is a newer one; 0 where it has to be looked.
  var quietAt: UInt64 = 0
}

/// The words before a model's own properties: who manages the object, and where its row is.
///
/// Read through a raw pointer at offset 16 of the instance: a stored property of a class would cost a
/// `swift_beginAccess` per read.
@frozen @usableFromInline
struct ObjectHeader {
  /// The cluster that holds the row, in the generation below; nil for an unmanaged object.
  @usableFromInline var place: UnsafeRawPointer?
  /// Nil for an unmanaged object: a header is all zeros until it has a row.
  @usableFromInline var hot: UnsafeMutablePointer<HotWord>?
  @usableFromInline var generation: UInt32
  /// The row within the cluster.
  @usableFromInline var row: UInt32
  @usableFromInline var key: Int64
  @usableFromInline var session: Session?
  // The session has it as long as it lives, so it is not counted: that is 10 ns of every accessor.
  @usableFromInline unowned(unsafe) var table: BoundClass?
  /// The write of the session in which the accessor was made, 0 outside; see `OwnWrites`.
  @usableFromInline var birth: UInt32
  /// The session's life in which the accessor was made: `invalidate` begins a new one.
  @usableFromInline var epoch: UInt32

  /// Makes the header of a free object that of a view of a row.
  ///
  /// Word by word: a header is large enough for the compiler to copy it by a function that counts.
  @inline(__always)
  static func show(
    _ header: UnsafeMutablePointer<ObjectHeader>, _ session: Session, _ table: BoundClass,
    _ key: Int64, _ spot: RowPlace
  ) {
    header.pointee.place = spot.cluster.node
    header.pointee.hot = session.hot
    header.pointee.generation = session.generation
    header.pointee.row = UInt32(truncatingIfNeeded: spot.index)
    header.pointee.key = key
    // A free object has no session to let go.
    withUnsafeMutablePointer(to: &header.pointee.session) { $0.initialize(to: session) }
    header.pointee.table = table
    header.pointee.birth = session.writes.running
    header.pointee.epoch = session.epoch
  }
}

/// The memory of a header, as an instance declares it: zeros, which a free object's header is, and nothing to count, so that
/// making an object only writes them.
@frozen @usableFromInline
struct HeaderWords {
  @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable @inline(__always)
  init() { words = (0, 0, 0, 0, 0, 0, 0) }
}
