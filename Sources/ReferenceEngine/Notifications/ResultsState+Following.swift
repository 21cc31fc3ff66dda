// How the members of a question follow what changed: in the realm of whoever listens to them, or in
// a snapshot of the version that it is about to come to.

extension ResultsState {
  /// Brings members to the version that the session shows, and tells how they came there; nil if
  /// nothing has happened that concerns a listener with that reach.
  ///
  /// What is found from the rows that changed costs their number, whatever that of the members: up
  /// to `few` rows one by one, more of them run by run.
  ///
  /// - Parameters:
  ///   - changes: What changed since the members were those; nil if nobody can tell.
  ///   - told: The version that they were those of.
  func follow(
    _ changes: ChangeSet?, since told: Root, within reach: Reach, _ known: inout Answer
  ) -> Difference? {
    guard let changes else {
      let before = known
      known = lastingAnswer()
      return Difference(from: before, to: known, isModified: { _ in false }, behind: [])
    }
    let touched = reach.touchedRows(by: changes, since: told, in: session)
    let behind = holdsMixed && known.hasLinks ? reach.rows(touchedBy: changes, in: session) : []
    guard !touched.isEmpty || !behind.isEmpty || mayDependOn(changes) else {
      // Who came and went leaves no change, and still has had other nodes written for the rows: the
      // old ones are kept no longer than the version that is left now.
      if case .whole = known { known = lastingAnswer() }
      return nil
    }
    let replaced = changes.replaced(of: elementClass)
    if isFollowed {
      let runs = elementClass?.number.flatMap { changes.tables[UInt32($0)] } ?? []
      return follow(runs, touched, replaced, &known)
    }
    let before = known
    known = lastingAnswer()
    if isInPlace(by: changes),
      let difference = Difference(
        replacing: before, by: known, isModified: touched.contains, behind: behind)
    {
      return difference
    }
    var difference =
      isInKeyOrder
      // A row that comes or goes because of what other rows say may not have changed itself.
      ? Difference(ascending: before.keys, known.keys, isModified: touched.contains)
      : Difference(from: before, to: known, isModified: touched.contains, behind: behind)
    difference.replace(before.places(of: replaced), by: known.places(of: replaced))
    return difference
  }

  /// The answer for who keeps it: rows that wait for their place in the file are found where they
  /// wait no longer than their group is open, and those that a write has copied, though it has
  /// changed nothing of them, no longer than that runs.
  func lastingAnswer() -> Answer {
    let answer = answer()
    guard case .whole(let rows) = answer, rows.areFleeting else { return answer }
    return .keys(ResultsState.allKeys(rows))
  }

  /// Whether members are found from the rows that changed, and not all anew.
  var isFollowed: Bool { isInKeyOrder && !asksOtherRows }

  /// So many rows are looked up one by one.
  private static let few = 64

  /// The same where it depends on a row alone whether it is a member.
  private func follow(
    _ runs: [RowChange], _ touched: TouchedRows, _ replaced: Set<Int64>, _ known: inout Answer
  ) -> Difference {
    let isSmall = touched.count <= ResultsState.few && runs.rowCount <= ResultsState.few
    guard !isWhole else {
      let before = known
      known = lastingAnswer()
      if !isSmall { return Difference(runs, touched, from: before, to: known) }
      let now = known
      var keys = Set(touched.keys)
      for run in runs { keys.formUnion(run.keys) }
      var difference = Difference(
        touched: keys.sorted(), wasAt: before.position, isAt: now.position,
        isModified: touched.contains)
      difference.replace(
        replaced.compactMap(before.position), by: replaced.compactMap(now.position))
      return difference
    }
    let keys = known.keys
    known = .keys([])
    var members = FilteredMembers(consume keys)
    let difference: Difference
    if isSmall {
      let isMember = membership
      difference = members.update(
        runs.flatMap(\.keys), isMember: isMember, modified: touched.keys, replaced: replaced)
    } else {
      difference = members.update(runs, touched, members: selection)
    }
    known = .keys(members.keys)
    return difference
  }

  /// Says of a row whether it satisfies the predicate; nobody does before there is a table.
  private var membership: (Int64) -> Bool {
    guard let table = elementClass?.number else { return { _ in false } }
    let condition: BoundPredicate = withFound { self.condition(&$0) }
    let store = session.store
    return { store.locate($0, of: table) != nil && condition.test(.row($0)) }
  }

  /// Finds which of a run of rows satisfy the predicate.
  private var selection: (ClosedRange<Int64>) -> [Int64] {
    guard let bound = elementClass, let rows = session.rows(of: bound) else { return { _ in [] } }
    let condition: BoundPredicate = withFound { self.condition(&$0) }
    return { keys in rows.keys(within: keys, satisfying: condition) }
  }

