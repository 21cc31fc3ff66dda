import EngineUnderTest
import Evidence
import Foundation
import Harness
import Synchronization
import Testing

@testable import Conformance

@Suite struct `The examiner` {
  /// A child in the shell that plays engine: what it does depends on the probe's name.
  static let script = """
    mark=$(printf '\\001')
    case "$3" in
      holds) printf '%s\\n' "${mark}held\t2" "${mark}done" ;;
      falls) printf '%s\\n' "${mark}violated\tnews\tsilence" "${mark}done" ;;
      skips) printf '%s\\n' "${mark}skipped\tno-type\tno actors here" "${mark}done" ;;
      empty) printf '%s\\n' "${mark}done" ;;
      # Sleeps are what these do wrong: each is stopped or found long before its time is over, but
      # that of late, which is slow and right.
      hangs) sleep 60 ;;
      late) sleep 2; printf '%s\\n' "${mark}held\t1" "${mark}done" ;;
      stalls) case "$*" in
          *--mutant*) sleep 60 ;;
          *) printf '%s\\n' "${mark}held\t1" "${mark}done" ;;
        esac ;;
      counts) echo asked >>"$TALLY"; printf '%s\\n' "${mark}held\t1" "${mark}done" ;;
      floods) while :; do echo flood; done ;;
      eats) x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done ;;
      breeds) (x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done) ;;
      forks) sleep 61 & printf '%s\\n' "${mark}held\t1" "${mark}done" ;;
      flees) setsid sh -c 'echo; exec sleep 62' >"${TMPDIR:-/tmp}/fled.$$" 2>&1 &
             while [ ! -s "${TMPDIR:-/tmp}/fled.$$" ]; do :; done; rm "${TMPDIR:-/tmp}/fled.$$"
             printf '%s\\n' "${mark}held\t1" "${mark}done" ;;
      wavers) if mkdir "$FLAG/once" 2>/dev/null; then
                printf '%s\\n' "${mark}violated\ta\tb" "${mark}done"
              else printf '%s\\n' "${mark}held\t1" "${mark}done"; fi ;;
      dies) printf '%s\\n' "${mark}before"; echo 'Fatal error: No.' >&2; kill -ILL $$ ;;
      mutable) case "$*" in
          *--mutant*) printf '%s\\n' "${mark}violated\tright\twrong" "${mark}done" ;;
          *) printf '%s\\n' "${mark}held\t1" "${mark}done" ;;
        esac ;;
    esac
    """

  static func rule(_ id: String, _ probes: Probe..., tier: Rule.Tier = .documented) -> Rule {
    Rule(id, tier, "It MUST.", source: "here", broken: "not", probes: probes)
  }

  static let nothing: Probe.Body = { _ in }
  static let catalogue = [
    rule("READ-01", Probe("holds", nothing)),
    rule("READ-02", Probe("holds", nothing), Probe("falls", nothing)),
    rule("READ-03", Probe("skips", nothing), tier: .implementation),
    rule("WRITE-01", Probe("empty", nothing)),
    rule("WRITE-02", .dies("dies", saying: "No.", body: nothing)),
    rule("WRITE-03", Probe("mutable", nothing)),
    Rule("WRITE-04", .documented, "It MAY.", source: "here", broken: "not", untested: "too dear"),
  ]

  func examiner(
    _ globs: [String] = [], catalogue: [Rule] = catalogue,
    change: (inout Examiner.Options) -> Void = { _ in }
  ) throws -> Examiner {
    var options = Examiner.Options()
    options.filters = globs
    options.deadline = .seconds(5)
    change(&options)
    return try Examiner(
      options, catalogue: catalogue, program: .init("/bin/sh", ["-c", Self.script, "sh"]),
      engine: .init(name: "shell", version: "1"))
  }

