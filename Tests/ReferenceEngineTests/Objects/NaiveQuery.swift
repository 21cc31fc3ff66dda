import Foundation

@testable import ReferenceEngine

private typealias Predicate = ReferenceEngine.Predicate

/// Predicates evaluated the plain way, over facts: slow, obvious, and sharing no code with the
/// engine.
struct NaiveQuery {
  let facts: [SampleFacts]

  enum Place {
    case row(Int)
    case value(StoredValue)
  }

  func holds(_ predicate: ReferenceEngine.Predicate, _ place: Place) -> Bool {
    switch predicate {
    case .constant(let truth): return truth
    case .not(let inner): return !holds(inner, place)
    case .all(let parts): return parts.allSatisfy { holds($0, place) }
    case .any(let parts): return parts.contains { holds($0, place) }
    case .comparison(let comparison): return holds(comparison, place)
    }
  }

  private func holds(_ comparison: Comparison, _ place: Place) -> Bool {
    let lefts = values(comparison.left, place)
    let rights = values(comparison.right, place)
    func agrees(_ value: StoredValue) -> Bool {
      switch comparison.operation {
      case .between:
        return order(value, rights[0]).map { $0 >= 0 } ?? false
          && order(value, rights[1]).map { $0 <= 0 } ?? false
      case .in: return rights.contains { equal(value, $0, comparison.options) }
      default: return rights.contains { agree(value, comparison, $0) }
      }
    }
    switch comparison.quantifier {
    case .any: return lefts.contains(where: agrees)
    case .all: return lefts.allSatisfy(agrees)
    case .none: return !lefts.contains(where: agrees)
    }
  }

  private func agree(_ value: StoredValue, _ comparison: Comparison, _ other: StoredValue) -> Bool {
    switch comparison.operation {
    case .equal: return equal(value, other, comparison.options)
    case .notEqual: return !equal(value, other, comparison.options)
    case .less: return order(value, other).map { $0 < 0 } ?? false
    case .lessOrEqual:
      return value == .null && other == .null || order(value, other).map { $0 <= 0 } ?? false
    case .greater: return order(value, other).map { $0 > 0 } ?? false
    case .greaterOrEqual:
      return value == .null && other == .null || order(value, other).map { $0 >= 0 } ?? false
    case .beginsWith, .endsWith, .contains, .like:
      if case .data(let data) = value, case .data(let part) = other {
        return part.isEmpty
          || comparison.operation == .beginsWith && data.starts(with: part)
          || comparison.operation == .endsWith && data.reversed().starts(with: part.reversed())
          || comparison.operation == .contains && data.range(of: part) != nil
          || comparison.operation == .like && data == part
      }
      guard let text = value.text, let part = other.text else { return false }
      let one = Array(folded(text, comparison.options).utf8)
      let two = Array(folded(part, comparison.options).utf8)
      switch comparison.operation {
      case .beginsWith: return one.starts(with: two)
      case .endsWith: return one.reversed().starts(with: two.reversed())
      case .contains:
        return two.isEmpty || Data(one).range(of: Data(two)) != nil
      default:
        return like(
          Array(folded(text, comparison.options).unicodeScalars),
          Array(folded(part, comparison.options).unicodeScalars))
      }
    default: return false
    }
  }

  /// All places of the pattern that the text so far can have led to, letter by letter.
  private func like(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    func withStars(_ places: Set<Int>) -> Set<Int> {
      var all = places
      for var place in places {
        while place < pattern.count, pattern[place] == "*" {
          place += 1
          all.insert(place)
        }
      }
      return all
    }
    var places = withStars([0])
    for letter in text {
      var next: Set<Int> = []
      for place in places where place < pattern.count {
        if pattern[place] == "*" { next.insert(place) }
        if pattern[place] == "?" || pattern[place] == letter && letter != "*" {
          next.insert(place + 1)
        }
      }
      places = withStars(next)
      if places.isEmpty { return false }
    }
    return places.contains(pattern.count)
  }

