import ReferenceEngine

extension Mutant {
  /// Engines that are wrong in calls that the suite did not make.
  static let unasked: [Mutant] = [
    Mutant(
      "members-of-sections-from-behind",
      "the members of a section stand in it from behind",
      breaking: .sectionsKeepTheirOrder, caughtBy: ["DATA-06"]),
    Mutant(
      "renamed-lists-are-empty",
      "a list whose property gets another name in a migration is empty",
      breaking: .renamedListsKeepTheirValues, caughtBy: ["DATA-12"]),
    Mutant(
      "lost-classes-are-hidden",
      "a migration does not show the objects of a class that the new schema does without",
      breaking: .lostClassesAreShown, caughtBy: ["DATA-12"]),
    Mutant(
      "errors-name-no-file",
      "an error does not tell which file it is about",
      breaking: .errorsNameTheirFile, caughtBy: ["LIFE-10", "LIFE-11", "LIFE-14"]),
    Mutant(
      "questions-in-swift-find-the-last",
      "the position of the first that satisfies a question in Swift is that of the last",
      breaking: .questionsFindTheFirst, caughtBy: ["DATA-07"]),
    Mutant(
      "made-by-name-without-lists",
      "an object that is made by its class's name has none of the lists that were given",
      breaking: .madeByNameIsWhole, caughtBy: ["DATA-12"]),
  ]
}
