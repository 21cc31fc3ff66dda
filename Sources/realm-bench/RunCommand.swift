import Benchmarks
import Conformance
import Evidence
import Foundation
import Harness
import Reporting
import StandIns
import Synchronization

/// Runs benchmarks: samples are on the disk as they arrive, and the report before the process ends.
let runVerb = Verb(
  name: "run",
  summary: "runs benchmarks, writes a run directory and its reports",
  options: [
    .value("filter", "GLOB", "only these benchmarks; '!GLOB' leaves out", repeatable: true),
    .value(
      "engine", "NAME[,NAME]", "only these engines; 'list engines' says what this build holds"),
    .value(
      "engine-at", "NAME=PROGRAM", "another engine, measured by the build that holds it",
      repeatable: true),
    .value("threads", "1,2,4", "for benchmarks that take threads"), setOption,
    .flag("quick", "a first impression in under a minute"),
    .value("budget", "TIME", "as many rounds as fit, three at least; what does not fit is listed"),
    .value("rounds", "N", "so many rounds"),
    .value("round-length", "TIME", "how long a round is (default 250ms, 100ms with --quick)"),
    .value(
      "profile", "NAME", "where the time of one benchmark goes: folded stacks and a flame graph"),
    .value("resume", "DIR", "go on with an interrupted run, as it was asked for"),
    .flag(
      "with-conformance", "also judge the rules, by every --engine-at too, into the same report"),
    .flag("dry-run", "print the plan and stop"),
    .value("seed", "N", "for data, order and lots (default 1)"),
  ] + placeOptions + [
    .value("shard", "I/N", "every N-th benchmark from the I-th, with all its engines"),
    .value("timeout", "TIME", "for one child (default 2m)"),
    .value("format", "text|json|markdown|annotations", "what stdout gets (default text)"),
    ProgressStyle.option,
  ] + exportOptions
) { arguments in
  try ProgressStyle.take(arguments)
  var request = try runRequest(arguments)
  request.filters = arguments.strings("filter")
  request.engines = arguments.strings("engine").flatMap {
    $0.split(separator: ",").map(String.init)
  }
  if arguments.has("engine"), request.engines.isEmpty {
    throw UsageError("--engine '': expected the name of an engine; 'list engines' has them")
  }
  request.threads = try arguments.integers("threads", within: 1...1024) ?? []
  request.settings = try settings(arguments)
  request.isQuick = arguments.has("quick")
  request.budget = try arguments.seconds("budget")
  request.rounds = try arguments.integer("rounds", within: 1...10_000)
  request.roundSeconds = try roundLength(arguments)
  request.shard = try arguments.shard(environment: ProcessInfo.processInfo.environment)
  request.timeout = try arguments.seconds("timeout") ?? 120
  let resuming = try resumption(arguments, &request)
  // Nobody else goes on with it until its reports are there.
  defer { withExtendedLifetime(resuming) {} }
  if let absence = Examiner.absenceInSocket,
    arguments.has("dry-run") || request.engines.isEmpty
      || request.engines.contains(thisEngine.name)
  {
    throw UsageError(absence)
  }
  // Who goes on with a run has its guests, and its rules, again.
  let guests = arguments.strings("engine-at")
  request.guests = try (guests.isEmpty ? resuming?.run.guests ?? [] : guests)
    .map { try Guest($0, request) }
  let judges =
    arguments.has("with-conformance") || resuming?.run.asks(for: "with-conformance") ?? false
  let format = try arguments.choice("format", among: runFormats) ?? "text"
  let outputs = try ReportOutputs(arguments)
  if let name = arguments.string("profile") { return try profile(name, arguments, request) }
  if arguments.has("dry-run") {
    Terminal.lines(try Plan(request).text + "\n")
    return .fine
  }
  Interruption.listen()
  let start = Stopwatch.now
  var (run, directory) = try Session.run(
    request, resuming: resuming, isStopped: { Interruption.hasCome },
    plan: { Terminal.sayLines($0.text) },
    progress: { RunProgress.show($0) })
  RunProgress.finish()
  if run.state == .finished, let budget = request.budget {
    sayWhatIsLeft(of: budget, after: Double(Stopwatch.now - start) / 1e9, request.rounds)
  }
  if judges, !Interruption.hasCome {
    var options = Examiner.Options()
    options.seed = request.seed
    let place = try workplace(request.workdir?.path)
    run.examination = try Examiner(options, engine: thisEngine, scratch: place).examine()
    // Guests are judged by their own builds, for the same report.
    for guest in request.guests where !Interruption.hasCome {
      let found = try guest.examined(seed: request.seed, in: place)
      run.otherExaminations = (run.otherExaminations ?? []) + [found]
    }
  }
  try store(run, in: directory, outputs)
  Terminal.out(
    try rendered(run, format, page: directory.appendingPathComponent("report.html")))
  Terminal.say("report: \(directory.path)/report.html")
  if run.state == .interrupted { return .interrupted }
  if let failure = run.failure {
    Terminal.say("realm-bench: \(failure)")
    return .usage
  }
  return run.examination?.isClean ?? true ? .fine : .violated
}