  private func folded(_ text: String, _ options: StringOptions) -> String {
    var comparing: String.CompareOptions = []
    if options.contains(.caseInsensitive) { comparing.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { comparing.insert(.diacriticInsensitive) }
    return comparing.isEmpty ? text : text.folding(options: comparing, locale: nil)
  }

  private func equal(
    _ one: StoredValue, _ other: StoredValue, _ options: StringOptions
  ) -> Bool {
    if one == .null || other == .null { return one == .null && other == .null }
    if let text = one.text, let part = other.text {
      return folded(text, options).utf8.elementsEqual(folded(part, options).utf8)
    }
    if case .link(let a) = one, case .link(let b) = other { return a.key == b.key }
    if case .bool(let a) = one, case .bool(let b) = other { return a == b }
    return order(one, other) == 0
  }

  /// Negative, zero or positive; nil where there is no order.
  private func order(_ one: StoredValue, _ other: StoredValue) -> Int? {
    func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int? {
      a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
    }
    switch (one, other) {
    case (.int(let a), .int(let b)): return sign(a, b)
    case (.bool(let a), .bool(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
    case (.date(let a), .date(let b)): return sign(a, b)
    case (.string(let a), .string(let b)):
      return a.utf8.lexicographicallyPrecedes(b.utf8)
        ? -1 : b.utf8.lexicographicallyPrecedes(a.utf8) ? 1 : 0
    case (.data(let a), .data(let b)):
      return a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
    case (.objectId(let a), .objectId(let b)): return sign(a.stringValue, b.stringValue)
    case (.uuid(let a), .uuid(let b)): return sign(a.uuidString, b.uuidString)
    case (.decimal(let a), .decimal(let b)): return sign(a.doubleValue, b.doubleValue)
    default:
      guard let a = number(one), let b = number(other) else { return nil }
      return sign(a, b)
    }
  }

  private func number(_ value: StoredValue) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.doubleValue
    default: nil
    }
  }

  // MARK: Paths

  private func values(_ operand: Operand, _ place: Place) -> [StoredValue] {
    switch operand {
    case .value(let value): return [value]
    case .values(let values): return values
    case .path(let path): return values(path, place)
    case .subqueryCount(let path, let inner):
      let members = places(path.steps[...], place, isSpread: isSpread(path))
      return [.int(Int64(members.count { holds(inner, $0) }))]
    case .aggregate(let path, let aggregate, let of):
      let members = places(path.steps[...], place, isSpread: isSpread(path))
      if aggregate == .count { return [.int(Int64(members.count))] }
      let numbers = members.flatMap { values(of, $0) }.filter { number($0) != nil }
      let sum = numbers.reduce(Int64(0)) { $0 &+ $1.number }
      switch aggregate {
      case .sum: return [.int(sum)]
      case .average:
        return [numbers.isEmpty ? .null : .double(Double(sum) / Double(numbers.count))]
      case .min: return [numbers.min { order($0, $1)! < 0 } ?? .null]
      default: return [numbers.max { order($0, $1)! < 0 } ?? .null]
      }
    }
  }

  private func values(_ path: PropertyPath, _ place: Place) -> [StoredValue] {
    places(path.steps[...], place, isSpread: isSpread(path)).map { place in
      switch place {
      case .row(let id): .link(RowLink(table: 0, key: Int64(id)))
      case .value(let value): value
      }
    }
  }

  /// Whether a collection lies on the way.
  private func isSpread(_ path: PropertyPath) -> Bool {
    path.steps.indices.contains { index in
      guard case .property(let name) = path.steps[index] else { return false }
      if case .key? = path.steps.dropFirst(index + 1).first { return false }
      return ["links", "linkers", "prices"].contains(name) || facts[0].many[name] != nil
    }
  }

  /// Behind a link that leads nowhere what is one is null, and of what are many there is none.
  private func places(
    _ steps: ArraySlice<PropertyPath.Step>, _ place: Place, isSpread: Bool
  ) -> [Place] {
    guard let step = steps.first else { return [place] }
    guard case .row(let id) = place, case .property(let name) = step else {
      return isSpread ? [] : [.value(.null)]
    }
    let facts = facts[id]
    var rest = steps.dropFirst()
    let next: [Place]
    switch name {
    case "link": next = [facts.link.map { .row($0) } ?? .value(.null)]
    case "links": next = facts.links.map { .row($0) }
    case "linkers": next = facts.linkers.map { .row($0) }
    case "prices":
      switch rest.first {
      case .key(let key):
        rest = rest.dropFirst()
        next = [.value(facts.prices[key].map { .int(Int64($0)) } ?? .null)]
      case .allKeys:
        rest = rest.dropFirst()
        next = facts.prices.keys.map { .value(.string($0)) }
      case .allValues:
        rest = rest.dropFirst()
        fallthrough
      default: next = facts.prices.values.map { .value(.int(Int64($0))) }
      }
    default:
      if let many = facts.many[name] {
        next = many.map { .value($0) }
      } else {
        next = [.value(facts.single[name]!)]
      }
    }
    return next.flatMap { places(rest, $0, isSpread: isSpread) }
  }
}
