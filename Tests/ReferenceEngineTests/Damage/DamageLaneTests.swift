import Foundation
import Testing

@testable import ReferenceEngine

@Suite struct DamageLaneTests {
  /// `DAMAGED_FILES` says how many, `SEED` with which seed, and `FIRST_FILE` from which on.
  @Test func `COMMIT-19: no damage ends in a signal, a hang, or wrong data where all is checked`()
    async throws
  {
    let report: String = FileManager.default.temporaryDirectory.path + "/damage-report-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: report) }
    await #expect(processExitsWith: .success) { [report = report as String] in
      let seed = Wish.seed(orElse: 19)
      let count = Wish.number("DAMAGED_FILES", orElse: 600)
      let lane = try DamageLane(
        seed: seed, first: Wish.number("FIRST_FILE", orElse: 0), count: count)
      let faults = try lane.run()
      let lines =
        ["damaged files: \(count), seed \(seed), faults: \(lane.faults)", lane.table] + faults
      try lines.joined(separator: "\n").write(toFile: report, atomically: true, encoding: .utf8)
      exit(lane.faults == 0 ? 0 : 1)
    }
    print(try String(contentsOfFile: report, encoding: .utf8))
  }
}
