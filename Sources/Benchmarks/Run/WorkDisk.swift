import Evidence
import Foundation

/// The disk that rounds work on. When it is full, engines fail in words of their own, or by a
/// signal where a mapped page finds no block: neither is a wrong answer.
enum WorkDisk {
  /// Less than this is full: no engine here gets by with it.
  private static let least = 256 << 10

  /// What a failure really was, if the disk is full at that moment or the words say so.
  static func explained(_ failure: String, at directory: URL) -> String {
    let words = ["No space left on device", "disk is full", "Disk quota exceeded"]
    guard isFull(directory) || words.contains(where: failure.contains),
      !failure.hasPrefix(Finding.outOfSpace)
    else { return failure }
    return "\(Finding.outOfSpace) (\(directory.path)): \(failure)"
  }

  private static func isFull(_ directory: URL) -> Bool {
    var found = statvfs()
    guard statvfs(directory.path, &found) == 0 else { return false }
    return UInt64(found.f_bavail) * UInt64(found.f_frsize) < UInt64(least)
  }
}
