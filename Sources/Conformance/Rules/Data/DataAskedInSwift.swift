import EngineUnderTest
import Evidence
import Foundation

/// Everything that can be asked in Swift, the same in words where it can be said, and in plain
/// Swift beside.
enum AskedInSwift {
  /// What an object has, as plain values.
  private struct Fact {
    var id = 0
    var amount = 0
    var whole: Int?
    var number: Int?
    var ratio = 0.0
    var fraction: Double?
    var word = ""
    var name = ""
    var text: String?
    var tag: String?
    var truth: Bool?
    var numbers: [Int?] = []
    var words: [String] = []
    var labels: Set<String> = []
    var scores: [String: Int] = [:]
    var next: Int?
    var members: [Int] = []
    var group: Set<Int> = []
    var named: [String: Int] = [:]
  }

  private struct Ask {
    let name: String
    /// Nil where only a filter's text can say it.
    let swift: ((Query<Specimen>) -> Query<Bool>)?
    /// The same as a filter's text.
    let format: String?
    let holds: (Fact, [Fact]) -> Bool

    init(
      _ name: String, _ swift: ((Query<Specimen>) -> Query<Bool>)?, _ format: String? = nil,
      holds: @escaping (Fact, [Fact]) -> Bool
    ) { (self.name, self.swift, self.format, self.holds) = (name, swift, format, holds) }
  }

  private static let texts = ["", "a", "A", "ab", "aB", "ba", "é", "É", "e", "zebra"]

  private static func facts(_ chance: inout SeededGenerator) -> [Fact] {
    func text() -> String { texts[chance.below(texts.count)] }
    func few() -> Int { chance.below(7) - 2 }
    let count = 70
    return (0..<count).map { id in
      var fact = Fact(id: id, amount: few(), ratio: Double(few()) / 2, word: text(), name: text())
      fact.whole = chance.below(4) == 0 ? nil : few()
      fact.number = chance.below(4) == 0 ? nil : few()
      fact.fraction = chance.below(4) == 0 ? nil : Double(few()) / 2
      fact.text = chance.below(4) == 0 ? nil : text()
      fact.tag = chance.below(4) == 0 ? nil : text()
      fact.truth = [true, false, nil][chance.below(3)]
      fact.numbers = (0..<chance.below(4)).map { _ in chance.below(5) == 0 ? nil : few() }
      fact.words = (0..<chance.below(4)).map { _ in text() }
      fact.labels = Set((0..<chance.below(4)).map { _ in ["a", "b", "zebra"][chance.below(3)] })
      for key in ["a", "b", ""] where chance.below(2) == 0 { fact.scores[key] = few() }
      fact.next = chance.below(3) == 0 ? nil : chance.below(count)
      fact.members = (0..<chance.below(4)).map { _ in chance.below(count) }
      fact.group = Set((0..<chance.below(4)).map { _ in chance.below(count) })
      for key in ["a", "b"] where chance.below(2) == 0 { fact.named[key] = chance.below(count) }
      return fact
    }
  }

  private static func fill(_ realm: Realm, _ facts: [Fact]) {
    for fact in facts { realm.add(Specimen(id: fact.id)) }
    for fact in facts {
      let specimen = realm.specimen(fact.id)!
      (specimen.amount, specimen.whole, specimen.number) = (fact.amount, fact.whole, fact.number)
      (specimen.ratio, specimen.fraction, specimen.truth) = (fact.ratio, fact.fraction, fact.truth)
      (specimen.word, specimen.name) = (fact.word, fact.name)
      (specimen.text, specimen.tag) = (fact.text, fact.tag)
      specimen.numbers.append(objectsIn: fact.numbers)
      specimen.words.append(objectsIn: fact.words)
      specimen.labels.insert(objectsIn: fact.labels)
      for (key, score) in fact.scores { specimen.scores[key] = score }
      specimen.next = fact.next.flatMap { realm.specimen($0) }
      specimen.members.append(objectsIn: fact.members.map { realm.specimen($0)! })
      specimen.group.insert(objectsIn: fact.group.map { realm.specimen($0)! })
      for (key, id) in fact.named { specimen.named[key] = .some(realm.specimen(id)!) }
    }
  }

  // MARK: What is asked

