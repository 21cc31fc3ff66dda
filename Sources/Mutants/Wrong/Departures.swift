#if Mutants
@_private(sourceFile: "Departures.swift") import ReferenceEngine

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
