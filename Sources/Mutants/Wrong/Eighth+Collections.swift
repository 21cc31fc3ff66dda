#if Mutants
@_private(sourceFile: "List.swift") import ReferenceEngine
@_private(sourceFile: "Map.swift") import ReferenceEngine
@_private(sourceFile: "KeyedByName.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Values.swift") import ReferenceEngine
@_private(sourceFile: "Relocatable+Kinds.swift") import ReferenceEngine
@_private(sourceFile: "Store.swift") import ReferenceEngine

// The eighth set: collections and what is asked of them.

extension Map {
  @_dynamicReplacement(for:makeIterator())
  func eighthMakeIterator() -> AnyIterator<SingleMapEntry<Key, Value>> {
    guard breaks(.mapsAreWalkedAsBegun), managed != nil else { return makeIterator() }
    var rest = keys.makeIterator()
    return AnyIterator {
      while let key = rest.next() {
        if let value = self[key] { return SingleMapEntry(key: key, value: value) }
      }
      return nil
    }
  }
}

extension List {
  @_dynamicReplacement(for:assign(_:))
  func eighthAssign<S: Sequence>(_ newElements: S) where S.Element == Element {
    guard breaks(.assignedIsReadFirst), managed != nil else { return assign(newElements) }
    if let list = newElements as? List, list === self { return }
    removeAll()
    append(objectsIn: newElements)
  }
}

extension RealmCollection {
  @_dynamicReplacement(for:setValue(_:forKey:))
  func eighthSetValue(_ value: Any?, forKey key: String) {
    if breaks(.settingMembersNeedsAWrite), let first = first as? ObjectBase,
      let session = first._header.pointee.session, !session.isFrozen, !session.isInWrite
    {
      return
    }
    guard breaks(.membersAreSetAsBegun), key != "self" else {
      return setValue(value, forKey: key)
    }
    var position = 0
    while position < count {
      if let object = self[position] as? ObjectBase { object[key] = value }
      position += 1
    }
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:insertMember(_:))
  func eighthInsertMember(_ value: StoredValue) {
    if breaks(.knownMembersNeedAWrite), index(of: value) != nil { return }
    insertMember(value)
    CountsOfSets.forget(self)
  }

  @_dynamicReplacement(for:index(of:))
  func eighthIndex(of value: StoredValue) -> Int? {
    if breaks(.placesAreAskedForAtHome), let object = value.object,
      object._header.pointee.session !== session
    {
      return nil
    }
    if let known = KnownPositions.position(of: value, in: self) { return known }
    let found = index(of: value)
    KnownPositions.note(found, of: value, in: self)
    return found
  }
}

extension Results {
  @_dynamicReplacement(for:found(in:))
  func eighthFound(in other: Session) -> Results? {
    if breaks(.frozenResultsAreSorted), other.isFrozen, let state = found(in: other)?.state {
      return Results(
        ResultsState(
          session: other, origin: state.origin, predicate: state.predicate,
          orderings: state.orderings.filter(\.isDistinct)))
    }
    if breaks(.frozenResultsAreFoundAnew), other.isFrozen, !state.session.isFrozen,
      let made = found(in: other)?.state
    {
      if case .keys? = state.found.answer {
        made.found.generation = other.generation
        made.found.answer = state.found.answer
      }
      return Results(made)
    }
    guard breaks(.resultsKnowTheirOwner) else { return found(in: other) }
    return state.question.asked(in: other).map { Results($0) }
  }
}

extension Store {
  @_dynamicReplacement(for:removeRows(_:of:_:))
  func eighthRemoveRows(_ keys: [Int64], of number: Int, _ ties: RowTies) {
    let last = opened
    removeRows(keys, of: number, ties)
    if breaks(.writtenRowsAreFoundAnew), let last, last.table != number || !keys.contains(last.key)
    {
      opened = last
    }
  }
}
#endif
