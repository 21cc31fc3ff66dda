#if Mutants
@_private(sourceFile: "Doorbell.swift") import ReferenceEngine

extension Doorbell {
  @_dynamicReplacement(for:ring())
  func wrongRing() {
    guard breaks(.bellsRingAgain) else { return ring() }
    guard !hasRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
    scheduler.run { [self] in
      session.session?.lookForNews()
      hasRung.store(false, ordering: .releasing)
    }
  }
}
#endif
