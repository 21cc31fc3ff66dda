import ReferenceEngine

/// Lets an act pass that Realm refuses: a guard left out.
struct Forgives: Rulings {
  let forgiven: @Sendable (Violation, Entry) -> Bool

  /// Any act that breaks one of these rules passes.
  init(_ violations: Violation...) {
    forgiven = { violation, _ in violations.contains(violation) }
  }

  /// For violations whose sentence names a type, a path or a number.
  init(sentencesWith part: String) {
    forgiven = { violation, _ in violation.sentence.contains(part) }
  }

  /// The guard is left out at some entries only.
  init(_ violation: Violation, at entries: [String]) {
    forgiven = { $0 == violation && entries.contains($1.name) }
  }

  func refuses(_ violation: Violation, at entry: Entry) -> Bool { !forgiven(violation, entry) }
}

extension Mutant {
  /// One mutant for each guard, and for some guards one for each place they stand.
  static let forgiving: [Mutant] = []
}
