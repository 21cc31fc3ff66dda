import CFlushes
import Evidence
import Foundation
import Harness

/// Adds up what stretches of work ask of the allocator, the kernel and the disk.
///
/// Two readings enclose each stretch; what a reading itself costs is known and taken off. Never
/// used where time is taken.
final class Meter {
  private let counters: Counters
  private let allocations = Allocations()
  private var flushes = 0.0
  private var flushing = 0.0
  /// Bytes as the C library saw them, beside those of the kernel's account.
  private var seenBytes = 0.0
  private var made: (count: Double, bytes: Double) = (0, 0)
  private var ioCalls: Double? = 0
  private var writeCalls: Double? = 0
  private var writtenBytes: Double? = 0
  private var readBytes: Double? = 0
  private var fetchedBytes: Double? = 0
  private var storedBytes: Double? = 0
  private var switches = 0.0
  private var preemptions = 0.0
  private var faults = 0.0
  private var diskFaults = 0.0

  init(_ counters: Counters) { self.counters = counters }

  func during<Result>(_ work: () throws -> Result) rethrows -> Result {
    let (flushesBefore, flushingBefore) = (rb_flushes(), rb_flushing())
    let seenBefore = rb_written()
    let before = counters.read()
    let allocatedBefore = allocations?.reading()
    let result = try work()
    let allocatedAfter = allocations?.reading()
    let after = counters.read()
    flushes += Double(rb_flushes() - flushesBefore)
    flushing += Double(rb_flushing() - flushingBefore)
    seenBytes += Double(rb_written() - seenBefore)
    if let allocations, let from = allocatedBefore, let to = allocatedAfter {
      let one = allocations.difference(from, to)
      made = (made.count + one.count, made.bytes + one.bytes)
    }
    // Reading /proc/self/io is one read itself: the second reading sees the first.
    ioCalls = Meter.sum(ioCalls, before.ioCalls, after.ioCalls).map { $0 - 1 }
    writeCalls = Meter.sum(writeCalls, before.writeCalls, after.writeCalls)
    writtenBytes = Meter.sum(writtenBytes, before.writtenBytes, after.writtenBytes)
    readBytes = Meter.sum(readBytes, before.readBytes, after.readBytes).map {
      $0 - before.ownBytes
    }
    fetchedBytes = Meter.sum(fetchedBytes, before.fetchedBytes, after.fetchedBytes)
    storedBytes = Meter.sum(storedBytes, before.storedBytes, after.storedBytes)
    switches += after.switches - before.switches
    preemptions += after.preemptions - before.preemptions
    faults += after.minorFaults - before.minorFaults
    diskFaults += after.majorFaults - before.majorFaults
    return result
  }

  private static func sum(_ sum: Double?, _ from: Double?, _ to: Double?) -> Double? {
    guard let sum, let from, let to else { return nil }
    return sum + to - from
  }

  /// Whether the kernel and the C library agree on what was written: within a percent and a line of
  /// text.
  var agrees: Bool {
    guard let writtenBytes else { return true }
    return abs(writtenBytes - seenBytes) <= max(256, writtenBytes * 0.01)
  }

  /// What was counted, per operation; what cannot be had is left out, never 0.
  /// `payload` is how many bytes of values an operation writes, where that is known: what is
  /// written beyond that is the engine's.
  func values(per operations: Int, payload: Int? = nil) -> [RoundReport.Value] {
    let operations = max(1, operations)
    var found: [(String, Double?)] = [("flushes", flushes)]
    if allocations != nil { found += [("allocations", made.count), ("allocated", made.bytes)] }
    found += [
      ("syscalls", ioCalls.map { max(0, $0) }), ("writes", writeCalls), ("bytes", writtenBytes),
      ("read", readBytes.map { max(0, $0) }), ("fetched", fetchedBytes), ("stored", storedBytes),
      ("switches", switches), ("preempted", preemptions), ("faults", faults),
      ("pageins", diskFaults),
    ]
    if let payload, payload > 0 {
      found.append(("amplification", writtenBytes.map { $0 / Double(payload) }))
    }
    var values = found.compactMap { metric, value in
      value.map {
        RoundReport.Value(
          metric: metric, value: Meter.tidy($0 / Double(operations)), count: operations)
      }
    }
    if flushes > 0 {
      values.append(
        .init(metric: "flushing", value: (flushing / flushes).rounded(), count: Int(flushes)))
    }
    return values
  }

  /// Three decimals: what one reading too many would add to a count disappears.
  private static func tidy(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension Track {
  /// The counting pass: a warm-up, then a fixed number of operations between two readings.
  func count(per: Int, batch fixed: Int?, _ body: (Int) throws -> UInt64) throws {
    let batch = fixed ?? 100
    _ = try timed(batch, body)
    let took = try timed(batch, body)
    // Counts do not vary with length: a tenth of a second is plenty, and slow operations get few.
    // A first impression, whose rounds are short, has less time for them.
    let length = min(0.1, max(0.02, seconds)) * 1e9
    let repeats = max(1, min(20, Int(length / max(took, 1))))
    var sum: UInt64 = 0
    let meter = Meter(counters)
    try meter.during {
      for _ in 0..<repeats {
        sum &+= try carrying(batch * per) { try body(batch) }
      }
    }
    report.checksum = sink(report.checksum &+ sum)
    record(meter, per: batch * repeats * per)
  }

  private func carrying(_ operations: Int, _ body: () throws -> UInt64) rethrows -> UInt64 {
    defer { handicap?.carry(operations) }
    return try body()
  }

  private func record(_ meter: Meter, per operations: Int) {
    report.values += meter.values(per: operations, payload: payload)
    if !meter.agrees { flag("bytes-disagree") }
  }

  /// The same for operations with a preparation and a look of their own, which are not counted.
  func countEach(
    _ prepare: () throws -> Void, _ body: () throws -> UInt64, _ after: () throws -> Void
  ) throws {
    let meter = Meter(counters)
    let operations = 20
    for turn in -2..<operations {
      try prepare()
      let result = try turn < 0 ? body() : meter.during { try carrying(1, body) }
      report.checksum = sink(report.checksum &+ result)
      try after()
    }
    record(meter, per: operations)
  }

  /// The same for fixed work that is done once.
  func countOnce(_ operations: Int, _ body: () throws -> UInt64) throws {
    let meter = Meter(counters)
    report.checksum = sink(report.checksum &+ (try meter.during { try carrying(operations, body) }))
    record(meter, per: operations)
  }
}
