/// One number as it was measured: the row of `samples.csv`, and the only truth a run keeps.
///
/// Everything else in a run directory is computed from rows like this one, so a run that was killed
/// loses no more than the round it was in.
package struct Sample: Hashable, Sendable {
  package var utc: String
  /// Full name, `BenchmarkName` spelling.
  package var benchmark: String
  package var engine: String
  /// `A` or `B` where two builds are compared, else empty.
  package var side: String
  package var round: Int
  /// The place of this child in the order of the round, from 0.
  package var position: Int
  /// A metric's name, or `check`: 1 when the answer was right, 0 and a note when not.
  package var metric: String
  package var value: Double
  /// How many operations (or batches) stand behind the value.
  package var count: Int
  /// Remarks such as `not-steady`, joined by spaces.
  package var flags: String
  package var note: String
  package var seed: UInt64

  package init(
    utc: String, benchmark: String, engine: String, side: String = "", round: Int,
    position: Int = 0,
    metric: String, value: Double, count: Int, flags: String = "", note: String = "", seed: UInt64
  ) {
    self.utc = utc
    self.benchmark = benchmark
    self.engine = engine
    self.side = side
    self.round = round
    self.position = position
    self.metric = metric
    self.value = value
    self.count = count
    self.flags = flags
    self.note = note
    self.seed = seed
  }

  package static let columns = [
    "utc", "benchmark", "engine", "side", "round", "position", "metric", "value", "count", "flags",
    "note", "seed",
  ]

  package var fields: [String] {
    [
      utc, benchmark, engine, side, String(round), String(position), metric, CSV.number(value),
      String(count), flags, note, String(seed),
    ]
  }

  /// Reads a row by the names of its columns, so that added ones do no harm.
  package init?(_ row: [String], columns: [String: Int]) {
    func text(_ name: String) -> String {
      guard let at = columns[name], at < row.count else { return "" }
      return row[at]
    }
    guard row.count >= columns.count, let value = Double(text("value")), value.isFinite,
      let round = Int(text("round"))
    else { return nil }
    self.init(
      utc: text("utc"), benchmark: text("benchmark"), engine: text("engine"), side: text("side"),
      round: round, position: Int(text("position")) ?? 0, metric: text("metric"), value: value,
      count: Int(text("count")) ?? 0, flags: text("flags"), note: text("note"),
      seed: UInt64(text("seed")) ?? 0)
  }
}
