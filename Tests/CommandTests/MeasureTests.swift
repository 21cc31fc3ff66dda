import Foundation
import Harness
import Testing

/// Workloads of several processes: the others are this tool again, which only the built one can be.
struct MeasureTests {
  private func measure(
    _ benchmark: String, _ engine: String, pass: String = "time", _ more: [String] = []
  ) throws -> String {
    let environment = pass == "count" ? Allocations.environment ?? [:] : [:]
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool.run(
      [
        "measure", "--benchmark", benchmark, "--engine", engine, "--seed", "3", "--pass", pass,
        "--seconds", "0.05", "--workdir", folder.path,
      ] + more, environment: environment)
    #expect(result.code == 0, "\(result.err)")
    return result.out
  }

  @Test(arguments: ["reference", "sqlite", "lmdb"])
  func `writers in processes lose no change`(engine: String) throws {
    let out = try measure("writes.contention/batch=3/mode=processes/rows=200/writers=2", engine)
    #expect(out.contains("\"checks\":1") && !out.contains("\"failure\""), "\(out)")
    #expect(out.contains("\"fairness\""), "\(out)")
  }

  /// A round that lost its parent before it could look took whoever adopted it for that.
  @Test func `a round that nobody waits for ends before it begins`() throws {
    let gone = Process()
    gone.executableURL = URL(fileURLWithPath: "/bin/true")
    try gone.run()
    gone.waitUntilExit()
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let round = [
      "measure", "--benchmark", "floor.null", "--engine", "null", "--seed", "3", "--pass", "time",
      "--seconds", "0.01", "--workdir", folder.path,
    ]
    let dead = Lifeline.own.replacing("\(getpid()) ", with: "\(gone.processIdentifier) ")
    let orphan = try Tool.run(round, environment: [Lifeline.variable: dead])
    #expect(orphan.code != 0 && orphan.out.isEmpty, "\(orphan)")
    // Those who wait: this process, and this process behind a script.
    let own = [Lifeline.variable: Lifeline.own]
    #expect(try Tool.run(round, environment: own).code == 0)
    let behind = try Tool.run(
      ["-c", "\"$0\" \"$@\"; echo ended", Tool.executable.path] + round, environment: own,
      executable: URL(fileURLWithPath: "/bin/sh"))
    #expect(behind.out.hasSuffix("}\nended\n"), "\(behind)")
  }

  /// The most that a process holds is told beyond an empty one: a file of ten thousand rows is
  /// mapped where the empty loop has none.
  @Test func `each measurement tells its peak memory`() throws {
    func memory(_ benchmark: String, _ engine: String) throws -> Double {
      let out = try measure(benchmark, engine)
      let report = try JSONSerialization.jsonObject(with: Data(out.utf8)) as? [String: Any]
      let values = try #require(report?["values"] as? [[String: Any]])
      let value = values.first { $0["metric"] as? String == "memory" }?["value"]
      return try #require(value as? Double, "\(out)")
    }
    let (empty, read) = (
      try memory("floor.null", "null"), try memory("reads.sum/rows=100000", "reference")
    )
    #expect(empty >= 0 && empty < 64e6, "\(empty)")
    #expect(read > empty + 1e6 && read < 1e9, "\(read) beyond \(empty)")
  }

  @Test func `an observer in another process sees each commit`() throws {
    let out = try measure("notify.process/rows=200", "reference")
    #expect(out.contains("\"checks\":2") && !out.contains("\"failure\""), "\(out)")
    #expect(out.contains("\"p50\""), "\(out)")
  }

  @Test func `recording a latency allocates nothing`() throws {
    let out = try measure("floor.record", "null", pass: "count")
    #expect(out.contains("\"flushes\"") && !out.contains("\"failure\""), "\(out)")
    // Counted where jemalloc is installed, in debug builds as in release builds.
    if let allocations = try value("allocations", in: out) { #expect(allocations == 0) }
  }

  /// The value of one metric in a report.
  private func value(_ metric: String, in out: String) throws -> Double? {
    let report = try JSONSerialization.jsonObject(with: Data(out.utf8)) as? [String: Any]
    let values = report?["values"] as? [[String: Any]]
    return (values?.first { $0["metric"] as? String == metric }?["value"] as? NSNumber)?.doubleValue
  }

  // Counts are of a whole process: they need one that does nothing else.

  @Test func `what is flushed and written is counted wherever it happens`() throws {
    let out = try measure("floor.flush", "c", pass: "count")
    #expect(try value("flushes", in: out) == 1)
    #expect(try value("writes", in: out) == 1)
    #expect(try value("bytes", in: out) == 4096)
    #expect(!out.contains("bytes-disagree"), "\(out)")
  }

  @Test(arguments: ["reference", "sqlite", "lmdb"])
  func `the kernel and the C library agree on the bytes of a commit`(engine: String) throws {
    let out = try measure("writes.commit/durability=two-phase/rows=200", engine, pass: "count")
    #expect(try (value("bytes", in: out) ?? 0) > 0)
    #expect(!out.contains("bytes-disagree") && !out.contains("\"failure\""), "\(out)")
  }

  @Test func `one more flush per operation is counted as exactly that`() throws {
    #expect(try value("flushes", in: measure("floor.null", "null", pass: "count")) == 0)
    let out = try measure("floor.null", "null", pass: "count", ["--handicap", "flush"])
    #expect(try value("flushes", in: out) == 1)
  }
}

/// Where the time of a benchmark goes; the measurements themselves need an optimised build.
struct ProfileTests {
  @Test func `a measurement leaves its stacks`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("stacks")
    let result = try Tool.run([
      "measure", "--benchmark", "reads.sum/rows=1000", "--engine", "reference", "--seed", "3",
      "--pass", "time", "--seconds", "0.3", "--workdir", folder.path, "--sample", file.path,
    ])
    #expect(result.code == 0, "\(result.err)")
    #expect(!result.out.contains("\"failure\""), "\(result.out)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.last == "# lost 0")
    let stacks = lines.dropLast()
    #expect(stacks.allSatisfy { $0.split(separator: " ").last.flatMap { Int($0) } != nil })
    #expect(stacks.contains { $0.contains("main") && $0.contains("ReferenceEngine.") })
  }

  @Test(arguments: [
    (["--profile", "reads.nothing"], "no benchmark matches 'reads.nothing'"),
    (
      ["--profile", "reads.scaling", "--threads", "1,2"],
      "--profile 'reads.scaling' is 2 measurements, expected one of: reads.scaling/"
    ),
  ])
  func `a profile is of one measurement`(words: [String], sentence: String) throws {
    let result = try Tool.run(["run"] + words)
    #expect(result.code == 1 && result.err.contains(sentence), "\(result.err)")
  }

  @Test func `a plan says by which means`() throws {
    let dry = ["run", "--profile", "reads.sum", "--budget", "2s", "--dry-run"]
    let nowhere = try Tool.run(dry, environment: ["PATH": "/nowhere"])
    #expect(nowhere.code == 0, "\(nowhere.err)")
    #expect(nowhere.out.hasPrefix("reads.sum/rows=100000 on reference for 2 s, by signals"))
  }
}
