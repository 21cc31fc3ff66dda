import Evidence
import Harness

/// Operations timed one by one, and the some forty stretches in which they came.
///
/// What a measurement of single operations says is the median of its stretches' means, as a
/// measurement of batches says the median of theirs: a mean of everything tells what interrupted
/// it. Between two stretches the other side of a duel has its turn; where that has ended, so does
/// this.
struct Stretches {
  let histogram = Histogram()
  private let track: Track
  private let length: UInt64
  private var end: UInt64
  private var stretchEnd: UInt64
  private var sum: UInt64 = 0
  private var count = 0
  /// How many there have been.
  private var turns = 0
  private var means: [Double] = []

  init(_ track: Track) {
    self.track = track
    length = UInt64(track.seconds * 1e9 / 40)
    _ = track.giveWay()
    let now = Stopwatch.now
    end = now + 40 * length
    stretchEnd = now + length
  }

  mutating func record(_ duration: UInt64) {
    histogram.record(duration)
    sum += duration
    count += 1
  }

  /// Whether there is time for another operation, or too few were recorded yet.
  ///
  /// - Parameter least: So many there must be, however long they take; each is a stretch then, and
  ///   the other side has its turn behind it.
  mutating func goOn(until least: Int = 0) -> Bool {
    guard Stopwatch.now >= stretchEnd else { return true }
    if count > 0 { means.append(Double(sum) / Double(count)) }
    (sum, count) = (0, 0)
    turns += 1
    let isOver = Stopwatch.now >= end || track.isDeserted(after: turns)
    if isOver, histogram.total >= least { return false }
    end += track.giveWay()
    stretchEnd = Stopwatch.now + length
    return true
  }

  /// What the operations took, stretch by stretch.
  var times: [Double] { means.isEmpty ? [histogram.mean] : means }
}
