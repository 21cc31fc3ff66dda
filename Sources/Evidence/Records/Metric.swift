/// A quantity that a benchmark can have: its unit, which way is better, and how it may be judged.
///
/// Names are a public interface: histories match by them.
package struct Metric: Hashable, Sendable {
  /// Which change a reader is glad about.
  package enum Direction: String, Codable, Sendable {
    case lower, higher
  }

  /// How far two honest measurements of the same thing may differ.
  package enum Kind: String, Codable, Sendable {
    /// Varies with the machine's mood: judged by statistics only.
    case timed
    /// Varies a little: judged by the extremes of a few runs and a small tolerance.
    case counted
    /// Keeps a level, but for some pages and an odd round: judged by the middles of all rounds and
    /// a wide margin.
    case level
    /// Varies with what the allocator and the kernel keep and do: shown, never judged.
    case observed
    /// Never varies in a single-threaded pass of fixed seed: any difference is a change.
    case exact
  }

  package let name: String
  package let unit: String
  package let better: Direction
  package let kind: Kind
  /// One sentence for `list metrics`.
  package let sentence: String

  package init(
    _ name: String, _ unit: String, _ better: Direction, _ kind: Kind, _ sentence: String
  ) {
    self.name = name
    self.unit = unit
    self.better = better
    self.kind = kind
    self.sentence = sentence
  }

  /// +1 where smaller is better, -1 where larger is: a positive change is then always for the
  /// worse.
  package var polarity: Double { better == .lower ? 1 : -1 }

  /// Whether another measurement of the same thing may have said something else: of a single one
  /// nobody knows how far off it is. What is exact would have been the same to its last digit.
  package var isRestless: Bool { kind != .exact }
}

extension Metric {
  /// Every metric there is, in the order reports show them.
  package static let all: [Metric] = [
    Metric("time", "ns/op", .lower, .timed, "time of one operation: median of batch means"),
    Metric("rate", "op/s", .higher, .timed, "operations per second, over all workers"),
    Metric("p50", "ns", .lower, .timed, "half of the operations took no longer"),
    Metric("p90", "ns", .lower, .timed, "nine of ten operations took no longer"),
    Metric("p99", "ns", .lower, .timed, "99 of 100 operations took no longer"),
    Metric("p999", "ns", .lower, .timed, "999 of 1,000 operations took no longer; never gates"),
    Metric("max", "ns", .lower, .timed, "the longest operation; never gates"),
    Metric("flushes", "per op", .lower, .exact, "times the disk was asked to make data durable"),
    Metric(
      "flushing", "ns", .lower, .observed,
      "mean of what one such request took, in the pass that counts them"),
    Metric("writes", "per op", .lower, .exact, "write calls to the file"),
    Metric("bytes", "B/op", .lower, .exact, "bytes written to the file"),
    Metric(
      "amplification", "times", .lower, .observed,
      "bytes written for each byte of the values that an operation changes"),
    Metric("read", "B/op", .lower, .observed, "bytes read from files by calls, cached or not"),
    Metric(
      "fetched", "B/op", .lower, .observed, "bytes that a disk had to give, whole pages"),
    Metric(
      "stored", "B/op", .lower, .observed, "bytes handed to a disk, whole pages, the mapped too"),
    Metric("syscalls", "per op", .lower, .counted, "system calls that read or write"),
    Metric("switches", "per op", .lower, .observed, "context switches, voluntary and not"),
    Metric(
      "preempted", "per op", .lower, .observed,
      "context switches that nobody asked for: the processor went to somebody else"),
    Metric("faults", "per op", .lower, .observed, "page faults that needed no disk"),
    Metric("pageins", "per op", .lower, .observed, "page faults that waited for a disk"),
    Metric("allocations", "per op", .lower, .counted, "calls of the allocator, all threads"),
    Metric("allocated", "B/op", .lower, .counted, "bytes asked of the allocator, all threads"),
    Metric("instructions", "per op", .lower, .counted, "instructions executed in user space"),
    Metric(
      "growth", "B", .lower, .exact, "how much the file grew, per commit or in all as the name says"
    ),
    Metric("ratio", "times", .lower, .exact, "size as a multiple of the undisturbed size"),
    Metric("size", "B", .lower, .exact, "size of the file at the end"),
    Metric(
      "kept", "share", .higher, .timed,
      "rate under the load of the name, as a share of the rate without it"),
    Metric(
      "beside", "op/s", .higher, .observed,
      "operations per second of whoever works beside it meanwhile: the load of the name"),
    Metric("stall", "ns", .lower, .timed, "longest time the main loop could not run"),
    Metric("dropped60", "frames", .lower, .timed, "frames of a 60 Hz display that came late"),
    Metric("dropped120", "frames", .lower, .timed, "frames of a 120 Hz display that came late"),
    Metric("fairness", "share", .higher, .timed, "least served worker over best served one"),
    Metric("cpu", "ns/op", .lower, .timed, "processor time of one operation, all threads"),
    Metric(
      "memory", "B", .lower, .level,
      "largest resident memory of the measuring process beyond an empty one, its data set and "
        + "mapped file included; a quarter more is worse"
    ),
    Metric("late", "share", .lower, .timed, "arrivals the load generator itself sent late"),
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The metric of that name; an unknown one, of a newer version perhaps, is shown and never
  /// judged.
  package static func named(_ name: String) -> Metric {
    byName[name] ?? Metric(name, "", .lower, .timed, "unknown to this version")
  }

  package static func rank(_ name: String) -> Int {
    all.firstIndex { $0.name == name } ?? all.count
  }
}
