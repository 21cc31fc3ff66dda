import Foundation

/// What `run.json` holds: what was asked, on what, and what came out.
package struct Run: Codable, Sendable {
  /// The major version of the layout; readers refuse a newer one and accept unknown fields.
  package static let schema = 1

  package enum State: String, Codable, Sendable {
    case running, finished, interrupted
  }

  package struct Asked: Codable, Hashable, Sendable {
    package var verb = "run"
    package var filters: [String] = []
    package var engines: [String] = []
    package var threads: [Int] = []
    /// Values of parameters that somebody set in place of the catalogue's; absent where nobody did,
    /// and in older records.
    package var settings: [String: [String]]?
    package var quick = false
    package var budget: Double?
    package var rounds = 0
    /// How long a round measured; absent in older records.
    package var roundSeconds: Double?
    package var seed: UInt64 = 0
    package var shard = ""
    /// The command that asks for the same again.
    package var command = ""
    /// Where its sources can be read, for links of pages; absent where nobody said, and in older
    /// records.
    package var linkBase: String?
    package init() {}

    /// How long a round is where nobody asked for a length.
    package static func usualRoundSeconds(isQuick: Bool) -> Double { isQuick ? 0.1 : 0.25 }

    /// What nobody can have asked for; nil where all may have been.
    var refusal: String? {
      func wrong(_ name: String, _ value: String, _ expected: String) -> String {
        "asked.\(name) is \(value), expected \(expected)"
      }
      if let seconds = roundSeconds, !(seconds > 0 && seconds <= 86_400) {
        return wrong("roundSeconds", "\(seconds)", "the seconds of a round, up to a day")
      }
      if let budget, !(budget > 0 && budget <= 1e9) {
        return wrong("budget", "\(budget)", "seconds above 0")
      }
      if !(0...1_000_000).contains(rounds) {
        return wrong("rounds", "\(rounds)", "a number from 0 to 1000000")
      }
      let parts = shard.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      if !shard.isEmpty {
        guard parts.count == 2, let index = parts[0], let count = parts[1], index >= 1,
          (index...max(index, 100_000)).contains(count)
        else { return wrong("shard", "'\(shard)'", "I/N with I from 1 to N") }
      }
      return nil
    }
  }

  package var schema = Run.schema
  package var tool = "realm-bench"
  package var version = ""
  package var id = ""
  package var started = ""
  package var finished = ""
  package var state = State.running
  package var asked = Asked()
  package var environment = Environment()
  package var results: [Finding] = []
  /// What was measured at both ends of the run; absent in older records and where nothing answered.
  package var control: RunControl?
  /// What did not fit into the budget; absent where there was none.
  package var leftOut: [LeftOut]?
  /// Of shards put together: those that are not there, as `2/4`, and what was compared over
  /// machines.
  package var missingShards: [String]?
  package var crossings: [String]?
  /// Filled by `ab`.
  package var comparison: Comparison?
  /// What `compare` found of further runs beside the first, where it was given more than two.
  package var otherComparisons: [Comparison]?
  /// What an examination of the engine found, by `conformance` or beside the benchmarks.
  package var examination: Examination?
  /// Of other engines or versions, where several runs were put side by side.
  package var otherExaminations: [Examination]?
  /// What the names of benchmarks and rules stand for, for pages that are made elsewhere.
  package var catalogue: [Entry]?

  /// A benchmark's family or a rule: what it is, and the line of the repository that says so.
  package struct Entry: Codable, Hashable, Sendable {
    package var name: String
    package var sentence: String
    /// `Sources/A.swift:12`.
    package var source: String
    package init(name: String, sentence: String, source: String) {
      self.name = name
      self.sentence = sentence
      self.source = source
    }

    /// `Sources/A.swift:12` of what `#filePath` and `#line` say, wherever the repository lay.
    package static func place(_ file: String, _ line: Int) -> String {
      guard let start = file.range(of: "Sources/", options: .backwards) else { return "" }
      return "\(file[start.lowerBound...]):\(line)"
    }
  }

  package init() {}

  private enum CodingKeys: String, CodingKey {
    case schema, tool, version, id, started, finished, state, asked, environment, results, control,
      comparison, otherComparisons, examination, otherExaminations, catalogue, crossings
    case leftOut = "left_out"
    case missingShards = "missing_shards"
  }

  package init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    schema = try box.decode(Int.self, forKey: .schema)
    tool = try box.decode(String.self, forKey: .tool)
    version = try box.decodeIfPresent(String.self, forKey: .version) ?? ""
    id = try box.decodeIfPresent(String.self, forKey: .id) ?? ""
    started = try box.decodeIfPresent(String.self, forKey: .started) ?? ""
    finished = try box.decodeIfPresent(String.self, forKey: .finished) ?? ""
    state = try box.decodeIfPresent(State.self, forKey: .state) ?? .interrupted
    asked = try box.decodeIfPresent(Asked.self, forKey: .asked) ?? Asked()
    environment = try box.decodeIfPresent(Environment.self, forKey: .environment) ?? Environment()
    results = try box.decodeIfPresent([Finding].self, forKey: .results) ?? []
    control = try box.decodeIfPresent(RunControl.self, forKey: .control)
    leftOut = try box.decodeIfPresent([LeftOut].self, forKey: .leftOut)
    missingShards = try box.decodeIfPresent([String].self, forKey: .missingShards)
    crossings = try box.decodeIfPresent([String].self, forKey: .crossings)
    comparison = try box.decodeIfPresent(Comparison.self, forKey: .comparison)
    otherComparisons = try box.decodeIfPresent([Comparison].self, forKey: .otherComparisons)
    examination = try box.decodeIfPresent(Examination.self, forKey: .examination)
    otherExaminations = try box.decodeIfPresent([Examination].self, forKey: .otherExaminations)
    catalogue = try box.decodeIfPresent([Entry].self, forKey: .catalogue)
  }

  package var durationSeconds: Double? {
    guard let from = Timestamp.seconds(started), let to = Timestamp.seconds(finished) else {
      return nil
    }
    return to - from
  }
}

