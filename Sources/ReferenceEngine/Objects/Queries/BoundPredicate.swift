/// A predicate bound to a class of one session: what is left is to ask rows.
///
/// Bound predicates have no state that changes, so frozen results may use one on several threads.
class BoundPredicate {
  /// Whether a row, or a value, satisfies it.
  func test(_ subject: Subject) -> Bool { false }

  /// What asking a cluster costs, the least first.
  enum Cost: Comparable {
    /// The machine looks at many values at once.
    case scan
    /// A look at each candidate.
    case look
    /// For each candidate a text is looked through, or a set.
    case search
    /// For each candidate values are made of what is stored.
    case ask
  }
  var cost: Cost { .ask }

  /// Which of a cluster's rows satisfy it. Asks the candidates one by one unless there is a faster
  /// way.
  func select(_ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace) -> RowMask {
    candidates.filter { test(.row(cluster.key($0, in: space))) }
  }
}

final class BoundConstant: BoundPredicate {
  let truth: Bool
  init(_ truth: Bool) { self.truth = truth }
  override var cost: Cost { .scan }
  override func test(_ subject: Subject) -> Bool { truth }
  override func select(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask { truth ? candidates : .none }
}

final class BoundNot: BoundPredicate {
  let inner: BoundPredicate
  init(_ inner: BoundPredicate) { self.inner = inner }
  override func test(_ subject: Subject) -> Bool { !inner.test(subject) }
  override func select(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask { candidates.subtracting(inner.select(cluster, candidates, in: space)) }
}

final class BoundAll: BoundPredicate {
  /// The cheap ones first: what they rule out need not be asked of the others.
  let parts: [BoundPredicate]
  init(_ parts: [BoundPredicate]) {
    var ordered = parts
    ordered.sort { $0.cost < $1.cost }
    self.parts = ordered
  }
  override func test(_ subject: Subject) -> Bool {
    for part in parts where !part.test(subject) { return false }
    return true
  }
  override func select(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask {
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      left = part.select(cluster, left, in: space)
    }
    return left
  }
}

final class BoundAny: BoundPredicate {
  let parts: [BoundPredicate]
  init(_ parts: [BoundPredicate]) { self.parts = parts }
  override func test(_ subject: Subject) -> Bool {
    for part in parts where part.test(subject) { return true }
    return false
  }
  override func select(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask {
    var found = RowMask.none
    for part in parts {
      found = found.union(part.select(cluster, candidates.subtracting(found), in: space))
    }
    return found
  }
}

/// A comparison of whatever two operands lead to, value by value: the way that always works.
final class BoundComparison: BoundPredicate {
  let left: BoundOperand
  let right: BoundOperand
  let quantifier: Comparison.Quantifier
  let test: ValueTest

  init(
    _ left: BoundOperand, _ right: BoundOperand, _ quantifier: Comparison.Quantifier,
    _ test: ValueTest
  ) {
    self.left = left
    self.right = right
    self.quantifier = quantifier
    self.test = test
  }

  override func test(_ subject: Subject) -> Bool {
    let others = right.values(of: subject)
    switch quantifier {
    case .any: return left.contains(of: subject) { test.holds($0, others) }
    case .none: return !left.contains(of: subject) { test.holds($0, others) }
    case .all: return !left.contains(of: subject) { !test.holds($0, others) }
    }
  }
}

/// One side of a bound comparison.
enum BoundOperand {
  case values([StoredValue])
  case path(BoundPath)
  case aggregate(BoundPath, Aggregate, of: BoundPath)
  case subqueryCount(BoundPath, BoundPredicate, looksAround: Bool)
  /// What is computed of each object that a path leads to.
  indirect case each(BoundPath, BoundOperand)

  func contains(of subject: Subject, where body: (StoredValue) -> Bool) -> Bool {
    switch self {
    case .values(let values): values.contains(where: body)
    case .path(let path): path.contains(from: subject, where: body)
    case .aggregate, .subqueryCount: body(computed(of: subject))
    case .each(let owners, let operand):
      owners.contains(from: subject) { owner in
        guard case .link(let link) = owner else { return false }
        return operand.contains(of: .row(link.key), where: body)
      }
    }
  }

  func values(of subject: Subject) -> [StoredValue] {
    switch self {
    case .values(let values): return values
    case .path(let path): return path.values(from: subject)
    case .aggregate, .subqueryCount: return [computed(of: subject)]
    case .each:
      var found: [StoredValue] = []
      _ = contains(of: subject) {
        found.append($0)
        return false
      }
      return found
    }
  }

