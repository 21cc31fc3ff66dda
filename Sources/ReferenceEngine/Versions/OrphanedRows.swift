import Synchronization

/// The rows that somebody here may still ask for of files which this process has closed.
///
/// Whoever opens such a file next reads on what becomes of them: when they are asked for, the
/// records of the first commits may be gone.
enum OrphanedRows {
  private struct Weak {
    weak var row: RememberedRow?
  }

  /// Lock "orphaned rows" of docs/CONCURRENCY.md. By the file's one name.
  private static let rows = Mutex(ByPath<[Weak]>())

  /// The last who had a file open is going.
  static func leave(_ left: [RememberedRow], of path: String) {
    if left.isEmpty { return }
    rows.withLock { rows in
      // Of files that nobody opens again.
      rows.keep {
        $0.removeAll { $0.row == nil }
        return !$0.isEmpty
      }
      rows.change(PathKey(path), orElse: []) { $0 += left.map { Weak(row: $0) } }
    }
  }

  static func take(of path: String) -> [RememberedRow] {
    rows.withLock { rows in
      defer { rows[PathKey(path)] = nil }
      return rows[PathKey(path)] ?? []
    }.compactMap(\.row)
  }
}
