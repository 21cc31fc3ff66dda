import Evidence
import Foundation
import Testing

@testable import Reporting

/// What each file says of each verdict; Tests/Clients/read_verdicts.py has the readers themselves.
@Suite struct `The files of an examination` {
  static let examination: Examination = {
    var verdicts = Verdict.State.allCases.enumerated().map { place, state in
      Verdict(
        id: "READ-0\(place + 1)", tier: "documented", level: "required",
        wording: "It MUST <hold> & say \"so\" #\(place).", state: state,
        reason: state == .holds ? nil : "because\nof 'this'",
        expected: state == .violated ? "1, not 2" : nil,
        observed: state == .violated ? "2" : nil, milliseconds: 12.34, probes: 1, assertions: 2,
        seed: 0xfeed, repro: state.isBad ? "realm-bench repro READ-0\(place + 1)" : nil)
    }
    verdicts[0].source = "S0 “Boats” 3 (0123abcd)"
    var known = verdicts[1]
    known.id = "WRITE-01"
    known.known = "since ever"
    var informative = verdicts[1]
    informative.id = "WRITE-02"
    informative.level = "informative"
    var examination = Examination(
      engine: "reference", engineVersion: "1.0", seed: 0xfeed,
      verdicts: verdicts + [known, informative])
    examination.coverage = .init(sentences: 9, binding: 6, probed: 5)
    return examination
  }()

