import CShims
import Testing

@testable import ReferenceEngine

/// What a random program finds and is told while rows of all kinds leave: a few by default, as many
/// as one asks for with `LEAVER_WALKS`, each of `LEAVER_STEPS` steps.
@Suite struct LeaverWalkTests {
  private static let seeds: [UInt64] = {
    let first = Wish.seed()
    let count = Wish.number("LEAVER_WALKS", orElse: 4 as UInt64)
    return (0..<count).map { first &+ $0 }
  }()

  /// Each in a process of its own: damage shows itself as a signal.
  @Test(.serialized, arguments: seeds)
  func `READ-12, WRITE-20, NOTIFY-07: rows come and leave in all ways`(seed: UInt64) async {
    let steps = Wish.number("LEAVER_STEPS", orElse: 60)
    let outcome = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent],
      "SEED=\(seed)"
    ) { [seed = seed as UInt64, steps = steps as Int] in
      alarm(900)
      let folder = Folder()
      let walk = LeaverWalk(seed: seed, folder: folder.path)
      walk.run(steps: steps)
      print("walk \(seed): \(walk.writes) writes, \(walk.questions) questions, \(walk.told) told")
      if let wrong = walk.wrong { print("SEED=\(seed), wrong: \(wrong)") }
    }
    // Nil if it has stopped, which is told.
    guard let outcome else { return }
    let said = String(decoding: outcome.standardOutputContent, as: UTF8.self)
    print(said.split(separator: "\n").first { $0.hasPrefix("walk") } ?? "nothing said")
    if let wrong = said.range(of: "SEED=") { Issue.record("\(said[wrong.lowerBound...])") }
  }
}
