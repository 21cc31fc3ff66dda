import Foundation

/// The first bytes of a file, mapped by each process that shares them; zeros at first.
final class SharedPage: @unchecked Sendable {
  // Sendable because its users see to it that nobody writes where another one does: by atomic
  // operations, or by turns.
  let bytes: UnsafeMutableRawPointer
  private let size: Int

  /// Maps the file, which is made if there is none, and emptied first if it shall be fresh.
  init(_ path: String, size: Int = 4096, isFresh: Bool = false) throws {
    self.size = size
    let descriptor = open(path, O_RDWR | O_CREAT | (isFresh ? O_TRUNC : 0), 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    defer { close(descriptor) }
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    bytes = memory
  }

  deinit { munmap(bytes, size) }

  /// As words for atomic operations.
  var words: UnsafeMutablePointer<UInt32> { bytes.assumingMemoryBound(to: UInt32.self) }
}
