import Evidence
import Harness

/// What an `ab` will measure, and about how long that takes: of a budget as much as it holds, with
/// all rounds that a verdict needs.
///
/// A budget too small for all shortens the rounds first, and then leaves whole benchmarks out: what
/// it is least likely to decide first (`Prospect`), and of that the dearest. Pairs are never fewer:
/// below their number nothing could be told, and the time would be spent on no answer. Of a larger
/// one two thirds are spent on longer rounds, which see more, and the rest on what is open then.
struct DuelPlan: Sendable {
  private(set) var cases: [Case]
  private(set) var leftOut: [Case] = []
  private(set) var costs: Costs
  let setting: Duel.Setting
  let seed: UInt64
  /// How long all may take, in seconds; nil for as long as it takes.
  let limit: Double?
  private let cores: Double

  var seconds: Double { costs.seconds }

  /// `cores`: as many as this process may use; tests say how many.
  init(
    _ request: RunRequest, _ setting: Duel.Setting, _ catalogue: [Benchmark],
    cores: Double = Processors.usable
  ) throws {
    self.cores = cores
    var plain = request
    (plain.budget, plain.rounds) = (nil, nil)
    let plan = try Plan(plain, catalogue: catalogue, addsYardsticks: false)
    (cases, costs, seed) = (plan.cases, plan.costs, plan.seed)
    self.setting = setting.asked(for: request.rounds)
    limit = request.budget
    guard let limit else { return }
    let (whole, wanted) = (estimate, cases.count)
    let shortest = request.isQuick ? Plan.shortestQuick : Plan.shortest
    while request.roundSeconds == nil, seconds > shortest, estimate > limit {
      costs = Costs(catalogue, seconds: max(shortest, seconds * 0.9))
    }
    if request.roundSeconds == nil { grow(within: limit * 2 / 3, catalogue) }
    let least = Plan.groups(cases).map { group in
      (name: group[0].name, cost: cost(of: group))
    }.min { $0.cost < $1.cost }
    let all = cases
    while estimate > limit, let last = byProspect(cases).last {
      leftOut += last
      cases.removeAll(where: last.contains)
    }
    // Behind one that is dearer than all there is time for, others went that fit; but beside others
    // not what is less likely to be decided than something that does not.
    var likeliest: Prospect?
    for group in byProspect(leftOut) {
      let own = prospect(group[0])
      if let likeliest, likeliest < own, !cases.isEmpty { break }
      let more = all.filter { cases.contains($0) || group.contains($0) }
      guard cost(of: more) <= limit else {
        likeliest = own
        continue
      }
      cases = more
      leftOut.removeAll(where: group.contains)
    }
    guard cases.isEmpty else { return }
    throw BenchmarkError(
      "a budget of \(Seconds.text(limit)) is too small to judge any of "
        + "\(Plan.measurements(wanted)): "
        + (least.map { "the cheapest, \($0.name), takes about \(Seconds.text($0.cost)), " } ?? "")
        + "all of them about \(Seconds.text(whole))",
      isOfBudget: true)
  }

  private mutating func grow(within time: Double, _ catalogue: [Benchmark]) {
    while seconds < Plan.longest {
      var longer = self
      longer.costs = Costs(catalogue, seconds: min(Plan.longest, seconds * 1.1))
      guard longer.estimate <= time else { return }
      self = longer
    }
  }

  func prospect(_ one: Case) -> Prospect { Prospect(of: one, cores: cores) }

  /// Benchmarks, the likeliest to be decided first, and of those the cheapest by what its rounds,
  /// its counts and its confirmation take.
  private func byProspect(_ cases: [Case]) -> [[Case]] {
    Plan.groups(cases).map { (group: $0, prospect: prospect($0[0]), cost: cost(of: $0)) }
      .sorted { ($0.prospect, $0.cost) < ($1.prospect, $1.cost) }.map(\.group)
  }

  // MARK: What things take

  /// Seconds of one pair of rounds.
  func pair(_ one: Case) -> Double { 2 * costs.timed(one) }

  /// Seconds of one count of both sides.
  func count(_ one: Case) -> Double { 2 * costs.counted(one) }

  /// How many cases are put against themselves.
  var controlled: Int { controlled(of: cases.count) }

  private func controlled(of count: Int) -> Int {
    setting.controlRounds > 0 ? min(setting.controlCases, count) : 0
  }

  /// How many of so many cases are likely to want confirmation: of equal builds some are off by
  /// half the margin.
  func suspects(of count: Int) -> Int { setting.screenRounds > 0 ? max(1, (count + 3) / 4) : 0 }

  /// Seconds until the last verdict, with what is likely to be confirmed.
  var estimate: Double { cost(of: cases) }

  private func cost(of cases: [Case]) -> Double {
    guard !cases.isEmpty else { return 0 }
    let pairs = cases.reduce(0) { $0 + pair($1) }
    let typical = pairs / Double(cases.count)
    let controls = Double(controlled(of: cases.count) * setting.controlRounds) * typical
    let confirmed = Double(suspects(of: cases.count) * setting.confirmRounds) * typical
    return 2 * costs.setUp(cases) + controls + Double(setting.screenRounds) * pairs + confirmed
      + Double(setting.countRounds) * cases.reduce(0) { $0 + count($1) }
  }

  /// The plan in words.
  var text: String {
    let typical = cases.reduce(0) { $0 + pair($1) } / Double(max(1, cases.count))
    let likely = suspects(of: cases.count)
    let confirmed =
      "\(setting.confirmRounds) fresh pairs each, about "
      + "\(Seconds.text(typical * Double(setting.confirmRounds))) for each"
    let least = estimate - typical * Double(likely * setting.confirmRounds)
    var lines = [
      "\(Plan.measurements(cases.count)) of both builds in pairs of rounds of "
        + "\(Int((self.seconds * 1000).rounded())) ms, in fresh processes; seed \(seed)",
      "  control: \(controlled) of them, the base against itself, \(setting.controlRounds) pairs "
        + "each",
      "  screen: all, \(setting.screenRounds) pairs each",
      "  count: all, \(setting.countRounds) times a side, \(Decision.confirmCounts) where they "
        + "differ",
      "  confirm: what seems to differ, \(confirmed)",
    ]
    if let limit {
      lines += [
        "  further: what is open then, in fresh pairs, as far as the rest of the budget settles it",
        "about \(Seconds.text(least)) of \(Seconds.text(limit)), and the rest for what is "
          + "confirmed or open",
      ]
    } else {
      lines += [
        "  further: what is open then, in fresh pairs, where \(2 * setting.confirmRounds) of them "
          + "are likely to do",
        "about \(Seconds.text(least)), and what is confirmed or open",
      ]
    }
    lines += Plan.lines(cases)
    if !leftOut.isEmpty {
      lines.append(
        "does not fit into the budget, and is left out: \(Plan.measurements(leftOut.count)), "
          + "what can hardly be decided first")
      lines += Plan.groups(leftOut).map { group in
        Plan.lines(group)[0] + (prospect(group[0]).words.map { ", \($0)" } ?? "")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