  private static func less<Value: Comparable>(_ one: Value?, _ other: Value?) -> Bool {
    guard let one, let other else { return false }
    return one < other
  }

  private static var comparisons: [Ask] {
    [
      Ask("number < 2", { $0.whole < 2 }, "whole < 2", holds: { fact, _ in less(fact.whole, 2) }),
      Ask(
        "number <= 2", { $0.whole <= 2 }, "whole <= 2",
        holds: { fact, _ in
          fact.whole.map { $0 <= 2 } ?? false
        }),
      Ask("number > 2", { $0.whole > 2 }, "whole > 2", holds: { fact, _ in less(2, fact.whole) }),
      Ask(
        "number >= 2", { $0.whole >= 2 }, "2 <= whole",
        holds: { fact, _ in
          fact.whole.map { $0 >= 2 } ?? false
        }),
      Ask(
        "indexed < -1", { $0.number < -1 }, "-1 > number",
        holds: { fact, _ in less(fact.number, -1) }),
      Ask(
        "indexed >= 0", { $0.number >= 0 }, "number => 0",
        holds: { fact, _ in
          fact.number.map { $0 >= 0 } ?? false
        }),
      Ask(
        "fraction < 0.5", { $0.fraction < 0.5 }, "fraction < 0.5",
        holds: { fact, _ in
          less(fact.fraction, 0.5)
        }),
      Ask(
        "fraction >= 0.5", { $0.fraction >= 0.5 }, "fraction >= 0.5",
        holds: { fact, _ in
          fact.fraction.map { $0 >= 0.5 } ?? false
        }),
      Ask("ratio <= 1", { $0.ratio <= 1 }, "ratio <= 1", holds: { fact, _ in fact.ratio <= 1 }),
      Ask(
        "two == ", { $0.whole == $0.number }, "whole == number",
        holds: { fact, _ in
          fact.whole == fact.number
        }),
      Ask(
        "two != ", { $0.whole != $0.number }, "whole != number",
        holds: { fact, _ in
          fact.whole != fact.number
        }),
      Ask(
        "two < ", { $0.whole < $0.number }, "whole < number",
        holds: { fact, _ in
          less(fact.whole, fact.number)
        }),
      Ask(
        "two <= ", { $0.amount <= $0.id }, "amount <= id",
        holds: { fact, _ in
          fact.amount <= fact.id
        }),
      Ask(
        "two > ", { $0.whole > $0.number }, "whole > number",
        holds: { fact, _ in
          less(fact.number, fact.whole)
        }),
      Ask(
        "two >= ", { $0.amount >= $0.id }, "amount >= id",
        holds: { fact, _ in
          fact.amount >= fact.id
        }),
      Ask(
        "in two", { $0.amount.in([-1, 3]) }, "amount IN {-1, 3}",
        holds: { fact, _ in
          [-1, 3].contains(fact.amount)
        }),
      Ask("in none", { $0.amount.in([Int]()) }, holds: { _, _ in false }),
      Ask(
        "in two and nil", { $0.whole.in([1, nil]) }, "whole IN {1, nil}",
        holds: { fact, _ in
          fact.whole == nil || fact.whole == 1
        }),
      Ask(
        "not in", { !$0.number.in([1, 2]) }, "NOT number IN {1, 2}",
        holds: { fact, _ in
          fact.number != 1 && fact.number != 2
        }),
      Ask("truth", { $0.truth == true }, "truth == true", holds: { fact, _ in fact.truth == true }),
      Ask(
        "truth != true", { $0.truth != true }, "truth != true",
        holds: { fact, _ in
          fact.truth != true
        }),
      Ask(
        "truth == nil", { $0.truth == nil }, "truth == nil", holds: { fact, _ in fact.truth == nil }
      ),
    ]
  }

  private static func folded(_ text: String) -> String { text.lowercased() }

