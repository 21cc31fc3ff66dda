import Foundation
import Testing

@Suite struct `The verbs` {
  @Test(arguments: [
    "run", "conformance", "compare", "ab", "report", "list", "doctor", "verify", "inspect", "repro",
    "completions", "trend", "calibrate", "coverage", "bisect", "baseline", "measure", "probe",
    "explore",
  ])
  func `each explain themselves`(verb: String) throws {
    let result = try Tool.run([verb, "--help"])
    #expect(result.code == 0)
    #expect(result.out.hasPrefix("usage: realm-bench \(verb)"))
    #expect(result.err.isEmpty)
  }

  @Test func `explain themselves in lines that a terminal holds`() throws {
    let verbs = try Tool.run(["--help"]).out
    let names = verbs.split(separator: "\n").compactMap { line in
      line.hasPrefix("  ") ? line.split(separator: " ").first.map(String.init) : nil
    }.filter { $0.allSatisfy(\.isLetter) }
    #expect(names.contains("conformance"))
    for help in try [verbs] + names.map({ try Tool.run([$0, "--help"]).out }) {
      for line in help.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  private static let results = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../results").standardizedFileURL

  /// Three runs were two documents, which no reader takes.
  @Test func `judge any number of runs in one document`() throws {
    let samples = Self.results.appendingPathComponent("sample-compare")
    let runs = ["a", "b", "a"].map { samples.appendingPathComponent($0).path }
    for count in 2...3 {
      let result = try Tool.run(
        ["compare"] + runs.prefix(count) + ["--untrusted-ok", "--format", "json"])
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
      #expect(document["comparison"] != nil)
      #expect((document["otherComparisons"] as? [Any])?.count == (count == 3 ? 1 : nil))
    }
  }

  /// Two blocks were headed "A (unknown) → B (unknown)", and of seed 0.
  @Test func `say of each comparison which runs it is about`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let samples = Self.results.appendingPathComponent("sample-compare")
    for (name, copy) in [("a", "a"), ("b", "b"), ("b", "c")] {
      let file = folder.appendingPathComponent("\(copy).json")
      let record = try String(
        contentsOf: samples.appendingPathComponent("\(name)/run.json"), encoding: .utf8)
      try record.replacing("\"id\" : \"b\"", with: "\"id\" : \"\(copy)\"")
        .replacing(/"commit" : "[0-9a-f]*"/, with: "\"commit\" : \"unknown\"")
        .write(to: file, atomically: true, encoding: .utf8)
    }
    func compared(_ words: [String]) throws -> String {
      let said = try Tool.run(["compare"] + words + ["--untrusted-ok"], in: folder).out
      #expect(!said.contains("(unknown)") && !said.contains("seed 0"), "\(said)")
      return said.replacing("\n", with: " ")
    }
    let runs = ["a.json", "b.json", "c.json"]
    for format in ["text", "markdown"] {
      let said = try compared(runs + ["--format", format])
      #expect(said.contains("A · a"), "\(said)")
      #expect(said.contains("→ B · b") && said.contains("→ C · c"), "\(said)")
    }
    #expect(try compared(runs + ["--format", "markdown"]).contains("seed 1 "))
    // Of runs of one name each is called as on the command line.
    #expect(try compared(["b.json", "b.json"]).contains("A · b.json"))
    let page = folder.appendingPathComponent("page.html")
    _ = try compared(runs + ["--html", page.path])
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.contains("Control (B): ") && html.contains("Control (C): "))
    #expect(!html.contains("a build against itself on"))
  }

  /// It was 0, whatever the runs had.
  @Test(arguments: ["markdown", "json"])
  func `a comparison has the seed of its run`(format: String) throws {
    let samples = Self.results.appendingPathComponent("sample-compare")
    let result = try Tool.run(
      ["compare"] + ["a", "b"].map { samples.appendingPathComponent($0).path }
        + ["--format", format])
    let spelled = format == "json" ? "\"seed\" : 1," : "· seed 1\n"
    #expect(result.out.contains(spelled), "\(result.out.prefix(600))")
  }

