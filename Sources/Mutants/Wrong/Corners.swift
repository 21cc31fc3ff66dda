#if Mutants
import Foundation
@_private(sourceFile: "PathKey.swift") import ReferenceEngine
@_private(sourceFile: "SchedulerInbox.swift") import ReferenceEngine

// Where loops, names and openers meet.

extension SchedulerInbox {
  @_dynamicReplacement(for:loopEnds())
  func cornersLoopEnds() {
    guard breaks(.loopsHearBehindInnerOnes) else { return loopEnds() }
    state.withLock { state in if state.drains > 0 { state.isKnocking = true } }
  }
}

extension PathKey {
  @_dynamicReplacement(for:init(_:))
  init(corners path: String) {
    self.init(breaks(.namesAreBytes) ? path.precomposedStringWithCanonicalMapping : path)
  }
}
#endif
