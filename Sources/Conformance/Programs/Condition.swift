import EngineUnderTest
import Harness

/// What members of a class are asked for: as a predicate, for Swift's own queries where they can
/// say it, and as plain Swift beside.
indirect enum Condition {
  case compare(Int, Member.Comparing, Worth, isTyped: Bool)
  case between(Int, Worth, Worth)
  case oneOf(Int, [Worth])
  case text(Int, String, String, isBlind: Bool)
  /// The linked object's number; the link, its member.
  case linked(Int, Int, Member.Comparing, Worth)
  case isLinked(Int, Bool)
  /// One of the linked objects, or none of them.
  case some(Int, Int, Worth, isNone: Bool)
  case has(Int, Worth)
  case count(Int, Member.Comparing, Int)
  case backCount(Int, Member.Comparing, Int)
  case clause(Clause)
  case not(Condition)
  case both(Condition, Condition)
  case either(Condition, Condition)

  /// Draws one about a class.
  init(about kind: Kind, in state: WideState, _ dice: inout SplitMix, depth: Int = 0) {
    func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    func member(_ isRight: (Member) -> Bool) -> Int? {
      let all = kind.members.indices.filter { isRight(kind.members[$0]) }
      return all.isEmpty ? nil : all[draw(0..<all.count)]
    }
    func worth(_ place: Int) -> Worth { kind.members[place].pick(draw(0..<36), in: state) }
    if depth < 2, draw(0..<5) == 0 {
      let one = Condition(about: kind, in: state, &dice, depth: depth + 1)
      if draw(0..<3) == 0 {
        self = .not(one)
        return
      }
      let two = Condition(about: kind, in: state, &dice, depth: depth + 1)
      self = draw(0..<2) == 0 ? .both(one, two) : .either(one, two)
      return
    }
    let simple = { (member: Member) in member.condition != nil }
    let number = kind.members.firstIndex { $0.name == "number" }!
    var found: Condition?
    switch draw(0..<22) {
    case 0, 1: found = .compare(number, .allCases[draw(0..<6)], worth(number), isTyped: true)
    case 2: found = member(\.isNumeric).map { .between($0, .int(-1), .int(2)) }
    case 3: found = member(simple).map { .oneOf($0, [worth($0), worth($0)]) }
    case 4: found = member(\.isText).map { Condition.drawText($0, draw(0..<24)) }
    case 5, 6:
      found = member(\.isLink).map {
        .linked($0, 2, [.equal, .less, .greater, .atLeast][draw(0..<4)], worth(number))
      }
    case 7: found = member(\.isLink).map { .isLinked($0, draw(0..<2) == 0) }
    case 8:
      found = member { $0.objects != nil }.map {
        .some($0, 2, worth(number), isNone: draw(0..<2) == 0)
      }
    case 9: found = member(\.isAsked).map { .has($0, worth($0)) }
    case 10:
      found = member(\.isCollection).map { .count($0, .allCases[draw(0..<6)], draw(0..<4)) }
    case 11:
      found = .backCount(
        draw(0..<kind.backward.count), .allCases[draw(0..<6)], draw(0..<3))
    case 12..<20: found = Clause.draw(kind, state, &dice).map(Condition.clause)
    default: break
    }
    self = found ?? Condition.drawSimple(member(simple) ?? number, kind, state, draw(0..<1_000))
  }

  private static func drawText(_ member: Int, _ number: Int) -> Condition {
    let operators = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "=="]
    return .text(
      member, operators[number % 4], ["a", "b", "B", "A", "AB", "zz"][number / 4 % 6],
      isBlind: number % 3 == 0)
  }

  private static func drawSimple(_ place: Int, _ kind: Kind, _ state: WideState, _ number: Int)
    -> Condition
  {
    let member = kind.members[place]
    let worth = member.pick(number, in: state)
    let all = Member.Comparing.allCases
    // Nothing is less than null, and nothing but numbers and dates has an order for queries.
    let hasOrder = member.isSortable && !member.isText && worth != .null && !worth.isBool
    return .compare(
      place, all[number / 36 % (hasOrder ? 6 : 2)], worth, isTyped: number / 2 % 2 == 0)
  }
}

