/// What comes before a commit: a write is sealed, on top of those of its group that were before it.
extension Coordinator {
  /// Seals a write and commits it: a group of one, unless some have waited for it.
  func commit(
    _ write: WriteTransaction, _ requested: CommitProtocol?, pinning pin: Pin? = nil
  ) throws -> Root {
    // What stands apart from others is asked for by itself.
    let isApart = requested != nil
    let sealed: SealedCommit
    if let flush = write.flush {
      let behind = try sealBehind(flush, write, requested, isApart: isApart, pinning: pin)
      sealed = behind.sealed
      if behind.isShared {
        try commit(through: flush)
        return sealed.root
      }
    } else {
      do {
        sealed = try sealInside(write, requested)
      } catch {
        // Still inside: as soon as the gate is left, a group is somebody else's.
        giveUpGroup()
        throw error
      }
    }
    if !isApart, isShared(write) {
      try commit(through: share(sealed, pinning: pin))
      return sealed.root
    }
    return try commitGroup(requested, pinning: pin)
  }

  /// Commits all that is sealed, or throws as `Commit.run` says.
  func commitGroup(_ requested: CommitProtocol? = nil, pinning pin: Pin? = nil) throws -> Root {
    try Commit(file: self, requested: requested, pin: pin).run()
  }

  /// Steps 1 and 2 for one commit, at once.
  @discardableResult
  func seal(
    _ write: WriteTransaction, _ requested: CommitProtocol? = nil, isForLater: Bool = false
  ) throws -> SealedCommit {
    do {
      return try sealInside(write, requested, isForLater: isForLater)
    } catch {
      // The commits before it in the group are whole; without any there is nothing to stay inside
      // for.
      if !writer.isGroupOpen { leaveGate() }
      throw error
    }
  }

  /// The same, by one that stays inside the gate even if it comes to nothing.
  func sealInside(
    _ write: WriteTransaction, _ requested: CommitProtocol?, isForLater: Bool = false
  ) throws -> SealedCommit {
    try placeGroup(isForLater: isForLater)
    let wanted =
      isForLater
      ? protocolOfGroup(of: write.arena.pendingBytes, requested)
      : requested ?? configuration.commitProtocol
    let sealed = try place(write, wanted, isForLater: isForLater)
    append(sealed)
    return sealed
  }

  /// Adds a commit to the group, each on top of the one before.
  func append(_ sealed: SealedCommit) {
    if let last = writer.group.last {
      invariant(
        last.root.version < sealed.root.version,
        "version \(sealed.root.version) is sealed behind \(last.root.version)")
    }
    writer.group.append(sealed)
  }
}
