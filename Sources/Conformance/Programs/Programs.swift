import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Random programs beside a model, as a probe of a rule.
///
/// All rules that have one run the same machinery and ask the same questions; each with the acts
/// oftener that it is about.
struct Programs: Sendable {
  let name: String
  let weights: [WideProgram.Verb: Int]
  /// How many are run.
  let count: Int
  let length: ClosedRange<Int>

  /// Tries to find a shorter program that fails, too.
  private static let mostTries = 60
  private static let role = "a shorter one"

  static let usual: [WideProgram.Verb: Int] = [
    .put: 3, .create: 3, .delete: 3, .deleteMany: 2, .replace: 3, .set: 8, .edit: 8, .embedded: 3,
    .run: 1, .commits: 1, .begin: 4, .commit: 2, .cancel: 3, .refresh: 3, .otherRefreshes: 1,
    .spin: 1, .invalidate: 1, .reopen: 1, .freeze: 3, .thaw: 2, .letGo: 1, .hold: 4,
    .holdMember: 4, .ask: 5, .send: 2, .receive: 2, .walk: 1,
  ]

  init(
    _ name: String, more: [WideProgram.Verb: Int] = [:], count: Int = 3,
    length: ClosedRange<Int> = 40...70
  ) {
    self.name = name
    weights = Programs.usual.merging(more) { $0 + $1 }
    (self.count, self.length) = (count, length)
  }

  var probe: Probe {
    Probe(
      "random programs beside a model: \(name)", deadline: .seconds(150),
      companions: [Programs.role: Programs.runShorter]
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for number in 0..<(stage.isDeep ? count * 10 : count) {
        let seed = derivedSeed(stage.seed, "\(name) \(number)")
        let program = WideProgram(seed: seed, weights, length: length)
        let (complaint, comparisons) = try Programs.run(program, stage, "program \(number)")
        if let complaint {
          let short = try Programs.shortened(program, complaint, stage)
          return stage.fail(
            expected: "all that is read and told in program \(number) is as the model has it",
            observed: "\(short.complaint); by the program \(short.program.text)")
        }
        stage.expect(comparisons > 0, "something is compared in program \(number)")
      }
    }
  }

  private static func run(_ program: WideProgram, _ stage: Stage, _ name: String) throws
    -> (complaint: String?, comparisons: Int)
  {
    let file = stage.directory.appendingPathComponent("\(name).realm")
    let run = try WideRun(file, patience: stage.patience)
    if let complaint = run.run(program) {
      // An engine that is wrong may die of letting go: the finding comes first.
      _ = Unmanaged.passRetained(run)
      return (complaint, run.comparisons)
    }
    run.leave()
    do { try Backstage.hooks?.verify(file.path) } catch { return ("\(error)", run.comparisons) }
    return (nil, run.comparisons)
  }

  // MARK: - Making it shorter

  /// Each try is another process, because it may die of it.
  private static func shortened(_ program: WideProgram, _ complaint: String, _ stage: Stage) throws
    -> (program: WideProgram, complaint: String)
  {
    var best = (program: program, complaint: complaint)
    var tries = mostTries
    var isSmaller = true
    let limit = ContinuousClock.now + stage.patience / 2
    while isSmaller {
      isSmaller = false
      for acts in best.program.acts.shorter where tries > 0 && ContinuousClock.now < limit {
        tries -= 1
        let shorter = WideProgram(acts)
        let child = try stage.companion(role, shorter.text, "\(tries)")
        guard let line = child.line(within: stage.patience) else {
          _ = child.remains()
          continue
        }
        _ = child.remains()
        if line == "well" { continue }
        best = (shorter, line)
        isSmaller = true
        break
      }
    }
    return best
  }

  private static let runShorter: Probe.Body = { stage in
    Backstage.hooks?.skipFlushes()
    guard let program = WideProgram(stage.words[0]) else { return stage.tell("well") }
    let (complaint, _) = try run(program, stage, "shorter \(stage.words[1])")
    stage.tell(complaint ?? "well")
  }
}