  private static var strings: [Ask] {
    var all: [Ask] = []
    for needle in ["", "a", "A", "B", "é", "zeb"] {
      for folds in [false, true] {
        let options: StringOptions = folds ? [.caseInsensitive] : []
        let (c, wanted) = (folds ? "[c]" : "", folds ? folded(needle) : needle)
        func form(_ text: String) -> String { folds ? folded(text) : text }
        let words = "'\(needle)' \(c)"
        all += [
          Ask(
            "starts with \(words)", { $0.word.starts(with: needle, options: options) },
            "word BEGINSWITH\(c) '\(needle)'",
            holds: { fact, _ in form(fact.word).hasPrefix(wanted) }),
          Ask(
            "ends with \(words)", { $0.text.ends(with: needle, options: options) },
            "text ENDSWITH\(c) '\(needle)'",
            holds: { fact, _ in fact.text.map { form($0).hasSuffix(wanted) } ?? false }),
          Ask(
            "contains \(words)", { $0.name.contains(needle, options: options) },
            "name CONTAINS\(c) '\(needle)'",
            holds: { fact, _ in needle.isEmpty || form(fact.name).contains(wanted) }),
          Ask(
            "equals \(words)", { $0.tag.equals(needle, options: options) },
            "tag ==\(c) '\(needle)'",
            holds: { fact, _ in fact.tag.map { form($0) == wanted } ?? false }),
          Ask(
            "does not equal \(words)", { $0.tag.notEquals(needle, options: options) },
            "tag !=\(c) '\(needle)'",
            holds: { fact, _ in fact.tag.map { form($0) != wanted } ?? true }),
          Ask(
            "is like \(words)", { $0.word.like("?" + needle + "*", caseInsensitive: folds) },
            "word LIKE\(c) '?\(needle)*'",
            holds: { fact, _ in !fact.word.isEmpty && form(fact.word).dropFirst().hasPrefix(wanted)
            }),
        ]
      }
    }
    for folds in [false, true] {
      let options: StringOptions = folds ? [.caseInsensitive] : []
      let c = folds ? "[c]" : ""
      func form(_ text: String) -> String { folds ? folded(text) : text }
      all += [
        Ask(
          "starts with another \(c)", { $0.word.starts(with: $0.name, options: options) },
          "word BEGINSWITH\(c) name",
          holds: { fact, _ in form(fact.word).hasPrefix(form(fact.name)) }),
        Ask(
          "ends with another \(c)", { $0.word.ends(with: $0.name, options: options) },
          "word ENDSWITH\(c) name", holds: { fact, _ in form(fact.word).hasSuffix(form(fact.name)) }
        ),
        Ask(
          "contains another \(c)", { $0.word.contains($0.name, options: options) },
          "word CONTAINS\(c) name",
          holds: { fact, _ in fact.name.isEmpty || form(fact.word).contains(form(fact.name)) }),
        Ask(
          "equals another \(c)", { $0.word.equals($0.name, options: options) }, "word ==\(c) name",
          holds: { fact, _ in form(fact.word) == form(fact.name) }),
        Ask(
          "equals no other \(c)", { $0.word.notEquals($0.name, options: options) },
          "word !=\(c) name", holds: { fact, _ in form(fact.word) != form(fact.name) }),
      ]
    }
    return all
  }

  private static func totals(_ all: [Int?]) -> (
    least: Int?, greatest: Int?, sum: Int, mean: Double?
  ) {
    let some = all.compactMap(\.self)
    let sum = some.reduce(0, +)
    return (some.min(), some.max(), sum, some.isEmpty ? nil : Double(sum) / Double(some.count))
  }