  /// Takes in an answer that was found elsewhere, so that whoever is told of it need not ask again.
  func remember(_ answer: Answer) {
    if session.hasChangesInWrite { return }
    withFound { $0.answer = answer }
  }
}

extension RowTree {
  /// The keys of a range whose rows satisfy a condition.
  fileprivate func keys(
    within range: ClosedRange<Int64>, satisfying condition: BoundPredicate
  ) -> [Int64] {
    if range.lowerBound == range.upperBound {
      let key = range.lowerBound
      return find(key) != nil && condition.test(.row(key)) ? [key] : []
    }
    var keys: [Int64] = []
    forEachCluster(from: position(of: range.lowerBound).position) { cluster, _ in
      let first = cluster.place(of: range.lowerBound, in: space).index
      let (last, isFound) = cluster.place(of: range.upperBound, in: space)
      let end = isFound ? last + 1 : last
      let candidates = RowMask(first: end).subtracting(RowMask(first: min(first, end)))
      if !candidates.isEmpty {
        condition.select(cluster, candidates, in: space).visit {
          keys.append(cluster.key($0, in: space))
        }
      }
      return end == cluster.count
    }
    return keys
  }
}

extension Difference {
  /// The difference of a whole table, from the runs of its rows that changed.
  fileprivate init(
    _ runs: [RowChange], _ touched: TouchedRows, from old: Answer, to new: Answer
  ) {
    for run in runs {
      if run.kind != .inserted, run.kind != .modified {
        deletions.append(contentsOf: old.positions(of: run.keys))
      }
      if run.kind != .deleted, run.kind != .modified {
        insertions.append(contentsOf: new.positions(of: run.keys))
      }
      if run.kind == .modified, touched.containsAllModified {
        modifications.append(contentsOf: old.positions(of: run.keys))
      }
    }
    modify(touched.others, at: old.position)
  }

  /// Adds members that are modified and not yet told, unless they have gone.
  mutating func modify(_ keys: some Sequence<Int64>, at position: (Int64) -> Int?) {
    var more = keys.compactMap(position)
    if more.isEmpty { return }
    let gone = Set(deletions)
    more.removeAll(where: gone.contains)
    // Sorting two ascending runs is one pass.
    var all = modifications + more.sorted()
    all.sort()
    modifications = []
    for place in all where modifications.last != place { modifications.append(place) }
  }
}

extension Difference {
  /// - Parameter behind: The rows that were modified, for mixed values that link to them.
  init(
    from old: Answer, to new: Answer, isModified: (Int64) -> Bool, behind: Set<RowLink> = []
  ) {
    if case .values(let old) = old, case .values(let new) = new {
      let changed = ListedValue.changed(from: old, to: new, behind)
      self.init(from: old.map(ListedValue.init), to: new.map(ListedValue.init)) {
        changed.contains($0)
      }
    } else {
      self.init(from: old.keys, to: new.keys, isModified: isModified)
    }
  }
}

extension Difference {
  /// Nothing came or went: what differs was replaced. Nil where that cannot be.
  fileprivate init?(
    replacing old: Answer, by new: Answer, isModified: (Int64) -> Bool, behind: Set<RowLink> = []
  ) {
    guard old.count == new.count else { return nil }
    self.init()
    switch (old, new) {
    case (.values(let old), .values(let new)):
      modifications = old.indices.filter {
        !old[$0].isStored(as: new[$0]) || new[$0].links(toAnyOf: behind)
      }
    case (.keys(let old), .keys(let new)):
      modifications = old.indices.filter { old[$0] != new[$0] || isModified(new[$0]) }
    default: return nil
    }
  }
}

/// What a value of a collection is told from others by: a list or a dictionary stays the same one
/// while what it holds changes.
private enum ListedValue: Hashable {
  case value(ToldValue)
  case nested(UInt64)

  init(_ value: StoredValue) {
    if case .nested(let nested) = value {
      self = .nested(nested.number)
    } else {
      self = .value(ToldValue(value))
    }
  }

  /// The lists and dictionaries that do not hold what they held, and what links to rows that were
  /// modified.
  static func changed(
    from old: [StoredValue], to new: [StoredValue], _ rows: Set<RowLink>
  ) -> Set<ListedValue> {
    func contents(_ values: [StoredValue]) -> [ListedValue: [StoredValue]] {
      var contents: [ListedValue: [StoredValue]] = [:]
      for case .nested(let nested) in values {
        contents[.nested(nested.number), default: []].append(.nested(nested))
      }
      return contents
    }
    let before = contents(old)
    let linking =
      rows.isEmpty ? [] : old.filter { $0.links(toAnyOf: rows) }.map(ListedValue.init)
    if before.isEmpty { return Set(linking) }
    let changed = contents(new).filter { number, now in
      guard let was = before[number] else { return true }
      return !was.elementsEqual(now) { $0.isStored(as: $1) }
    }
    return Set(changed.keys).union(linking)
  }
}

