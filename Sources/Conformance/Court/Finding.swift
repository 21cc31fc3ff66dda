import Evidence
import Harness

/// What one probe's child left behind, judged.
struct Finding: Equatable {
  enum Outcome: Equatable {
    case holds
    case violated(expected: String, observed: String)
    case skipped(Verdict.Skip, String)
    case vacuous(String)
    case error(String)
  }

  /// How it is told that a child did not end in its time.
  static let hung = "it hung"

  var outcome: Outcome
  var assertions: Int
  /// Who answered, where the engine says so.
  var deciders: Deciders?
  /// Which of the engine's named instants it came by.
  var marks: [String] = []

  init(_ outcome: Outcome, assertions: Int = 0) {
    self.outcome = outcome
    self.assertions = assertions
  }

  /// Signals that a refusal may end in: a Swift trap, an uncaught exception.
  private static let refusals: Set<Int32> = [4, 5, 6]  // SIGILL, SIGTRAP, SIGABRT

  /// Judges what is left of a child against what its probe expects.
  init(_ remains: Remains, expecting expectation: Probe.Expectation) {
    let said = Testimony.read(remains.stdout)
    deciders = Deciders(said)
    var held = 0
    var overlaps: Int?
    for testimony in said {
      switch testimony {
      case .held(let count): held += count
      case .overlapped(let count): overlaps = (overlaps ?? 0) + count
      case .passed(let names): marks += names
      default: break
      }
    }
    assertions = held
    if case .skipped(let lack, let reason)? = said.first(where: {
      if case .skipped = $0 { true } else { false }
    }) {
      outcome = .skipped(lack, reason)
      return
    }
    for case .violated(let expected, let observed) in said {
      outcome = .violated(expected: expected, observed: observed)
      // What is said again of the same is said shorter.
      for case .violated(expected, let shorter) in said {
        outcome = .violated(expected: expected, observed: shorter)
      }
      return
    }
    if let stopped = remains.stopped, stopped != .leftProcesses {
      outcome = .error("\(stopped)\(Finding.lastWords(remains))")
      if case .deadline(let limit) = stopped {
        outcome = .violated(
          expected: expectation.words,
          observed: "\(Finding.hung) and was stopped after \(limit.formatted)")
      }
      return
    }
    switch expectation {
    case .holds:
      guard case .exited(0) = remains.ending, said.contains(.done) else {
        outcome = .violated(
          expected: "the probe runs to its end",
          observed: "\(remains.ending)\(Finding.lastWords(remains))")
        return
      }
      if held == 0 {
        outcome = .vacuous("nothing was asserted")
      } else if overlaps == 0 {
        outcome = .vacuous("what should have raced never overlapped")
      } else {
        outcome = .holds
      }
    case .dies(let texts), .refuses(let texts):
      outcome = Finding.refusal(remains, said, expectation, texts)
      if outcome == .holds { assertions += 1 }
    }
    if outcome == .holds, remains.stopped == .leftProcesses {
      outcome = .error("it left processes behind")
    }
  }

  /// Whether what it says is Foundation's word for a disk that was full, and may not be any more.
  var tellsOfNoSpace: Bool {
    guard case .violated(_, let observed) = outcome else { return false }
    return observed.contains("There isn’t enough space") || observed.contains("isn't enough space")
  }

  /// The same of a child whose disk was full when it ended: what it did then says nothing of the
  /// rule.
  func excused(isDiskFull: Bool, at directory: String) -> Finding {
    guard isDiskFull else { return self }
    let said: String
    switch outcome {
    case .holds, .skipped: return self
    case .violated(let expected, let observed): said = "expected \(expected), observed \(observed)"
    case .vacuous(let reason), .error(let reason): said = reason
    }
    var excused = self
    excused.outcome = .error("\(Evidence.Finding.outOfSpace) (\(directory)): \(said)")
    return excused
  }

  private static func refusal(
    _ remains: Remains, _ said: [Testimony], _ expectation: Probe.Expectation, _ texts: [String]
  ) -> Outcome {
    let expected = expectation.words
    guard said.contains(.before) else {
      return .error(
        "the act was never reached: \(remains.ending)\(lastWords(remains))")
    }
    for case .threw(let error) in said {
      if case .refuses = expectation, texts.contains(where: { error.contains($0) }) {
        return .holds
      }
      return .violated(expected: expected, observed: "it threw: \(error)")
    }
    if said.contains(.after) {
      return .violated(expected: expected, observed: "the act was allowed")
    }
    guard case .signalled(let number) = remains.ending, refusals.contains(number) else {
      return .violated(
        expected: expected, observed: "\(remains.ending)\(lastWords(remains))")
    }
    guard texts.contains(where: { remains.stderr.contains($0) }) else {
      return .violated(expected: expected, observed: "it died\(lastWords(remains))")
    }
    return .holds
  }

  /// The end of what a child said on stderr, for people.
  private static func lastWords(_ remains: Remains) -> String {
    let lines = remains.stderr.split(separator: "\n")
    let told = lines.first { $0.contains("Fatal error") } ?? lines.last
    guard let told else { return "" }
    return ": \(told.suffix(300))"
  }
}

extension Probe.Expectation {
  var words: String {
    switch self {
    case .holds: "the probe runs to its end"
    case .dies(let texts): "it dies saying '\(texts.joined(separator: "' or '"))'"
    case .refuses(let texts): "it dies or throws, saying '\(texts.joined(separator: "' or '"))'"
    }
  }
}
