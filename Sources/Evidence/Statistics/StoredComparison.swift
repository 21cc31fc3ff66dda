import Foundation

/// Judges two runs that lie on disk: nothing can be measured again, so there is one stage, and the
/// noise floor is that of the controls that both runs carry.
package enum StoredComparison {
  /// Why two runs cannot be judged against each other; nil when they can.
  package static func refusal(_ a: Run, _ b: Run) -> RecordError? {
    for (run, purpose) in [(a, "compare with"), (b, "compare")] {
      if let refusal = refusal(run, to: purpose) { return refusal }
    }
    let shared = b.own.contains { finding in match(finding, in: a) != nil }
    if !shared {
      return RecordError(
        "the runs \(a.id) and \(b.id) have no benchmark and engine in common: nothing to compare")
    }
    return nil
  }

  /// Why a run is nothing to compare with, whatever the other is; nil where it has an answer.
  static func refusal(
    _ run: Run, to purpose: String, _ outcome: Outcome = .unreadable
  ) -> RecordError? {
    guard let first = run.own.first else {
      return RecordError("the run \(run.id) has no results to \(purpose)", outcome)
    }
    guard run.own.allSatisfy({ !$0.valid }) else { return nil }
    return RecordError(
      "the run \(run.id) has no valid answer to \(purpose): \(first.benchmark) (\(first.engine)): "
        + first.reason, outcome)
  }

  /// Whether nothing but a control is missing for the two to be trusted.
  package static func lacksOnlyControl(_ a: Run, _ b: Run) -> Bool {
    a.environment.incompatibility(with: b.environment) == nil
      && !(hasYardstick(a) && hasYardstick(b))
  }

  private static func hasYardstick(_ run: Run) -> Bool { run.control?.isTooThin == false }

  package static func compare(
    _ a: Run, _ b: Run, q: Double = Decision.q, sight: Sight = Sight(),
    thresholds: Thresholds? = nil
  ) -> Comparison {
    let incompatible = a.environment.incompatibility(with: b.environment)
    let isElsewhere = a.environment.machineID != b.environment.machineID
    var untimed: [Comparison.Row] = []
    var timed: [Decision.Question] = []
    var unjudged: [String] = []
    for finding in b.own {
      guard let base = match(finding, in: a) else { continue }
      let asked = questions(
        base, finding, noiseFloor: floor(of: finding, a, b), resolution: sight.resolution)
      if asked.isEmpty { unjudged.append("\(finding.benchmark) (\(finding.engine))") }
      for var question in asked {
        question.tolerance = thresholds?.tolerance(
          finding.benchmark, question.metric.name, from: question.a)
        if let row = count(question, sameSeed: a.asked.seed == b.asked.seed) {
          untimed.append(isElsewhere ? shown(row) : row)
        } else {
          timed.append(question)
        }
      }
    }
    let judged = incompatible == nil ? Decision.judge(timed, q: q) : timed.map(shown)
    var found = Comparison(
      a: side("A", a), b: side("B", b), interleaved: false,
      trusted: incompatible == nil && hasYardstick(a) && hasYardstick(b),
      reasons: reasons(a, b, incompatible), control: control(a, b), q: q, rows: untimed + judged,
      sight: sight)
    let gone = alone(a, b)
    found.gone = gone.isEmpty ? nil : gone
    found.name(unjudged: unjudged)
    return found
  }

  /// What one run has and the other was not asked for.
  private static func alone(_ run: Run, _ other: Run) -> [String] {
    run.own.filter { match($0, in: other) == nil }
      .map { "\($0.benchmark) (\($0.engine))" }
  }

  /// What would have been judged of what both have measured, if the other had it, too; what a
  /// benchmark is about has a row that says so.
  private static func valuesAlone(_ run: Run, _ other: Run) -> [String] {
    run.own.flatMap { finding -> [String] in
      guard finding.valid, let match = match(finding, in: other), match.valid,
        lost(finding, match) == nil
      else { return [] }
      return finding.values.filter {
        isAlsoJudged($0) && Subjects.isJudged(.named($0.metric), of: finding.name.family)
          && match[$0.metric] == nil
      }.map { "\($0.metric) of \(finding.benchmark) (\(finding.engine))" }
    }
  }

  // MARK: What the two have in common, and what not

  private static func floor(of finding: Finding, _ a: Run, _ b: Run) -> Double? {
    guard let first = a.control, let second = b.control, !first.isMute, !second.isMute else {
      return nil
    }
    return RunControl.floor(first, second, for: finding.name)
  }

  private static func control(_ a: Run, _ b: Run) -> Comparison.Control? {
    guard let first = a.control, let second = b.control, !first.isMute, !second.isMute else {
      return nil
    }
    let floor = RunControl.typical(first, second)
    return Comparison.Control(
      benchmarks: first.rows.count + second.rows.count, suspects: 0, confirmed: 0,
      noiseFloor: exp(floor) - 1)
  }

  /// What limits the comparison: what differs between the runs first.
  private static func reasons(_ a: Run, _ b: Run, _ incompatible: String?) -> [String] {
    var reasons = differences(a, b)
    if let incompatible {
      reasons.append("\(incompatible): durations are shown, not judged")
      let kernels = RunControl.kernels(a, b).map {
        "\($0.name) \(String(format: "%.2f", $0.ratio))×"
      }
      if !kernels.isEmpty {
        reasons.append(
          "what no engine is in takes, there against here: \(kernels.joined(separator: ", ")); an "
            + "engine that differs by as much shows the machine")
      }
    }
    let bare = [a, b].filter { $0.control?.isMute ?? true }.map(\.id)
    if !bare.isEmpty {
      reasons.append(
        "\(bare.joined(separator: " and ")) \(bare.count == 1 ? "carries" : "carry") no control: "
          + "how restless the "
          + "machine was is not known, and no verdict on a duration is to be trusted")
    }
    for run in [a, b] {
      guard let control = run.control, control.isTooThin, !control.isMute else { continue }
      let count = Plural.text(control.rows.count, "measurement")
      reasons.append(
        "the control of \(run.id) is \(count), fewer than two of them made twice at either end "
          + "with values above 0: too little to say how restless the machine was")
    }
    if let first = a.control, let second = b.control,
      let odd = RunControl.oddity(first, second), let drift = odd.drift
    {
      let run = first.rows.contains(odd) ? a : b
      reasons.append(
        "the control \(odd.benchmark) (\(odd.engine)) of \(run.id) drifted by "
          + "\(Decision.percent(exp(abs(drift)) - 1)), half of them by "
          + "\(Decision.percent(exp(RunControl.typical(first, second)) - 1)) at most: it hides "
          + "what is like it, and nothing else")
    }
    reasons.append(
      "the runs were made one after the other: drift of the machine is not cancelled; "
        + "'realm-bench ab' alternates builds")
    for (run, other) in [(a, b), (b, a)] {
      let alone = alone(run, other)
      if alone.isEmpty { continue }
      let named = alone.prefix(3).joined(separator: ", ") + (alone.count > 3 ? ", …" : "")
      reasons.append(
        "\(alone.count) of \(run.id) \(alone.count == 1 ? "is" : "are") not in \(other.id), and "
          + "not judged: \(named)")
    }
    for (run, other) in [(a, b), (b, a)] {
      let alone = valuesAlone(run, other)
      if alone.isEmpty { continue }
      let named = alone.prefix(3).joined(separator: ", ") + (alone.count > 3 ? ", …" : "")
      reasons.append(
        "\(Plural.text(alone.count, "value")) that \(other.id) does not have of what is in both "
          + "\(alone.count == 1 ? "is" : "are") in \(run.id), and not judged: \(named)")
    }
    for run in [a, b] where run.state != .finished {
      reasons.append("the run \(run.id) is incomplete")
    }
    reasons += [a, b].compactMap(fewCounts)
    return reasons
  }

  /// That a run counted less often than it takes to see whether counts repeat; nil of one that has
  /// counted often enough, or nothing.
  private static func fewCounts(_ run: Run) -> String? {
    let all = run.own.filter(\.valid).flatMap(\.values)
      .filter { [.exact, .counted].contains(Metric.named($0.metric).kind) }
    let few = all.filter { $0.rounds.count < Decision.fewestCounts }
    guard let most = few.map(\.rounds.count).max() else { return nil }
    let often = most == 1 ? "once" : "once or twice"
    return
      "\(run.id) took \(few.count) of its \(all.count) counts \(often): whether they repeat is "
      + "not known, and one that differs is not to be trusted and cannot be told; "
      + "\(Decision.fewestCounts) would do, as a run without --quick takes them"
  }

  private static let mostUnrest = 2.0

  /// Seeds, parameters and loads that are not the same.
  ///
  /// Of what else the machine had to do a difference counts beyond two per cent of its time.
  package static func differences(_ a: Run, _ b: Run) -> [String] {
    var found: [String] = []
    func differ(_ what: String, _ x: String, _ y: String, _ means: String) {
      if x != y { found.append("the \(what) differ (\(x) and \(y)): \(means)") }
    }
    differ(
      "seeds", "\(a.asked.seed)", "\(b.asked.seed)",
      "other rows were asked for, in another order; counts that differ are not judged")
    if let x = a.asked.roundSeconds, let y = b.asked.roundSeconds {
      func spelled(_ seconds: Double) -> String { "\(Int(nearest: seconds * 1000)) ms" }
      differ("lengths of a round", spelled(x), spelled(y), "the shorter one sees less")
    }
    differ(
      "rounds", "\(a.asked.rounds)", "\(b.asked.rounds)", "the fewer decide what can be seen")
    for (what, x, y) in [
      ("builds", a.environment.build, b.environment.build),
      ("compilers", a.environment.toolchain, b.environment.toolchain),
      ("kernels", a.environment.kernel, b.environment.kernel),
    ] { differ(what, x, y, "more than the engine has changed") }
    let (mine, others) = (a.environment, b.environment)
    for (what, x, y) in [
      ("usable cores", CSV.number(mine.usableCores), CSV.number(others.usableCores)),
      ("governors", mine.governor, others.governor),
      ("clock sources", mine.clockSource, others.clockSource),
      ("caches", mine.caches ?? "", others.caches ?? ""),
      ("allocators", mine.allocator, others.allocator),
      ("file systems", mine.storage.filesystem, others.storage.filesystem),
    ] where ![x, y].contains(where: ["", "0"].contains) {
      differ(what, x, y, "what they were measured on has changed")
    }
    let loads = [a, b].map { max($0.environment.load, $0.environment.loadAtEnd ?? 0) }
    if abs(loads[0] - loads[1]) > 0.5 {
      func spelled(_ load: Double) -> String { String(format: "%.1f", load) }
      differ(
        "loads of the machine", spelled(loads[0]), spelled(loads[1]),
        "what else ran is in the durations")
    }
    for (what, x, y) in [
      ("pressures on the cores", a.environment.pressure, b.environment.pressure),
      ("shares of time that the host has stolen", a.environment.steal, b.environment.steal),
    ] where abs(x - y) > mostUnrest {
      func spelled(_ share: Double) -> String { String(format: "%.0f %%", share) }
      differ(what, spelled(x), spelled(y), "what else ran is in the durations")
    }
    return found
  }

  // MARK: Questions

  /// The metrics of a finding that are judged: what it is about, its 99th percentile, and what was
  /// counted.
  package static func questions(
    _ a: Finding, _ b: Finding, noiseFloor: Double? = nil,
    resolution: Double = Sight().resolution
  ) -> [Decision.Question] {
    let family = b.name.family
    func broken(_ metric: String, _ reason: String, _ side: Comparison.BrokenSide)
      -> Decision.Question
    {
      Decision.Question(
        benchmark: b.benchmark, engine: b.engine, metric: .named(metric), a: [], b: [],
        invalid: reason, broken: side)
    }
    guard a.valid, b.valid else {
      let wrong = a.valid ? b : a
      return [
        broken(
          Subjects.metric(of: family), wrong.reason, a.valid ? .b : b.valid ? .a : .both)
      ]
    }
    // What happens to be left in both does not stand in for what one has none of.
    if let (metric, side) = lost(a, b) {
      return [broken(metric, "it has no \(metric)", side)]
    }
    let head = Subjects.metric(
      of: family, among: b.values.map(\.metric).filter { a[$0] != nil })
    return b.values.compactMap { value in
      let metric = Metric.named(value.metric)
      guard value.metric == head || isAlsoJudged(value),
        Subjects.isJudged(metric, of: family),
        let base = a[value.metric]
      else { return nil }
      let faults = [base, value].map(fault)
      if let first = faults.compactMap(\.self).first {
        return broken(metric.name, first, faults[1] == nil ? .a : faults[0] == nil ? .b : .both)
      }
      var question = Decision.Question(
        benchmark: b.benchmark, engine: b.engine, metric: metric, a: base.rounds, b: value.rounds,
        noiseFloor: noiseFloor ?? ownNoise(base.rounds), resolution: resolution)
      if value.metric == head || metric.kind == .timed {
        let short = [("A", a.shortage(of: base)), ("B", b.shortage(of: value))]
          .compactMap { side, why in why.map { "\(side): \($0)" } }
        question.short = short.isEmpty ? nil : short.joined(separator: "; ")
      }
      return question
    }
  }

  /// What is judged beside that which a benchmark is about.
  private static func isAlsoJudged(_ value: Finding.Value) -> Bool {
    Metric.named(value.metric).kind != .timed
      || (value.metric == "p99"
        && value.samples / max(1, value.rounds.count) >= Histogram.needed(for: 0.99))
  }

  /// What a benchmark is about, where one side alone has it, and which has not. Of what stands in
  /// for it in short rounds either will do.
  private static func lost(_ a: Finding, _ b: Finding) -> (String, Comparison.BrokenSide)? {
    for names in [Subjects.all[b.name.family] ?? [], ["time"]] {
      let mine = names.first { a[$0] != nil }
      let other = names.first { b[$0] != nil }
      if mine != nil, other != nil { return nil }
      if let mine { return (mine, .b) }
      if let other { return (other, .a) }
    }
    return nil
  }

  /// Why a value is none: it has no rounds, or one that cannot be.
  private static func fault(of value: Finding.Value) -> String? {
    guard !value.rounds.isEmpty else { return "it has no rounds" }
    // No work takes no time.
    let none = value.metric == "time" ? value.rounds.count { $0 <= 0 } : 0
    guard none > 0 else { return nil }
    let rounds = Plural.text(value.rounds.count, "round")
    return "\(none) of \(rounds) took a time of 0 or less, which is none"
  }

  /// How much neighbouring rounds of one side differ: what is left of the control when there is
  /// none.
  static func ownNoise(_ rounds: [Double]) -> Double {
    let pairs = stride(from: 0, to: rounds.count - 1, by: 2).compactMap { i -> Double? in
      rounds[i] > 0 && rounds[i + 1] > 0 ? log(rounds[i] / rounds[i + 1]) : nil
    }
    return NoiseFloor.estimate(pairs, seed: 1)
  }

  /// A count of two runs that were not made by turns; nil for a duration.
  ///
  /// Where a count moved within its own run it is given a hundredth, or as much as it moved; of
  /// other seeds it is of something else.
  private static func count(_ question: Decision.Question, sameSeed: Bool) -> Comparison.Row? {
    let spread =
      [question.a, question.b].map { side -> Double in
        let typical = abs(Quantiles.median(side))
        guard let least = side.min(), let most = side.max(), most > least else { return 0 }
        return typical > 0 ? (most - least) / typical : 1
      }.max() ?? 0
    let tolerance = spread == 0 ? 0 : max(Decision.countResolution, spread)
    guard var row = Decision.judgeUntimed(question, tolerance: tolerance) else { return nil }
    if !sameSeed, row.verdict == .regressed || row.verdict == .improved {
      row.verdict = .cannotTell
      row.note += "; the seeds differ, so other rows were asked for"
    }
    return row
  }

  /// Numbers of different machines stand beside each other without a verdict.
  private static func shown(_ question: Decision.Question) -> Comparison.Row {
    shown(Decision.settled(question))
  }

  private static func shown(_ row: Comparison.Row) -> Comparison.Row {
    var row = row
    if row.verdict != .invalid {
      row.verdict = .inconclusive
      row.note = Comparison.Row.shown
      row.moreRounds = nil
    }
    return row
  }

  private static func match(_ finding: Finding, in run: Run) -> Finding? {
    run.own.first { $0.benchmark == finding.benchmark && $0.engine == finding.engine }
  }

  private static func side(_ name: String, _ run: Run) -> Comparison.Side {
    Comparison.Side(
      name: name, commit: run.commit, subject: run.subject, source: run.id)
  }
}
