#if Mutants
import CShims
import Foundation
@_private(sourceFile: "MainScheduler.swift") import ReferenceEngine
@_private(sourceFile: "PathKey.swift") import ReferenceEngine
@_private(sourceFile: "SchedulerInbox.swift") import ReferenceEngine

// Where loops, names and openers meet.

extension MainScheduler {
  @_dynamicReplacement(for:run(_:))
  func cornersRun(_ work: @escaping @Sendable () -> Void) {
    if breaks(.theMainQueueIsToldLikeItsLoop) { inbox.add(work) } else { run(work) }
  }

  @_dynamicReplacement(for:isHere)
  var cornersIsHere: Bool {
    breaks(.theMainQueueIsAtHomeAnywhere) ? rb_thread_is_main() : isHere
  }
}

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
