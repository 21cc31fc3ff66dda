// The answer to the question: found when somebody looks, kept while the session's content stays the
// same.

/// The members of a `Results`, in order.
enum Answer {
  /// All rows of a table, in the order of their keys: nothing had to be found.
  case whole(RowTree)
  /// Rows by key.
  case keys([Int64])
  case values([StoredValue])

  var count: Int {
    switch self {
    case .whole(let rows): rows.count
    case .keys(let keys): keys.count
    case .values(let values): values.count
    }
  }
}

extension ResultsState {
  var count: Int {
    withFound { found in
      if let answer = found.answer { return answer.count }
      if let count = found.count { return count }
      let count = countMembers(&found)
      found.count = count
      return count
    }
  }

  /// Counts without collecting, where the order does not matter.
  private func countMembers(_ found: inout Found) -> Int {
    guard case .all(let table) = origin, !orderings.contains(where: \.isDistinct) else {
      return answer(&found).count
    }
    guard let rows = session.rows(of: table) else { return 0 }
    if predicate.isEverything { return rows.count }
    if let keys = indexed(table, &found) {
      if orderings.isEmpty { found.answer = .keys(keys) }
      return keys.count
    }
    let condition = condition(&found)
    var count = 0
    rows.forEachCluster { cluster, _ in
      count &+= condition.select(cluster, RowMask(first: cluster.count), in: rows.space).count
      return true
    }
    return count
  }

  /// Whether there is a first member. The first is remembered for the question that follows, and
  /// nothing behind it is looked for where rows are looked through in order.
  var hasFirst: Bool {
    withFound { found in
      if let answer = found.answer { return answer.count > 0 }
      if let count = found.count { return count > 0 }
      if let first = found.first, !first.isEmpty { return true }
      guard case .all(let table) = origin, orderings.isEmpty, !predicate.isEverything,
        let rows = session.rows(of: table)
      else { return countMembers(&found) > 0 }
      let first: [Int64]
      // An index has negative keys behind the others.
      let most = rows.key(at: 0).map { $0 < 0 } ?? false ? Int.max : 1
      if let keys = indexed(table, &found, atMost: most) {
        first = keys
      } else {
        let condition = condition(&found)
        first = ResultsState.firstKey(in: rows, satisfying: condition).map { [$0] } ?? []
      }
      found.first = first
      return !first.isEmpty
    }
  }

  private static func firstKey(in rows: RowTree, satisfying condition: BoundPredicate) -> Int64? {
    var key: Int64?
    rows.forEachCluster { cluster, _ in
      let mask = condition.select(cluster, RowMask(first: cluster.count), in: rows.space)
      if let row = mask.first(where: { _ in true }) { key = cluster.key(row, in: rows.space) }
      return key == nil
    }
    return key
  }

  func condition(_ found: inout Found) -> BoundPredicate {
    if let known = found.condition { return known }
    let bound = binding.bind(predicate)
    found.condition = bound
    return bound
  }

  func answer() -> Answer { withFound { answer(&$0) } }

  func answer(_ found: inout Found) -> Answer {
    if let known = found.answer { return known }
    var answer = selected(&found)
    for ordering in orderings {
      switch ordering {
      case .sort(let descriptors): answer = sorted(answer, descriptors)
      case .distinct(let paths): answer = distinct(answer, paths)
      }
    }
    found.answer = answer
    return answer
  }

  /// The members that satisfy the predicate, in the order of their origin.
  private func selected(_ found: inout Found) -> Answer {
    switch origin {
    case .all(let table):
      guard let rows = session.rows(of: table) else { return .keys([]) }
      if predicate.isEverything { return .whole(rows) }
      return .keys(indexed(table, &found) ?? keys(in: rows, satisfying: condition(&found)))
    case .collection(let collection):
      let members = collection.members()
      let condition = predicate.isEverything ? nil : condition(&found)
      guard elementClass != nil else {
        return .values(members.filter { condition?.test(.value($0)) ?? true })
      }
      return .keys(
        members.compactMap { member in
          guard case .link(let link) = member, condition?.test(.row(link.key)) ?? true else {
            return nil
          }
          return link.key
        })
    }
  }

  private func keys(in rows: RowTree, satisfying condition: BoundPredicate) -> [Int64] {
    var keys: [Int64] = []
    rows.forEachCluster { cluster, _ in
      let mask = condition.select(cluster, RowMask(first: cluster.count), in: rows.space)
      if cluster.keys.isNone {
        let base = cluster.base
        mask.visit { keys.append(base &+ Int64($0)) }
      } else {
        mask.visit { keys.append(cluster.key($0, in: rows.space)) }
      }
      return true
    }
    return keys
  }

  /// The rows that satisfy the predicate, found through a key or an index; nil if there is none
  /// that helps.
  ///
  /// - Parameter most: how many are wanted, the first of them; there may be more.
  private func indexed(
    _ table: BoundClass, _ found: inout Found, atMost most: Int = .max
  ) -> [Int64]? {
    guard var lookup = predicate.lookup(in: table, session, atMost: most) else { return nil }
    if lookup.keys.count > 1 { lookup.keys.sort() }
    if lookup.isWhole { return lookup.keys }
    let condition = condition(&found)
    return lookup.keys.filter { condition.test(.row($0)) }
  }

  // MARK: Single members

  /// Asked for one of the first few members of a sort, only so many are sorted out.
  static let firstLimit = 256

