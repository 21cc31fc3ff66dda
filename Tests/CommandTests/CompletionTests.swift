import Foundation
import Testing

/// What a shell offers behind what was typed: asked of the shells themselves.
@Suite struct `Completions` {
  static func shell(_ name: String) -> URL? {
    ["/bin", "/usr/bin", "/usr/local/bin"].map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  private func run(_ name: String, _ script: String, _ flags: [String] = []) throws -> Tool.Result {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try Tool.run(
      flags + ["-c", script], in: folder,
      environment: ["tool": Tool.executable.path, "HOME": folder.path],
      executable: try #require(Self.shell(name)))
  }

  private static let cases: [(words: [String], offered: [String], never: String)] = [
    (["ru"], ["run"], "report"),
    (["run", "--fil"], ["--filter"], "--format"),
    (["run", "--engine", "re"], ["reference"], "report"),
    (["run", "--filter", "reads.by-p"], ["reads.by-primary-key"], "writes"),
    (["conformance", "--filter", "READ-0"], ["READ-01", "READ-09"], "READ-10"),
    (["repro", "ASYNC-1"], ["ASYNC-10"], "ASYNC-01"),
    (["report", "--format", "ma"], ["markdown"], "text"),
    (["run", "--export", "open"], ["openmetrics"], "otava"),
    (["list", "ru"], ["rules"], "mutants"),
    (["completions", "z"], ["zsh"], "fish"),
    (["baseline", "de"], ["delete"], "list"),
  ]

  @Test(arguments: cases.map { Words(words: $0.words, offered: $0.offered, never: $0.never) })
  func `bash offers what fits`(one: Words) throws {
    let spelled = (["realm-bench"] + one.words).map { "'\($0)'" }.joined(separator: " ")
    let result = try run(
      "bash",
      """
      eval "$("$tool" completions bash)"
      COMP_WORDS=(\(spelled)); COMP_CWORD=\(one.words.count)
      _realm_bench; printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    let offered = Set(result.out.split(separator: "\n").map(String.init))
    #expect(offered.isSuperset(of: one.offered), "\(offered)")
    #expect(!offered.contains(one.never))
  }

  struct Words: Sendable {
    let words: [String]
    let offered: [String]
    let never: String
  }

  @Test func `bash offers values behind an equals sign, and files where files are meant`() throws {
    let result = try run(
      "bash",
      """
      eval "$("$tool" completions bash)"; touch here.html; mkdir folder
      COMP_WORDS=(realm-bench run --engine = re); COMP_CWORD=4; _realm_bench; echo "${COMPREPLY[@]}"
      COMP_WORDS=(realm-bench run --html her); COMP_CWORD=3; _realm_bench; echo "${COMPREPLY[@]}"
      COMP_WORDS=(realm-bench run --out ''); COMP_CWORD=3; _realm_bench; echo "${COMPREPLY[@]}"
      """)
    #expect(result.out == "reference\nhere.html\nfolder\n", "\(result.out)\(result.err)")
  }

  @Test(.enabled(if: shell("zsh") != nil)) func `zsh takes them with its own system or without`()
    throws
  {
    for start in ["", "autoload -Uz compinit; compinit -u -D; "] {
      let result = try run(
        "zsh",
        start + "eval \"$(\"$tool\" completions zsh)\" || exit 9; print -- ${_comps[realm-bench]}",
        ["-f"])
      #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
      #expect(result.out.contains("_bash_complete") && result.out.contains("_realm_bench"))
    }
  }

  @Test(
    .enabled(if: shell("fish") != nil),
    arguments: cases.map { Words(words: $0.words, offered: $0.offered, never: $0.never) })
  func `fish offers what fits`(one: Words) throws {
    let result = try run(
      "fish",
      "\"$tool\" completions fish | source; "
        + "complete -C 'realm-bench \(one.words.joined(separator: " "))'")
    #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    let offered = Set(
      result.out.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
    #expect(offered.isSuperset(of: one.offered), "\(offered)")
    #expect(!offered.contains(one.never))
  }

  @Test func `the manual page holds every verb and every option`() throws {
    let page = try Tool.run(["manual"]).out.replacing("\\-", with: "-")
    let help = try Tool.run(["--help"]).out
    let verbs = help.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { !$0.hasPrefix("--") && Int($0) == nil }
    #expect(verbs.count > 12)
    for verb in verbs {
      #expect(page.contains("\n.SS \(verb)"), "\(verb)")
      let own = try Tool.run([verb, "--help"]).out
      for line in own.split(separator: "\n") where line.hasPrefix("  --") {
        let option = line.split(separator: " ")[0].prefix { $0 != "[" }
        #expect(page.contains("\n.B \(option)"), "\(verb) \(option)")
      }
    }
    for code in 0...6 { #expect(page.contains("\n.B \(code)\n")) }
    // No line that the formatter would take for a request it does not know.
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      let request = line.dropFirst().prefix { $0 != " " }
      #expect(["TH", "SH", "SS", "TP", "PP", "B", "I", "nf", "fi"].contains(request), "\(line)")
    }
  }

  @Test func `progress for programs is a JSON object on each line`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool.run(
      ["conformance", "--progress", "ndjson"]
        + ["READ-01", "READ-02", "READ-03"].flatMap { ["--filter", $0] }, in: folder)
    #expect(result.code == 0)
    var events: [String] = []
    var done: [Int] = []
    for line in result.err.split(separator: "\n") {
      let event = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      events.append(try #require(event["event"] as? String))
      if events.last == "progress" {
        done.append(try #require(event["done"] as? Int))
        #expect(event["total"] as? Int == 3)
      }
    }
    #expect(done == [1, 2, 3])
    #expect(events.last == "end")
    #expect(
      try Tool.run(["conformance", "--progress", "bar"]).err.contains("expected auto, ndjson"))
  }
}
