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

  private func position(of key: Int64) -> Int? {
    let place = place(of: key)
    return place < keys.count && keys[place] == key ? place : nil
  }

  private func place(of key: Int64) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
