import Evidence
import Foundation
import Harness
import Synchronization

/// Examines an engine: one child per probe, judged by what is left of it.
public struct Examiner: Sendable {
  public struct Options: Sendable {
    /// Globs over rule ids; `!` takes away. Empty for all.
    public var filters: [String] = []
    /// Only rules that Realm's documents state.
    public var documentedOnly = false
    /// The broken engine to put in place in every child.
    public var mutant: String?
    public var seed: UInt64 = 1
    /// Every n-th rule from the i-th; counted from 1.
    public var shard: (index: Int, count: Int)?
    /// Instead of each probe's own deadline.
    public var deadline: Duration?
    /// How long a probe of a broken engine may take in a self-test at first.
    public var haste = Duration.seconds(12)
    /// How many bytes a child may write, and how many it and its kin may have in memory.
    public var output = 4 << 20
    public var memory = 1 << 30
    /// How long a probe waits for what must happen: generous, for a machine that has much else to
    /// do is no violation.
    public var patience = Options.usualPatience
    public static let usualPatience = Duration.seconds(30)
    /// How many children at a time.
    public var jobs = 2
    /// How often a rule that fell is asked again, to tell a violation from a suite that wavers.
    public var reruns = 5
    /// Whether probes walk their axes whole.
    public var isDeep = false
    /// How long all of it may take, counted from `begun` and kept within a tenth: then nothing more
    /// is begun, and what still runs is ended. What was not asked by then is skipped, and says so.
    public var budget: Duration?
    /// When the budget began to run: as soon as somebody asks, for whoever waits counts all of it.
    public var begun = ContinuousClock.now
    /// How many times as long as on a machine at rest everything may take.
    public var slowness = 1.0
    /// The one program that probes with random ones run instead of drawing any; other probes are
    /// then not asked.
    public var program: String?
    /// The day on which it is judged, for what is known until some day: `2026-11-24`.
    public var today = String(Timestamp.utc().prefix(10))

    public init() {}
  }

  /// How to start a child: the program and what stands before the request's words.
  public struct Program: Sendable {
    public var executable: String
    public var arguments: [String]

    public init(_ executable: String = ChildProcess.thisProgram, _ arguments: [String] = ["probe"])
    {
      self.executable = executable
      self.arguments = arguments
    }
  }

  /// The name and version of what is examined, for the record.
  public struct Engine: Sendable {
    public var name: String
    public var version: String
    /// Whether it is a library behind a façade, so that verdicts say which of them decided.
    public var isLibrary: Bool
    /// The named instants of its work; nil of one that names none.
    public var moments: [String]?

    public init(
      name: String, version: String, isLibrary: Bool = false, moments: [String]? = nil
    ) {
      self.name = name
      self.version = version
      self.isLibrary = isLibrary
      self.moments = moments
    }
  }

  /// How many times as long a probe may take that walks its axes whole.
  static let depth = 20

  public let rules: [Rule]
  var options: Options
  let program: Program
  let engine: Engine
  public let scratch: URL

  /// Chooses the rules. Throws `Filter.MatchesNothing`.
  public init(
    _ options: Options = Options(), catalogue: [Rule] = Catalogue.all, program: Program = Program(),
    engine: Engine, scratch: URL = FileManager.default.temporaryDirectory
  ) throws {
    let filter = try Filter(options.filters, over: catalogue.map(\.id))
    var chosen = catalogue.filter { filter.admits($0.id) }
    if options.documentedOnly { chosen.removeAll { $0.tier != .documented } }
    // Of none all hold, which is no verdict; a part of several may be empty.
    if chosen.isEmpty { throw Filter.MatchesNothing.afterAll(options.filters) }
    if let shard = options.shard {
      chosen = chosen.enumerated().filter { $0.offset % shard.count == shard.index - 1 }
        .map(\.element)
    }
    rules = chosen
    self.options = options
    self.program = program
    self.engine = engine
    self.scratch = scratch
  }

  /// Lets probes wait so many times as long as on a machine at rest.
  public mutating func suit(_ slowness: Double) { options.slowness = slowness }

