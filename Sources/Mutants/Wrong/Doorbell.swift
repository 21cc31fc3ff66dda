#if Mutants
@_private(sourceFile: "Doorbell.swift") import ReferenceEngine

extension Doorbell {
  @_dynamicReplacement(for:ring())
  func wrongRing() {
    if breaks(.needlessRingsAreAnswered) {
      guard !hasRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
      return scheduler.run { [self] in
        let home = session.session
        if let home, home.root != nil, home.isNewest, home.listeners?.isEmpty == true { return }
        hasRung.store(false, ordering: .releasing)
        home?.lookForNews()
      }
    }
    guard breaks(.bellsRingAgain) else { return ring() }
    guard !hasRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
    scheduler.run { [self] in
      session.session?.lookForNews()
      hasRung.store(false, ordering: .releasing)
    }
  }
}
#endif
