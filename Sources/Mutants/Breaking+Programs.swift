import ReferenceEngine

extension Mutant {
  /// Engines whose faults show where several things meet: what random programs beside a model are
  /// for.
  static let meeting: [Mutant] = [
    Mutant(
      "replaced-ones-stay", "what a cancelled write added under a deleted one's key is kept for it",
      breaking: .replacedRowsAreTakenBack, caughtBy: ["WRITE-19"]),
    Mutant(
      "sets-are-merged", "a set that is given anew keeps the members that it had",
      breaking: .setsBecomeWhatIsGiven, caughtBy: ["DATA-11"]),
    Mutant(
      "last-nowhere", "the last of objects found in an order is nowhere among them",
      breaking: .lastOnesHavePositions, caughtBy: ["DATA-07"]),
  ]
}
