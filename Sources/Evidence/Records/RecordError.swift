/// Why a record could not be read or written, said in one sentence.
package struct RecordError: Error, CustomStringConvertible, Equatable {
  package let description: String
  /// The exit code this deserves.
  package let outcome: Outcome

  package init(_ description: String, _ outcome: Outcome = .unreadable) {
    self.description = description
    self.outcome = outcome
  }
}

/// How a command ended; the raw value is the process's exit code.
package enum Outcome: Int32, Sendable {
  case fine = 0
  case misuse = 1
  case regressed = 2
  case untrusted = 3
  case violated = 4
  case unreadable = 5
  case interrupted = 6
}
