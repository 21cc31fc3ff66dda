import Foundation
import Glibc
import Reporting
import Synchronization

/// Results go to stdout, chatter to stderr. Written at once: a child or a pipe must not lose the
/// last lines.
enum Terminal {
  /// Why something on stdout was lost, in the words of the system; nil while all of it arrived.
  static var loss: String? {
    let error = failed.load(ordering: .relaxed)
    return error == 0 ? nil : String(cString: strerror(error))
  }
  private static let failed = Atomic<Int32>(0)

  /// Puts something into the places of streams that whoever started this process has closed: the
  /// next file that is opened would get the number of one, and what is printed be written into it.
  /// Nor does a reader that goes away end it: what was measured would be lost for a line of
  /// chatter.
  static func takePlaces() {
    // A file that grows beyond what the shell allows fails like one on a full disk, in words.
    signal(SIGXFSZ, SIG_IGN)
    // Heard and not ignored: what is ignored stays so in other programs that are started here.
    signal(SIGPIPE) { _ in }
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
      if descriptor == 1 { isClosed.store(true, ordering: .relaxed) }
    }
  }
  private static let isClosed = Atomic<Bool>(false)

  static func out(_ text: String) { write(text, to: 1) }
  /// The same, in lines that a terminal holds.
  static func lines(_ text: String) { out(TextTable.within(text)) }
  /// One line of chatter: names and paths in it may hold anything.
  static func say(_ text: String) {
    guard progress == .ndjson else { return write(Printable.line(text) + "\n", to: 2) }
    tell(ProgressEvent(event: "note", text: text))
  }
  /// Chatter of several lines, such as a plan.
  static func sayLines(_ text: String) {
    guard progress == .ndjson else { return write(TextTable.within(text) + "\n", to: 2) }
    tell(ProgressEvent(event: "note", text: text))
  }

  /// How far a command is, for other programs.
  static func tell(_ event: ProgressEvent) { write(event.line + "\n", to: 2) }

  /// Set once, from the options of the verb.
  static var progress: ProgressStyle {
    get { ProgressStyle.allCases[style.load(ordering: .relaxed)] }
    set {
      style.store(ProgressStyle.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed)
    }
  }
  private static let style = Atomic<Int>(0)

  /// Draws over the line that was drawn before.
  static func draw(_ text: String) { write("\r\u{1B}[K" + text, to: 2) }

  /// Whether progress may be drawn over itself.
  static var showsProgress: Bool {
    progress == .auto && isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// How wide the terminal behind stderr is; a hundred where it does not say.
  static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 100
  }

  /// Whether a terminal shows what goes to stdout; otherwise a program or a file takes it.
  static var isShown: Bool { isatty(1) == 1 }

  /// Whether colours are welcome on stdout.
  static var showsColour: Bool {
    isShown && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Text that leads to a page where the terminal follows links; the text alone anywhere else.
  static func linked(_ text: String, to url: String) -> String {
    guard isShown, ProcessInfo.processInfo.environment["TERM"] != "dumb" else { return text }
    return "\u{1B}]8;;\(url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }

  private static func write(_ text: String, to descriptor: Int32) {
    if descriptor == 1, isClosed.load(ordering: .relaxed) {
      return failed.store(EBADF, ordering: .relaxed)
    }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      if written < 0 && errno == EAGAIN {
        // A pipe whose reader is slow, and whose owner wants nobody to wait for it: we do.
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&place, 1, -1) >= 0 || errno == EINTR { continue }
      }
      guard written > 0 else {
        // A reader that has gone has read what it wanted; a full disk has not.
        if written < 0, errno != EPIPE, descriptor == 1 { failed.store(errno, ordering: .relaxed) }
        return
      }
      bytes = bytes.dropFirst(written)
    }
  }
}
