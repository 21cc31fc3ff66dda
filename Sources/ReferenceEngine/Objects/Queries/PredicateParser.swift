/// Turns a filter string and its arguments into a `Predicate`.
///
///     predicate   = conjunction { ("OR" | "||") conjunction }
///     conjunction = negation { ("AND" | "&&") negation }
///     negation    = ("NOT" | "!") negation | "(" predicate ")" | comparison
///                 | "TRUEPREDICATE" | "FALSEPREDICATE"
///     comparison  = ["ANY" | "SOME" | "ALL" | "NONE"] operand operator ["[" c, d "]"] operand
///     operand     = path | value | "{" values "}"
///                 | "SUBQUERY" "(" path "," $name "," predicate ")" ".@count"
///     path        = name { "." name | "[" key "]" } [ "." "@count" | "." "@sum" ["." path] … ]
///
/// Reserved words are the same in any case; `#and` is a property called `and`. The grammar knows no
/// schema: whether a property exists, and whether a comparison makes sense for it, is told when the
/// predicate is bound.
struct PredicateParser {
  private let format: String
  private let tokens: [PredicateToken]
  private let arguments: [Any]
  private var at = 0
  private var argumentsUsed = 0
  /// The variables of the sub-queries around the current place, innermost last.
  private var variables: [String] = []
  /// How deep in parentheses, negations and lists the current place is.
  private var depth = 0

  static func parse(_ format: String, _ arguments: [Any] = []) throws -> Predicate {
    var parser = PredicateParser(
      format: format, tokens: try PredicateLexer.tokens(of: format), arguments: arguments)
    let predicate = try parser.predicate()
    guard parser.current.kind == .end else {
      throw parser.failure("expected AND, OR or the end, found \(parser.current.spelled)")
    }
    guard parser.argumentsUsed == arguments.count else {
      throw parser.failure(
        "\(arguments.count) arguments were given for \(parser.argumentsUsed) placeholders, found "
          + "the end"
      )
    }
    return predicate
  }

  private init(format: String, tokens: [PredicateToken], arguments: [Any]) {
    self.format = format
    self.tokens = tokens
    self.arguments = arguments
  }

  // MARK: Logic

  private mutating func predicate() throws -> Predicate {
    var parts = [try conjunction()]
    while takeWord("OR") || takeSymbol("||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : parts.dropFirst().reduce(parts[0], Predicate.or)
  }

  private mutating func conjunction() throws -> Predicate {
    var parts = [try negation()]
    while takeWord("AND") || takeSymbol("&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : parts.dropFirst().reduce(parts[0], Predicate.and)
  }

  /// Goes one deeper; each level takes room on the thread's stack, here and wherever the predicate
  /// is followed.
  private mutating func deepen() throws {
    guard depth < Predicate.mostDepth else {
      throw failure("expected at most \(Predicate.mostDepth) levels of parentheses, found more")
    }
    depth += 1
  }

  private mutating func negation() throws -> Predicate {
    try deepen()
    defer { depth -= 1 }
    if takeWord("NOT") || takeSymbol("!") { return .not(try negation()) }
    if takeWord("TRUEPREDICATE") { return .constant(true) }
    if takeWord("FALSEPREDICATE") { return .constant(false) }
    guard current.kind == .symbol("(") else { return try comparison() }
    return try parenthesized()
  }

  /// A parenthesis may hold a predicate or, rarely, one operand of a comparison. The predicate is
  /// tried first; if both fail, the reading that got further gives the error.
  private mutating func parenthesized() throws -> Predicate {
    let start = (at, argumentsUsed)
    do {
      at += 1
      let inner = try predicate()
      try expectSymbol(")")
      return inner
    } catch let first as PredicateSyntaxError {
      (at, argumentsUsed) = start
      do {
        return try comparison()
      } catch let second as PredicateSyntaxError {
        throw second.position > first.position ? second : first
      }
    }
  }

  // MARK: Comparisons

  private mutating func comparison() throws -> Predicate {
    var quantifier = Comparison.Quantifier.any
    var saysAny = false
    if takeWord("ANY") || takeWord("SOME") {
      saysAny = true
    } else if takeWord("ALL") {
      quantifier = .all
    } else if takeWord("NONE") {
      quantifier = .none
    }
    try verifyQuantified()
    let left = try operand()
    let operation = try operation()
    let options = try stringOptions()
    let right = try operand()
    return .comparison(
      Comparison(
        quantifier: quantifier, left: left, operation: operation,
        right: try list(right, for: operation), options: options,
        saysAny: saysAny))
  }

  /// Tells whoever has a property called `any` that the word is taken.
  private func verifyQuantified() throws {
    guard at > 0, case .word(let word, escaped: false) = tokens[at - 1].kind,
      ["ANY", "SOME", "ALL", "NONE"].contains(word.uppercased()),
      case .symbol(let symbol) = current.kind, !["(", "{", "-", "+"].contains(symbol)
    else { return }
    throw failure(
      "expected a property after \(word), found \(current.spelled); write #\(word) for a property "
        + "of that name")
  }

  private mutating func operation() throws -> Comparison.Operation {
    let found: Comparison.Operation? =
      switch current.kind {
      case .symbol("="), .symbol("=="): .equal
      case .symbol("!="), .symbol("<>"): .notEqual
      case .symbol("<"): .less
      case .symbol("<="), .symbol("=<"): .lessOrEqual
      case .symbol(">"): .greater
      case .symbol(">="), .symbol("=>"): .greaterOrEqual
      case .word(let word, escaped: false): Comparison.Operation(rawValue: word.uppercased())
      default: nil
      }
    guard let found else {
      throw failure("expected a comparison such as == or IN, found \(current.spelled)")
    }
    at += 1
    return found
  }

  private mutating func stringOptions() throws -> StringOptions {
    guard takeSymbol("[") else { return [] }
    guard case .word(let letters, _) = current.kind else {
      throw failure("expected c or d, found \(current.spelled)")
    }
    var options: StringOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw failure("expected c or d, found \"\(letter)\"")
      }
    }
    at += 1
    try expectSymbol("]")
    return options
  }

