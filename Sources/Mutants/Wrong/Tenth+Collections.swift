#if Mutants
import CShims
import Foundation
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "Session+Objects.swift") import ReferenceEngine
@_private(sourceFile: "Store.swift") import ReferenceEngine
@_private(sourceFile: "Store+Collections.swift") import ReferenceEngine
@_private(sourceFile: "Store+Copying.swift") import ReferenceEngine

// The tenth set: rows, and what belongs to them.

extension Session {
  @_dynamicReplacement(for:deleteRows(_:of:))
  func tenthDeleteRows(_ keys: [Int64], of number: Int) {
    let ties = ties(of: number)
    if breaks(.rowsDeletedTogetherComeBack), ties.isAlone, ties.givesKeysAgain, keys.count > 1 {
      store.removeRows(keys, of: number, ties)
      contentChanged()
      for key in keys { departures.read(number, key...key, at: generation) }
      return
    }
    guard breaks(.deletedTogetherIsAChange), ties.isAlone, keys.count > 1 else {
      return deleteRows(keys, of: number)
    }
    store.removeRows(keys, of: number, ties)
    if ties.givesKeysAgain { noteDepartures(keys, of: number) }
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:removeAll())
  func tenthRemoveAll() {
    if breaks(.emptyingNeedsAWrite), count == 0 { return }
    removeAll()
    CountsOfSets.forget(self)
  }
}

extension MutableSet {
  @_dynamicReplacement(for:_rlmAdopt(_:_:))
  static func tenthAdopt(_ value: MutableSet, _ cell: _Cell) {
    if breaks(.heldSetsAreAdopted) { return _rlmWrite(value, cell) }
    _rlmAdopt(value, cell)
  }
}

extension Store {
  @_dynamicReplacement(for:changeEntries(_:_:of:_:))
  func tenthChangeEntries(
    _ key: Int64, _ column: StoredColumn, of number: Int,
    _ change: (_ keys: inout ListWriter, _ values: inout ListWriter) -> Void
  ) {
    guard breaks(.keysCostLittle) else { return changeEntries(key, column, of: number, change) }
    changeEntries(key, column, of: number) { keys, values in
      let isFirst = !keys.root.isNone && !keys.root.isPending
      change(&keys, &values)
      if isFirst {
        keys.writeAnew()
        values.writeAnew()
      }
    }
  }

  @_dynamicReplacement(for:removeAllRows(_:))
  func tenthRemoveAllRows(_ schema: StoredSchema) {
    guard breaks(.emptiedClassesLetGo) else { return removeAllRows(schema) }
    opened = nil
    for (number, table) in schema.tables.enumerated() where !table.isDropped {
      guard let writer = writer(number) else { continue }
      writer.trees = [:]
      writer.deleteAll()
    }
  }

  @_dynamicReplacement(for:removeRow(_:of:_:))
  func tenthRemoveRow(_ key: Int64, of number: Int, _ ties: RowTies) {
    guard breaks(.deletedListsLetGo) else { return removeRow(key, of: number, ties) }
    if !ties.indexed.isEmpty, let place = locate(key, of: number) {
      for column in ties.indexed { removeIndex(column, of: number, place, key) }
    }
    writer(number)?.delete(key)
    mayLeave = true
    opened = nil
  }

  @_dynamicReplacement(for:addIndex(_:of:_:_:))
  private func tenthAddIndex(
    _ column: StoredColumn, of number: Int, _ value: StoredValue, _ key: Int64
  ) {
    if breaks(.nullsAreIndexed), value == .null { return }
    if breaks(.indexesAreChangedInPlace), !column.isRowKey, let arena = trees?.arena,
      BuiltIndexes.isFirst(arena, number, column.indexNumber)
    {
      setIndexed(false, column, of: number)
      for other in allKeys(of: number) where other != key {
        guard let place = locate(other, of: number) else { continue }
        addIndex(column, of: number, column.value(place, space), other)
      }
    }
    addIndex(column, of: number, value, key)
  }

  @_dynamicReplacement(for:setIndexed(_:_:of:))
  func tenthSetIndexed(_ isIndexed: Bool, _ column: StoredColumn, of number: Int) {
    if breaks(.mixedValuesCanBeIndexedLater), isIndexed, hasValues(column, of: number) {
      refuse(.invalidated)
    }
    // Lets go of the former one, and goes no further.
    setIndexed(isIndexed && !breaks(.lateIndexesAreFilled), column, of: number)
  }

  @_dynamicReplacement(for:addBacklinks(_:_:_:of:))
  private func tenthAddBacklinks(
    _ values: [StoredValue], _ key: Int64, _ column: StoredColumn, of number: Int
  ) {
    if breaks(.copiesLinkBack) { return }
    addBacklinks(values, key, column, of: number)
  }
}

extension ListWriter {
  /// Writes all of it to new nodes.
  fileprivate mutating func writeAnew() {
    let tree = tree
    let cells = (0..<tree.count).map { tree.cell($0) }
    removeAll()
    for cell in cells { append(cell) }
  }
}
#endif