/// Tells why a budget was not spent, where a tenth of it is left.
private func sayWhatIsLeft(of budget: Double, after elapsed: Double, _ rounds: Int?) {
  guard let used = Seconds.used(elapsed, of: budget) else { return }
  Terminal.say(
    "\(used) were used: "
      + (rounds.map { "nobody asked for more than \(Plural.text($0, "round"))" }
        ?? "the rest would not hold a round more"))
}

/// The run that `--resume` names, which also says what is asked: no other option may.
private func resumption(
  _ arguments: Arguments, _ request: inout RunRequest
) throws -> Resumption? {
  guard let directory = arguments.string("resume") else { return nil }
  for option in [
    "filter", "engine", "threads", "set", "quick", "budget", "rounds", "round-length", "seed",
    "shard", "out",
  ] where arguments.has(option) {
    throw UsageError("--resume goes on as was asked: --\(option) cannot be given with it")
  }
  let found = try Resumption.load(directory, commit: request.commit)
  request = found.request(like: request)
  request.out = URL(fileURLWithPath: directory)
  return found
}

/// Where a command works and leaves its results.
let placeOptions: [Option] = [
  .value("workdir", "DIR", "where realms and scratch files lie while it runs"),
  .value("out", "DIR", "where the results go (default results/<utc>-<machine>-<commit>)"),
]

let exportOptions: [Option] = [
  .value("html", "FILE", "the report as HTML, also there"),
  .value("csv", "FILE", "the results as CSV, also there"),
  .value(
    "export", "FORMAT", "jmh, bmf, github, openmetrics, benchfmt, hgrm, otava, influx, junit",
    repeatable: true), linkOption,
]

let linkOption = Option.value(
  "link-base", "URL", "where sources lie, for links of pages: https://host/owner/name/blob/commit/")

/// Where the names on pages lead to.
func links(_ arguments: Arguments) throws -> Links {
  guard let base = arguments.string("link-base") else { return Links() }
  guard Links.isPlace(base) else {
    throw UsageError(
      "--link-base '\(base)': expected where the repository can be read, such as "
        + "https://host/owner/name/blob/commit/")
  }
  return Links(base: base)
}

/// What every measuring verb is told alike.
func runRequest(_ arguments: Arguments) throws -> RunRequest {
  for option in ["workdir", "out"] where arguments.string(option) == "" {
    throw UsageError("--\(option) is empty, expected a directory")
  }
  var request = RunRequest()
  request.seed = try arguments.seed() ?? 1
  request.workdir = arguments.string("workdir").map { URL(fileURLWithPath: $0) }
  request.out = arguments.string("out").map { URL(fileURLWithPath: $0) }
  request.command = (["realm-bench"] + CommandLine.arguments.dropFirst().map(spelled))
    .joined(separator: " ")
  request.version = SourceStamp.version
  request.commit = SourceStamp.current.commit
  request.toolchain = "Swift \(RealmBench.swiftVersion)"
  return request
}

/// A word of the command line as a shell takes it again.
private func spelled(_ word: String) -> String {
  let isPlain =
    !word.isEmpty
    && word.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || $0.properties.numericType != nil
          || "-_./=,:+@%".unicodeScalars.contains($0))
    }
  return isPlain ? word : Run.quoted(word)
}

/// Reports that were asked for beside those of the run directory; checked before anything runs.
struct ReportOutputs {
  let html: String?
  let csv: String?
  let exports: [String]
  private(set) var links: Links

  init(_ arguments: Arguments) throws {
    links = try realm_bench.links(arguments)
    html = arguments.string("html")
    csv = arguments.string("csv")
    exports = arguments.strings("export")
    for name in exports {
      do { _ = try Exporter.named(name) } catch { throw UsageError("\(error)") }
    }
    for (option, path) in [("html", html), ("csv", csv)] {
      if let path { try checkWritable(path, option: option) }
    }
  }

