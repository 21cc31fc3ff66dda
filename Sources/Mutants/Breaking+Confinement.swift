import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about who may use what.
  static let confinement: [Mutant] = [
    Mutant(
      "free-objects-are-confined", "objects without realm belong to the main thread",
      breaking: .freeObjectsBelongToNobody, caughtBy: ["CONFINE-06", "SEND-03"]),
    Mutant(
      "frozen-is-confined", "what is frozen belongs to the thread that froze it",
      breaking: .frozenIsAtHomeEverywhere, caughtBy: ["CONFINE-07", "FREEZE-04", "SEND-06"]),
    Mutant(
      "one-realm-for-all-threads", "a thread gets the realm that another one has open",
      breaking: .opensForEachHome, caughtBy: ["CONFINE-08", "CONFINE-11", "QUEUE-10", "READ-13"]),
    Mutant(
      "configurations-are-confined", "the configuration is told on the realm's thread only",
      breaking: .configurationIsForEveryone, caughtBy: ["CONFINE-09"]),
    Mutant(
      "caches-strongly", "the cache keeps every realm for ever",
      breaking: .cacheHoldsWeakly, caughtBy: ["CONFINE-14", "LIFE-08", "LIFE-20", "ACTOR-35"]),
    Mutant(
      "results-lose-their-realm", "results do not keep their realm",
      breaking: .resultsKeepTheirRealm, caughtBy: ["CONFINE-15"]),
    Mutant(
      "ends-at-home-only", "the last reference has to go away on the realm's thread",
      breaking: .realmsMayEndAnywhere, caughtBy: ["CONFINE-16"]),
    Mutant(
      "needs-a-run-loop", "a thread without loop cannot open a realm",
      breaking: .threadsNeedNoLoop, caughtBy: ["CONFINE-18", "WRITE-06", "ACTOR-27"]),
    Mutant(
      "async-begins-block-their-home", "a home waits for the lock of its asynchronous write",
      breaking: .beginsWaitElsewhere, caughtBy: ["QUEUE-12", "ACTOR-12"]),
  ]
}
