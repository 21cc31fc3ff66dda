import Evidence

/// A word the command line got wrong, said in one sentence: what was found, what was expected.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What the process says to the shell. The meanings are a public interface; spec and README list
/// them.
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

  /// For help and the manual page.
  static let meanings: [(ExitCode, String)] = [
    (.fine, "all held, nothing got worse"), (.usage, "wrong usage or an internal error"),
    (.regressed, "regressed"),
    (.untrusted, "the environment cannot be trusted for this question"),
    (.violated, "a rule is violated, or a mutant survived"),
    (.baseline, "baseline missing or unreadable"), (.interrupted, "interrupted"),
  ]
}

/// "; did you mean 'run'?", or nothing.
func suggestion(for word: String, among known: [String]) -> String {
  NearestWord.suggestion(for: word, among: known)
}
