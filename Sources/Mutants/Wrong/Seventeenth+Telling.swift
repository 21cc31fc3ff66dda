#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine

// The seventeenth set: listeners.

extension Listeners {
  /// Takes all listeners away, so that nobody hears of the step that follows.
  func takeObservers() -> [Observer] {
    defer { observers = [] }
    return observers
  }

  /// Puts them back, as if they knew what has happened meanwhile.
  func putBack(_ all: [Observer]) {
    observers = all + observers
    session.noteQuiet()
    for observer in all where !observer.hasEnded { observer.skip() }
  }

  /// The version that is being looked into elsewhere, if it is not the newest any more.
  var stepOfTheWorker: Root? {
    guard !isTelling, let pending, !pending.isSearch, pending.begins(at: session.root),
      pending.root.version < coordinator.newestVersion
    else { return nil }
    return pending.root
  }
}

extension ResultsState {
  @_dynamicReplacement(for:follow(_:since:within:_:))
  func seventeenthFollow(
    _ changes: ChangeSet?, since told: Root, within reach: Reach, _ known: inout Answer
  ) -> Difference? {
    if breaks(.orderedModificationsAreTold), !orderings.isEmpty {
      let step = follow(changes, since: told, within: reach, &known)
      return step?.deletions.isEmpty == true && step?.insertions.isEmpty == true ? nil : step
    }
    let isBroken = breaks(.sortedModificationsAreSorted) && !orderings.isEmpty
    let before = isBroken ? known.keys : []
    let difference = follow(changes, since: told, within: reach, &known)
    guard isBroken, var told = difference else { return difference }
    let places = before.sorted()
    told.modifications = told.modifications.compactMap { position in
      before.indices.contains(position) ? places.firstIndex(of: before[position]) : nil
    }.sorted()
    return told
  }
}
#endif
