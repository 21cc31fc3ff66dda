/// The rows of a table that a write has deleted and that still lie in its tree.
///
/// To take a row out of its cluster moves half a cluster's values in each of its columns. Rows that
/// are deleted one by one, by an app's loop, are noted here until somebody asks for the rows in
/// order or adds one, and then go together: each node is changed once.
final class LeavingRows {
  /// In the order in which they were deleted.
  @exclusivity(unchecked) private(set) var keys: [Int64] = []
  @exclusivity(unchecked) private var slots = KeySlots(for: 16)

  @inline(__always)
  private func slot(of key: Int64) -> Int { slots.slot(of: key) { keys[$0] } }

  @inline(__always)
  func contain(_ key: Int64) -> Bool { slots.number(in: slot(of: key)) != nil }

  /// Notes a row; false if it is noted already.
  func add(_ key: Int64) -> Bool {
    let slot = slot(of: key)
    if slots.number(in: slot) != nil { return false }
    slots.put(keys.count, into: slot)
    keys.append(key)
    if !slots.haveRoom(for: keys.count) { makeRoom() }
    return true
  }

  @inline(never)
  private func makeRoom() {
    slots.clear(for: keys.count)
    for (number, key) in keys.enumerated() { slots.put(number, into: slot(of: key)) }
  }

  /// The keys in ascending order.
  func sorted() -> [Int64] { PackedSort.sorted(keys) }
}
