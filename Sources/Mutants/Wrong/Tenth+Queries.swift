#if Mutants
@_private(sourceFile: "PredicateParser.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Sort.swift") import ReferenceEngine

// The tenth set: questions.

extension BoundComparison {
  @_dynamicReplacement(for:test(_:))
  func tenthTest(_ subject: Subject) -> Bool {
    if let apart = holdsApart(subject) { return apart }
    if asksIndexOverNoLink(subject) { return false }
    let holds = test(subject)
    guard holds, quantifier == .all, breaks(.allOfNothingIsTrue) else { return holds }
    return left.contains(of: subject) { _ in true }
  }
}

extension PredicateParser {
  @_dynamicReplacement(for:negation())
  private mutating func tenthNegation() throws -> Predicate {
    if breaks(.notTakesOne), takeWord("NOT") || takeSymbol("!") {
      try deepen()
      defer { depth -= 1 }
      return .not(try conjunction())
    }
    return try negation()
  }
}

extension Query {
  @_dynamicReplacement(for:within(_:_:closed:))
  func tenthWithin(_ lower: Any, _ upper: Any, closed: Bool) -> Query<Bool> {
    let isClosed = closed || breaks(.rangesEndBeforeTheirEnd)
    return within(lower, upper, closed: isClosed)
  }
}

extension SortColumn {
  @_dynamicReplacement(for:makeRoomForNull())
  private mutating func tenthMakeRoomForNull() {
    makeRoomForNull()
    guard breaks(.nullTurnsWithTheOrder), !ascending else { return }
    for row in words.indices where isNull[row] { words[row] = .max }
  }
}
#endif
