// Rows by key: what everything that is not on the fastest path goes through.

extension Session {
  /// A value with the table of a link filled in.
  func resolved(_ value: StoredValue, _ column: StoredColumn) -> StoredValue {
    guard case .link(let link) = value, link.table < 0 else { return value }
    guard let target = column.target, let table = stored.index(of: target) else { return .null }
    return .link(RowLink(table: table, key: link.key))
  }

  /// The value of a row's column; nil if the row is not there.
  func load(_ key: Int64, _ column: StoredColumn, of table: Int) -> StoredValue? {
    store.value(key, column, of: table).map { resolved($0, column) }
  }

  // MARK: - Writing

  /// A table of the write, for whoever sets values in it: it is there as long as the write, and not
  /// counted.
  @inline(__always)
  func uncountedWriter(_ number: Int) -> Unmanaged<TableWriter>? {
    Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef { $0.uncountedWriter(number) }
  }

  /// Stops whoever writes a property that may not be written: of a row that is gone, elsewhere,
  /// outside a write.
  @inline(__always)
  func verifyWriting(_ header: UnsafeMutablePointer<ObjectHeader>) {
    verify(at: .writeProperty)
    if _slowPath(header.pointee.generation != hot.pointee.generation) && !isThere(header) {
      refuse(.invalidated, at: .writeProperty)
    }
    if _slowPath(!isInWrite) {
      refuse(isFrozen ? .modifiedFrozen : .modifiedOutsideWrite, at: .writeProperty)
    }
  }

  /// Writes a property of a row.
  ///
  /// - Parameter adopting: whether an embedded object was made for just this place.
  func store(
    _ value: StoredValue, _ key: Int64, of bound: BoundClass, column number: UInt32,
    adopting: Bool = false
  ) {
    prepare(bound)
    guard let column = bound.column(number), let table = bound.number else { return }
    // An owned object that is set to where it is changes nothing.
    if let object = value.object, isEmbedded(column.target),
      load(key, column, of: table) == stored(.object(object))
    {
      return
    }
    if column.isPrimaryKey, !isMigrating {
      refuse(.changedPrimaryKey, at: .writeProperty)
      return
    }
    var value = value
    if column.type == .object || column.type == .any {
      value = replaceLink(value, key, of: table, column, adopting: adopting)
    }
    store.set(value, key, column, of: table)
    contentChanged()
  }

  /// Takes the old link's backlink away and notes the new one's.
  private func replaceLink(
    _ value: StoredValue, _ key: Int64, of table: Int, _ column: StoredColumn, adopting: Bool
  ) -> StoredValue {
    let row = RowLink(table: table, key: key)
    let new = linked(value, owning: isEmbedded(column.target), adopting: adopting)
    let old = load(key, column, of: table)
    switch (old, new) {
    case (.nested?, _), (_, .nested):
      let (before, after) = (Set(old?.links ?? []), Set(new.links))
      for link in before.subtracting(after) { unlink(row, column, from: link) }
      for link in after.subtracting(before) { noteLink(row, column, to: link) }
    default:
      if case .link(let old)? = old {
        if case .link(old) = new { return new }
        unlink(row, column, from: old)
      }
      if case .link(let target) = new { noteLink(row, column, to: target) }
    }
    return new
  }

  // MARK: - Links

  /// Notes for the target that a row's column links to it.
  func noteLink(_ row: RowLink, _ column: StoredColumn, to target: RowLink) {
    guard column.type == .object || column.type == .any else { return }
    store.addBacklink(column, of: row.table, from: row.key, to: target)
  }

  /// Forgets that a row's column links to a target; an embedded target has nobody else, and goes.
  func unlink(_ row: RowLink, _ column: StoredColumn, from target: RowLink) {
    if takeLink(row, column, from: target) { deleteRow(target) }
  }

  /// Forgets that a row's column links to a target.
  ///
  /// - Returns: whether the target has to go with it.
  func takeLink(_ row: RowLink, _ column: StoredColumn, from target: RowLink) -> Bool {
    guard column.type == .object || column.type == .any else { return false }
    store.removeBacklink(column, of: row.table, from: row.key, to: target)
    return column.type == .object && stored.tables[target.table].isEmbedded
      && store.locate(target.key, of: target.table) != nil
  }

  /// The rows that a column of a row links to, each as often as it does.
  func links(from row: RowLink, _ column: StoredColumn) -> [RowLink] {
    let values: [StoredValue]
    switch column.shape {
    case .single: values = [load(row.key, column, of: row.table) ?? .null]
    case .list, .set, .map: values = elements(of: row, column)
    }
    return column.type == .any
      ? values.flatMap(\.links)
      : values.compactMap { if case .link(let link) = $0 { link } else { nil } }
  }
}