  @Test func `count every state in JSON and say what is known`() throws {
    let text = ConformanceFiles.json(Self.examination)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let counts = try #require(json["counts"] as? [String: Int])
    #expect(json["schema"] as? Int == 1)
    #expect(
      counts == [
        "rules": 9, "holds": 1, "violated": 3, "skipped": 1, "vacuous": 1, "flaky": 1,
        "untested": 1, "error": 1,
      ])
    let rules = try #require(json["rules"] as? [[String: Any]])
    for key in ["id", "tier", "state", "ms", "assertions", "seed"] {
      #expect(rules.allSatisfy { $0[key] != nil }, "every rule has \(key)")
    }
    #expect(rules[7]["known"] as? String == "since ever")
    #expect(rules[0]["source"] as? String == "S0 “Boats” 3 (0123abcd)")
    #expect((json["coverage"] as? [String: Int])?["binding"] == 6)
  }

  @Test func `list what a budget did not hold, whole families by their ends`() {
    var left = Self.examination
    for place in left.verdicts.indices where place != 1 {
      left.verdicts[place].state = .skipped
      left.verdicts[place].skip = .budget
    }
    left.moments = ["published"]
    left.coverage?.rules = 9
    let said = ConformanceText().report(left)
    #expect(
      said.contains(
        "left out: 8 rules, as the budget did not hold them: READ-01 READ-03 READ-04 READ-05 "),
      "\(said)")
    #expect(said.contains("WRITE-01…02") && !said.contains("moments of the engine"))
    #expect(!ConformanceText().report(Self.examination).contains("left out"))
  }

  @Test func `say of a part that it is one`() throws {
    var part = Self.examination
    part.coverage?.rules = 369
    let html = ConformanceSection(part).html
    #expect(html.contains("8 of the suite's 369 rules were asked: what this page says"))
    #expect(html.contains("are probed by the whole suite"))
    // The page said it behind its first screen, and nothing else did.
    let told = "; 8 of the suite's 369 rules were asked"
    #expect(ConformanceSection(part).sentence.contains(told))
    #expect(ConformanceText().summary(part).contains(told))
    func asked(_ examination: Examination) throws -> [String: Int]? {
      let text = ConformanceFiles.json(examination)
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return json?["asked"] as? [String: Int]
    }
    #expect(try asked(part) == ["rules": 8, "suite": 369])
    part.coverage?.rules = 9
    #expect(try asked(part) == ["rules": 8, "suite": 9])
    #expect(!ConformanceSection(part).html.contains("rules were asked"))
    #expect(!ConformanceText().summary(part).contains("rules were asked"))
    part.verdicts[0].state = .skipped
    part.verdicts[0].skip = .budget
    #expect(ConformanceText().summary(part).contains("; 7 of the suite's 9 rules were asked"))
  }

  @Test func `name what a skipped rule lacked`() throws {
    var examination = Self.examination
    let place = try #require(examination.verdicts.firstIndex { $0.state == .skipped })
    examination.verdicts[place].skip = .noHooks
    let json = ConformanceFiles.json(examination)
    #expect(json.contains("\"class\" : \"engine\"") && json.contains("\"code\" : \"no-hooks\""))
    let rows = CSV.rows(of: ConformanceFiles.csv(examination))
    #expect(
      rows[0].suffix(6) == ["skip_class", "skip_code", "rfc_level", "marks", "issue", "expires"])
    #expect(rows[place + 1].suffix(6).prefix(2) == ["engine", "no-hooks"])
    #expect(ConformanceSection(examination).html.contains("(engine, no-hooks)"))
    // The terminal counted it and said nothing.
    examination.verdicts[place].reason = "a probe: it lacks hooks"
    let id = examination.verdicts[place].id
    let told = "skipped \(id): a probe: it lacks hooks"
    #expect(ConformanceText().report(examination).contains(told))
    let many = (0..<12).map { _ in examination.verdicts[place] }
    examination.verdicts += many
    #expect(ConformanceText().report(examination).contains("3 rules more, which --verbose names"))
    #expect(!ConformanceText(isVerbose: true).report(examination).contains("rules more"))
  }

  @Test func `let TAP expect what is known to fall`() {
    let lines = ConformanceFiles.tap(Self.examination).split(separator: "\n")
    #expect(lines[0] == "TAP version 14" && lines[1] == "1..9")
    #expect(
      lines.contains { $0.hasPrefix("not ok 8 - WRITE-01") && $0.hasSuffix("# TODO since ever") })
    #expect(lines.contains { $0.hasPrefix("not ok 9 ") && $0.hasSuffix("# TODO informative") })
    #expect(lines.contains { $0.hasPrefix("not ok 2 ") && !$0.contains("TODO") })
    #expect(lines.count { $0.hasPrefix("ok ") } == 3)
    #expect(lines.count { $0.contains("# SKIP") } == 2)
  }

  @Test func `let JUnit fail for what is news only`() {
    let text = ConformanceFiles.junit(Self.examination)
    #expect(
      text.contains(
        "<testsuites name=\"realm-bench\" tests=\"9\" failures=\"1\" errors=\"3\" skipped=\"4\""))
    #expect(text.components(separatedBy: "<failure ").count - 1 == 1)
    #expect(text.components(separatedBy: "<error ").count - 1 == 3)
    #expect(text.components(separatedBy: "<skipped ").count - 1 == 4)
    #expect(text.contains("violated, known; since ever"))
    #expect(!text.contains("<hold>") && text.contains("&lt;hold&gt; &amp; say"))
    let parser = XMLText(text)
    #expect(parser.isWellFormed)
  }

  @Test func `give CSV a row for each rule, quoted where it must be`() {
    let rows = CSV.rows(of: ConformanceFiles.csv(Self.examination))
    #expect(rows.count == 10)
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    #expect(rows[0][12..<16] == ["known", "source", "skip_class", "skip_code"])
    #expect(rows[2][9] == "1, not 2" && rows[8][12] == "since ever")
  }

  @Test func `paint the badge red for news only`() {
    var examination = Self.examination
    #expect(ConformanceFiles.badge(examination).contains("#b3261e"))
    examination.verdicts.removeAll { $0.state.isBad && !$0.isForgiven }
    #expect(!ConformanceFiles.badge(examination).contains("#b3261e"))
    #expect(ConformanceFiles.badge(examination).contains(">1/5<"))
    // A few rules that were asked are not the catalogue.
    examination.verdicts.removeAll { $0.state != .holds }
    #expect(ConformanceFiles.badge(examination).contains("#2e7d32"))
    examination.coverage = .init(sentences: 9, binding: 6, probed: 5)
    examination.coverage?.rules = 395
    let part = ConformanceFiles.badge(examination)
    #expect(part.contains("#8a6d00") && part.contains(">1/1, a part<"))
    #expect(XMLText(ConformanceFiles.badge(examination)).isWellFormed)
  }

  @Test func `tell the terminal what was expected, observed, known, and how to see it again`() {
    let text = ConformanceText().report(Self.examination)
    for words in [
      "expected  1, not 2", "observed  2", "known     since ever",
      "again     realm-bench repro READ-02", "3 violated", "(2 known)",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(ConformanceText(usesColour: true).report(Self.examination).contains("\u{1b}[31m"))
    #expect(!text.contains("\u{1b}"))
  }

  @Test func `list under a pull request what fell`() {
    var run = Run()
    run.asked.verb = "conformance"
    run.examination = Self.examination
    let text = SummaryMarkdown.text(run)
    #expect(!text.contains("| benchmark |"))
    #expect(text.components(separatedBy: "| ✕ ").count - 1 == 6)
    #expect(text.contains("✕ violated, known") && text.contains("`realm-bench repro READ-02`"))
  }

  @Test func `show which mutant fell to which rule`() throws {
    var examination = Self.examination
    let row = KillMatrix.Row(
      mutant: "mute", story: "says nothing", caughtBy: ["READ-01"], missedBy: ["READ-02"])
    examination.kills = KillMatrix(rows: [row], rulesWithoutMutant: [])
    #expect(
      CSV.rows(of: ConformanceFiles.kills(examination)) == [
        ["mutant", "story", "READ-01", "READ-02"], ["mute", "says nothing", "caught", "missed"],
      ])
    #expect(!ConformanceSection(examination).html.contains("pairs, of which"))
    examination.kills?.rows[0].alsoCaughtBy = ["READ-04"]
    let whole = CSV.rows(of: ConformanceFiles.kills(examination))
    #expect(whole[0].count == 2 + examination.verdicts.count { $0.state != .untested })
    #expect(whole[1].prefix(6) == ["mute", "says nothing", "caught", "missed", "holds", "also"])
    let html = ConformanceSection(examination).html
    #expect(html.contains("All 8 pairs, of which 2 fell") && html.contains(">●✕·○"), "\(html)")
    #expect(XMLText(html).isWellFormed)
  }

  @Test func `tell a mutant that no rule could be tried on from one that survived`() throws {
    var examination = Self.examination
    func row(_ name: String, caught: [String] = [], missed: [String] = [], skipped: [String]?)
      -> KillMatrix.Row
    {
      KillMatrix.Row(
        mutant: name, story: "", caughtBy: caught, missedBy: missed, skippedBy: skipped)
    }
    let kills = KillMatrix(
      rows: [
        row("untyped", skipped: ["READ-01"]),
        row("mute", missed: ["READ-02"], skipped: ["READ-01"]),
        row("deaf", caught: ["READ-02"], skipped: ["READ-01"]), row("idle", skipped: nil),
      ], rulesWithoutMutant: [])
    #expect(kills.rows.map(\.outcome) == [.untried, .survived, .caught, .survived])
    #expect(kills.survivors == ["mute", "idle"] && kills.untried == ["untyped"])
    examination.kills = kills
    #expect(
      ConformanceText().summary(examination).contains("1 of 3 mutants caught, 1 not tried"))
    #expect(ConformanceText().matrix(kills).contains("untyped  not tried  skipped: READ-01"))
    #expect(
      ConformanceText().matrix(kills).hasSuffix(
        "1 rule fell to a mutant, 0 missed theirs, 0 are unproven, 0 cannot fall\n"))
    #expect(ConformanceFiles.kills(examination).contains("untyped,,skipped,"))
    // Nothing is said of rules where only mutants were asked.
    var unasked = examination
    unasked.verdicts = []
    let told = ConformanceText().report(unasked)
    #expect(told.contains("no rule before the honest engine; 1 of 3 mutants caught"))
    #expect(told.contains("mute") && !told.contains("family") && !told.contains("0 rules"))
    let matrix = CSV.rows(of: ConformanceFiles.kills(unasked))
    #expect(matrix == CSV.rows(of: ConformanceFiles.kills(examination)))
    #expect(ConformanceSection(examination).html.contains("– not tried"))
    // The shards of one matrix: what one could not try, another did.
    let other = KillMatrix(
      rows: [row("untyped", caught: ["READ-02"], skipped: nil)], rulesWithoutMutant: [])
    #expect(kills.merged(with: other).rows[0].outcome == .caught)
  }

  @Test func `show what was explored, and how a failure is shown again`() {
    var examination = Self.examination
    #expect(!ConformanceSection(examination).html.contains("explored"))
    examination.explorations = [
      .init(
        kind: .models, name: "model", rules: ["READ-05"], seed: 1, count: 1200,
        detail: "in 12 programs"),
      .init(
        kind: .schedules, name: "two", rules: ["WRITE-01"], seed: 1, count: 3,
        failure: .init(sentence: "two <at once>", repro: "realm-bench repro WRITE-01 --schedule AB")
      ),
    ]
    let html = ConformanceSection(examination).html
    #expect(html.contains("in 12 programs") && html.contains("✕ broken"))
    #expect(html.contains("two &lt;at once&gt;; again: realm-bench repro WRITE-01 --schedule AB"))
    #expect(XMLText(html).isWellFormed)
  }

  @Test func `show sources and coverage on the page`() {
    let html = ConformanceSection(Self.examination).html
    #expect(html.contains("S0 “Boats” 3 (0123abcd)"))
    #expect(html.contains("9 sentences of Realm's documents: 6 bind"))
    #expect(html.contains("WRITE-01 violated, known"))
    #expect(!html.contains("<hold>"))
  }
}

