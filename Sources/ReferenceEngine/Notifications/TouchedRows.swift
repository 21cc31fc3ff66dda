/// The rows of one table that changes concern: those that were modified as they stand among the
/// changes, however many, and others by key.
struct TouchedRows {
  /// Runs of modified rows, ascending; none where not all of them count.
  private let modified: [RowChange]
  /// What else counts, and what counts where not all modified rows do.
  let others: Set<Int64>

  init(modified: [RowChange] = [], others: Set<Int64> = []) {
    (self.modified, self.others) = (modified, others)
  }

  /// Whether every modified row counts.
  var containsAllModified: Bool { !modified.isEmpty }

  var isEmpty: Bool { modified.isEmpty && others.isEmpty }

  /// How many there are, or a few more.
  var count: Int { modified.rowCount + others.count }

  /// All of them, each once.
  var keys: [Int64] { modified.flatMap(\.keys) + others.filter { modified.run(with: $0) == nil } }

  func contains(_ key: Int64) -> Bool {
    others.contains(key) || modified.run(with: key) != nil
  }
}

extension RowChange {
  /// Whether rows of before and after are under the same keys, and not the same.
  var modifies: Bool { kind == .modified || kind == .replaced }
}

extension [RowChange] {
  /// How many rows have changed.
  var rowCount: Int { reduce(0) { $0 + Int($1.count) } }

  /// The run of ascending ones that a row is in.
  func run(with key: Int64) -> RowChange? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].keys.upperBound < key { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].key <= key ? self[low] : nil
  }
}
