extension Rules.Actor {
  static let passing: [Rule] = [
    actor26, actor28,
  ]

  static let actor26 = Rule(
    "ACTOR-26", .documented,
    "A `ThreadSafeReference` made on one actor MUST resolve on another (inside a write of a "
      + "realm opened there).",
    source: "S4 Pass a ThreadSafeReference (+code: `deleteTodo(tsrToTodo:)`).",
    broken: "(as REF-02, REF-10)",
    untested:
      "no probe yet; the experiment would be: documented flow: make on MainActor, delete on "
      + "BackgroundActor")

  static let actor28 = Rule(
    "ACTOR-28", .documented,
    "Values, primary keys and user structs taken from objects MUST be passable across "
      + "actors (ObjectId, String, Int ... Sendable).",
    source: "S4 Pass a Sendable Type (three strategies).",
    broken: "non-Sendable ObjectId",
    untested: "no probe yet; the experiment would be: documented code of the three strategies")
}
