/// What a query asks of each row: the one tree that typed queries and filter strings both become.
///
/// A predicate names properties and knows no schema, so it can be built before any table exists,
/// travel with a `Results` to another thread, and be bound there. `PredicateProgram` binds it.
///
/// Invariants:
/// 1. `all([])` is true and `any([])` is false, as in logic.
/// 2. Printing a predicate whose constants have literals gives a filter string that parses back to
///    an equal predicate.
///
/// Only what holds another of its kind lies in memory of its own: a condition is made wherever a
/// query is, and most are one comparison.
enum Predicate: Equatable {
  case constant(Bool)
  indirect case not(Predicate)
  case all([Predicate])
  case any([Predicate])
  case comparison(Comparison)

  /// Whether it leaves nothing out.
  var isEverything: Bool { if case .constant(true) = self { true } else { false } }

  /// Joins two conditions, flattening so that long chains stay shallow.
  static func and(_ left: Predicate, _ right: Predicate) -> Predicate {
    switch (left, right) {
    case (.constant(true), let other), (let other, .constant(true)): other
    case (.all(let some), .all(let more)): .all(some + more)
    case (.all(let some), let other): .all(some + [other])
    case (let other, .all(let some)): .all([other] + some)
    default: .all([left, right])
    }
  }

  static func or(_ left: Predicate, _ right: Predicate) -> Predicate {
    switch (left, right) {
    case (.any(let some), .any(let more)): .any(some + more)
    case (.any(let some), let other): .any(some + [other])
    case (let other, .any(let some)): .any([other] + some)
    default: .any([left, right])
    }
  }
}

/// One comparison of two operands.
struct Comparison: Equatable {
  /// How many of a collection's values must agree.
  enum Quantifier: Equatable {
    case any, all, none
  }

  enum Operation: String, Equatable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in` = "IN"
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"

    /// The operation that says the same with its operands exchanged, where there is one.
    var mirrored: Operation? {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: nil
      }
    }

    var isOrdering: Bool {
      switch self {
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
      default: false
      }
    }

    var isStringOnly: Bool {
      switch self {
      case .beginsWith, .endsWith, .like: true
      default: false
      }
    }
  }

  var quantifier: Quantifier = .any
  var left: Operand
  var operation: Operation
  var right: Operand
  var options: StringOptions = []
  /// Whether `any` was asked for, and is not only what no word means.
  var saysAny = false

  /// Whether a quantifier was asked for: then there has to be a collection.
  var isQuantified: Bool { saysAny || quantifier != .any }
}

extension Predicate {
  /// As many levels as a thread with a small stack has room to follow.
  static let mostDepth = 200

  /// Stops whoever asks with a predicate that cannot be followed to its end.
  func verifyDepth() {
    if isDeeper(than: Predicate.mostDepth) {
      refuseQuery(
        "Cannot use a predicate of more than \(Predicate.mostDepth) levels of parentheses.")
    }
  }

  fileprivate func isDeeper(than levels: Int) -> Bool {
    if levels == 0 { return true }
    switch self {
    case .constant: return false
    case .not(let inner): return inner.isDeeper(than: levels - 1)
    case .all(let parts), .any(let parts):
      return parts.contains { $0.isDeeper(than: levels - 1) }
    case .comparison(let comparison):
      return comparison.left.isDeeper(than: levels) || comparison.right.isDeeper(than: levels)
    }
  }
}

extension Operand {
  fileprivate func isDeeper(than levels: Int) -> Bool {
    guard case .subqueryCount(_, let inner) = self else { return false }
    return inner.isDeeper(than: levels - 1)
  }
}

/// One side of a comparison.
enum Operand: Equatable {
  case value(StoredValue)
  /// The list after IN, or the pair after BETWEEN.
  case values([StoredValue])
  case path(PropertyPath)
  /// `dogs.@count`, `dogs.@sum.age`: one number or value out of a collection.
  indirect case aggregate(PropertyPath, Aggregate, of: PropertyPath)
  /// `SUBQUERY(dogs, $dog, …).@count`: how many members satisfy a predicate of their own.
  indirect case subqueryCount(PropertyPath, Predicate)
}

enum Aggregate: String, Equatable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}

extension Aggregate {
  /// The operation's name, as diagnostics have it.
  var word: String { self == .average ? "average" : String(rawValue.dropFirst()) }
}

/// The way from a row to a value, by property names.
struct PropertyPath: Equatable {
  enum Step: Hashable {
    case property(String)
    /// `prices['eur']`: the value of one key of a map.
    case key(String)
    /// `tags[0]`: one element of a list.
    case index(Int)
    case allKeys
    case allValues
    /// `mixed[#any]`: each element of a list or a dictionary among mixed values.
    case anyElement

    /// Whether it leads from a collection to what it has.
    var isSubscript: Bool {
      switch self {
      case .key, .index, .anyElement: true
      case .property, .allKeys, .allValues: false
      }
    }
  }

