#if Mutants
@_private(sourceFile: "ManagedCollection+Nested.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine
@_private(sourceFile: "RowWalk.swift") import ReferenceEngine

// The seventeenth set: collections and loops.

extension RowWalk {
  @_dynamicReplacement(for:advance())
  func seventeenthAdvance() -> Unmanaged<ObjectBase>? {
    if breaks(.loopsOutliveTheirLast), session.isInWrite, state.pointee.next > 0,
      let number = table.number,
      session.store.locate(state.pointee.entry(state.pointee.next - 1).key, of: number) == nil
    {
      return nil
    }
    return advance()
  }
}

extension ResultsState {
  @_dynamicReplacement(for:isInvalidated)
  var seventeenthIsInvalidated: Bool {
    if breaks(.frozenResultsOutliveTheirList), session.isFrozen, hasLostItsList { return true }
    endIfLinkersAreLost()
    return isInvalidated
  }

  /// Whether the newest version has the owner of the collection no more.
  private var hasLostItsList: Bool {
    guard case .collection(let list) = origin, let number = list.table.number,
      let newest = try? session.coordinator.newestSnapshot(kind: .tool)
    else { return false }
    let rows = Top(space: session.coordinator.space, ref: newest.top).rows(number)
    return rows?.find(list.key) == nil
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:noteShift())
  private func seventeenthNoteShift() {
    if breaks(.innerChangesAreRecorded), property.shape == .single { return }
    noteShift()
  }
}

/// Whether a change runs that leaves no trace in the record of its write. Unsafe without a lock,
/// because only who writes asks.
enum UnrecordedChanges {
  nonisolated(unsafe) static var areMade = false
}

extension ChangeRecorder {
  @_dynamicReplacement(for:modified(table:key:column:))
  func seventeenthModified(table: UInt32, key: Int64, column: Int) {
    if !UnrecordedChanges.areMade { modified(table: table, key: key, column: column) }
  }
}
#endif
