import Evidence
import Foundation

/// What will be measured, how often and in which order: known and printable before anything runs.
///
/// Rounds go over all cases in a fresh random order each, so that one noisy minute hits all a
/// little instead of one entirely. A few cases, the control, are measured once more before and
/// after all others.
package struct Plan: Sendable {
  package struct Step: Sendable {
    package let `case`: Case
    package let round: Int
    package let position: Int
    package let pass: Track.Pass
  }

  package let cases: [Case]
  /// What would not fit into the budget: whole benchmarks, the dearest first.
  package let leftOut: [Case]
  /// What is measured twice, far apart: a few limits of the machine, and a few of the cases.
  package let controls: [Case]
  package let rounds: Int
  /// How often each is counted for certain: a first impression of all has time for once, and again
  /// as far as time is left.
  package let counts: Int
  /// How long one child measures.
  package let seconds: Double
  package let seed: UInt64
  package let steps: [Step]
  package let estimate: Double
  /// About how many seconds it takes to time all cases once, and to count them once.
  let onceTimed: Double
  let onceCounted: Double
  /// How long the run may take, in seconds; nil for no limit.
  package let limit: Double?
  /// Whether what had no room is taken in where there is some after all. A run that goes on has its
  /// plan.
  let takesMore: Bool
  /// Whether time that is left then buys further rounds, as nobody said how many there are.
  let goesOn: Bool
  let costs: Costs

  /// Fewer rounds than this say nothing about spread; fewer counts do not show whether they repeat.
  static let fewestRounds = 3
  static let usualCounts = 3
  /// Rounds of each control, at the beginning and again at the end.
  static let controlRounds = 3
  private static let usualRounds = 8
  /// From so many on an interval covers 95 %.
  private static let roundsForInterval = 6
  /// More rounds than this are had only where rounds are as long as they get.
  private static let mostRounds = 30
  static let longest = 0.5
  /// As many as somebody may ask for by `--rounds`.
  static let mostOfAll = 10_000
  /// Shorter than this a round is mostly its own beginning; a first impression is content with
  /// less.
  static let shortest = 0.05
  static let shortestQuick = 0.01
  /// Seconds for which a first impression is planned, and after which it begins nothing more: with
  /// the looks at the machine and the report it stays below a minute.
  static let quickBudget = 42.0
  static let quickLimit = 52.0

  /// `addsYardsticks`: see `CaseSelection`.
  package init(
    _ request: RunRequest, catalogue: [Benchmark] = Catalogue.all, addsYardsticks: Bool = true
  ) throws {
    let all = try CaseSelection(request, catalogue, addsYardsticks: addsYardsticks).cases()
    let fit = try Fit(all, request, catalogue)
    cases = fit.cases
    leftOut = fit.leftOut
    controls = fit.controls
    (rounds, seconds, costs) = (fit.rounds, fit.costs.seconds, fit.costs)
    counts = fit.counts
    seed = request.seed
    estimate = fit.cost
    (onceTimed, onceCounted) = (fit.onceTimed, fit.onceCounted)
    // A run that goes on has its budget once more, at most, for what is left of its plan.
    limit = request.budget ?? (request.isQuick ? Plan.quickLimit : nil)
    takesMore = limit != nil && request.leftOutBefore == nil
    goesOn = request.budget != nil && takesMore && request.rounds == nil
    steps = Plan.steps(cases, rounds, counts, seed, costs)
    if request.roundSeconds != nil { try refuseRounds(longerThan: request.timeout) }
  }

  /// Rounds as long as somebody asked for that no child would live to end: all of them would be
  /// invalid, hours later.
  private func refuseRounds(longerThan timeout: Double) throws {
    guard let longest = cases.max(by: { costs.timed($0) < costs.timed($1) }),
      costs.timed(longest) > timeout
    else { return }
    throw BenchmarkError(
      "rounds of \(Int((seconds * 1000).rounded())) ms are too long: one of \(longest.name) takes "
        + "about \(Seconds.text(costs.timed(longest))), and a child has \(Seconds.text(timeout)); "
        + "expected a shorter --round-length, or a longer --timeout")
  }

  /// What some cases, which the plan had no room for, want after all.
  func steps(of cases: [Case], rounds: Int) -> [Step] {
    Plan.steps(cases, rounds, counts, seed, costs).filter { $0.pass == .time || $0.round < counts }
  }

  /// Every case once a round, and counted after each of the first rounds: far apart, and soon
  /// enough to be there once should the run be interrupted. Where there is time for once only, the
  /// rest comes last of all and case by case: as many as time is left for are then counted often
  /// enough, instead of all twice. In the first round the engines of one
  /// benchmark stand together, so that a budget leaves out all or none.
  private static func steps(
    _ cases: [Case], _ rounds: Int, _ counts: Int, _ seed: UInt64, _ costs: Costs
  ) -> [Step] {
    var steps: [Step] = []
    var generator = SeededGenerator(seed: derivedSeed(seed, "order"))
    for round in 0..<max(rounds, counts) {
      var order = cases.shuffled(using: &generator)
      if round == 0 { order = Plan.groups(order).flatMap(\.self) }
      for (position, one) in order.enumerated() where round < rounds {
        steps.append(Step(case: one, round: round, position: position, pass: .time))
      }
      guard round < counts else { continue }
      for (position, one) in cases.enumerated() where !costs.countsNothing(one) {
        steps.append(Step(case: one, round: round, position: position, pass: .count))
      }
    }
    for (position, one) in cases.shuffled(using: &generator).enumerated()
    where !costs.countsNothing(one) {
      for round in min(counts, usualCounts)..<usualCounts {
        steps.append(Step(case: one, round: round, position: position, pass: .count))
      }
    }
    return steps
  }

  /// Cases by benchmark, in the order of their first.
  static func groups(_ cases: [Case]) -> [[Case]] {
    var order: [BenchmarkName] = []
    var groups: [BenchmarkName: [Case]] = [:]
    for one in cases {
      if groups[one.name] == nil { order.append(one.name) }
      groups[one.name, default: []].append(one)
    }
    return order.map { groups[$0] ?? [] }
  }

  /// How much a benchmark with these engines says: a number of each, and what each of the others is
  /// beside the first. By cost alone what has peers would go before what has none.
  static func worth(_ group: [Case]) -> Double { Double(max(1, 2 * group.count - 1)) }

  /// A few limits of the machine, which no change of an engine moves, and of the cases themselves
  /// one of each chapter, for what is restless differs: a disk, the threads, the memory. Three at
  /// least, and where there is a choice none that takes long.
  private static func controls(
    _ cases: [Case], _ seed: UInt64, _ catalogue: [Benchmark]
  ) -> [Case] {
    let limits = ["floor.memory-sum", "floor.cache-miss"].flatMap { name in
      catalogue.filter { $0.name == name }.flatMap { one in
        one.names(quick: true, threads: [1]).prefix(1).map { Case($0, one.engines[0]) }
      }
    }
    var generator = SeededGenerator(seed: derivedSeed(seed, "control"))
    let weights = Costs(catalogue, seconds: 0)
    let order = cases.filter { !limits.contains($0) }.shuffled(using: &generator)
      .sorted { weights.isShort($0) && !weights.isShort($1) }
    var chapters: Set<String> = []
    let chosen = order.filter { chapters.insert($0.name.chapter).inserted }
    return limits + chosen + order.filter { !chosen.contains($0) }.prefix(max(0, 3 - chosen.count))
  }

  /// How many rounds of which length fit, of how many of the cases.
  private struct Fit {
    private(set) var cases: [Case]
    private(set) var leftOut: [Case] = []
    /// What is left out is no control either: it may be as dear as all the rest.
    private(set) var controls: [Case]
    private(set) var rounds: Int
    private(set) var costs: Costs
    private(set) var counts: Int
    private let shortest: Double
    /// Whether the length of a round was asked for.
    private let isLengthFixed: Bool
    private let catalogue: [Benchmark]

    init(_ all: [Case], _ request: RunRequest, _ catalogue: [Benchmark]) throws {
      self.catalogue = catalogue
      cases = all
      controls = Plan.controls(all, request.seed, catalogue)
      let isImpression = request.isQuick && request.rounds == nil && request.budget == nil
      counts = Plan.usualCounts
      shortest = request.isQuick ? Plan.shortestQuick : Plan.shortest
      rounds = request.rounds ?? (request.isQuick ? Plan.fewestRounds : Plan.usualRounds)
      isLengthFixed = request.roundSeconds != nil
      costs = Costs(
        catalogue,
        seconds: request.roundSeconds ?? Run.Asked.usualRoundSeconds(isQuick: request.isQuick))
      if let before = request.leftOutBefore {
        let gone = Set(before.map { Case(BenchmarkName(parsing: $0.benchmark), $0.engine) })
        leave(gone)
        return
      }
      guard let budget = request.budget ?? (request.isQuick ? Plan.quickBudget : nil) else {
        return
      }
      // A first impression of a few has time to see whether counts repeat; one of all has not.
      if isImpression, cost > budget { counts = 1 }
      shrink(to: budget, isFixed: request.rounds != nil)
      if request.budget != nil { try leaveOut(budget, of: all.count) }
      if request.budget != nil {
        grow(
          to: budget, isFixed: request.rounds != nil,
          usual: Run.Asked.usualRoundSeconds(isQuick: request.isQuick))
      }
    }

    var onceTimed: Double { cases.reduce(0) { $0 + costs.timed($1) } }
    var onceCounted: Double { cases.reduce(0) { $0 + costs.counted($1) } }
    var cost: Double {
      let control = 2 * Double(Plan.controlRounds) * controls.reduce(0) { $0 + costs.timed($1) }
      return costs.setUp(cases + controls) + control + Double(rounds) * onceTimed
        + Double(counts) * onceCounted
    }

    private mutating func set(seconds: Double) { costs = Costs(catalogue, seconds: seconds) }

    private mutating func shrink(to budget: Double, isFixed: Bool) {
      while !isLengthFixed, costs.seconds > shortest, cost > budget {
        set(seconds: costs.seconds * 0.9)
      }
      while !isFixed, rounds > Plan.fewestRounds, cost > budget { rounds -= 1 }
    }

    /// The benchmarks that are dearest for what they say go first, with all their engines: so the
    /// most numbers stay, and the most comparisons.
    private mutating func leaveOut(_ budget: Double, of count: Int) throws {
      let needed = cost
      let cheapest = Plan.groups(cases).map { group in
        var alone = self
        alone.leave(Set(cases).subtracting(group))
        return (name: group[0].name, cost: alone.cost)
      }.min { $0.cost < $1.cost }
      var groups = Plan.groups(cases).map { group in
        (
          group,
          cost: (costs.setUp(group) + group.reduce(0) { $0 + costs.timed($1) }) / Plan.worth(group)
        )
      }
      while cost > budget,
        let dearest = groups.indices.max(by: { groups[$0].cost < groups[$1].cost })
      {
        var gone = groups[dearest].0
        if gone[0].name.family == "writes.stall" {
          let ofLoop = groups.map(\.0).filter { $0[0].name.family == "writes.stall" }
          gone = Stall.leastNeeded(of: ofLoop) ?? gone
        }
        groups.removeAll { $0.0[0].name == gone[0].name }
        leave(Set(gone))
      }
      guard cases.isEmpty else { return }
      let least = cheapest.map {
        "the cheapest, \($0.name), takes about \(Seconds.text($0.cost)), "
      }
      throw BenchmarkError(
        "a budget of \(Seconds.text(budget)) is too small for any of "
          + "\(Plan.measurements(count)) in \(Plural.text(rounds, "round")): \(least ?? "")all of "
          + "them about " + Seconds.text(needed))
    }

    private mutating func leave(_ gone: Set<Case>) {
      leftOut += cases.filter(gone.contains)
      cases.removeAll(where: gone.contains)
      controls.removeAll(where: gone.contains)
    }

    /// As many rounds as make an interval first, then rounds as long as usual, which the dearest
    /// may have shortened before they were left out; then more of either.
    private mutating func grow(to budget: Double, isFixed: Bool, usual: Double) {
      func tried(_ change: (inout Fit) -> Void) -> Fit? {
        var larger = self
        change(&larger)
        return larger.cost <= budget ? larger : nil
      }
      func moreRounds(upTo count: Int) {
        while !isFixed, rounds < count, let more = tried({ $0.rounds += 1 }) { self = more }
      }
      func longerRounds(upTo seconds: Double) {
        while !isLengthFixed, costs.seconds < seconds,
          let longer = tried({ $0.set(seconds: min(seconds, $0.costs.seconds * 1.1)) })
        {
          self = longer
        }
      }
      moreRounds(upTo: Plan.roundsForInterval)
      longerRounds(upTo: usual)
      moreRounds(upTo: Plan.mostRounds)
      longerRounds(upTo: Plan.longest)
      moreRounds(upTo: Plan.mostOfAll)
    }
  }

  /// The plan in words, for `--dry-run` and the first lines of a run.
  package var text: String {
    let head =
      "\(Plan.measurements(cases.count)), \(Plural.text(rounds, "round")) of "
      + "\(Int((seconds * 1000).rounded())) ms in "
      + "fresh processes, counted \(spelledCounts), a control "
      + "of \(controls.count) before and after; "
      + "about \(Seconds.text(estimate))\(spelledLimit); seed \(seed)"
    var lines = [head] + Plan.lines(cases)
    if !leftOut.isEmpty {
      lines.append(
        "does not fit into the budget, and is left out: \(Plan.measurements(leftOut.count))")
      lines += Plan.lines(leftOut)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var spelledLimit: String {
    guard goesOn, let limit else { return "" }
    return " of \(Seconds.text(limit)), and further rounds while time is left"
  }

  private var spelledCounts: String {
    counts == 1 ? "once, and again while time is left" : "\(counts) times"
  }

  static func measurements(_ count: Int) -> String {
    Plural.text(count, "measurement")
  }

  static func lines(_ cases: [Case]) -> [String] {
    groups(cases).map { group in
      "  \(group[0].name)  (\(group.map(\.engine).joined(separator: ", ")))"
    }
  }
}