  // Broken engines that open the default realm left it where the examiner was called.
  @Test func `lets what a probe opens by default lie in the probe's own directory`() async throws {
    let (here, own) = (try Scratch("here"), try Scratch("own"))
    await #expect(processExitsWith: .success) {
      [here = here.path as String, own = own.path as String] in
      chdir(here)
      let rule = `The examiner`.rule("READ-01", Probe("opens") { _ = try $0.stray() })
      exit(
        ProbeRequest(rule: "READ-01", probe: "opens", seed: 1, directory: own).run(in: [rule]))
    }
    let names = { try FileManager.default.contentsOfDirectory(atPath: $0) }
    #expect(try names(here.path) == [])
    #expect(try names(own.path).contains("default.realm"))
  }

  @Test func `gives every rule its verdict, in order`() throws {
    var heard: [String] = []
    let examination = try examiner().examine { heard.append($0.id) }
    #expect(heard == Self.catalogue.map(\.id))
    #expect(
      examination.verdicts.map(\.state) == [
        .holds, .violated, .skipped, .vacuous, .holds, .holds, .untested,
      ])
    let fallen = examination.verdicts[1]
    #expect(fallen.expected == "news" && fallen.observed == "silence" && fallen.reason == "falls")
    #expect(fallen.repro == "realm-bench repro READ-02 --seed 0x1 --timeout 5000ms")
    #expect(examination.verdicts[6].reason == "too dear")
    #expect(!examination.isClean)
  }

  /// What a short patience broke held when it was asked again.
  @Test func `a repeat command waits as long as whoever fell was let`() throws {
    let verdicts = try examiner { $0.patience = .milliseconds(1) }.examine().verdicts
    #expect(
      verdicts[1].repro
        == "realm-bench repro READ-02 --seed 0x1 --timeout 5000ms --patience 1ms")
  }

  @Test(arguments: [
    ("floods", "stopped: it wrote more than 64 KiB of output"),
    ("eats", "stopped: it used more than 64 MiB of memory"),
    ("breeds", "stopped: it used more than 64 MiB of memory"),
    ("forks", "it left processes behind"),
    ("flees", "it left processes behind"),
  ])
  func `stops a probe that runs wild, and says what it did`(probe: String, said: String) throws {
    let examination = try examiner(
      catalogue: [Self.rule("READ-01", Probe(probe, Self.nothing))],
      change: {
        $0.deadline = .seconds(20)
        $0.output = 64 << 10
        $0.memory = 64 << 20
        $0.reruns = 1
      }
    ).examine()
    #expect(examination.verdicts[0].state == .error)
    #expect(examination.verdicts[0].reason == "\(probe): \(said)")
    #expect(!examination.isClean)
  }

  @Test func `begins nothing more once it is stopped`() throws {
    let asked = Mutex(0)
    let examination = try examiner(change: { $0.jobs = 1 }).examine(isStopped: {
      asked.withLock {
        $0 += 1
        return $0 > 2
      }
    })
    #expect(examination.isPartial == true)
    #expect(examination.verdicts.map(\.id) == ["READ-01", "READ-02"])
    #expect(try examiner().examine().isPartial == nil)
  }

  @Test func `calls flaky what several passes disagree on`() throws {
    let first = try examiner().examine()
    var second = first
    #expect(second.differences(from: first).isEmpty)
    second.verdicts[0].state = .violated
    second.verdicts[0].reason = "holds"
    #expect(second.differences(from: first) == ["READ-01"])
    let agreed = try #require(Examination(agreementOf: [first, first, second]))
    #expect(agreed.verdicts[0].state == .flaky)
    #expect(agreed.verdicts[0].reason == "run 1 said holds, run 3 violated: holds")
    #expect(agreed.verdicts.dropFirst().map(\.state) == first.verdicts.dropFirst().map(\.state))
    #expect(Examination(agreementOf: []) == nil)
  }

  @Test func `stops a probe that hangs and says so`() throws {
    let examination = try examiner(
      catalogue: [Self.rule("READ-01", Probe("hangs", Self.nothing))],
      change: {
        $0.deadline = .milliseconds(200)
        $0.reruns = 1
      }
    ).examine()
    #expect(examination.verdicts[0].state == .violated)
    #expect(examination.verdicts[0].observed == "it hung and was stopped after 200 ms")
  }

  @Test func `calls a rule flaky when the same seed gives another answer`() throws {
    let scratch = try Scratch("flaky")
    setenv("FLAG", scratch.path, 1)
    let examination = try examiner(
      catalogue: [Self.rule("READ-01", Probe("wavers", Self.nothing))]
    ).examine()
    #expect(examination.verdicts[0].state == .flaky)
  }

  @Test func `chooses by globs, tier and shard`() throws {
    #expect(try examiner(["READ-*", "!READ-02"]).rules.map(\.id) == ["READ-01", "READ-03"])
    #expect(try examiner(["!WRITE-*"]).rules.map(\.id) == ["READ-01", "READ-02", "READ-03"])
    let documented = try examiner(change: { $0.documentedOnly = true })
    #expect(!documented.rules.contains { $0.id == "READ-03" })
    let halves = try (1...2).flatMap { half in
      try examiner(change: { $0.shard = (half, 2) }).rules.map(\.id)
    }
    #expect(halves.sorted() == Self.catalogue.map(\.id).sorted())
  }

  @Test func `names the nearest rule when a glob matches nothing`() {
    #expect {
      _ = try examiner(["REED-01"])
    } throws: { error in
      "\(error)" == "no rule matches 'REED-01'; did you mean 'READ-01'?"
    }
  }

  @Test func `says which mutants were caught and which survived`() throws {
    let kills = try examiner().selfTest([
      Suspect(name: "wrong", story: "answers wrongly", caughtBy: ["WRITE-03"]),
      Suspect(name: "unseen", story: "changes nothing", caughtBy: ["WRITE-03", "READ-01"]),
    ])
    #expect(kills.survivors == ["unseen"])
    #expect(kills.rows[0].caughtBy == ["WRITE-03"])
    #expect(kills.rows[1].missedBy == ["READ-01"])
    #expect(kills.rulesWithoutMutant == ["READ-02", "READ-03", "WRITE-01", "WRITE-02"])
  }

  // A probe that takes its time ran out of the self-test's, before whatever engine, and each that
  // it was to catch counted as caught.
  @Test func `takes no haste of its own for a mutant's fault`() throws {
    let catalogue = [
      Self.rule("READ-01", Probe("late", Self.nothing)),
      Self.rule("READ-02", Probe("stalls", Self.nothing)),
    ]
    let kills = try examiner(catalogue: catalogue) { options in
      (options.deadline, options.haste) = (nil, .milliseconds(500))
    }.selfTest([
      Suspect(name: "unseen", story: "changes nothing", caughtBy: ["READ-01"]),
      Suspect(name: "stalling", story: "never ends", caughtBy: ["READ-02"]),
    ])
    #expect(kills.survivors == ["unseen"])
    #expect(kills.rows.last?.caughtBy == ["READ-02"])
  }

  @Test func `asks the honest engine once for what it did well in time`() throws {
    let scratch = try Scratch("tally")
    let tally = scratch.path + "/tally"
    setenv("TALLY", tally, 1)
    let rule = Self.rule("READ-01", Probe("counts", Self.nothing), Probe("falls", Self.nothing))
    let alibis = Alibis()
    func hold(_ probe: Int, within seconds: Int = 300) throws -> Bool {
      let judge = try examiner(catalogue: [rule]) { $0.deadline = .seconds(seconds) }
      return try alibis.hold(rule, rule.probes[probe], before: judge, below: scratch.url)
    }
    #expect(try hold(0) && hold(0))
    #expect(try String(contentsOfFile: tally, encoding: .utf8) == "asked\n")
    // Who has more time is another.
    #expect(try hold(0, within: 301))
    #expect(try String(contentsOfFile: tally, encoding: .utf8) == "asked\nasked\n")
    #expect(try !hold(1) && !hold(1))
  }

  @Test func `puts each mutant before every rule if asked to`() throws {
    let suspects = [
      Suspect(name: "mute", story: "says nothing", caughtBy: ["WRITE-03"]),
      Suspect(name: "sound", story: "nothing is wrong with it", caughtBy: ["READ-01"]),
    ]
    let matrix = try examiner().selfTest(suspects, everyPair: true)
    #expect(matrix.isWhole)
    #expect(matrix.rows.map(\.caughtBy) == [["WRITE-03"], []])
    #expect(matrix.rows.map(\.missedBy) == [[], ["READ-01"]])
    // READ-02 falls whoever stands before it.
    #expect(matrix.rows.map(\.alsoCaughtBy) == [["READ-02"], ["READ-02", "WRITE-03"]])
    #expect(matrix.survivors == ["sound"])
    let halves = try [1, 2].map { part in
      try examiner(change: { $0.shard = (part, 2) }).selfTest(suspects, everyPair: true)
    }
    #expect(halves.allSatisfy { !$0.survivors.contains("mute") })
    let sum = halves[0].merged(with: halves[1])
    #expect(sum.rows.map { Set($0.alsoCaughtBy ?? []) } == [["READ-02"], ["READ-02", "WRITE-03"]])
    #expect(sum.rows.map(\.missedBy) == [[], ["READ-01"]])
  }

  @Test func `leaves out mutants that it is not through with`() throws {
    let suspects = ["mute", "deaf"].map { Suspect(name: $0, story: "", caughtBy: ["WRITE-03"]) }
    let heard = Mutex<[String]>([])
    let matrix = try examiner(change: { $0.jobs = 1 }).selfTest(
      suspects, progress: { row in heard.withLock { $0.append(row.mutant) } },
      isStopped: { heard.withLock { !$0.isEmpty } })
    #expect(matrix.rows.first?.mutant == "mute" && matrix.survivors.isEmpty)
    #expect(matrix.rows.map(\.mutant) == heard.withLock { $0 })
  }

  @Test func `knows whether its canary sings`() throws {
    let singing = Suspect(name: "wrong", story: "", caughtBy: ["WRITE-03"])
    let mute = Suspect(name: "wrong", story: "", caughtBy: ["READ-01"])
    #expect(try examiner().canarySings(singing, catalogue: Self.catalogue) == .sings)
    #expect(try examiner().canarySings(mute, catalogue: Self.catalogue) == .silent)
  }
}

