import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file seen as memory, at an address that never changes.
///
/// A large range of addresses is reserved once and mapped whole, far past the end of the file. A file that grows
/// is simply there: no reader ever maps again, and no pointer into the file ever moves. Nobody touches bytes past
/// the end, because no reference leads there.
final class Mapping: @unchecked Sendable {
  // Sendable because both fields are constant; what they point at is shared memory by purpose.
  let base: UnsafeMutableRawPointer
  private let length: Int

  /// - Parameter writable: true only for memory files, which no crash outlives.
  init(descriptor: Int32, path: String, writable: Bool) throws {
    length = Int(NodeRef.reservation)
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    // Apart from the descriptor, which holds locks: a forked child inherits this mapping, and would
    // keep them for as long as it lives.
    let apart = rb_open_apart(descriptor, writable ? 1 : 0)
    defer { if apart >= 0 { _ = close(apart) } }
    let address = mmap(
      nil, length, protection, MAP_SHARED | MAP_NORESERVE, apart < 0 ? descriptor : apart, 0)
    guard let address, address != MAP_FAILED else { throw StorageError.system("map", path) }
    base = address
  }

  deinit { munmap(base, length) }

  var space: NodeSpace { NodeSpace(base: base) }
}
