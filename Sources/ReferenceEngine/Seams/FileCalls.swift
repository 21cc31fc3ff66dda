import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The system calls behind a disk, which a test may interrupt or cut short as the system may.
///
/// Each answers as the call of its name does: -1 and `errno`, or how much was done; `allocate`
/// answers with the error itself, or 0.
package struct FileCalls: Sendable {
  package var read: @Sendable (Int32, UnsafeMutableRawPointer, Int, off_t) -> Int
  package var write: @Sendable (Int32, UnsafeRawPointer, Int, off_t) -> Int
  package var flush: @Sendable (Int32) -> Int32
  package var resize: @Sendable (Int32, off_t) -> Int32
  package var allocate: @Sendable (Int32, off_t, off_t) -> Int32

  package init(
    read: @escaping @Sendable (Int32, UnsafeMutableRawPointer, Int, off_t) -> Int,
    write: @escaping @Sendable (Int32, UnsafeRawPointer, Int, off_t) -> Int,
    flush: @escaping @Sendable (Int32) -> Int32,
    resize: @escaping @Sendable (Int32, off_t) -> Int32,
    allocate: @escaping @Sendable (Int32, off_t, off_t) -> Int32 = {
      rb_allocate($0, UInt64($1), UInt64($2))
    }
  ) {
    self.read = read
    self.write = write
    self.flush = flush
    self.resize = resize
    self.allocate = allocate
  }

  package static let system = FileCalls(
    read: { pread($0, $1, $2, $3) }, write: { pwrite($0, $1, $2, $3) }, flush: { fdatasync($0) },
    resize: { ftruncate($0, $1) })
}