/// Time, days and what is known.
@Suite struct `Limits of an examination` {
  private func examine(
    _ change: (inout Examiner.Options) -> Void
  ) throws -> [Verdict] {
    try `The examiner`().examiner(["READ-0*"], change: change).examine().verdicts
  }

  @Test func `what a budget has no time for is skipped, and says so`() throws {
    let verdicts = try examine { $0.budget = .zero }
    #expect(verdicts.count == 3)
    for verdict in verdicts {
      #expect(verdict.state == .skipped && verdict.skip == .budget)
      #expect(verdict.skip?.kind == .budget && verdict.reason?.contains("was spent") == true)
    }
    #expect(try examine { $0.budget = .seconds(600) }.contains { $0.state == .holds })
  }

  // Five seconds took twenty: a rule that was begun in time was asked all of its probes, and each
  // again where it fell.
  @Test func `a budget is kept within a tenth, in the middle of a rule and of a probe`() throws {
    func judged(_ probes: Probe..., after: Duration = .zero) throws -> (Verdict, Duration) {
      let rule = Rule(
        "READ-01", .documented, "It MUST.", source: "here", broken: "not", probes: probes)
      let start = ContinuousClock.now
      let verdicts = try `The examiner`().examiner(
        catalogue: [rule],
        change: {
          $0.deadline = .seconds(60)
          $0.budget = .seconds(2)
          $0.begun = start - after
        }
      ).examine().verdicts
      return (verdicts[0], start.duration(to: .now))
    }
    func probe(_ name: String) -> Probe { Probe(name, `The examiner`.nothing) }
    // It would have hung for a minute, which is no violation now.
    let (hung, took) = try judged(probe("holds"), probe("hangs"), probe("holds"))
    #expect(hung.state == .skipped && hung.skip == .budget)
    #expect(hung.reason?.hasPrefix("hangs: the budget of 2 s ended while it ran") == true)
    #expect(took > .seconds(2) && took < .seconds(20), "\(took)")
    // What was seen in time counts, and is not asked again when it is over.
    let (fallen, _) = try judged(probe("falls"))
    #expect(fallen.state == .violated && fallen.reason == "falls")
    let (late, _) = try judged(probe("falls"), after: .seconds(3))
    #expect(late.state == .skipped && late.skip == .budget)
  }

