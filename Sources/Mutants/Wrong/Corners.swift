#if Mutants
@_private(sourceFile: "SchedulerInbox.swift") import ReferenceEngine

// Where loops, names and openers meet.

extension SchedulerInbox {
  @_dynamicReplacement(for:loopEnds())
  func cornersLoopEnds() {
    guard breaks(.loopsHearBehindInnerOnes) else { return loopEnds() }
    state.withLock { state in if state.drains > 0 { state.isKnocking = true } }
  }
}
#endif
