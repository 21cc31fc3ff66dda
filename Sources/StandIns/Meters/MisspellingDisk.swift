import ReferenceEngine
import Synchronization

/// A disk that writes a number wrong, in one of the columns of nodes: all that refers to it is
/// whole, and what is read is not what was written.
package final class MisspellingDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because the count is atomic.
  private let left: Atomic<Int>

  /// - Parameter call: from which write of nodes on the next number is wrong, counted from 1.
  package init(_ wrapped: any Disk, misspelling call: Int) {
    left = Atomic(call)
    super.init(wrapped)
  }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    // The first page holds the header and the slots.
    guard offset >= 4096, left.load(ordering: .relaxed) > 0,
      left.subtract(1, ordering: .relaxed).newValue == 0
    else { return try super.write(bytes, at: offset) }
    var wrong = [UInt8](bytes)
    if let place = firstNumber(in: wrong) {
      wrong[place] ^= 1
    } else {
      left.store(1, ordering: .relaxed)
    }
    try wrong.withUnsafeBytes { try super.write($0, at: offset) }
  }

  /// Where the first whole number of a byte or more stands.
  private func firstNumber(in nodes: [UInt8]) -> Int? {
    var node = 0
    while node + 16 < nodes.count {
      let (kind, width) = (nodes[node], nodes[node + 1])
      if kind == 5, width & 7 >= 4 { return node + (width & 0x80 == 0 ? 16 : 48) }
      let units = Int(nodes[node + 8]) | Int(nodes[node + 9]) << 8 | Int(nodes[node + 10]) << 16
      if units == 0 { return nil }
      node += units << 4
    }
    return nil
  }
}
