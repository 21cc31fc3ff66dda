#if Mutants
import Synchronization
@_private(sourceFile: "RememberedRows.swift") import ReferenceEngine
@_private(sourceFile: "DeletedRows.swift") import ReferenceEngine
@_private(sourceFile: "Relocatable+Kinds.swift") import ReferenceEngine
@_private(sourceFile: "PinTable.swift") import ReferenceEngine
@_private(sourceFile: "Joining.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Nested.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine
@_private(sourceFile: "ColumnTest+Choosing.swift") import ReferenceEngine

// The seventh set: references, snapshots, queries and files.

extension RememberedRows {
  @_dynamicReplacement(for:add(_:readUpTo:))
  func seventhAdd(_ row: RememberedRow, readUpTo version: VersionID) {
    if breaks(.manyVariablesAreRemembered) {
      state.withLock { state in
        if state.rows.count >= 64 { state.rows.removeFirst(state.rows.count - 63) }
      }
    }
    add(row, readUpTo: version)
  }
}

extension DeletedRows {
  @_dynamicReplacement(for:keeper(of:since:))
  func seventhKeeper(of tables: Set<UInt32>, since version: VersionID) -> Keeper {
    var (tables, since) = (tables, version)
    state.withLock { state in
      if state.keepers == 0 { return }
      if breaks(.olderSnapshotsLookFurtherBack) { since = max(version, state.since) }
      if breaks(.laterFrozenClassesAreFollowed) { tables = state.tables }
    }
    return keeper(of: tables, since: since)
  }
}

extension Question {
  @_dynamicReplacement(for:asked(in:))
  func seventhAsked(in session: Session) -> ResultsState? {
    guard breaks(.allOrderingsTravel), orderings.count > 1, !session.isFrozen else {
      return asked(in: session)
    }
    return Question(
      origin: origin, predicate: predicate, orderings: Array(orderings.prefix(1))
    ).asked(in: session)
  }
}

extension Session {
  @_dynamicReplacement(for:hasLost(_:like:since:))
  fileprivate func seventhHasLost(
    _ key: Int64, like bound: BoundClass, since other: Session?
  ) -> Bool {
    if breaks(.replacedObjectsAreNotFrozen), isFrozen { return false }
    if breaks(.runningDeletionsAreSeenByThaw), let other, other.isFrozen, !isFrozen,
      let table = bound.number, departures.haveInWrite(RowLink(table: table, key: key))
    {
      return false
    }
    return hasLost(key, like: bound, since: other)
  }

  @_dynamicReplacement(for:linked(_:owning:adopting:))
  func seventhLinked(
    _ value: StoredValue, owning: @autoclosure () -> Bool, adopting: Bool = false
  ) -> StoredValue {
    guard breaks(.nestedFrozenAreRefused), case .nested = value, copies == nil else {
      return linked(value, owning: owning(), adopting: adopting)
    }
    return value.replacingSingles { single in
      guard let object = single.object else { return single }
      let header = object._header
      if let owner = header.pointee.session, owner.isFrozen, owner.coordinator === coordinator,
        let table = header.pointee.table?.number
      {
        return .link(RowLink(table: table, key: header.pointee.key))
      }
      return .link(link(to: object, owning: false))
    }
  }
}

extension PinTable {
  @_dynamicReplacement(for:distinctVersions(among:thatAreRead:))
  private func seventhDistinctVersions(
    among count: Int, thatAreRead: Bool = false
  ) -> [VersionID] {
    stopBehind(count)
    let seen = breaks(.latePinsCount) && !thatAreRead ? min(count, 64) : count
    return distinctVersions(among: seen, thatAreRead: thatAreRead)
  }
}

extension Joining.Hold {
  @_dynamicReplacement(for:isEmpty())
  func seventhIsEmpty() throws -> Bool {
    guard breaks(.shortFilesAreRefused) else { return try isEmpty() }
    let known: Int
    if let size { known = size } else { known = Int(try disk.map { try $0.size() } ?? 0) }
    return known < FileHeader.sector
  }
}

extension ResultsState {
  @_dynamicReplacement(for:hasFirst)
  var seventhHasFirst: Bool {
    if breaks(.firstMatchesMayBeBelowZero), case .all(let table) = origin, orderings.isEmpty,
      !predicate.isEverything
    {
      withFound { found in
        guard found.answer == nil, found.count == nil, found.first == nil else { return }
        let first = indexed(table, &found, atMost: 1)
        found.first = first
      }
    }
    if breaks(.firstOnesAreFoundInWrites), session.isInWrite {
      if lacksFirst { return false }
      let found = hasFirst
      if !found { rememberLackOfFirst() }
      return found
    }
    guard breaks(.firstOnesHaveLeastKeys), case .all(let table) = origin, orderings.isEmpty,
      !predicate.isEverything, let rows = session.rows(of: table),
      rows.key(at: 0).map({ $0 < 0 }) ?? false
    else { return hasFirst }
    return withFound { found in
      if let answer = found.answer { return answer.count > 0 }
      if let count = found.count { return count > 0 }
      if let first = found.first, !first.isEmpty { return true }
      guard let keys = indexed(table, &found, atMost: 1) else { return countMembers(&found) > 0 }
      found.first = keys
      return !keys.isEmpty
    }
  }
}

extension PredicateBinding {
  @_dynamicReplacement(for:identityTest(_:_:_:))
  private func seventhIdentityTest(
    _ place: ColumnTest.Place, _ operation: Comparison.Operation, _ values: [StoredValue]
  ) -> ColumnTest? {
    guard breaks(.identitiesInAreNull), operation == .in else {
      return identityTest(place, operation, values)
    }
    return identityTest(place, operation, values.filter { $0 != .null })
  }
}
#endif