  private static var collections: [Ask] {
    [
      Ask(
        "count of a list", { $0.numbers.count == 2 }, "numbers.@count == 2",
        holds: { fact, _ in
          fact.numbers.count == 2
        }),
      Ask(
        "count of a set", { $0.labels.count > 1 }, "labels.@count > 1",
        holds: { fact, _ in
          fact.labels.count > 1
        }),
      Ask(
        "count of a map", { $0.scores.count <= 1 }, "scores.@count <= 1",
        holds: { fact, _ in
          fact.scores.count <= 1
        }),
      Ask(
        "count of linked", { $0.members.count >= 2 }, "members.@count >= 2",
        holds: { fact, _ in
          fact.members.count >= 2
        }),
      Ask(
        "a list has", { $0.numbers.contains(1) }, "ANY numbers == 1",
        holds: { fact, _ in
          fact.numbers.contains(1)
        }),
      Ask(
        "a list has nil", { $0.numbers.contains(nil) }, "ANY numbers == nil",
        holds: { fact, _ in
          fact.numbers.contains(nil)
        }),
      Ask(
        "a list of texts has", { $0.words.contains("ab") }, "ANY words == 'ab'",
        holds: { fact, _ in
          fact.words.contains("ab")
        }),
      Ask(
        "a set has", { $0.labels.contains("b") }, "'b' IN labels",
        holds: { fact, _ in
          fact.labels.contains("b")
        }),
      Ask(
        "a map has", { $0.scores.contains(2) }, "ANY scores.@values == 2",
        holds: { fact, _ in
          fact.scores.values.contains(2)
        }),
      Ask(
        "a list has any", { $0.words.containsAny(in: ["é", "ba"]) }, "ANY words IN {'é', 'ba'}",
        holds: {
          fact, _ in fact.words.contains("é") || fact.words.contains("ba")
        }),
      Ask(
        "a list has any number", { $0.numbers.containsAny(in: [1, nil]) },
        holds: { fact, _ in
          fact.numbers.contains(1) || fact.numbers.contains(nil)
        }),
      Ask(
        "a set has any", { $0.labels.containsAny(in: ["b", "x"]) },
        holds: { fact, _ in
          fact.labels.contains("b")
        }),
      Ask(
        "a map has any", { $0.scores.containsAny(in: [0, 3]) },
        holds: { fact, _ in
          fact.scores.values.contains(0) || fact.scores.values.contains(3)
        }),
      Ask(
        "a list has any of none", { $0.words.containsAny(in: [String]()) }, holds: { _, _ in false }
      ),
      Ask(
        "not a member", { !$0.numbers.contains(1) }, "NOT ANY numbers == 1",
        holds: { fact, _ in
          !fact.numbers.contains(1)
        }),
      Ask(
        "all members", { !$0.numbers.contains(1) }, "NONE numbers == 1",
        holds: { fact, _ in
          !fact.numbers.contains(1)
        }),
      Ask(
        "a range of members", { $0.numbers.contains(0..<4) },
        holds: { fact, _ in
          let (least, greatest, _, _) = totals(fact.numbers)
          return least.map { $0 >= 0 } ?? false && greatest! < 4
        }),
      Ask(
        "a closed range of members", { $0.numbers.contains(0...4) },
        holds: { fact, _ in
          let (least, greatest, _, _) = totals(fact.numbers)
          return least.map { $0 >= 0 } ?? false && greatest! <= 4
        }),
      Ask(
        "a range of a map", { $0.scores.contains(-1..<4) },
        holds: { fact, _ in
          let (least, greatest, _, _) = totals(Array(fact.scores.values))
          return least.map { $0 >= -1 } ?? false && greatest! < 4
        }),
      Ask(
        "the least", { $0.numbers.min < 0 }, "numbers.@min < 0",
        holds: { fact, _ in
          less(totals(fact.numbers).least, 0)
        }),
      Ask(
        "the greatest", { $0.numbers.max > 2 }, "numbers.@max > 2",
        holds: { fact, _ in
          less(2, totals(fact.numbers).greatest)
        }),
      Ask(
        "the sum", { $0.numbers.sum >= 3 }, "numbers.@sum >= 3",
        holds: { fact, _ in
          totals(fact.numbers).sum >= 3
        }),
      Ask(
        "the mean", { $0.numbers.avg > 1 }, "numbers.@avg > 1",
        holds: { fact, _ in
          less(1, totals(fact.numbers).mean)
        }),
      Ask(
        "a map's least", { $0.scores.min == -1 }, "scores.@min == -1",
        holds: { fact, _ in
          fact.scores.values.min() == -1
        }),
      Ask(
        "a map's greatest", { $0.scores.max == 3 }, "scores.@max == 3",
        holds: { fact, _ in
          fact.scores.values.max() == 3
        }),
      Ask(
        "a map's sum", { $0.scores.sum == 1 }, "scores.@sum == 1",
        holds: { fact, _ in
          fact.scores.values.reduce(0, +) == 1
        }),
      Ask(
        "a map's mean", { $0.scores.avg < 1 }, "scores.@avg < 1",
        holds: { fact, _ in
          less(totals(Array(fact.scores.values)).mean, 1)
        }),
      Ask(
        "under a key", { $0.scores["a"] == 2 }, "scores['a'] == 2",
        holds: { fact, _ in
          fact.scores["a"] == 2
        }),
      Ask(
        "more under a key", { $0.scores["b"] > 0 }, "scores['b'] > 0",
        holds: { fact, _ in
          less(0, fact.scores["b"])
        }),
      Ask(
        "a key", { $0.scores.keys == "a" }, "ANY scores.@keys == 'a'",
        holds: { fact, _ in
          fact.scores["a"] != nil
        }),
      Ask(
        "a key that begins", { $0.scores.keys.starts(with: "b") },
        holds: { fact, _ in
          fact.scores["b"] != nil
        }),
      Ask(
        "a value", { $0.scores.values > 2 }, "ANY scores.@values > 2",
        holds: { fact, _ in
          fact.scores.values.contains { $0 > 2 }
        }),
    ]
  }

