/// What a store has found of each table of its version, in memory of its own: an array for each
/// kind of thing took a third of the time in which a realm is frozen, and the runtime a good part
/// of that to find the types of their buffers.
struct FoundTables: ~Copyable {
  struct Found {
    /// As it was opened last, in the state that follows.
    var table: Table?
    var state: UInt64 = 0
    /// Its rows in the state of the store, once they were asked for; a plain value, so that a
    /// lookup copies nothing that is counted, and found without the rest of a table, which most
    /// lookups need not.
    var rows: RowTree?
  }
  private(set) var count: Int
  private var found: UnsafeMutablePointer<Found>

  init(count: Int) {
    self.count = count
    found = .allocate(capacity: count)
    found.initialize(repeating: Found(), count: count)
  }

  deinit {
    found.deinitialize(count: count)
    found.deallocate()
  }

  subscript(_ number: Int) -> Found {
    @inline(__always) unsafeAddress {
      assert(0..<count ~= number, "table \(number) of \(count)")
      return UnsafePointer(found + number)
    }
    // Mutating, which it need not be: otherwise the compiler ends in a build for ThreadSanitizer,
    // because it marks a write to what it takes for the tables' address and is their count.
    @inline(__always) mutating unsafeMutableAddress {
      assert(0..<count ~= number, "table \(number) of \(count)")
      return found + number
    }
  }

  /// Others have come.
  mutating func grow(to count: Int) {
    guard count > self.count else { return }
    let more = UnsafeMutablePointer<Found>.allocate(capacity: count)
    more.moveInitialize(from: found, count: self.count)
    (more + self.count).initialize(repeating: Found(), count: count - self.count)
    found.deallocate()
    (found, self.count) = (more, count)
  }
}
