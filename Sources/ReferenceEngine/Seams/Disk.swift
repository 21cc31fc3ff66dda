/// Where the bytes of a realm are kept: everything the engine ever does to its file goes through
/// here.
///
/// Reads of nodes do not: they go to the mapping of `descriptor`. What `write` has written, the
/// mapping shows at once; what `sync` has returned from, a crash does not take back. Between two
/// syncs nothing is promised: writes may reach the medium in any order and torn at any boundary of
/// 512 bytes.
package protocol Disk: AnyObject, Sendable {
  var path: String { get }

  /// What the mapping maps.
  var descriptor: Int32 { get }

  /// Which file it is, if it knows without asking the system.
  var identity: FileStatus.Identity? { get }

  /// Whether bytes may be stored straight through a writable mapping: true for memory that no crash
  /// outlives, so that there is nothing to order or to tear.
  var isMemory: Bool { get }

  func size() throws -> UInt64

  /// Fills the buffer, and returns how many bytes there were before the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws

  /// As `write`, for bytes that no flush waits for; the file has been made long enough before. They
  /// need not go through a system call, but a flush that comes later takes them along.
  func store(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws

  /// Lets what was written there set out for the medium, so that the next flush has less to wait
  /// for. It guarantees nothing.
  func setOut(_ count: Int, at offset: UInt64)

  /// Makes the file longer; the new space is written, not merely promised, so that no later store
  /// can fail.
  func grow(from oldSize: UInt64, to newSize: UInt64) throws

  func truncate(to size: UInt64) throws

  /// Returns when everything written before has reached the medium.
  func sync() throws

  /// Gives the file another name, which only with `replace` may be one that exists. What was
  /// written before has to be on the medium: a crash may leave the name and nothing behind it else.
  func rename(to path: String, replace: Bool) throws

  /// Returns when the file's name, too, has reached the medium: a file that was just made may be
  /// whole and have none.
  func syncName() throws

  func close()
}

extension Disk {
  package var identity: FileStatus.Identity? { nil }

  package func store(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try write(bytes, at: offset)
  }

  package func setOut(_ count: Int, at offset: UInt64) {}

  package func syncName() throws {}
}