  var steps: [Step] = []
  /// How many steps lead up to and including the first collection, where the builder knew its
  /// types. The grammar leaves it out: only the schema can tell. It takes no part in equality.
  var collectionDepth: Int?
  /// Inside a sub-query: how many objects further out the path begins, 0 for a member of the
  /// sub-query's collection itself.
  var outer = 0

  init(_ steps: [Step] = [], collectionDepth: Int? = nil) {
    self.steps = steps
    self.collectionDepth = collectionDepth
  }

  /// The path that a dotted name such as `owner.name` spells.
  init(dotted: String) {
    if dotted == "self" { return }
    steps =
      dotted.utf8.contains(UInt8(ascii: "."))
      ? dotted.split(separator: ".").map { .property(String($0)) } : [.property(dotted)]
  }

  static func == (left: PropertyPath, right: PropertyPath) -> Bool {
    left.steps == right.steps && left.outer == right.outer
  }

  func appending(_ step: Step) -> PropertyPath {
    var longer = self
    longer.steps.append(step)
    return longer
  }

  /// The same path seen from a member of the collection it goes through.
  func dropping(_ count: Int) -> PropertyPath { PropertyPath(Array(steps.dropFirst(count))) }
}

/// How strings are compared.
public struct StringOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `a` and `A` are the same.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `e` and `é` are the same.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

// MARK: - Words

extension Predicate: CustomStringConvertible {
  /// The filter string that means this predicate.
  var description: String { written(within: .loosest, []) }

  private enum Binding: Int {
    case loosest, or, and, not
  }

  /// - Parameter members: The variables of the sub-queries around it, innermost last.
  fileprivate func written(_ members: [String]) -> String { written(within: .loosest, members) }

  private func written(within outer: Binding, _ members: [String]) -> String {
    func joined(_ parts: [Predicate], _ word: String, _ binding: Binding) -> String {
      let text = parts.map { $0.written(within: binding, members) }.joined(separator: " \(word) ")
      return outer.rawValue >= binding.rawValue ? "(\(text))" : text
    }
    switch self {
    case .constant(let truth): return truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner): return "NOT \(inner.written(within: .not, members))"
    case .all(let parts) where parts.isEmpty: return "TRUEPREDICATE"
    case .any(let parts) where parts.isEmpty: return "FALSEPREDICATE"
    case .all(let parts) where parts.count == 1: return parts[0].written(within: outer, members)
    case .any(let parts) where parts.count == 1: return parts[0].written(within: outer, members)
    case .all(let parts): return joined(parts, "AND", .and)
    case .any(let parts): return joined(parts, "OR", .or)
    case .comparison(let comparison): return comparison.written(members)
    }
  }
}

extension Comparison: CustomStringConvertible {
  var description: String { written([]) }

  fileprivate func written(_ members: [String]) -> String {
    var text = ""
    switch quantifier {
    case .any: text = saysAny ? "ANY " : ""
    case .all: text = "ALL "
    case .none: text = "NONE "
    }
    text += "\(left.written(members)) \(operation.rawValue)"
    if !options.isEmpty {
      text += "["
      if options.contains(.caseInsensitive) { text += "c" }
      if options.contains(.diacriticInsensitive) { text += "d" }
      text += "]"
    }
    return text + " \(right.written(members))"
  }
}

extension Operand {
  fileprivate func written(_ members: [String]) -> String {
    switch self {
    case .value(let value): return value.literal
    case .values(let values): return "{\(values.map(\.literal).joined(separator: ", "))}"
    case .path(let path): return path.written(members)
    case .aggregate(let path, let aggregate, let of):
      let text = "\(path.written(members)).\(aggregate.rawValue)"
      return of.steps.isEmpty ? text : "\(text).\(of)"
    case .subqueryCount(let path, let predicate):
      let member = "$member" + (members.isEmpty ? "" : "\(members.count + 1)")
      let inner = predicate.written(members + [member])
      return "SUBQUERY(\(path.written(members)), \(member), \(inner)).@count"
    }
  }
}

extension PropertyPath: CustomStringConvertible {
  var description: String { written([]) }

  fileprivate func written(_ members: [String]) -> String {
    let depth = members.count - outer
    var text = depth > 0 ? members[depth - 1] : ""
    if steps.isEmpty, text.isEmpty { return "SELF" }
    for step in steps {
      switch step {
      case .property(let name): text += text.isEmpty ? name : ".\(name)"
      case .key(let key): text += "[\(StoredValue.quoted(key))]"
      case .index(let index): text += "[\(index)]"
      case .allKeys: text += ".@allKeys"
      case .allValues: text += ".@allValues"
      case .anyElement: text += "[#any]"
      }
    }
    return text
  }
}
