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
    replace(parts(leaving: difference.deletions, coming: come))
    difference.insertions = come.compactMap(position)
    return difference
  }

  /// The parts that some members leave, and others come into; both ascending.
  private func parts(
    leaving positions: [Int], coming come: [Int64]
  ) -> [(was: Range<Int>, are: [Int64])] {
    var parts: [(was: Range<Int>, are: [Int64])] = []
    var next = positions.makeIterator()
    var leaves = next.next()
    for key in come {
      let place = place(of: key)
      while let position = leaves, position < place {
        parts.append((position..<(position + 1), []))
        leaves = next.next()
      }
      parts.append((place..<place, [key]))
    }
    while let position = leaves {
      parts.append((position..<(position + 1), []))
      leaves = next.next()
    }
    return parts
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

  /// Replaces parts, in ascending order, where they lie: what stays between two of them is moved
  /// once, and a long list needs no second one beside it.
  private mutating func replace(_ parts: [(was: Range<Int>, are: [Int64])]) {
    let count = keys.count
    let growth = parts.reduce(0) { $0 + $1.are.count - $1.was.count }
    if growth > 0 { keys.append(contentsOf: repeatElement(0, count: growth)) }
    keys.withUnsafeMutableBufferPointer { keys in
      guard let base = keys.baseAddress else { return }
      func move(from part: Int, by distance: Int) {
        let start = parts[part].was.upperBound
        let end = part + 1 < parts.count ? parts[part + 1].was.lowerBound : count
        (base + start + distance).update(from: base + start, count: end - start)
      }
      // What moves down is moved from the front and what moves up from the back, so that nothing is
      // written over that is still to move. The two never meet: all keep their order.
      var distance = 0
      for part in parts.indices {
        distance += parts[part].are.count - parts[part].was.count
        if distance < 0 { move(from: part, by: distance) }
      }
      for part in parts.indices.reversed() {
        if distance > 0 { move(from: part, by: distance) }
        distance -= parts[part].are.count - parts[part].was.count
      }
      for part in parts {
        (base + part.was.lowerBound + distance).update(from: part.are, count: part.are.count)
        distance += part.are.count - part.was.count
      }
    }
    if growth < 0 { keys.removeLast(-growth) }
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
