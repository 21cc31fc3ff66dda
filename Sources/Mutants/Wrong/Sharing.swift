#if Mutants
@_private(sourceFile: "Coordinator+Sharing.swift") import ReferenceEngine
@_private(sourceFile: "Writer.swift") import ReferenceEngine

extension Coordinator {
  @_dynamicReplacement(for:wait(for:))
  private func wrongWait(for flush: SharedFlush) {
    if !breaks(.sharedCommitsAreWaitedFor) { wait(for: flush) }
  }

  @_dynamicReplacement(for:sealedLast)
  private var wrongSealedLast: Root? {
    breaks(.sharedWritesGoOn) ? board.newestRoot : sealedLast
  }
}

extension WriteTransaction {
  @_dynamicReplacement(for:settleBase())
  func wrongSettleBase() {
    if !breaks(.sealedBasesAreSettled) { settleBase() }
  }
}
#endif
