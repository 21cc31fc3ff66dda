extension Catalogue {
  /// Rules with a probe that no broken engine falls to, because there is nothing that an engine
  /// could do to break the rule. Shown in docs/RULES.md and after a self-test.
  public static let unproven: [String: String] = [
    "ASYNC-54":
      "it permits: a write that holds the lock while its queue is busy may hold up others or not, "
      + "so no engine can break "
      + "it; the probe records what this one does",
    "NOTIFY-41":
      "it permits: a block whose key paths did not match may be called along with another's or "
      + "not, so no engine can break "
      + "it",
    "FREEZE-43":
      "it warns users of a wrong way and asks nothing of an engine; what its probe walks, the "
      + "documented way, falls under "
      + "ACTOR-26",
  ]
}
