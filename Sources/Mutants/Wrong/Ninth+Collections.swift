#if Mutants
import Foundation
import Synchronization
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "Session+Creating.swift") import ReferenceEngine
@_private(sourceFile: "Store.swift") import ReferenceEngine

/// A list that was appended to in a write.
private struct Append: Hashable {
  let write: UInt32
  let table: Int
  let key: Int64
  let column: UInt32
}
/// Those of the write that runs in a realm.
private let appended = Mutex<[ObjectIdentifier: (tie: SessionTie, all: Set<Append>)]>([:])

extension ManagedCollection {
  /// Whether nothing was appended in this write before.
  private var isFirstAppend: Bool {
    let (tie, write) = (session.tie, session.writes.number)
    let append = Append(write: write, table: table.number ?? -1, key: key, column: column)
    return appended.withLock { appended in
      let id = ObjectIdentifier(tie)
      var all = appended[id]?.all ?? []
      if all.first?.write != write { all = [] }
      let isFirst = all.insert(append).inserted
      appended[id] = (tie, all)
      return isFirst
    }
  }

  @_dynamicReplacement(for:append(_:adopting:))
  func ninthAppend(_ value: StoredValue, adopting: Bool = false) {
    if breaks(.appendsCostLittle), nested == nil, session.isInWrite, session.scheduler.isHere,
      let stored, stored.shape == .list, stored.type != .object, stored.type != .any,
      isFirstAppend
    {
      return replaceAll(with: allValues() + [value])
    }
    append(value, adopting: adopting)
  }

  @_dynamicReplacement(for:forget(_:_:))
  private func ninthForget(_ link: RowLink, _ stored: StoredColumn) {
    if breaks(.otherPlacesStillLink), stored.shape == .list, stored.type == .object,
      linksLeft(to: link, stored) > 0
    {
      let row = RowLink(table: table.number ?? -1, key: key)
      return session.unlink(row, stored, from: link)
    }
    forget(link, stored)
  }
}

extension Map {
  @_dynamicReplacement(for:merge(_:uniquingKeysWith:))
  func ninthMerge<S: Sequence>(
    _ other: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    if breaks(.mergesKnowTheirSides) {
      for (key, value) in other {
        self[key] = try self[key].map { try combine(value, $0) } ?? value
      }
      return
    }
    try merge(other, uniquingKeysWith: combine)
  }

  @_dynamicReplacement(for:_rlmCoerceProperty(_:))
  static func ninthCoerceProperty(_ any: Any) -> Map? {
    if breaks(.copiesHaveOwnMaps), let same = any as? Map, same.managed != nil { return same }
    return _rlmCoerceProperty(any)
  }
}

extension Session {
  @_dynamicReplacement(for:write(_:to:_:_:isNew:promoting:))
  func ninthWrite(
    _ given: Any, to cell: _Cell, _ field: ClassLayout.Field, _ update: Realm.UpdatePolicy,
    isNew: Bool, promoting: Bool = false
  ) {
    if breaks(.updatesWriteNil), !isNew, update == .modified, present(given) == nil { return }
    write(given, to: cell, field, update, isNew: isNew, promoting: promoting)
  }
}

extension Store {
  @_dynamicReplacement(for:set(_:_:_:of:))
  func ninthSet(_ value: StoredValue, _ key: Int64, _ column: StoredColumn, of number: Int) {
    var isForgotten = false
    if breaks(.formerNullsAreIndexed), column.isIndexed, value != .null {
      let isNew = opened.map { $0.isNew && $0.key == key && $0.table == number } ?? false
      let before = self.value(key, column, of: number)
      isForgotten = !isNew && before == StoredValue.null
    }
    if setLinkSilently(value, key, column, of: number) { return }
    set(value, key, column, of: number)
    if isForgotten {
      changePairs(column.indexNumber, of: number) { pairs in
        _ = pairs.remove(Pair(first: value.indexWord, second: UInt64(bitPattern: key)))
      }
    }
  }
}
#endif