extension Member {
  /// Whether it is a list or a set of values, of which ANY may be asked for.
  var isAsked: Bool {
    guard case .values = pool else { return false }
    return switch blank {
    case .list, .set: true
    default: false
    }
  }
}

extension Worth {
  var isBool: Bool { if case .bool = self { true } else { false } }

  func satisfies(_ comparing: Member.Comparing, _ other: Worth) -> Bool {
    switch comparing {
    case .equal: return self == other
    case .unequal: return self != other
    default: break
    }
    if self == .null || other == .null { return false }
    return switch comparing {
    case .less: precedes(other)
    case .atMost: !other.precedes(self)
    case .greater: other.precedes(self)
    default: !precedes(other)
    }
  }
}

extension Condition {
  /// Whether a row satisfies it.
  func holds(of birth: Int, in state: WideState) -> Bool {
    guard let row = state.rows[birth] else { return false }
    func worth(_ member: Int) -> Worth { row.contents[member].single }
    switch self {
    case .compare(let member, let comparing, let other, _):
      return worth(member).satisfies(comparing, other)
    case .between(let member, let low, let high):
      let (low, high) = Condition.bounds(low, high, row.kind.members[member])
      return worth(member).satisfies(.atLeast, low) && worth(member).satisfies(.atMost, high)
    case .oneOf(let member, let all): return all.contains(worth(member))
    case .text(let member, let word, let other, let isBlind):
      guard case .text(let text) = worth(member) else { return false }
      let (one, two) = isBlind ? (text.lowercased(), other.lowercased()) : (text, other)
      return switch word {
      case "BEGINSWITH": one.hasPrefix(two)
      case "ENDSWITH": one.hasSuffix(two)
      case "CONTAINS": one.contains(two)
      default: one == two
      }
    case .linked(let link, let member, let comparing, let other):
      guard case .row(let target) = worth(link), let there = state.rows[target] else {
        return false
      }
      return there.contents[member].single.satisfies(comparing, other)
    case .isLinked(let link, let isSo): return (worth(link) != .null) == isSo
    case .some(let link, let member, let other, let isNone):
      let isAny = row.contents[link].targets.contains {
        state.rows[$0]?.contents[member].single == other
      }
      return isAny != isNone
    case .has(let member, let other): return row.contents[member].values.contains(other)
    case .count(let member, let comparing, let number):
      return Worth.int(row.contents[member].count).satisfies(comparing, .int(number))
    case .backCount(let place, let comparing, let number):
      let backward = row.kind.backward[place]
      let count = state.linkers(birth, backward.origin, backward.member).count
      return Worth.int(count).satisfies(comparing, .int(number))
    case .clause(let clause): return clause.holds(birth, row, state)
    case .not(let one): return !one.holds(of: birth, in: state)
    case .both(let one, let two):
      return one.holds(of: birth, in: state) && two.holds(of: birth, in: state)
    case .either(let one, let two):
      return one.holds(of: birth, in: state) || two.holds(of: birth, in: state)
    }
  }

  private static func bounds(_ low: Worth, _ high: Worth, _ member: Member) -> (Worth, Worth) {
    if member.name.hasSuffix("umber") { return (low, high) }
    return (.double(-2.5), .double(0.5))
  }

  /// The members that satisfy it.
  func members<T: Wide>(of collection: AnyRealmCollection<T>, _ finder: Finder)
    -> AnyRealmCollection<T>
  {
    if case .compare(let member, let comparing, let worth, true) = self,
      let condition = T.members[member].condition
    {
      return AnyRealmCollection(collection.where { condition($0, comparing, worth, finder) })
    }
    let (format, values) = predicate(of: T.kind, finder)
    return AnyRealmCollection(collection.filtered(format, values))
  }

  /// As a predicate's text, and its arguments: eight at most.
  func predicate(of kind: Kind, _ finder: Finder) -> (String, [Any]) {
    let (format, values) = predicate(of: kind)
    func found(_ value: Any) -> Any {
      guard let worth = value as? Worth, case .row(let birth) = worth else { return value }
      return finder.object(birth) ?? Any?.none as Any
    }
    return (format, values.map(found))
  }

