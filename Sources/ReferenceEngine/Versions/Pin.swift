import CShims

/// A reader's hold on one version, moved from version to version as it refreshes.
///
/// Belongs to one owner at a time, who reads through `root`. Beginning, moving on and ending cost a
/// store and a look, no call and no memory: the place in the table is kept.
final class Pin: @unchecked Sendable {
  // Sendable because it may move with its owner, who uses it from one place at a time.
  let coordinator: Coordinator
  private let table: PinTable
  private let place: PinPlace
  private let board: VersionBoard
  private let pauses: Bool

  /// What is pinned; nil between `release` and the next `advance`.
  @exclusivity(unchecked) private(set) var root: Root? {
    willSet { before = root?.version }
  }
  /// The version that was pinned until that one was; nil if none was.
  @exclusivity(unchecked) private(set) var before: VersionID?

  init(coordinator: Coordinator, kind: PinKind) throws {
    self.coordinator = coordinator
    table = coordinator.pins
    place = try table.claim(kind)
    board = coordinator.board
    pauses = coordinator.seams.readersPause
  }

  deinit { table.release(place) }

  /// Pins the newest version.
  ///
  /// - Returns: whether it is another one than before.
  @discardableResult
  func advance() -> Bool {
    if let root, board.newest == root.version { return false }
    root = board.pinNewest(in: place) {
      if _slowPath(pauses) { coordinator.moments.reach(.pinStored) }
    }
    return true
  }

  /// Lets the version go.
  func release() {
    place.clear()
    root = nil
  }

  /// Pins a version that somebody else keeps meanwhile: a snapshot, another pin, or the writer
  /// inside the gate.
  func adopt(_ root: Root) {
    table.adopt(root, in: place)
    self.root = root
  }
}

/// One version, kept for as long as anyone refers to it. Any thread may read it.
final class Snapshot: @unchecked Sendable {
  // Sendable because nothing in it ever changes.
  let root: Root
  let space: NodeSpace
  let coordinator: Coordinator
  private let place: PinPlace

  init(_ root: Root, kind: PinKind, coordinator: Coordinator) throws {
    self.coordinator = coordinator
    self.root = root
    space = coordinator.space
    let pins = coordinator.pins
    place = try pins.claim(kind)
    pins.adopt(root, in: place)
    coordinator.moments.reach(.versionPinned)
  }

  /// Pins the newest version.
  init(newestIn coordinator: Coordinator, kind: PinKind) throws {
    self.coordinator = coordinator
    space = coordinator.space
    place = try coordinator.pins.claim(kind)
    root = coordinator.board.pinNewest(in: place) {
      if _slowPath(coordinator.seams.readersPause) { coordinator.moments.reach(.pinStored) }
    }
    coordinator.moments.reach(.versionPinned)
  }

  deinit {
    coordinator.snapshots.withLock { $0.remove(self) }
    coordinator.pins.release(place)
    coordinator.moments.reach(.versionReleased)
  }

  var version: VersionID { root.version }
  var top: NodeRef { root.top }
}
