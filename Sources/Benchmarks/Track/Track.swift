import Evidence
import Foundation
import Harness

/// The lane one child runs in: its parameters, its directory, its stopwatch, and the sheet its
/// results go on.
///
/// 1. Set-up, checks and tear-down are never timed: only what is handed to `time`, `latencies` and
///    `concurrently` is.
/// 2. A benchmark that never checked its answer, or whose answer was wrong, has no numbers.
/// 3. In the counting pass nothing is timed, in the timing pass nothing but instructions is
///    counted.
package final class Track {
  package enum Pass: String, Sendable {
    case time, count
  }

  package let name: BenchmarkName
  package let engine: String
  package let seed: UInt64
  package let pass: Pass
  /// How long one measurement should take.
  package let seconds: Double
  /// An empty directory of its own.
  package let directory: URL
  /// Where prepared data sets are kept between children.
  package let shelf: URL
  /// Which part of the benchmark this process plays; nil for the one that measures.
  package let part: String?
  let handicap: Handicap?
  private let seat: Seat?
  private lazy var processors = Processors()
  private var turns = 0
  /// How many turns the other side of the duel answered with one of its own.
  private var answered = 0
  /// Whether the other side has ended: who leaves a turn unanswered answers none after it.
  private var isAlone: Bool { answered < turns }
  package internal(set) var report = RoundReport()
  /// How many bytes of values one operation writes, where a workload knows.
  package var payload: Int?
  let counters = Counters()
  lazy var clockCost = Stopwatch.calibrate().cost

  package init(
    name: BenchmarkName, engine: String, seed: UInt64, pass: Pass, seconds: Double, directory: URL,
    shelf: URL, part: String? = nil, handicap: Handicap? = nil, seat: Seat? = nil
  ) {
    self.name = name
    self.engine = engine
    self.seed = seed
    self.pass = pass
    self.seconds = seconds
    self.directory = directory
    self.shelf = shelf
    self.part = part
    self.handicap = handicap
    self.seat = seat
  }

  /// Whether there is another side that works while this one waits.
  var isInTurns: Bool { seat != nil }

  /// Lets the other side of a duel have its turn. Called between two stretches of a measurement;
  /// returns how long it took, which is nobody's time. Every tenth turn both go to another
  /// processor, so that none has the slower one to itself.
  func giveWay() -> UInt64 {
    guard let seat else { return 0 }
    let start = Stopwatch.now
    if seat.giveWay() { answered += 1 }
    turns += 1
    processors.move(to: turns / 10)
    return Stopwatch.now - start
  }

  /// Whether a measurement of so many turns may end: the other side of the duel has ended its own,
  /// and what is measured without it is put against nothing.
  func isDeserted(after turns: Int) -> Bool { isAlone && turns >= Track.fewestTurns }

  /// So many turns are a measurement.
  static let fewestTurns = 20

  // MARK: Parameters

  package func integer(_ parameter: String) throws -> Int {
    guard let text = name.parameters[parameter], let value = Int(text) else {
      throw BenchmarkError("\(name) wants a whole number for \(parameter)")
    }
    return value
  }

  package func word(_ parameter: String) throws -> String {
    guard let text = name.parameters[parameter] else {
      throw BenchmarkError("\(name) wants a value for \(parameter)")
    }
    return text
  }

  package func generator(_ purpose: String = "") -> SeededGenerator {
    SeededGenerator(seed: derivedSeed(seed, purpose))
  }

  // MARK: The sheet

  /// Records a value, and in a duel what every turn came to: the turns of two sides that lay next
  /// to each other are what is put against each other.
  package func record(_ metric: String, _ value: Double, turns: [Double]? = nil, count: Int = 1) {
    guard value.isFinite else {
      fail("\(metric) came out as no number")
      return
    }
    report.values.append(
      .init(metric: metric, value: value, count: count, turns: isInTurns ? turns : nil))
  }

  /// The same of turns by their median.
  ///
  /// Turns that the other side has left unanswered are not in the median: who goes on alone has the
  /// machine for itself, and would be the faster one for it.
  func record(_ metric: String, turns: [Double], count: Int) {
    let isEnough = isInTurns && answered >= Track.fewestTurns
    let shared = isEnough ? Array(turns.prefix(answered)) : turns
    record(metric, Quantiles.median(shared), turns: shared, count: count)
  }

  package func flag(_ flag: String) {
    if !report.flags.contains(flag) { report.flags.append(flag) }
  }

  /// States that an answer was right; the first wrong one ends the benchmark's claim to a number.
  package func check(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
    report.checks += 1
    if !isRight { fail(sentence()) }
  }

  private func fail(_ sentence: String) {
    if report.failure == nil { report.failure = sentence }
  }

  package func record(_ histogram: Histogram) {
    guard histogram.total > 0 else { return }
    for (metric, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999)]
    where histogram.total >= Histogram.needed(for: share) || share <= 0.9 {
      record(metric, Double(histogram.quantile(share)), count: histogram.total)
    }
    record("max", Double(histogram.largest), count: histogram.total)
    report.histogram = histogram.encoded
    if Double(histogram.quantile(0.5)) < 20 * clockCost { flag("clock-bound") }
  }
}

/// Keeps the optimiser from finding that nobody needs a result.
@inline(never)
@_optimize(none)
package func sink(_ value: UInt64) -> UInt64 { value }
