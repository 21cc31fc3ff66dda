import Evidence

extension Examination {
  /// One examination out of several of the same rules with the same seed.
  ///
  /// Where they disagree the rule is flaky, whatever the verdicts were: an answer that changes by
  /// itself is none.
  public init?(agreementOf runs: [Examination]) {
    // The first pass is the longest: only the last one can have been interrupted.
    guard var first = runs.first else { return nil }
    for place in first.verdicts.indices {
      let id = first.verdicts[place].id
      // A pass that was interrupted, or had no time left, has no answer, which is not another one.
      let states = runs.map { run in
        run.verdicts.first { $0.id == id && $0.skip != .budget }?.state
      }
      guard let mine = states[0], let other = states.firstIndex(where: { $0 != nil && $0 != mine })
      else { continue }
      let odd = runs[other].verdicts.first { $0.id == id }
      first.verdicts[place].reason =
        "run 1 said \(mine.rawValue), run \(other + 1) "
        + "\(states[other]?.rawValue ?? "nothing")"
        + (odd?.reason.map { ": \($0)" } ?? "")
      first.verdicts[place].state = .flaky
      first.verdicts[place].expected = odd?.expected ?? first.verdicts[place].expected
      first.verdicts[place].observed = odd?.observed ?? first.verdicts[place].observed
      first.verdicts[place].repro = odd?.repro ?? first.verdicts[place].repro
    }
    if runs.contains(where: { $0.isPartial == true }) { first.isPartial = true }
    self = first
  }

  /// The rules on which another examination came to a different verdict.
  public func differences(from other: Examination) -> [String] {
    let theirs = Dictionary(other.verdicts.map { ($0.id, $0) }) { first, _ in first }
    return verdicts.filter { mine in
      ![mine.skip, theirs[mine.id]?.skip].contains(.budget) && theirs[mine.id]?.state != mine.state
    }.map(\.id)
  }
}
