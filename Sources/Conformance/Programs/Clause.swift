import EngineUnderTest
import Harness

/// A comparison as a predicate's text says it, with what stands for its arguments, and the same in
/// plain Swift.
struct Clause {
  let format: String
  /// A box of several stands for an array.
  let values: [Worth]
  let holds: (_ birth: Int, _ row: WideState.Row, _ state: WideState) -> Bool

  private init(
    _ format: String, _ values: [Worth],
    _ holds: @escaping (_ birth: Int, _ row: WideState.Row, _ state: WideState) -> Bool
  ) { (self.format, self.values, self.holds) = (format, values, holds) }

  private typealias Comparing = Member.Comparing
  private static let sharp: [Comparing] = [.equal, .less, .atMost, .greater, .atLeast]

  /// Draws one about a class; nil if it has nothing of the kind that was drawn.
  static func draw(_ kind: Kind, _ state: WideState, _ dice: inout SplitMix) -> Clause? {
    func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
    func place(_ isRight: (Member) -> Bool) -> Int? {
      let all = kind.members.indices.filter { isRight(kind.members[$0]) }
      return all.isEmpty ? nil : all[draw(all.count)]
    }
    let number = Worth.int([-3, -1, 0, 0, 1, 2, 5, 900][draw(8)])
    let comparing = sharp[draw(sharp.count)]
    switch draw(16) {
    case 0: return place(\.hasWholes).map { aggregate(kind, $0, draw(4), comparing, number) }
    case 1:
      return place { $0.objects != nil }.map {
        linkedAggregate(kind, $0, draw(4), comparing, number)
      }
    case 2:
      return place { $0.objects != nil }.map {
        subquery(kind, $0, comparing, number, sharp[draw(sharp.count)], draw(3))
      }
    case 3: return backward(kind, draw(kind.backward.count), comparing, number, draw(2) == 0)
    case 4:
      return place { $0.objects != nil }.map {
        quantified(kind, $0, draw(3), comparing, number)
      }
    case 5: return place(\.hasWholes).map { quantifiedValues(kind, $0, draw(3), comparing, number) }
    case 6:
      return place(\.isAsked).map { place in
        let worth = kind.members[place].pick(draw(36), in: state)
        return Clause("%@ IN \(kind.members[place].name)", [worth]) { _, row, _ in
          row.contents[place].values.contains(worth)
        }
      }
    case 7:
      return place(\.isMapOfValues).map {
        entry(kind, $0, kind.members[$0].pick(draw(36), in: state), draw(3), draw(4))
      }
    case 8: return deep(kind, draw(1_000), comparing, number)
    case 9: return properties(kind, draw(1_000))
    case 10: return rows(kind, state, draw(1_000))
    case 11: return place(\.isListed).map { among(kind, $0, state, draw(36)) }
    case 12 where kind == .piece: return boxed(draw(4), comparing, number)
    case 13: return place(\.isText).map { like(kind, $0, draw(24)) }
    case 14:
      return place { $0.isMixed && !$0.isCollection }.map { place in
        let all: [Worth] = [.null, .int(5), .int(-2), .text("a"), .text(""), .bool(true)]
        let worth = all[draw(all.count)]
        return Clause("\(kind.members[place].name) == %@", [worth]) { _, row, _ in
          row.contents[place].single == worth
        }
      }
    default:
      let truth = draw(2) == 0
      return Clause(truth ? "TRUEPREDICATE" : "FALSEPREDICATE", []) { _, _, _ in truth }
    }
  }

  // MARK: What is computed

  private static let aggregates = ["@sum", "@min", "@max", "@avg"]

  /// Whether what is computed of numbers compares so to another; of none there is a sum alone.
  private static func compares(
    _ numbers: [Int], _ aggregate: Int, _ comparing: Comparing, _ other: Worth
  ) -> Bool {
    let total = numbers.reduce(0, +)
    switch aggregate {
    case 0: return Worth.int(total).satisfies(comparing, other)
    case 1: return numbers.min().map { Worth.int($0).satisfies(comparing, other) } ?? false
    case 2: return numbers.max().map { Worth.int($0).satisfies(comparing, other) } ?? false
    default:
      guard !numbers.isEmpty, case .int(let bound) = other else { return false }
      let mean = Double(total) / Double(numbers.count)
      return Worth.double(mean).satisfies(comparing, .double(Double(bound)))
    }
  }

  private static func aggregate(
    _ kind: Kind, _ place: Int, _ aggregate: Int, _ comparing: Comparing, _ number: Worth
  ) -> Clause {
    Clause(
      "\(kind.members[place].name).\(aggregates[aggregate]) \(comparing.rawValue) %@", [number]
    ) { _, row, _ in
      compares(row.contents[place].values.compactMap(\.whole), aggregate, comparing, number)
    }
  }

  private static func numbers(_ births: [Int], _ state: WideState) -> [Int] {
    births.compactMap { state.content($0, 2)?.single.whole }
  }