  @Test func `a pass that had no time left does not differ from one that had`() throws {
    let whole = try `The examiner`().examiner(["READ-01"]).examine()
    var spent = whole
    spent.verdicts[0].state = .skipped
    spent.verdicts[0].skip = .budget
    #expect(spent.differences(from: whole).isEmpty && whole.differences(from: spent).isEmpty)
    #expect(Examination(agreementOf: [whole, spent])?.verdicts[0].state == .holds)
  }

  @Test func `what is known is told with its place, and for so long only`() throws {
    let departures = Catalogue.departures["realm"] ?? [:]
    #expect(!departures.isEmpty)
    for (rule, reason) in departures {
      let known = try #require(
        Catalogue.known(rule, of: "realm", isLibrary: true, today: "2026-11-24"))
      #expect(known.reason == reason && known.issue.expires == Catalogue.knownUntil)
      #expect(known.issue.url.hasPrefix("https://github.com/realm/realm-core/blob/"), "\(rule)")
      #expect(known.issue.url.contains("#L"), "\(rule)")
      #expect(Catalogue.known(rule, of: "realm", isLibrary: true, today: "2031-01-01") == nil)
    }
    #expect(
      Catalogue.place(of: "realm-core 14.14, object-store/shared_realm.cpp:699")
        == "https://github.com/realm/realm-core/blob/v14.14.0/src/realm/object-store/"
        + "shared_realm.cpp#L699")
    #expect(Catalogue.known("READ-01", of: "realm", isLibrary: true, today: "2026-11-24") == nil)
  }
}

