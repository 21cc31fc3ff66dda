import CShims

/// What the objects of one session share and compare at every access: one line of memory, so that a
/// read costs a load and no reference count.
///
/// Written only where the session is at home; `generation` moves whenever a remembered place may be
/// stale.
@frozen @usableFromInline
struct HotLine {
  // The first four words are read in C, too: Rows.h.
  /// The token of the thread the session lives on; never equal to a thread's if only the scheduler
  /// can tell.
  @usableFromInline var token: UInt
  /// All ones where the token decides, 0 where anybody may read (frozen).
  @usableFromInline var mask: UInt
  /// The base in which the nodes of the session's version are resolved.
  @usableFromInline var base: UnsafeRawPointer
  /// Counts the states the session has shown; never 0, so that a zeroed header is always stale.
  @usableFromInline var generation: UInt32
  /// Whether nobody listens to the session, so that a step to another version concerns it alone.
  /// Here, where it takes no room: all that a step looks at lies in one line of the cache.
  var isUnheard = false
  /// Where the instant of the thread stands on which the session lives; nil if it lives on none, or
  /// everywhere.
  @usableFromInline var clock: UnsafeMutablePointer<UInt64>?
  /// Where the newest version of the file stands, for all to see.
  var published: UnsafeMutablePointer<UInt64>
  /// The version at which `refresh` has nothing to do unless there is a newer one; 0 where it has
  /// to be looked.
  var quietAt: UInt64 = 0
  /// Identifies a home that is a queue or an actor without calling its scheduler.
  var sign: HomeSign
}

/// The words before a model's own properties: who manages the object, and where its row is.
///
/// Read through a raw pointer at offset 16 of the instance: a stored property of a class would cost
/// a `swift_beginAccess` per read.
@frozen @usableFromInline
struct ObjectHeader {
  // The first four words are read in C, too: Rows.h.
  /// The instant of the thread at which the place was known to be right, and known to be asked for
  /// at home: while it lasts, a read compares this word and nothing else. 0 if there was none.
  @usableFromInline var instant: UInt64
  /// The cluster that holds the row, in the generation below; nil for an unmanaged object.
  @usableFromInline var place: UnsafeRawPointer?
  /// Nil for an unmanaged object: a header is all zeros until it has a row.
  @usableFromInline var hot: UnsafeMutablePointer<HotLine>?
  @usableFromInline var generation: UInt32
  /// The row within the cluster.
  @usableFromInline var row: UInt16
  /// How many columns the cluster has room for: in those beyond, the row has no value.
  @usableFromInline var columns: UInt16
  /// The row's key less its place in the cluster: of most clusters the same for all rows, so that a
  /// walk need not write it.
  @usableFromInline var origin: Int64
  @usableFromInline var session: Session?
  // The session has it as long as it lives, so it is not counted: that is 10 ns of every accessor.
  @usableFromInline unowned(unsafe) var table: BoundClass?
  /// The write of the session in which the accessor was made, 0 outside; see `OwnWrites`.
  @usableFromInline var birth: UInt32
  /// The session's life in which the accessor was made: `invalidate` begins a new one.
  @usableFromInline var epoch: UInt32

  @inlinable @inline(__always)
  var key: Int64 { origin &+ Int64(row) }

  /// Notes where the row with a key lies in what the session shows now.
  @inline(__always)
  static func notePlace(
    _ header: UnsafeMutablePointer<ObjectHeader>, _ key: Int64, _ spot: RowPlace
  ) {
    guard let hot = header.pointee.hot else { return }
    let node = spot.cluster.node
    header.pointee.place = node
    header.pointee.row = UInt16(truncatingIfNeeded: spot.index)
    header.pointee.columns = UInt16(truncatingIfNeeded: rb_row_columns(node))
    header.pointee.origin = key &- Int64(spot.index)
    header.pointee.generation = hot.pointee.generation
    // Whoever asks elsewhere than at home has another instant.
    header.pointee.instant = hot.pointee.clock?.pointee ?? 0
  }

  /// Makes the header of a free object that of a view of a row.
  ///
  /// Word by word: a header is large enough for the compiler to copy it by a function that counts.
  @inline(__always)
  static func show(
    _ header: UnsafeMutablePointer<ObjectHeader>, _ session: Session, _ table: BoundClass,
    _ key: Int64, _ spot: RowPlace
  ) {
    header.pointee.hot = session.hot
    notePlace(header, key, spot)
    // A free object has no session to let go.
    withUnsafeMutablePointer(to: &header.pointee.session) { $0.initialize(to: session) }
    header.pointee.table = table
    header.pointee.birth = session.writes.number
    header.pointee.epoch = session.epoch
  }
}

/// The memory of a header, as an instance declares it: zeros, which a free object's header is, and
/// nothing to count, so that making an object only writes them.
@frozen @usableFromInline
struct HeaderWords {
  @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable @inline(__always)
  init() { words = (0, 0, 0, 0, 0, 0, 0, 0) }
}
