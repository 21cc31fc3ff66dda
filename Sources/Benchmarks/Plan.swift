import Evidence
import Foundation

/// What will be measured, how often and in which order: known and printable before anything runs.
///
/// Rounds go over all cases in a fresh random order each, so that one noisy minute hits all a little instead of
/// one entirely.
package struct Plan: Sendable {
  package struct Step: Sendable {
    package let `case`: Case
    package let round: Int
    package let position: Int
    package let pass: Track.Pass
  }

  package let cases: [Case]
  package let rounds: Int
  /// How long one child measures.
  package let seconds: Double
  package let seed: UInt64
  package let steps: [Step]
  package let estimate: Double
  /// About how many seconds it takes to time all cases once, and to count them once.
  let onceTimed: Double
  let onceCounted: Double
  /// When the run ends whatever is left of it, in seconds after its start; nil for no limit.
  package let deadline: Double?

  /// Fewer rounds than this say nothing about spread.
  static let fewestRounds = 3
  /// Seconds for which a first impression is planned, and after which it begins no further rounds: with the looks
  /// at the machine and the report it stays below a minute.
  static let quickBudget = 42.0
  static let quickDeadline = 52.0
  /// Seconds a child spends outside measuring: starting, opening its data set, warming up.
  static let overhead = 0.06

  package init(_ request: RunRequest, catalogue: [Benchmark] = Catalogue.all) throws {
    let patterns = request.filters.map(Glob.init)
    let known = Set(catalogue.flatMap(\.engines) + request.guests.map(\.engine.name))
    for engine in request.engines where !known.contains(engine) {
      throw BenchmarkError(
        "unknown engine '\(engine)': this build holds \(known.sorted().joined(separator: ", "))")
    }
    for pattern in request.filters {
      let glob = Glob(pattern.hasPrefix("!") ? String(pattern.dropFirst()) : pattern)
      let isKnown = catalogue.contains { benchmark in
        glob.matches(benchmark.name)
          || benchmark.names(quick: false, threads: request.threads).contains {
            glob.matches($0.description)
          }
          || benchmark.names(quick: true, threads: request.threads).contains {
            glob.matches($0.description)
          }
      }
      // A full name with parameters of one's own is welcome as long as the family exists.
      let family = BenchmarkName(parsing: pattern).family
      if !isKnown, !catalogue.contains(where: { $0.name == family }) {
        throw BenchmarkError(
          "no benchmark matches '\(pattern)'; 'realm-bench list benchmarks' says what there is")
      }
    }
    var cases: [Case] = []
    for benchmark in catalogue {
      // Asked for by name means wanted, even in a first impression.
      let isNamed = patterns.contains { !$0.excludes && $0.matches(benchmark.name) }
      if request.isQuick, !benchmark.isQuick, !isNamed, !Plan.isSpelled(benchmark, request) {
        continue
      }
      var names = benchmark.names(quick: request.isQuick, threads: request.threads)
      names += request.filters.map { BenchmarkName(parsing: $0) }.filter {
        $0.family == benchmark.name && !$0.parameters.isEmpty && !names.contains($0)
          && !$0.description.contains("*")
          && Set($0.parameters.keys) == Set(benchmark.parameters.map(\.name))
      }
      for name in names where Glob.select(patterns, name.family, name.description) {
        for engine in benchmark.engines
        where (request.engines.isEmpty || request.engines.contains(engine))
          && Catalogue.offers(engine, name)
        {
          cases.append(Case(name, engine))
        }
        for guest in request.guests
        where (request.engines.isEmpty || request.engines.contains(guest.engine.name))
          && guest.names.contains(name.description)
        {
          cases.append(Case(name, guest.engine.name))
        }
      }
    }
    if let shard = request.shard {
      // Dealt out by turns: neighbours cost alike, so the parts do too.
      cases = cases.enumerated().filter { $0.offset % shard.count == shard.index - 1 }.map(
        \.element)
    }
    guard !cases.isEmpty else {
      throw BenchmarkError(
        "nothing to measure: the filters, engines and shard leave no benchmark over")
    }
    let weights = cases.map { one in catalogue.first { $0.name == one.name.family }?.weight ?? 1 }
    let weight = weights.reduce(0, +)
    let budget = request.budget ?? (request.isQuick ? Plan.quickBudget : nil)
    var rounds = request.rounds ?? (request.isQuick ? Plan.fewestRounds : 8)
    var seconds = request.isQuick ? 0.1 : 0.25
    let number = Double(cases.count)
    func timed(_ seconds: Double) -> Double { number * Plan.overhead + weight * seconds * 1.6 }
    let counted = number * (Plan.overhead + 0.15)
    func cost(_ rounds: Int, _ seconds: Double) -> Double {
      Double(rounds) * timed(seconds) + counted
    }
    if let budget {
      while seconds > 0.01, cost(rounds, seconds) > budget { seconds *= 0.9 }
      while rounds > Plan.fewestRounds, cost(rounds, seconds) > budget { rounds -= 1 }
      if !request.isQuick {
        while rounds < 30, request.rounds == nil, cost(rounds + 1, seconds) <= budget {
          rounds += 1
        }
        while seconds < 0.5, cost(rounds, seconds * 1.1) <= budget { seconds *= 1.1 }
      }
      let least = cost(Plan.fewestRounds, 0.01)
      if least > budget, !request.isQuick {
        throw BenchmarkError(
          "a budget of \(Int(budget)) s is too small for \(cases.count) measurements in "
            + "\(Plan.fewestRounds) rounds: at least \(Int(least.rounded(.up))) s")
      }
    }
    self.cases = cases
    self.rounds = rounds
    self.seconds = seconds
    seed = request.seed
    estimate = cost(rounds, seconds)
    (onceTimed, onceCounted) = (timed(seconds), counted)
    deadline = budget.map { request.isQuick && request.budget == nil ? Plan.quickDeadline : $0 }
    var steps: [Step] = []
    var generator = SeededGenerator(seed: derivedSeed(request.seed, "order"))
    for round in 0..<rounds {
      for (position, one) in cases.shuffled(using: &generator).enumerated() {
        steps.append(Step(case: one, round: round, position: position, pass: .time))
      }
      // Counting right after the first round: should the time run out, every number is there once.
      guard round == 0 else { continue }
      for (position, one) in cases.enumerated() where !Plan.countsNothing(one, catalogue) {
        steps.append(Step(case: one, round: 0, position: position, pass: .count))
      }
    }
    self.steps = steps
  }

  /// Benchmarks that only run against the clock have no counting pass.
  private static func countsNothing(_ one: Case, _ catalogue: [Benchmark]) -> Bool {
    catalogue.first { $0.name == one.name.family }?.isOnlyTimed ?? false
  }

  private static func isSpelled(_ benchmark: Benchmark, _ request: RunRequest) -> Bool {
    request.filters.contains { BenchmarkName(parsing: $0).family == benchmark.name }
  }

  /// The plan in words, for `--dry-run` and the first lines of a run.
  package var text: String {
    var lines = [
      "\(cases.count) measurements, \(rounds) rounds of \(Int((seconds * 1000).rounded())) ms in "
        + "fresh processes, a counting pass; about \(Int(estimate.rounded(.up))) s; seed \(seed)"
    ]
    var order: [String] = []
    var engines: [String: [String]] = [:]
    for one in cases {
      let name = one.name.description
      if engines[name] == nil { order.append(name) }
      engines[name, default: []].append(one.engine)
    }
    lines += order.map { "  \($0)  (\((engines[$0] ?? []).joined(separator: ", ")))" }
    return lines.joined(separator: "\n") + "\n"
  }
}
