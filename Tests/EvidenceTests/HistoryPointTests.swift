import Foundation
import Testing

@testable import Evidence

/// Histories were drawn from directories, and gone with them.
struct HistoryPointTests {
  private func point(_ run: String, _ value: Double, pin: String? = nil) -> HistoryPoint {
    HistoryPoint(
      run: run, time: "2026-01-01T00:00:00Z", commit: "c", machine: "m", quick: false,
      benchmark: "reads.a", engine: "reference", metric: "time", unit: "ns/op", value: value,
      low: value, high: value, pin: pin)
  }

  private func inFile(_ work: (URL) throws -> Void) throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("history-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: place) }
    try work(place)
  }

  @Test func `lines are added once and never changed`() throws {
    try inFile { file in
      #expect(try HistoryFile.append([point("a", 1), point("a", 1)], to: file) == 1)
      #expect(try HistoryFile.append([point("a", 5), point("a", 2, pin: "p")], to: file) == 1)
      #expect(try HistoryFile.append([], to: file) == 0)
      let found = try HistoryFile.read(file)
      #expect(found.points.map(\.value) == [1, 2] && found.broken == 0)
    }
  }

  @Test func `a line that was cut off stays alone`() throws {
    try inFile { file in
      try HistoryFile.append([point("a", 1)], to: file)
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("{\"run\":\"b".utf8))
      try handle.close()
      try HistoryFile.append([point("c", 3)], to: file)
      let found = try HistoryFile.read(file)
      #expect(found.points.map(\.run) == ["a", "c"] && found.broken == 1)
    }
  }

  private func duel(_ a: String, change: Double) -> Run {
    var run = Run()
    (run.id, run.started, run.asked.verb) = ("d", "2026-01-01T00:00:00Z", "ab")
    run.environment.machineID = "m"
    let side = Comparison.Side(name: "A", commit: a, subject: "", source: "")
    var other = side
    other.commit = "candidate"
    let row = Comparison.Row(
      benchmark: "reads.a", engine: "reference", metric: "time", verdict: .regressed, a: 100,
      b: 100 * (1 + change), change: change, low: change - 0.01, high: change + 0.01, p: nil,
      tau: 0.05, noiseFloor: 0, rounds: 24, note: "", pairsA: [], pairsB: [])
    var wrong = row
    (wrong.benchmark, wrong.verdict) = ("reads.b", .invalid)
    run.comparison = Comparison(
      a: side, b: other, interleaved: true, trusted: true, reasons: [], control: nil, q: 0.02,
      rows: [row, wrong])
    return run
  }

  @Test func `of an ab the ratio to its base is kept, by the base's commit`() {
    let found = HistoryPoint.of(duel("pinned", change: 0.25))
    #expect(found.map(\.pin) == ["pinned"] && found.map(\.value) == [1.25])
    #expect(found[0].low < 1.25 && found[0].high > 1.25)
    // Nobody knows what it is a multiple of.
    #expect(HistoryPoint.of(duel("", change: 0.25)).isEmpty)
    #expect(HistoryPoint.of(duel("pinned", change: .nan)).isEmpty)
  }

  @Test func `machines, pins and lengths of rounds are lines of their own`() {
    var others = [point("a", 1, pin: "p"), point("a", 1), point("a", 1)]
    others[1].machine = "n"
    others[2].quick = true
    #expect(Set((others + [point("a", 1)]).map(\.key)).count == 4)
  }
}
