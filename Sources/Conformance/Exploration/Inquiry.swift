import Evidence
import Foundation
import Harness

/// Something to be explored: a scenario under all schedules, a workload in all states that a crash may leave, random programs.
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
  }

  /// The child's view: where it may work, how far it shall go, and how it says what it is at in case that it dies of it.
  struct Task {
    let effort: Effort
    let directory: URL
    let box: BlackBox?
    var deadline: ContinuousClock.Instant
  }

  public let kind: Exploration.Kind
  public let name: String
  /// What is explored, in a few words.
  public let story: String
  public let rules: [String]
  let run: @Sendable (Task) throws -> Exploration

  public static let all: [Inquiry] =
    Scenario.all.map(Inquiry.init(schedulesOf:)) + Workload.all.map(Inquiry.init(crashesOf:))

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
    kind = .schedules
    name = scenario.name
    story = scenario.story
    rules = scenario.rules
    run = { try Inquiry(schedulesOf: scenario).explore(scenario, $0) }
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
