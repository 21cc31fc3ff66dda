import ReferenceEngine
import Synchronization

/// Counts the bytes that are written at some place, and elsewhere: to see who waits for the disk.
package final class Witness: Sendable {
  private struct State {
    var isThere: (@Sendable () -> Bool)?
    var there = 0
    var elsewhere = 0
  }
  private let state = Mutex(State())

  package init() {}

  /// Stands before every disk that is opened from now on.
  package func install() {
    let honest = Seams.given.disk
    Seams.given.disk = { WitnessDisk(try honest($0, $1, $2), self) }
  }

  /// Counts from now on; `isThere` is asked on the thread that writes.
  package func watch(_ isThere: @escaping @Sendable () -> Bool) {
    state.withLock { $0 = State(isThere: isThere) }
  }

  package var counts: (there: Int, elsewhere: Int) { state.withLock { ($0.there, $0.elsewhere) } }

  fileprivate func note(_ bytes: Int) {
    state.withLock { state in
      guard let isThere = state.isThere else { return }
      if isThere() { state.there += bytes } else { state.elsewhere += bytes }
    }
  }
}

/// A disk that tells a witness what is written; a flush counts as a byte, and so does a look at how
/// long the file is, which who looks through all of it takes first.
private final class WitnessDisk: WatchedDisk, @unchecked Sendable {
  // Sendable because the witness guards what varies.
  private let witness: Witness

  init(_ wrapped: any Disk, _ witness: Witness) {
    self.witness = witness
    super.init(wrapped)
  }

  override func size() throws -> UInt64 {
    witness.note(1)
    return try super.size()
  }

  override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try super.write(bytes, at: offset)
    witness.note(bytes.count)
  }

  override func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try super.grow(from: oldSize, to: newSize)
    witness.note(Int(newSize - oldSize))
  }

  override func sync() throws {
    try super.sync()
    witness.note(1)
  }
}