  /// Keeps where sources lie with what was asked; what was kept counts where nothing is said.
  mutating func settle(_ run: inout Run) {
    if let base = links.base {
      run.asked.linkBase = base
    } else if let base = run.asked.linkBase, Links.isPlace(base) {
      links = Links(base: base)
    }
  }

  func write(_ run: Run) throws {
    if let html { try writeFile(RunReport(run, links: links).html, to: html) }
    if let csv { try writeFile(ResultsCSV.text(run), to: csv) }
  }
}

/// Writes everything that a finished or interrupted run leaves.
func store(_ run: Run, in directory: URL, _ outputs: ReportOutputs) throws {
  var (run, outputs) = (told(run), outputs)
  outputs.settle(&run)
  try RunDirectory.write(
    try RunDirectory.encode(run), to: directory.appendingPathComponent("run.json"))
  try ReportFiles.write(
    run, into: directory, exports: outputs.exports, links: outputs.links)
  try outputs.write(run)
}

/// The run with what its names stand for, so that a page can be made of it where no catalogue is.
func told(_ run: Run) -> Run {
  guard run.catalogue == nil else { return run }
  var run = run
  let families = Set(run.results.map(\.name.family))
  let rules = Set((run.examination?.verdicts ?? []).map(\.id))
  run.catalogue =
    Benchmarks.Catalogue.all.filter { families.contains($0.name) }.map {
      Run.Entry(name: $0.name, sentence: $0.sentence, source: $0.source)
    }
    + Conformance.Catalogue.all.filter { rules.contains($0.id) }.map {
      Run.Entry(name: $0.id, sentence: "", source: $0.place)
    }
  return run
}

/// What stdout may get of a run.
let runFormats = ["text", "json", "markdown", "annotations"]

/// `page`: where the report lies, for names in a terminal that lead there.
func rendered(_ run: Run, _ format: String, page: URL? = nil) throws -> String {
  switch format {
  case "json": try RunDirectory.encode(run)
  case "markdown": SummaryMarkdown.text(run)
  case "annotations": Annotations.text(run)
  default:
    if run.results.isEmpty, run.comparison == nil, let examination = run.examination {
      run.otherExaminations.map { ConformanceMatrix([examination] + $0).text }
        ?? ConformanceText().report(examination)
    } else {
      run.comparison.map { TextTable.comparison($0) { linked($0, to: $1, on: page) } }
        ?? TextTable.run(run) { linked($0, to: $1, on: page) }
    }
  }
}

private func linked(_ text: String, to name: String, on page: URL?) -> String {
  page.map { Terminal.linked(text, to: "\($0.absoluteString)#\(Links.anchor(name))") } ?? text
}

/// One line that is drawn over itself; nothing where stderr is no terminal.
enum RunProgress {
  static func show(_ progress: Runner.Progress) {
    if Terminal.progress == .ndjson {
      Terminal.tell(
        ProgressEvent(
          event: "progress", done: progress.done, total: progress.total, what: progress.current,
          elapsed: progress.elapsed, remaining: progress.remaining))
    }
    guard Terminal.showsProgress else { return }
    let start =
      "\(progress.done)/\(progress.total) · about \(Int(progress.remaining)) s left · "
    // One line, for only one is drawn over.
    let room = max(16, Terminal.columns - 1 - start.count)
    Terminal.draw(start + TextTable.shortened(Printable.line(progress.current), to: room))
  }

  static func finish() {
    if Terminal.progress == .ndjson { Terminal.tell(ProgressEvent(event: "end")) }
    if Terminal.showsProgress { Terminal.draw("") }
  }
}

/// Ctrl-C, a polite kill, or a terminal that goes away: the run ends after the child that is
/// running, and keeps what it has.
enum Interruption {
  private static let came = Atomic<Bool>(false)
  static var hasCome: Bool { came.load(ordering: .relaxed) }

  static func listen() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // `nohup` asks that a terminal that goes away be none of its concern.
      if number == SIGHUP, isIgnored(number) { continue }
      // Whoever started this process may have blocked them, and what is blocked is inherited.
      var own = sigset_t()
      sigemptyset(&own)
      sigaddset(&own, number)
      pthread_sigmask(SIG_UNBLOCK, &own, nil)
      signal(number) { number in
        Interruption.came.store(true, ordering: .relaxed)
        // The second one means it.
        signal(number, SIG_DFL)
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var present = sigaction()
    sigaction(number, nil, &present)
    return unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
