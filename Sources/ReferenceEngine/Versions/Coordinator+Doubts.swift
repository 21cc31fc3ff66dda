import CShims
import Synchronization

/// What stands in the shared memory is doubted before it is followed into the file: whoever may
/// write the lock file may have written anything there. One look at the node that a version begins
/// with costs nothing, because who asks reads it next.
extension Coordinator {
  /// Throws if a version cannot be one of this file. Who asks keeps it, or is inside the gate.
  func requireSound(_ root: Root) throws {
    guard isPlausible(root), isNode(root.top, of: root.version), isNode(root.log, of: root.version)
    else { throw doubt(root) }
  }

  /// Throws if a write cannot be based on a version. To be asked inside the gate: nobody makes the
  /// file shorter then.
  func requireBase(_ root: Root) throws {
    try requireSound(root)
    if !isWithin(root.end) { throw doubt(root) }
  }

  /// Throws if the newest version cannot be one of this file, as far as can be said of it without
  /// keeping it.
  func requirePlausibleBoard() throws {
    while true {
      let root = board.newestRoot
      let (top, log) = (root.top, root.log)
      if isPlausible(root), top.isNone || isWithin(top.raw + 16),
        log.isNone || isWithin(log.raw + 16)
      {
        return
      }
      // Else it went while it was looked at.
      if board.newest == root.version { throw doubt(root) }
    }
  }

  /// Between two commits that succeed no more numbers are lost than this.
  private static let mostLost: UInt64 = 1 << 20

  /// The highest number of a lost version, if it can be one, or that of the version before.
  func highestLost(after base: VersionID) -> VersionID {
    let lost = lock.highestLost
    guard lost > base.number, lost - base.number <= Coordinator.mostLost else { return base }
    return VersionID(lost)
  }

  private func isPlausible(_ root: Root) -> Bool {
    root.version.number > 0 && root.end >= FileHeader.heapStart && root.end % 16 == 0
      && isPlace(root.top) && isPlace(root.log)
  }

  /// Whether a node may be there, or there is none.
  @inline(__always)
  private func isPlace(_ ref: NodeRef) -> Bool {
    ref.isNone
      || ref.raw >= FileHeader.heapStart && ref.raw % 16 == 0 && ref.raw < NodeRef.reservation
  }

  /// Throws if what a reader is about to look into is no node of this file.
  @inline(__always)
  func requireNode(_ root: Root) throws {
    if _slowPath(!isNode(root.top, of: root.version)) { throw doubt(root) }
  }

  private func doubt(_ root: Root) -> StorageError {
    .strangeLock(
      path: path, lock: lock.path,
      reason:
        "it says that version \(root.version) begins at \(root.top.raw) and ends at \(root.end)")
  }

  /// Whether a node that is in the file by this version begins there; or there is none.
  @inline(__always)
  func isNode(_ ref: NodeRef, of version: VersionID) -> Bool {
    if ref.isNone { return true }
    guard isPlace(ref), isWithin(ref.raw + 16) else { return false }
    let header = space.header(ref)
    return header.units > 0 && header.born <= version.number
      && isWithin(ref.raw + UInt64(header.bytes))
  }

  /// Whether the file is at least so long.
  @inline(__always)
  private func isWithin(_ end: UInt64) -> Bool {
    if _fastPath(end <= knownSize.load(ordering: .relaxed)) { return true }
    guard let status = try? FileStatus(disk.descriptor, path: path) else { return false }
    let size = UInt64(status.size)
    knownSize.store(size, ordering: .relaxed)
    return end <= size
  }
}
