/// The members of a plain filter, kept up to date from the rows that changed: what a listener of it
/// costs does not depend on how many rows there are.
struct FilteredMembers {
  /// The keys of the members, ascending.
  private(set) var keys: [Int64]

  init(_ keys: [Int64]) { self.keys = keys }

  /// Takes in what has become of some rows.
  ///
  /// - Parameters:
  ///   - rows: The changed rows, ascending.
  ///   - isMember: Whether a row belongs to the members now.
  ///   - modified: The members that are to be told as modified if they stay.
  ///   - replaced: Which of the rows are others under the same keys.
  mutating func update(
    _ rows: [Int64], isMember: (Int64) -> Bool, modified: some Collection<Int64>,
    replaced: Set<Int64> = []
  ) -> Difference {
    var difference = Difference()
    var come: [Int64] = []
    for row in rows {
      switch (position(of: row), isMember(row)) {
      case (let old?, false): difference.deletions.append(old)
      case (nil, true): come.append(row)
      case (let old?, true) where replaced.contains(row):
        difference.deletions.append(old)
        come.append(row)
      default: break
      }
    }
    let gone = Set(difference.deletions)
    difference.modifications = modified.compactMap(position).filter { !gone.contains($0) }.sorted()
    replace(difference.deletions, come)
    difference.insertions = come.compactMap(position)
    return difference
  }

  /// A few are moved in place; many are worth a pass over all.
  private mutating func replace(_ gone: [Int], _ come: [Int64]) {
    if gone.count + come.count <= 32 {
      for position in gone.reversed() { keys.remove(at: position) }
      for key in come { keys.insert(key, at: place(of: key)) }
      return
    }
    let leaving = Set(gone)
    keys = keys.enumerated().filter { !leaving.contains($0.offset) }.map(\.element) + come
    keys.sort()
  }

  /// Takes in what has become of runs of rows, whatever their number.
  ///
  /// - Parameters:
  ///   - runs: The rows that changed, ascending.
  ///   - touched: Which members are to be told as modified if they stay.
  ///   - members: Finds who belongs to the members now, of successive keys.
  mutating func update(
    _ runs: [RowChange], _ touched: TouchedRows, members: (ClosedRange<Int64>) -> [Int64]
  ) -> Difference {
    var difference = Difference()
    var parts: [(was: Range<Int>, are: [Int64])] = []
    var ahead = 0
    for run in runs {
      let was = positions(of: run.keys)
      let are = run.kind == .deleted ? [] : members(run.keys)
      if was.isEmpty, are.isEmpty { continue }
      let start = was.lowerBound + ahead
      if run.kind == .modified {
        compare(was, are, from: start, touched, &difference)
      } else {
        difference.deletions.append(contentsOf: was)
        difference.insertions.append(contentsOf: start..<(start + are.count))
      }
      if run.kind == .modified, keys[was].elementsEqual(are) { continue }
      ahead += are.count - was.count
      parts.append((was, are))
    }
    difference.modify(touched.others, at: position)
    replace(parts)
    return difference
  }

  /// What became of members whose rows were changed.
  private func compare(
    _ was: Range<Int>, _ are: [Int64], from start: Int, _ touched: TouchedRows,
    _ difference: inout Difference
  ) {
    var (old, new) = (was.lowerBound, 0)
    while old < was.upperBound || new < are.count {
      if new == are.count || old < was.upperBound && keys[old] < are[new] {
        difference.deletions.append(old)
        old += 1
      } else if old == was.upperBound || are[new] < keys[old] {
        difference.insertions.append(start + new)
        new += 1
      } else {
        if touched.containsAllModified { difference.modifications.append(old) }
        (old, new) = (old + 1, new + 1)
      }
    }
  }

  /// A few parts are replaced in place, and what comes behind all others; many are worth a pass
  /// over all.
  private mutating func replace(_ parts: [(was: Range<Int>, are: [Int64])]) {
    guard let first = parts.first else { return }
    if parts.count <= 8 || first.was.lowerBound == keys.count {
      for part in parts.reversed() { keys.replaceSubrange(part.was, with: part.are) }
      return
    }
    var replaced: [Int64] = []
    replaced.reserveCapacity(parts.reduce(keys.count) { $0 + $1.are.count - $1.was.count })
    var next = 0
    for part in parts {
      replaced.append(contentsOf: keys[next..<part.was.lowerBound])
      replaced.append(contentsOf: part.are)
      next = part.was.upperBound
    }
    replaced.append(contentsOf: keys[next...])
    keys = replaced
  }

  private func position(of key: Int64) -> Int? {
    let (place, isFound) = FilteredMembers.place(of: key, in: keys)
    return isFound ? place : nil
  }

  private func positions(of range: ClosedRange<Int64>) -> Range<Int> {
    Answer.keys(keys).positions(of: range)
  }

  private func place(of key: Int64) -> Int { FilteredMembers.place(of: key, in: keys).position }

  /// How many of ascending keys are smaller, and whether this one is among them.
  static func place(of key: Int64, in keys: [Int64]) -> (position: Int, isFound: Bool) {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return (low, low < keys.count && keys[low] == key)
  }
}
