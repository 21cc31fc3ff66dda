import ReferenceEngine

/// The right answers, but that one promise is not kept.
struct Breaks: Rulings {
  let promise: Promise

  func keeps(_ promise: Promise) -> Bool { promise != self.promise }
}

extension Mutant {
  /// A mutant that breaks one promise.
  init(_ name: String, _ story: String, breaking promise: Promise, caughtBy: [String]) {
    self.init(name, story, caughtBy: caughtBy, rulings: Breaks(promise: promise))
  }

  /// Engines that break a promise, and nothing else.
  static let breaking: [Mutant] =
    reading + writing + confinement + asynchronous + references + refreshing + freezing + files
    + telling + actors + living
}
