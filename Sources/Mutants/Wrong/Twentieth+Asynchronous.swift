#if Mutants
import CShims
@_private(sourceFile: "AsyncMachine.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWriteQueue.swift") import ReferenceEngine
@_private(sourceFile: "Carrier.swift") import ReferenceEngine
@_private(sourceFile: "HeldWrite.swift") import ReferenceEngine

// The twentieth set: who waits for whom.

extension AsyncMachine {
  @_dynamicReplacement(for:took(_:))
  mutating func twentiethTook(_ isThere: Bool) {
    let before = lateness
    took(isThere)
    if breaks(.latenessIsForgiven), isThere { lateness = before }
  }
}

extension AsyncWriteQueue {
  @_dynamicReplacement(for:refuse(_:_:))
  mutating func twentiethRefuse(_ completion: Completion?, _ error: any Error) -> ID {
    let id = refuse(completion, error)
    if breaks(.refusalsKeepTheirPlace) { refused[refused.count - 1].behind = 0 }
    return id
  }

  @_dynamicReplacement(for:takeRefused(behind:))
  mutating func twentiethTakeRefused(behind count: Int = 0) -> [Ended] {
    let ready = takeRefused(behind: count)
    guard breaks(.refusalsAreTold) else { return ready }
    return ready.map { Ended(completion: $0.completion) }
  }
}

extension Carrier {
  @_dynamicReplacement(for:arrive(with:))
  fileprivate func twentiethArrive(with flush: Flush) -> Flush? {
    guard breaks(.dueTurnsBegin) else { return arrive(with: flush) }
    (isHome, mayTakeTurn) = (true, true)
    session.asyncWrites.finish(through: flush)
    // Forgotten with it is that a turn was asked for.
    (isHome, mayTakeTurn, turnIsDue) = (false, false, false)
    defer { load = nil }
    isTaken = load != nil
    return load
  }
}

extension HeldWriteWatch {
  @_dynamicReplacement(for:look(_:))
  private func twentiethLook(_ errands: any Errands) {
    guard breaks(.everyHeldWriteIsWatched) else { return look(errands) }
    let now = rb_uptime()
    let (late, again) = state.withLock { state -> (HeldWrite?, UInt64?) in
      let held = state.held
      if held != nil, state.until > now { return (nil, state.until - now) }
      // Who is to be watched next finds that a look is due, and nobody looks.
      state.held = nil
      return (held, nil)
    }
    late?.take()?.cancel()
    guard let again else { return }
    errands.run(after: Int(again / 1_000_000) + 1) { [self] in twentiethLook(errands) }
  }
}
#endif
