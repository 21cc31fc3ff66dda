import ReferenceEngine

/// The right answers, but that one promise is not kept.
struct Breaks: Rulings {
  let promise: String

  func keeps(_ promise: ReferenceEngine.Promise) -> Bool { "\(promise)" != self.promise }
}

extension Mutant {
  /// A mutant that breaks one promise.
  init(_ name: String, _ story: String, breaking promise: Promise, caughtBy: [String]) {
    let asked = "\(promise)"
    let isAsked = ReferenceEngine.Promise.allCases.contains { "\($0)" == asked }
    self.init(name, story, caughtBy: caughtBy, replacesFunctions: true) { seams in
      if isAsked { seams.rulings = Breaks(promise: asked) }
      Fault.promise = promise
    }
  }

  /// Engines that break a promise, and nothing else.
  static let breaking: [Mutant] =
    reading + writing + confinement + asynchronous + references + refreshing + freezing + files
    + telling + actors + living
}
