extension ChangeSet {
  /// What changed between two versions, found by comparing them: for when the records between them
  /// are gone, or did not tell every row because there were too many. The caller keeps both pinned.
  ///
  /// Costs what differs. Two things only a record tells: that a value was set to itself, and that a
  /// row was deleted and came again under its key, which looks like one that was changed. Records
  /// that could not tell all rows mostly tell at least the deleted ones, and so does what is left
  /// of those that are gone.
  init(comparing old: Root, with new: Root, in space: NodeSpace) {
    let (before, after) = (Top(space: space, ref: old.top), Top(space: space, ref: new.top))
    var changes: [RowChange] = []
    for number in 0..<max(before.tableCount, after.tableCount) {
      let (one, other) = (before.tableRef(number), after.tableRef(number))
      if one == other { continue }
      let none = Table(
        rows: RowTree(
          space: space, root: .none, height: 0, count: 0, table: 0, form: .none), nextKey: 0,
        specs: [],
        trees: [:])
      let differences = TreeDiff(
        from: before.table(number) ?? none, to: after.table(number) ?? none)
      differences.forEachRow { key, kind, columns in
        let kind = RowChange.Kind(kind)
        if kind == .modified {
          changes += RowChange.modified(
            table: UInt32(number), key: key, isShifted: true, columns: columns)
        } else {
          changes.append(
            RowChange(
              table: UInt32(number), kind: kind, isShifted: true, key: key, count: 1, columns: 0))
        }
      }
    }
    Deletions(after: old.version, upTo: new, in: space).each { table, keys, version in
      guard version > old.version else { return }
      changes += RowChange.replaced(keys, of: table, from: before, to: after)
    }
    self.init(changes)
  }
}

extension Coordinator {
  /// What changed between two versions of which the records do not tell, the older one of which may
  /// have been lost. The caller keeps both pinned.
  func compare(_ old: Root, with new: Root) -> ChangeSet {
    let changes = ChangeSet(comparing: old, with: new, in: space)
    guard let lost = lostVersions.group(of: old.version) else { return changes }
    // What the lost commits had added never was: who has its key in the newer one is another.
    let (before, after) = (Top(space: space, ref: old.top), Top(space: space, ref: new.top))
    var others: [RowChange] = []
    for commit in lost.commits where commit.version <= old.version {
      for (table, runs) in commit.added {
        for keys in runs {
          others += RowChange.replaced(keys, of: table, from: before, to: after)
        }
      }
    }
    return ChangeSet(changes.all + others)
  }
}

extension RowChange {
  /// Of rows that are no longer what they were, those that both of two versions have.
  fileprivate static func replaced(
    _ keys: ClosedRange<Int64>, of table: UInt32, from before: Top, to after: Top
  ) -> [RowChange] {
    guard let rows = before.table(Int(table))?.rows, let others = after.table(Int(table))?.rows
    else { return [] }
    var changes: [RowChange] = []
    var place = rows.position(of: keys.lowerBound).position
    while let key = rows.key(at: place), key <= keys.upperBound {
      place += 1
      if others.find(key) == nil { continue }
      changes.append(RowChange(table: table, kind: .replaced, key: key, count: 1, columns: 0))
    }
    return changes
  }
}

extension RowChange.Kind {
  fileprivate init(_ kind: TreeDiff.Kind) {
    self =
      switch kind {
      case .inserted: .inserted
      case .deleted: .deleted
      case .modified: .modified
      }
  }
}
