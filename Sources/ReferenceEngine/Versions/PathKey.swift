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
  @inline(__always)
  static func == (left: PathKey, right: PathKey) -> Bool {
    // Most are asked for by the very text that they are known by.
    let (one, other) = (left.bits, right.bits)
    return one.0 == other.0 && one.1 == other.1 || left.hasBytes(of: right)
  }

  /// What a text consists of: where it lies, or itself if it is short.
  @inline(__always) private var bits: (UInt, UInt) {
    unsafeBitCast(path, to: (UInt, UInt).self)
  }

  private func hasBytes(of other: PathKey) -> Bool {
    let (left, right) = (path.utf8, other.path.utf8)
    let isEqual = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right -> Bool in
        guard left.count == right.count else { return false }
        guard let one = left.baseAddress, let other = right.baseAddress else { return true }
        return memcmp(one, other, left.count) == 0
      }
    }
    return (isEqual ?? nil) ?? left.elementsEqual(right)
  }

  func hash(into hasher: inout Hasher) {
    let isDone: Void? = path.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { for byte in path.utf8 { hasher.combine(byte) } }
  }
}
