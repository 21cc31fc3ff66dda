import ReferenceEngine

extension Mutant {
  /// Engines that break a promise where loops, names and openers meet.
  static let corners: [Mutant] = [
    Mutant(
      "loops-in-loops-are-deaf",
      "a loop that a callback turns hears nothing more once another one has ended in it",
      breaking: .loopsHearBehindInnerOnes, caughtBy: ["NOTIFY-21"]),
    Mutant(
      "names-that-look-alike-are-one",
      "files whose names look alike, and are written differently, are one",
      breaking: .namesAreBytes, caughtBy: ["LIFE-01"]),
    Mutant(
      "the-main-queue-hears-by-its-loop-alone",
      "what is due on the main thread is announced to its run loop, and not to the main queue",
      breaking: .theMainQueueIsToldLikeItsLoop, caughtBy: ["QUEUE-08"]),
    Mutant(
      "the-main-queue-is-where-the-main-thread-is",
      "a block of the main queue is at home on the main thread alone",
      breaking: .theMainQueueIsAtHomeAnywhere, caughtBy: ["QUEUE-08"]),
  ]
}
