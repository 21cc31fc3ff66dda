#if Mutants
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Values.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection.swift") import ReferenceEngine
@_private(sourceFile: "Store.swift") import ReferenceEngine

extension Store {
  @_dynamicReplacement(for:makeRoom(of:))
  func wrongMakeRoom(of number: Int) {
    if !breaks(.theGreatestKeyLeavesRoom) { makeRoom(of: number) }
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:allEntries())
  func wrongAllEntries() -> [(key: StoredValue, value: StoredValue)] {
    guard breaks(.mapsAreWalkedAtHome), let stored, let number = table.number else {
      return allEntries()
    }
    let keys = session.strings(session.store.keys(key, stored, of: number))
    return Array(zip(keys.map { StoredValue.string($0) }, values()))
  }

  @_dynamicReplacement(for:isThere)
  private var wrongIsThere: Bool {
    if breaks(.heirsHaveTheirOwnLists) {
      return epoch == session.epoch && !session.writes.haveTakenBack(key, of: table, since: birth)
        && session.hasRow(key, of: table) && (nested == nil || content != nil)
    }
    guard breaks(.undoneCollectionsAreGone) else { return isThere }
    return epoch == session.epoch && session.hasRow(key, of: table)
      && !session.departures.have(key, of: table, after: generation)
      && (nested == nil || content != nil)
  }

  @_dynamicReplacement(for:verifyWrite())
  func wrongVerifyWrite() {
    if breaks(.collectionsChangeAtHome), session.isInWrite { return }
    verifyWrite()
  }

  @_dynamicReplacement(for:linkers())
  func wrongLinkers() -> Linkers {
    if breaks(.linkersAreOfOneProperty), !session.isFrozen, let known = session.lastLinkers,
      known.generation == session.generation, known.target == key
    {
      return known
    }
    if breaks(.knownLinkersAreConfined), !session.isFrozen, let known = session.lastLinkers,
      known.generation == session.generation, known.target == key,
      let name = property.objectClassName, let origin = property.linkOriginPropertyName,
      let source = session.bound(named: name), known.table == source.number,
      known.column == source.column(named: origin)?.number
    {
      return known
    }
    return linkers()
  }

  @_dynamicReplacement(for:linksLeft(to:_:))
  private func wrongLinksLeft(to link: RowLink, _ stored: StoredColumn) -> Int {
    if breaks(.repeatedLinksKeepTheWayBack) { return 0 }
    return linksLeft(to: link, stored)
  }

  @_dynamicReplacement(for:move(from:to:))
  func wrongMove(from: Int, to: Int) {
    move(from: from, to: breaks(.movesEndWhereAsked) && from < to ? to - 1 : to)
  }
}

extension Session {
  @_dynamicReplacement(for:removeLinks(from:_:to:))
  func wrongRemoveLinks(from source: RowLink, _ column: StoredColumn, to target: RowLink) {
    if breaks(.mapsLoseEveryValue), column.shape == .map, column.type == .object {
      let places = store.elements(source.key, column, of: source.table)
        .positions(of: column.cell(.link(target)))
      store.changeEntries(source.key, column, of: source.table) { _, values in
        if let place = places.first { values.set(column.cell(.null), at: place) }
      }
      store.removeBacklink(column, of: source.table, from: source.key, to: target)
      return contentChanged()
    }
    if breaks(.deletedLeaveTheOthers), column.shape == .list, column.type == .object {
      let places = store.elements(source.key, column, of: source.table)
        .positions(of: column.cell(.link(target)))
      store.changeElements(source.key, column, of: source.table) { list in
        for place in places { list.remove(at: place) }
      }
      store.removeBacklink(column, of: source.table, from: source.key, to: target)
      return contentChanged()
    }
    guard breaks(.deletedLeaveEveryPlace), column.shape == .list, column.type == .object else {
      return removeLinks(from: source, column, to: target)
    }
    let places = store.elements(source.key, column, of: source.table)
      .positions(of: column.cell(.link(target)))
    store.changeElements(source.key, column, of: source.table) { list in
      if let place = places.first { list.remove(at: place) }
    }
    store.removeBacklink(column, of: source.table, from: source.key, to: target)
    contentChanged()
  }

  @_dynamicReplacement(for:find(_:_:))
  func wrongFind(_ bound: BoundClass, _ value: StoredValue) -> Int64? {
    if breaks(.nullKeysAreUnique), value == .null { return nil }
    if breaks(.idsAreFoundByIndex), !isInWrite, let table = bound.number,
      let column = bound.primaryKey, [PropertyType.UUID, .objectId].contains(column.type)
    {
      return store.allKeys(of: table).first { store.value($0, column, of: table) == value }
    }
    return find(bound, value) ?? spelledOtherwise(bound, value)
  }
}

extension Store {
  @_dynamicReplacement(for:linkers(to:from:_:))
  func wrongLinkers(
    to target: RowLink, from number: Int, _ column: StoredColumn
  ) -> [Int64] {
    if breaks(.linkersAreCounted) { return backlinks(to: target, from: number, column) }
    if breaks(.entriesLinkOnce), column.shape == .map {
      return linkersOfEntries(to: target, from: number, column)
    }
    return linkers(to: target, from: number, column)
  }

  @_dynamicReplacement(for:show(_:))
  func wrongShow(_ version: NodeRef) -> Bool {
    let last = lastTree
    let rows = tables.count > 0 ? tables[tables.count - 1].rows : nil
    let isShown = show(version)
    if breaks(.refreshesReachTheLastClass), isShown, tables.count > 0 {
      tables[tables.count - 1].rows = rows
    }
    if breaks(.indexesFollowTheVersion) { lastTree = last }
    if breaks(.signpostsFollowTheVersion), isShown { state -= 1 }
    return isShown
  }
}

extension NullBits {
  @_dynamicReplacement(for:remove(_:at:))
  static func wrongRemove(_ bits: UnsafeMutableRawPointer, at index: Int) {
    guard breaks(.nullsStayWithTheirRows) else { return remove(bits, at: index) }
    let words = bits.assumingMemoryBound(to: UInt64.self)
    let first = index >> 6
    let below = UInt64(1) << UInt64(index & 63) - 1
    words[first] = words[first] & below | (words[first] >> 1) & ~below
    for word in first..<3 { words[word + 1] >>= 1 }
    words[3] |= 1 << 63
  }
}
#endif
