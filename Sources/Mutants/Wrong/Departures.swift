#if Mutants
@_private(sourceFile: "Departures.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine

extension Session {
  @_dynamicReplacement(for:readDeletions(since:))
  private func wrongReadDeletions(since version: VersionID) {
    if breaks(.foreseenStepsReadDeletions), listeners?.ready != nil { return }
    if breaks(.unheardRealmsFollowDeletions), listeners?.isEmpty == true { return }
    readDeletions(since: version)
  }

  @_dynamicReplacement(for:deleteAll())
  func wrongDeleteAll() {
    guard breaks(.allThatGoesIsNoted) else {
      let before = generation
      deleteAll()
      return EmptiedRealms.note(from: before, self)
    }
    read()
    store.removeAllRows(stored)
    contentChanged()
  }
}

extension Departures {
  @_dynamicReplacement(for:endWrite(isKept:))
  mutating func wrongEndWrite(isKept: Bool) {
    endWrite(isKept: isKept || breaks(.cancelledDeletionsAreForgotten))
  }

  @_dynamicReplacement(for:read(_:_:at:))
  mutating func wrongRead(_ table: Int, _ keys: ClosedRange<Int64>, at generation: UInt32) {
    if breaks(.neighboursGoLikeOthers), keys.count > 1 { return }
    read(table, keys, at: generation)
  }

  @_dynamicReplacement(for:haveInWrite(_:))
  func wrongHaveInWrite(_ row: RowLink) -> Bool {
    haveInWrite(row) && !breaks(.thawingAsksTheWrite)
  }
}
#endif
