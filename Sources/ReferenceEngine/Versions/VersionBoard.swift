import CShims

/// Where the newest version of a file and the roots of the last ones stand, for all processes to see.
///
/// Plain addresses: a reader comes here through no object that others count, too. Counting it on another core would take the
/// memory away that its fields lie in, which costs a refresh more than all that it does.
struct VersionBoard: @unchecked Sendable {
  // Sendable because it only names memory that is shared by purpose.
  let base: UnsafeMutableRawPointer

  @inline(__always)
  private func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  /// Makes a version the newest, for all processes.
  func publish(_ root: Root) {
    let entry = LockFile.rootsOffset + Int(root.version.number % 64) * LockFile.rootStride
    rb_store_relaxed(word(entry), root.version.number)
    rb_store_relaxed(word(entry + 8), root.top.raw)
    rb_store_relaxed(word(entry + 16), root.log.raw)
    rb_store_relaxed(word(entry + 24), root.end)
    rb_store_relaxed(word(entry + 32), root.when)
    rb_store_relaxed(
      word(entry + 40), UInt64(root.slot) | UInt64(root.commitProtocol.rawValue) << 8)
    rb_store_seq_cst(published, root.version.number)
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

  @inline(__always)
  private func entry(of version: VersionID) -> Root {
    let entry = LockFile.rootsOffset + Int(version.number % 64) * LockFile.rootStride
    let how = rb_load_relaxed(word(entry + 40))
    return Root(
      version: version,
      top: NodeRef(raw: rb_load_relaxed(word(entry + 8))),
      log: NodeRef(raw: rb_load_relaxed(word(entry + 16))),
      end: rb_load_relaxed(word(entry + 24)),
      when: rb_load_relaxed(word(entry + 32)),
      slot: Int(how & 1), commitProtocol: CommitProtocol(rawValue: UInt32(how >> 8)) ?? .twoPhase)
  }

  /// Pins the newest version in a place, in which another one may stand.
  @inline(__always)
  func pinNewest(in place: PinPlace) -> Root {
    while true {
      let version = newest
      let root = entry(of: version)
      place.store(root)
      if _slowPath(Seams.readersPause) { Seams.current.moments.reach(.pinStored) }
      if rb_load_seq_cst(published) == version.number { return root }
    }
  }
}