  /// Examines every chosen rule; `progress` hears each verdict, in the catalogue's order.
  ///
  /// Once `isStopped` says so no further rule is begun: what was found by then is the examination.
  public func examine(
    progress: (Verdict) -> Void = { _ in }, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws -> Examination {
    let place = try Scratch("conformance", in: scratch, isClaimed: true)
    var verdicts: [Verdict] = []
    try eachInOrder(
      rules,
      { rule in
        if isStopped() { return nil }
        return options.isSpent && rule.untested == nil
          ? unasked(rule) : try judge(rule, mutant: options.mutant, below: place.url)
      },
      { (verdict: Verdict?) in
        guard let verdict else { return }
        verdicts.append(verdict)
        progress(verdict)
      })
    var examination = unasked()
    examination.verdicts = verdicts
    if verdicts.count < rules.count { examination.isPartial = true }
    return examination
  }

  /// An examination before any rule was asked.
  public func unasked() -> Examination {
    var examination = Examination(
      engine: engine.name, engineVersion: engine.version, seed: options.seed,
      mutant: options.mutant, verdicts: [])
    examination.moments = engine.moments
    examination.coverage = DocumentCoverage.total
    // A part of the rules says nothing of the others: whoever shows this says how many were asked.
    examination.coverage?.rules = Catalogue.all.count
    return examination
  }

  // MARK: - One rule

  func judge(_ rule: Rule, mutant: String?, below directory: URL) throws -> Verdict {
    var verdict = Verdict(
      id: rule.id, tier: rule.tier.rawValue, level: rule.level.rawValue, wording: rule.wording,
      state: .holds, probes: rule.probes.count, seed: options.seed)
    verdict.source = rule.fullSource
    if let reason = rule.untested {
      verdict.state = .untested
      verdict.reason = reason
      return verdict
    }
    let started = ContinuousClock.now
    var deciders: Deciders = []
    var asked = 0
    var marks: Set<String> = []
    for probe in rule.probes where options.program == nil || probe.runsPrograms {
      if options.isSpent {
        leave(&verdict, before: probe, asked: asked)
        break
      }
      let finding = try find(rule, probe, mutant: mutant, below: directory)
      verdict.assertions += finding.assertions
      marks.formUnion(finding.marks)
      if case .skipped = finding.outcome {
      } else {
        asked += 1
        deciders.formUnion(finding.deciders ?? (engine.isLibrary ? .facade : []))
      }
      // The worst finding is the rule's: a skipped part is told, a broken one decides.
      switch finding.outcome {
      case .holds: continue
      case .skipped(let lack, let reason):
        if verdict.state == .holds {
          verdict.state = .skipped
          verdict.reason = "\(probe.name): \(reason)"
          verdict.skip = lack
        }
        continue
      case .vacuous(let reason):
        verdict.state = .vacuous
        verdict.reason = "\(probe.name): \(reason)"
      case .error(let reason):
        verdict.state = .error
        verdict.reason = "\(probe.name): \(reason)"
      case .violated(let expected, let observed):
        verdict.state = .violated
        verdict.reason = probe.name
        verdict.expected = expected
        verdict.observed = observed
      }
      if mutant == nil {
        let known = Catalogue.known(
          rule.id, of: engine.name, isLibrary: engine.isLibrary, today: options.today)
        (verdict.known, verdict.issue) = (known?.reason, known?.issue)
      }
      verdict.repro =
        "realm-bench repro \(rule.id) --seed 0x\(String(options.seed, radix: 16))"
        + (options.isDeep ? " --deep" : "") + (mutant.map { " --mutant \($0)" } ?? "")
      if mutant == nil, let deadline = options.deadline {
        verdict.repro? += " --timeout \(Int((deadline.inSeconds * 1000).rounded()))ms"
      }
      if mutant == nil, options.patience != Options.usualPatience {
        verdict.repro? += " --patience \(Int((options.patience.inSeconds * 1000).rounded()))ms"
      }
      if let program = options.program ?? verdict.observed.flatMap(Programs.told) {
        verdict.repro? += " --schedule \(program)"
      }
      if mutant == nil, !verdict.isOutOfSpace {
        try rerun(rule, probe, finding, &verdict, below: directory)
      }
      break
    }
    // What only the compiler was asked of is said by declarations, which no library has.
    if engine.isLibrary, asked > 0 {
      verdict.decidedBy = deciders.words
      if verdict.state == .skipped, let reason = verdict.reason {
        verdict.reason =
          reason + " (\(asked) of \(rule.probes.count) probes could be asked, and held)"
      }
    }
    if !marks.isEmpty { verdict.marks = marks.sorted() }
    verdict.milliseconds = started.duration(to: .now).inSeconds * 1000
    return verdict
  }

  /// Asks again with the same seed. An answer that differs is a fault of the suite, not of the
  /// engine.
  private func rerun(
    _ rule: Rule, _ probe: Probe, _ first: Finding, _ verdict: inout Verdict, below directory: URL
  ) throws {
    for _ in 0..<options.reruns {
      let again = options.isSpent ? nil : try find(rule, probe, mutant: nil, below: directory)
      guard let again, again.outcome.lack != .budget else {
        verdict.reason = "\(probe.name) (not asked again: \(options.spelledBudget) was spent)"
        return
      }
      if again.outcome.kind != first.outcome.kind {
        verdict.state = .flaky
        verdict.reason =
          "\(probe.name): first \(first.outcome.kind)\(verdict.observed.map { " (\($0))" } ?? ""), "
          + "then with the same seed \(again.outcome.kind)"
        return
      }
      // What does not come takes its whole time every time; once more is enough to know.
      if [Finding.hung, "it did not come"].contains(where: {
        verdict.observed?.hasPrefix($0) == true
      }) {
        return
      }
    }
  }

  func find(_ rule: Rule, _ probe: Probe, mutant: String?, below directory: URL) throws -> Finding {
    let place = try Scratch(rule.id, in: directory)
    var request = ProbeRequest(
      rule: rule.id, probe: probe.name, seed: options.seed, directory: place.path, mutant: mutant,
      patience: options.patience * options.slowness)
    request.isDeep = options.isDeep
    request.words = [options.program].compactMap(\.self)
    // Who was told to wait for longer must not be ended before.
    let isPatient = options.patience > Options.usualPatience
    let asked = isPatient ? max(probe.deadline, options.patience * 2) : probe.deadline
    let own = options.deadline ?? asked * (options.isDeep ? Self.depth : 1) * options.slowness
    let left = options.timeLeft ?? own
    let child = ChildProcess(
      program.executable, program.arguments + request.arguments,
      limits: .init(
        deadline: min(own, left), output: options.output, memory: options.memory))
    let remains = try child.run()
    let finding = Finding(remains, expecting: probe.expectation)
      .excused(isCut: left < own, remains: remains, budget: options.spelledBudget)
    let isDiskFull = WorkDisk.isFull(place.url) || finding.tellsOfNoSpace
    return finding.excused(isDiskFull: isDiskFull, at: directory.path)
  }

  /// Does `work` for each item, as many at a time as the options say.
  func eachInOrder<Item: Sendable, Outcome: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) throws -> Outcome,
    _ take: (Outcome) -> Void
  ) throws {
    try Conformance.eachInOrder(items, jobs: options.jobs, work, take)
  }
}

