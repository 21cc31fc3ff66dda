#if Mutants
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Nested.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Values.swift") import ReferenceEngine
@_private(sourceFile: "MixedCopy.swift") import ReferenceEngine
@_private(sourceFile: "RowWalk.swift") import ReferenceEngine
@_private(sourceFile: "Store+Copying.swift") import ReferenceEngine

// The seventh set: collections, loops and copies.

extension ManagedCollection {
  @_dynamicReplacement(for:swap(_:_:))
  func seventhSwap(_ first: Int, _ second: Int) {
    guard breaks(.swappedListsAreAskedAnew), nested == nil,
      case .inTrees(let stored, let number) = prepared()
    else { return swap(first, second) }
    let (one, other) = (checkedElement(at: first).value, checkedElement(at: second).value)
    session.store.changeElements(key, stored, of: number) {
      $0.set(stored.cell(other), at: first)
      $0.set(stored.cell(one), at: second)
    }
  }

  @_dynamicReplacement(for:content)
  var seventhContent: NestedValue? {
    // What has changed its content once since has made a step, and what has written many.
    if breaks(.nestedListsAreFoundAnew), !session.isFrozen, !session.isInWrite,
      let known = latest.content, session.generation == latest.generation &+ 1
    {
      latest = (session.generation, known)
      return known
    }
    if !session.isInWrite, let known = latest.content,
      CancelledContent.was(latest.generation, in: session)
    {
      return known
    }
    if breaks(.nestedOnesComeBack), nested != nil, !session.isFrozen, latest.content == nil {
      return nil
    }
    return content
  }

  @_dynamicReplacement(for:value(forKey:))
  func seventhValue(forKey name: StoredValue) -> StoredValue? {
    if breaks(.frozenMapsAreReadApart), session.isFrozen {
      SharedKey.put(name)
      return value(forKey: SharedKey.get())
    }
    guard breaks(.mapsAreLookedUpAtHome), epoch == session.epoch,
      case .inTrees(let stored, let number) = elements
    else { return value(forKey: name) }
    let (position, isThere) = placeOfKey(name, stored, number)
    guard isThere else { return nil }
    let (column, index) = session.store.elements(key, stored, of: number).place(at: position)
    return resolved(stored.value(column, index, session.store.space), stored)
  }
}

extension RowWalk {
  @_dynamicReplacement(for:fill(from:))
  private func seventhFill(from keys: ArraySlice<Int64>) {
    guard breaks(.deletedMembersAreVisited), session.isInWrite, listed > 0,
      let rows = session.rows(of: table)
    else { return fill(from: keys) }
    let there = keys.filter { rows.find($0) != nil }
    fill(from: there.isEmpty ? keys : there[...])
  }
}

extension MixedCopy {
  @_dynamicReplacement(for:take(_:))
  private mutating func seventhTake(_ step: Step) {
    if breaks(.copiesReachIntoLists), case .list(let list, let copy) = step {
      for element in list.all { copy.elements.append(element) }
      return
    }
    take(step)
  }
}

extension Store {
  @_dynamicReplacement(for:fill(from:_:))
  func seventhFill(from other: Store, _ schema: StoredSchema) {
    var filled = schema
    if breaks(.copiesHaveTheirSchemaVersion) { filled.version = nil }
    fill(from: other, filled)
    guard breaks(.copiesHaveAllIndexes) else { return }
    for (number, table) in schema.tables.enumerated() where !table.isDropped {
      for column in table.columns
      where !column.isDropped && column.isIndexed && column.type == .UUID {
        writer(number)?.trees[column.indexNumber] = nil
      }
    }
  }
}
#endif
