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
      breaking: .errorsNameTheirFile, caughtBy: ["LIFE-10", "LIFE-11", "LIFE-14", "COMMIT-07"]),
    Mutant(
      "questions-in-swift-find-the-last",
      "the position of the first that satisfies a question in Swift is that of the last",
      breaking: .questionsFindTheFirst, caughtBy: ["DATA-07"]),
    Mutant(
      "made-by-name-without-lists",
      "an object that is made by its class's name has none of the lists that were given",
      breaking: .madeByNameIsWhole, caughtBy: ["DATA-12"]),
    Mutant(
      "shown-members-do-not-freeze",
      "what is frozen of shown members goes on showing what they have",
      breaking: .shownMembersFreeze, caughtBy: ["DATA-12"]),
    Mutant(
      "projections-are-asked-by-their-first",
      "a typed key path of a projection leads to its first property, whichever it names",
      breaking: .projectionsAreAskedByName, caughtBy: ["DATA-06"]),
    Mutant(
      "shown-members-tell-all",
      "a listener of what is shown of members is told of all that changes of them",
      breaking: .shownMembersHideTheRest, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "maps-with-nulls-have-no-least",
      "a map with a null among its values has no least value",
      breaking: .mapsLeaveOutNulls, caughtBy: ["DATA-08"]),
    Mutant(
      "computed-of-each-once",
      "what a question computes of a list counts an object that is there twice once",
      breaking: .computedOfEachPlace, caughtBy: ["DATA-02"]),
    Mutant(
      "long-paths-are-cut",
      "a listener's key path over more than three links is followed over three",
      breaking: .pathsAreOfAnyLength, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "stored-forms-are-refused",
      "no object is made of what is stored of the app's own types, but of their values alone",
      breaking: .storedFormsAreTaken, caughtBy: ["DATA-12"]),
    Mutant(
      "loops-work-elsewhere",
      "what is on its way to a thread's loop is done on another thread",
      breaking: .loopsWorkOnTheirThread, caughtBy: ["REFRESH-11", "NOTIFY-21"]),
  ]
}
