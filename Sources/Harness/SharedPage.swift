import Foundation

/// A page of a file that several processes map for the words they share; zeros at first.
final class SharedPage: @unchecked Sendable {
  // Sendable because its users touch the words by atomic operations only.
  let words: UnsafeMutablePointer<UInt32>
  private static let size = 4096

  /// Maps the file, which is made if there is none.
  init(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(SharedPage.size)) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    defer { close(descriptor) }
    guard
      let memory = mmap(
        nil, SharedPage.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    words = memory.assumingMemoryBound(to: UInt32.self)
  }

  deinit { munmap(words, SharedPage.size) }
}
