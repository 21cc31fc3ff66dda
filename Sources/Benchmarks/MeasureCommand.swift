import EngineUnderTest
import Evidence
import Foundation
import Harness

/// What the hidden verb `measure` does: one round of one case in this process.
package enum MeasureCommand {
  /// Runs the case and returns its report; a wrong answer or an error is in the report, never
  /// thrown.
  package static func run(
    benchmark full: String, engine: String, seed: UInt64, pass: Track.Pass, seconds: Double,
    workdir: URL, part: String? = nil, handicap: Handicap? = nil,
    seat: Seat? = nil, catalogue: [Benchmark] = Catalogue.all
  ) -> RoundReport {
    let name = BenchmarkName(parsing: full)
    guard let benchmark = catalogue.first(where: { $0.name == name.family }) else {
      return failed("unknown benchmark '\(name.family)'")
    }
    guard benchmark.engines.contains(engine) else {
      return failed(
        "\(name.family) knows no engine '\(engine)', "
          + "only \(benchmark.engines.joined(separator: ", "))"
      )
    }
    if let part {
      // A companion works where the measuring process has its files.
      let track = Track(
        name: name, engine: engine, seed: seed, pass: pass, seconds: seconds, directory: workdir,
        shelf: workdir, part: part, handicap: handicap)
      do { try benchmark.measure(track) } catch { return failed(sentence(error)) }
      return track.report
    }
    let empty = Machine.residentBytes
    do {
      let scratch = try Scratch("round", in: workdir)
      let shelf = workdir.appendingPathComponent("shelf")
      try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
      let track = Track(
        name: name, engine: engine, seed: seed, pass: pass, seconds: seconds,
        directory: scratch.url, shelf: shelf, handicap: handicap, seat: seat)
      do {
        try benchmark.measure(track)
      } catch {
        // Asked while what filled it is still there.
        return withExtendedLifetime(scratch) {
          failed(WorkDisk.explained(sentence(error), at: workdir))
        }
      }
      if pass == .time, track.report.failure == nil, let peak = Machine.peakResidentBytes, let empty
      {
        track.record("memory", max(0, peak - empty))
      }
      if Engine.isBehindFacade, engine == Engine.name, benchmark.isMostlyAccess {
        track.flag("façade")
      }
      return withExtendedLifetime(scratch) { track.report }
    } catch {
      return failed(WorkDisk.explained(sentence(error), at: workdir))
    }
  }

  /// What an error says: of Foundation's, the system's words and not the name of a domain.
  static func sentence(_ error: any Error) -> String {
    let said = "\(error)"
    return said.contains("Error Domain=") || error is CocoaError ? explanation(error) : said
  }

  private static func failed(_ sentence: String) -> RoundReport {
    var report = RoundReport()
    report.failure = sentence
    return report
  }
}
