import Foundation

/// A file that processes append marks to, each mark at once.
final class MarkLog {
  private let file: Int32

  init(_ url: URL) { file = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }

  deinit { close(file) }

  func mark(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress!, $0.count) }
  }
}
