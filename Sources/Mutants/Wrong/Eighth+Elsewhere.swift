#if Mutants
import Synchronization
@_private(sourceFile: "Coordinator+Rows.swift") import ReferenceEngine
@_private(sourceFile: "Coordinator+Sharing.swift") import ReferenceEngine
@_private(sourceFile: "DeletedRows.swift") import ReferenceEngine
@_private(sourceFile: "KnownClasses.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "PathTrace.swift") import ReferenceEngine
@_private(sourceFile: "PinTable.swift") import ReferenceEngine
@_private(sourceFile: "ReferredRows.swift") import ReferenceEngine
@_private(sourceFile: "Surroundings.swift") import ReferenceEngine
@_private(sourceFile: "Writer.swift") import ReferenceEngine

// The eighth set: rows that go, what listeners are told, and files.

extension Session {
  @_dynamicReplacement(for:endSealedReferred(through:areLost:))
  func eighthEndSealedReferred(through write: UInt32, areLost: Bool) {
    endSealedReferred(through: write, areLost: areLost && !breaks(.lostCommitsEndReferences))
  }

  @_dynamicReplacement(for:loseSealedReferred(from:))
  func eighthLoseSealedReferred(from write: UInt32) {
    if !breaks(.lostCommitsEndReferences) { loseSealedReferred(from: write) }
  }
}

extension Coordinator {
  @_dynamicReplacement(for:hasLost(_:for:))
  func eighthHasLost(_ row: RememberedRow, for version: VersionID) -> Bool {
    hasLost(row, for: version) && !breaks(.lostCommitsEndReferences)
  }

  @_dynamicReplacement(for:remember(_:isFrozen:))
  func eighthRemember(_ row: RememberedRow, isFrozen: Bool) {
    guard breaks(.frozenReferencesLookBack), isFrozen else {
      return remember(row, isFrozen: isFrozen)
    }
    rememberedRows.add(row, readUpTo: newestVersion)
    if row.since < newestVersion { followNewest() }
    hearOrAskAgain()
  }

  @_dynamicReplacement(for:commit(through:))
  func eighthCommit(through flush: SharedFlush) throws {
    guard breaks(.sharedFailuresAreToldToAll) else { return try commit(through: flush) }
    if mayGrow(flush), hasCompany(for: flush), pass(on: flush) {
      wait(for: flush)
    } else {
      writer.company = flush.members - 1
      leaveBehind(flush)
      if let failure = flush.failure { throw failure }
    }
    tell()
  }

  @_dynamicReplacement(for:lookAtItsName())
  func eighthLookAtItsName() throws {
    if !breaks(.writesGoToTheirName) { try lookAtItsName() }
  }
}

extension KnownClasses {
  @_dynamicReplacement(for:all)
  var eighthAll: [BoundClass] {
    if breaks(.namelessClassesLoseRows) { return Array(byType.values) }
    return all
  }
}

extension DeletedRows {
  @_dynamicReplacement(for:follow(to:lastDeletion:in:))
  func eighthFollow(to root: Root, lastDeletion: VersionID, in space: NodeSpace) {
    follow(to: root, lastDeletion: lastDeletion, in: space)
    if breaks(.everyEndIsKnown) { state.withLock { $0.earlier = [:] } }
  }
}

extension Listeners {
  @_dynamicReplacement(for:receive(_:))
  func eighthReceive(_ forecast: Forecast) {
    stopAtLateStep(forecast)
    if breaks(.toldForecastsGo) {
      guard pending === forecast else { return }
      pending = nil
      if forecast.begins(at: session.root) { ready = forecast }
      session.lookForNews()
      if ready?.isSearch == true { ready = nil }
      return
    }
    guard pending === forecast, !forecast.isSearch, forecast.begins(at: session.root) else {
      return receive(forecast)
    }
    if breaks(.stepsAskForAutorefresh), !session.isAutorefreshing, !isTelling,
      !session.isInWrite
    {
      pending = nil
      ready = forecast
      session.advance(to: forecast.root)
      ready = nil
    } else if breaks(.stepsThatWereMadeAreLetGo) {
      pending = nil
      ready = forecast
      session.lookForNews()
    } else {
      receive(forecast)
    }
  }
}

extension Surroundings {
  @_dynamicReplacement(for:contain(_:_:))
  func eighthContain(_ changes: ChangeSet, _ session: Session) -> Bool {
    if breaks(.sectionsHearOverLinks), contain(changes, session) { refuse(.invalidated) }
    guard breaks(.sectionsLookFar), !isEverything, let own = classes.first else {
      return contain(changes, session)
    }
    let near = [own] + own.fields.compactMap(\.linked).map(ClassLayout.of)
    return near.contains { layout in
      session.stored.index(of: layout.name).map { changes.tables[UInt32($0)] != nil } ?? false
    }
  }
}

extension PathTrace {
  @_dynamicReplacement(for:relinked(by:of:))
  private func eighthRelinked(by column: StoredColumn, of table: Int) -> Set<RowLink> {
    if breaks(.pathsBackwardsHearOfLinks) {
      let right = relinked(by: column, of: table)
      return right.union(targetsOfModified(by: column, of: table))
    }
    if breaks(.deletedLinkersAreTold) { return relinkedByTheLiving(by: column, of: table) }
    if breaks(.newOwnersAloneAreHeard) {
      let right = relinked(by: column, of: table)
      return right.filter { changes.kind(of: $0) != nil }
    }
    guard breaks(.linkersAreToldByNumber) else { return relinked(by: column, of: table) }
    var relinked: Set<RowLink> = []
    var old: Session?
    for change in changes.tables[UInt32(table)] ?? [] {
      let rows =
        change.kind == .modified
        ? changes.rows(of: change, modifiedIn: column.number)
        : change.keys.map { RowLink(table: table, key: $0) }
      if rows.isEmpty { continue }
      if change.kind != .inserted, old == nil {
        old = session.listeners?.frozenSession(of: told)
      }
      for row in rows {
        let before = change.kind == .inserted ? [] : old?.links(from: row, column) ?? []
        let after = change.kind == .deleted ? [] : session.links(from: row, column)
        relinked.formUnion(
          change.kind == .replaced ? Set(before + after) : Set(before).symmetricDifference(after))
      }
    }
    return relinked
  }
}

extension PinTable {
  @_dynamicReplacement(for:claim(_:))
  func eighthClaim(_ kind: PinKind) throws -> PinPlace {
    try GivenPlaces.give(of: self)
    try SeenClearings.verify(self)
    let former = spare.withLock { $0.places.last }.map {
      PinPlace(base: lock.pin(Int($0)))
    }
    let formerKind = former?.kind
    let place = try claim(kind)
    if breaks(.placesHaveTheirOwnersKind), place.base == former?.base, let formerKind {
      place.kind = formerKind
    }
    return place
  }
}
#endif
