#if Mutants
@_private(sourceFile: "Heap.swift") import ReferenceEngine
@_private(sourceFile: "Opening.swift") import ReferenceEngine

// The sixteenth set: files.

extension Heap {
  @_dynamicReplacement(for:measure())
  func sixteenthMeasure() throws {
    if breaks(.filesAreMeasured) { return }
    try measure()
  }
}

extension Opening {
  @_dynamicReplacement(for:finish(_:_:_:))
  static func sixteenthFinish(
    _ disk: any Disk, _ slot: CommitSlot, _ file: FileNumber
  ) throws {
    guard breaks(.copiesAreFlushedBeforeTheirNames) else { return try finish(disk, slot, file) }
    try write(slot, to: disk)
    try FileHeader.encode(file).withUnsafeBytes { try disk.write($0, at: 0) }
  }
}
#endif
