import Foundation
import Testing

/// What goes wrong around a command: a disk that is full, a place that is not there, a run that was
/// killed.
@Suite struct `Trouble` {
  private let folder: URL

  init() throws { folder = try Tool.scratch() }

  /// Runs a line of the shell in the folder; `$tool` is the built tool.
  private func shell(_ line: String) throws -> Tool.Result {
    defer { try? FileManager.default.removeItem(at: folder) }
    return try Tool.run(
      ["-c", line], in: folder, environment: ["tool": Tool.executable.path],
      executable: URL(fileURLWithPath: "/bin/sh"))
  }

  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../results/sample-ab").standardizedFileURL.path

  @Test(arguments: ["list rules", "--help", "--version", "report \(sample) --out here"])
  func `output that reaches nobody is no success`(words: String) throws {
    let result = try shell("exec \"$tool\" \(words) >/dev/full")
    #expect(result.code == 1, "\(result.err)")
    #expect(
      result.err.hasSuffix(
        "realm-bench: cannot write to standard output: No space left on device\n"), "\(result.err)")
  }

  @Test func `a badge is drawn again of what is stored, and of no run without rules`() throws {
    let result = try shell(
      """
      "$tool" conformance --filter READ-01 --out one --badge first.svg >/dev/null 2>&1
      "$tool" report one --badge again.svg >/dev/null 2>&1; echo $?
      cmp first.svg again.svg && echo same
      "$tool" report \(Trouble.sample) --out here --badge none.svg 2>&1 >/dev/null; echo $?; ls
      """)
    #expect(result.out.hasPrefix("0\nsame\n"), "\(result.out)")
    #expect(
      result.out.contains("--badge none.svg: no rules were asked in what is reported"),
      "\(result.out)")
    #expect(result.out.contains("\n1\n"), "\(result.out)")
    #expect(!result.out.contains("\nhere") && !result.out.contains("\nnone.svg"), "\(result.out)")
  }

  /// The first file that was opened got the number of standard output, and the text.
  @Test func `what is printed where output is closed is lost, and spoils no file`() throws {
    let result = try shell(
      """
      "$tool" report \(Trouble.sample) --out here >&- 2>said; echo $?; cat said
      "$tool" report \(Trouble.sample) --out there >&- 2>&-; echo $?
      "$tool" report \(Trouble.sample) --out whole >out 2>said <&-; echo $?
      for file in results.csv report.html summary.md; do cmp here/$file whole/$file; done
      """)
    #expect(result.out.hasPrefix("1\nreport: "), "\(result.out)")
    #expect(result.out.contains("cannot write to standard output: Bad file descriptor\n1\n0\n"))
    #expect(result.out.hasSuffix("\n0\n") && result.err.isEmpty, "\(result.out)\(result.err)")
  }

  @Test func `a pipe that lets nobody wait gets all of it`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (pipe, process) = (Pipe(), Process())
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
    process.executableURL = Tool.executable
    process.arguments = ["list", "rules", "--json"]
    process.standardOutput = pipe
    try process.run()
    try pipe.fileHandleForWriting.close()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // More than a pipe holds.
    #expect(text.count > 1 << 16 && (try? JSONSerialization.jsonObject(with: text)) != nil)
  }

  @Test func `a reader that has read enough is one`() throws {
    let result = try shell(
      "trap '' PIPE; { \"$tool\" list rules; echo $? >code; } | head -n 1 >line; cat line code")
    #expect(result.out.hasSuffix("\n0\n"), "\(result.out)\(result.err)")
  }

  // The reader of a pipe            The command
  // closes its end
  // says so                         begins, and tells how far it is
  //                                 ends as if somebody had listened
  /// It was ended by SIGPIPE (141) with its first line of progress, and nothing was written.
  @Test(arguments: ["2>&1 >/dev/null", ">/dev/null 2>&-", "2>/dev/null", "2>&1", ">&- 2>&-"])
  func `a command whose chatter reaches nobody ends with its results all the same`(
    streams: String
  ) throws {
    let said = try shell(
      """
      mkfifo gate
      after() { { read _ <gate; "$@"; } \(streams) | { exec <&-; echo >gate; }; }
      judged() {
        "$tool" conformance --filter READ-01 --progress ndjson --out judged --json j; echo $? >1
      }
      measured() {
        "$tool" ab --base "$tool" --candidate "$tool" --filter floor.null --engine null \
          --rounds 6 --round-length 1ms --progress ndjson --out measured; echo $? >2
      }
      after judged; after measured
      ls j judged/run.json judged/report.html measured/run.json measured/report.html
      grep -c '"state" : "finished"' measured/run.json; cat 1
      [ $(cat 2) -lt 128 ] && echo verdict
      """)
    let there = "j\njudged/report.html\njudged/run.json\nmeasured/report.html\nmeasured/run.json\n"
    // What was to be printed and could not be is another matter: there a 0 would be a lie.
    let code = streams.contains(">&- ") ? "1" : "0"
    #expect(said.out == "\(there)1\n\(code)\nverdict\n", "\(said.out)\(said.err)")
  }

  /// All that are switched on were taken for usable, and no crowd on one core for too large.
  @Test func `a command that is kept to one core says that it has one`() throws {
    let result = try shell(
      """
      all=$("$tool" doctor --json | sed -n 's/.*"cores" : //p')
      cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/self/status)
      taskset -c $cpu "$tool" doctor --json >one; echo $?
      sed -n 's/.*"usableCores" : //p' one; echo $all
      grep -c "cores this process has" one
      """)
    let lines = result.out.split(separator: "\n")
    try #require(lines.count == 4, "\(result.out)\(result.err)")
    #expect(lines[0] == "0")
    let usable = try #require(Double(lines[1].replacing(",", with: "")))
    // A group's quota may leave less than one.
    #expect(usable > 0 && usable <= 1, "\(result.out)")
    // In the environment, and in what is to be done about it.
    let cores = try #require(Double(lines[2].replacing(",", with: "")))
    #expect(lines[3] == (cores > usable ? "2" : "0"), "\(result.out)")
  }

  @Test func `a full disk is told in the system's words, once`() throws {
    // A limit on the size of files is a disk that is full after a few blocks, for whoever asks.
    let result = try shell(
      "trap '' XFSZ; ulimit -f 8; exec \"$tool\" report \(Trouble.sample) --out here")
    #expect(result.code == 1)
    #expect(result.err.contains("here/run.json: File too large"), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
    #expect(!result.err.contains("Domain"))
  }

  @Test(arguments: [
    ("report \(sample) --out /dev/null/x", "/dev/null/x"),
    ("report \(sample) --export hgrm --out taken", "taken"),
    ("doctor --workdir /dev/null/x", "--workdir /dev/null/x does not exist"),
    ("doctor --workdir typo", "typo does not exist: make it first, or name another"),
    ("doctor --workdir taken", "taken is no folder"),
    ("conformance --filter READ-01 --workdir typo", "typo"),
  ])
  func `a place that cannot be written is named, and nothing is made`(
    words: String, sentence: String
  ) throws {
    let result = try shell("touch taken; \"$tool\" \(words); code=$?; ls -A; exit $code")
    #expect(result.code == 1)
    #expect(result.err.contains(sentence), "\(result.err)")
    #expect(!result.err.contains("Domain"), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
    #expect(result.out == "taken\n", "\(result.out)")
  }

  @Test func `what is no plain file is written to, and stays what it is`() throws {
    let line = """
      mkfifo pipe; cat pipe >got & ln -s there link; ln -s later dangling; echo old >there
      for to in pipe /dev/null link dangling; do
        "$tool" report \(Trouble.sample) --out here --csv $to >>said 2>&1 || exit 9
      done; wait
      "$tool" report \(Trouble.sample) --out here --csv /dev/stdout 2>&1 |
        grep '^schema,' >piped || exit 6
      [ -p pipe ] && [ -c /dev/null ] && [ -L link ] && [ -L dangling ] || exit 8
      for all in got there later; do cmp $all there || exit 7; done
      "$tool" report \(Trouble.sample) --out here --csv /dev/full >said; echo "full $?"
      """
    let result = try shell(line)
    #expect(result.code == 0, "\(result.out)\(result.err)")
    #expect(result.out == "full 1\n", "\(result.out)")
    #expect(result.err.contains("cannot write /dev/full: No space left"), "\(result.err)")
  }

  @Test(arguments: [
    ("\"schema\" : 1", "\"schema\" : -1", "is of schema -1, which no build wrote"),
    (
      "\"asked\" : {", "\"asked\" : { \"roundSeconds\" : 1e308,",
      "asked.roundSeconds is 1e+308"
    ),
    ("\"rounds\" : [0-9]*", "\"rounds\" : -3", "asked.rounds is -3"),
    ("\"shard\" : \"\"", "\"shard\" : \"1\\/99999999999\"", "asked.shard is '1/99999999999'"),
    ("\"shard\" : \"\"", "\"shard\" : \"3\\/2\"", "asked.shard is '3/2', expected I/N"),
  ])
  func `a run that nobody can have asked for is refused by every reader`(
    found: String, put: String, sentence: String
  ) throws {
    let run = "run/run.json"
    let result = try shell(
      """
      cp -r \(Trouble.sample) run; sed -i '0,/\(found)/s//\(put)/' \(run)
      "$tool" report run --out here; echo $?; "$tool" compare run run; echo $?
      """)
    #expect(result.out == "5\n5\n", "\(result.out)\(result.err)")
    for said in result.err.split(separator: "\n") {
      #expect(said.contains(sentence), "\(said)")
    }
  }

  @Test func `thresholds that are named are obeyed, and what holds none is told`() throws {
    let result = try shell(
      """
      echo '[]' >none.json
      "$tool" compare \(Trouble.sample) \(Trouble.sample) --thresholds none.json; echo $?
      "$tool" ab --base "$tool" --thresholds missing.json --dry-run; echo $?
      """)
    #expect(result.out == "1\n1\n", "\(result.out)")
    #expect(
      result.err.contains("none.json holds no thresholds: expected an object"), "\(result.err)")
    #expect(result.err.contains("missing.json: expected thresholds"), "\(result.err)")
  }

  /// Who writes 10 for 10 % had a gate that nothing fails.
  @Test func `a tolerance of more than what was there is doubted, and obeyed`() throws {
    let result = try shell(
      """
      tolerated() {
        echo '{"schema": 1, "tolerances": [{"benchmark": "reads.*", "tolerance": '$1'}]}' >own.json
        "$tool" compare \(Trouble.sample) \(Trouble.sample) --thresholds own.json >$1.txt; echo $?
      }
      tolerated 0.1; echo doubted >&2; tolerated 10
      """)
    let codes = result.out.split(separator: "\n")
    #expect(codes.count == 2 && codes.first == codes.last, "\(result.out)")
    let said = result.err.components(separatedBy: "doubted\n")
    #expect(said.count == 2 && !said[0].contains("the tolerance of"), "\(result.err)")
    #expect(
      said.last?.contains("own.json: the tolerance of reads.*, every metric, is 10, which") == true,
      "\(result.err)")
  }

  // The first command               The one at the keyboard     The second command
  // has made its scratch folder
  //                                 kills it
  //                                                             examines a rule
  //                                                             leaves nothing of either
  @Test func `what a killed run left is gone after the next one`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent(".realm-bench").path
    func left() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] }
    let tool = try RunningTool(
      ["conformance", "--filter", "READ-01", "--repeat", "1000"], in: folder)
    #expect(tool.says("pass 1 of 1000"))
    #expect(tool.runs { left().contains { $0.hasPrefix("conformance") } })
    tool.signal(SIGKILL)
    _ = try tool.end()
    #expect(left().contains { $0.hasPrefix("conformance") })
    // A probe may outlive the one that started it, and write on there; then the next but one finds
    // the place.
    for _ in 0..<5 where !left().isEmpty {
      #expect(try Tool.run(["conformance", "--filter", "READ-01"], in: folder).code == 0)
    }
    #expect(left() == [])
  }
}
