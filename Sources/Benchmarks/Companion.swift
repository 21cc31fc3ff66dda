import Evidence
import Foundation
import Harness

/// Another process that plays a part in the same benchmark: this program again, with the same
/// parameters.
///
/// The two talk in lines: the companion says `ready`, is told when to begin, and says what came of
/// it. Times are of the monotonic clock, which all processes of a machine share.
final class Companion {
  private let child: RunningChild
  private let part: String
  private let patience = Duration.seconds(60)

  /// Starts the part over the files in `directory` and waits until it is ready.
  init(_ part: String, of track: Track, in directory: URL) throws {
    var order = RoundOrder(
      case: Case(track.name, track.engine), seed: track.seed, pass: track.pass,
      seconds: track.seconds, workdir: directory, timeout: 60)
    order.handicap = track.handicap
    let process = ChildProcess(
      ChildProcess.thisProgram, order.arguments + ["--part", part],
      limits: .init(deadline: patience, output: 64 << 20, memory: 6 << 30))
    child = try process.start()
    self.part = part
    let said = try line()
    guard said == "ready" else { throw BenchmarkError("\(part) said '\(said)' instead of 'ready'") }
  }

  func say(_ line: String) throws {
    guard child.send(line) else { throw BenchmarkError("\(part) has stopped listening") }
  }

  func line() throws -> String {
    if let line = child.line(within: patience) { return line }
    let remains = child.remains()
    let said = remains.stderr.split(separator: "\n").first.map { ": \($0.prefix(200))" } ?? ""
    throw BenchmarkError("\(part) ended with \(remains.ending)\(said)")
  }

  /// Closes the talk and waits for the companion's end.
  func end() throws {
    child.closeInput()
    let remains = child.remains()
    guard remains.ending == .exited(0) else {
      throw BenchmarkError("\(part) ended with \(remains.ending)")
    }
  }
}

/// What a companion's own side of the talk looks like.
enum CompanionTalk {
  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// The next line; nil when the measuring process has closed the talk, or is gone.
  static func hear() -> String? { readLine(strippingNewline: true) }
}
