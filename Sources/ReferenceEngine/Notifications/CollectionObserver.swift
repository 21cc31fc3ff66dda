/// A listener of a collection.
final class CollectionObserver<Collection: RealmCollection>: Observer, @unchecked Sendable {
  // Sendable as every observer is.
  private let collection: Collection
  private let state: ResultsState
  private let reach: Reach
  private let block: (RealmCollectionChange<Collection>) -> Void
  /// The members as the listener knows them.
  private var known = Answer.keys([])
  /// Whether mixed values among them link to rows.
  private var linksToRows = false
  private var isGone = false

  init(
    _ collection: Collection, in session: Session, keyPaths: [String]?,
    _ block: @escaping (RealmCollectionChange<Collection>) -> Void
  ) {
    self.collection = collection
    state = collection._source.state
    reach = Reach(ofMembers: state.elementClass, keyPaths: keyPaths)
    self.block = block
    super.init(session: session, told: nil)
  }

  override func news(since told: Root?) -> (() -> Void)? {
    guard !isGone else { return nil }
    guard let told else {
      passOver()
      return { [self] in block(.initial(collection)) }
    }
    if state.isInvalidated { return farewell() }
    guard let difference = difference(since: told), !difference.isEmpty else { return nil }
    return { [self] in block(RealmCollectionChange(collection, difference)) }
  }

  override func passOver() {
    if state.isInvalidated { return }
    known = state.answer()
    linksToRows = state.holdsMixed && known.hasLinks
  }

  /// The owner of the collection is gone, and its members with it: the last call, even if there
  /// were none.
  private func farewell() -> (() -> Void)? {
    isGone = true
    let difference = Difference(deletions: Array(0..<known.count))
    return { [self] in block(RealmCollectionChange(collection, difference)) }
  }

  private func difference(since told: Root) -> Difference? {
    let before = known
    guard let changes = session.listeners?.changes(since: told) else {
      passOver()
      return Difference(from: before, to: known, isModified: { _ in false }, behind: [])
    }
    let touched = reach.touched(by: changes, since: told, in: session)
    let behind = linksToRows ? reach.rows(touchedBy: changes, in: session) : []
    guard !touched.isEmpty || !behind.isEmpty || state.mayDependOn(changes) else { return nil }
    let replaced = changes.replaced(of: state.elementClass)
    if let difference = filtered(changes, touched, replaced) { return difference }
    passOver()
    if state.isInPlace(by: changes),
      let difference = Difference(
        replacing: before, by: known, isModified: { touched[$0] != nil }, behind: behind)
    {
      return difference
    }
    guard state.isInKeyOrder else {
      var difference = Difference(
        from: before, to: known, isModified: { touched[$0] != nil }, behind: behind)
      difference.replace(before.places(of: replaced), by: known.places(of: replaced))
      return difference
    }
    var difference = inKeyOrder(changes, touched, from: before)
    difference.replace(
      replaced.compactMap(before.position), by: replaced.compactMap(known.position))
    return difference
  }

  private func inKeyOrder(
    _ changes: ChangeSet, _ touched: [Int64: UInt64], from before: Answer
  ) -> Difference {
    // Who comes or goes for what other rows say need not be among those that changed.
    if state.asksOtherRows {
      return Difference(
        ascending: before.keys, known.keys, isModified: { touched[$0] != nil })
    }
    var keys = Set(touched.keys)
    for run in state.elementClass?.table.flatMap({ changes.tables[UInt32($0)] }) ?? [] {
      keys.formUnion(run.keys)
    }
    let now = known
    return Difference(
      touched: keys.sorted(), wasAt: before.position, isAt: now.position,
      isModified: { touched[$0] != nil })
  }

  /// The difference of a plain filter, from the changed rows alone; nil if it is something else, or
  /// has changed so much that asking anew costs less.
  private func filtered(
    _ changes: ChangeSet, _ touched: [Int64: UInt64], _ replaced: Set<Int64>
  ) -> Difference? {
    guard let isMember = state.filter, case .keys(let keys) = known else { return nil }
    let runs = state.elementClass?.table.flatMap { changes.tables[UInt32($0)] } ?? []
    guard runs.reduce(0, { $0 + Int($1.count) }) <= max(64, keys.count / 8) else { return nil }
    known = .keys([])
    var members = FilteredMembers(consume keys)
    let difference = members.update(
      runs.flatMap(\.keys), isMember: isMember, modified: touched.keys, replaced: replaced)
    known = .keys(members.keys)
    return difference
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
        old[$0] != new[$0] || new[$0].links(toAnyOf: behind)
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
  case value(StoredValue)
  case nested(UInt64)

  init(_ value: StoredValue) {
    if case .nested(let nested) = value {
      self = .nested(nested.number)
    } else {
      self = .value(value)
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
    return Set(contents(new).filter { before[$0.key] != $0.value }.keys).union(linking)
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
    case .whole(let rows): (0..<rows.count).compactMap(rows.key(at:))
    case .keys(let keys): keys
    case .values: []
    }
  }

  /// Where members are that are among some.
  func places(of some: Set<Int64>) -> [Int] {
    some.isEmpty
      ? [] : keys.enumerated().filter { some.contains($0.element) }.map(\.offset)
  }

  /// The position of a key among ascending ones.
  func position(of key: Int64) -> Int? {
    switch self {
    case .whole(let rows):
      let (position, isFound) = rows.position(of: key)
      return isFound ? position : nil
    case .keys(let keys):
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return low < keys.count && keys[low] == key ? low : nil
    case .values: return nil
    }
  }
}

extension ResultsState {
  /// Whether the members are mixed values, which may link to rows of any class.
  fileprivate var holdsMixed: Bool {
    if case .collection(let collection) = origin { collection.property.type == .any } else { false }
  }

  /// Whether the members stand in the order of their keys.
  var isInKeyOrder: Bool {
    if case .all = origin, orderings.isEmpty { true } else { false }
  }

  /// Says of a row whether it is a member, where that depends on the row alone and the members
  /// stand in the order of their keys; nil elsewhere.
  fileprivate var filter: ((Int64) -> Bool)? {
    guard case .all(let bound) = origin, let table = bound.table, orderings.isEmpty,
      !asksOtherRows
    else { return nil }
    let condition: BoundPredicate = withFound { self.condition(&$0) }
    let store = session.store
    return { store.locate($0, of: table) != nil && condition.test(.row($0)) }
  }

  /// Whether the members are those of a list in its order, and changes have at most put others in
  /// their places.
  fileprivate func isInPlace(by changes: ChangeSet) -> Bool {
    guard case .collection(let collection) = origin, isPlain, collection.shape == .list,
      collection.property.type != .linkingObjects, let table = collection.table.table
    else { return false }
    let row = RowLink(table: table, key: collection.key)
    guard let change = changes.change(of: row) else { return true }
    return change.kind == .modified && !change.isShifted
  }

  /// Whether changes may have made members come, go or move.
  func mayDependOn(_ changes: ChangeSet) -> Bool {
    if let table = elementClass?.table, changes.tables[UInt32(table)] != nil { return true }
    if case .collection(let collection) = origin, let table = collection.table.table {
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
      // Links backwards are what others say, even where nothing of them is asked.
      return layout?.index(of: name).map { layout?.fields[$0].property.isStored != true } ?? false
    }
  }
}
