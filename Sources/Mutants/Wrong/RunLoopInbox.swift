#if Mutants
import CoreFoundation
import Dispatch
@_private(sourceFile: "RunLoopInbox.swift") import ReferenceEngine

extension RunLoopInbox {
  @_dynamicReplacement(for:arrive())
  func wrongArrive() {
    guard breaks(.loopsWorkOnTheirThread), loop !== CFRunLoopGetMain() else { return arrive() }
    DispatchQueue.global().async { self.inbox.drain() }
  }
}
#endif
