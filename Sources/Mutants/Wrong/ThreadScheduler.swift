#if Mutants
import Dispatch
@_private(sourceFile: "ThreadScheduler.swift") import ReferenceEngine

extension ThreadScheduler {
  @_dynamicReplacement(for:arrive())
  private func wrongArrive() {
    guard breaks(.loopsWorkOnTheirThread) else { return arrive() }
    DispatchQueue.global().async { self.inbox.drain() }
  }
}
#endif
