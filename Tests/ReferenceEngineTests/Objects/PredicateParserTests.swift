import Foundation
import Testing

@testable import ReferenceEngine

// Foundation has one too.
private typealias Predicate = ReferenceEngine.Predicate

@Suite struct PredicateParserTests {
  private func parse(_ format: String, _ arguments: Any...) throws -> Predicate {
    try PredicateParser.parse(format, arguments)
  }

  private func path(_ names: String...) -> Operand {
    .path(PropertyPath(names.map { .property($0) }))
  }

  private func compare(
    _ left: Operand, _ operation: Comparison.Operation, _ right: StoredValue,
    _ options: StringOptions = []
  ) -> Predicate {
    .comparison(
      Comparison(left: left, operation: operation, right: .value(right), options: options))
  }

  @Test(arguments: ["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
  func `every spelling of a comparison is understood`(spelling: String) throws {
    let meant: [String: Comparison.Operation] = [
      "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less,
      "<=": .lessOrEqual, "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
      "=>": .greaterOrEqual,
    ]
    #expect(try parse("age \(spelling) 3") == compare(path("age"), meant[spelling]!, .int(3)))
  }

  @Test func `AND binds closer than OR, NOT closer than both`() throws {
    let a = compare(path("a"), .equal, .int(1))
    let b = compare(path("b"), .equal, .int(2))
    let c = compare(path("c"), .equal, .int(3))
    #expect(try parse("a == 1 OR b == 2 AND c == 3") == .any([a, .all([b, c])]))
    #expect(try parse("(a == 1 || b == 2) && c == 3") == .all([.any([a, b]), c]))
    #expect(try parse("NOT a == 1 and b == 2") == .all([.not(a), b]))
    #expect(try parse("!(a == 1 AND b == 2)") == .not(.all([a, b])))
  }

  @Test func `constants of every literal kind are understood`() throws {
    #expect(try parse("x == -12") == compare(path("x"), .equal, .int(-12)))
    #expect(try parse("x == 0xFF") == compare(path("x"), .equal, .int(255)))
    #expect(try parse("x == 1.5e3") == compare(path("x"), .equal, .double(1500)))
    #expect(try parse("x == YES") == compare(path("x"), .equal, .bool(true)))
    #expect(try parse("x == false") == compare(path("x"), .equal, .bool(false)))
    #expect(try parse("x == NULL") == compare(path("x"), .equal, .null))
    #expect(try parse("x == nil") == compare(path("x"), .equal, .null))
    #expect(
      try parse("x == 'it\\'s \"q\" \\u00e9 🦊'")
        == compare(path("x"), .equal, .string("it's \"q\" é 🦊")))
    #expect(try parse("TRUEPREDICATE") == .constant(true))
    #expect(try parse("falsepredicate") == .constant(false))
  }

  @Test func `arguments take the places of their marks`() throws {
    let date = Date(timeIntervalSince1970: 5)
    #expect(try parse("%K == %@", "owner.age", 3) == compare(path("owner", "age"), .equal, .int(3)))
    #expect(try parse("when > %@", date) == compare(path("when"), .greater, .date(date)))
    #expect(
      try parse("x == %d AND y == %lld AND z == %f", 1, Int64(2), 3.5)
        == .all([
          compare(path("x"), .equal, .int(1)), compare(path("y"), .equal, .int(2)),
          compare(path("z"), .equal, .double(3.5)),
        ]))
    let none: Int? = nil
    #expect(try parse("x == %@", none as Any) == compare(path("x"), .equal, .null))
    #expect(
      try parse("x IN %@", [1, 2])
        == .comparison(
          Comparison(left: path("x"), operation: .in, right: .values([.int(1), .int(2)]))))
    #expect(try parse("x == '%@'") == compare(path("x"), .equal, .string("%@")))
  }

  @Test func `string operators take their options`() throws {
    #expect(
      try parse("name beginswith[cd] 'x'")
        == compare(
          path("name"), .beginsWith, .string("x"), [.caseInsensitive, .diacriticInsensitive]))
    #expect(
      try parse("name ENDSWITH[c] 'x'")
        == compare(path("name"), .endsWith, .string("x"), .caseInsensitive))
    #expect(try parse("name CONTAINS 'x'") == compare(path("name"), .contains, .string("x")))
    #expect(
      try parse("name LIKE[d] 'x*'")
        == compare(path("name"), .like, .string("x*"), .diacriticInsensitive))
    #expect(
      try parse("name ==[c] 'x'") == compare(path("name"), .equal, .string("x"), .caseInsensitive))
  }

  @Test func `collections, aggregates and sub-queries are understood`() throws {
    let dogs = PropertyPath([.property("dogs")])
    let age = PropertyPath([.property("age")])
    #expect(
      try parse("dogs.age > 3")
        == compare(path("dogs", "age"), .greater, .int(3)))
    #expect(
      try parse("ANY dogs.age > 3")
        == .comparison(
          Comparison(
            quantifier: .any, left: path("dogs", "age"), operation: .greater,
            right: .value(.int(3)), saysAny: true)))
    #expect(try parse("SOME dogs.age > 3") == parse("ANY dogs.age > 3"))
    #expect(
      try parse("ALL dogs.age > 3")
        == .comparison(
          Comparison(
            quantifier: .all, left: path("dogs", "age"), operation: .greater, right: .value(.int(3))
          )))
    #expect(
      try parse("NONE dogs.age > 3")
        == .comparison(
          Comparison(
            quantifier: .none, left: path("dogs", "age"), operation: .greater,
            right: .value(.int(3)))))
    #expect(
      try parse("dogs.@count == 2")
        == compare(.aggregate(dogs, .count, of: PropertyPath()), .equal, .int(2)))
    #expect(
      try parse("dogs.@sum.age <= 2")
        == compare(.aggregate(dogs, .sum, of: age), .lessOrEqual, .int(2)))
    #expect(
      try parse("ages.@avg <= 2")
        == compare(
          .aggregate(PropertyPath([.property("ages")]), .average, of: PropertyPath()), .lessOrEqual,
          .int(2)))
    #expect(
      try parse("SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == 'x').@count > 1")
        == compare(
          .subqueryCount(
            dogs,
            .all([
              compare(path("age"), .greater, .int(3)), compare(path("name"), .equal, .string("x")),
            ])),
          .greater, .int(1)))
    #expect(
      try parse("prices['eur'] > 1")
        == compare(.path(PropertyPath([.property("prices"), .key("eur")])), .greater, .int(1)))
    #expect(
      try parse("prices.@allKeys == 'eur'")
        == compare(.path(PropertyPath([.property("prices"), .allKeys])), .equal, .string("eur")))
  }

  @Test func `BETWEEN takes exactly two values`() throws {
    #expect(
      try parse("age BETWEEN {1, 5}")
        == .comparison(
          Comparison(left: path("age"), operation: .between, right: .values([.int(1), .int(5)]))))
    #expect(throws: PredicateSyntaxError.self) { try parse("age BETWEEN {1}") }
    #expect(throws: PredicateSyntaxError.self) { try parse("age BETWEEN 1") }
  }

  @Test func `# makes a name of a reserved word`() throws {
    #expect(try parse("#and == 1") == compare(path("and"), .equal, .int(1)))
  }

  @Test(arguments: [
    ("age >", 5, "expected a property or a value, found the end"),
    (
      "any == 5", 4,
      "expected a property after any, found \"==\"; write #any for a property of that name"
    ),
    ("age", 3, "expected a comparison such as == or IN, found the end"),
    ("age > 3 name", 8, "expected AND, OR or the end, found \"name\""),
    ("(age > 3", 8, "expected \")\", found the end"),
    ("age ~ 3", 4, "unexpected character \"~\""),
    ("name == 'x", 8, "expected a closing ' for the string that begins"),
    ("name BEGINSWITH[x] 'a'", 16, "expected c or d, found \"x\""),
    ("age == %@", 7, "expected an argument for placeholder 1"),
    ("age IN 3", 8, "expected a list after IN, found one value"),
    (
      "dogs.@median.age > 3", 5,
      "expected @count, @min, @max, @sum or @avg, found \"@median\""
    ),
    (
      "SUBQUERY(dogs, $d, $e.age > 3).@count > 0", 19,
      "the variable $e belongs to no sub-query here"
    ),
    ("SUBQUERY(dogs, d, d.age > 3).@count > 0", 15, "expected a variable such as $x, found \"d\""),
    ("$d.age > 3", 0, "the variable $d belongs to no sub-query here"),
    ("age == 3 AND", 12, "expected a property or a value, found the end"),
    ("", 0, "expected a property or a value, found the end"),
    ("age == {1, 2}", 13, "expected one value, found a list"),
  ])
  func `an error says where and what was expected`(
    format: String, position: Int, expectation: String
  ) throws {
    let error = #expect(throws: PredicateSyntaxError.self) { try parse(format) }
    #expect(error?.expectation == expectation)
    #expect(error?.position == position)
    #expect(
      error?.description
        == "Unable to parse the format string \"\(format)\": \(expectation) at position \(position)"
    )
  }

  @Test func `arguments left over are an error`() throws {
    #expect(throws: PredicateSyntaxError.self) { try parse("age == 3", 4) }
  }

  @Test func `what a predicate prints parses back to itself`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    for _ in 0..<2_000 {
      let predicate = PredicateGenerator.predicate(depth: 4, using: &random)
      let text = predicate.description
      #expect(try parse(text) == predicate, "\(text)")
    }
  }
}

