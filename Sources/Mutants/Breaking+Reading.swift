import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about reading and what is read.
  static let reading: [Mutant] = [
    Mutant(
      "readers-wait-for-the-gate", "a read begins when nobody writes",
      breaking: .readsWaitForNobody, caughtBy: ["READ-01", "READ-02"]),
    Mutant(
      "opens-beside-a-sibling", "a realm begins on the version that another one of the file is on",
      breaking: .readsBeginOnTheNewest, caughtBy: ["REFRESH-01", "READ-09"]),
    Mutant(
      "advances-on-lookups", "a query or a lookup brings the realm to the newest version",
      breaking: .lookupsStayOnTheVersion,
      caughtBy: ["READ-05", "READ-06", "REFRESH-02", "REFRESH-10", "REFRESH-12", "REFRESH-15"]),
    Mutant(
      "objects-cache-their-row", "an object reads where it read before, whatever has changed",
      breaking: .objectsAreFoundAnew, caughtBy: ["READ-11", "REFRESH-20"]),
    Mutant(
      "results-ignore-own-writes", "results that were found are not found again during a write",
      breaking: .resultsFollowOwnWrites, caughtBy: ["READ-08"]),
    Mutant(
      "loops-follow-changes", "a loop goes on by position in what is there now",
      breaking: .loopsWalkAsBegun, caughtBy: ["READ-12"]),
    Mutant(
      "loops-take-in-successors", "a loop visits who came under the key of a member that had gone",
      breaking: .successorsAreNoMembers, caughtBy: ["READ-12"]),
    Mutant(
      "loops-find-who-leaves",
      "a loop in a write comes to objects that its body has deleted ahead of it",
      breaking: .leavingRowsAreGone, caughtBy: ["READ-12"]),
    Mutant(
      "loops-walk-where-rows-wait",
      "a loop that begins between the commits of a group walks its rows where they wait",
      breaking: .loopsWalkWhereRowsStay, caughtBy: ["READ-12"]),
    Mutant(
      "cancelled-members-have-heirs",
      "a loop that began in a cancelled write visits who came under the keys of its members",
      breaking: .cancelledMembersHaveNoHeirs, caughtBy: ["READ-12"]),
    Mutant(
      "invalidation-lets-nothing-go", "invalidate leaves the realm on its version",
      breaking: .invalidationLetsTheVersionGo, caughtBy: ["READ-10", "LIFE-04"]),
  ]
}
