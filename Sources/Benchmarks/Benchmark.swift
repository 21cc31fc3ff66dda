import Evidence

/// What is timed, per what, and on which engines.
///
/// A name, once published, keeps its meaning; a changed workload gets a new name.
package struct Benchmark: Sendable {
  /// One parameter: the values of a normal run and those of a first impression.
  package struct Parameter: Sendable {
    package let name: String
    package let values: [String]
    package let quick: [String]

    package init(_ name: String, _ values: [String], quick: [String]? = nil) {
      self.name = name
      self.values = values
      self.quick = quick ?? values
    }

    /// What it takes instead of a value, in words; nil for a value that it takes. Numbers may be
    /// others than those of the catalogue, words may not.
    func refusal(of value: String) -> String? {
      let known = values + quick.filter { !values.contains($0) }
      if known.contains(value) { return nil }
      let numbers = known.compactMap { Int($0) }
      guard numbers.count == known.count, let least = numbers.min() else {
        return known.joined(separator: ", ")
      }
      // Each of these is a thread, a process or a listener of its own.
      let isCrew = ["threads", "writers", "observers"].contains(self.name)
      let limits = min(1, least)...(isCrew ? 1024 : 1_000_000_000)
      // As a name is spelled: 007 would be another name for 7.
      if let number = Int(value), limits.contains(number), String(number) == value { return nil }
      return "a whole number from \(limits.lowerBound) to \(limits.upperBound)"
    }
  }

  /// Seconds that one round takes however short it is meant to be, as far as is known: of what is
  /// done a fixed number of times, or over that many rows. Another machine takes others: they are
  /// what a plan begins with, and what was measured counts from then on.
  package struct Least: Sendable {
    let seconds: @Sendable (BenchmarkName) -> Double

    package static let nothing = Least { _ in 0 }

    /// So many seconds for each of what a parameter counts.
    package static func each(_ parameter: String, _ seconds: Double) -> Least {
      Least { $0.number(parameter) * seconds }
    }
  }

  package let name: String
  /// What one operation is, and what is left out of the time.
  package let sentence: String
  package let parameters: [Parameter]
  package let engines: [String]
  package let metrics: [String]
  /// Whether it belongs to the first impression.
  package let isQuick: Bool
  /// About how many measuring times one round lasts: whole programs and growth need more than one.
  package let weight: Double
  package let least: Least
  /// Where it is declared: `Sources/A.swift:12`.
  package let source: String
  /// Whether counting operations would say nothing: many threads, or a size at the end.
  package var isOnlyTimed: Bool {
    ["rate", "kept", "growth", "ratio", "stall", "p99"].contains(metrics[0])
      || metrics.contains("fairness") || name == "async.call" || name == "reads.open-cold"
  }
  /// Whether its time goes into single values and accessors, more than into what an engine keeps:
  /// where a façade stands before a library, such a row measures the façade.
  package var isMostlyAccess: Bool { Benchmark.access.contains(name) }
  private static let access: Set<String> = [
    "reads.held-int", "reads.held-string", "reads.frozen-int", "reads.queue-int", "reads.actor-int",
    "reads.accessor", "reads.by-primary-key", "reads.by-string-key", "reads.by-row-key",
    "reads.scaling", "reads.iterate", "reads.for-each", "reads.begin-end", "reads.open-cached",
    "reads.open-configured", "reads.size", "writes.bulk-insert", "writes.update-many",
    "macro.classic-insert-multiple", "macro.classic-enumerate-and-access-all",
    "macro.classic-enumerate-and-mutate", "macro.classic-realm-creation-cached",
  ]
  package let measure: @Sendable (Track) throws -> Void

  package init(
    _ name: String, _ sentence: String, _ parameters: [Parameter] = [], engines: [String],
    metrics: [String] = ["time"], quick: Bool = false, weight: Double = 1,
    least: Least = .nothing,
    file: String = #filePath, line: Int = #line,
    _ measure: @escaping @Sendable (Track) throws -> Void
  ) {
    self.name = name
    self.sentence = sentence
    self.parameters = parameters.sorted { $0.name < $1.name }
    self.engines = engines
    self.metrics = metrics
    isQuick = quick
    self.weight = weight
    self.least = least
    source = Run.Entry.place(file, line)
    self.measure = measure
  }

  /// Every combination of parameter values: those of the catalogue, or those that somebody set.
  package func names(
    quick: Bool, threads: [Int], settings: [String: [String]] = [:]
  ) -> [BenchmarkName] {
    var combinations: [[String: String]] = [[:]]
    for parameter in parameters {
      var values = settings[parameter.name] ?? (quick ? parameter.quick : parameter.values)
      if parameter.name == "threads", !threads.isEmpty { values = threads.map(String.init) }
      combinations = combinations.flatMap { one in
        values.map { one.merging([parameter.name: $0]) { $1 } }
      }
    }
    return combinations.map { BenchmarkName(name, $0) }
  }
}

/// A question about benchmarks that has no answer here; said in one sentence.
package struct BenchmarkError: Error, CustomStringConvertible, Equatable {
  package let description: String
  package let outcome: Outcome
  /// Whether more time would have done.
  package let isOfBudget: Bool
  package init(_ description: String, _ outcome: Outcome = .misuse, isOfBudget: Bool = false) {
    self.description = description
    self.outcome = outcome
    self.isOfBudget = isOfBudget
  }
}