@Suite struct `Several examinations` {
  func examination(_ engine: String, _ version: String, _ states: [String: Verdict.State])
    -> Examination
  {
    Examination(
      engine: engine, engineVersion: version, seed: 1,
      verdicts: states.sorted { $0.key < $1.key }.map { id, state in
        Verdict(id: id, tier: "documented", level: "required", wording: "It MUST.", state: state)
      })
  }

  @Test func `of one engine are put together where they are shards`() {
    let merged = Examination.merged([
      examination("a", "1", ["READ-01": .holds, "WRITE-01": .holds]),
      examination("a", "1", ["READ-02": .violated, "READ-03": .holds]),
    ])
    #expect(merged.count == 1)
    #expect(merged[0].verdicts.map(\.id) == ["READ-01", "READ-02", "READ-03", "WRITE-01"])
  }

  @Test func `of engines and versions stand side by side, differences first`() throws {
    let merged = Examination.merged([
      examination("a", "1", ["READ-01": .holds, "READ-02": .holds]),
      examination("a", "2", ["READ-01": .holds, "READ-02": .violated]),
      examination("b", "1", ["READ-01": .holds]),
      examination("a", "1", ["READ-01": .holds, "READ-02": .holds]),
    ])
    let matrix = ConformanceMatrix(merged)
    #expect(matrix.names == ["a 1", "a 2", "b 1", "a 1 #2"])
    #expect(
      CSV.rows(of: matrix.csv) == [
        ["id", "a 1", "a 2", "b 1", "a 1 #2"],
        ["READ-01", "holds", "holds", "holds", "holds"],
        ["READ-02", "holds", "violated", "", "holds"],
      ])
    #expect(
      matrix.sentence
        == "4 examinations side by side: 1 of 2 rules got different verdicts.")
    let html = matrix.section.html
    let first = try #require(html.range(of: ">READ-02<"))
    let second = try #require(html.range(of: ">READ-01<"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(matrix.text.contains("READ-02    a 1 holds, a 2 violated, b 1 not asked"))
  }

  @Test func `say who decided of an engine that is a library behind a façade`() {
    var other = examination("b", "1", ["READ-01": .holds, "READ-02": .violated])
    other.verdicts[0].decidedBy = .library
    other.verdicts[1].decidedBy = .facade
    other.verdicts[1].known = "a line of its source"
    let own = examination("a", "1", ["READ-01": .holds, "READ-02": .holds])
    let matrix = ConformanceMatrix([own, other])
    #expect(
      CSV.rows(of: matrix.csv) == [
        ["id", "a 1", "b 1", "b 1 decided by"],
        ["READ-01", "holds", "holds", "realm-core"],
        ["READ-02", "holds", "violated", "façade"],
      ])
    #expect(matrix.section.html.contains("✓ holds; decided by realm-core"))
    #expect(matrix.section.html.contains("a line of its source"))
    #expect(ConformanceSection(other).sentence.contains("decided 1 by realm-core, 1 by façade"))
    #expect(!ConformanceSection(own).sentence.contains("decided"))
  }
}

/// Whether every tag is closed, in order: as much of a parser as the files need.
private struct XMLText {
  let isWellFormed: Bool

  init(_ text: String) {
    var open: [Substring] = []
    var sound = true
    for tag in text.matches(of: /<(\/?)([A-Za-z]+)([^<>]*?)(\/?)>/) {
      if !tag.1.isEmpty {
        if open.popLast() != tag.2 { sound = false }
      } else if tag.4.isEmpty {
        open.append(tag.2)
      }
    }
    isWellFormed = sound && open.isEmpty
  }
}

extension ConformanceSection {
  fileprivate var html: String { sections.map(\.html).joined() }
}
