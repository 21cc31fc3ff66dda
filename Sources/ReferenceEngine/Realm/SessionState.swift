/// What a session is in: whether it holds a version, has looked into it, or writes.
///
/// ```
///           arrive            look              begin
///   idle ───────────▶ arrived ──────▶ reading ─────────▶ writing
///    ▲                 │  ▲  ▲           │ arrive            │ endWrite
///    │      leave      │  │  └───────────┴───────────────────┘
///    └─────────────────┘  └── arrive: to another version, or to the same anew
/// ```
///
/// `sealed` is another `arrived`: of a version that is still to be written. `reading` may be left
/// for `idle`, too, a write may begin before anybody has looked, and the version below a write may
/// get its `place`. A frozen session is `reading`, and may be `closed`.
///
/// 1. In every state but `idle` a version is held: by the session's pin, or for ever by what a
///    frozen session was made of.
/// 2. What has not been looked into shows nothing yet: its trees and its schema are opened when
///    somebody reads. In `idle` an empty file is shown.
/// 3. A write is based on the version that the session is on, and ends where it was. Nothing but a
///    place in the file (`place`) comes to that version meanwhile.
/// 4. A frozen session is `reading` until it is `closed`, for good.
///
/// Each transition is one function, which asserts where it comes from. They are plain
/// values: asking costs no reference count.
enum SessionState {
  /// Just opened, or invalidated: the next read pins the newest version.
  case idle
  /// On a version that nobody has looked into.
  case arrived(Root)
  /// The same, of a version that was sealed in this process, and that somebody has yet to write to
  /// the file: before it is looked into, or in the background.
  case sealed(Root, unwritten: [ComposedRuns])
  /// On a version that is shown.
  case reading(Root)
  /// In a write, whose pending trees are shown, on the version that it is based on.
  case writing(Root, WriteTransaction)
  /// Frozen and invalidated: nothing can be read. Its version stays, for another thread may be in
  /// the middle of a read.
  case closed(Root)

  // MARK: What it is

  /// The committed version that is held.
  @inline(__always)
  var root: Root? {
    switch self {
    case .idle: nil
    case .arrived(let root), .sealed(let root, _), .reading(let root), .writing(let root, _),
      .closed(let root):
      root
    }
  }

  /// The write it is in.
  var write: WriteTransaction? {
    if case .writing(_, let write) = self { write } else { nil }
  }

  @inline(__always)
  var isWriting: Bool { if case .writing = self { true } else { false } }

  @inline(__always)
  var isReading: Bool { if case .reading = self { true } else { false } }

  @inline(__always)
  var isClosed: Bool { if case .closed = self { true } else { false } }

  /// Whether a version, or a write, is shown.
  @inline(__always)
  var isShown: Bool {
    switch self {
    case .reading, .writing: true
    case .idle, .arrived, .sealed, .closed: false
    }
  }

  /// Whether what is shown is not that of the version: it has to be looked into first, or, closed,
  /// cannot be any more.
  @inline(__always)
  var isUnseen: Bool {
    switch self {
    case .arrived, .sealed, .closed: true
    case .idle, .reading, .writing: false
    }
  }

  /// The version, if the session can leave it without seeing to anything: not in a write, and with
  /// nothing to be written.
  @inline(__always)
  var rootToLeave: Root? {
    switch self {
    case .arrived(let root), .reading(let root): root
    case .idle, .sealed, .writing, .closed: nil
    }
  }

  private var name: String {
    switch self {
    case .idle: "idle"
    case .arrived(let root): "on \(root.version)"
    case .sealed(let root, _): "on \(root.version), which is sealed"
    case .reading(let root): "reading \(root.version)"
    case .writing(let root, _): "writing on \(root.version)"
    case .closed: "closed"
    }
  }

  // MARK: What becomes of it

  /// Comes to a version, or shows the same anew.
  @inline(__always)
  mutating func arrive(at root: Root, unwritten: [ComposedRuns]) {
    switch self {
    case .idle, .arrived, .sealed, .reading: break
    case .writing, .closed: broken("a session that is \(name) comes to \(root.version)")
    }
    self = unwritten.isEmpty ? .arrived(root) : .sealed(root, unwritten: unwritten)
  }

  /// Somebody reads: what is to be shown now. All of it has been written.
  mutating func look() -> Root {
    switch self {
    case .arrived(let root), .sealed(let root, _):
      self = .reading(root)
      return root
    case .idle, .reading, .writing, .closed: broken("a session that is \(name) looks at a version")
    }
  }

  /// Enters a write that is based on the version.
  mutating func begin(_ write: WriteTransaction) {
    switch self {
    case .arrived(let root), .sealed(let root, _), .reading(let root):
      invariant(
        root.version == write.base.version,
        "a write that is based on \(write.base.version) begins on \(root.version)")
      if case .sealed(_, let unwritten) = self {
        // Whoever goes on with a group has written it on the way in, and who waited for the end of
        // a flush finds it written.
        invariant(
          unwritten.allSatisfy(\.isWritten),
          "a write begins on \(root.version), of which not all is in the file")
      }
      self = .writing(root, write)
    case .idle, .writing, .closed: broken("a session that is \(name) enters a write")
    }
  }

  /// The write has ended, and the version is as it was without it.
  mutating func endWrite() {
    guard case .writing(let root, _) = self else {
      broken("a session that is \(name) leaves a write")
    }
    self = .arrived(root)
  }

  /// The version that a write is based on has got its place in the file.
  mutating func place(_ placed: Root) {
    guard case .writing(let root, let write) = self else {
      broken("\(placed.version) gets its place below a session that is \(name)")
    }
    invariant(root.version == placed.version, "\(root.version) has the place of \(placed.version)")
    self = .writing(placed, write)
  }

  /// Lets the version go.
  mutating func leave() {
    switch self {
    case .arrived, .sealed, .reading: self = .idle
    case .idle, .writing, .closed: broken("a session that is \(name) lets its version go")
    }
  }

  /// Ends a frozen session.
  mutating func close() {
    guard case .reading(let root) = self else {
      broken("a frozen session that is \(name) is closed")
    }
    self = .closed(root)
  }
}
