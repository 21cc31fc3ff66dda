import CShims

/// Where the newest version of a file and the roots of the last ones stand, for all processes to
/// see.
///
/// Plain addresses: a reader comes here through no object that others count, too. Counting it on
/// another core would take the memory away that its fields lie in, which costs a refresh more than
/// all that it does.
struct VersionBoard: @unchecked Sendable {
  // Sendable because it only names memory that is shared by purpose.
  let base: UnsafeMutableRawPointer

  @inline(__always)
  private func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  /// Makes a version the newest, for all processes.
  ///
  /// - Parameter keepsRows: Whether it certainly has all rows that the one before it has.
  func publish(_ root: Root, keepsRows: Bool = false) {
    invariant(root.version > newest, "version \(root.version) is published behind \(newest)")
    invariant(!root.isWaiting, "version \(root.version) is published, and waits for its place")
    invariant(
      root.top.isNone || root.top.raw < root.end,
      "version \(root.version) begins at \(root.top.raw), behind its end at \(root.end)")
    invariant(0...1 ~= root.slot, "version \(root.version) stands in slot \(root.slot)")
    if !keepsRows { rb_store_release(deleting, root.version.number) }
    invariant(
      newest.number == 0 || !VersionBoard.shareEntry(root.version, newest),
      "version \(root.version) is published where \(newest) stands")
    let entry = VersionBoard.entry(of: root.version)
    rb_store_relaxed(word(entry), root.version.number)
    write(root, at: entry + 8)
    // Whoever reads one of the words that follow sees this one, too, if it looks afterwards.
    rb_store_relaxed(arriving, root.version.number)
    write(root, at: LockFile.publishedOffset + 8)
    rb_store_seq_cst(published, root.version.number)
  }

  private func write(_ root: Root, at place: Int) {
    rb_store_release(word(place), root.top.raw)
    rb_store_release(word(place + 8), root.log.raw)
    rb_store_release(word(place + 16), root.end)
    rb_store_release(word(place + 24), root.when)
    rb_store_release(
      word(place + 32), UInt64(root.slot) | UInt64(root.commitProtocol.rawValue) << 8)
  }

  /// Where the root of a version stands among the last.
  private static func entry(of version: VersionID) -> Int {
    LockFile.rootsOffset + Int(version.number % UInt64(LockFile.roots)) * LockFile.rootStride
  }

  /// Whether two versions have one entry among the last roots: of two that follow each other the
  /// later one must not, because the earlier one is read there until it is not the newest any more.
  static func shareEntry(_ one: VersionID, _ other: VersionID) -> Bool {
    (one.number &- other.number) % UInt64(LockFile.roots) == 0
  }

  @inline(__always)
  var published: UnsafeMutablePointer<UInt64> { word(LockFile.publishedOffset) }

  @inline(__always)
  var newest: VersionID { VersionID(rb_load_acquire(published)) }

  /// The newest root. Only one who is inside the gate may use it without a pin.
  var newestRoot: Root {
    while true {
      let version = newest
      let root = entry(of: version)
      if newest == version { return root }
    }
  }

  /// The version whose root is being written beside the newest version, or was written there last.
  @inline(__always)
  private var arriving: UnsafeMutablePointer<UInt64> { word(LockFile.publishedOffset + 48) }

  /// The root that stands beside the newest version, if it is that of `version`.
  ///
  /// A reader fetches one cache line from whoever has committed, and not two. While a root is being
  /// written there, and if its writer died over it, there is none: the list of roots has it.
  @inline(__always)
  private func shown(_ version: VersionID) -> Root? {
    let root = root(version, at: LockFile.publishedOffset + 8)
    return _fastPath(rb_load_acquire(arriving) == version.number) ? root : nil
  }

  private func entry(of version: VersionID) -> Root {
    let entry = VersionBoard.entry(of: version)
    // Of another version: it is not the newest any more, or a stranger wrote that it is.
    guard rb_load_acquire(word(entry)) == version.number else { return .nowhere(version) }
    return root(version, at: entry + 8)
  }

  @inline(__always)
  private func root(_ version: VersionID, at place: Int) -> Root {
    let how = rb_load_acquire(word(place + 32))
    return Root(
      version: version,
      top: NodeRef(raw: rb_load_acquire(word(place))),
      log: NodeRef(raw: rb_load_acquire(word(place + 8))),
      end: rb_load_acquire(word(place + 16)),
      when: rb_load_acquire(word(place + 24)),
      slot: Int(how & 1),
      commitProtocol: CommitProtocol(rawValue: UInt32(truncatingIfNeeded: how >> 8)) ?? .twoPhase)
  }

  /// In the line that a reader of the newest version fetches anyway.
  private static let deletingOffset = 56

  @inline(__always)
  private var deleting: UnsafeMutablePointer<UInt64> {
    word(LockFile.publishedOffset + VersionBoard.deletingOffset)
  }

  /// The newest version that may lack rows of the one before it, among those up to the newest and
  /// the one that is just being published.
  @inline(__always)
  var lastDeletion: VersionID { VersionID(rb_load_acquire(deleting)) }

  /// The same for whoever has only the address of the newest version.
  @inline(__always)
  static func lastDeletion(beside published: UnsafeMutablePointer<UInt64>) -> VersionID {
    VersionID(rb_load_acquire(published + deletingOffset / 8))
  }

  /// Pins the newest version in a place, in which another one may stand.
  ///
  /// - Parameter stored: Called when the pin stands there, and before it is known whether the
  ///   version is the newest still.
  @inline(__always)
  func pinNewest(in place: PinPlace, stored: () -> Void = {}) -> Root {
    while true {
      let version = newest
      let root = shown(version) ?? entry(of: version)
      place.propose(root)
      stored()
      if _fastPath(rb_load_seq_cst(published) == version.number) {
        place.confirm(root)
        return root
      }
    }
  }
}
