import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Random asynchronous writes of one realm beside a model of what is under way, as a probe of a
/// rule.
///
/// All rules that have one ask the same questions; each with the acts oftener that it is about.
struct LateWrites: Sendable {
  enum Act: Sendable, CaseIterable {
    /// Asks for one or several asynchronous writes.
    case ask
    /// A write that the caller waits for, which ends in one of the ways there are.
    case plain
    /// Begun here, committed in the background.
    case handOver
    /// Cancels an id: of what waits, of what is on its way, of what is over, or of nothing.
    case cancel
    case refresh
    case invalidate
    /// Listens to all objects, to the realm, or ends that.
    case listen
    /// Somebody else writes.
    case foreign
    /// Somebody else is in a write while asynchronous ones are asked for.
    case rival
    /// The disk fails under a commit.
    case fail
    /// Lets what is due happen, a little or all of it.
    case turn
    case drain
  }

  let name: String
  let acts: [Act]
  let count: Int
  let homes: [LateRun.Home]

  private static let usual: [Act: Int] = [
    .ask: 8, .plain: 4, .handOver: 4, .cancel: 4, .refresh: 1, .invalidate: 1, .listen: 2,
    .foreign: 1, .rival: 1, .fail: 1, .turn: 4, .drain: 2,
  ]
  private static let counter = "who counts versions"

  init(
    _ name: String, more: [Act: Int] = [:], count: Int = 8,
    homes: [LateRun.Home] = LateRun.Home.allCases
  ) {
    let weights = LateWrites.usual.merging(more) { $0 + $1 }
    acts = Act.allCases.flatMap { act in Array(repeating: act, count: weights[act] ?? 0) }
    (self.name, self.count, self.homes) = (name, count, homes)
  }

  var probe: Probe {
    Probe(
      "random asynchronous writes beside a model: \(name)", deadline: .seconds(150),
      companions: [LateWrites.counter: LateWrites.countVersions]
    ) { stage in
      Backstage.hooks?.skipFlushes()
      Backstage.hooks?.record()
      for number in 0..<(stage.isDeep ? count * 10 : count) {
        for home in homes {
          let seed = derivedSeed(stage.seed, "\(name) \(number) \(home)")
          let run = try LateRun(stage, "\(home) \(number)", home, seed: seed)
          if let complaint = run.run(acts) ?? run.atHome({ leak(run, stage) }) {
            // An engine that is wrong may die of letting go: the finding comes first.
            _ = Unmanaged.passRetained(run)
            return stage.fail(
              expected: "all that runs and is told in program \(number) at home on the \(home) "
                + "is as the model has it",
              observed: complaint)
          }
          stage.expect(run.comparisons > 0, "something is compared in program \(number)")
          run.leave()
        }
      }
    }
  }

  /// Once nothing is under way nobody keeps a version but the realm itself, which is on the newest
  /// and does not move while its home waits here.
  private func leak(_ run: LateRun, _ stage: Stage) -> String? {
    guard let child = try? stage.companion(LateWrites.counter, run.configuration.fileURL!.path),
      let line = child.line(within: stage.patience)
    else { return "another process does not come to write when all is over" }
    return line == "well" ? nil : "when all is over, more versions are kept: \(line)"
  }

  private static let countVersions: Probe.Body = { stage in
    Backstage.hooks?.skipFlushes()
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: stage.words[0]), objectTypes: Models.all)
    // The realm's, and the one that is written.
    configuration.maximumNumberOfActiveVersions = 2
    do {
      let realm = try Realm(configuration: configuration)
      for number in 0..<4 {
        try realm.write { realm.add(Account(id: -1 - number)) }
      }
      stage.tell("well")
    } catch {
      stage.tell("\(error)")
    }
  }
}

// One for each rule that has them.
extension LateWrites {
  static let inOrder = LateWrites("blocks in their order", more: [.ask: 6, .plain: 3])
  static let completed = LateWrites("completions in their order", more: [.handOver: 6, .plain: 3])
  static let busy = LateWrites("what is under way", more: [.handOver: 4, .turn: 3, .cancel: 2])
  static let rolledBack = LateWrites("blocks that commit nothing", more: [.ask: 8, .drain: 2])
  static let cancelled = LateWrites("ids that are cancelled", more: [.cancel: 12, .ask: 3])
  static let silenced = LateWrites(
    "commits whose ids are cancelled", more: [.cancel: 10, .handOver: 8])
  static let finished = LateWrites("ids of what is over", more: [.cancel: 12, .drain: 5])
  static let overtaken = LateWrites("plain writes that overtake", more: [.plain: 10, .ask: 3])
  static let inPlain = LateWrites("asked for in a plain write", more: [.plain: 12])
  static let flushed = LateWrites(
    "plain commits behind others", more: [.plain: 10, .handOver: 8])
  static let failing = LateWrites("disks that fail", more: [.fail: 8, .ask: 2, .drain: 3])
  static let ended = LateWrites("invalidated meanwhile", more: [.invalidate: 8, .handOver: 4])
  static let waiting = LateWrites("behind others' writes", more: [.rival: 8, .foreign: 5])
  static let listening = LateWrites(
    "among listeners that write", more: [.listen: 8, .foreign: 6, .drain: 3])
  static let onQueue = LateWrites(
    "on queues", more: [.listen: 6, .foreign: 5, .drain: 3], count: 12, homes: [.queue, .near])
}
