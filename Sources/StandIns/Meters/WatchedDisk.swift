import ReferenceEngine
import Synchronization

/// An honest disk with someone before it: the base of those that count, hold or fail.
package class WatchedDisk: Disk, @unchecked Sendable {
  // Sendable because the wrapped disk is constant; what subclasses add they guard themselves.
  package let wrapped: any Disk

  package init(_ wrapped: any Disk) { self.wrapped = wrapped }

  package var path: String { wrapped.path }
  package var descriptor: Int32 { wrapped.descriptor }
  package var isMemory: Bool { wrapped.isMemory }
  package func size() throws -> UInt64 { try wrapped.size() }
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try wrapped.read(into: buffer, at: offset)
  }
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try wrapped.write(bytes, at: offset)
  }
  package func setOut(_ count: Int, at offset: UInt64) { wrapped.setOut(count, at: offset) }
  package func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try wrapped.grow(from: oldSize, to: newSize)
  }
  package func truncate(to size: UInt64) throws { try wrapped.truncate(to: size) }
  package func sync() throws { try wrapped.sync() }
  package func rename(to path: String, replace: Bool) throws {
    try wrapped.rename(to: path, replace: replace)
  }
  package func syncName() throws { try wrapped.syncName() }

  /// Keeps the bytes when the engine closes the disk, for whoever wants to look at them afterwards.
  package nonisolated(unsafe) var staysOpen = false  // set before the engine gets the disk

  package func close() { if !staysOpen { wrapped.close() } }
}

/// Counts what a workload asks of the disk.
package final class CountingDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because `state` guards the counts.
  package struct Counts: Sendable, Equatable {
    package var writes = 0
    package var bytesWritten = 0
    package var syncs = 0
    package var growths = 0
    package var bytesGrown = 0
    /// Pages of 4 KiB that the writes touched: what the medium writes at least.
    package var pagesWritten = 0
  }

  private let state = Mutex(Counts())

  package var counts: Counts { state.withLock { $0 } }
  package func reset() { state.withLock { $0 = Counts() } }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try super.write(bytes, at: offset)
    let pages = Int((offset + UInt64(bytes.count) + 4095) / 4096 - offset / 4096)
    state.withLock {
      $0.writes += 1
      $0.bytesWritten += bytes.count
      $0.pagesWritten += pages
    }
  }

  package override func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try super.grow(from: oldSize, to: newSize)
    state.withLock {
      $0.growths += 1
      $0.bytesGrown += Int(newSize - oldSize)
    }
  }

  package override func sync() throws {
    try super.sync()
    state.withLock { $0.syncs += 1 }
  }
}

/// Calls someone before each flush, who may keep it waiting: to look at the world meanwhile.
package final class HeldDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because `arrival` guards what varies.
  private let arrival = Mutex<(@Sendable () -> Void)?>(nil)

  /// From now on `onArrival` is called on the thread that flushes; the flush happens when it
  /// returns.
  package func hold(_ onArrival: @escaping @Sendable () -> Void) {
    arrival.withLock { $0 = onArrival }
  }

  package func pass() { arrival.withLock { $0 = nil } }

  package override func sync() throws {
    arrival.withLock { $0 }?()
    try super.sync()
  }
}

/// Fails at the k-th call that changes something, once or from then on.
package final class FailingDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because `state` guards what varies.
  package enum Failure: Sendable, CaseIterable {
    /// The call fails and has done nothing.
    case refused
    /// A write fails and has written its first half; a flush fails and has flushed nothing.
    case torn
    case noSpace
  }

  private struct State {
    var calls = 0
    var failAt: Int?
    var isSticky = false
    var failure = Failure.refused
    var hasFailed = false
  }

  private let state = Mutex(State())

  package var calls: Int { state.withLock { $0.calls } }
  package var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Arms: the k-th call from now on (counted from 0) fails.
  package func fail(at call: Int, _ failure: Failure, sticky: Bool) {
    state.withLock {
      $0 = State(
        calls: 0, failAt: call, isSticky: sticky, failure: failure, hasFailed: false)
    }
  }

  package func heal() { state.withLock { $0.failAt = nil } }

  private func failure() -> Failure? {
    state.withLock { state in
      defer { state.calls += 1 }
      guard let at = state.failAt, state.calls == at || (state.isSticky && state.calls > at) else {
        return nil
      }
      state.hasFailed = true
      return state.failure
    }
  }

  private func error(_ failure: Failure, _ operation: String) -> StorageError {
    failure == .noSpace
      ? .outOfSpace(path: path, reason: "No space left on device")
      : .failed(path: path, operation: operation, reason: "Input/output error", code: 5)
  }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    guard let failure = failure() else { return try super.write(bytes, at: offset) }
    if failure == .torn {
      try super.write(UnsafeRawBufferPointer(rebasing: bytes[0..<bytes.count / 2]), at: offset)
    }
    throw error(failure, "write")
  }

  package override func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    guard let failure = failure() else { return try super.grow(from: oldSize, to: newSize) }
    if failure == .torn { try super.grow(from: oldSize, to: (oldSize + newSize) / 2) }
    throw error(failure, "grow")
  }

  package override func truncate(to size: UInt64) throws {
    guard let failure = failure() else { return try super.truncate(to: size) }
    throw error(failure, "resize")
  }

  package override func sync() throws {
    guard let failure = failure() else { return try super.sync() }
    throw error(failure, "flush")
  }

  package override func rename(to path: String, replace: Bool) throws {
    guard let failure = failure() else { return try super.rename(to: path, replace: replace) }
    throw error(failure, "make")
  }
}

/// Calls someone behind each measure of the file, who may do something to the file meanwhile, or
/// make it fail.
package final class MeasuredDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because `watcher` guards itself.
  private let watcher = Mutex<(@Sendable () throws -> Void)?>(nil)

  package func onMeasure(_ body: (@Sendable () throws -> Void)?) { watcher.withLock { $0 = body } }

  package override func size() throws -> UInt64 {
    let size = try super.size()
    try watcher.withLock { $0 }?()
    return size
  }
}
