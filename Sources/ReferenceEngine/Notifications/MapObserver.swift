/// A listener of a map.
final class MapObserver<Key: _MapKey, Value: RealmCollectionValue>: Observer, @unchecked Sendable {
  // Sendable as every observer is.
  typealias Observed = Map<Key, Value>

  private let map: Observed
  private let place: ManagedCollection
  private let reach: Reach
  private let block: (RealmMapChange<Observed>) -> Void
  private var known: [ToldValue: StoredValue] = [:]
  private var isGone = false

  init?(
    _ map: Observed, in session: Session, keyPaths: [String]?,
    _ block: @escaping (RealmMapChange<Observed>) -> Void
  ) {
    guard let place = map.managed else { return nil }
    self.map = map
    self.place = place
    let member = place.property.type == .object ? place.elementClass : nil
    reach = Reach(ofMembers: member, keyPaths: keyPaths)
    self.block = block
    super.init(session: session, told: nil)
  }

  override func news(since told: Root?) -> (() -> Void)? {
    guard !isGone else { return nil }
    if place.isInvalidated {
      isGone = true
      return told == nil ? nil : telling(Array(known.keys), [], [])
    }
    guard let told else {
      passOver()
      return { [self] in block(.initial(map)) }
    }
    let before = known
    let changes = session.listeners?.changes(since: told)
    let touched = changes.map { reach.touched(by: $0, since: told, in: session) } ?? [:]
    let behind =
      place.property.type == .any && known.values.contains { !$0.links.isEmpty }
      ? changes.map { reach.rows(touchedBy: $0, in: session) } ?? [] : []
    passOver()
    let deletions = before.keys.filter { known[$0] == nil }
    let insertions = known.keys.filter { before[$0] == nil }
    let modifications = known.filter { key, value in
      guard let old = before[key] else { return false }
      if case .link(let link) = value, touched[link.key] != nil { return true }
      if value.links(toAnyOf: behind) { return true }
      return !old.isStored(as: value)
    }.map(\.key)
    if deletions.isEmpty && insertions.isEmpty && modifications.isEmpty { return nil }
    return telling(deletions, insertions, modifications)
  }

  override func passOver() {
    guard !place.isInvalidated else { return }
    known = Dictionary(
      place.allEntries().map { (ToldValue($0.key), $0.value) }, uniquingKeysWith: { $1 })
  }

  private func telling(
    _ deletions: [ToldValue], _ insertions: [ToldValue], _ modifications: [ToldValue]
  ) -> () -> Void {
    func typed(_ keys: [ToldValue]) -> [Key] {
      keys.map { Key._rlmDecode(_Stored($0.value, session)) }.sorted { "\($0)" < "\($1)" }
    }
    let change = RealmMapChange<Observed>.update(
      map, deletions: typed(deletions), insertions: typed(insertions),
      modifications: typed(modifications))
    return { [self] in block(change) }
  }
}
