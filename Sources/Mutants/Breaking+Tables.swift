import ReferenceEngine

extension Mutant {
  /// Engines that break a promise for one of the arguments that a call may have.
  static let tables: [Mutant] = [
    Mutant(
      "negative-fractions-lose-their-sign",
      "a fraction below zero that is written into a predicate counts as one above",
      breaking: .negativeFractionsKeepTheirSign, caughtBy: ["DATA-02"]),
    Mutant(
      "typed-patterns-heed-capitals",
      "a pattern that is asked for in Swift heeds capitals, whatever is asked for",
      breaking: .typedPatternsFoldLetters, caughtBy: ["DATA-03"]),
    Mutant(
      "erased-collections-end-where-they-begin",
      "the last member of an erased collection is its first",
      breaking: .erasedCollectionsEnd, caughtBy: ["DATA-07"]),
    Mutant(
      "moving-all-turns-them",
      "moving all elements of a list at once turns them round",
      breaking: .movingAllKeepsTheirOrder, caughtBy: ["DATA-13"]),
    Mutant(
      "sets-meet-by-their-first",
      "whether two sets meet is asked of the first member alone",
      breaking: .setsMeetByAnyMember, caughtBy: ["DATA-13"]),
    Mutant(
      "by-its-name-a-class-is-as-it-was",
      "in a write, all objects by the name of their class are those of before it",
      breaking: .writesAreShownByName, caughtBy: ["READ-08"]),
    Mutant(
      "same-dates-need-no-write",
      "a date may be set outside a write, to what it is",
      breaking: .sameDatesNeedAWrite, caughtBy: ["WRITE-15"]),
    Mutant(
      "absent-keys-need-no-write",
      "a key that a map does not have may be removed outside a write",
      breaking: .absentKeysNeedAWrite, caughtBy: ["WRITE-16"]),
    Mutant(
      "sums-are-told-anywhere",
      "the sum of a list that was asked for at home is told on other threads, too",
      breaking: .sumsAreConfined, caughtBy: ["CONFINE-04"]),
    Mutant(
      "openings-ask-whether-to-compact",
      "who decides whether to compact is asked by whoever opens the file, open as it is",
      breaking: .theFirstAsksWhetherToCompact, caughtBy: ["LIFE-16"]),
    Mutant(
      "ids-of-the-past-take-the-next",
      "in a block, an id of what has ended takes the last block away that waits",
      breaking: .endedIdsNameNothing, caughtBy: ["ASYNC-29"]),
  ]
}
