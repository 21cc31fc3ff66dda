#if Mutants
import CShims
@_private(sourceFile: "CollectionObserver.swift") import ReferenceEngine
@_private(sourceFile: "Doorbell.swift") import ReferenceEngine
@_private(sourceFile: "MapObserver.swift") import ReferenceEngine
@_private(sourceFile: "ObjectObserver.swift") import ReferenceEngine

// The fourteenth set: listeners.

extension Doorbell {
  @_dynamicReplacement(for:ring(for:))
  func fourteenthRing(for version: VersionID) {
    if own.load(ordering: .relaxed) != version.number {
      if breaks(.ringsAreMadeUpFor), Rings.isTooSoon(self) { return }
      if breaks(.neighboursLookLater), scheduler.isHere, let neighbour = session.session {
        return neighbour.lookForNews()
      }
      if breaks(.restingQueuesHear), case .queue = scheduler.home,
        session.session?.isAutorefreshing == false
      {
        return
      }
    }
    ring(for: version)
  }
}

extension ObjectObserver {
  /// The changes once for each commit that has set the property.
  func toldForEachCommit(_ right: [PropertyChange], since told: Root) -> [PropertyChange] {
    guard let root = session.root,
      let logs = ChangeLog.chain(
        from: root, downTo: told.version, in: session.coordinator.space), logs.count > 1
    else { return right }
    let all = logs.reversed().flatMap { log -> [PropertyChange] in
      let columns = ChangeSet(log.changes).columns(of: row)
      return right.filter { one in
        guard let column = bound.column(named: one.name) else { return false }
        return columns?.contains(column.number) ?? false
      }
    }
    return all.isEmpty ? right : all
  }

  /// What changes of a row of another class, which has the same key, are taken for.
  func toldOfOthers(_ changes: ChangeSet) -> [PropertyChange]? {
    guard changes.change(of: row) == nil else { return nil }
    for table in changes.tables.keys where Int(table) != row.table {
      guard let columns = changes.columns(of: RowLink(table: Int(table), key: row.key)) else {
        continue
      }
      let properties = bound.layout.fields.compactMap { field -> PropertyChange? in
        let property = field.property
        guard property.shape == .single, let column = bound.column(named: property.name),
          columns.contains(column.number)
        else { return nil }
        return PropertyChange(
          name: property.name, oldValue: nil, newValue: object.value(forKey: property.name))
      }
      if !properties.isEmpty { return properties }
    }
    return nil
  }
}

extension CollectionObserver {
  /// Whether all that has changed in the class are objects which are no members, of results that
  /// are distinct.
  func hasHiddenTwinsAlone(since told: Root) -> Bool {
    guard breaks(.hiddenTwinsAreHeard), state.orderings.contains(where: \.isDistinct),
      let table = state.elementClass?.number, case .keys(let members) = known,
      let runs = session.listeners?.changes(since: told)?.tables[UInt32(table)]
    else { return false }
    return runs.allSatisfy { run in
      run.kind == .modified && !members.contains(where: run.keys.contains)
    }
  }

  /// Whether the list itself was written to.
  func wasWritten(since told: Root) -> Bool {
    guard breaks(.nothingIsNotTold), state.isPlain, case .collection(let place) = state.origin,
      place.nested == nil, place.shape == .list, let table = place.table.number,
      let changes = session.listeners?.changes(since: told)
    else { return false }
    let row = RowLink(table: table, key: place.key)
    return changes.columns(of: row)?.contains(Int(place.column)) ?? false
  }
}

extension MapObserver {
  /// The keys without those that have lost their value.
  func withValues(_ keys: [ToldValue]) -> [ToldValue] { keys.filter { known[$0] != .some(.null) } }
}
#endif
