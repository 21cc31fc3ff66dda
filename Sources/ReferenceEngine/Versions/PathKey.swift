#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file's path, or what else names a realm, told apart as the system does: by its bytes.
///
/// Texts that are written differently and look the same, as "é" in one character and in two, are
/// equal to Swift, and name two files.
struct PathKey: Hashable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  // The texts of paths are contiguous: nothing is copied.
  static func == (left: PathKey, right: PathKey) -> Bool {
    let (left, right) = (left.path.utf8, right.path.utf8)
    let isEqual = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right -> Bool in
        guard left.count == right.count else { return false }
        guard let one = left.baseAddress, let other = right.baseAddress else { return true }
        // Most are asked for by the very text that they are known by.
        return one == other || memcmp(one, other, left.count) == 0
      }
    }
    return (isEqual ?? nil) ?? left.elementsEqual(right)
  }

  func hash(into hasher: inout Hasher) {
    let isDone: Void? = path.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { for byte in path.utf8 { hasher.combine(byte) } }
    // What follows in a longer key is not of the text.
    hasher.combine(UInt8(0xFF))
  }
}
