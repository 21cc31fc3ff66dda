#if Mutants
@_private(sourceFile: "Coordinator.swift") import ReferenceEngine
@_private(sourceFile: "Reach.swift") import ReferenceEngine

// The sixteenth set: listeners.

extension Reach {
  @_dynamicReplacement(for:isSame(as:))
  func sixteenthIsSame(as other: Reach) -> Bool {
    // Not with `||`: within a closure the name would be this function's.
    if breaks(.listenersHaveTheirOwnReach) { return true }
    return isSame(as: other)
  }
}

extension Coordinator {
  @_dynamicReplacement(for:hear())
  func sixteenthHear() throws {
    guard breaks(.earlyCommitsAreHeard) else { return try hear() }
    if hears.load(ordering: .relaxed) || !isOfThisProcess { return }
    try ears.withLock { ears in
      if hears.load(ordering: .relaxed) || ears.listeners.isEmpty { return }
      try beacon.listen { [tie] in tie.thing?.noteOthers() }
      hears.store(true, ordering: .relaxed)
    }
  }
}
#endif
