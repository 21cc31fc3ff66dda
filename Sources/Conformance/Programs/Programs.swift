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
  /// Of how many acts one is by the realm on the queue.
  let there: Int

  /// Tries to find a shorter program that fails, too.
  private static let mostTries = 60
  private static let role = "a shorter one"
  private static let counter = "who counts versions"

  static let usual: [WideProgram.Verb: Int] = [
    .put: 3, .create: 3, .delete: 3, .deleteMany: 2, .replace: 3, .set: 8, .setAll: 1, .edit: 8,
    .embedded: 3,
    .run: 1, .commits: 1, .begin: 4, .commit: 2, .cancel: 3, .refresh: 3, .otherRefreshes: 1,
    .spin: 1, .invalidate: 1, .reopen: 1, .freeze: 3, .thaw: 2, .letGo: 1, .hold: 4,
    .holdMember: 4, .ask: 5, .send: 2, .receive: 2, .walk: 1, .stroll: 1, .graph: 2, .nested: 2,
    .later: 1,
    .fail: 1, .away: 1, .copy: 1, .variable: 3,
  ]

  init(
    _ name: String, more: [WideProgram.Verb: Int] = [:], count: Int = 8,
    length: ClosedRange<Int> = 40...70, there: Int = 4
  ) {
    self.name = name
    weights = Programs.usual.merging(more) { $0 + $1 }
    (self.count, self.length, self.there) = (count, length, there)
  }

  /// How the name of such a probe begins.
  static let title = "random programs beside a model"
  private static let byProgram = "; by the program "

  /// The program that a finding says it comes of.
  static func told(in observed: String) -> String? {
    observed.range(of: byProgram, options: .backwards).map { String(observed[$0.upperBound...]) }
      .flatMap { WideProgram($0)?.text }
  }

  var probe: Probe {
    Probe(
      "\(Programs.title): \(name)", deadline: .seconds(150),
      companions: [
        Programs.role: Programs.runShorter, Programs.counter: Programs.countVersions,
        Neighbour.role: Neighbour.body,
      ]
    ) { stage in
      Programs.prepare()
      if let text = stage.words.first, let program = WideProgram(text) {
        let (complaint, comparisons) = try Programs.run(program, stage, "the program")
        stage.expect(
          complaint == nil && comparisons > 0, "all that is read and told is as the model has it",
          observed: (complaint ?? "nothing was compared") + Programs.byProgram + text)
        return
      }
      for number in 0..<(stage.isDeep ? count * 10 : count) {
        let seed = derivedSeed(stage.seed, "\(name) \(number)")
        let program = WideProgram(seed: seed, weights, length: length, there: there)
        let (complaint, comparisons) = try Programs.run(program, stage, "program \(number)")
        if let complaint {
          let expected = "all that is read and told in program \(number) is as the model has it"
          // The finding comes first: whatever becomes of the shorter ones.
          stage.fail(
            expected: expected, observed: complaint + Programs.byProgram + program.text)
          if let short = Programs.shortened(program, stage) {
            stage.fail(
              expected: expected,
              observed: short.complaint + Programs.byProgram + short.program.text)
          }
          return
        }
        stage.expect(comparisons > 0, "something is compared in program \(number)")
      }
    }
  }

  /// No power failure ends a program; but its disk may be told to fail.
  static func prepare() {
    Backstage.hooks?.skipFlushes()
    Backstage.hooks?.record()
  }

  private static func run(_ program: WideProgram, _ stage: Stage, _ name: String) throws
    -> (complaint: String?, comparisons: Int)
  {
    let file = stage.directory.appendingPathComponent("\(name).realm")
    // For whoever looks for what ended the process.
    let text = stage.directory.appendingPathComponent("program.txt")
    try program.text.write(to: text, atomically: false, encoding: .utf8)
    let run = try WideRun(file, patience: stage.patience)
    run.makeNeighbour = { Neighbour(stage, file) }
    if let complaint = run.run(program) ?? leak(run, stage) {
      // An engine that is wrong may die of letting go: the finding comes first.
      _ = Unmanaged.passRetained(run)
      return (complaint, run.comparisons)
    }
    run.leave()
    do { try Backstage.hooks?.verify(file.path) } catch { return ("\(error)", run.comparisons) }
    return (nil, run.comparisons)
  }

  // MARK: - Versions that are kept

  /// As many versions as two realms on the newest one have, and whoever commits.
  private static let mostVersions = 2

  /// Once nothing is held but two realms, which are on the newest version, nobody keeps another.
  private static func leak(_ run: WideRun, _ stage: Stage) -> String? {
    run.rest()
    guard let child = try? stage.companion(counter, run.configuration.fileURL!.path),
      let line = child.line(within: stage.patience)
    else { return "a third realm, in another process, does not come to write" }
    return line == "well" ? nil : "when all is let go of, more versions are kept: \(line)"
  }

  private static let countVersions: Probe.Body = { stage in
    Backstage.hooks?.skipFlushes()
    var configuration = WideRun.configuration(URL(fileURLWithPath: stage.words[0]))
    configuration.maximumNumberOfActiveVersions = UInt(mostVersions)
    do {
      let realm = try Realm(configuration: configuration)
      for number in 0..<4 {
        try realm.write { _ = realm.create(Keyless.self, value: ["birth": -1, "key": number]) }
      }
      stage.tell("well")
    } catch {
      stage.tell("\(error)")
    }
  }

  // MARK: - Making it shorter

  /// Each try is another process, because it may die of it; all of them together have little time.
  private static func shortened(_ program: WideProgram, _ stage: Stage) -> (
    program: WideProgram, complaint: String
  )? {
    var best: (program: WideProgram, complaint: String)?
    var tries = mostTries
    var isSmaller = true
    let limit = ContinuousClock.now + min(.seconds(15), stage.patience / 2)
    while isSmaller {
      isSmaller = false
      for acts in (best?.program ?? program).acts.shorter {
        let left = limit - .now
        guard tries > 0, left > .zero else { return best }
        tries -= 1
        let shorter = WideProgram(acts)
        // Whoever is still at it when the time is over is stopped when it is let go.
        guard let child = try? stage.companion(role, shorter.text, "\(tries)"),
          let line = child.line(within: left), line != "well"
        else { continue }
        best = (shorter, line)
        isSmaller = true
        break
      }
    }
    return best
  }

  private static let runShorter: Probe.Body = { stage in
    prepare()
    guard let program = WideProgram(stage.words[0]) else { return stage.tell("well") }
    let (complaint, _) = try run(program, stage, "shorter \(stage.words[1])")
    stage.tell(complaint ?? "well")
  }
}

extension Rule {
  /// Whether a text is a program that one of its probes can run again.
  public func runs(program text: String) -> Bool {
    !text.isEmpty && WideProgram(text) != nil && probes.contains(where: \.runsPrograms)
  }
}
