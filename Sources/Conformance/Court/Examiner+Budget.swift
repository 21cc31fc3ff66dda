import Evidence
import Harness

// How an examination keeps its budget: within a tenth, whatever its probes take, and by saying what
// it had no time for.

extension Examiner.Options {
  /// Whether nothing more is begun.
  public var isSpent: Bool { budget.map { ContinuousClock.now - begun >= $0 } ?? false }

  /// How long a probe may still take, which is ended then for the budget's sake; nil where there is
  /// none.
  var timeLeft: Duration? {
    // Half of the tenth is for ending what runs then, and for saying so.
    budget.map { max(.zero, $0 + $0 / 20 - (ContinuousClock.now - begun)) }
  }

  /// The budget, in words.
  var spelledBudget: String { "the budget of \(budget?.formatted ?? "no time")" }
}

extension Examiner {
  /// A rule for which there was no time.
  func unasked(_ rule: Rule) -> Verdict {
    var verdict = Verdict(
      id: rule.id, tier: rule.tier.rawValue, level: rule.level.rawValue, wording: rule.wording,
      state: .skipped, reason: "\(options.spelledBudget) was spent before its turn",
      probes: rule.probes.count, seed: options.seed)
    verdict.source = rule.fullSource
    verdict.skip = .budget
    return verdict
  }

  /// What is said of a rule whose further probes there was no time for.
  func leave(_ verdict: inout Verdict, before probe: Probe, asked: Int) {
    // A probe that was ended says so itself.
    guard verdict.state == .holds || verdict.state == .skipped && verdict.skip != .budget else {
      return
    }
    verdict.state = .skipped
    verdict.skip = .budget
    verdict.reason =
      "\(probe.name): \(options.spelledBudget) was spent before it (\(asked) of \(verdict.probes) "
      + "probes could be asked, and held)"
  }
}

extension Finding {
  /// The same of a child that was stopped before its own time was over, for the budget's sake: that
  /// it did not end says nothing of the rule.
  func excused(isCut: Bool, remains: Remains, budget: String) -> Finding {
    guard isCut, case .deadline? = remains.stopped else { return self }
    var excused = self
    switch outcome {
    case .holds, .skipped, .vacuous: return self
    // What it had said by then it had seen.
    case .violated(_, let observed) where !observed.hasPrefix(Finding.hung): return self
    case .violated, .error: excused.outcome = .skipped(.budget, "\(budget) ended while it ran")
    }
    return excused
  }
}
