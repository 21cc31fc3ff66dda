// Sorting and telling apart: by packed words where one column of numbers decides, by values where
// it must be.

extension ResultsState {
  func sorted(_ answer: Answer, _ descriptors: [SortDescriptor]) -> Answer {
    let descriptors = deciding(descriptors)
    guard answer.count > 1, !descriptors.isEmpty else { return answer }
    let columns = descriptors.map { SortColumn(self, answer, $0) }
    let order = SortColumn.order(columns)
    switch answer {
    case .values(let values): return .values(order.map { values[Int($0)] })
    case .keys(let keys): return .keys(ResultsState.gather(keys, order))
    case .whole(let rows):
      if let first = rows.key(at: 0), let last = rows.key(at: rows.count - 1),
        last &- first == Int64(rows.count - 1)
      {
        // Keys without gaps are row numbers but for a constant.
        return .keys(order.map { first &+ Int64($0) })
      }
      return .keys(ResultsState.gather(ResultsState.allKeys(rows), order))
    }
  }

  /// The descriptors before the first that asks for the order which members come in: that of their
  /// rows' keys. A sort keeps what it finds, so neither that one nor any after it decides anything.
  private func deciding(_ descriptors: [SortDescriptor]) -> [SortDescriptor] {
    guard case .all = origin, orderings.count == 1 else { return descriptors }
    return Array(
      descriptors.prefix {
        !$0.ascending
          || binding.path(PropertyPath(dotted: $0.keyPath)).singleColumn?.isRowKey != true
      })
  }

  private static func gather(_ keys: [Int64], _ order: [UInt32]) -> [Int64] {
    keys.withUnsafeBufferPointer { keys in order.map { keys[Int($0)] } }
  }

  /// The first rows in the order of one column of numbers, without sorting the others; nil where
  /// that cannot be.
  func firstOfSort(_ found: inout Found, limit: Int) -> [Int64]? {
    guard case .all(let table) = origin, orderings.count == 1,
      case .sort(let asked) = orderings[0],
      case let descriptors = deciding(asked), descriptors.count == 1,
      let rows = session.rows(of: table), rows.count > 4 * limit
    else { return nil }
    let path = binding.path(PropertyPath(dotted: descriptors[0].keyPath))
    guard let physical = path.singleColumn?.number, let property = path.property,
      !property.isOptional
    else { return nil }
    let condition = predicate.isEverything ? nil : condition(&found)
    let flip: UInt64 = descriptors[0].ascending ? 0 : .max
    var first = FirstRows(limit)
    let isInteger = property.type == .int || property.type == .bool
    guard isInteger || property.type == .double || property.type == .date else { return nil }
    rows.forEachCluster { cluster, start in
      var candidates = RowMask(first: cluster.count)
      let ref = cluster.column(physical)
      let values = ref.isNone ? nil : Column(rows.space.node(ref))
      if isInteger, first.threshold != .max, let values {
        // A row is of no interest if it does not sort before the last of the best found so far.
        let limit = PackedSort.integer(first.threshold ^ flip)
        candidates =
          flip == 0
          ? limit == .min
            ? .none : values.rows(from: .min, through: limit - 1, count: cluster.count)
          : limit == .max
            ? .none : values.rows(from: limit + 1, through: .max, count: cluster.count)
      }
      if candidates.isEmpty { return true }
      if let condition { candidates = condition.select(cluster, candidates, in: rows.space) }
      candidates.visit { row in
        let number = values?.int(row) ?? 0
        let word =
          isInteger
          ? PackedSort.word(number)
          : PackedSort.word(Double(bitPattern: UInt64(bitPattern: number)))
        first.offer(word ^ flip, UInt32(start + row))
      }
      return true
    }
    return first.rows().map { rows.key(at: Int($0)) ?? 0 }
  }

  /// The members that are the first with their values.
  func distinct(_ answer: Answer, _ paths: [PropertyPath]) -> Answer {
    let bound = paths.map(binding.path)
    switch answer {
    case .values(let values):
      var seen: Set<[DistinctValue]> = []
      return .values(
        values.filter { value in
          seen.insert(bound.map { DistinctValue($0.only(from: .value(value))) }).inserted
        })
    case .keys, .whole:
      let keys: [Int64]
      if case .keys(let some) = answer { keys = some } else { keys = allKeysOf(answer) }
      if bound.count == 1, let kept = distinctIntegers(keys, bound[0]) { return .keys(kept) }
      var seen: Set<[DistinctValue]> = []
      return .keys(
        keys.filter { key in
          var values: [DistinctValue] = []
          for path in bound {
            // What is behind no link is no value, and its row none of the first.
            guard let value = path.reached(from: .row(key)) else { return false }
            values.append(DistinctValue(value))
          }
          return seen.insert(values).inserted
        })
    }
  }

