import EngineUnderTest

extension Examiner {
  /// What the engine in the socket is called: the one that the probes were built against.
  public static var engineInSocket: String { EngineUnderTest.Engine.name }
}
