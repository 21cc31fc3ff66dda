#if Mutants
import Dispatch
@_private(sourceFile: "AsyncMachine.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Flush.swift") import ReferenceEngine
@_private(sourceFile: "WaitingLine.swift") import ReferenceEngine

// The twenty-first set: asynchronous writes.

extension WaitingLine {
  @_dynamicReplacement(for:index(where:))
  private func twentyFirstIndex(where condition: (Element) -> Bool) -> Int? {
    guard breaks(.cancellingCountsFromTheFront) else { return index(where: condition) }
    let waiting = places.dropFirst(head).enumerated()
    return waiting.first { $0.element.map(condition) ?? false }?.offset
  }
}

extension AsyncMachine {
  @_dynamicReplacement(for:giveTurnBack())
  private mutating func twentyFirstGiveTurnBack() -> Effect {
    guard breaks(.cancelledTurnsAreGivenBack) else { return giveTurnBack() }
    leaveUnusedPlace()
    if let wait = share.takeWait() { return .withdraw(wait) }
    return share.takeHeld().map { .leave($0) } ?? .nothing
  }

  @_dynamicReplacement(for:takeBackTurn())
  private mutating func twentyFirstTakeBackTurn() {
    if breaks(.overtakenTasksWaitAgain) { guest = nil } else { takeBackTurn() }
  }
}

extension AsyncWrites {
  @_dynamicReplacement(for:blockFailed(_:_:))
  private func twentyFirstBlockFailed(_ fail: @escaping Completion, _ error: any Error) {
    guard breaks(.failedBeginsAreNoSuccess) else { return blockFailed(fail, error) }
    Logger.tell(.error, "Write cannot begin: \(Realm.Error(error).message)")
    complete([.init(completion: fail)], nil)
  }
}

extension Flush {
  @_dynamicReplacement(for:wait())
  func twentyFirstWait() {
    guard breaks(.flushesAreWaitedForAgain) else { return wait() }
    moments.wait(at: .flushAwaited) { self.hasEnded }
    ended.wait()
  }
}
#endif
