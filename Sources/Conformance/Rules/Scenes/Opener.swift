import EngineUnderTest

/// An actor that opens when it is told to.
actor Opener {
  private var answered = 0

  func open(_ configuration: Realm.Configuration) async throws -> Int {
    let realm = try await Realm(configuration: configuration, actor: self)
    return realm.account(1).balance
  }

  /// Another job of the actor. It counts, since a job that touched nothing of the actor's would
  /// need no hop to it, and the optimiser knows.
  func answers() -> Int {
    answered += 1
    return 41 + answered
  }
}
