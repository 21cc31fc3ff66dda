import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about what is stored, found and linked.
  static let data: [Mutant] = [
    Mutant(
      "unequal-forgets-null", "`!=` a value leaves out objects without one",
      breaking: .unequalFindsNull, caughtBy: ["DATA-01"]),
    Mutant(
      "null-is-zero", "objects without a number satisfy what zero satisfies",
      breaking: .nullHasNoOrder, caughtBy: ["DATA-01", "DATA-02"]),
    Mutant(
      "folds-but-one", "a comparison that takes letters for their capitals forgets one of them",
      breaking: .everyLetterFolds, caughtBy: ["DATA-03"]),
    Mutant(
      "stale-index", "an index that was asked once is asked again after a refresh, as it was",
      breaking: .indexesFollowTheVersion, caughtBy: ["DATA-04", "READ-16"]),
    Mutant(
      "first-order-decides", "of a sort by several properties the first alone counts",
      breaking: .laterOrdersBreakTies, caughtBy: ["DATA-05"]),
    Mutant(
      "distinct-goes-first", "distinct is done before sorts, whenever it was asked for",
      breaking: .orderingsApplyInTurn, caughtBy: ["DATA-06"]),
    Mutant(
      "first-of-all",
      "the first of a sort is looked for among all objects, not those of the filter",
      breaking: .firstOfSortIsFiltered, caughtBy: ["DATA-07"]),
    Mutant(
      "null-is-least", "null counts as zero among the least and the greatest of whole numbers",
      breaking: .aggregatesLeaveOutNull, caughtBy: ["DATA-08"]),
    Mutant(
      "mean-of-nothing", "the mean of nothing is zero",
      breaking: .meanOfNothingIsNone, caughtBy: ["DATA-08"]),
    Mutant(
      "sections-are-told-apart-by-swift",
      "two spellings of one text share a section, and that of NaN has no members",
      breaking: .sectionsAreOfOneStoredKey, caughtBy: ["DATA-06"]),
    Mutant(
      "nan-stays-the-least", "NaN in front of other members stays the least and the greatest",
      breaking: .aggregatesLeaveOutNaN, caughtBy: ["DATA-08"]),
    Mutant(
      "mixed-linkers", "what links through one property is given for another property, too",
      breaking: .linkersAreOfOneProperty, caughtBy: ["DATA-09"]),
    Mutant(
      "linked-once", "a list that links to an object twice is there once among those that do",
      breaking: .linkersAreCounted, caughtBy: ["DATA-09"]),
    Mutant(
      "one-link-of-two", "a list that links twice is no linker any more when one of the two goes",
      breaking: .repeatedLinksKeepTheWayBack, caughtBy: ["DATA-09"]),
    Mutant(
      "deleted-once", "a list that has an object twice loses one of the two when it is deleted",
      breaking: .deletedLeaveEveryPlace, caughtBy: ["DATA-10"]),
    Mutant(
      "null-keys-pile-up", "an object is added under null as key although there is one",
      breaking: .nullKeysAreUnique, caughtBy: ["DATA-11"]),
    Mutant(
      "the-greatest-key-is-the-last",
      "where an object has the greatest key that there is a migration makes no other",
      breaking: .theGreatestKeyLeavesRoom, caughtBy: ["DATA-11"]),
    Mutant(
      "nulls-stay-behind", "of a long row of null marks a part stays when an object goes",
      breaking: .nullsStayWithTheirRows, caughtBy: ["DATA-12"]),
    Mutant(
      "moves-fall-short", "a member that is moved towards the end ends one too early",
      breaking: .movesEndWhereAsked, caughtBy: ["DATA-13"]),
  ]
}
