#if Mutants
import Foundation
@_private(sourceFile: "NotificationToken.swift") import ReferenceEngine

extension NotificationToken {
  @_dynamicReplacement(for:hold(_:))
  @discardableResult
  func wrongHold(_ observation: any Observation) -> Bool {
    // What nobody lets go of never ends.
    if breaks(.droppedTokensEnd) { _ = Unmanaged.passRetained(self) }
    if breaks(.endedTokensRegisterNothing) {
      state.withLock { $0 = .holding(observation) }
      return true
    }
    return hold(observation)
  }

  @_dynamicReplacement(for:hasEnded)
  var wrongHasEnded: Bool { breaks(.endedTokensRegisterNothing) ? false : hasEnded }

  @_dynamicReplacement(for:invalidate())
  @discardableResult
  func wrongInvalidate() -> Bool {
    if breaks(.waitingTokensEnd), !hasEnded, observation == nil {
      _ = invalidate()
      return false
    }
    if breaks(.endedListenersEndTheirThread), !hasEnded {
      Thread.detachNewThread { while true { Thread.sleep(forTimeInterval: 3600) } }
    }
    return invalidate() || breaks(.tokensEndOnce)
  }
}
#endif
