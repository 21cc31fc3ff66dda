import Evidence
import Foundation
import Harness

/// Two builds against each other: paired rounds in random order, screened, confirmed, with a control.
///
/// The procedure is that of docs/METHOD.md. One noisy minute hits both sides of a pair, a first-slot penalty
/// hits both alike because the order is balanced and shuffled, and a build against itself says what the
/// session cannot see.
package final class Duel {
  package struct Setting: Sendable {
    package var screenRounds = Decision.screenRounds
    package var confirmRounds = Decision.confirmRounds
    package var controlCases = 5
    package var countRounds = 3
    package var q = Decision.q
    package init() {}
  }

  private let request: RunRequest
  private let plan: Plan
  private let setting: Setting
  private let a: any RoundRunner
  private let b: any RoundRunner
  private let scratch: URL
  private var generator: SeededGenerator
  private var samples: [Sample] = []
  private var latencies: [LatencyRecord] = []
  private var record: RunDirectory?
  private var voids = 0
  private var allowedVoids = 0
  private var round = 0
  private let isStopped: () -> Bool
  private let say: (String) -> Void
  private let pace: () -> Pace

  /// `pace` is read around every pair; tests give one that does not depend on the machine.
  package init(
    _ request: RunRequest, base: any RoundRunner, candidate: any RoundRunner, scratch: URL,
    setting: Setting = Setting(), catalogue: [Benchmark] = Catalogue.all,
    isStopped: @escaping () -> Bool = { false }, say: @escaping (String) -> Void = { _ in },
    pace: @escaping () -> Pace = Pace.read
  ) throws {
    self.request = request
    self.pace = pace
    self.setting = setting
    self.scratch = scratch
    a = base
    b = candidate
    self.isStopped = isStopped
    self.say = say
    plan = try Plan(request, catalogue: catalogue)
    generator = SeededGenerator(seed: derivedSeed(request.seed, "duel"))
  }

  private struct Stopped: Error {}

  /// Values of one metric of one case, by side, in the order of the pairs.
  private typealias Pairs = [Case: [String: (a: [Double], b: [Double])]]

  package func run(
    into directory: URL, environment: Environment, sides: (a: Comparison.Side, b: Comparison.Side)
  ) throws -> Run {
    var run = Run()
    run.id = directory.lastPathComponent
    run.version = request.version
    run.started = Timestamp.utc()
    run.environment = environment
    run.asked.verb = "ab"
    run.asked.filters = request.filters
    run.asked.engines = request.engines
    run.asked.seed = request.seed
    run.asked.command = request.command
    run.asked.rounds = setting.screenRounds
    record = try RunDirectory.create(at: directory, run: run)
    if request.out == nil { record?.becomeLatest() }
    do {
      run.comparison = try judge(sides)
      run.state = .finished
    } catch is Stopped {
      run.state = .interrupted
    }
    run.finished = Timestamp.utc()
    run.results = Summary.results(samples, latencies: latencies)
    try record?.write(run)
    return run
  }

  private func judge(_ sides: (a: Comparison.Side, b: Comparison.Side)) throws -> Comparison {
    let cases = plan.cases
    let controls = Array(cases.shuffled(using: &generator).prefix(setting.controlCases))
    allowedVoids = (setting.screenRounds * cases.count) / 4
    say("control: A against itself, \(controls.count) measurements, \(setting.screenRounds) rounds")
    let controlPairs = try rounds(controls, setting.screenRounds, against: a, sideB: "A'")
    let control = try judgeControl(controls, controlPairs)
    say("screen: \(cases.count) measurements, \(setting.screenRounds) rounds")
    let screened = try rounds(cases, setting.screenRounds, against: b, sideB: "B")
    say("count: what never varies")
    let untimed = try counted(cases)
    var settled: [Comparison.Row] = []
    var suspects: [Decision.Question] = []
    for one in cases {
      for question in questions(one, screened, control.floors) {
        if question.invalid == nil, Decision.isSuspect(question) {
          suspects.append(question)
        } else {
          settled.append(Decision.settled(question))
        }
      }
    }
    var confirmed: [Comparison.Row] = []
    if !suspects.isEmpty {
      let suspected = cases.filter { one in
        suspects.contains { $0.benchmark == one.name.description && $0.engine == one.engine }
      }
      let count = max(
        setting.confirmRounds,
        MultipleComparisons.fewestRounds(suspects.count, q: setting.q))
      say("confirm: \(suspected.count) suspects, \(count) fresh rounds")
      let fresh = try rounds(suspected, count, against: b, sideB: "B")
      let asked = suspected.flatMap { one in
        questions(one, fresh, control.floors).filter { question in
          suspects.contains {
            $0.benchmark == question.benchmark && $0.engine == question.engine
              && $0.metric == question.metric
          }
        }
      }
      confirmed = Decision.judge(asked, q: setting.q)
    }
    var reasons: [String] = []
    if control.summary.confirmed > 0 {
      reasons.append(
        "the control failed: a build against itself 'changed' on \(control.summary.confirmed) of "
          + "\(control.summary.benchmarks) benchmarks; durations of this session mean nothing")
    }
    if voids > 0 {
      reasons.append(
        "\(voids) rounds were void (the processor's pace or stolen time changed) and "
          + "\(voids > allowedVoids ? "could not all be repeated" : "were repeated")")
    }
    return Comparison(
      a: sides.a, b: sides.b, interleaved: true, trusted: control.summary.confirmed == 0,
      reasons: reasons, control: control.summary, q: setting.q,
      rows: untimed + confirmed + settled, voidRounds: voids)
  }

  private func judgeControl(
    _ controls: [Case], _ pairs: Pairs
  ) throws -> (summary: Comparison.Control, floors: [String: Double]) {
    var floors: [String: Double] = [:]
    var suspects: [Decision.Question] = []
    for one in controls {
      for var question in questions(one, pairs, [:]) where question.invalid == nil {
        let floor = NoiseFloor.estimate(question.differences, seed: request.seed)
        let name = question.metric.name
        floors["\(one.name) \(one.engine) \(name)"] = floor
        question.noiseFloor = floor
        if Decision.isSuspect(question) { suspects.append(question) }
      }
    }
    // What was not controlled itself gets the typical floor of its metric.
    for name in Set(floors.keys.compactMap { $0.split(separator: " ").last.map(String.init) }) {
      floors[name] = Quantiles.median(
        floors.filter { $0.key.hasSuffix(" \(name)") }.map(\.value))
    }
    var confirmed = 0
    if !suspects.isEmpty {
      let suspected = controls.filter { one in
        suspects.contains { $0.benchmark == one.name.description && $0.engine == one.engine }
      }
      say("control: \(suspected.count) suspects, \(setting.confirmRounds) fresh rounds")
      let fresh = try rounds(suspected, setting.confirmRounds, against: a, sideB: "A'")
      let asked = suspected.flatMap { questions($0, fresh, floors) }.filter { question in
        suspects.contains {
          $0.benchmark == question.benchmark && $0.engine == question.engine
            && $0.metric == question.metric
        }
      }
      confirmed =
        Decision.judge(asked, q: setting.q).filter {
          $0.verdict == .regressed || $0.verdict == .improved
        }.count
    }
    return (
      Comparison.Control(
        benchmarks: controls.count, suspects: suspects.count, confirmed: confirmed,
        noiseFloor: exp(floors["time"] ?? Quantiles.median(Array(floors.values) + [0])) - 1),
      floors
    )
  }

  private func questions(
    _ one: Case, _ pairs: Pairs, _ floors: [String: Double]
  ) -> [Decision.Question] {
    let metrics = pairs[one] ?? [:]
    if let wrong = samples.last(where: {
      $0.metric == "check" && $0.value != 1 && $0.benchmark == one.name.description
        && $0.engine == one.engine
    }) {
      return [
        Decision.Question(
          benchmark: one.name.description, engine: one.engine, metric: .named("time"), a: [], b: [],
          invalid: wrong.note)
      ]
    }
    let timed = metrics.keys.filter { Metric.named($0).kind == .timed && $0 != "cpu" }
    let head = timed.contains("time") ? "time" : timed.min { Metric.rank($0) < Metric.rank($1) }
    return timed.filter { $0 == head || $0 == "p99" }.sorted().map { name in
      let key = "\(one.name) \(one.engine) \(name)"
      return Decision.Question(
        benchmark: one.name.description, engine: one.engine, metric: .named(name),
        a: metrics[name]?.a ?? [], b: metrics[name]?.b ?? [],
        noiseFloor: floors[key] ?? floors[name] ?? 0)
    }
  }

  /// Paired rounds: each case's two sides run next to each other, in a balanced, shuffled order.
  private func rounds(
    _ cases: [Case], _ count: Int, against other: any RoundRunner, sideB: String
  ) throws -> Pairs {
    var orders: [Case: [Bool]] = [:]
    for one in cases {
      orders[one] = (0..<count).map { $0 < (count + 1) / 2 }.shuffled(using: &generator)
    }
    var pairs: Pairs = [:]
    for turn in 0..<count {
      round += 1
      for one in cases.shuffled(using: &generator) {
        let aFirst = orders[one]?[turn] ?? true
        var found: (RoundReport, RoundReport)
        while true {
          let before = pace()
          if isStopped() { throw Stopped() }
          let runners = aFirst ? [a, other] : [other, a]
          let reports = try PairedRounds(runners, in: scratch).run(
            runners.map { order(one, $0, .time) })
          found = aFirst ? (reports[0], reports[1]) : (reports[1], reports[0])
          let isVoid = pace().differs(from: before)
          if isVoid { voids += 1 }
          if !isVoid || voids > allowedVoids { break }
        }
        try keep(found.0, one, side: "A", position: aFirst ? 0 : 1)
        try keep(found.1, one, side: sideB, position: aFirst ? 1 : 0)
        guard found.0.failure == nil, found.1.failure == nil else { continue }
        for value in found.0.values {
          guard let match = found.1.values.first(where: { $0.metric == value.metric }) else {
            continue
          }
          pairs[one, default: [:]][value.metric, default: ([], [])].a.append(value.value)
          pairs[one, default: [:]][value.metric, default: ([], [])].b.append(match.value)
        }
      }
    }
    return pairs
  }

  private func order(_ one: Case, _ runner: any RoundRunner, _ pass: Track.Pass) -> RoundOrder {
    // The data of both sides come from the same seed; only programs differ. Shelves differ as formats may.
    let shelf = scratch.appendingPathComponent(
      (runner as? ChildRounds)?.executable.hashed ?? "fake")
    try? FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
    return RoundOrder(
      case: one, seed: request.seed, pass: pass, seconds: plan.seconds, workdir: shelf,
      timeout: request.timeout)
  }

  private func keep(_ report: RoundReport, _ one: Case, side: String, position: Int) throws {
    let rows = report.samples(
      one, side: side, round: round, position: position, seed: request.seed, utc: Timestamp.utc())
    var histograms: [LatencyRecord] = []
    if let histogram = report.histogram, report.failure == nil {
      histograms.append(
        LatencyRecord(
          benchmark: one.name.description, engine: one.engine, side: side, round: round,
          histogram: histogram))
    }
    samples += rows
    latencies += histograms
    try record?.append(rows, histograms)
  }

  /// Counted metrics: a few runs each, judged by their extremes.
  private func counted(_ cases: [Case]) throws -> [Comparison.Row] {
    var rows: [Comparison.Row] = []
    for one in cases {
      var values: [String: (a: [Double], b: [Double])] = [:]
      for _ in 0..<setting.countRounds {
        round += 1
        for (side, runner) in [("A", a), ("B", b)] {
          if isStopped() { throw Stopped() }
          let report = runner.run(order(one, runner, .count))
          try keep(report, one, side: side, position: 0)
          guard report.failure == nil else { continue }
          for value in report.values {
            if side == "A" {
              values[value.metric, default: ([], [])].a.append(value.value)
            } else {
              values[value.metric, default: ([], [])].b.append(value.value)
            }
          }
        }
      }
      for (name, sides) in values.sorted(by: { Metric.rank($0.key) < Metric.rank($1.key) })
      where !sides.a.isEmpty && !sides.b.isEmpty {
        let question = Decision.Question(
          benchmark: one.name.description, engine: one.engine, metric: .named(name), a: sides.a,
          b: sides.b)
        if let row = Decision.judgeUntimed(question) { rows.append(row) }
      }
    }
    return rows
  }
}

extension String {
  /// A short, stable name for a path.
  fileprivate var hashed: String { String(derivedSeed(0, self), radix: 36) }
}

/// How the processor fares: two of these around a pair show whether it can be believed.
package struct Pace {
  let loop: Double
  let ticks: Double
  let stolen: Double

  package static func read() -> Pace {
    let ticks = Machine.ticks()
    return Pace(
      loop: min(Stopwatch.pace(), Stopwatch.pace()), ticks: ticks.total, stolen: ticks.stolen)
  }

  func differs(from before: Pace) -> Bool {
    let ratio = loop / before.loop
    let stolenShare = (stolen - before.stolen) / max(1, ticks - before.ticks)
    return ratio > 1.1 || ratio < 1 / 1.1 || stolenShare > 0.02
  }
}
