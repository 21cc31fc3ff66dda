#if Mutants
@_private(sourceFile: "AsyncMachine.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWriteQueue.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine

// The seventh set: asynchronous writes.

extension AsyncMachine {
  @_dynamicReplacement(for:callNext())
  private mutating func seventhCallNext() -> Effect {
    let staysOutside = !breaks(.outerCompletionsStayCompletions)
    let letsGo = !breaks(.calledCompletionsGo)
    if staysOutside, letsGo { return callNext() }
    if due.called < due.completions.count {
      let (completion, error) = due.completions[due.called]
      due.called += 1
      return .call(completion, error)
    }
    if letsGo {
      due.completions.removeAll(keepingCapacity: true)
      due.called = 0
    }
    completing = staysOutside ? completing - 1 : 0
    return .nothing
  }
}

extension AsyncWriteQueue {
  @_dynamicReplacement(for:hasNext)
  var seventhHasNext: Bool {
    if breaks(.barriersEndGroups), sealed.count > 1 {
      return phase == .running && sealed.count < Self.groupLimit && !waiting.isEmpty
    }
    return hasNext
  }
}

extension AsyncWrites {
  @_dynamicReplacement(for:writeFailed())
  func seventhWriteFailed() {
    guard breaks(.failedWritesLetBlocksRun) else {
      return writeFailed()
    }
    finishFlushes()
  }

  @_dynamicReplacement(for:finishFlushes())
  private func seventhFinishFlushes() {
    if breaks(.takenGroupsAreTold), machine.isRunning { return }
    finishFlushes()
  }
}
#endif