  private func computed(of subject: Subject) -> StoredValue {
    switch self {
    case .values, .path, .each: return .null
    case .subqueryCount(let path, let predicate, let looksAround):
      var count: Int64 = 0
      path.contains(from: subject) { value in
        // A map has keys of no object: nothing can be asked of that.
        if case .null = value, path.type == .object { return false }
        var member = Subject.value(value)
        if case .link(let link) = value { member = .row(link.key) }
        if looksAround { member = .member(Member(member, of: subject)) }
        count += predicate.test(member) ? 1 : 0
        return false
      }
      return .int(count)
    case .aggregate(let path, let aggregate, let of):
      var summary = Summary(of.type)
      path.contains(from: subject) { member in
        if aggregate == .count || of.links.isEmpty {
          summary.add(member)
        } else if case .link(let link) = member {
          of.contains(from: .row(link.key)) {
            summary.add($0)
            return false
          }
        }
        return false
      }
      return summary.result(aggregate)
    }
  }
}

/// What a comparison asks of one value of its left side, given all values of the right.
struct ValueTest {
  let operation: Comparison.Operation
  let options: StringOptions
  /// The function made ready, where the right side is one constant string.
  let matcher: StringMatcher?
  /// The constants after IN.
  let members: ValueSet?

  init(_ operation: Comparison.Operation, _ options: StringOptions, constants: [StoredValue]) {
    self.operation = operation
    self.options = options
    members = operation == .in ? ValueSet(constants, options: options) : nil
    let constant = constants.count == 1 ? constants[0] : nil
    let isText = operation.isStringOnly || operation == .contains || !options.isEmpty
    switch constant {
    case .string(let needle) where isText:
      matcher = StringMatcher(operation, needle, options: options)
    case .data(let needle) where isText: matcher = StringMatcher(operation, bytes: needle)
    case .null where operation.isStringOnly || operation == .contains:
      matcher = StringMatcher(operation, nil, options: options)
    default: matcher = nil
    }
  }

  func holds(_ value: StoredValue, _ others: [StoredValue]) -> Bool {
    switch operation {
    case .between:
      return value != .null && value.satisfies(.greaterOrEqual, others[0])
        && value.satisfies(.lessOrEqual, others[1])
    case .in: return members?.contains(value) ?? false
    default: break
    }
    if let matcher { return matches(value, matcher) }
    return others.contains { other in
      switch operation {
      case .beginsWith, .endsWith, .contains, .like:
        ValueTest(operation, options, constants: [other]).matcher.map { matches(value, $0) }
          ?? false
      default:
        if case .string(let needle) = other, !options.isEmpty {
          matches(value, StringMatcher(operation, needle, options: options))
        } else {
          value.satisfies(operation, other)
        }
      }
    }
  }

  private func matches(_ value: StoredValue, _ matcher: StringMatcher) -> Bool {
    switch value {
    case .string(let text): matcher.matches(text)
    case .data(let data): data.withUnsafeBytes { matcher.matches($0) }
    case .null: matcher.matches(nil as String?)
    default: matcher.operation == .notEqual
    }
  }
}

/// Least, greatest, sum and mean of values as they pass by. Null and NaN take no part: what is
/// computed must not depend on which of them comes first.
struct Summary {
  private let type: PropertyType
  private var count: Int64 = 0
  private var members: Int64 = 0
  private var integers: Int64 = 0
  private var fractions = 0.0
  private var decimals = Decimal128()
  private var hasDecimals = false
  private var hasFractions = false
  private var least: StoredValue = .null
  private var greatest: StoredValue = .null

  init(_ type: PropertyType) { self.type = type }

  mutating func add(_ value: StoredValue) {
    members += 1
    if value.isNaN { return }
    switch value {
    case .int(let number): integers &+= number
    case .float(let number):
      fractions += Double(number)
      hasFractions = true
    case .double(let number):
      fractions += number
      hasFractions = true
    case .decimal(let number):
      decimals = decimals + number
      hasDecimals = true
    case .date: break
    default: return
    }
    count += 1
    if least == .null || value.relation(to: least) == .less { least = value }
    if greatest == .null || value.relation(to: greatest) == .greater { greatest = value }
  }

  func result(_ aggregate: Aggregate) -> StoredValue {
    switch aggregate {
    case .count: .int(members)
    case .min: least
    case .max: greatest
    case .sum: sum
    case .average: average
    }
  }

  private var sum: StoredValue {
    if hasDecimals || type == .decimal128 || type == .any {
      return .decimal(decimals + Decimal128(integers) + Decimal128(fractions))
    }
    if hasFractions || type == .double || type == .float {
      return .double(fractions + Double(integers))
    }
    return .int(integers)
  }

  private var average: StoredValue {
    guard count > 0 else { return .null }
    if hasDecimals || type == .any {
      return .decimal((decimals + Decimal128(integers) + Decimal128(fractions)) / Decimal128(count))
    }
    return .double((fractions + Double(integers)) / Double(count))
  }
}
