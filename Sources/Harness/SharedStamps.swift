import CShims
import Foundation

/// One counter for several processes: the order of what happened in all of them.
public final class SharedStamps: @unchecked Sendable {
  // Sendable because the word is only touched by atomic operations.
  private let word: UnsafeMutablePointer<UInt32>

  /// Joins the counter in a file, which is made if there is none.
  public init(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, 4096) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    defer { close(descriptor) }
    guard let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    word = memory.assumingMemoryBound(to: UInt32.self)
  }

  deinit { munmap(word, 4096) }

  /// Draws the next number. Numbers start at 1.
  public func draw() -> UInt64 { UInt64(rb_add32(word, 1)) + 1 }
}
