import ReferenceEngine
import Synchronization

/// Loses the nodes that are written in one call, and says nothing: a disk to try tests on.
package final class LosingDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because the count is atomic.
  private let left: Atomic<Int>

  /// - Parameter call: which write of nodes is lost, counted from 1.
  package init(_ wrapped: any Disk, losing call: Int) {
    left = Atomic(call)
    super.init(wrapped)
  }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    // The first page holds the header and the slots.
    if offset >= 4096, left.subtract(1, ordering: .relaxed).newValue == 0 { return }
    try super.write(bytes, at: offset)
  }
}
