extension Rules.Actor {
  static let isolation: [Rule] = [
    actor06, actor07, actor08, actor09, actor25, actor27, actor36, actor37, actor39, actor40,
  ]

  static let actor06 = Rule(
    "ACTOR-06", .documented,
    "In functions isolated to the actor the realm MUST be usable synchronously: objects, "
      + "where, write, create, count without await.",
    source: "S4 Use a Realm Actor Synchronously in an Isolated Function.",
    broken: "needs await; dies because of executor check by thread",
    untested: "no probe yet; the experiment would be: documented code")

  static let actor07 = Rule(
    "ACTOR-07", .documented,
    "From outside, the actor's members MUST be reachable with await, returning Sendable "
      + "values.",
    source: "S4 Use a Realm Actor in Async Functions.",
    broken: "(compile shape)",
    untested: "no probe yet; the experiment would be: compile and run")

  static let actor08 = Rule(
    "ACTOR-08", .documented,
    "An actor-isolated realm MUST survive awaits that resume on other threads: use before "
      + "and after is legal.",
    source: "S4 code comment (\"Thread-confined Realms would sometimes throw an exception here\").",
    broken: "thread binding",
    untested: "no probe yet; the experiment would be: record `pthread_self` before and after until "
      + "they differ; then use")

  static let actor09 = Rule(
    "ACTOR-09", .documented,
    "Use of an actor-isolated realm, object or collection outside its actor MUST fail at "
      + "once.",
    source: "S4 Observation Limitations 3; S2 Errors.",
    broken: "unchecked",
    untested: "no probe yet; the experiment would be: child leaks the realm through "
      + "`nonisolated(unsafe)`; dies with either text")

  static let actor25 = Rule(
    "ACTOR-25", .documented,
    "Sync `write` on an actor realm inside an async function is legal for the engine but "
      + "blocks the actor; two sync writers on different actors MUST serialise as threads do.",
    source: "S4 createObject(in:) uses `realm.write`.",
    broken: "actors bypass the write lock",
    untested: "no probe yet; the experiment would be: two actors, shared inside-counter")

  static let actor27 = Rule(
    "ACTOR-27", .documented,
    "A synchronous `try! Realm()` inside a non-main actor's *synchronous* method is bound "
      + "to the current thread and MUST work within that call.",
    source: "S4 BackgroundActor.deleteTodo code.",
    broken: "instance cached by actor hands out a foreign thread instance",
    untested:
      "no probe yet; the experiment would be: repeated calls landing on different threads all "
      + "succeed (CONFINE-13)")

  static let actor36 = Rule(
    "ACTOR-36", .documented,
    "`@MainActor`-annotated functions and tasks MUST be a safe place for a main realm "
      + "through any awaits.",
    source: "S2 Suspending, Tasks and TaskGroups, Errors; S0 Tip.",
    broken: "hops lose binding",
    untested: "no probe yet; the experiment would be: hundreds of awaits on MainActor with use in "
      + "between")

  static let actor37 = Rule(
    "ACTOR-37", .documented,
    "In non-isolated async functions thread-bound realms give no guarantee; errors are "
      + "confinement errors (CONFINE-20).",
    source: "S2 Actor Isolation (marked obsolete from 10.39.0 on), Errors (`Realm accessed from "
      + "incorrect thread.`).",
    broken: "works by luck",
    untested: "no probe yet; the experiment would be: see CONFINE-20")

  static let actor39 = Rule(
    "ACTOR-39", .documented,
    "`writeAsync` MUST be callable from MainActor and actor-isolated contexts too, its "
      + "block running there.",
    source: "S2 Errors (bullet on writeAsync; \"use this method synchronously\").",
    broken: "block on main instead of the actor",
    untested: "no probe yet; the experiment would be: from actor method; assertIsolated in block")

  static let actor40 = Rule(
    "ACTOR-40", .documented,
    "Every Swift block in S4 MUST compile (each in its own scope, Swift 5 language mode).",
    source: "S4.",
    broken: "(compile shape)",
    untested: "no probe yet; the experiment would be: compile every block")
}