/// Does `work` for each item, `jobs` at a time, and hands the results over in the items' order.
func eachInOrder<Item: Sendable, Outcome: Sendable>(
  _ items: [Item], jobs: Int, _ work: @escaping @Sendable (Item) throws -> Outcome,
  _ take: (Outcome) -> Void
) throws {
  let shop = Workshop<Outcome>()
  for number in 0..<min(jobs, items.count) {
    let thread = Thread {
      while let index = shop.claim(below: items.count) {
        shop.deliver(index, Result { try work(items[index]) })
      }
    }
    thread.name = "examiner \(number)"
    thread.start()
  }
  for index in items.indices { take(try shop.result(of: index).get()) }
}

/// Where threads fetch the next piece of work and leave what came of it.
private final class Workshop<Outcome: Sendable>: Sendable {
  private let next = Atomic(0)
  private let delivered = Mutex<[Int: Result<Outcome, any Error>]>([:])
  private let arrived = DispatchSemaphore(value: 0)

  func claim(below limit: Int) -> Int? {
    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < limit ? index : nil
  }

  func deliver(_ index: Int, _ outcome: Result<Outcome, any Error>) {
    delivered.withLock { $0[index] = outcome }
    arrived.signal()
  }

  /// Every piece ends, because every child does: this needs no deadline of its own.
  func result(of index: Int) -> Result<Outcome, any Error> {
    while true {
      if let outcome = delivered.withLock({ $0[index] }) { return outcome }
      arrived.wait()
    }
  }
}
