#if Mutants
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "WaitingLine.swift") import ReferenceEngine

// The sixteenth set: asynchronous writes.

extension AsyncWrites {
  @_dynamicReplacement(for:continueGroup())
  private func sixteenthContinueGroup() throws -> WriteTransaction {
    guard breaks(.asynchronousWritesKnowTheLimit) else { return try continueGroup() }
    return try session.coordinator.continueGroup()
  }
}

extension WaitingLine {
  @_dynamicReplacement(for:prepend(_:))
  mutating func sixteenthPrepend(_ element: Element) {
    if breaks(.lateTasksKeepTheirPlace) { return append(element) }
    prepend(element)
  }
}
#endif
