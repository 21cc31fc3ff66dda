import ReferenceEngine
import Synchronization

/// A disk on which someone listens: remembers what it is asked in order, and fails on demand.
///
/// It stands next to the medium: what a wrong disk before it swallows is not remembered here.
package final class HookedDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because what varies is in `Ear`, which guards it.
  private let ear: Ear

  init(_ wrapped: any Disk, _ ear: Ear) {
    self.ear = ear
    super.init(wrapped)
  }

  package override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    if ear.fails(.writes) { throw error("write") }
    try super.write(bytes, at: offset)
    ear.hear(.write(offset: offset, bytes: Array(bytes)))
  }

  package override func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    if ear.fails(.writes) { throw error("grow") }
    try super.grow(from: oldSize, to: newSize)
    let zeros = [UInt8](repeating: 0, count: Int(newSize - oldSize))
    ear.hear(.write(offset: oldSize, bytes: zeros))
  }

  package override func truncate(to size: UInt64) throws {
    try super.truncate(to: size)
    ear.hear(.resize(size))
  }

  package override func sync() throws {
    ear.callBeforeFlush()
    if ear.fails(.flushes) { throw error("flush") }
    // Nobody pulls the plug while it is being recorded; what a crash leaves is made from the
    // record.
    ear.hear(.sync)
  }

  package override func rename(to path: String, replace: Bool) throws {
    try super.rename(to: path, replace: replace)
    ear.hear(.rename)
  }

  /// It costs little; and whoever opens a file whose maker died asks for it once more.
  package override func syncName() throws {
    try super.syncName()
    ear.hear(.syncName)
  }

  private func error(_ operation: String) -> StorageError {
    .failed(path: path, operation: operation, reason: "Input/output error", code: 5)
  }
}

/// What the hooked disks of a process heard, and what they are told to do.
package final class Ear: Sendable {
  package enum Fault: Sendable { case writes, flushes }

  private struct State {
    var isRecording = false
    var skipsFlushes = false
    var steps: [RecordingDisk.Step] = []
    var fault: (kind: Fault, passing: Int, times: Int)?
  }

  private let state = Mutex(State())
  private let arrival = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  /// Puts the ear before every disk that is opened from now on; it hears only while it records.
  ///
  /// Before any broken engine is put in place, so that it stands behind its wrong disks.
  package func install() {
    let honest = Seams.given.disk
    Seams.given.disk = { [self] in
      let disk = try honest($0, $1, $2)
      let (isRecording, skipsFlushes) = state.withLock { ($0.isRecording, $0.skipsFlushes) }
      if isRecording, $1 { return HookedDisk(disk, self) }
      return skipsFlushes ? UnflushedDisk(disk) : disk
    }
  }

  package func record() { state.withLock { $0.isRecording = true } }
  package func skipFlushes() { state.withLock { $0.skipsFlushes = true } }
  package func stop() { state.withLock { $0.isRecording = false } }
  package var steps: [RecordingDisk.Step] { state.withLock { $0.steps } }
  package func note(_ number: Int) { hear(.note(number)) }

  package func fail(_ kind: Fault, after passing: Int, times: Int) {
    state.withLock { $0.fault = (kind, passing, times) }
  }

  package func beforeFlush(_ call: (@Sendable () -> Void)?) { arrival.withLock { $0 = call } }

  /// Outside of every lock: whoever is called may keep the flush waiting for as long as it likes.
  func callBeforeFlush() { arrival.withLock { $0 }?() }

  func hear(_ step: RecordingDisk.Step) { state.withLock { $0.steps.append(step) } }

  func fails(_ kind: Fault) -> Bool {
    state.withLock { state in
      guard var fault = state.fault, fault.kind == kind else { return false }
      defer { state.fault = fault }
      if fault.passing > 0 {
        fault.passing -= 1
        return false
      }
      if fault.times == 0 { return false }
      fault.times -= 1
      return true
    }
  }
}