/// One benchmark on one engine: the summary of all its rounds.
package struct Finding: Codable, Hashable, Sendable {
  package struct Value: Codable, Hashable, Sendable {
    package var metric: String
    /// Median of the rounds; for percentiles the value of the merged histogram.
    package var value: Double
    /// Interval of that median over rounds.
    package var low: Double
    package var high: Double
    /// How sure the interval is: 0.95 where rounds allow, less with few.
    package var confidence: Double
    /// One value per round, in order.
    package var rounds: [Double]
    /// Operations behind all rounds together.
    package var samples: Int
    /// How many of the rounds lie far out: kept and counted, never left out; absent where none
    /// does, and in older records.
    package var outliers: Int?

    package init(
      metric: String, value: Double, low: Double, high: Double, confidence: Double,
      rounds: [Double], samples: Int
    ) {
      self.metric = metric
      self.value = value
      self.low = low
      self.high = high
      self.confidence = confidence
      self.rounds = rounds
      self.samples = samples
    }
  }

  package var benchmark: String
  package var engine: String
  package var side: String
  package var valid: Bool
  /// Why the answer was wrong, or what became of the child.
  package var reason: String
  package var flags: [String]
  package var rounds: Int
  package var seed: UInt64
  package var values: [Value]
  /// Merged histogram of latencies where operations were timed one by one.
  package var histogram: String?
  /// The machine it was measured on, where results of several were put together.
  package var machine: String?

  package init(
    benchmark: String, engine: String, side: String = "", valid: Bool = true, reason: String = "",
    flags: [String] = [], rounds: Int = 0, seed: UInt64 = 0, values: [Value] = [],
    histogram: String? = nil
  ) {
    self.benchmark = benchmark
    self.engine = engine
    self.side = side
    self.valid = valid
    self.reason = reason
    self.flags = flags
    self.rounds = rounds
    self.seed = seed
    self.values = values
    self.histogram = histogram
  }

  package var name: BenchmarkName { BenchmarkName(parsing: benchmark) }

  /// Whether it has no speed because the disk it worked on was full: no answer was wrong.
  package var isOutOfSpace: Bool { !valid && reason.hasPrefix(Finding.outOfSpace) }
  /// How such a reason begins.
  package static let outOfSpace = "the work disk is full"

  /// Whether it was ended because it took too long: whether its answer would have been right nobody
  /// knows.
  package var isStopped: Bool { !valid && reason.contains(Finding.stopped) }
  /// What such a reason says.
  package static let stopped = "stopped after "

  package subscript(metric: String) -> Value? { values.first { $0.metric == metric } }

  /// Its time, or else the first metric there is; what a benchmark is about is its `subject`.
  package var headline: Value? { self["time"] ?? values.first }
}

extension Run {
  /// Why the run as a whole is no success: every answer is invalid, or the disk was full; nil when
  /// it is one.
  package var failure: String? {
    if let full = results.first(where: \.isOutOfSpace) {
      let count = results.filter(\.isOutOfSpace).count
      return
        "\(full.reason): \(count) of \(results.count) measurements have no number; make room, or "
        + "name another disk with --workdir"
    }
    if results.isEmpty, let leftOut, !leftOut.isEmpty {
      return "there was no time for any of \(Plural.text(leftOut.count, "measurement")): expected "
        + "a larger --budget, or fewer benchmarks"
    }
    guard let first = results.first, results.allSatisfy({ !$0.valid }) else { return nil }
    return "no answer is valid: \(first.benchmark) (\(first.engine)): \(first.reason)"
      + (results.count > 1 ? ", and \(results.count - 1) more" : "")
  }
}
