/// Which of the pieces that were written since the last flush a crash left in the file, at which
/// point of the record: `12:0-3,7` is those of point 12.
struct CrashState: Hashable, Sendable {
  let point: Int
  /// Ascending.
  let pieces: [Int]

  init(point: Int, pieces: [Int]) { (self.point, self.pieces) = (point, pieces) }

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let point = CrashState.number(parts[0]) else { return nil }
    var pieces: [Int] = []
    for run in parts[1].split(separator: ",", omittingEmptySubsequences: true) {
      let ends = run.split(separator: "-", omittingEmptySubsequences: false)
      guard (1...2).contains(ends.count), let first = CrashState.number(ends[0]),
        let last = CrashState.number(ends[ends.count - 1]), last >= first,
        first > pieces.last ?? -1, last - first < 1_000_000
      else { return nil }
      pieces += first...last
    }
    self.init(point: point, pieces: pieces)
  }

  @Sendable static func isText(_ text: String) -> Bool { CrashState(text) != nil }

  private static func number(_ text: Substring) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } && text.count < 10 ? Int(text) : nil
  }

  /// Runs of pieces in short, for there may be hundreds.
  var text: String {
    var runs: [(first: Int, last: Int)] = []
    for piece in pieces {
      if let last = runs.last, last.last + 1 == piece {
        runs[runs.count - 1].last = piece
      } else {
        runs.append((piece, piece))
      }
    }
    return "\(point):"
      + runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }
      .joined(separator: ",")
  }

  /// With fewer of the pieces: the least that is wrong says which write must not be there alone.
  var shorter: [CrashState] {
    pieces.shorter.map { CrashState(point: point, pieces: $0) }
  }
}
