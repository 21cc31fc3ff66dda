#if Mutants
@_private(sourceFile: "ObjectObserver.swift") import ReferenceEngine
@_private(sourceFile: "PathTrace.swift") import ReferenceEngine
@_private(sourceFile: "SectionObserver.swift") import ReferenceEngine

// The eighteenth set: listeners.

/// A listener that may have key paths.
protocol PathListener {
  var hasKeyPaths: Bool { get }
}

extension ObjectObserver: PathListener {
  var hasKeyPaths: Bool { reach.hasKeyPaths }
}

extension RowObserver {
  /// Whether key paths say what concerns the listener.
  var listensByKeyPaths: Bool { (self as? any PathListener)?.hasKeyPaths == true }
}

extension PathTrace {
  /// Stops where the first link of a key path leads nowhere since it was set.
  func stopAtNoLink(_ path: [String], from bound: BoundClass) {
    guard breaks(.keyPathsPassNoLink), path.count > 1, let table = bound.number,
      let column = bound.column(named: path[0]), column.type == .object, column.shape == .single
    else { return }
    for row in modified(column.number, of: table)
    where session.load(row.key, column, of: table) == .null {
      refuse(.invalidated)
    }
  }

  /// What rows of a table link to that were modified in whatever way.
  func targetsOfModified(by column: StoredColumn, of table: Int) -> Set<RowLink> {
    var targets: Set<RowLink> = []
    for change in changes.tables[UInt32(table)] ?? [] where change.kind == .modified {
      for key in change.keys {
        targets.formUnion(session.links(from: RowLink(table: table, key: key), column))
      }
    }
    return targets
  }
}

extension SectionChanges {
  @_dynamicReplacement(for:told(of:))
  func eighteenthTold<Observed>(of observed: Observed) -> SectionedResultsChange<Observed> {
    if breaks(.sectionsMayGoByChanges), !sectionsToDelete.isEmpty, !insertions.isEmpty {
      refuse(.beyondResults(0, count: 0))
    }
    return told(of: observed)
  }
}
#endif