  private static var links: [Ask] {
    func of(_ ids: some Sequence<Int>, _ all: [Fact]) -> [Fact] { ids.map { all[$0] } }
    return [
      Ask(
        "a link's number", { $0.next.amount == 1 }, "next.amount == 1",
        holds: { fact, all in
          fact.next.map { all[$0].amount == 1 } ?? false
        }),
      Ask(
        "a link's optional", { $0.next.whole == nil }, "next.whole == nil",
        holds: { fact, all in
          fact.next.map { all[$0].whole == nil } ?? true
        }),
      Ask(
        "a link's link", { $0.next.next.amount > 1 }, "next.next.amount > 1",
        holds: { fact, all in
          less(1, fact.next.flatMap { all[$0].next }.map { all[$0].amount })
        }),
      Ask("no link", { $0.next == nil }, "next == nil", holds: { fact, _ in fact.next == nil }),
      Ask("a link", { $0.next != nil }, "next != nil", holds: { fact, _ in fact.next != nil }),
      Ask(
        "one member's number", { $0.members.amount == 2 }, "ANY members.amount == 2",
        holds: {
          fact, all in of(fact.members, all).contains { $0.amount == 2 }
        }),
      Ask(
        "one of a set", { $0.group.word == "ab" }, "ANY group.word == 'ab'",
        holds: { fact, all in
          of(fact.group, all).contains { $0.word == "ab" }
        }),
      Ask(
        "one of a map", { $0.named.amount < 0 },
        holds: { fact, all in
          of(fact.named.values, all).contains { $0.amount < 0 }
        }),
      Ask(
        "of a map by key", { $0.named["a"].amount >= 2 }, "named['a'].amount >= 2",
        holds: {
          fact, all in fact.named["a"].map { all[$0].amount >= 2 } ?? false
        }),
      Ask(
        "members' sum", { $0.members.amount.sum > 3 }, "members.@sum.amount > 3",
        holds: {
          fact, all in of(fact.members, all).map(\.amount).reduce(0, +) > 3
        }),
      Ask(
        "members' least", { $0.members.amount.min <= -1 }, "members.@min.amount <= -1",
        holds: {
          fact, all in of(fact.members, all).contains { $0.amount <= -1 }
        }),
      Ask(
        "members' greatest", { $0.members.amount.max == 4 }, "members.@max.amount == 4",
        holds: {
          fact, all in of(fact.members, all).map(\.amount).max() == 4
        }),
      Ask(
        "members' mean", { $0.group.amount.avg > 1 }, "group.@avg.amount > 1",
        holds: { fact, all in
          less(1, totals(of(fact.group, all).map(\.amount)).mean)
        }),
      Ask(
        "members' optional mean", { $0.members.whole.avg > 1 }, "members.@avg.whole > 1",
        holds: {
          fact, all in less(1, totals(of(fact.members, all).map(\.whole)).mean)
        }),
      Ask(
        "both of one member", nil,
        "SUBQUERY(members, $m, $m.amount > 0 AND $m.word == 'a').@count > 0",
        holds: { fact, all in of(fact.members, all).contains { $0.amount > 0 && $0.word == "a" } }),
      Ask(
        "both of some members", { $0.members.amount > 0 && $0.members.word == "a" },
        "ANY members.amount > 0 AND ANY members.word == 'a'",
        holds: { fact, all in
          of(fact.members, all).contains { $0.amount > 0 }
            && of(fact.members, all).contains { $0.word == "a" }
        }),
      Ask(
        "either of one member, twice", nil,
        "SUBQUERY(members, $m, $m.amount == 1 OR $m.whole == nil).@count == 2",
        holds: { fact, all in
          of(fact.members, all).count { $0.amount == 1 || $0.whole == nil } == 2
        }),
      Ask(
        "not of one member", nil,
        "SUBQUERY(group, $m, NOT $m.amount == 1).@count >= 2",
        holds: { fact, all in of(fact.group, all).count { $0.amount != 1 } >= 2 }),
      Ask(
        "who links", { $0.throughNext.count == 2 }, "throughNext.@count == 2",
        holds: { fact, all in
          all.count { $0.next == fact.id } == 2
        }),
      Ask(
        "who links once", { $0.throughNext.amount > 3 }, "ANY throughNext.amount > 3",
        holds: {
          fact, all in all.contains { $0.next == fact.id && $0.amount > 3 }
        }),
      Ask(
        "who has it in a list", { $0.throughMembers.word == "ba" },
        holds: { fact, all in
          all.contains { $0.members.contains(fact.id) && $0.word == "ba" }
        }),
      Ask(
        "who links' sum", { $0.throughNext.amount.sum > 2 },
        holds: { fact, all in
          all.filter { $0.next == fact.id }.map(\.amount).reduce(0, +) > 2
        }),
    ]
  }

