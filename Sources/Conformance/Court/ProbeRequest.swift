import CoreFoundation
import Foundation
import Harness

/// What a child is asked to do: one probe of one rule, on one directory, with one seed.
///
/// The door hands the words of its hidden verb `probe` over, puts the mutant in place that they
/// name, and calls `run` on the main thread.
public struct ProbeRequest: Sendable, Equatable {
  public var rule: String
  public var probe: String
  public var seed: UInt64
  public var directory: String
  /// The broken engine that shall be put in place before `run`.
  public var mutant: String?
  public var patience: Duration
  /// The part that another process plays for a probe; nil for the probe itself.
  public var role: String?
  /// What a companion was told.
  public var words: [String] = []
  /// Whether axes are walked whole, and not in part.
  public var isDeep = false
  /// Declarations of the broken engine that hide or extend the engine's own, for rules about what
  /// compiles. Set by the door, with the mutant.
  public var declarations = ""

  public init(
    rule: String, probe: String, seed: UInt64, directory: String, mutant: String? = nil,
    patience: Duration = .seconds(8), role: String? = nil, words: [String] = []
  ) {
    self.rule = rule
    self.probe = probe
    self.seed = seed
    self.directory = directory
    self.mutant = mutant
    self.patience = patience
    self.role = role
    self.words = words
  }

  /// A request that cannot be understood.
  public struct Misunderstood: Error, CustomStringConvertible {
    public let description: String
  }

  /// Reads what stands behind the verb `probe`.
  public init(arguments: [String]) throws {
    var values: [String: String] = [:]
    var operands: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words = Array(rest)
        break
      }
      if word.hasPrefix("--") {
        guard let value = rest.popFirst() else {
          throw Misunderstood(description: "probe: \(word) wants a value")
        }
        values[String(word.dropFirst(2))] = value
      } else {
        operands.append(word)
      }
    }
    guard operands.count == 1, let probe = values["case"], let directory = values["directory"],
      let seed = values["seed"].flatMap({ UInt64($0.dropFirst(2), radix: 16) })
    else {
      throw Misunderstood(
        description: "probe: expected RULE --case NAME --seed 0x… --directory DIRECTORY")
    }
    rule = operands[0]
    self.probe = probe
    self.seed = seed
    self.directory = directory
    mutant = values["mutant"]
    role = values["role"]
    isDeep = values["deep"] == "all"
    patience = .milliseconds(values["patience"].flatMap { Int($0) } ?? 8000)
  }

  /// The words that `init(arguments:)` reads back.
  public var arguments: [String] {
    var all = [
      rule, "--case", probe, "--seed", "0x" + String(seed, radix: 16), "--directory", directory,
      "--patience", "\(Int(patience.inSeconds * 1000))",
    ]
    if let mutant { all += ["--mutant", mutant] }
    if let role { all += ["--role", role] }
    if isDeep { all += ["--deep", "all"] }
    if !words.isEmpty { all += ["--"] + words }
    return all
  }

  /// Does it; returns the exit code. Must be called on the main thread.
  public func run() -> Int32 { run(Catalogue.rule(rule)) }

  public func run(in catalogue: [Rule]) -> Int32 { run(catalogue.first { $0.id == rule }) }

  private func run(_ rule: Rule?) -> Int32 {
    guard let rule,
      let probe = rule.probes.first(where: { $0.name == self.probe })
    else {
      FileHandle.standardError.write(Data("probe: no '\(self.probe)' of \(self.rule)\n".utf8))
      return 1
    }
    // Whoever started this child may have died: nobody else would stop it then.
    alarm(UInt32(probe.deadline.inSeconds) * UInt32(isDeep ? Examiner.depth : 1) + 60)
    listen()
    // What a broken engine opens without having been asked to, it opens there.
    chdir(directory)
    let stage = Stage(self)
    if let role {
      guard let body = probe.companions[role] else {
        FileHandle.standardError.write(Data("probe: no role '\(role)'\n".utf8))
        return 1
      }
      perform(stage) { try body(stage) }
      return 0
    }
    switch probe.script {
    case .plain(let body): perform(stage) { try body(stage) }
    case .task(let body): performTask(stage, body)
    }
    finish(probe, stage)
    return 0
  }

  private func perform(_ stage: Stage, _ body: () throws -> Void) {
    do { try body() } catch { conclude(error, stage) }
    stage.settleAccounts()
  }

  private func performTask(_ stage: Stage, _ body: @escaping Probe.AsyncBody) {
    let finished = Latch("the task")
    Task.detached {
      do { try await body(stage) } catch { conclude(error, stage) }
      finished.open()
      CFRunLoopWakeUp(CFRunLoopGetMain())
    }
    while !finished.isOpen {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
    }
    stage.settleAccounts()
  }

  private func finish(_ probe: Probe, _ stage: Stage) {
    // What the engine comes by from here on, it does not come by for this probe.
    if let hooks = Backstage.hooks { Testimony.passed(hooks.passed).post() }
    if probe.expectation == .holds, probe.leaves == nil, stage.holds { Afterwards.ask(stage) }
    Testimony.done.post()
  }

  private func conclude(_ error: any Error, _ stage: Stage) {
    stage.isOver()
    switch error {
    case Stage.Interruption.skipped(let lack, let reason):
      Testimony.skipped(lack, reason).post()
    case Stage.Interruption.overdue(let what):
      Testimony.violated(
        expected: "\(what) within \(patience.formatted)", observed: "it did not come"
      ).post()
    default:
      Testimony.violated(
        expected: "no error", observed: "it threw: \(error.localizedDescription)"
      ).post()
    }
  }
}
