import Foundation

/// A directory that is there for as long as somebody needs it.
///
/// Every child works in one of its own, so that no probe can spoil the next.
public final class Scratch: Sendable {
  public let url: URL
  private let isKept: Bool

  public var path: String { url.path }

  /// Makes a fresh directory inside `parent`; by default inside the system's place for temporary files.
  public init(
    _ name: String = "scratch", in parent: URL = FileManager.default.temporaryDirectory,
    isKept: Bool = false
  ) throws {
    url = parent.appendingPathComponent("\(name)-\(UUID().uuidString.prefix(8))")
    self.isKept = isKept
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(at: url) }
  }
}
