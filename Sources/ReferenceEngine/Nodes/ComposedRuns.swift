import Synchronization

/// The nodes of a sealed commit, composed in memory and not yet in the file, so that nobody waits
/// for a write at the home of an asynchronous one.
///
/// Whoever needs them in the file first writes them, and others wait for that: the thread that
/// brings the group to the disk, or the home, if it reads what it has just sealed. Either holds the
/// gate meanwhile, for the group that they belong to.
final class ComposedRuns: @unchecked Sendable {
  // Sendable because `outcome` guards `runs`, and everything else is constant but for `isWriting`,
  // which only a director reads, while nobody runs.

  /// A run, and the memory it is composed in.
  struct One {
    let offset: UInt64
    var bytes: Int
    let memory: UnsafeMutableRawPointer
  }

  /// Empty once they are written, or cannot be.
  private var runs: [One]
  private let isFlushed: Bool
  private let heap: Heap
  private var isWriting = false
  /// Lock "composed runs" of docs/CONCURRENCY.md: held while they are written, so that they are
  /// written once.
  private let outcome = Mutex<Result<Void, any Error>?>(nil)

  /// - Parameter isFlushed: whether a flush will wait for them.
  init(_ runs: [One], isFlushed: Bool, in heap: Heap) {
    (self.runs, self.isFlushed, self.heap) = (runs, isFlushed, heap)
  }

  deinit { letGo() }

  /// Whether they are in the file.
  var isWritten: Bool {
    outcome.withLock { if case .success? = $0 { true } else { false } }
  }

  /// Returns when they are in the file. May be called again, and fails again if it has failed.
  func write() throws {
    let moments = heap.moments
    var isFirst = try outcome.withLockIfAvailable({ try writeOnce(&$0) })
    if isFirst == nil {
      moments.wait(at: .writingAwaited) { !self.isWriting }
      isFirst = try outcome.withLock { try writeOnce(&$0) }
    }
    if isFirst == true { moments.reach(.dataWritten) }
  }

  /// False if it has been done before.
  private func writeOnce(_ outcome: inout Result<Void, any Error>?) throws -> Bool {
    if let outcome {
      try outcome.get()
      return false
    }
    isWriting = true
    defer { isWriting = false }
    let result = Result { try writeAll() }
    outcome = result
    letGo()
    try result.get()
    return true
  }

  private func letGo() {
    for run in runs { run.memory.deallocate() }
    runs = []
  }

  private func writeAll() throws {
    try heap.provide(for: runs.map { Run(offset: $0.offset, bytes: $0.bytes) })
    invariant(
      runs.allSatisfy { $0.bytes > 0 && $0.offset >= FileHeader.heapStart },
      "nothing, or the header, was composed for later")
    for run in runs {
      let bytes = UnsafeRawBufferPointer(start: run.memory, count: run.bytes)
      if isFlushed {
        try heap.disk.write(bytes, at: run.offset)
      } else {
        try heap.disk.store(bytes, at: run.offset)
      }
    }
  }
}
