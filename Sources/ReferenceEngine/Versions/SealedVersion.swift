/// A version that is committed and has its place, and whose group is still on its way to the disk.
///
/// Only the session that wrote it shows it by itself. Others in the process do if they are handed
/// something of it, which they would not find otherwise; if it is lost they leave it with the next
/// version.
struct SealedVersion: Sendable {
  let root: Root
  /// What somebody is still to write to the file of it.
  let composed: [ComposedRuns]
  /// What is lost with it, if it is.
  let group: [SealedCommit]
}

extension Writer {
  /// The last version of the group may be seen by others from now on. Inside the gate.
  func reveal(_ root: Root) {
    invariant(!root.isWaiting, "\(root.version) has no place that others could read")
    let version = SealedVersion(root: root, composed: composed, group: group)
    hasRevealed = true
    sealed.withLock { $0 = version }
  }

  /// The group has ended, and what it revealed is durable, or will soon be written over where
  /// nobody pins it. Inside the gate.
  func takeBackRevealed() {
    guard hasRevealed else { return }
    hasRevealed = false
    sealed.withLock { $0 = nil }
  }

  /// Whether a version is revealed, or a later one.
  func hasSealed(_ version: VersionID) -> Bool {
    sealed.withLock { $0.map { $0.root.version >= version } ?? false }
  }

  /// What is lost with a version that the disk does not take; nil if that has ended, and was noted.
  ///
  /// - Parameter newest: Asked while the group has not ended, of which that is the base.
  func lostGroup(
    with version: VersionID, behind newest: () -> VersionID
  ) -> LostVersions.Group? {
    sealed.withLock { sealed in
      guard let group = sealed?.group, group.contains(where: { $0.root.version == version })
      else { return nil }
      return LostVersions.Group(of: group, behind: newest())
    }
  }

  /// Pins what is revealed if it is that version or a later one.
  func pinSealed(_ version: VersionID, with pin: Pin) -> SealedVersion? {
    sealed.withLock { sealed in
      guard let sealed, sealed.root.version >= version else { return nil }
      // Under the lock: whoever takes it back has not let its nodes go yet.
      pin.adopt(sealed.root)
      return sealed
    }
  }
}
