import Foundation
import Testing

/// What a shell offers behind what was typed: asked of the shells themselves.
@Suite struct `Completions` {
  static func program(_ name: String) -> URL? {
    ["/bin", "/usr/bin", "/usr/local/bin"].map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// A test that nobody can run is none, and where the gate runs scripts/setup has installed what
  /// it needs: there a shell that is missing is a failure.
  static func isAsked(_ name: String) -> Bool {
    program(name) != nil || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// Runs a script in a folder with a page, a folder, a name of two words and a baseline.
  private func run(_ name: String, _ script: String, _ flags: [String] = []) throws -> Tool.Result {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    for place in ["folder", ".realm-bench/baselines"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(place), withIntermediateDirectories: true)
    }
    for file in ["here.html", "two [words].html", ".realm-bench/baselines/main.json"] {
      try Data("{}".utf8).write(to: folder.appendingPathComponent(file))
    }
    return try Tool.run(
      flags + ["-c", script], in: folder,
      environment: ["tool": Tool.executable.path, "HOME": folder.path],
      executable: try #require(Self.program(name), "no \(name) here: scripts/setup installs it"))
  }

  struct Case: Sendable, CustomStringConvertible {
    let line: String
    let offered: [String]
    let never: String
    var description: String { line }

    init(_ line: String, _ offered: [String], never: String) {
      self.line = line
      self.offered = offered
      self.never = never
    }
  }

  private static let cases = [
    Case("ru", ["run"], never: "report"),
    Case("--", ["--help", "--version", "--realm-core"], never: "run"),
    Case("--realm-core x.so ru", ["run"], never: "report"),
    Case("--realm-core he", ["here.html"], never: "help"),
    Case("--realm-core=x.so run --fil", ["--filter"], never: "--help"),
    Case("run --fil", ["--filter"], never: "--format"),
    Case("run --quick ", [], never: "here.html"),
    Case("run --engine re", ["reference"], never: "report"),
    Case("run --engine reference,nu", ["reference,null"], never: "null"),
    Case("run --filter reads.by-p", ["reads.by-primary-key"], never: "writes"),
    Case("run --filter !reads.by-p", ["!reads.by-primary-key"], never: "reads.by-primary-key"),
    Case("run --set ro", ["rows="], never: "rows=100000"),
    Case("run --engine-at re", ["realm="], never: "reference="),
    Case("run --out ", ["folder"], never: "here.html"),
    Case("run --html ", ["here.html", "folder", "two [words].html"], never: "two"),
    Case("conformance --filter READ-0", ["READ-01", "READ-09"], never: "READ-10"),
    Case("conformance --engine ", [], never: "null"),
    Case("conformance --json he", ["here.html"], never: "folder"),
    Case("conformance --json --ht", ["--html"], never: "here.html"),
    Case("repro ASYNC-1", ["ASYNC-10"], never: "ASYNC-01"),
    Case("repro --deep --seed 3 ASYNC-1", ["ASYNC-10"], never: "here.html"),
    Case("repro ASYNC-10 ", [], never: "ASYNC-11"),
    Case("report --format ma", ["markdown"], never: "text"),
    Case("report --csv x f", ["folder"], never: "here.html"),
    Case("run --export open", ["openmetrics"], never: "otava"),
    Case("list ru", ["rules"], never: "mutants"),
    Case("list --json ru", ["rules"], never: "run"),
    Case("completions z", ["zsh"], never: "fish"),
    Case("completions zsh ", [], never: "bash"),
    Case("baseline de", ["delete"], never: "list"),
    Case("baseline list --", ["--replace"], never: "--json"),
    Case("baseline list ", [], never: "main"),
    Case("baseline show ", ["main"], never: "list"),
    Case("baseline --replace save x ", ["folder"], never: "main"),
    Case("baseline save run --re", ["--replace"], never: "--resume"),
    Case("compare folder ", ["folder", "@main"], never: "here.html"),
    Case("help ru", ["run"], never: "report"),
  ]

  /// Asks bash's completion as bash does: it splits words at some characters, too, and says which
  /// part of the last will be replaced.
  private static func ask(_ line: String, breaks: String = "=:@") -> String {
    var words: [String] = []
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      words.append("")
      for letter in word {
        let last = words[words.count - 1].last ?? letter
        if breaks.contains(last) != breaks.contains(letter) { words.append("") }
        words[words.count - 1].append(letter)
      }
    }
    let begun = words[words.count - 1]
    let replaced = begun.allSatisfy { breaks.contains($0) } ? "" : begun
    let spelled = words.map { "'\($0)'" }.joined(separator: " ")
    return """
      COMP_LINE="$tool "'\(line)'; COMP_WORDS=("$tool" \(spelled)); COMP_CWORD=\(words.count)
      _realm_bench "$tool" '\(replaced)'; printf '%s\\n' "${COMPREPLY[@]}"

      """
  }

  private static let bash = "eval \"$(\"$tool\" completions bash)\"\n"

  @Test(arguments: cases)
  func `bash offers what fits`(one: Case) throws {
    let result = try run("bash", "set -u; IFS=,\n" + Self.bash + Self.ask(one.line))
    #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    let offered = Set(result.out.split(separator: "\n").map(String.init))
    #expect(offered.isSuperset(of: one.offered), "\(offered)")
    #expect(!offered.contains(one.never))
  }

  /// However bash splits a line, it is told what stands for the part that it replaces.
  @Test(arguments: [
    Case("run --engine=re", ["reference", "--engine=reference"], never: ""),
    Case("run --engine=reference,nu", ["reference,null", "--engine=reference,null"], never: ""),
    Case(
      "run --filter=!reads.by-p", ["!reads.by-primary-key", "--filter=!reads.by-primary-key"],
      never: ""),
    Case("run --set=ro", ["rows=", "--set=rows="], never: ""),
    Case("run --set durability=tw", ["two-phase", "durability=two-phase"], never: ""),
    Case(
      "run --set=durability=none,tw", ["none,two-phase", "--set=durability=none,two-phase"],
      never: ""),
    Case("run --set nothing=tw", [], never: ""),
    Case("run --engine-at realm=he", ["here.html", "realm=here.html"], never: ""),
    Case("run --engine-at=realm=he", ["here.html", "--engine-at=realm=here.html"], never: ""),
    Case("run --html=he", ["here.html", "--html=here.html"], never: ""),
    Case("run --link-base https://h/x --format=ma", ["markdown", "--format=markdown"], never: ""),
    Case("trend --link-base https://h/x fo", ["folder", "folder"], never: ""),
    Case("calibrate --handicap time=0.2", ["0.2", "time=0.2"], never: ""),
    Case("compare @m", ["main", "@main"], never: ""),
  ])
  func `bash offers values behind an equals sign`(one: Case) throws {
    let result = try run("bash", Self.bash + Self.ask(one.line) + Self.ask(one.line, breaks: ""))
    let told = "\(result.out)\(result.err)"
    #expect(told.split(separator: "\n").map(String.init) == one.offered, "\(told)")
  }

  @Test func `bash finds files whose names must be quoted`() throws {
    let result = try run(
      "bash",
      Self.bash + #"""
        one() {
          COMP_LINE="$tool run --html $1" COMP_WORDS=("$tool" run --html "$1") COMP_CWORD=3
          _realm_bench "$tool" "$2"; printf '%s\n' "${COMPREPLY[@]}"
        }
        one '"two [' 'two ['; one "'two" two; one '~/tw' '~/tw'
        """#)
    let name = "two [words].html\n"
    #expect(result.out == name + name + "~/" + name, "\(result.out)\(result.err)")
  }

  /// bash looks for a completion by the word as it was typed.
  @Test func `bash knows a command whose word is quoted`() throws {
    let result = try run(
      "bash",
      Self.bash + #"""
        for word in '"realm-bench"' "'realm-bench'" '\realm-bench' 'realm-bench"' "realm-bench'"; do
          complete -p -- "$word" >/dev/null || echo "$word is unknown"
        done
        ln -s "$tool" "my realm-bench"
        for word in '"$HOME/my realm-bench"' '"${HOME}"/my\ realm-bench' "~/'my realm-bench'" \
          "'$HOME/my realm-bench'"; do
          COMP_LINE="$word baseline show " COMP_WORDS=("$word" baseline show '') COMP_CWORD=3
          COMPREPLY=(); _realm_bench "$word" ''; printf '%s\n' "${COMPREPLY[@]}"
        done
        """#)
    #expect(result.out == "main\nmain\nmain\nmain\n", "\(result.out)\(result.err)")
  }

  @Test(
    .enabled(if: isAsked("zsh"), "no zsh here: scripts/setup installs it"),
    arguments: ["", "autoload -Uz compinit; compinit -u -D", "setopt ksharrays shglob; set -u"])
  func `zsh takes them with its own system or without`(start: String) throws {
    // Without it, from the first prompt on.
    let result = try run(
      "zsh",
      """
      \(start)
      eval "$("$tool" completions zsh)" || exit 9
      for hook in ${precmd_functions[@]-}; do $hook; done; print -- ${_comps[realm-bench]}
      quoted='realm-bench"'; print -- ${_comps[$quoted]}
      asked() { kind= list= value=; _realm_bench_ask "$@"; print -- "$kind:$value"; }
      asked run --engine=re; asked repro --deep A; asked run --quick f; asked baseline show ''
      asked run --set ro; asked run --set rows=1; asked run --engine-at realm=x
      """, ["-f"])
    #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    let told = result.out.split(separator: "\n").map(String.init)
    #expect(
      told == [
        "_realm_bench", "_realm_bench", "lists:re", "words:A", ":f", "baselines:", "settings:ro",
        "lists:rows=1", "programs:realm=x",
      ])
  }

  @Test(
    .enabled(if: isAsked("fish"), "no fish here: scripts/setup installs it"),
    arguments: cases + [
      Case("run --set durability=tw", ["durability=two-phase"], never: "durability=none"),
      Case("run --set durability=none,tw", ["durability=none,two-phase"], never: "durability="),
      Case("run --set nothing=tw", [], never: "durability="),
      Case("run --engine-at realm=he", ["realm=here.html"], never: "realm="),
    ])
  func `fish offers what fits`(one: Case) throws {
    let result = try run(
      "fish", "\"$tool\" completions fish | source; complete -C \"$tool \"'\(one.line)'")
    #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    let offered = Set(
      result.out.split(separator: "\n").map { line in
        let word = line.prefix { $0 != "\t" }
        return String(word.hasSuffix("/") ? word.dropLast() : word)
      })
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
