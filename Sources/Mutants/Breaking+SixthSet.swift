import ReferenceEngine

extension Mutant {
  /// Faults of the kinds that the suite went past in the sixth set of docs/UNPLANNED.md.
  static let unplannedSixth: [Mutant] = [
    Mutant(
      "nested-changes-leave-no-trace",
      "a change of a collection in a mixed value is none to what was found before",
      breaking: .nestedChangesAreChanges, caughtBy: ["READ-08"]),
    Mutant(
      "first-objects-leave-no-trace",
      "the first object of a class is no change to what was found before",
      breaking: .firstObjectsAreChanges, caughtBy: ["READ-08"]),
    Mutant(
      "records-end-early",
      "of what a commit deletes the first run alone is gone for variables",
      breaking: .recordsAreReadToTheirEnd, caughtBy: ["REF-25"]),
    Mutant(
      "loops-take-the-kept-along",
      "a loop in a write goes on with the object that somebody kept",
      breaking: .keptObjectsStayInWrites, caughtBy: ["READ-12"]),
    Mutant(
      "cancelled-writes-owe-first-calls",
      "who begins to listen in a write that is cancelled waits for the next commit",
      breaking: .cancelledWritesLetFirstCallsCome, caughtBy: ["NOTIFY-04"]),
    Mutant(
      "empty-classes-stay-empty",
      "a class that was asked for before it had an object has none until it is opened anew",
      breaking: .emptyClassesFillUp, caughtBy: ["REFRESH-03"]),
  ]
}
