import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the kernel tells as a file.
///
/// Such files have no length, and what one call returns of them is a page or less: Foundation takes
/// the first such piece for the whole.
package enum KernelFile {
  /// The whole of it; nil where there is no such file, or nothing in it.
  package static func text(_ path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// As much of it as is there, or as is wanted.
  static func bytes(of path: String, upTo limit: Int = .max) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var found: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while found.count < limit {
      let count = read(file, &piece, min(piece.count, limit - found.count))
      guard count > 0 else { break }
      found += piece[..<count]
    }
    return found.isEmpty ? nil : found
  }
}
