import EngineUnderTest
import Foundation
import Harness
import Testing

@testable import Conformance

@Suite struct `What every probe is asked at its end` {
  /// Plays an engine that does not give the turn back: a thread that is in its write for as long as
  /// the process lives.
  private static func keepTurn(_ stage: Stage) throws {
    let inside = Latch("the writer being inside")
    stage.thread("writer") {
      let realm = try stage.open()
      realm.beginWrite()
      inside.open()
      _ = Latch("what never comes").wait(.seconds(60))
      EngineUse.keep(realm.isInWriteTransaction)
    }
    try stage.wait(for: inside)
  }

  /// What a child says that runs the probe.
  private static func run(_ probe: Probe, in directory: String, patience: Duration) {
    let rule = `The examiner`.rule("READ-01", probe)
    exit(
      ProbeRequest(
        rule: "READ-01", probe: probe.name, seed: 1, directory: directory, patience: patience
      ).run(in: [rule]))
  }

  private func said(_ result: ExitTest.Result?) -> [Testimony] {
    Testimony.read(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
  }

  @Test func `a file whose write turn is never given back is no file to be left`() async throws {
    let own = try Scratch("afterwards")
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [own = own.path as String] in
      let probe = Probe("a writer that stays") { stage in
        try `What every probe is asked at its end`.keepTurn(stage)
        stage.expect(true, "the writer is inside")
      }
      `What every probe is asked at its end`.run(probe, in: own, patience: .milliseconds(700))
    }
    #expect(
      said(result).contains(
        .violated(
          expected: "afterwards probe.realm lets a write begin",
          observed: "it did not come")))
  }

  @Test func `who says that a write is left under way is not asked`() async throws {
    let own = try Scratch("afterwards")
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [own = own.path as String] in
      let probe = Probe("a writer that stays", leaves: "a write under way") { stage in
        try `What every probe is asked at its end`.keepTurn(stage)
        stage.expect(true, "the writer is inside")
      }
      `What every probe is asked at its end`.run(probe, in: own, patience: .milliseconds(700))
    }
    #expect(said(result) == [.held(1), .done])
  }

  @Test func `a file that is well is left without a word`() async throws {
    let own = try Scratch("afterwards")
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [own = own.path as String] in
      let probe = Probe("a file in use") { stage in
        let realm = try stage.stocked()
        stage.equal(realm.objects(Account.self).count, 3, "the accounts")
      }
      `What every probe is asked at its end`.run(probe, in: own, patience: .seconds(30))
    }
    #expect(said(result) == [.held(1), .done])
    #expect(FileManager.default.fileExists(atPath: own.path + "/probe.realm"))
  }
}