extension StoredValue {
  func links(toAnyOf rows: Set<RowLink>) -> Bool {
    !rows.isEmpty && links.contains(where: rows.contains)
  }
}

extension Answer {
  /// Whether mixed values among the members may link to rows.
  fileprivate var hasLinks: Bool {
    guard case .values(let values) = self else { return false }
    return values.contains { value in
      switch value {
      case .link: true
      case .nested: !value.links.isEmpty
      default: false
      }
    }
  }

  /// The keys of the members, in order; none for values.
  var keys: [Int64] {
    switch self {
    case .whole(let rows): ResultsState.allKeys(rows)
    case .keys(let keys): keys
    case .values: []
    }
  }

  /// Where members are that are among some.
  func places(of some: Set<Int64>) -> [Int] {
    some.isEmpty
      ? [] : keys.enumerated().filter { some.contains($0.element) }.map(\.offset)
  }

  /// The positions of a range of keys among ascending ones.
  func positions(of range: ClosedRange<Int64>) -> Range<Int> {
    let first = place(of: range.lowerBound)
    let (last, isFound) = place(of: range.upperBound)
    return first.position..<(isFound ? last + 1 : last)
  }

  /// How many of ascending keys are smaller, and whether this one is among them.
  private func place(of key: Int64) -> (position: Int, isFound: Bool) {
    switch self {
    case .whole(let rows): rows.position(of: key)
    case .keys(let keys): FilteredMembers.place(of: key, in: keys)
    case .values: (0, false)
    }
  }

  /// The position of a key among ascending ones.
  func position(of key: Int64) -> Int? {
    let (position, isFound) = place(of: key)
    return isFound ? position : nil
  }
}

extension ResultsState {
  /// Whether the members are mixed values, which may link to rows of any class.
  var holdsMixed: Bool {
    if case .collection(let collection) = origin { collection.property.type == .any } else { false }
  }

  /// Whether the members stand in the order of their keys.
  var isInKeyOrder: Bool {
    if case .all = origin, orderings.isEmpty { true } else { false }
  }

  /// Whether the members are those of a list in its order, and changes have at most put others in
  /// their places.
  fileprivate func isInPlace(by changes: ChangeSet) -> Bool {
    guard case .collection(let collection) = origin, isPlain, collection.shape == .list,
      collection.property.type != .linkingObjects, let table = collection.table.number
    else { return false }
    let row = RowLink(table: table, key: collection.key)
    guard let change = changes.change(of: row) else { return true }
    return change.kind == .modified && !change.isShifted
  }

  /// Whether changes may have made members come, go or move.
  func mayDependOn(_ changes: ChangeSet) -> Bool {
    if let table = elementClass?.number, changes.tables[UInt32(table)] != nil { return true }
    if case .collection(let collection) = origin, let table = collection.table.number {
      // Links backwards change with the rows that link.
      if collection.property.type == .linkingObjects { return true }
      if changes.kind(of: RowLink(table: table, key: collection.key)) != nil { return true }
    }
    // What a predicate or an order looks at over links may be anywhere.
    return asksOtherRows
      || orderings.contains { ordering in
        switch ordering {
        case .sort(let descriptors): descriptors.contains { $0.keyPath.contains(".") }
        case .distinct(let paths): paths.contains { $0.steps.count > 1 }
        }
      }
  }
}

extension ResultsState {
  /// Whether it can depend on more than a row's own values who is a member.
  fileprivate var asksOtherRows: Bool { predicate.asksOtherRows(elementClass?.layout) }
}

extension Predicate {
  /// - Parameter layout: The class of the rows that are asked.
  fileprivate func asksOtherRows(_ layout: ClassLayout?) -> Bool {
    switch self {
    case .constant: false
    case .not(let one): one.asksOtherRows(layout)
    case .all(let some), .any(let some): some.contains { $0.asksOtherRows(layout) }
    case .comparison(let comparison):
      comparison.left.asksOtherRows(layout) || comparison.right.asksOtherRows(layout)
    }
  }
}

extension Operand {
  fileprivate func asksOtherRows(_ layout: ClassLayout?) -> Bool {
    switch self {
    case .value, .values: return false
    case .aggregate, .subqueryCount: return true
    case .path(let path):
      guard path.steps.count == 1, case .property(let name) = path.steps[0] else {
        return path.steps.count > 1
      }
      // Links backwards depend on other rows, even if nothing is asked of those rows.
      return layout?.index(of: name).map { layout?.fields[$0].property.isStored != true } ?? false
    }
  }
}