  private func allKeysOf(_ answer: Answer) -> [Int64] {
    if case .whole(let rows) = answer { ResultsState.allKeys(rows) } else { [] }
  }

  private func distinctIntegers(_ keys: [Int64], _ path: BoundPath) -> [Int64]? {
    guard let physical = path.singleColumn?.number, let property = path.property,
      property.type == .int || property.type == .bool, !property.isOptional,
      let table = elementClass, let rows = session.rows(of: table)
    else { return nil }
    var seen: Set<Int64> = []
    var kept: [Int64] = []
    rows.forEachPlace(keys) { index, place in
      let value = place?.int(physical, in: rows.space) ?? 0
      if seen.insert(value).inserted { kept.append(keys[index]) }
    }
    return kept
  }
}

extension RowTree {
  /// Calls `body` with the index of each key and its row's place. Keys that follow one another are
  /// found in the cluster of the one before.
  func forEachPlace(_ keys: [Int64], _ body: (Int, RowPlace?) -> Void) {
    var last: Cluster?
    for (index, key) in keys.enumerated() {
      if let cluster = last {
        let (row, isFound) = cluster.place(of: key, in: space)
        if isFound {
          body(index, RowPlace(cluster: cluster, index: row))
          continue
        }
      }
      let place = find(key)
      last = place?.cluster
      body(index, place)
    }
  }
}

/// What one sort descriptor says about each row: a word that sorts as the value does, and the value
/// where the word is not all of it.
struct SortColumn {
  private var words: [UInt64] = []
  private var texts: [UnsafeRawBufferPointer] = []
  private var values: [StoredValue] = []
  private var isNull: [Bool] = []
  /// Which rows have no value, because a link on the way to it leads nowhere; empty if the path is
  /// no longer than one step.
  private var isMissing: [Bool] = []
  /// The words before they lost a bit, where they did.
  private var whole: [UInt64] = []
  private var isExact: Bool
  private let ascending: Bool

  init(_ state: ResultsState, _ answer: Answer, _ descriptor: SortDescriptor) {
    ascending = descriptor.ascending
    let path = state.binding.path(PropertyPath(dotted: descriptor.keyPath))
    guard let physical = path.singleColumn?.number, let property = path.property,
      let table = path.owner, let rows = state.session.rows(of: table),
      let kind = Kind(property.type)
    else {
      isExact = false
      add(SortColumn.values(state, answer, path), areAllThere: path.links.count <= 1)
      return
    }
    isExact = kind != .text
    words.reserveCapacity(answer.count)
    if kind == .text { texts.reserveCapacity(answer.count) }
    let isNullable = property.isOptional
    let space = rows.space
    switch answer {
    case .whole(let whole):
      whole.forEachCluster { cluster, _ in
        let ref = cluster.column(physical)
        let column = ref.isNone ? nil : Column(space.node(ref))
        for row in 0..<cluster.count { add(row, of: column, kind, isNullable, space) }
        return true
      }
    case .keys(let keys):
      rows.forEachPlace(keys) { _, place in
        let ref = place?.cluster.column(physical) ?? .none
        let column = ref.isNone ? nil : Column(space.node(ref))
        add(place?.index ?? 0, of: column, kind, isNullable, space)
      }
    case .values: break
    }
    if isNullable { makeRoomForNull() }
  }

  /// Takes values of any kind; nil is one that is missing.
  private mutating func add(_ found: [StoredValue?], areAllThere: Bool) {
    if !areAllThere { isMissing = found.map { $0 == nil } }
    values = found.map { $0 ?? .null }
    // What is missing stands after everything.
    words = found.map { $0.map(SortColumn.word) ?? .max }
  }

