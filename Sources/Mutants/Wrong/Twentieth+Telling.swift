#if Mutants
import Foundation
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Map+Observe.swift") import ReferenceEngine
@_private(sourceFile: "PathTrace.swift") import ReferenceEngine
@_private(sourceFile: "SectionObserver.swift") import ReferenceEngine

// The twentieth set: listeners.

extension Difference {
  /// Forgets the modified members before and behind the part in which something came or went.
  mutating func tellNoNeighbours<Element: Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    if deletions.isEmpty, insertions.isEmpty { return }
    let head = zip(old, new).prefix { $0 == $1 }.reduce(into: 0) { count, _ in count += 1 }
    let tail = zip(old.reversed(), new.reversed())
      .prefix(Swift.min(old.count, new.count) - head).prefix { $0 == $1 }
      .reduce(into: 0) { count, _ in count += 1 }
    let part = head..<(old.count - tail)
    modifications.removeAll { !part.contains($0) }
  }
}

extension Listeners {
  /// Calls the realm's listeners by their places as they are, up to so many as there were.
  func tellByPlace(
    _ notification: Realm.Notification, except skipped: [NotificationToken], since known: VersionID
  ) {
    guard !realmListeners.isEmpty else { return }
    telling {
      let last = realmListeners.count
      var place = 0
      while place < min(last, realmListeners.count) {
        let listener = realmListeners[place]
        place += 1
        if listener.hasEnded(by: known) { continue }
        if skipped.contains(where: { $0.observation === listener }) { continue }
        listener.block(notification, Realm(session))
      }
    }
  }
}

extension PathTrace {
  /// The rows to which some row that is there links more often, or less often, than before.
  func relinkedByTheLiving(by column: StoredColumn, of table: Int) -> Set<RowLink> {
    var relinked: Set<RowLink> = []
    var old: Session?
    for change in changes.tables[UInt32(table)] ?? [] where change.kind != .deleted {
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
        let after = session.links(from: row, column)
        if change.kind == .replaced {
          relinked.formUnion(before + after)
          continue
        }
        var balance: [RowLink: Int] = [:]
        for link in before { balance[link, default: 0] -= 1 }
        for link in after { balance[link, default: 0] += 1 }
        for (link, count) in balance where count != 0 { relinked.insert(link) }
      }
    }
    return relinked
  }
}

extension SectionObserver {
  @_dynamicReplacement(for:news(since:))
  func twentiethNews(since told: Root?) -> (() -> Void)? {
    let state = grouping.members.state
    guard breaks(.movedSectionsAreTold), !isGone, !state.isInvalidated, let told else {
      return news(since: told)
    }
    let changes = session.listeners?.changes(since: told)
    if let changes, !state.mayDependOn(changes), !surroundings.contain(changes, session) {
      return nil
    }
    let touched = changes.map { reach.touched(by: $0, since: told, in: session) } ?? [:]
    let before = known
    passOver()
    var changed = SectionChanges(replaced: changes?.replaced(of: state.elementClass) ?? [])
    for (key, section) in before where known[key] == nil {
      changed.sectionsToDelete.insert(section.position)
    }
    for (key, section) in known {
      changed.add(
        from: before[key].map { ($0.position, $0.members) },
        to: (section.position, section.members),
        isModified: { touched[$0] != nil })
    }
    return changed.isEmpty ? nil : { [self] in block(changed.told(of: observed)) }
  }
}

extension ProjectionObserver {
  @_dynamicReplacement(for:propertyChanges(by:since:))
  func twentiethPropertyChanges(by changes: ChangeSet, since told: Root) -> [PropertyChange]? {
    let right = propertyChanges(by: changes, since: told)
    guard breaks(.projectionsKnowOldValues) else { return right }
    return right?.map { PropertyChange(name: $0.name, oldValue: nil, newValue: $0.newValue) }
  }
}

extension Map {
  // An asynchronous function cannot be called from what replaces it: this is all of it, with the
  // fault.
  @_dynamicReplacement(for:observe(keyPaths:on:_isolation:_:))
  func twentiethObserve<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    guard let session = observedSession else { return NotificationToken() }
    let names = breaks(.namedPathsOfMapsCount) ? nil : keyPaths
    return await Registration.on(actor, self, in: session, block) { Map.observer(names, $0) }
  }
}
#endif