  /// IN and BETWEEN take several values at their right: a list in braces, an array argument, or a
  /// collection.
  private func list(_ right: Operand, for operation: Comparison.Operation) throws -> Operand {
    switch (operation, right) {
    case (.between, .values(let values)) where values.count == 2: return right
    case (.between, _):
      throw failure("expected two values after BETWEEN, found \(right.kindInWords)")
    case (.in, .value): throw failure("expected a list after IN, found \(right.kindInWords)")
    case (.in, _): return right
    case (_, .values): throw failure("expected one value, found a list")
    default: return right
    }
  }

  // MARK: Operands

  private mutating func operand() throws -> Operand {
    try deepen()
    defer { depth -= 1 }
    switch current.kind {
    case .string(let text): return take(.value(.string(text)))
    case .integer(let number): return take(.value(.int(number)))
    case .real(let number): return take(.value(.double(number)))
    case .symbol("-"), .symbol("+"): return .value(try signedNumber())
    case .symbol("{"): return .values(try values())
    case .symbol("("):
      at += 1
      let inner = try operand()
      try expectSymbol(")")
      return inner
    case .argument(let letters) where letters != "K": return try argument(letters)
    case .word(let word, escaped: false):
      if let constant = Self.constants[word.uppercased()] { return take(.value(constant)) }
      if word.uppercased() == "SUBQUERY" { return try subquery() }
      return try path()
    case .word, .argument, .variable: return try path()
    case .at, .symbol, .end:
      throw failure("expected a property or a value, found \(current.spelled)")
    }
  }

  private static let constants: [String: StoredValue] = [
    "TRUE": .bool(true), "YES": .bool(true), "FALSE": .bool(false), "NO": .bool(false),
    "NIL": .null, "NULL": .null,
  ]

  private mutating func signedNumber() throws -> StoredValue {
    let isNegative = current.kind == .symbol("-")
    at += 1
    switch current.kind {
    case .integer(let number):
      at += 1
      return .int(isNegative ? 0 &- number : number)
    case .real(let number):
      at += 1
      return .double(isNegative ? -number : number)
    default: throw failure("expected a number, found \(current.spelled)")
    }
  }

  private mutating func values() throws -> [StoredValue] {
    try expectSymbol("{")
    var found: [StoredValue] = []
    guard !takeSymbol("}") else { return found }
    repeat {
      guard case .value(let value) = try operand() else {
        throw failure("expected a value in the list, found \(current.spelled)")
      }
      found.append(value)
    } while takeSymbol(",")
    try expectSymbol("}")
    return found
  }

  private mutating func argument(_ letters: String) throws -> Operand {
    let value = try nextArgument()
    at += 1
    if let values = StoredValue.list(of: value) { return .values(values) }
    guard let constant = StoredValue(value) else {
      throw failure(
        "expected an argument that a property can hold, found one of type \(type(of: value))")
    }
    return .value(constant)
  }

  private mutating func nextArgument() throws -> Any {
    guard argumentsUsed < arguments.count else {
      throw failure("expected an argument for placeholder \(argumentsUsed + 1)")
    }
    argumentsUsed += 1
    return arguments[argumentsUsed - 1]
  }

