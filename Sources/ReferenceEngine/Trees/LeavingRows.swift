import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The rows of a table that a write has deleted and that still lie in its tree.
///
/// To take a row out of its cluster moves half a cluster's values in each of its columns. Rows that
/// are deleted one by one, by an app's loop, are noted here until somebody asks for the rows in
/// order or adds one, and then go together: each node is changed once.
final class LeavingRows {
  /// In the order in which they were deleted.
  @exclusivity(unchecked) private(set) var keys: [Int64] = []
  /// The numbers of the keys and 1, by their hashes; 0 where there is none.
  private var slots: UnsafeMutablePointer<UInt32>
  private var bits: UInt64 = 5

  init() { slots = LeavingRows.cleared(bits) }

  deinit { free(slots) }

  private static func cleared(_ bits: UInt64) -> UnsafeMutablePointer<UInt32> {
    guard let memory = calloc(1 << Int(bits), 4) else { fatalError("out of memory") }
    return memory.bindMemory(to: UInt32.self, capacity: 1 << Int(bits))
  }

  /// The slot that a key has, or would have.
  @inline(__always)
  private func slot(of key: Int64) -> Int {
    let mask = 1 &<< Int(bits) &- 1
    var at = Int(
      truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- bits))
    while slots[at] != 0, keys[Int(slots[at]) &- 1] != key { at = (at &+ 1) & mask }
    return at
  }

  @inline(__always)
  func contain(_ key: Int64) -> Bool { slots[slot(of: key)] != 0 }

  /// Notes a row that is not noted yet.
  func add(_ key: Int64) {
    invariant(!contain(key), "row \(key) is deleted twice")
    let slot = slot(of: key)
    keys.append(key)
    slots[slot] = UInt32(truncatingIfNeeded: keys.count)
    if keys.count << 1 > 1 << Int(bits) { makeRoom() }
  }

  @inline(never)
  private func makeRoom() {
    free(slots)
    bits += 2
    slots = LeavingRows.cleared(bits)
    for (number, key) in keys.enumerated() {
      slots[slot(of: key)] = UInt32(truncatingIfNeeded: number &+ 1)
    }
  }

  /// The keys in ascending order.
  func sorted() -> [Int64] {
    if zip(keys, keys.dropFirst()).allSatisfy(<) { return keys }
    if keys.count < 256 { return keys.sorted() }
    let words = keys.map(PackedSort.word)
    return words.withUnsafeBufferPointer { words in
      PackedSort.order(of: words).map { keys[Int($0)] }
    }
  }
}
