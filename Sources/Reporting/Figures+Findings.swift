import Evidence

extension Finding.Value {
  /// Whether it is of a single round, and another one might have said something else.
  var isLone: Bool { rounds.count == 1 && Metric.named(metric).isRestless }
}

/// What is told of the numbers of a run, in the same words wherever they stand.
extension Figures {
  /// `at least 96 %`: what the intervals of a table cover; nil where there are none, as of single
  /// rounds.
  ///
  /// Of what stands in it: what is counted three times beside it is as sure as three are.
  static func coverage(_ findings: [Finding]) -> String? {
    findings.compactMap(\.subjectValue).filter { $0.rounds.count > 1 }.map(\.confidence).min()
      .map { "at least \(guaranteed($0))" }
  }

  /// The 99th percentile, where there are enough operations to tell it; with its rounds where they
  /// are others than those that stand beside it.
  static func tail(_ finding: Finding, beside rounds: Int) -> String? {
    guard let p99 = finding["p99"], p99.samples >= Histogram.needed(for: 0.99) else { return nil }
    let said = text(p99, "ns")
    return p99.rounds.count == rounds ? said : "\(said) of \(count(p99.rounds.count, "round"))"
  }
}