/// Predicates of every shape, for round trips.
private enum PredicateGenerator {
  static func predicate(depth: Int, using random: inout Dice) -> Predicate {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 4: return .not(predicate(depth: depth - 1, using: &random))
    case 5:
      return flattened(
        (0..<Int.random(in: 2...4, using: &random)).map { _ in
          predicate(depth: depth - 1, using: &random)
        }, Predicate.and)
    case 6:
      return flattened(
        (0..<Int.random(in: 2...4, using: &random)).map { _ in
          predicate(depth: depth - 1, using: &random)
        }, Predicate.or)
    default: return .comparison(comparison(depth: depth, using: &random))
    }
  }

  private static func flattened(
    _ parts: [Predicate], _ join: (Predicate, Predicate) -> Predicate
  ) -> Predicate {
    parts.dropFirst().reduce(parts[0], join)
  }

  private static func comparison(
    depth: Int, using random: inout Dice
  ) -> Comparison {
    let operations: [Comparison.Operation] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between,
      .beginsWith, .endsWith, .contains, .like,
    ]
    let operation = operations.randomElement(using: &random)!
    let quantifier: Comparison.Quantifier = [.any, .any, .all, .none].randomElement(using: &random)!
    let right: Operand =
      switch operation {
      case .in: .values((0..<3).map { _ in value(using: &random) })
      case .between: .values((0..<2).map { _ in value(using: &random) })
      default: Bool.random(using: &random) ? .value(value(using: &random)) : path(using: &random)
      }
    return Comparison(
      quantifier: quantifier, left: left(depth: depth, using: &random), operation: operation,
      right: right, options: StringOptions(rawValue: Int.random(in: 0...3, using: &random)))
  }

  private static func left(depth: Int, using random: inout Dice) -> Operand {
    guard depth > 0, Int.random(in: 0..<3, using: &random) == 0 else { return path(using: &random) }
    let collection = PropertyPath([.property("dogs")])
    if Bool.random(using: &random) {
      return .subqueryCount(
        collection, predicate(depth: depth - 2, using: &random).withoutSubqueries)
    }
    let aggregates: [Aggregate] = [.count, .min, .max, .sum, .average]
    let aggregate = aggregates.randomElement(using: &random)!
    return .aggregate(
      collection, aggregate,
      of: aggregate == .count ? PropertyPath() : PropertyPath([.property("x")]))
  }

  private static func path(using random: inout Dice) -> Operand {
    let names = ["age", "name", "owner", "dogs", "größe", "x_1"]
    var steps: [PropertyPath.Step] = [.property(names.randomElement(using: &random)!)]
    if Bool.random(using: &random) { steps.append(.property(names.randomElement(using: &random)!)) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: steps.append(.key("a \"key\""))
    case 1: steps.append(.index(2))
    case 2: steps.append(.allValues)
    default: break
    }
    return .path(PropertyPath(steps))
  }

  private static func value(using random: inout Dice) -> StoredValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .int(Int64.random(in: -1000...1000, using: &random))
    case 3: .double(Double(Int.random(in: -100...100, using: &random)) / 8)
    case 4: .string(["", "a", "it's", "\"q\"\\", "é🦊\n"].randomElement(using: &random)!)
    default: .int(Int64.max - Int64.random(in: 0...3, using: &random))
    }
  }
}

extension Predicate {
  /// Nested sub-queries print the same variable twice, which reads well and parses differently.
  fileprivate var withoutSubqueries: Predicate {
    switch self {
    case .constant: self
    case .not(let inner): .not(inner.withoutSubqueries)
    case .all(let parts): .all(parts.map(\.withoutSubqueries))
    case .any(let parts): .any(parts.map(\.withoutSubqueries))
    case .comparison(let comparison):
      if case .subqueryCount = comparison.left {
        .comparison(
          Comparison(
            left: .path(PropertyPath([.property("plain")])), operation: comparison.operation,
            right: comparison.right))
      } else {
        self
      }
    }
  }
}