  static let probes: [Probe] = [
    Probe("all that can be asked in Swift, and the same in words: of values") { stage in
      try look(stage, comparisons + strings + collections)
    },
    Probe("all that can be asked in Swift, and the same in words: of objects") { stage in
      try look(stage, links) { realm in
        // Of objects themselves, which are there only now.
        [0, 5, 69].flatMap { id in
          let object = realm.specimen(id)!
          return [
            Ask("links to \(id)", { $0.next == object }, holds: { fact, _ in fact.next == id }),
            Ask(
              "does not link to \(id)", { $0.next != object }, holds: { fact, _ in fact.next != id }
            ),
            Ask(
              "has \(id)", { $0.members.contains(object) },
              holds: { fact, _ in
                fact.members.contains(id)
              }),
            Ask(
              "has \(id) in a set", { $0.group.contains(object) },
              holds: { fact, _ in
                fact.group.contains(id)
              }),
            Ask(
              "links to one of two", { $0.next.in([object, realm.specimen(1)!]) },
              holds: { fact, _ in
                fact.next == id || fact.next == 1
              }),
            Ask(
              "has one of two", { $0.members.containsAny(in: [object, realm.specimen(1)!]) },
              holds: {
                fact, _ in fact.members.contains(id) || fact.members.contains(1)
              }),
          ]
        }
      }
    },
  ]

  private static func look(
    _ stage: Stage, _ asks: [Ask], _ more: (Realm) -> [Ask] = { _ in [] }
  ) throws {
    Backstage.hooks?.skipFlushes()
    var chance = stage.chance
    let realm = try Realm(configuration: stage.specimens())
    let facts = facts(&chance)
    try realm.write { fill(realm, facts) }
    let all = realm.objects(Specimen.self)
    for ask in asks + more(realm) {
      let ids = facts.filter { ask.holds($0, facts) }.map(\.id)
      if let swift = ask.swift {
        let results = all.where(swift)
        let found = results.map(\.id)
        stage.expect(
          Array(found) == ids && results.count == ids.count,
          "in Swift, \(ask.name) finds \(ids.count) of \(facts.count)",
          observed: "\(found.count): \(found.prefix(9)) and not \(ids.prefix(9))")
        // Behind another condition, and turned round.
        stage.equal(
          Array(all.where { $0.id >= 20 && swift($0) }.map(\.id)), ids.filter { $0 >= 20 },
          "what \(ask.name) finds behind another condition")
        stage.equal(
          all.where { !swift($0) }.count, facts.count - ids.count,
          "how many \(ask.name) does not find")
      }
      if let format = ask.format {
        stage.equal(Array(all.filter(format).map(\.id)), ids, "what \(format) finds")
        stage.equal(
          all.filter("NOT (\(format)) AND id < 50").count, 50 - ids.count { $0 < 50 },
          "how many \(format) does not find")
      }
    }
  }
}
