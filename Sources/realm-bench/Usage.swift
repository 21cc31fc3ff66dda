/// A word the command line got wrong, said in one sentence: what was found, what was expected.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What the process says to the shell. The meanings are a public interface; spec and README list them.
enum ExitCode: Int32 {
  /// All held, nothing got worse.
  case fine = 0
  /// Wrong usage, or an error of the tool's own.
  case usage = 1
  case regressed = 2
  /// The environment cannot be trusted for this question.
  case untrusted = 3
  /// A rule is violated, or a mutant survived.
  case violated = 4
  /// The baseline is missing, unreadable or made by an incompatible version.
  case baseline = 5
  /// Interrupted: what had been measured is on the disk and marked as partial.
  case interrupted = 6
}

/// The nearest known word, for "did you mean": nearer than half its length, or nothing.
func nearest(to word: String, among known: [String]) -> String? {
  let scored = known.map { (distance(word, $0), $0) }
  guard let best = scored.min(by: { $0.0 < $1.0 }) else { return nil }
  return best.0 <= max(2, best.1.count / 2) ? best.1 : nil
}

/// Levenshtein's distance: how many letters to insert, delete or replace.
private func distance(_ one: String, _ other: String) -> Int {
  let other = Array(other)
  var row = Array(0...other.count)
  for (i, letter) in one.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in other.indices {
      let replace = diagonal + (letter == other[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replace, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[other.count]
}

/// " (did you mean 'run'?)", or nothing.
func suggestion(for word: String, among known: [String]) -> String {
  nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
}
