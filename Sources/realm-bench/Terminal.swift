import Foundation
import Glibc

/// Results go to stdout, chatter to stderr. Written at once: a child or a pipe must not lose the last lines.
enum Terminal {
  static func out(_ text: String) { write(text, to: 1) }
  static func say(_ text: String) { write(text + "\n", to: 2) }

  /// Draws over the line that was drawn before.
  static func draw(_ text: String) { write("\r\u{1B}[K" + text, to: 2) }

  /// Whether progress may be drawn over itself.
  static var showsProgress: Bool {
    isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Whether colours are welcome on stdout.
  static var showsColour: Bool {
    isatty(1) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return }  // the reader has gone: nobody is left to tell
      bytes = bytes.dropFirst(written)
    }
  }
}