  /// Takes a row's value from a column of a kind that sorts by words; without a column it is the
  /// kind's first.
  @inline(__always)
  private mutating func add(
    _ row: Int, of column: Column?, _ kind: Kind, _ isNullable: Bool, _ space: NodeSpace
  ) {
    if isNullable {
      let missing = column?.isNull(row) ?? true
      isNull.append(missing)
      if missing {
        words.append(0)
        if kind == .text { texts.append(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return
      }
    }
    switch kind {
    case .integer: words.append(PackedSort.word(column?.int(row) ?? 0))
    case .double:
      words.append(PackedSort.word(Double(bitPattern: UInt64(bitPattern: column?.int(row) ?? 0))))
    case .float:
      words.append(
        PackedSort.word(
          Double(Float(bitPattern: UInt32(truncatingIfNeeded: column?.int(row) ?? 0)))))
    case .text:
      let bytes = column?.bytes(row, in: space) ?? UnsafeRawBufferPointer(start: nil, count: 0)
      texts.append(bytes)
      words.append(PackedSort.word(bytes))
    }
  }

  private enum Kind {
    case integer, double, float, text

    init?(_ type: PropertyType) {
      switch type {
      case .int, .bool: self = .integer
      case .double, .date: self = .double
      case .float: self = .float
      case .string, .data: self = .text
      default: return nil
      }
    }
  }

  /// Null sorts before everything: its word is 0, and all others are moved up by one.
  private mutating func makeRoomForNull() {
    var least = UInt64.max
    var most = UInt64.min
    for (row, word) in words.enumerated() where !isNull[row] {
      least = min(least, word)
      most = max(most, word)
    }
    guard least <= most else { return }
    if most - least < .max {
      for row in words.indices where !isNull[row] { words[row] = words[row] - least + 1 }
    } else {
      // Words that need all 64 bits lose the last one, and what differs in it alone is compared
      // whole.
      whole = words
      isExact = false
      for row in words.indices where !isNull[row] { words[row] = (words[row] >> 1) + 1 }
    }
  }

  /// Words for values of any kind: their order among kinds, then what fits.
  private static func word(_ value: StoredValue) -> UInt64 {
    switch value {
    case .null: 0
    case .bool(let truth): 1 + (truth ? 1 : 0)
    case .int, .float, .double, .decimal: (PackedSort.word(value.doubleValue ?? 0) >> 3) + 4
    default: UInt64.max
    }
  }

  private static func values(
    _ state: ResultsState, _ answer: Answer, _ path: BoundPath
  ) -> [StoredValue?] {
    switch answer {
    case .values(let values): values.map { path.only(from: .value($0)) }
    case .keys(let keys): keys.map { path.reached(from: .row($0)) }
    case .whole(let rows): ResultsState.allKeys(rows).map { path.reached(from: .row($0)) }
    }
  }

  /// Negative, zero or positive as one row's value sorts before, with or after another's, by this
  /// descriptor.
  private func compare(_ one: Int, _ other: Int) -> Int {
    var order = 0
    if words[one] != words[other] {
      order = words[one] < words[other] ? -1 : 1
    } else if !isMissing.isEmpty, isMissing[one] != isMissing[other] {
      order = isMissing[one] ? 1 : -1
    } else if !texts.isEmpty {
      if isNull.isEmpty || !(isNull[one] || isNull[other]) {
        order = StringMatcher.order(texts[one], texts[other])
      }
    } else if !values.isEmpty {
      order = SortColumn.order(values[one], values[other])
    } else if !whole.isEmpty {
      order = whole[one] == whole[other] ? 0 : whole[one] < whole[other] ? -1 : 1
    }
    return ascending ? order : -order
  }

  private static func order(_ one: StoredValue, _ other: StoredValue) -> Int {
    switch one.relation(to: other) {
    case .less: -1
    case .equal: 0
    case .greater: 1
    case .unordered: one.rank - other.rank
    }
  }

  // MARK: Order

  private typealias Rows = UnsafeMutableBufferPointer<UInt32>

  /// The row numbers in the order of the descriptors: the first decides, the others break ties.
  static func order(_ columns: [SortColumn]) -> [UInt32] {
    let first = columns[0]
    let words = first.ascending ? first.words : first.words.map { ~$0 }
    var rows = words.withUnsafeBufferPointer { PackedSort.order(of: $0) }
    rows.withUnsafeMutableBufferPointer { settle($0, columns[...]) }
    return rows
  }

  /// Puts rows in order that are in the order of the first column's words: among those with equal
  /// words the rest of the column decides, and where that is equal, too, the columns behind it.
  ///
  /// Column by column, and not row by row with all columns at each comparison: most words differ,
  /// and where they do not, the next column's mostly decide by themselves.
  private static func settle(_ rows: Rows, _ columns: ArraySlice<SortColumn>) {
    guard let column = columns.first else { return }
    let rest = columns.dropFirst()
    if column.isExact, rest.isEmpty { return }
    column.forEachRun(rows) { run in
      if column.isDecided(run) { return settleUnsorted(run, rest) }
      column.sortByValues(run)
      column.forEachEqual(run) { settleUnsorted($0, rest) }
    }
  }

  private static func settleUnsorted(_ rows: Rows, _ columns: ArraySlice<SortColumn>) {
    guard rows.count > 1, let column = columns.first else { return }
    column.sortByWords(rows)
    settle(rows, columns)
  }

  /// Calls `body` with each run of more than one row whose words are equal.
  private func forEachRun(_ rows: Rows, _ body: (Rows) -> Void) {
    words.withUnsafeBufferPointer { words in
      var start = 0
      while start < rows.count {
        let word = words[Int(rows[start])]
        var end = start &+ 1
        while end < rows.count, words[Int(rows[end])] == word { end &+= 1 }
        if end &- start > 1 { body(Rows(rebasing: rows[start..<end])) }
        start = end
      }
    }
  }

  /// Whether the values of rows whose words are equal are equal, as far as that is plain.
  private func isDecided(_ rows: Rows) -> Bool {
    if isExact { return true }
    if texts.isEmpty || !whole.isEmpty { return false }
    // A text of up to eight bytes is all in its word but for zeros at its end.
    return texts.withUnsafeBufferPointer { texts in
      let length = texts[Int(rows[0])].count
      return length <= 8 && rows.allSatisfy { texts[Int($0)].count == length }
    }
  }

  /// Calls `body` with each run of more than one row whose values are equal, of rows in order.
  private func forEachEqual(_ rows: Rows, _ body: (Rows) -> Void) {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, compare(Int(rows[end - 1]), Int(rows[end])) == 0 { end += 1 }
      if end - start > 1 { body(Rows(rebasing: rows[start..<end])) }
      start = end
    }
  }

  /// Sorts rows by their values; equal ones keep the order of their numbers, in which they are.
  private func sortByValues(_ rows: Rows) {
    // What is equal is in order already, and often long.
    let isSorted = (1..<rows.count).allSatisfy { compare(Int(rows[$0 - 1]), Int(rows[$0])) <= 0 }
    if isSorted { return }
    var rows = rows
    rows.sort { left, right in
      let order = compare(Int(left), Int(right))
      return order == 0 ? left < right : order < 0
    }
  }

  /// Sorts rows by their words; those with equal ones keep their order.
  private func sortByWords(_ rows: Rows) {
    words.withUnsafeBufferPointer { words in
      let flip: UInt64 = ascending ? 0 : .max
      func word(_ place: Int) -> UInt64 { words[Int(rows[place])] ^ flip }
      var sorted = 1
      while sorted < rows.count, word(sorted - 1) <= word(sorted) { sorted += 1 }
      if sorted == rows.count { return }
      if rows.count <= SortColumn.few {
        for next in sorted..<rows.count {
          let (row, own) = (rows[next], word(next))
          var place = next
          while place > 0, word(place - 1) > own {
            rows[place] = rows[place - 1]
            place -= 1
          }
          rows[place] = row
        }
        return
      }
      let found = rows.map { words[Int($0)] ^ flip }
      let order = found.withUnsafeBufferPointer { PackedSort.order(of: $0) }
      let before = Array(rows)
      for (place, index) in order.enumerated() { rows[place] = before[Int(index)] }
    }
  }

  /// So many rows are sorted by moving each to its place: to count digits would cost more.
  private static let few = 32
}

extension StoredValue {
  /// The place of a value's kind among values that cannot be compared.
  fileprivate var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: isNaN ? 2 : 3
    case .string: 4
    case .data: 5
    case .date: 6
    case .objectId: 7
    case .uuid: 8
    case .link, .instance: 9
    case .nested: 10
    }
  }
}
