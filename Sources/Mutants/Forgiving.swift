import ReferenceEngine

/// Lets an act pass that Realm refuses: a guard left out.
struct Forgives: Sendable {
  let forgiven: @Sendable (Violation, Entry) -> Bool

  /// Any act that breaks one of these rules passes.
  init(_ violations: Violation...) {
    forgiven = { violation, _ in violations.contains(violation) }
  }

  /// For violations whose sentence names a type, a path or a number.
  init(sentencesWith part: String) {
    forgiven = { violation, _ in violation.sentence.contains(part) }
  }

  /// The guard is left out at some entries only.
  init(_ violation: Violation, at entries: [String]) {
    forgiven = { $0 == violation && entries.contains($1.name) }
  }

  func lets(_ violation: Violation, passAt entry: Entry) -> Bool { forgiven(violation, entry) }
}

extension Mutant {
  private static func without(
    _ name: String, _ story: String, caughtBy: [String], _ guards: Forgives
  ) -> Mutant {
    Mutant(name, story, caughtBy: caughtBy, replacesFunctions: true) { _ in
      Fault.forgives = guards
    }
  }

  /// One mutant for each guard, and for some guards one for each place they stand.
  static let forgiving: [Mutant] = [
    Mutant.without(
      "reads-anywhere", "properties are read on any thread", caughtBy: ["CONFINE-02", "SEND-05"],
      Forgives(Violation.wrongThread, at: ["readProperty"])),
    Mutant.without(
      "writes-anywhere", "properties are set on any thread", caughtBy: ["CONFINE-03"],
      Forgives(Violation.wrongThread, at: ["writeProperty"])),
    Mutant.without(
      "opens-off-the-queue", "a realm for a queue is opened anywhere", caughtBy: ["QUEUE-03"],
      Forgives(Violation.wrongQueue)),
    Mutant.without(
      "nests-writes", "a write begins inside a write", caughtBy: ["WRITE-09", "ASYNC-37"],
      Forgives(Violation.alreadyInWrite)),
    Mutant.without(
      "takes-any-length", "strings and data may be of any length", caughtBy: ["WRITE-34"],
      Forgives(sentencesWith: " too big")),
    Mutant.without(
      "cancels-nothing", "cancelWrite outside a write does nothing", caughtBy: ["WRITE-13"],
      Forgives(Violation.noWriteToCancel)),
    Mutant.without(
      "sets-outside-writes", "properties are set outside a write", caughtBy: ["WRITE-15"],
      Forgives(Violation.modifiedOutsideWrite)),
    Mutant.without(
      "changes-collections-outside-writes", "only property setters are guarded",
      caughtBy: ["WRITE-16", "FREEZE-14"], Forgives(sentencesWith: "Cannot modify managed")),
    Mutant.without(
      "adds-outside-writes", "objects are added, made and deleted outside a write",
      caughtBy: ["WRITE-17"], Forgives(Violation.addedOutsideWrite)),
    Mutant.without(
      "writes-read-only", "a read-only realm begins a write",
      caughtBy: ["WRITE-26", "ASYNC-35", "LIFE-10"], Forgives(Violation.writeInReadOnly)),
    Mutant.without(
      "adopts-foreign-objects", "an object of another realm is taken over",
      caughtBy: ["WRITE-30", "CONFINE-17", "FREEZE-16", "FREEZE-34", "FREEZE-35"],
      Forgives(Violation.managedElsewhere)),
    Mutant.without(
      "deletes-foreign-objects", "an object of another realm is deleted by its key",
      caughtBy: ["WRITE-31", "FREEZE-16"], Forgives(Violation.deletedElsewhere)),
    Mutant.without(
      "async-without-loop", "an async write begins where nothing can be delivered",
      caughtBy: ["ASYNC-31"], Forgives(Violation.noRunLoopForAsyncWrite)),
    Mutant.without(
      "begins-in-completions", "an async write begins inside a completion",
      caughtBy: ["ASYNC-32"], Forgives(Violation.beginInCompletion)),
    Mutant.without(
      "ends-in-completions", "a write ends inside a completion", caughtBy: ["ASYNC-33"],
      Forgives(Violation.commitInCompletion, Violation.cancelInCompletion)),
    Mutant.without(
      "async-on-queues", "asyncWrite and asyncRefresh where no actor is", caughtBy: ["ACTOR-21"],
      Forgives(sentencesWith: "can only be called on main thread or actor-isolated")),
    Mutant.without(
      "resolves-twice", "a reference resolves again and again",
      caughtBy: ["REF-03", "REF-04", "REF-06"], Forgives(Violation.resolvedTwice)),
    Mutant.without(
      "refers-after-changes", "results of a write with changes are referred to",
      caughtBy: ["REF-16"],
      Forgives(Violation.referenceAfterChanges, Violation.referenceToNewCollection)),
    Mutant.without(
      "refreshes-read-only", "a read-only realm refreshes without a word",
      caughtBy: ["REFRESH-07"], Forgives(Violation.readOnlyCannotRefresh)),
    Mutant.without(
      "autorefreshes-frozen", "autorefresh of a frozen realm can be set",
      caughtBy: ["REFRESH-14", "FREEZE-17"], Forgives(Violation.frozenCannotAutorefresh)),
    Mutant.without(
      "writes-frozen", "a frozen realm begins a write",
      caughtBy: ["FREEZE-12", "ASYNC-35"], Forgives(Violation.writeInFrozen)),
    Mutant.without(
      "sets-frozen", "properties of frozen objects are set", caughtBy: ["FREEZE-13"],
      Forgives(Violation.modifiedFrozen)),
    Mutant.without(
      "observes-frozen", "frozen things are observed", caughtBy: ["FREEZE-15"],
      Forgives(Violation.frozenHasNoNotifications)),
    Mutant.without(
      "observes-read-only", "read-only realms are observed", caughtBy: ["NOTIFY-27"],
      Forgives(Violation.readOnlyHasNoNotifications)),
    Mutant.without(
      "observes-after-changes", "an observation begins amid changes", caughtBy: ["NOTIFY-28"],
      Forgives(Violation.observedAfterChanges)),
    Mutant.without(
      "observes-without-loop", "an observation begins where nothing can be delivered",
      caughtBy: ["NOTIFY-29"], Forgives(Violation.noRunLoopForNotifications)),
    Mutant.without(
      "skips-foreign-tokens", "a token of another realm is skipped without a word",
      caughtBy: ["NOTIFY-31"], Forgives(Violation.skippedForeignToken)),
    Mutant.without(
      "opens-with-other-settings", "a file that is open is opened with other settings",
      caughtBy: ["LIFE-03"], Forgives(sentencesWith: "already opened with different")),
    Mutant.without(
      "refers-to-the-unmanaged", "objects without realm can be referred to", caughtBy: ["REF-07"],
      Forgives(Violation.referenceToUnmanaged)),
    Mutant.without(
      "refers-to-the-invalid", "deleted objects can be referred to", caughtBy: ["REF-08"],
      Forgives(Violation.referenceToInvalidated)),
    Mutant.without(
      "wraps-the-unmanaged", "@ThreadSafe takes objects without realm", caughtBy: ["REF-26"],
      Forgives(Violation.threadSafeNeedsManaged)),
    Mutant.without(
      "freezes-the-unmanaged", "objects without realm are frozen", caughtBy: ["FREEZE-20"],
      Forgives(Violation.frozeUnmanaged)),
    Mutant.without(
      "freezes-the-new", "objects of the running write are frozen", caughtBy: ["FREEZE-24"],
      Forgives(Violation.frozeNewObject)),
    Mutant.without(
      "thaws-the-unmanaged", "objects without realm are thawed", caughtBy: ["FREEZE-32"],
      Forgives(Violation.thawedUnmanaged)),
    Mutant.without(
      "commits-nothing-async", "commitAsyncWrite outside a write does nothing",
      caughtBy: ["ASYNC-34"],
      Forgives(Violation.noWriteToCommit)),
    Mutant.without(
      "observes-the-unmanaged", "what has no realm is observed", caughtBy: ["NOTIFY-26"],
      Forgives(Violation.observedUnmanagedObject, Violation.observedUnmanagedCollection)),
    Mutant.without(
      "freezes-the-deleted", "deleted objects are frozen", caughtBy: ["FREEZE-21"],
      Forgives(Violation.invalidated, at: ["freeze"])),
    Mutant.without(
      "ignores-wrong-key-paths", "key paths that lead nowhere are passed over",
      caughtBy: ["NOTIFY-15"], Forgives(sentencesWith: "not found in object of type")),
  ]
}
