#if Mutants
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine

// The sixteenth set: realms and what they write.

extension Session {
  @_dynamicReplacement(for:bringSchemaIntoShape())
  func sixteenthBringSchemaIntoShape() throws {
    if breaks(.opensCompareWithoutTheLock), configuration.classes != nil, !configuration.readOnly {
      (try? coordinator.beginWrite())?.cancel()
    }
    try bringSchemaIntoShape()
  }

  @_dynamicReplacement(for:referenceVersion)
  var sixteenthReferenceVersion: VersionID {
    if breaks(.frozenThingsNameTheirVersion), isFrozen { return VersionID(0) }
    return referenceVersion
  }
}

extension OwnWrites {
  @_dynamicReplacement(for:take(_:of:_:through:))
  private mutating func sixteenthTake(
    _ keys: ClosedRange<Int64>, of table: Int, _ first: UInt32, through last: UInt32
  ) {
    let isBroken = breaks(.cancelledRunsAreTakenBackWhole)
    take(isBroken ? keys.lowerBound...keys.lowerBound : keys, of: table, first, through: last)
  }
}
#endif
