import Foundation

/// What a run measured twice, far apart: at its beginning and at its end. How much the two differ
/// is what the machine did meanwhile, and what no comparison with this run can see through.
package struct RunControl: Codable, Hashable, Sendable {
  /// Which end of the run: the side that its samples carry.
  package enum End: String, Sendable {
    case first = "C1"
    case last = "C2"
  }

  package struct Row: Codable, Hashable, Sendable {
    package var benchmark: String
    package var engine: String
    package var metric: String
    package var first: [Double]
    package var last: [Double]

    package init(
      benchmark: String, engine: String, metric: String, first: [Double], last: [Double]
    ) {
      self.benchmark = benchmark
      self.engine = engine
      self.metric = metric
      self.first = first
      self.last = last
    }

    /// How much it drifted, as a logarithm; nil where one end has no value.
    package var drift: Double? {
      let (from, to) = (Quantiles.median(first), Quantiles.median(last))
      guard from > 0, to > 0 else { return nil }
      return log(to / from)
    }

    fileprivate var level: Double? {
      let all = first + last
      return all.isEmpty || Quantiles.median(all) <= 0 ? nil : log(Quantiles.median(all))
    }

    /// What only the machine moves: a loop in C knows no engine.
    fileprivate var isOfMachine: Bool { benchmark.hasPrefix("floor.") }

    fileprivate var isBimodal: Bool {
      RestlessLimits.families.contains(BenchmarkName(parsing: benchmark).family)
    }
  }

  package var rows: [Row]

  package init(rows: [Row]) { self.rows = rows }

  /// Reads the control off the samples of a run; nil where it has none at both ends.
  package init?(_ samples: [Sample]) {
    rows = []
    for finding in Summary.control(samples, .first) where finding.valid {
      guard let value = finding.headline,
        let other = Summary.control(samples, .last).first(where: {
          $0.benchmark == finding.benchmark && $0.engine == finding.engine
        })?[value.metric]
      else { continue }
      rows.append(
        Row(
          benchmark: finding.benchmark, engine: finding.engine, metric: value.metric,
          first: value.rounds, last: other.rounds))
    }
    if rows.isEmpty { return nil }
  }

  /// Whether it is no yardstick: two single rounds differ by chance, and one measurement may be
  /// restless by itself. Two of them must have been made twice at either end, and say something:
  /// nothing takes no time.
  package var isTooThin: Bool {
    rows.count { $0.first.count > 1 && $0.last.count > 1 && $0.drift != nil } < 2
  }

  /// Whether no measurement of it says anything: then it is as if it were not there.
  package var isMute: Bool { rows.allSatisfy { $0.drift == nil } }

  /// How restless two runs were for benchmarks of a chapter: the noise floor of what is said of
  /// both, as a logarithm.
  ///
  /// The largest of three: what the controls of the chapter drifted, within either run; half of
  /// what the controls of all chapters drifted more than; and the most that lies between the runs
  /// where only the machine can have moved it. One that is restless by itself, a disk perhaps,
  /// hides its own chapter and no other. Where a chapter has no control the 90th percentile of all
  /// stands for it. A limit of the machine that has two values on a calm one says nothing but of
  /// itself.
  package static func floor(_ a: RunControl, _ b: RunControl, for name: BenchmarkName) -> Double {
    let rows = a.rows + b.rows
    let all = rows.filter { !$0.isBimodal }.compactMap(\.drift).map(abs)
    let own = own(rows, for: name).compactMap(\.drift).map(abs)
    let within = own.max() ?? (all.isEmpty ? 0 : Quantiles.quantile(all, 0.9))
    return max(within, all.isEmpty ? 0 : Quantiles.median(all), between(a, b))
  }

  /// The control that hides most of a chapter, of those that are its own; nil where it has none.
  package static func furthest(
    _ a: RunControl, _ b: RunControl, for name: BenchmarkName
  ) -> Row? {
    own(a.rows + b.rows, for: name).filter { $0.drift != nil }
      .max { abs($0.drift ?? 0) < abs($1.drift ?? 0) }
  }

  private static func own(_ rows: [Row], for name: BenchmarkName) -> [Row] {
    rows.filter { row in
      let other = BenchmarkName(parsing: row.benchmark)
      return other.family == name.family || (other.chapter == name.chapter && !row.isBimodal)
    }
  }

  /// How restless two runs were altogether, as a logarithm: what half of the controls of the more
  /// restless of them drifted more than, or what lies between the runs. A single one that is far
  /// off is no measure of the machine: see `oddity`.
  package static func typical(_ a: RunControl, _ b: RunControl) -> Double {
    let medians = [a, b].map { control in
      let drifts = control.rows.filter { !$0.isBimodal }.compactMap(\.drift).map(abs)
      return drifts.isEmpty ? 0 : Quantiles.median(drifts)
    }
    return max(medians[0], medians[1], between(a, b))
  }

  /// The control that drifted furthest, if that is another order than what is typical and more than
  /// most comparisons are asked to see.
  package static func oddity(_ a: RunControl, _ b: RunControl) -> Row? {
    let furthest = (a.rows + b.rows).max { abs($0.drift ?? 0) < abs($1.drift ?? 0) }
    guard let furthest, let drift = furthest.drift,
      abs(drift) > max(3 * typical(a, b), log1p(Sight().resolution))
    else { return nil }
    return furthest
  }

  private static func between(_ a: RunControl, _ b: RunControl) -> Double {
    let between = a.rows.filter { $0.isOfMachine && !$0.isBimodal }.compactMap { row -> Double? in
      let other = b.rows.first {
        $0.benchmark == row.benchmark && $0.engine == row.engine && $0.metric == row.metric
      }
      guard let from = row.level, let to = other?.level else { return nil }
      return abs(to - from)
    }
    return between.max() ?? 0
  }

  /// What only the machine moves: what it takes on the second run's machine, as a multiple of what
  /// it takes on the first's.
  package static func kernels(_ a: Run, _ b: Run) -> [(name: String, ratio: Double)] {
    // In steps, each of a known type: as one chain it takes the compiler nine seconds.
    var found: [(name: String, ratio: Double)] = []
    for row in a.control?.rows ?? [] where row.isOfMachine {
      let other = b.control?.rows.first {
        $0.benchmark == row.benchmark && $0.metric == row.metric
      }
      guard let from = row.level, let to = other?.level else { continue }
      found.append((BenchmarkName(parsing: row.benchmark).family, exp(to - from)))
    }
    func add(_ name: String, _ from: Double, _ to: Double) {
      if from > 0 && to > 0 { found.append((name, to / from)) }
    }
    add("a reading of the clock", a.environment.clockCost, b.environment.clockCost)
    add("a flush", a.environment.storage.flushMedian, b.environment.storage.flushMedian)
    return found
  }
}

/// A measurement that was asked for and did not fit into the time there was.
package struct LeftOut: Codable, Hashable, Sendable {
  package var benchmark: String
  package var engine: String
  package var reason: String

  package init(benchmark: String, engine: String, reason: String) {
    self.benchmark = benchmark
    self.engine = engine
    self.reason = reason
  }
}
