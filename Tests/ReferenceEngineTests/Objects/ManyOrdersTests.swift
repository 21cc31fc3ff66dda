import Foundation
import Testing

@testable import ReferenceEngine

/// What is sorted by several properties, with many rows that only the last of them tells apart.
class Ranked: Object {
  @Persisted var place: Int
  @Persisted var word: String
  @Persisted var note: String?
  @Persisted var number: Int
  @Persisted var wide: Int?
  @Persisted var share: Double
  @Persisted var link: Ranked?
}

@Suite struct ManyOrdersTests {
  let scratch = Scratch()

  /// Texts of up to eight bytes, of zeros at their ends, and those that only differ behind the
  /// eighth byte.
  private static let words = [
    "", "\0", "\0\0", "a", "a\0", "b", "eight by", "eight bz", "eight by\0", "eight bytes",
    "eight bytez", "name 1", "name 11", "name 112", "name 1123", "é", "🦊",
  ]

  private static let wide: [Int?] = [nil, Int.min, Int.min + 1, -1, 0, Int.max - 1, Int.max]

  /// Negative, zero or positive as one comes before, with or after the other.
  private typealias Order = (Ranked, Ranked) -> Int

  private static func order<Value: Comparable>(_ one: Value?, _ other: Value?) -> Int {
    guard let one else { return other == nil ? 0 : -1 }
    guard let other else { return 1 }
    return one == other ? 0 : one < other ? -1 : 1
  }

  private static func bytes(_ one: String?, _ other: String?) -> Int {
    guard let one, let other else { return order(one, other) }
    if one.utf8.elementsEqual(other.utf8) { return 0 }
    return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }

  private static var orders: [(name: String, order: Order)] {
    [
      ("word", { bytes($0.word, $1.word) }), ("note", { bytes($0.note, $1.note) }),
      ("number", { order($0.number, $1.number) }), ("wide", { order($0.wide, $1.wide) }),
      ("share", { order($0.share, $1.share) }),
    ]
  }

  /// What is behind no link comes after everything.
  private static func behindLink(_ one: Ranked, _ other: Ranked) -> Int {
    guard let near = one.link else { return other.link == nil ? 0 : 1 }
    guard let far = other.link else { return -1 }
    return order(near.number, far.number)
  }

  private func check(
    _ asked: Results<Ranked>, _ plain: [Ranked], _ chosen: [(String, Bool, Order)]
  ) {
    let sorted = asked.sorted(by: chosen.map { SortDescriptor(keyPath: $0.0, ascending: $0.1) })
    let expected = plain.sorted { left, right in
      for (_, isAscending, order) in chosen {
        let found = order(left, right)
        if found != 0 { return (found < 0) == isAscending }
      }
      return left.place < right.place
    }
    #expect(
      sorted.map(\.place) == expected.map(\.place),
      "\(chosen.map { "\($0.0) \($0.1)" }.joined(separator: ", "))")
    #expect(sorted.last?.place == expected.last?.place)
  }

  @Test func `several orders agree with a plain sort, in each direction`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let realm = try scratch.realm()
    try realm.write {
      var last: Ranked?
      for place in 0..<900 {
        let ranked = Ranked()
        ranked.place = place
        ranked.word = Self.words.randomElement(using: &random) ?? ""
        ranked.note = Bool.random(using: &random) ? nil : Self.words.randomElement(using: &random)
        ranked.number = Int.random(in: -2...2, using: &random)
        // Words that need all 64 bits lose one where there are nulls, too.
        ranked.wide = Self.wide.randomElement(using: &random) ?? nil
        ranked.share = [-1.5, 0, 0.25, 1e300].randomElement(using: &random) ?? 0
        ranked.link = Bool.random(using: &random) ? last : nil
        realm.add(ranked)
        last = ranked
      }
    }
    let all = realm.objects(Ranked.self)
    let some = all.where { $0.number > 0 }
    let (plain, fewer) = (Array(all), Array(some))
    for _ in 0..<60 {
      var chosen = Self.orders.shuffled(using: &random)
        .prefix(Int.random(in: 1...4, using: &random))
        .map { ($0.name, Bool.random(using: &random), $0.order) }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let place = Int.random(in: 0...chosen.count, using: &random)
        chosen.insert(("link.number", Bool.random(using: &random), Self.behindLink), at: place)
      }
      check(all, plain, chosen)
      check(some, fewer, chosen)
    }
  }
}
