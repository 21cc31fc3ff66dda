import ReferenceEngine
import Synchronization

/// A disk whose process dies at a flush: nothing is done from there on, until the next process
/// comes. What was written before is in the file, and on the medium or not.
package final class MortalDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because `life` guards what varies.
  private let life = Mutex<(flushesLeft: Int, isDead: Bool)>((.max, false))

  package override init(_ wrapped: any Disk) {
    super.init(wrapped)
    staysOpen = true
  }

  /// From now on the process lives for so many flushes.
  package func dies(atFlush flush: Int) { life.withLock { $0 = (flush, false) } }

  /// It dies now.
  package func die() { life.withLock { $0 = (0, true) } }

  package func revive() { life.withLock { $0 = (.max, false) } }

  package var isDead: Bool { life.withLock { $0.isDead } }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    if !isDead { try super.write(bytes, at: offset) }
  }

  package override func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    if !isDead { try super.grow(from: oldSize, to: newSize) }
  }

  package override func truncate(to size: UInt64) throws {
    if !isDead { try super.truncate(to: size) }
  }

  package override func sync() throws {
    let diesNow = life.withLock { life in
      if life.flushesLeft == 0 { life.isDead = true }
      life.flushesLeft -= 1
      return life.isDead
    }
    if !diesNow { try super.sync() }
  }
}
