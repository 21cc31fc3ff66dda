import Foundation

/// A few bytes in a file that survive the process that writes them: what it was about to do when it
/// died.
///
/// Mapped, so that a note costs no call; written by one thread at a time.
public final class BlackBox: @unchecked Sendable {
  // Sendable because whoever has the turn writes, and the turn orders the writers.
  private static let size = 1 << 16
  private let page: SharedPage
  private let bytes: UnsafeMutablePointer<UInt8>
  private var used = 0

  public init(_ path: String) throws {
    page = try SharedPage(path, size: BlackBox.size, isFresh: true)
    bytes = page.bytes.assumingMemoryBound(to: UInt8.self)
  }

  /// Forgets what was noted.
  public func restart() {
    used = 0
    bytes[0] = 0
  }

  public func note(_ letter: Character) {
    guard used + 1 < BlackBox.size, let byte = letter.asciiValue else { return }
    bytes[used + 1] = 0
    bytes[used] = byte
    used += 1
  }

  /// What was noted last, by whoever wrote the file.
  public static func read(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
  }
}
