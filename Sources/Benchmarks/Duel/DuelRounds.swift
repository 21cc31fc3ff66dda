import Evidence
import Foundation
import Harness

/// The rounds of a duel: measured in pairs, kept on the disk as they come, and handed out by side.
final class DuelRounds {
  /// Asked to end, by Ctrl-C perhaps.
  struct Stopped: Error {}

  /// Values of one case by metric, in the order of the pairs.
  typealias Values = [String: Pairs]

  /// Who runs, and under which letter its samples are kept.
  struct Side {
    let letter: String
    let runner: any RoundRunner
  }

  private let request: RunRequest
  private let seconds: Double
  private let scratch: URL
  private let isStopped: () -> Bool
  private let pace: () -> Pace
  private let progress: (Runner.Progress) -> Void
  private let ledger: DuelLedger?
  /// How often a case had no answer: what failed twice will fail again.
  private var failures: [Case: Int] = [:]
  /// What is measured at present, and how far that is.
  private var stage = (name: "", done: 0, total: 0, began: UInt64(0))
  private var generator: SeededGenerator
  private var record: RunDirectory?
  private(set) var samples: [Sample] = []
  private(set) var latencies: [LatencyRecord] = []
  private var round = 0
  /// Pairs that were void because the machine's pace changed, and how many may be repeated.
  private(set) var voids = 0
  var allowedVoids = 0
  /// A side whose build is too old to tell its stretches.
  private(set) var silentSide: String?

  init(
    _ request: RunRequest, seconds: Double, scratch: URL, ledger: DuelLedger? = nil,
    isStopped: @escaping () -> Bool, pace: @escaping () -> Pace,
    progress: @escaping (Runner.Progress) -> Void = { _ in }
  ) {
    self.progress = progress
    self.ledger = ledger
    self.request = request
    self.seconds = seconds
    self.scratch = scratch
    self.isStopped = isStopped
    self.pace = pace
    generator = SeededGenerator(seed: derivedSeed(request.seed, "duel"))
  }

  /// From now on what is measured goes to the disk; with what was kept before.
  func begin(_ record: RunDirectory) throws {
    self.record = record
    try record.append(samples, latencies)
  }

  func end(_ run: Run) throws { try record?.write(run) }

  /// From now on so many pairs or counts are of this.
  func enter(_ name: String, total: Int) { stage = (name, 0, total, Stopwatch.now) }

  /// More of the same than was foreseen.
  func extend(by more: Int) { stage.total += more }

  private func advance(_ one: Case) {
    stage.done += 1
    let elapsed = Double(Stopwatch.now - stage.began) / 1e9
    progress(
      Runner.Progress(
        done: stage.done, total: stage.total, current: "\(stage.name): \(one.name) (\(one.engine))",
        elapsed: elapsed,
        remaining: elapsed / Double(stage.done) * Double(max(0, stage.total - stage.done))))
  }

  func shuffled(_ cases: [Case]) -> [Case] { cases.shuffled(using: &generator) }

  /// Each case's two sides run next to each other, in a balanced, shuffled order.
  func pairs(_ cases: [Case], _ count: Int, _ a: Side, _ b: Side) throws -> [Case: Values] {
    var orders: [Case: [Bool]] = [:]
    for one in cases {
      orders[one] = (0..<count).map { $0 < (count + 1) / 2 }.shuffled(using: &generator)
    }
    var found: [Case: Values] = [:]
    for turn in 0..<count {
      round += 1
      for one in shuffled(cases) {
        guard failures[one, default: 0] < 2, ledger?.wants(one) ?? true else {
          advance(one)
          continue
        }
        let reports = try pair(one, a, b, aFirst: orders[one]?[turn] ?? true)
        advance(one)
        guard reports.a.failure == nil, reports.b.failure == nil else {
          fail(one)
          continue
        }
        noteTurns(reports.a, a.letter, reports.b, b.letter)
        DuelRounds.join(reports.a, reports.b, into: &found[one, default: [:]])
      }
    }
    return found
  }

  /// Remembers a side that knows nothing of stretches where the other one tells them.
  private func noteTurns(
    _ report: RoundReport, _ letter: String, _ other: RoundReport, _ otherLetter: String
  ) {
    func tells(_ report: RoundReport) -> Bool { report.values.contains { $0.turns != nil } }
    if tells(report) != tells(other) { silentSide = tells(report) ? otherLetter : letter }
  }

  private func fail(_ one: Case) {
    failures[one, default: 0] += 1
    if failures[one, default: 0] >= 2 { ledger?.giveUp(one) }
  }

  /// One pair of rounds, again while it is void and that is allowed.
  private func pair(
    _ one: Case, _ a: Side, _ b: Side, aFirst: Bool
  ) throws -> (a: RoundReport, b: RoundReport) {
    while true {
      if isStopped() { throw Stopped() }
      let (before, start) = (pace(), ledger?.elapsed() ?? 0)
      let patience = ledger?.patience(one) ?? .infinity
      let allowance = ledger?.allowance(one) ?? .infinity
      let runners = aFirst ? [a.runner, b.runner] : [b.runner, a.runner]
      let reports = try PairedRounds(runners, in: scratch).run(
        runners.map { order(one, $0, .time, patience: patience) })
      if reports.contains(where: { $0.failure != nil }), isStopped() { throw Stopped() }
      let isVoid = pace().differs(from: before)
      if isVoid { voids += 1 }
      let isAgain = isVoid && voids <= allowedVoids && ledger?.hasRoom(for: one) ?? true
      if let ledger {
        ledger.spent(
          pair: one, took: ledger.elapsed() - start,
          making: reports.reduce(0) { $0 + ($1.making ?? 0) }, isDone: !isAgain)
        if isCut(reports, patience, allowance) {
          ledger.cut(
            one,
            "a round did not end within the \(Seconds.text(patience)) that were left "
              + "for it")
        }
      }
      if isAgain { continue }
      try keep(reports[aFirst ? 0 : 1], one, side: a.letter, position: aFirst ? 0 : 1)
      try keep(reports[aFirst ? 1 : 0], one, side: b.letter, position: aFirst ? 1 : 0)
      return aFirst ? (reports[0], reports[1]) : (reports[1], reports[0])
    }
  }