  /// The key of the object at a position.
  func key(at position: Int) -> Int64 {
    withFound { found in
      if found.answer == nil, position >= 0, position < ResultsState.firstLimit,
        let first = firstKeys(&found), position < first.count
      {
        return first[position]
      }
      let answer = answer(&found)
      checkPosition(position, answer.count)
      switch answer {
      case .whole(let rows): return rows.key(at: position) ?? 0
      case .keys(let keys): return keys[position]
      case .values: return 0
      }
    }
  }

  /// The object at a position; of a whole class without a look for its key.
  func object(at position: Int, of table: BoundClass) -> ObjectBase {
    verify()
    guard let rows = wholeRows else { return session.accessor(table, key(at: position)) }
    checkPosition(position, rows.count)
    guard let place = rows.place(at: position) else { refuse(.invalidated) }
    return session.accessor(table, place.cluster.key(place.index, in: rows.space), place)
  }

  /// The rows if they are all of a class in the order of their keys; found once for a state of a
  /// live session.
  private var wholeRows: RowTree? {
    guard isWhole else { return nil }
    let generation = session.findingGeneration
    if !session.isFrozen, whole.generation == generation { return whole.rows }
    guard case .all(let table) = origin, let rows = session.rows(of: table) else { return nil }
    // A frozen session is read by many threads, and remembers nothing here.
    if !session.isFrozen { whole = (generation, rows) }
    return rows
  }

  private func firstKeys(_ found: inout Found) -> [Int64]? {
    if let known = found.first { return known }
    guard let first = firstOfSort(&found, limit: ResultsState.firstLimit) else { return nil }
    found.first = first
    return first
  }

  private func checkPosition(_ position: Int, _ count: Int) {
    if position < 0 || position >= count { refuse(.beyondResults(position, count: count)) }
  }

  /// The member at a position: a link for objects, the value itself for values.
  func value(at position: Int) -> StoredValue {
    if let elementClass {
      return .link(RowLink(table: elementClass.number ?? 0, key: key(at: position)))
    }
    guard case .values(let values) = answer() else { return .null }
    checkPosition(position, values.count)
    return values[position]
  }

  /// All members, in order.
  func allValues() -> [StoredValue] {
    switch answer() {
    case .values(let values): return values
    case .keys(let keys):
      let table = elementClass?.number ?? 0
      return keys.map { .link(RowLink(table: table, key: $0)) }
    case .whole(let rows):
      let table = elementClass?.number ?? 0
      return ResultsState.allKeys(rows).map { .link(RowLink(table: table, key: $0)) }
    }
  }

  /// The keys of all members, which are objects.
  func allKeys() -> [Int64] {
    switch answer() {
    case .values: []
    case .keys(let keys): keys
    case .whole(let rows): ResultsState.allKeys(rows)
    }
  }

  static func allKeys(_ rows: RowTree) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(rows.count)
    rows.forEachCluster { cluster, _ in
      let count = cluster.count
      if cluster.keys.isNone {
        let base = cluster.base
        for row in 0..<count { keys.append(base &+ Int64(row)) }
      } else {
        for row in 0..<count { keys.append(cluster.key(row, in: rows.space)) }
      }
      return true
    }
    return keys
  }

  // MARK: Positions

  func index(of value: StoredValue) -> Int? {
    verify()
    // As in a list: an object of another realm, frozen ones among them, is in none of this one's.
    if let object = value.object, object._header.pointee.session !== session { return nil }
    let value = session.stored(value)
    switch answer() {
    case .values(let values):
      let found = values.firstIndex { $0.satisfies(.equal, value) }
      if found != nil || !value.isNaN || isLookedThroughAsList(for: value) { return found }
      return values.firstIndex { DistinctValue($0) == DistinctValue(value) }
    case .whole(let rows):
      guard case .link(let link) = value, link.table == elementClass?.number else { return nil }
      let (position, isFound) = rows.position(of: link.key)
      return isFound ? position : nil
    case .keys(let keys):
      guard case .link(let link) = value, link.table == elementClass?.number else { return nil }
      return keys.firstIndex(of: link.key)
    }
  }

  /// Whether a value is looked for as a list of fractions does, which finds no NaN: members in an
  /// order, and those of sets and maps, are compared as they are stored.
  private func isLookedThroughAsList(for value: StoredValue) -> Bool {
    guard case .collection(let collection) = origin, collection.shape == .list,
      collection.property.type != .any, orderings.isEmpty
    else { return false }
    if case .decimal = value { return false }
    return true
  }

  func firstIndex(satisfying predicate: Predicate) -> Int? {
    verify()
    predicate.verifyDepth()
    let condition = binding.bind(predicate.mappingConstants(session.stored))
    switch answer() {
    case .values(let values): return values.firstIndex { condition.test(.value($0)) }
    case .keys(let keys): return keys.firstIndex { condition.test(.row($0)) }
    case .whole(let rows):
      var found: Int?
      rows.forEachCluster { cluster, first in
        let mask = condition.select(cluster, RowMask(first: cluster.count), in: rows.space)
        if let row = mask.first(where: { _ in true }) { found = first + row }
        return found == nil
      }
      return found
    }
  }
}

extension Violation {
  static func beyondResults(_ index: Int, count: Int) -> Violation {
    index < 0
      ? Violation("Cannot pass a negative value")
      : Violation("Index \(index) is out of bounds (must be less than \(count)).")
  }
}
