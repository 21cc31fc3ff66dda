import EngineUnderTest
import Foundation

extension Examiner {
  /// What the engine in the socket is called: the one that the probes were built against.
  public static var engineInSocket: String { EngineUnderTest.Engine.name }

  /// Its own version, where it tells one.
  public static var versionInSocket: String? { EngineUnderTest.Engine.version }

  /// Why it cannot be examined here; nil if it can.
  public static var absenceInSocket: String? { EngineUnderTest.Engine.absence }
}

extension ProbeRequest {
  /// Hands on what an engine that is a library says of itself while it is examined.
  func listen() {
    let isCompanion = role != nil
    Engine.listen(
      // What is asked afterwards is no part of the rule.
      whoDecides: { part in
        if !isCompanion, !Afterwards.hasBegun { Testimony.answered(part).post() }
      },
      notAskable: { what in
        if Afterwards.hasBegun {
          Testimony.done.post()
          _exit(0)
        }
        // A companion's lines are heard by its probe, which finds out by its end.
        if !isCompanion { Testimony.skipped(.notAskable, what).post() }
        _exit(0)
      })
  }
}