  /// Whether a round was ended for the others' sake, sooner than it could be said to hang: what
  /// hangs has no answer, and is told so.
  private func isCut(_ reports: [RoundReport], _ patience: Double, _ allowance: Double) -> Bool {
    patience < min(request.timeout, allowance)
      && reports.contains { $0.failure != nil && $0.wall >= patience * 0.99 }
  }

  /// What both sides have a value of; what one alone has is remembered as missing in the other.
  static func join(_ a: RoundReport, _ b: RoundReport, into values: inout Values) {
    for value in a.values {
      guard let match = b.values.first(where: { $0.metric == value.metric }) else {
        values[value.metric, default: Pairs()].miss(inA: false)
        continue
      }
      values[value.metric, default: Pairs()].append(value, match)
    }
    for value in b.values where !a.values.contains(where: { $0.metric == value.metric }) {
      values[value.metric, default: Pairs()].miss(inA: true)
    }
  }

  /// Counts each side so many times, by turns.
  func counts(_ one: Case, _ count: Int, _ a: Side, _ b: Side) throws -> Values {
    var found: Values = [:]
    for _ in 0..<count where failures[one, default: 0] < 2 {
      round += 1
      defer { advance(one) }
      let start = ledger?.elapsed() ?? 0
      defer {
        if let ledger { ledger.spent(count: one, took: ledger.elapsed() - start) }
      }
      for side in [a, b] where ledger?.wants(one) ?? true {
        if isStopped() { throw Stopped() }
        let patience = ledger?.patience(one) ?? .infinity
        let allowance = ledger?.allowance(one) ?? .infinity
        let report = side.runner.run(order(one, side.runner, .count, patience: patience))
        if isCut([report], patience, allowance) {
          ledger?.cut(
            one,
            "a count did not end within the \(Seconds.text(patience)) that were left "
              + "for it")
        }
        try keep(report, one, side: side.letter, position: 0)
        guard report.failure == nil else {
          fail(one)
          continue
        }
        for value in report.values {
          if side.letter == a.letter {
            found[value.metric, default: Pairs()].append(a: value.value)
          } else {
            found[value.metric, default: Pairs()].append(b: value.value)
          }
        }
      }
    }
    return found
  }

  /// Why a case has no valid answer, if it has none, and on which side.
  func failure(of one: Case) -> (reason: String, side: Comparison.BrokenSide)? {
    let failed = samples.filter {
      $0.metric == "check" && $0.value != 1 && $0.benchmark == one.name.description
        && $0.engine == one.engine
    }
    guard let last = failed.last else { return nil }
    let inB = failed.contains { $0.side == "B" }
    let inA = failed.contains { $0.side != "B" }
    return (last.note, inA && inB ? .both : inB ? .b : .a)
  }

  /// What a program has to say at all: what it said instead of numbers, which is kept, or nil as
  /// soon as one case had one.
  ///
  /// Programs that hang are not waited for as often as there are cases.
  func silence(of side: Side, _ cases: [Case]) throws -> [(case: Case, said: String)]? {
    var reports: [(case: Case, report: RoundReport)] = []
    var waited = 0.0
    let patience = request.budget.map { $0 / 5 } ?? .infinity
    for one in cases where waited < min(5 * request.timeout, patience) {
      if isStopped() { throw Stopped() }
      var asked = order(one, side.runner, .time)
      asked.seconds = 0.01
      asked.timeout = min(asked.timeout, request.budget.map { $0 / 10 } ?? .infinity)
      var report = side.runner.run(asked)
      // Ctrl-C at a terminal ends the children, too: what they then do not say is no silence.
      if isStopped() { throw Stopped() }
      if report.failure == nil, report.checks > 0, !report.values.isEmpty { return nil }
      report.failure = report.failure ?? "no number came of it"
      reports.append((one, report))
      waited += report.wall
    }
    for (one, report) in reports { try keep(report, one, side: side.letter, position: 0) }
    return reports.map { ($0.case, $0.report.failure ?? "") }
  }

  private func order(
    _ one: Case, _ runner: any RoundRunner, _ pass: Track.Pass, patience: Double = .infinity
  ) -> RoundOrder {
    // The data of both sides come from the same seed; only programs differ. Shelves differ as
    // formats may.
    let program = (runner as? ChildRounds)?.executable ?? "fake"
    let shelf = scratch.appendingPathComponent(String(derivedSeed(0, program), radix: 36))
    try? FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
    return RoundOrder(
      case: one, seed: request.seed, pass: pass, seconds: seconds, workdir: shelf,
      timeout: min(request.timeout, patience))
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
}