  /// The terminal obeyed what a folder was called.
  @Test func `names are spelled where a terminal would obey them`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = "red\u{1B}[31m\nand \u{9B}2J gone"
    let run = folder.appendingPathComponent(name)
    try FileManager.default.copyItem(
      at: Self.results.appendingPathComponent("sample-compare/a"), to: run)
    let record = run.appendingPathComponent("run.json")
    let text = try String(contentsOf: record, encoding: .utf8)
    for (key, value) in [("id", "a"), ("machineID", nil), ("cpu", nil)] {
      let pattern = try Regex("\"\(key)\" : \"\(value ?? "[^\"]*")\"")
      try #require(text.firstMatch(of: pattern) != nil, "\(key)")
    }
    try text.replacing(
      try Regex("\"(id|machineID|cpu|benchmark)\" : \"([^\"]*)\""),
      with: { "\"\($0.output[1].substring!)\" : \"\($0.output[2].substring!)\\u001b[31m\\nx\"" }
    ).write(to: record, atomically: true, encoding: .utf8)
    for words in [
      ["report", name], ["report", name, "--format", "markdown"],
      ["report", name, "--format", "annotations"], ["compare", name, name, "--untrusted-ok"],
      ["compare", name, name, "--untrusted-ok", "--format", "markdown"],
      ["trend", ".", "--out", "trend"], ["baseline", "save", "x", name], ["baseline", "list"],
      ["baseline", "show", "x"], ["compare", "@x", "none\u{1B}[2J\nhere"],
    ] {
      let result = try Tool.run(words, in: folder)
      let said = result.out + result.err
      #expect(!said.isEmpty, "\(words)")
      #expect(!said.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" }, "\(words)")
      #expect(!said.contains("\nx") && !said.contains("\nand"), "\(words): \(said)")
      #expect(!said.contains("\nhere"), "\(words)")
    }
  }

  @Test(arguments: [("json", "{"), ("markdown", ""), ("text", "")])
  func `tell a history in the format that was asked for`(format: String, start: String) throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let samples = Self.results.appendingPathComponent("sample-compare").path
    let result = try Tool.run(
      ["trend", samples, "--out", folder.path, "--format", format])
    #expect(result.code == 0 && result.out.hasPrefix(start), "\(result.err)")
    let document = try? JSONSerialization.jsonObject(with: Data(result.out.utf8))
    #expect((document != nil) == (format == "json"))
  }

  @Test func `draw a run once that lies there twice`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let sample = Self.results.appendingPathComponent("sample-compare/a")
    for name in ["a", "copy"] {
      try FileManager.default.copyItem(at: sample, to: folder.appendingPathComponent(name))
    }
    let result = try Tool.run(["trend", folder.path])
    #expect(result.code == 0 && result.out.contains("over 1 run\n"), "\(result.out)")
    #expect(result.err.contains("copy is the run a once more, as a is"), "\(result.err)")
  }

  /// What was measured by another build was left as it was, without a word.
  @Test func `go on with an interrupted run and its guests`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let said = try Tool.run(["--version"]).out
    let commit = String(said.split(separator: "(")[1].prefix { $0 != ")" })
    let record = """
      {"schema":1,"tool":"realm-bench","state":"running","environment":{"commit":"\(commit)"},
       "asked":{"verb":"run","filters":["floor.null"],"engines":[],"threads":[],"quick":true,
        "rounds":3,"seed":1,"shard":"",
        "command":"realm-bench run --engine-at 'realm=/no such/build' --quick"}}
      """
    try record.write(
      to: folder.appendingPathComponent("run.json"), atomically: true, encoding: .utf8)
    let result = try Tool.run(["run", "--resume", folder.path])
    #expect(result.code == 1, "\(result.out)")
    #expect(
      result.err.contains("--engine-at realm=/no such/build: /no such/build is no program"),
      "\(result.err)")
  }

  /// `report` without the option drew pages whose sources could not be followed.
  @Test func `keep where sources lie with the run`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = Self.results.appendingPathComponent("sample-compare/a").path
    let base = "https://host/own/name/blob/abc/"
    let first = try Tool.run(
      ["report", run, "--out", "kept", "--link-base", base], in: folder)
    #expect(first.code == 0, "\(first.err)")
    let page = folder.appendingPathComponent("kept/report.html")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("href=\"\(base)Sources/"))
    try FileManager.default.removeItem(at: page)
    #expect(try Tool.run(["report", "kept"], in: folder).code == 0)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("href=\"\(base)Sources/"))
  }

  /// The folder of a shard took the merged run, and its own was lost.
  @Test func `a report of several runs goes where no other run lies`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let samples = Self.results.appendingPathComponent("sample-compare")
    for name in ["a", "b"] {
      try FileManager.default.copyItem(
        at: samples.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
    let record = folder.appendingPathComponent("a/run.json")
    let before = try Data(contentsOf: record)
    for words in [["report", "a", "b", "--out", "a"], ["report", "b", "--out", "a"]] {
      let result = try Tool.run(words, in: folder)
      #expect(result.code == 1 && result.err.contains("name another folder"), "\(result.err)")
    }
    #expect(try Data(contentsOf: record) == before)
    for _ in 0..<2 {
      #expect(try Tool.run(["report", "a", "b", "--out", "both"], in: folder).code == 0)
    }
    #expect(try Tool.run(["report", "a", "--out", "a"], in: folder).code == 0)
    // It passes for none of them, and is not drawn beside both.
    let both = folder.appendingPathComponent("both")
    let merged = try String(contentsOf: both.appendingPathComponent("run.json"), encoding: .utf8)
    #expect(merged.contains("\"id\" : \"a+b\""), "\(merged.prefix(4000))")
    let results = try String(
      contentsOf: both.appendingPathComponent("results.csv"), encoding: .utf8)
    #expect(results.contains(",a+b,"))
    let trend = try Tool.run(["trend", folder.path], in: folder)
    #expect(trend.code == 0 && trend.err.contains("both is put together of a, b"), "\(trend.err)")
  }

  // Plans had lines of up to two hundred columns.
  @Test(arguments: [
    "run --dry-run --set rows=1000,10000 --threads 1,2,4,8", "conformance --dry-run",
    "calibrate --dry-run", "run --quick --dry-run",
  ])
  func `print nothing that is wider than a terminal, and cut nothing`(command: String) throws {
    let said = try Tool.run(command.split(separator: " ").map(String.init))
    #expect(said.code == 0 && !said.out.contains("…"), "\(said.err)")
    let wide = said.out.split(separator: "\n").filter { $0.count > 100 }
    #expect(wide.isEmpty, "\(wide.prefix(3))")
  }

  // It said five minutes of what took sixteen: all that is slower is measured again.
  @Test func `a calibration says how long slower builds take`() throws {
    func minutes(_ options: String...) throws -> Int {
      let said = try Tool.run(["calibrate", "--quick", "--dry-run"] + options).out
      let words = said.split(separator: "about ").last?.split(separator: " ") ?? []
      return try #require(words.first.flatMap { Int($0) }, "\(said)")
    }
    let equal = try minutes("--sessions", "1", "--handicapped", "0")
    let slower = try minutes("--sessions", "0", "--handicapped", "1", "--handicap", "time=0.1")
    #expect(slower > 2 * equal, "\(slower) min beside \(equal)")
    let counted = try minutes("--sessions", "0", "--handicapped", "1", "--handicap", "flush")
    #expect(counted <= equal, "\(counted) min beside \(equal)")
  }

  // What a terminal has no room for was cut off.
  @Test(arguments: ["benchmarks", "rules", "mutants", "scenarios", "anomalies"])
  func `list in lines that a terminal holds, and one each for a program`(topic: String) throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = Tool.executable.path
    let shown = try Tool.run(
      ["-qec", "'\(tool)' list \(topic)", "/dev/null"], in: folder,
      executable: URL(fileURLWithPath: "/usr/bin/script"))
    let lines = shown.out.split(whereSeparator: \.isNewline)
    #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 100 }, "\(shown.err)")
    func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    let piped = try Tool.run(["list", topic]).out
    #expect(words(shown.out) == words(piped), "nothing is cut")
    #expect(piped.split(separator: "\n").count < lines.count)
  }

  @Test func `list metrics with their units`() throws {
    let text = try Tool.run(["list", "metrics"]).out
    #expect(text.contains("ns/op: time of one operation"))
  }

  @Test func `sweep a parameter that somebody sets`() throws {
    let result = try Tool.run([
      "run", "--dry-run", "--engine", "reference", "--filter", "reads.sum", "--set", "rows=50,700",
    ])
    #expect(result.code == 0)
    #expect(
      result.out.contains("reads.sum/rows=50  (") && result.out.contains("reads.sum/rows=700  ("))
    #expect(!result.out.contains("rows=100000"))
    let listed = try Tool.run(["list", "benchmarks"]).out
    #expect(listed.contains("rows=100000,1000000: "), "parameters are what --set may name")
  }

  @Test func `plan two builds into a budget, and name the least that is enough`() throws {
    let tool = Tool.executable.path
    let plan = [
      "ab", "--base", tool, "--dry-run", "--filter", "reads.sum", "--filter", "reads.accessor",
    ]
    let rich = try Tool.run(plan + ["--budget", "10m"])
    #expect(rich.code == 0, "\(rich.err)")
    #expect(rich.out.contains("of 600 s, and the rest for what is"))
    let poor = try Tool.run(plan + ["--budget", "2s"])
    #expect(poor.code == 1 && poor.err.contains("too small to judge any of"), "\(poor.err)")
    #expect(poor.err.contains("the cheapest,"))
    let many = try Tool.run(plan + ["--rounds", "20"])
    #expect(many.out.contains("screen: all, 20 pairs each"), "\(many.out)")
  }

  /// What is drawn from directories was gone with them.
  @Test func `keep a history that is only added to`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let samples = Self.results.appendingPathComponent("sample-compare").path
    let lines = { () -> [Substring] in
      let file = folder.appendingPathComponent("history.ndjson")
      return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
    }
    #expect(try Tool.run(["trend", samples, "--out", folder.path]).code == 0)
    let first = lines()
    #expect(first.count > 10)
    #expect(try Tool.run(["trend", samples, "--out", folder.path]).code == 0)
    #expect(lines() == first)
    let empty = folder.appendingPathComponent("empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    let later = try Tool.run(["trend", empty.path, "--out", folder.path, "--format", "json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(later.out.utf8)) as? [String: Any])
    #expect(later.code == 0 && document["runs"] as? Int == 2, "\(later.err)")
    #expect(lines() == first)
  }

  @Test func `a baseline that is not there ends a comparison with 5`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool.run(["compare", "@main", "@main"], in: folder)
    #expect(result.code == 5 && result.err.contains("there is no baseline 'main'"))
    #expect(result.err.contains("'realm-bench baseline save main RUN' makes one"))
  }

  @Test func `list what there is, for people and for scripts`() throws {
    for topic in [
      "benchmarks", "rules", "mutants", "scenarios", "anomalies", "engines", "metrics", "retired",
    ] {
      let text = try Tool.run(["list", topic])
      #expect(text.code == 0)
      #expect(!text.out.isEmpty, "\(topic)")
      let json = try Tool.run(["list", topic, "--json"])
      let lists = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: [Any]]
      #expect(lists?[topic]?.count == text.out.split(separator: "\n").count, "\(topic)")
    }
  }

  @Test(arguments: [
    (["baseline", "keep"], "'baseline keep': expected save, list, show or delete"),
    (["baseline", "show"], "'baseline show' wants a name and nothing else"),
    (
      ["run", "--dry-run", "--filter", "floor.null", "--round-length", "1h"],
      "rounds of 3600000 ms are too long: one of floor.null takes about 5761 s, and a child has"
    ),
    (
      ["ab", "--base", "/bin/true", "--dry-run", "--round-length", "1h"],
      "expected a shorter --round-length, or a longer --timeout"
    ),
    (
      ["calibrate", "--dry-run", "--round-length", "2m"],
      "expected a shorter --round-length, or a longer --timeout"
    ),
    (["run", "--round-length", "2h"], "--round-length '2h': expected a time from 1ms to 1h"),
    (["list", "benchmark"], "unknown list 'benchmark'; did you mean 'benchmarks'?"),
    (["conformance", "--filter", "READ-99"], "no rule"),
    (["conformance", "--every-pair"], "--every-pair says how far a self-test goes"),
    (["conformance", "--only-mutants"], "--only-mutants leaves out what comes before a self-test"),
    (
      ["conformance", "--self-test", "--every-pair", "--only-mutants"],
      "--every-pair stands beside the honest engine"
    ),
    (["conformance", "--mutant", "nobody"], "unknown mutant 'nobody'"),
    (["conformance", "--shard", "3/2"], "--shard '3/2': expected I/N"),
    (["conformance", "--jobs", "0"], "--jobs '0': expected a whole number from 1 to 64"),
    (["conformance", "--junit", "/nowhere/a.xml"], "--junit /nowhere/a.xml: the folder /nowhere"),
    (["conformance", "--tier", "doc"], "--tier 'doc': expected documented, all"),
    (["repro", "READ-1"], "unknown rule 'READ-1'; did you mean 'READ-01'?"),
    (["run", "--budget", "soon"], "--budget 'soon': expected a time such as 90s"),
    (["run", "--budget", "1e300h"], "--budget '1e300h': expected a time such as 90s"),
    (["ab", "--base", "/bin/true", "--budget", "9e99s"], "--budget '9e99s': expected a time"),
    (["conformance", "--timeout", "1e30s"], "--timeout '1e30s': expected a time"),
    (["conformance", "--patience", "9999h"], "--patience '9999h': expected a time"),
    (["run", "--seed", "x"], "--seed 'x': expected a number"),
    (["run", "--set", "rows"], "--set 'rows': expected NAME=V1,V2"),
    (["run", "--set", "rows=1,1"], "--set 'rows=1,1': expected NAME=V1,V2"),
    (["run", "--set", "rows=1", "--set", "rows=2"], "--set rows was given twice"),
    (["run", "--set", "threads=1", "--threads", "2"], "say the same"),
    (["run", "--dry-run", "--set", "colour=red"], "no benchmark has such a parameter"),
    (["calibrate", "--dry-run", "--budget", "1s"], "too small for any session: the shortest"),
    (["conformance", "--patience", "long"], "--patience 'long': expected a time"),
    (["run", "--dry-run", "--engine", "oracle"], "unknown engine 'oracle'"),
    (["run", "--dry-run", "--filter", "reads.nothing"], "no benchmark matches 'reads.nothing'"),
    (
      ["run", "--dry-run", "--filter", "reads.sum", "--filter", "reads.sum/rwos=100000"],
      "reads.sum has no parameter 'rwos', it has rows"
    ),
    (
      [
        "run", "--dry-run", "--filter", "reads.held-int",
        "--filter", "writes.commit/durability=none",
      ],
      "--filter writes.commit/durability=none fits nothing that would be measured"
    ),
    (["run", "--export", "jhm"], "unknown export"),
    (["run", "--quick", "--quick=1"], "option '--quick' takes no value"),
    (["run", "--seed", "1", "--seed", "2"], "option '--seed' was given twice"),
    (["run", "--seed"], "option '--seed' wants a value"),
    (["run", "--dry-run", "--engine", ""], "--engine '': expected the name of an engine"),
    (["list", "rules", "--json", "--markdown"], "two formats: ask for one of them"),
    (["conformance", "--json", "--tap"], "stdout takes one format"),
    (["conformance", "--json", "--format", "markdown"], "stdout takes one format"),
    (
      ["conformance", "--filter", "READ-01", "--filter", "!READ-01"],
      "no rule is left of 'READ-01 !READ-01'"
    ),
  ])
  func `answer bad input with one sentence and exit code 1`(
    words: [String], sentence: String
  ) throws {
    try refused(words, sentence)
  }

  #if !Mutants
  @Test(arguments: [
    (
      ["conformance", "--mutant", "commits-nothing"],
      "mutant 'commits-nothing' is not in this build"
    ),
    (["conformance", "--self-test"], "this build has no mutants; 'make self-test' builds those"),
    (["repro", "WRITE-14", "--mutant", "commits-nothing"], "is not in this build"),
  ])
  func `ask for the build that has mutants`(words: [String], sentence: String) throws {
    try refused(words, sentence)
  }
  #endif

  private func refused(_ words: [String], _ sentence: String) throws {
    let result = try Tool.run(words)
    #expect(result.code == 1)
    #expect(result.err.contains(sentence), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
    #expect(result.out.isEmpty)
  }

  @Test func `refuse to measure a debug build`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool.run(["run", "--quick", "--filter", "floor.null"], in: folder)
    if result.code == 0 { return }  // the tests were built with optimisation
    #expect(result.code == 3)
    #expect(result.err.contains("this is a debug build and its numbers mean nothing"))
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("results").path))
  }

  @Test(arguments: [
    ("missing", nil, "no results at"),
    ("empty", "", "is empty"),
    ("truncated", #"{"schema": 1, "tool": "realm-bench", "resul"#, "run.json"),
    (
      "nan",
      "{\"schema\": 1, \"tool\": \"realm-bench\", \"id\": \"NaN \\\" NaN\",\n\"results\": [NaN]}",
      "holds NaN at results[0] in line 2"
    ),
    ("broken", #"{"schema": 1, "tool": }"#, "is no JSON document"),
    ("foreign", #"{"context": {"date": "today"}, "benchmarks": []}"#, "run.json"),
    ("newer", #"{"schema": 99, "tool": "realm-bench"}"#, "99"),
  ])
  func `refuse stored results that cannot be read, and leave them as they are`(
    name: String, content: String?, sentence: String
  ) throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = folder.appendingPathComponent(name)
    if let content {
      try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
      try Data(content.utf8).write(to: run.appendingPathComponent("run.json"))
    }
    let result = try Tool.run(["report", run.path])
    #expect(result.code == 5)
    #expect(result.err.contains(sentence), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 1)
    if let content {
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: run.path) == ["run.json"])
      #expect(
        try String(contentsOf: run.appendingPathComponent("run.json"), encoding: .utf8) == content)
    }
  }

  @Test(arguments: ["verify", "inspect"])
  func `refuse files that are no realm, and leave them as they are`(verb: String) throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = folder.appendingPathComponent("text")
    try Data(String(repeating: "no realm\n", count: 2000).utf8).write(to: text)
    let empty = folder.appendingPathComponent("empty")
    try Data().write(to: empty)
    let missing = folder.appendingPathComponent("missing")
    for file in [text, empty, missing, folder] {
      let before = try? Data(contentsOf: file)
      let result = try Tool.run([verb, file.path], in: folder)
      #expect(result.code == 5, "\(result.err)")
      #expect(result.err.contains(file.path))
      #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
      #expect((try? Data(contentsOf: file)) == before)
    }
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  @Test func `diagnose the machine`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool.run(["doctor"], in: folder)
    #expect(result.code == 0)
    for word in ["durability class", "clock source", "allocation counts", "build"] {
      #expect(result.out.contains(word))
    }
    let json = try Tool.run(["doctor", "--json"], in: folder)
    #expect(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) is [String: Any])
  }
}
