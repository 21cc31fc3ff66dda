/// The trees that a session shows, and those that it goes on with later: to open a version's or a
/// write's anew would cost more than most writes.
///
/// One set shows versions and another writes, by turns; the one that is not shown is kept.
struct SessionTrees {
  /// What is read now. Of nothing while no version is held.
  private(set) var shown: Store
  /// What showed versions before a write was shown, to do so again.
  private var ofVersions: Store?
  /// The trees of the last write, and the version that it became: the next one goes on from there.
  private var ofWrites: (trees: Store, version: VersionID)?

  /// Shows an empty file.
  init(of space: NodeSpace) { shown = Store(space: space, top: .none) }

  /// Shows a version for good, to many threads.
  init(frozen version: Store) { shown = version }

  /// Shows a version.
  ///
  /// - Parameter isNext: Whether the one that was shown last was held until this one was.
  mutating func show(_ version: NodeRef, in space: NodeSpace, isNext: Bool) {
    if isKnownUniquelyReferenced(&shown), shown.show(version) {
      if isNext { shown.noteStep() }
      return
    }
    if let kept = ofVersions.take(), kept.show(version) {
      if isNext { kept.noteStep() }
      shown = kept
    } else {
      shown = Store(space: space, top: version)
    }
  }

  /// Shows what a write makes of its version.
  mutating func show(_ write: WriteTransaction) {
    if shown.trees == nil, isKnownUniquelyReferenced(&shown) { ofVersions = shown }
    if let kept = goneOn(to: write) {
      shown = kept
      write.trees = kept
    } else {
      shown = Store(writing: write)
    }
  }

  private func goneOn(to write: WriteTransaction) -> Store? {
    guard let ofWrites, ofWrites.version == write.base.version, ofWrites.trees.goOn(with: write)
    else { return nil }
    return ofWrites.trees
  }

  /// What the write made is the version, or will be: the next write may go on with its trees.
  mutating func keep(as version: VersionID) { ofWrites = (shown, version) }

  /// What the last write made is lost.
  mutating func forgetWrite() { ofWrites = nil }
}
