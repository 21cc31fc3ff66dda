import CShims
import Foundation

/// What the kernel counts for this process: instructions, system calls, bytes, switches, faults.
///
/// A count that cannot be had is nil, never 0.
package final class Counters {
  package struct Reading: Sendable {
    package var instructions: Double?
    /// read- and write-like system calls.
    package var ioCalls: Double?
    package var writeCalls: Double?
    package var writtenBytes: Double?
    /// Asked of files, cached or not, without what this reading itself asked.
    package var readBytes: Double?
    /// What the disk had to give, and what it was handed: whole pages.
    package var fetchedBytes: Double?
    package var storedBytes: Double?
    /// How much this reading itself reads; the next one sees it.
    package var ownBytes = 0.0
    package var switches: Double
    /// Those of them that nobody asked for: somebody else got the processor.
    package var preemptions: Double
    package var minorFaults: Double
    package var majorFaults: Double
  }

  private let perf: Int32

  package init() { perf = rb_perf_open_instructions() }

  deinit { if perf >= 0 { close(perf) } }

  package var countsInstructions: Bool { perf >= 0 && rb_perf_read(perf) > 0 }

  /// Instructions alone: cheap enough for the edges of a timed region.
  package var instructions: Double? {
    guard perf >= 0 else { return nil }
    let value = rb_perf_read(perf)
    return value > 0 ? Double(value) : nil
  }

  package func read() -> Reading {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let (io, own) = Counters.processIO()
    return Reading(
      instructions: instructions,
      ioCalls: io["syscr"].flatMap { reads in io["syscw"].map { reads + $0 } },
      writeCalls: io["syscw"], writtenBytes: io["wchar"], readBytes: io["rchar"],
      fetchedBytes: io["read_bytes"], storedBytes: io["write_bytes"], ownBytes: own,
      switches: Double(usage.ru_nvcsw + usage.ru_nivcsw), preemptions: Double(usage.ru_nivcsw),
      minorFaults: Double(usage.ru_minflt), majorFaults: Double(usage.ru_majflt))
  }

  /// `/proc/self/io`; reading it counts as one read itself, the same at both ends.
  private static func processIO() -> (values: [String: Double], bytes: Double) {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
      return ([:], 0)
    }
    var found: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":")
      if parts.count == 2, let value = Double(parts[1].trimmingCharacters(in: .whitespaces)) {
        found[String(parts[0])] = value
      }
    }
    return (found, Double(text.utf8.count))
  }
}
