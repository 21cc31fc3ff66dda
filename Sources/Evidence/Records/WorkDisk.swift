import Foundation

/// The disk that rounds work on. When it is full, engines fail in words of their own, or by a
/// signal where a mapped page finds no block: neither is a wrong answer.
package enum WorkDisk {
  /// Less than this is full: no engine here gets by with it.
  private static let least = 256 << 10

  /// What engines and the system call it.
  private static let words = ["No space left on device", "disk is full", "Disk quota exceeded"]

  /// What a failure really was, if the disk is full at that moment or the words say so.
  package static func explained(_ failure: String, at directory: URL) -> String {
    guard isFull(directory) || words.contains(where: failure.contains),
      !failure.hasPrefix(Finding.outOfSpace)
    else { return failure }
    return "\(Finding.outOfSpace) (\(directory.path)): \(failure)"
  }

  /// Whether no engine gets by with what is left.
  package static func isFull(_ directory: URL) -> Bool {
    available(directory).map { $0 < least } ?? false
  }

  private static func available(_ directory: URL) -> Int? {
    var found = statvfs()
    guard statvfs(directory.path, &found) == 0 else {
      // Of one that is gone: what it lay in.
      let above = directory.deletingLastPathComponent()
      return errno == ENOENT && above.path != directory.path && !above.path.hasSuffix("..")
        ? available(above) : nil
    }
    return Int(clamping: UInt64(found.f_bavail) &* UInt64(found.f_frsize))
  }
}