@Suite struct `A crash state` {
  @Test func `is read back from its text`() throws {
    for pieces in [[], [0], [0, 1, 2, 5], [3, 7, 8, 9, 400]] {
      let state = CrashState(point: 12, pieces: pieces)
      #expect(CrashState(state.text) == state, "\(state.text)")
    }
    #expect(CrashState(point: 12, pieces: [0, 1, 2, 3, 7]).text == "12:0-3,7")
    for text in ["", "12", "12:3-1", "12:5,4", "x:1", "12:1-2-3", "-1:2", "12:99999999999"] {
      #expect(CrashState(text) == nil, "\(text)")
    }
  }

  @Test func `gets smaller by its pieces, at the same point`() {
    let state = CrashState(point: 4, pieces: [1, 2, 3, 9])
    #expect(state.shorter.contains(CrashState(point: 4, pieces: [3, 9])))
    #expect(state.shorter.allSatisfy { $0.point == 4 && $0.pieces.count < 4 })
    #expect(CrashState(point: 4, pieces: []).shorter.isEmpty)
  }
}

@Suite struct `A request to a child` {
  @Test func `is read back as it was written`() throws {
    var request = ProbeRequest(
      rule: "READ-01", probe: "a read, alone", seed: 0xfeed, directory: "/tmp/x y",
      mutant: "reads-anywhere", patience: .milliseconds(1500), role: "writer",
      words: ["--odd", "word"])
    #expect(try ProbeRequest(arguments: request.arguments) == request)
    request.isDeep = true
    #expect(try ProbeRequest(arguments: request.arguments) == request)
  }

  @Test func `that lacks something is refused`() {
    #expect(throws: ProbeRequest.Misunderstood.self) { try ProbeRequest(arguments: ["READ-01"]) }
  }

  @Test func `for a probe that is not there fails`() {
    let request = ProbeRequest(rule: "READ-01", probe: "none", seed: 1, directory: "/tmp")
    #expect(request.run(in: ExaminerTests.catalogue) == 1)
  }
}

private typealias ExaminerTests = `The examiner`

@Suite struct `A filter` {
  let ids = ["CONFINE-02", "CONFINE-12", "READ-01"]

  func chosen(_ globs: String...) throws -> [String] {
    let filter = try Filter(globs, over: ids)
    return ids.filter(filter.admits)
  }

  @Test func `takes globs without regard to case`() throws {
    #expect(try chosen("confine-*") == ["CONFINE-02", "CONFINE-12"])
    #expect(try chosen("*-0?") == ["CONFINE-02", "READ-01"])
    #expect(try chosen("*02", "read-01") == ["CONFINE-02", "READ-01"])
    #expect(try chosen("CONFINE-*", "!*-12") == ["CONFINE-02"])
  }

  @Test(arguments: [
    ("CONFINE", "no rule matches 'CONFINE'; did you mean 'CONFINE-*'?"),
    ("REED-01", "no rule matches 'REED-01'; did you mean 'READ-01'?"),
    ("!confime-*", "no rule matches 'confime-*'; did you mean 'CONFINE-*'?"),
    ("xyzzy", "no rule matches 'xyzzy'"),
  ])
  func `refuses a glob that matches nothing and names the nearest`(glob: String, said: String) {
    #expect {
      _ = try chosen(glob)
    } throws: { error in "\(error)" == said }
  }
}

extension Stage {
  /// Opens a realm without saying where.
  fileprivate func stray() throws {
    let realm = try Realm()
    equal(realm.isEmpty, true, "whether the default realm is empty")
  }
}
