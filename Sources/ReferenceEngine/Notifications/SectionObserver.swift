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
  private let only: Key?
  /// Which changes make members count as modified.
  private let reach: Reach
  /// Which changes may bring a member to another section.
  private let surroundings: Surroundings
  private let block: (SectionedResultsChange<Observed>) -> Void
  /// The sections as the listener knows them.
  private var known: [Key: Section] = [:]

  init(
    _ observed: Observed, of grouping: SectionGrouping<Key, Member>, only: Key? = nil,
    in session: Session, keyPaths: [String]?,
    _ block: @escaping (SectionedResultsChange<Observed>) -> Void
  ) {
    self.observed = observed
    self.grouping = grouping
    self.only = only
    let members = grouping.members.state.elementClass
    reach = Reach(ofMembers: members, keyPaths: keyPaths)
    surroundings = Surroundings(of: members)
    self.block = block
    super.init(session: session, told: nil)
  }

  override func news(since told: Root?) -> (() -> Void)? {
    guard let told else {
      passOver()
      return { [self] in block(.initial(observed)) }
    }
    let state = grouping.members.state
    guard !state.isInvalidated else { return nil }
    let changes = session.listeners?.changes(since: told)
    if let changes, !state.mayDependOn(changes), !surroundings.contain(changes, session) {
      return nil
    }
    let touched = changes.map { reach.touched(by: $0, since: told, in: session) } ?? [:]
    let before = known
    passOver()
    var changed = SectionChanges()
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

  override func passOver() {
    guard !grouping.members.state.isInvalidated else { return }
    let answer = grouping.members.state.answer()
    known = [:]
    for (position, section) in grouping.sections().enumerated()
    where only.map({ $0 == section.key }) ?? true {
      known[section.key] = Section(position: position, members: answer.at(section.positions))
    }
  }
}

/// What has happened to sections since a listener was told.
private struct SectionChanges {
  private var deletions: [IndexPath] = []
  private var insertions: [IndexPath] = []
  private var modifications: [IndexPath] = []
  private var sectionsToInsert = IndexSet()
  var sectionsToDelete = IndexSet()

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
    let difference = Difference(
      from: old?.members ?? none, to: new.members, isModified: isModified)
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
