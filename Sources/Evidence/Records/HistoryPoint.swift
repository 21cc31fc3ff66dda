import Foundation

/// One number of one run, as histories keep it: a line of `history.ndjson`.
///
/// Of an `ab` there are two kinds: the candidate's own number, and what it is of the base's that
/// was measured in the same minutes. Only the second is free of what a machine drifts by between
/// two nights; its `pin` is the base's commit.
package struct HistoryPoint: Codable, Hashable, Sendable {
  package var run: String
  package var time: String
  package var commit: String
  package var machine: String
  /// Whether it is of a first impression, whose rounds are shorter.
  package var quick: Bool
  package var benchmark: String
  package var engine: String
  package var metric: String
  package var unit: String
  package var value: Double
  package var low: Double
  package var high: Double
  /// The commit of the build that the value is a multiple of; absent of a number of its own.
  package var pin: String?

  /// What may stand in one line of a chart: of one machine, one kind of round and one pinned build.
  package struct Key: Hashable, Sendable {
    package let benchmark, engine, metric, machine: String
    package let quick: Bool
    package let pin: String?
  }

  package var key: Key {
    Key(
      benchmark: benchmark, engine: engine, metric: metric, machine: machine, quick: quick, pin: pin
    )
  }

  /// Whether two points are of the same number of the same run.
  package func isSame(as other: HistoryPoint) -> Bool { run == other.run && key == other.key }
}

extension HistoryPoint {
  /// What a run leaves to histories: of each benchmark what it is about, and of an `ab` the ratios
  /// to its base.
  package static func of(_ run: Run) -> [HistoryPoint] {
    func point(
      _ benchmark: String, _ engine: String, _ metric: String, _ unit: String,
      _ values: (value: Double, low: Double, high: Double), pin: String? = nil
    ) -> HistoryPoint? {
      guard values.value.isFinite, values.low.isFinite, values.high.isFinite else { return nil }
      return HistoryPoint(
        run: run.id, time: run.started, commit: run.commit, machine: run.environment.machineID,
        quick: run.asked.quick, benchmark: benchmark, engine: engine, metric: metric, unit: unit,
        value: values.value, low: values.low, high: values.high, pin: pin)
    }
    let own = run.own.filter(\.valid).compactMap { finding -> HistoryPoint? in
      guard let head = finding.subjectValue else { return nil }
      return point(
        finding.benchmark, finding.engine, head.metric, Metric.named(head.metric).unit,
        (head.value, head.low, head.high))
    }
    guard let comparison = run.comparison, comparison.interleaved, !comparison.a.commit.isEmpty
    else { return own }
    let ratios = comparison.rows.filter {
      $0.verdict != .invalid && Metric.named($0.metric).kind == .timed && $0.a > 0 && $0.b > 0
        && $0.metric == Subjects.metric(of: BenchmarkName(parsing: $0.benchmark).family)
    }.compactMap { row in
      point(
        row.benchmark, row.engine, row.metric, "times as dear",
        (1 + row.change, 1 + row.low, 1 + row.high), pin: comparison.a.commit)
    }
    return own + ratios
  }
}

/// `history.ndjson`: lines that are only ever added, so that numbers outlive the directories of
/// their runs, and a process that is killed while it adds one loses that line alone.
package enum HistoryFile {
  package static let name = "history.ndjson"

  /// The lines that can be read, and how many cannot.
  package static func read(_ url: URL) throws -> (points: [HistoryPoint], broken: Int) {
    guard FileManager.default.fileExists(atPath: url.path) else { return ([], 0) }
    let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n"))
    let decoder = JSONDecoder()
    let points = lines.compactMap { try? decoder.decode(HistoryPoint.self, from: Data($0)) }
    return (points, lines.count - points.count)
  }

  /// Adds those that are not there yet; returns how many.
  @discardableResult
  package static func append(_ points: [HistoryPoint], to url: URL) throws -> Int {
    struct Place: Hashable {
      let run: String
      let key: HistoryPoint.Key
    }
    var known = Set(try read(url).points.map { Place(run: $0.run, key: $0.key) })
    let fresh = points.filter { known.insert(Place(run: $0.run, key: $0.key)).inserted }
    guard !fresh.isEmpty else { return 0 }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Data()
    // A line that was cut off by a kill is ended first: it stays broken, and alone.
    if let last = try? Data(contentsOf: url).last, last != UInt8(ascii: "\n") {
      bytes.append(UInt8(ascii: "\n"))
    }
    for point in fresh {
      bytes += try encoder.encode(point)
      bytes.append(UInt8(ascii: "\n"))
    }
    if !FileManager.default.fileExists(atPath: url.path) {
      try bytes.write(to: url)
      return fresh.count
    }
    let handle = try FileHandle(forWritingTo: url)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: bytes)
    return fresh.count
  }
}
