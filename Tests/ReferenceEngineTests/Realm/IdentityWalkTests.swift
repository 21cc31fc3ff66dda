import CShims
import Testing

@testable import ReferenceEngine

/// Nobody is taken for another, whatever becomes of the commits between: some random programs by
/// default, as many as one asks for with `IDENTITY_WALKS`.
@Suite struct IdentityWalkTests {
  private static let seeds: [UInt64] = {
    let first = Wish.seed()
    let count = Wish.number("IDENTITY_WALKS", orElse: 4 as UInt64)
    return (0..<count).map { first &+ $0 }
  }()

  /// Each in a process of its own, whose disks fail; one after the other, as there may be many.
  @Test(.serialized, arguments: seeds)
  func `REF-05, REFRESH-20, WRITE-27: who is found by a name is who was named`(
    seed: UInt64
  ) async {
    let outcome = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent],
      "SEED=\(seed)"
    ) { [seed = seed as UInt64] in
      // Against a hang: hundreds of its commits are flushed, which takes its time on a busy disk.
      alarm(900)
      let walk = IdentityWalk(seed: seed)
      walk.run(steps: 150)
      print("walk \(seed): \(walk.questions) questions, \(walk.losses) groups lost")
      if let wrong = walk.wrong { print("SEED=\(seed), wrong: \(wrong)") }
    }
    // Nil if it has stopped, which is told.
    guard let outcome else { return }
    let said = String(decoding: outcome.standardOutputContent, as: UTF8.self)
    print(said.split(separator: "\n").first { $0.hasPrefix("walk") } ?? "nothing said")
    if let wrong = said.range(of: "SEED=") { Issue.record("\(said[wrong.lowerBound...])") }
  }
}
