import Evidence
import Foundation
import Harness

/// Something to be explored: a scenario under all schedules, a workload in all states that a crash
/// may leave, random programs.
public struct Inquiry: Sendable {
  /// How far to go, and from where.
  public struct Effort: Sendable, Equatable {
    public var seed: UInt64 = 1
    /// So many at random, beyond what is enumerated.
    public var amount = 100
    /// How often the turn may be taken from a thread in the schedules that are all run.
    public var bound = 2
    /// What a failure printed, to be run again instead of anything else.
    public var replay: String?
    /// When to stop, ready or not.
    public var limit = Duration.seconds(60)

    public init() {}

    /// Takes as long as the amount may need on a busy machine.
    public mutating func takeTime() { limit = .seconds(max(120, amount / 10)) }
  }

  /// The child's view: where it may work, how far it shall go, and how it says what it is at in
  /// case that it dies of it.
  struct Task {
    let effort: Effort
    let directory: URL
    let box: BlackBox?
    var deadline: ContinuousClock.Instant
    /// How long a wait that must have an end may take: beyond it is a deadlock.
    var patience = Duration.seconds(20)
    /// What a companion was told.
    var words: [String] = []
    var mutant: String?
    var inquiry = ""

    /// Notes what is run now, in case that this process dies of it.
    func begins(_ text: String) {
      box?.restart()
      for letter in text { box?.note(letter) }
    }

    /// Starts a companion of the inquiry: the same program in the role of that name.
    func companion(
      _ role: String, in directory: URL, seed: UInt64? = nil, words: [String] = []
    ) throws -> RunningChild {
      var effort = effort
      effort.seed = seed ?? effort.seed
      effort.replay = nil
      var request = ExploreRequest(
        inquiry, directory: directory.path, effort: effort, mutant: mutant)
      (request.role, request.words) = (role, words)
      return try ChildProcess(
        ChildProcess.thisProgram, ["explore"] + request.arguments,
        limits: .init(deadline: patience + .seconds(10))
      ).start()
    }
  }

  typealias Run = @Sendable (Inquiry, Task) throws -> Exploration
  typealias Companion = @Sendable (Task) throws -> Void

  public let kind: Exploration.Kind
  public let name: String
  /// What is explored, in a few words.
  public let story: String
  public let rules: [String]
  let body: Run
  /// What other processes do for it, by the name of their role.
  let companions: [String: Companion]
  /// How the text of a failure gets shorter, unless the inquiry sees to that itself.
  let shortening: Shortening?
  /// Whether a text is one that a failure of this can have printed; nil where none prints any.
  let understands: (@Sendable (String) -> Bool)?

  init(
    _ kind: Exploration.Kind, _ name: String, _ story: String, rules: [String],
    companions: [String: Companion] = [:], shortening: Shortening? = nil,
    understands: (@Sendable (String) -> Bool)? = nil, _ body: @escaping Run
  ) {
    (self.kind, self.name, self.story, self.rules) = (kind, name, story, rules)
    (self.companions, self.shortening, self.body) = (companions, shortening, body)
    self.understands = understands
  }

  /// Why a text cannot be run again; nil where it can.
  public func refusal(replaying text: String) -> String? {
    guard let understands else {
      return "nothing of \(name) is replayed by a text: --seed and --amount repeat it"
    }
    return understands(text) ? nil : "'\(text)' is nothing that a failure of \(name) prints"
  }

  func run(_ task: Task) throws -> Exploration { try body(self, task) }

  public static let all: [Inquiry] =
    Scenario.all.map(Inquiry.init(schedulesOf:)) + Workload.all.map(Inquiry.init(crashesOf:))
    + programs + histories + models + ordeals

  public static func named(_ name: String) -> Inquiry? { all.first { $0.name == name } }

  func blank(_ effort: Effort) -> Exploration {
    Exploration(kind: kind, name: name, rules: rules, seed: effort.seed)
  }

  /// The command that runs a failure again.
  func repro(_ effort: Effort, replay: String?) -> String {
    "realm-bench repro \(rules.first ?? "-") --scenario \(name) --seed 0x"
      + String(effort.seed, radix: 16) + (replay.map { " --schedule \($0)" } ?? "")
  }
}

extension Inquiry {
  /// All schedules of a scenario within the bound, and random ones beyond.
  init(schedulesOf scenario: Scenario) {
    self.init(
      .schedules, scenario.name, scenario.story, rules: scenario.rules,
      understands: Turns.isSchedule
    ) {
      try $0.explore(scenario, $1)
    }
  }

  private func explore(_ scenario: Scenario, _ task: Task) throws -> Exploration {
    let ground = try Scenario.Ground(scenario, in: task.directory)
    let make: (Turns) -> Schedules.Program = { turns in
      task.box?.restart()
      turns.recorder = task.box.map { box in { box.note($0) } }
      return ground.program(turns)
    }
    var result = blank(task.effort)
    if let schedule = task.effort.replay {
      let (turns, failure) = Schedules.replay(schedule, make)
      result.count = 1
      result.detail = "the schedule \(schedule), \(turns.steps.count) steps"
      result.failure = failure.map { failed($0, task.effort) }
      return result
    }
    let schedules = Schedules(bound: task.effort.bound)
    let all = schedules.explore(until: task.deadline, make)
    result.count = all.schedules
    result.detail =
      "\(all.isExhaustive ? "all " : "")\(all.schedules) at bound \(task.effort.bound)"
      + (all.isExhaustive ? "" : ", more there")
    var failure = all.failure
    if failure == nil, task.effort.amount > 0 {
      let random = schedules.sample(
        seed: task.effort.seed, runs: task.effort.amount, until: task.deadline, make)
      result.count += random.schedules
      result.detail += ", \(random.schedules) at random"
      failure = random.failure
    }
    result.failure = failure.map { failed(Schedules.shrink($0, make), task.effort) }
    return result
  }

  private func failed(_ failure: Schedules.Failure, _ effort: Effort) -> Exploration.Failure {
    Exploration.Failure(
      sentence: failure.sentence, story: failure.story,
      repro: repro(effort, replay: failure.schedule))
  }
}
