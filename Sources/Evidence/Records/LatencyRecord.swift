/// The distribution of latencies one child saw: the row of `latencies.csv`.
///
/// Kept whole, because percentiles cannot be averaged: reports merge the histograms of all rounds.
package struct LatencyRecord: Hashable, Sendable {
  package var benchmark: String
  package var engine: String
  package var side: String
  package var round: Int
  /// HdrHistogram V2, compressed, base64.
  package var histogram: String

  package init(benchmark: String, engine: String, side: String, round: Int, histogram: String) {
    self.benchmark = benchmark
    self.engine = engine
    self.side = side
    self.round = round
    self.histogram = histogram
  }

  package static let columns = ["benchmark", "engine", "side", "round", "histogram"]

  package var fields: [String] { [benchmark, engine, side, String(round), histogram] }
}
