import CShims
import ReferenceEngine
import Synchronization

/// Remembers every write and flush, so that any state can be made that a crash might leave.
///
/// The bytes live in a file without a name; the engine believes that it is a real one.
package final class RecordingDisk: Disk {
  package enum Step: Sendable {
    case write(offset: UInt64, bytes: [UInt8])
    case resize(UInt64)
    case sync
    /// A flush that failed: what was written since the last one may have reached the medium or not,
    /// and no later flush carries it, because the system takes it for written.
    case failedSync
    /// The file has got its name: from here on a crash may leave it under that name.
    case rename
    /// From here on no crash takes the name away.
    case syncName
    /// Not the disk's doing: a note of the one who runs the workload, in order with the rest.
    case note(Int)
  }

  private let file: PosixDisk
  private struct State {
    var steps: [Step] = []
    var syncs = 0
    /// How many flushes pass, and how many fail after these.
    var (passing, failing) = (0, 0)
    var onFailure: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let forgets: @Sendable (Int) -> Bool

  /// - Parameter forgets: which flushes, counted from 0, return without having happened.
  package init(forgets: @escaping @Sendable (Int) -> Bool = { _ in false }) throws {
    file = try PosixDisk(memoryNamed: "recorded")
    self.forgets = forgets
  }

  package var steps: [Step] { state.withLock { $0.steps } }

  package func note(_ number: Int) { state.withLock { $0.steps.append(.note(number)) } }

  package var path: String { "recorded.realm" }
  package var descriptor: Int32 { file.descriptor }
  package var isMemory: Bool { false }

  package func size() throws -> UInt64 { try file.size() }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try file.write(bytes, at: offset)
    let copy = [UInt8](bytes)
    state.withLock { $0.steps.append(.write(offset: offset, bytes: copy)) }
  }

  package func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try file.truncate(to: newSize)
    let zeros = [UInt8](repeating: 0, count: Int(newSize - oldSize))
    state.withLock { $0.steps.append(.write(offset: oldSize, bytes: zeros)) }
  }

  package func truncate(to size: UInt64) throws {
    try file.truncate(to: size)
    state.withLock { $0.steps.append(.resize(size)) }
  }

  /// So many flushes fail after so many that do not, and the system forgets what they should have
  /// carried.
  package func failFlushes(_ count: Int, after passing: Int = 0) {
    state.withLock { ($0.passing, $0.failing) = (passing, count) }
  }

  /// Calls somebody when a flush has failed, before whoever asked for it is told.
  package func onFailure(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onFailure = body }
  }

  package func sync() throws {
    let hasFailed = state.withLock { state in
      defer { state.syncs += 1 }
      if state.failing > 0, state.passing == 0 {
        state.failing -= 1
        state.steps.append(.failedSync)
        return true
      }
      state.passing = max(0, state.passing - 1)
      if !forgets(state.syncs) { state.steps.append(.sync) }
      return false
    }
    guard hasFailed else { return }
    state.withLock { $0.onFailure }?()
    throw StorageError.failed(
      path: path, operation: "flush", reason: "Input/output error", code: 5)
  }

  package func rename(to path: String, replace: Bool) throws {
    state.withLock { $0.steps.append(.rename) }
  }

  package func syncName() throws { state.withLock { $0.steps.append(.syncName) } }

  package func close() { file.close() }
}

/// A disk that holds given bytes: what a crash has left.
package final class ImageDisk: Disk {
  private let file: PosixDisk

  package init(_ bytes: UnsafeRawBufferPointer) throws {
    file = try PosixDisk(memoryNamed: "image")
    try file.truncate(to: UInt64(bytes.count))
    try file.write(bytes, at: 0)
  }

  package var path: String { "image.realm" }
  package var descriptor: Int32 { file.descriptor }
  package var isMemory: Bool { false }
  package func size() throws -> UInt64 { try file.size() }
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try file.write(bytes, at: offset)
  }
  package func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try file.truncate(to: newSize)
  }
  package func truncate(to size: UInt64) throws { try file.truncate(to: size) }
  package func sync() throws {}
  package func rename(to path: String, replace: Bool) throws {}
  package func close() { file.close() }
}