  private mutating func subquery() throws -> Operand {
    at += 1
    try expectSymbol("(")
    guard case .path(let collection) = try operand() else {
      throw failure("expected a collection to query, found \(current.spelled)")
    }
    try expectSymbol(",")
    guard case .variable(let name) = current.kind else {
      throw failure("expected a variable such as $x, found \(current.spelled)")
    }
    at += 1
    try expectSymbol(",")
    variables.append(name)
    let inner = try predicate()
    variables.removeLast()
    try expectSymbol(")")
    try expectSymbol(".")
    guard current.kind == .at("count") else {
      throw failure("expected @count after SUBQUERY(…), found \(current.spelled)")
    }
    at += 1
    return .subqueryCount(collection, inner)
  }

  // MARK: Paths

  private mutating func path() throws -> Operand {
    var path = try pathStart()
    while true {
      if takeSymbol("[") {
        path = path.appending(try subscriptStep())
        try expectSymbol("]")
        continue
      }
      guard takeSymbol(".") else { return .path(path) }
      switch current.kind {
      case .at(let word):
        at += 1
        switch word {
        case "allKeys", "keys": path = path.appending(.allKeys)
        case "allValues", "values": path = path.appending(.allValues)
        default:
          guard let aggregate = Aggregate(rawValue: "@" + word) else {
            at -= 1
            throw failure("expected @count, @min, @max, @sum or @avg, found \"@\(word)\"")
          }
          return .aggregate(path, aggregate, of: try aggregatedPath(aggregate))
        }
      default: path.steps += try names()
      }
    }
  }

  /// Inside a sub-query a path begins with its variable, or with that of one around it; one that
  /// begins with neither is about the object that the whole predicate is asked of.
  private mutating func pathStart() throws -> PropertyPath {
    var path = PropertyPath()
    switch current.kind {
    case .variable(let name):
      guard let place = variables.lastIndex(of: name) else {
        throw failure("the variable $\(name) belongs to no sub-query here")
      }
      at += 1
      path.outer = variables.count - 1 - place
    case .word(let word, escaped: false) where word.uppercased() == "SELF":
      at += 1
    default:
      path.steps = try names()
      path.outer = variables.count
    }
    return path
  }

  private mutating func names() throws -> [PropertyPath.Step] {
    switch current.kind {
    case .word(let name, _):
      at += 1
      return [.property(name)]
    case .argument("K"):
      guard let name = try nextArgument() as? String else {
        throw failure("expected a string as argument for %K")
      }
      at += 1
      return PropertyPath(dotted: name).steps
    default: throw failure("expected a property name, found \(current.spelled)")
    }
  }

  private mutating func subscriptStep() throws -> PropertyPath.Step {
    switch current.kind {
    case .string(let key):
      at += 1
      return .key(key)
    case .integer(let index):
      at += 1
      return .index(Int(index))
    case .word("any", escaped: true):
      at += 1
      return .anyElement
    case .argument("K"):
      guard try nextArgument() as? String == "#any" else { break }
      at += 1
      return .anyElement
    case .argument(let letters) where letters != "K":
      guard let value = StoredValue(try nextArgument()) else { break }
      at += 1
      if case .string(let key) = value { return .key(key) }
      if case .int(let index) = value { return .index(Int(index)) }
    default: break
    }
    throw failure("expected a key or an index, found \(current.spelled)")
  }

  private mutating func aggregatedPath(_ aggregate: Aggregate) throws -> PropertyPath {
    guard aggregate != .count, takeSymbol(".") else { return PropertyPath() }
    var steps = try names()
    while takeSymbol(".") { steps += try names() }
    return PropertyPath(steps)
  }

  // MARK: Tokens

  private var current: PredicateToken { tokens[at] }

  private mutating func take(_ operand: Operand) -> Operand {
    at += 1
    return operand
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard case .word(let found, escaped: false) = current.kind, found.uppercased() == word else {
      return false
    }
    at += 1
    return true
  }

  private mutating func takeSymbol(_ symbol: String) -> Bool {
    guard current.kind == .symbol(symbol) else { return false }
    at += 1
    return true
  }

  private mutating func expectSymbol(_ symbol: String) throws {
    guard takeSymbol(symbol) else {
      throw failure("expected \"\(symbol)\", found \(current.spelled)")
    }
  }

  private func failure(_ expectation: String) -> PredicateSyntaxError {
    PredicateSyntaxError(format: format, position: current.position, expectation: expectation)
  }
}

extension Operand {
  fileprivate var kindInWords: String {
    switch self {
    case .value: "one value"
    case .values(let values): "\(values.count) values"
    case .path: "a property"
    case .aggregate, .subqueryCount: "an aggregate"
    }
  }
}
