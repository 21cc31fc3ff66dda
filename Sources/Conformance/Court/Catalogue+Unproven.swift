extension Catalogue {
  /// Rules with a probe that no broken engine falls to, and why: because there is nothing that an engine could do to
  /// break the rule, or because the mutant tried did not break it. Shown in docs/RULES.md and after a self-test.
  public static let unproven: [String: String] = [
    "ASYNC-54":
      "it permits: a write that holds the lock while its queue is busy may hold up others or not, so no engine can break "
      + "it; the probe records what this one does",
    "ACTOR-11":
      "an engine that left opening to the actor was caught by debug builds and not by release builds, so it is no proof; a "
      + "mutant that holds in both is wanting",
    "GROW-06":
      "an engine that froze a version anew for each view cost memory and no file, because pins are shared below; a mutant "
      + "that pins for each view is wanting",
    "NOTIFY-41":
      "it permits: a block whose key paths did not match may be called along with another's or not, so no engine can break "
      + "it",
    "FREEZE-43":
      "it warns users of a wrong way and asks nothing of an engine; what its probe walks, the documented way, falls under "
      + "ACTOR-26",
  ]
}
