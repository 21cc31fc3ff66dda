import Foundation

/// A listener of sections: of all of them, or of the one with a key.
final class SectionObserver<Observed, Key: _Persistable & Hashable, Member: RealmCollectionValue>:
  Observer, @unchecked Sendable
{
  // Sendable as every observer is.
  private struct Section {
    let position: Int
    let members: Answer
  }

  private let observed: Observed
  private let grouping: SectionGrouping<Key, Member>
  private let only: StoredKey<Key>?
  /// Which changes make members count as modified.
  private let reach: Reach
  /// Which changes may bring a member to another section.
  private let surroundings: Surroundings
  private let block: (SectionedResultsChange<Observed>) -> Void
  /// The sections as the listener knows them.
  private var known: [StoredKey<Key>: Section] = [:]
  private var isGone = false

  init(
    _ observed: Observed, of grouping: SectionGrouping<Key, Member>, only: Key? = nil,
    in session: Session, keyPaths: [String]?,
    _ block: @escaping (SectionedResultsChange<Observed>) -> Void
  ) {
    self.observed = observed
    self.grouping = grouping
    if let only { self.only = StoredKey(only) } else { self.only = nil }
    let members = grouping.members.state.elementClass
    reach = Reach(ofMembers: members, keyPaths: keyPaths)
    surroundings = Surroundings(of: members)
    self.block = block
    super.init(session: session, told: nil)
  }

  override func news(since told: Root?) -> (() -> Void)? {
    guard !isGone else { return nil }
    let state = grouping.members.state
    if state.isInvalidated { return farewell(hasBegun: told != nil) }
    guard let told else {
      passOver()
      return { [self] in block(.initial(observed)) }
    }
    let changes = session.listeners?.changes(since: told)
    if let changes, !state.mayDependOn(changes), !surroundings.contain(changes, session) {
      return nil
    }
    let touched = changes.map { reach.touched(by: $0, since: told, in: session) } ?? [:]
    let replaced = changes?.replaced(of: state.elementClass) ?? []
    var before = known
    passOver()
    var changed = SectionChanges(replaced: replaced)
    // Sections may change places, too: who moved has gone, and come again with all members.
    let (was, now) = (SectionObserver.order(before), SectionObserver.order(known))
    for position in Difference(from: was, to: now, isModified: { _ in false }).deletions {
      guard let section = before.removeValue(forKey: was[position]) else { continue }
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

  /// The owner of the collection is gone, and all sections with it: as a collection's listener is
  /// told of that.
  private func farewell(hasBegun: Bool) -> (() -> Void)? {
    isGone = true
    if !hasBegun { return nil }
    var changed = SectionChanges(replaced: [])
    for section in known.values { changed.sectionsToDelete.insert(section.position) }
    return { [self] in block(changed.told(of: observed)) }
  }

  private static func order(_ sections: [StoredKey<Key>: Section]) -> [StoredKey<Key>] {
    sections.sorted { $0.value.position < $1.value.position }.map(\.key)
  }

  override func passOver() {
    guard !grouping.members.state.isInvalidated else { return }
    let answer = grouping.members.state.answer()
    known = [:]
    for (position, section) in grouping.sections().enumerated() {
      let key = StoredKey(section.key)
      if let only, only != key { continue }
      known[key] = Section(position: position, members: answer.at(section.positions))
    }
  }
}

/// What has happened to sections since a listener was told.
private struct SectionChanges {
  /// The members that are others under the same keys.
  let replaced: Set<Int64>
  private var deletions: [IndexPath] = []
  private var insertions: [IndexPath] = []
  private var modifications: [IndexPath] = []
  private var sectionsToInsert = IndexSet()
  var sectionsToDelete = IndexSet()

  init(replaced: Set<Int64>) { self.replaced = replaced }

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  mutating func add(
    from old: (position: Int, members: Answer)?, to new: (position: Int, members: Answer),
    isModified: (Int64) -> Bool
  ) {
    func path(_ section: Int) -> (Int) -> IndexPath { { IndexPath(indexes: [section, $0]) } }
    let none: Answer = if case .values = new.members { .values([]) } else { .keys([]) }
    let members = old?.members ?? none
    var difference = Difference(from: members, to: new.members, isModified: isModified)
    difference.replace(members.places(of: replaced), by: new.members.places(of: replaced))
    if old == nil { sectionsToInsert.insert(new.position) }
    deletions += difference.deletions.map(path(old?.position ?? 0))
    insertions += difference.insertions.map(path(new.position))
    modifications += difference.modifications.map(path(old?.position ?? 0))
  }

  func told<Observed>(of observed: Observed) -> SectionedResultsChange<Observed> {
    .update(
      observed, deletions: deletions.sorted(), insertions: insertions.sorted(),
      modifications: modifications.sorted(), sectionsToInsert: sectionsToInsert,
      sectionsToDelete: sectionsToDelete)
  }
}

extension Answer {
  /// The members at those positions, as an answer of their own.
  fileprivate func at(_ positions: [Int]) -> Answer {
    switch self {
    case .whole(let rows): .keys(positions.compactMap(rows.key(at:)))
    case .keys(let keys): .keys(positions.map { keys[$0] })
    case .values(let values): .values(positions.map { values[$0] })
    }
  }
}
