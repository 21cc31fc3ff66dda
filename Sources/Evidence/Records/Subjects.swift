/// What benchmarks are about, where that is not the time of an operation: their metrics, the first
/// of which is judged, drawn and followed over time.
///
/// The catalogue of benchmarks declares the same order; it stands here, too, because stored runs
/// are judged and drawn where no catalogue is.
package enum Subjects {
  /// By family, the metric it is about first; behind it what stands in where a round was too short
  /// for it. What the benchmark itself sets, such as the rate of arrivals, is never a subject.
  package static let all: [String: [String]] = [
    "async.acknowledge": ["p99", "p50"],
    "frozen.after-release": ["growth"],
    "frozen.growth": ["growth"],
    "frozen.one-old-pin": ["ratio"],
    "notify.idle": ["stall"],
    "notify.stall": ["stall"],
    "reads.beside-writer": ["kept"],
    "writes.commit-steady": ["kept"],
    "writes.stall": ["stall"],
  ]

  /// Families that hold the more the more they have done: whoever is faster needs more memory
  /// there, and is none the worse.
  private static let growing: Set = ["writes.insert"]

  /// Whether a value of a family is judged beside what the family is about, whatever it is of.
  package static func isJudged(_ metric: Metric, of family: String) -> Bool {
    metric.kind != .observed && (metric.kind != .level || !growing.contains(family))
  }

  /// What a family is about: time, unless it was made to ask for something else.
  package static func metric(of family: String) -> String { all[family]?.first ?? "time" }

  /// The metric among those measured that a family is about; where neither its own nor the time is
  /// there, the first that reports show.
  package static func metric<Metrics: Collection<String>>(
    of family: String, among measured: Metrics
  ) -> String? {
    (all[family] ?? ["time"]).first(where: measured.contains)
      ?? (measured.contains("time") ? "time" : nil)
      ?? measured.min { (Metric.rank($0), $0) < (Metric.rank($1), $1) }
  }
}

extension Finding {
  /// The metric that this benchmark is about, of those that it has.
  package var subject: String? { Subjects.metric(of: name.family, among: values.map(\.metric)) }

  /// The value that a table shows first.
  package var subjectValue: Value? { subject.flatMap { self[$0] } }
}