  private static func linkedAggregate(
    _ kind: Kind, _ place: Int, _ aggregate: Int, _ comparing: Comparing, _ number: Worth
  ) -> Clause {
    Clause(
      "\(kind.members[place].name).\(aggregates[aggregate]).number \(comparing.rawValue) %@",
      [number]
    ) { _, row, state in
      compares(numbers(row.contents[place].targets, state), aggregate, comparing, number)
    }
  }

  // MARK: Members

  private static func subquery(
    _ kind: Kind, _ place: Int, _ comparing: Comparing, _ number: Worth, _ other: Comparing,
    _ count: Int
  ) -> Clause {
    Clause(
      "SUBQUERY(\(kind.members[place].name), $one, $one.number \(comparing.rawValue) %@ "
        + "AND $one.birth > 0).@count \(other.rawValue) %@", [number, .int(count)]
    ) { _, row, state in
      let some = numbers(row.contents[place].targets, state).filter {
        Worth.int($0).satisfies(comparing, number)
      }
      return Worth.int(some.count).satisfies(other, .int(count))
    }
  }

  private static func backward(
    _ kind: Kind, _ place: Int, _ comparing: Comparing, _ number: Worth, _ isSubquery: Bool
  ) -> Clause {
    let backward = kind.backward[place]
    let format =
      isSubquery
      ? "SUBQUERY(\(backward.name), $one, $one.number \(comparing.rawValue) %@).@count > 0"
      : "ANY \(backward.name).number \(comparing.rawValue) %@"
    return Clause(format, [number]) { birth, _, state in
      let linkers = state.linkers(birth, backward.origin, backward.member)
      return numbers(linkers, state).contains { Worth.int($0).satisfies(comparing, number) }
    }
  }

  private static let quantifiers = ["ANY", "ALL", "NONE"]

  private static func holds(_ quantifier: Int, _ truths: [Bool]) -> Bool {
    switch quantifier {
    case 0: truths.contains(true)
    case 1: !truths.contains(false)
    default: !truths.contains(true)
    }
  }

  private static func quantified(
    _ kind: Kind, _ place: Int, _ quantifier: Int, _ comparing: Comparing, _ number: Worth
  ) -> Clause {
    Clause(
      "\(quantifiers[quantifier]) \(kind.members[place].name).number \(comparing.rawValue) %@",
      [number]
    ) { _, row, state in
      let numbers = numbers(row.contents[place].targets, state)
      return holds(quantifier, numbers.map { Worth.int($0).satisfies(comparing, number) })
    }
  }

  private static func quantifiedValues(
    _ kind: Kind, _ place: Int, _ quantifier: Int, _ comparing: Comparing, _ number: Worth
  ) -> Clause {
    Clause(
      "\(quantifiers[quantifier]) \(kind.members[place].name) \(comparing.rawValue) %@", [number]
    ) { _, row, _ in
      holds(quantifier, row.contents[place].values.map { $0.satisfies(comparing, number) })
    }
  }

  private static func entry(_ kind: Kind, _ place: Int, _ worth: Worth, _ way: Int, _ key: Int)
    -> Clause
  {
    let name = kind.members[place].name
    let key = ["a", "b", "c", "never"][key]
    func entries(_ row: WideState.Row) -> [String: Worth] {
      if case .map(let all) = row.contents[place] { all } else { [:] }
    }
    switch way {
    case 0:
      return Clause("ANY \(name).@keys == %@", [.text(key)]) { _, row, _ in
        entries(row)[key] != nil
      }
    case 1:
      return Clause("ANY \(name).@values == %@", [worth]) { _, row, _ in
        entries(row).values.contains(worth)
      }
    default:
      // Nothing is under a key, or null.
      return Clause("\(name)['\(key)'] == %@", [worth]) { _, row, _ in
        (entries(row)[key] ?? .null) == worth
      }
    }
  }

  // MARK: Paths and properties

  private static func deep(_ kind: Kind, _ number: Int, _ comparing: Comparing, _ worth: Worth)
    -> Clause?
  {
    let links = kind.members.indices.filter { kind.members[$0].isLink }
    guard !links.isEmpty else { return nil }
    let first = links[number % links.count]
    let next = kind.members[first].target!
    let seconds = next.members.indices.filter { next.members[$0].isLink }
    let second = seconds[number / 7 % seconds.count]
    let path = "\(kind.members[first].name).\(next.members[second].name)"
    if number / 50 % 3 == 0 {
      let lists = next.members.indices.filter { next.members[$0].objects != nil }
      let list = lists[number / 7 % lists.count]
      let count = number / 150 % 3
      return Clause(
        "\(kind.members[first].name).\(next.members[list].name).@count > %@",
        [.int(count)]
      ) { _, row, state in
        guard let there = row.contents[first].targets.first else { return false }
        return state.content(there, list)?.count ?? 0 > count
      }
    }
    return Clause("\(path).number \(comparing.rawValue) %@", [worth]) { _, row, state in
      guard let there = row.contents[first].targets.first,
        let last = state.content(there, second)?.targets.first,
        let value = state.content(last, 2)?.single
      else { return false }
      return value.satisfies(comparing, worth)
    }
  }

