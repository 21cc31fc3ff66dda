import Foundation
import Testing

@testable import Evidence

struct RecordTests {
  private func scratch() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("evidence-\(UUID().uuidString)")
  }

  private func sample(_ round: Int, _ metric: String, _ value: Double, note: String = "") -> Sample
  {
    Sample(
      utc: "2026-01-02T03:04:05Z", benchmark: "reads.x/rows=10", engine: "reference", round: round,
      metric: metric, value: value, count: 100, note: note, seed: 5)
  }

  /// `report --out` on a full disk said that the folder "is not writable".
  @Test func `a folder that a full disk does not hold is not called unwritable`() {
    let folder = URL(fileURLWithPath: "/tmp")
    #expect(
      OutputFile.refusal(ofFolder: folder, after: POSIXError(.ENOSPC))
        == "/tmp cannot be made, the disk is full; make room, or name another folder")
    #expect(
      OutputFile.refusal(ofFolder: folder, after: POSIXError(.EACCES))
        == "/tmp is not writable; name another folder")
  }

  @Test func `fields with commas, quotes and line ends survive a round trip`() {
    let fields = ["plain", "a,b", "say \"x\"", "two\nlines", "", "ünï", "-3.5"]
    #expect(CSV.rows(of: CSV.row(fields)) == [fields])
    #expect(CSV.rows(of: "a,b\r\nc,d\r\n") == [["a", "b"], ["c", "d"]])
  }

  @Test func `a formula becomes text and a negative number stays one`() {
    #expect(CSV.field("=1+1") == "'=1+1")
    #expect(CSV.field("@cmd") == "'@cmd")
    #expect(CSV.field("-12") == "-12")
  }

  @Test func `what is not a number is an empty field`() {
    #expect(CSV.number(.nan) == "" && CSV.number(.infinity) == "" && CSV.number(nil) == "")
    #expect(CSV.number(3) == "3" && CSV.number(0.1) == "0.1")
  }

  @Test func `a torn last row is left out`() {
    #expect(CSV.rows(of: "a,b\n1,2\n3,") == [["a", "b"], ["1", "2"]])
  }

  @Test func `parameters stand in alphabetical order and read back`() {
    let name = BenchmarkName("reads.by-primary-key", ["threads": "2", "rows": "1000000"])
    #expect(name.description == "reads.by-primary-key/rows=1000000/threads=2")
    #expect(BenchmarkName(parsing: name.description) == name)
    #expect(BenchmarkName(parsing: "floor.null").parameters.isEmpty)
    #expect(name.chapter == "reads")
  }

  @Test func `patterns select by family or full name, and exclusions win`() {
    func selects(_ patterns: [String], _ name: String) -> Bool {
      Glob.select(patterns.map(Glob.init), BenchmarkName(parsing: name).family, name)
    }
    #expect(selects([], "reads.x"))
    #expect(selects(["reads.*"], "reads.x/rows=1"))
    #expect(!selects(["reads.*", "!*rows=1"], "reads.x/rows=1"))
    #expect(selects(["!writes.*"], "reads.x"))
    #expect(!selects(["writes.?"], "writes.xy"))
    #expect(Glob("a*b*c").matches("aXXbYYbc") && !Glob("a*b*c").matches("aXXbYY"))
  }

  @Test func `instants are written in UTC and read back`() {
    #expect(Timestamp.utc(Date(timeIntervalSince1970: 1_700_000_000)) == "2023-11-14T22:13:20Z")
    #expect(Timestamp.seconds("2023-11-14T22:13:20Z") == 1_700_000_000)
    #expect(Timestamp.seconds("no date") == nil)
    #expect(Timestamp.compact("2023-11-14T22:13:20Z") == "20231114T221320Z")
  }

  @Test func `findings come from samples, and a wrong answer has no speed`() {
    var rows: [Sample] = []
    for round in 0..<6 {
      rows.append(sample(round, "time", Double(100 + round)))
      rows.append(sample(round, "check", 1))
    }
    let right = Summary.results(rows)[0]
    #expect(right.valid && right.rounds == 6)
    #expect(right["time"]?.value == 102.5)
    #expect(right["time"]?.samples == 600)
    rows.append(sample(6, "check", 0, note: "sum was 3, expected 4"))
    let wrong = Summary.results(rows)[0]
    #expect(!wrong.valid && wrong.values.isEmpty && wrong.reason == "sum was 3, expected 4")
    #expect(!Summary.results([sample(0, "time", 1)])[0].valid)
  }

  @Test func `percentiles are those of the merged distribution`() {
    let (fast, slow) = (Histogram(), Histogram())
    for _ in 0..<990 { fast.record(10) }
    for _ in 0..<10 { slow.record(1000) }
    let rows = [0, 1].flatMap { [sample($0, "p50", 10), sample($0, "check", 1)] }
    let records = [fast, slow].enumerated().map {
      LatencyRecord(
        benchmark: "reads.x/rows=10", engine: "reference", side: "", round: $0,
        histogram: $1.encoded)
    }
    #expect(Summary.results(rows, latencies: records)[0]["p50"]?.value == 10)
  }

  @Test func `a run that was killed reads as interrupted, with what it had measured`() throws {
    let url = scratch()
    defer { try? FileManager.default.removeItem(at: url) }
    var run = Run()
    run.id = "x"
    let directory = try RunDirectory.create(at: url, run: run)
    try directory.append([sample(0, "time", 7), sample(0, "check", 1)], [])
    let file = url.appendingPathComponent("samples.csv")
    let torn = try String(contentsOf: file, encoding: .utf8) + "2026-01-02T03"
    try torn.write(to: file, atomically: true, encoding: .utf8)
    let loaded = try RunDirectory.load(url.path)
    #expect(loaded.state == .interrupted)
    #expect(loaded.results.count == 1)
    #expect(loaded.results[0]["time"]?.value == 7)
  }

  @Test func `a directory that holds a run is not written over`() throws {
    let url = scratch()
    defer { try? FileManager.default.removeItem(at: url) }
    _ = try RunDirectory.create(at: url, run: Run())
    #expect(throws: RecordError.self) { try RunDirectory.create(at: url, run: Run()) }
  }

  @Test(arguments: [
    ("-5", "holds -5 in line 3, expected no less than 0"),
    ("abc", "holds abc in line 3, expected a finite number"),
    ("inf", "holds inf in line 3, expected a finite number"), ("7", nil),
  ])
  func `samples are numbers, and nothing takes less than no time`(
    value: String, words: String?
  ) throws {
    let url = scratch()
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let row = "now,reads.sum/rows=1,reference,,0,0,time,"
    // The last line ends where the run was killed.
    let lines = [
      Sample.columns.joined(separator: ","), row + "6,1,,,1", row + value + ",1,,,1", row + "8",
    ]
    try lines.joined(separator: "\n").write(
      to: url.appendingPathComponent("samples.csv"), atomically: true, encoding: .utf8)
    guard let words else {
      #expect(try RunDirectory.samples(in: url).map(\.value) == [6, 7])
      return
    }
    let error = #expect(throws: RecordError.self) { try RunDirectory.samples(in: url) }
    #expect(error?.description.contains(words) == true)
  }

  @Test(arguments: [
    ("", "is empty"), ("{\"schema\":1,", "no whole JSON"), ("{}", "another tool"),
    ("{\"schema\":2,\"tool\":\"realm-bench\"}", "use a newer build"),
    ("{\"schema\":1,\"tool\":\"otava\"}", "otava"),
    ("{\"schema\":1,\"tool\":\"realm-bench\",\"results\":3}", "results is not what it should be"),
    // It was told that an object was expected.
    (
      "{\"schema\":1,\"tool\":\"realm-bench\",\n\"environment\":{\"cpu\":\"NaN\",\"load\":1e999}}",
      "run.json holds 1e999 at environment.load in line 2, expected a finite number"
    ),
    (
      "{\"schema\":1,\"tool\":\"realm-bench\",\"control\":{\"rows\":[{\"first\":[1,2]},"
        + "{\"a\\\"\":{},\"first\":[7,-1e400]}]}}",
      "holds -1e400 at control.rows[1].first[1] in line 1, expected a finite number"
    ),
    ("{\"schema\":1e999,\"tool\":\"realm-bench\"}", "holds 1e999 at schema in line 1"),
  ])
  func `a damaged record is refused in one sentence`(text: String, words: String) {
    let error = #expect(throws: RecordError.self) {
      try RunDirectory.decode(Data(text.utf8), path: "run.json")
    }
    #expect(error?.description.contains(words) == true)
    #expect(error?.outcome == .unreadable)
  }

  /// One of 1e308 came as far as a comparison, which could not be stored.
  @Test(arguments: [
    ("1e308", "control.rows[1].last[2] is 1e+308"), ("1e-320", "control.rows[1].last[2] is 1e-320"),
    ("-1", "control.rows[1].last[2] is -1.0"),
  ])
  func `what nobody can have measured is refused by its place`(number: String, words: String) {
    let row = "\"benchmark\":\"a\",\"engine\":\"x\",\"metric\":\"time\",\"first\":[1,0,1]"
    let text =
      "{\"schema\":1,\"tool\":\"realm-bench\",\"control\":{\"rows\":["
      + "{\(row),\"last\":[1,1]},{\(row),\"last\":[1,0,\(number)]}]}}"
    let error = #expect(throws: RecordError.self) {
      try RunDirectory.decode(Data(text.utf8), path: "here/run.json")
    }
    let said = error?.description ?? ""
    #expect(said.hasPrefix("here/run.json is no run") && said.contains(words), "\(said)")
    #expect(error?.outcome == .unreadable)
  }

  private func decoded(_ values: [Finding.Value]) throws -> Finding {
    var run = Run()
    run.results = [Finding(benchmark: "a", engine: "x", rounds: 3, values: values)]
    let text = try RunDirectory.encode(run)
    return try RunDirectory.decode(Data(text.utf8), path: "run.json").results[0]
  }

  private func value(_ metric: String, _ value: Double, _ rounds: [Double]) -> Finding.Value {
    .init(
      metric: metric, value: value, low: value, high: value, confidence: 0.75, rounds: rounds,
      samples: 3)
  }

  @Test func `neither is a value or a round beyond all that is`() {
    for (value, words) in [
      (value("time", 1e300, [1]), "results[0].values[0].value is 1e+300"),
      (value("time", 1, [1, -1e-300]), "results[0].values[0].rounds[1] is -1e-300"),
    ] {
      let error = #expect(throws: RecordError.self) { try decoded([value]) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  /// A value that was edited stood in tables, and its rounds behind verdicts.
  @Test func `a value that is not the median of its rounds makes an answer invalid`() throws {
    let wrong = try decoded([value("time", 150, [99, 100, 102])])
    #expect(!wrong.valid && wrong.values.isEmpty)
    #expect(wrong.reason == "the time 150 is not the median of its 3 rounds, which is 100")
    for fine in [
      value("time", 100, [99, 100, 102]), value("time", 100.00001, [99, 100, 102]),
      value("max", 102, [99, 100, 102]), value("p99", 250, [99, 100, 102]), value("time", 7, []),
    ] { #expect(try decoded([fine]).valid, "\(fine)") }
  }

  @Test func `a record of the future's minor version is accepted`() throws {
    let text = """
      {"schema":1,"tool":"realm-bench","added":{"x":1},"environment":{"cpu":"Z80","new":[1]}}
      """
    let run = try RunDirectory.decode(Data(text.utf8), path: "run.json")
    #expect(run.environment.cpu == "Z80")
  }

  @Test func `a run written twice gives the same bytes`() throws {
    var run = Run()
    run.results = [Finding(benchmark: "a/b=1", engine: "reference", values: [])]
    let text = try RunDirectory.encode(run)
    #expect(try RunDirectory.encode(RunDirectory.decode(Data(text.utf8), path: "")) == text)
  }
}