  /// Whether an object that it names is gone. Realm asks for such an object by the key of its row,
  /// which another one may have got: both answers are right.
  func namesWhoIsGone(_ kind: Kind, in state: WideState) -> Bool {
    predicate(of: kind).1.contains { value in
      guard let worth = value as? Worth, case .row(let birth) = worth else { return false }
      return state.rows[birth] == nil
    }
  }

  /// The same with births in the places of objects.
  private func predicate(of kind: Kind) -> (String, [Any]) {
    func name(_ member: Int) -> String { kind.members[member].name }
    func any(_ worth: Worth) -> Any { worth.scalar ?? (Any?.none as Any) }
    switch self {
    case .compare(let member, let comparing, let worth, _):
      return ("\(name(member)) \(comparing.rawValue) %@", [any(worth)])
    case .between(let member, let low, let high):
      let (low, high) = Condition.bounds(low, high, kind.members[member])
      return ("\(name(member)) BETWEEN {%@, %@}", [any(low), any(high)])
    case .oneOf(let member, let all):
      return ("\(name(member)) IN {%@, %@}", [any(all[0]), any(all[1])])
    case .text(let member, let word, let other, let isBlind):
      return ("\(name(member)) \(word)\(isBlind ? "[c]" : "") %@", [other])
    case .linked(let link, let member, let comparing, let worth):
      let target = kind.members[link].target!.members[member].name
      return ("\(name(link)).\(target) \(comparing.rawValue) %@", [any(worth)])
    case .isLinked(let link, let isSo): return ("\(name(link)) \(isSo ? "!=" : "==") nil", [])
    case .some(let link, let member, let worth, let isNone):
      let target = kind.members[link].target!.members[member].name
      return ("\(isNone ? "NONE" : "ANY") \(name(link)).\(target) == %@", [any(worth)])
    case .has(let member, let worth): return ("ANY \(name(member)) == %@", [any(worth)])
    case .count(let member, let comparing, let number):
      return ("\(name(member)).@count \(comparing.rawValue) %@", [number])
    case .backCount(let place, let comparing, let number):
      return ("\(kind.backward[place].name).@count \(comparing.rawValue) %@", [number])
    case .clause(let clause):
      return (
        clause.format,
        clause.values.map { worth -> Any in
          switch worth {
          case .row: worth
          case .box(let all): all.map(any)
          default: any(worth)
          }
        }
      )
    case .not(let one):
      let (format, values) = one.predicate(of: kind)
      return ("NOT (\(format))", values)
    case .both(let one, let two): return Condition.joined(one, "AND", two, kind)
    case .either(let one, let two): return Condition.joined(one, "OR", two, kind)
    }
  }

  private static func joined(_ one: Condition, _ word: String, _ two: Condition, _ kind: Kind)
    -> (String, [Any])
  {
    let (left, right) = (one.predicate(of: kind), two.predicate(of: kind))
    return ("(\(left.0)) \(word) (\(right.0))", left.1 + right.1)
  }

  func words(_ kind: Kind) -> String {
    let (format, values) = predicate(of: kind)
    return "\(format) \(values.map { "\($0)".prefix(20) })"
  }
}

extension AnyRealmCollection {
  /// As many arguments as conditions have.
  fileprivate func filtered(_ format: String, _ all: [Any]) -> Results<Element> {
    switch all.count {
    case 0: filter(format)
    case 1: filter(format, all[0])
    case 2: filter(format, all[0], all[1])
    case 3: filter(format, all[0], all[1], all[2])
    case 4: filter(format, all[0], all[1], all[2], all[3])
    case 5: filter(format, all[0], all[1], all[2], all[3], all[4])
    case 6: filter(format, all[0], all[1], all[2], all[3], all[4], all[5])
    case 7: filter(format, all[0], all[1], all[2], all[3], all[4], all[5], all[6])
    default: filter(format, all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7])
    }
  }
}