  private static func properties(_ kind: Kind, _ number: Int) -> Clause {
    let pairs: [(Int, Int)] =
      kind == .piece
      ? [
        (2, Piece.place("maybeNumber")), (Piece.place("maybeNumber"), 2),
        (Piece.place("ratio"), Piece.place("fraction")), (Piece.place("name"), Piece.place("tag")),
        (Piece.place("word"), Piece.place("name")),
      ] : [(2, 0), (0, 2)]
    let (one, two) = pairs[number % pairs.count]
    let isText = kind.members[one].isText
    let all: [Comparing] = isText ? [.equal, .unequal] : Comparing.allCases
    let comparing = all[number / 10 % all.count]
    return Clause(
      "\(kind.members[one].name) \(comparing.rawValue) \(kind.members[two].name)", []
    ) { _, row, _ in
      row.contents[one].single.satisfies(comparing, row.contents[two].single)
    }
  }

  /// Of objects themselves.
  private static func rows(_ kind: Kind, _ state: WideState, _ number: Int) -> Clause? {
    let places = kind.members.indices.filter {
      kind.members[$0].isLink || kind.members[$0].objects != nil
    }
    guard !places.isEmpty else { return nil }
    let place = places[number % places.count]
    let member = kind.members[place]
    let births = state.births(of: member.target!)
    guard !births.isEmpty else { return nil }
    let target = births[number / 20 % births.count]
    if member.isLink {
      let isSo = number / 7 % 2 == 0
      return Clause("\(member.name) \(isSo ? "==" : "!=") %@", [.row(target)]) { _, row, _ in
        (row.contents[place].single == .row(target)) == isSo
      }
    }
    let format = number / 7 % 2 == 0 ? "ANY \(member.name) == %@" : "%@ IN \(member.name)"
    return Clause(format, [.row(target)]) { _, row, _ in
      row.contents[place].targets.contains(target)
    }
  }

  private static func among(_ kind: Kind, _ place: Int, _ state: WideState, _ number: Int)
    -> Clause
  {
    let all = (0..<(number % 4)).map { kind.members[place].pick(number + $0 * 5, in: state) }
    return Clause("\(kind.members[place].name) IN %@", [.box(all)]) { _, row, _ in
      all.contains(row.contents[place].single)
    }
  }

  private static func boxed(_ way: Int, _ comparing: Comparing, _ number: Worth) -> Clause {
    let (one, many) = (Piece.place("box"), Piece.place("boxes"))
    func numbers(_ content: Content) -> [Worth] {
      content.values.compactMap { if case .box(let parts) = $0 { parts[1] } else { nil } }
    }
    switch way {
    case 0:
      return Clause("box.number \(comparing.rawValue) %@", [number]) { _, row, _ in
        numbers(row.contents[one]).contains { $0.satisfies(comparing, number) }
      }
    case 1: return Clause("box == nil", []) { _, row, _ in row.contents[one].single == .null }
    case 2:
      return Clause("boxes.@count \(comparing.rawValue) %@", [number]) { _, row, _ in
        Worth.int(row.contents[many].count).satisfies(comparing, number)
      }
    default:
      return Clause("ANY boxes.number \(comparing.rawValue) %@", [number]) { _, row, _ in
        numbers(row.contents[many]).contains { $0.satisfies(comparing, number) }
      }
    }
  }

  private static func like(_ kind: Kind, _ place: Int, _ number: Int) -> Clause {
    let pattern = ["a*", "?b", "*", "*A*", "??", "*a"][number % 6]
    let isBlind = number / 6 % 2 == 0
    return Clause(
      "\(kind.members[place].name) LIKE\(isBlind ? "[c]" : "") %@", [.text(pattern)]
    ) { _, row, _ in
      guard case .text(let text) = row.contents[place].single else { return false }
      return isBlind
        ? matches(Array(text.lowercased())[...], Array(pattern.lowercased())[...])
        : matches(Array(text)[...], Array(pattern)[...])
    }
  }

  private static func matches(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>)
    -> Bool
  {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*": return (0...text.count).contains { matches(text.dropFirst($0), rest) }
    case "?": return !text.isEmpty && matches(text.dropFirst(), rest)
    default: return text.first == first && matches(text.dropFirst(), rest)
    }
  }
}

extension Worth {
  var whole: Int? { if case .int(let value) = self { value } else { nil } }
}

extension Member {
  /// Whether it is a list or a set of whole numbers that can be added up.
  fileprivate var hasWholes: Bool {
    guard isAsked, case .values(let all) = pool else { return false }
    return all.contains { $0.whole != nil } && all.allSatisfy { $0 == .null || $0.whole != nil }
  }

  fileprivate var isMapOfValues: Bool {
    if case .values = pool, case .map = blank { true } else { false }
  }

  /// Whether it is a single value of which some may be given.
  fileprivate var isListed: Bool { condition != nil && !isCollection && !isFixed }
}
