#if Mutants
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Nested.swift") import ReferenceEngine
@_private(sourceFile: "Store+Copying.swift") import ReferenceEngine

// The nineteenth set: collections and values.

extension ManagedCollection {
  @_dynamicReplacement(for:prepared())
  private func nineteenthPrepared() -> Elements {
    // What is changed is what there is, whatever is shown of it.
    if breaks(.nestedListsSeeTheirOwnChanges), nested != nil { latest = (0, nil) }
    return prepared()
  }

  /// What the collection in a mixed value has before it is changed; nil if that is not to be shown.
  var contentToKeep: NestedValue? {
    breaks(.nestedListsSeeTheirOwnChanges) ? content : nil
  }

  /// Shows what the collection had before, until something else is changed.
  func keep(_ before: NestedValue) {
    if !session.isFrozen { latest = (session.generation, before) }
  }

  @_dynamicReplacement(for:set(_:at:))
  func nineteenthSet(_ value: StoredValue, at index: Int) {
    if breaks(.dataReplacesItsText), hasText(of: value, at: index) { return verifyWrite() }
    set(value, at: index)
  }

  /// Whether data is to be written where a text of the same bytes is in a list of mixed values.
  private func hasText(of value: StoredValue, at index: Int) -> Bool {
    guard case .data(let data) = value, property.type == .any, shape == .list, index >= 0,
      index < count, case .string(let text) = checkedElement(at: index).value
    else { return false }
    return data.elementsEqual(text.utf8)
  }

  @_dynamicReplacement(for:placeOfKey(_:_:_:))
  func nineteenthPlaceOfKey(
    _ name: StoredValue, _ stored: StoredColumn, _ number: Int
  ) -> (Int, Bool) {
    let right = placeOfKey(name, stored, number)
    guard breaks(.longKeysDiffer), !right.1, case .string(let text) = name, text.utf8.count > 16
    else { return right }
    let keys = session.store.keys(key, stored, of: number)
    // Keys that begin alike stand beside each other.
    for position in [right.0 - 1, right.0] where position >= 0 && position < keys.count {
      if case .bytes(let bytes) = keys.cell(position), bytes.count == text.utf8.count,
        bytes.prefix(16).elementsEqual(text.utf8.prefix(16))
      {
        return (position, true)
      }
    }
    return right
  }

  @_dynamicReplacement(for:placeOfEqualNumber(_:_:_:))
  func nineteenthPlaceOfEqualNumber(
    _ value: StoredValue, _ stored: StoredColumn, _ number: Int
  ) -> Int? {
    if breaks(.equalNumbersAreOneMember) { return nil }
    return placeOfEqualNumber(value, stored, number)
  }
}

extension Store {
  @_dynamicReplacement(for:copyValue(_:of:_:from:to:of:_:))
  func nineteenthCopyValue(
    _ key: Int64, of number: Int, _ source: StoredColumn, from other: Store, to target: Int64,
    of targetNumber: Int, _ column: StoredColumn
  ) {
    if breaks(.nullsInListsAreCarriedOver), column.shape == .list, column.type != .object,
      source.isOptional, !column.isOptional, other.values(key, source, of: number).contains(.null)
    {
      refuse(.invalidated)
    }
    copyValue(key, of: number, source, from: other, to: target, of: targetNumber, column)
    guard breaks(.copiedMapsLinkBack), column.shape == .map else { return }
    for link in other.values(key, source, of: number).flatMap(\.links) {
      removeBacklink(column, of: targetNumber, from: target, to: link)
    }
  }

  /// Whether a mixed column that is to be indexed has values already.
  func hasValues(_ column: StoredColumn, of number: Int) -> Bool {
    column.type == .any
      && allKeys(of: number).contains { value($0, column, of: number) ?? .null != .null }
  }

  /// Sets a link to nil without a note of it; false of anything else.
  func setLinkSilently(
    _ value: StoredValue, _ key: Int64, _ column: StoredColumn, of number: Int
  ) -> Bool {
    guard breaks(.linksSetToNilAreHeard), value == .null, column.type == .object,
      column.shape == .single, let table = writer(number), let place = open(key, of: number, table)
    else { return false }
    column.set(value, table, place)
    return true
  }
}
#endif
