extension Run {
  /// The sides of an `ab`, by the letters that samples carry.
  package enum Side {
    package static let base = "A"
    package static let candidate = "B"
    /// The base once more, which only the control knows: nobody's numbers to show.
    package static let twin = "A'"
  }

  /// What was measured of what was asked about: of two builds both, and never the control's twin.
  package var measured: [Finding] { results.filter { $0.side != Side.twin } }

  /// What the run says of one build: of two the candidate, which it was made to judge.
  package var own: [Finding] { measured.filter { $0.side != Side.base } }

  /// The commit that a finding is of; empty where nobody knows.
  package func commit(of finding: Finding) -> String {
    switch finding.side {
    case Side.base, Side.twin: comparison?.a.commit ?? ""
    case Side.candidate: comparison?.b.commit ?? environment.commit
    default: environment.commit
    }
  }

  /// The commit that the run speaks of.
  package var commit: String { own.first.map(commit(of:)) ?? environment.commit }

  /// What that commit is called.
  package var subject: String {
    guard own.first?.side == Side.candidate, let comparison else { return environment.subject }
    // A side that is a program says where it lies, and that is no title.
    return comparison.b.subject == comparison.b.source ? "" : comparison.b.subject
  }

  /// Whether uncommitted changes were in what a finding is of, as far as is known.
  package func isDirty(_ finding: Finding) -> Bool {
    environment.dirty && commit(of: finding) == environment.commit
  }
}
