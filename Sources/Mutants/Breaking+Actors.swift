import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about actors.
  static let actors: [Mutant] = [
    Mutant(
      "actors-open-the-default", "an actor gets the default realm, whatever it asks for",
      breaking: .actorsOpenWhatTheyAskFor, caughtBy: ["ACTOR-03"]),
    Mutant(
      "opens-on-the-actor", "an actor is busy while its realm is opened",
      breaking: .openingHappensOffTheActor, caughtBy: ["ACTOR-11"]),
    Mutant(
      "registers-some-time", "observe on an actor returns before it listens",
      breaking: .actorListenersAreInForce, caughtBy: ["ACTOR-31"]),
    Mutant(
      "cancelled-tasks-listen", "observe in a cancelled task listens",
      breaking: .cancelledTasksListenToNothing, caughtBy: ["ACTOR-32"]),
  ]
}
