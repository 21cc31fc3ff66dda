import ReferenceEngine
import Synchronization

/// A disk that keeps a list, for each flush, of what was written since the flush before, and of
/// which parts the system was asked to begin with while more was still being written.
package final class SettingOutDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because `state` guards what varies.
  package struct Stretch: Sendable {
    package var written: [Range<UInt64>] = []
    package var setOut: [Range<UInt64>] = []
  }

  private let state = Mutex((running: Stretch(), flushed: [Stretch]()))

  /// One for each flush that there was.
  package var stretches: [Stretch] { state.withLock { $0.flushed } }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try super.write(bytes, at: offset)
    state.withLock { $0.running.written.append(offset..<(offset + UInt64(bytes.count))) }
  }

  package override func setOut(_ count: Int, at offset: UInt64) {
    super.setOut(count, at: offset)
    state.withLock { $0.running.setOut.append(offset..<(offset + UInt64(count))) }
  }

  package override func sync() throws {
    try super.sync()
    state.withLock {
      $0.flushed.append($0.running)
      $0.running = Stretch()
    }
  }
}
