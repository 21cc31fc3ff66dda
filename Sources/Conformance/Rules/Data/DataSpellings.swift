import EngineUnderTest
import Foundation
import Harness

/// Each word and sign of the predicate language, in each way to write it, beside plain Swift.
enum Spellings {
  /// What plain Swift knows of a vessel.
  struct Row {
    let id: Int
    let number: Int
    let maybe: Int?
    let text: String
    let maybeText: String?
    let ratio: Double
    let truth: Bool
    let numbers: [Int]
    let texts: [String]
    let titles: [String: String]
    let link: Int?
    let links: [Int]
  }

  static let rows = [
    Row(
      id: 1, number: -1, maybe: nil, text: "a", maybeText: nil, ratio: 0.5, truth: true,
      numbers: [], texts: [], titles: [:], link: nil, links: []),
    Row(
      id: 2, number: 0, maybe: 0, text: "A", maybeText: "", ratio: -0.5, truth: false,
      numbers: [0], texts: ["a"], titles: ["a": "a"], link: 1, links: [1]),
    Row(
      id: 3, number: 1, maybe: 5, text: "it's", maybeText: "NULL", ratio: 1.5, truth: true,
      numbers: [1, 2], texts: ["a", "B"], titles: ["a": "b", "k": "a"], link: 2, links: [1, 2]),
    Row(
      id: 4, number: 2, maybe: -5, text: "say \"hi\"", maybeText: "x", ratio: 0, truth: false,
      numbers: [2, 2, -3], texts: ["b"], titles: ["b": "a", "B": "A"], link: 4, links: [4, 4]),
    Row(
      id: 5, number: 3, maybe: 3, text: "a\\b", maybeText: nil, ratio: -2, truth: true,
      numbers: [2], texts: ["", "A"], titles: ["": "A"], link: 3, links: [3, 2, 3]),
    Row(
      id: 6, number: 4, maybe: nil, text: "ä", maybeText: "X", ratio: 100, truth: false,
      numbers: [5, 0], texts: ["a", "a"], titles: ["a": "a", "k": "k"], link: 6, links: [5, 1]),
  ]

  struct Question {
    let format: String
    let arguments: [Any]
    let holds: (Row) -> Bool

    init(_ format: String, _ arguments: Any..., holds: @escaping (Row) -> Bool) {
      (self.format, self.arguments, self.holds) = (format, arguments, holds)
    }
  }

  private static func row(_ id: Int) -> Row { rows[id - 1] }

  private static var numbers: [Question] {
    [
      Question("number == 1") { $0.number == 1 }, Question("number = 1") { $0.number == 1 },
      Question("number==1") { $0.number == 1 }, Question("1 == number") { $0.number == 1 },
      Question(" number\n==  1 ") { $0.number == 1 },
      Question("(number) == (1)") { $0.number == 1 },
      Question("((number == 1))") { $0.number == 1 }, Question("number == +1") { $0.number == 1 },
      Question("number == 1.0") { $0.number == 1 }, Question("number != 1") { $0.number != 1 },
      Question("number <> 1") { $0.number != 1 }, Question("1 <> number") { $0.number != 1 },
      Question("number == -1") { $0.number == -1 }, Question("number==-1") { $0.number == -1 },
      Question("number > -1") { $0.number > -1 }, Question("-1 < number") { $0.number > -1 },
      Question("-1 > number") { $0.number < -1 }, Question("2 >= number") { $0.number <= 2 },
      Question("2 => number") { $0.number <= 2 }, Question("2 =< number") { $0.number >= 2 },
      Question("number >= 2") { $0.number >= 2 }, Question("number => 2") { $0.number >= 2 },
      Question("number <= 2") { $0.number <= 2 }, Question("number =< 2") { $0.number <= 2 },
      Question("number > 0.5") { $0.number > 0 }, Question("number < 1.5") { $0.number < 2 },
      Question("number != 1.5") { _ in true }, Question("ratio == 0.5") { $0.ratio == 0.5 },
      Question("ratio == 5e-1") { $0.ratio == 0.5 }, Question("ratio == 1e2") { $0.ratio == 100 },
      Question("ratio == -0.5") { $0.ratio == -0.5 }, Question("ratio < -.25") { $0.ratio < -0.25 },
      Question("ratio == 0") { $0.ratio == 0 }, Question("ratio == -0.0") { $0.ratio == 0 },
      Question("ratio == 100") { $0.ratio == 100 },
      Question("number BETWEEN {0, 2}") { 0...2 ~= $0.number },
      Question("number between{0,2}") { 0...2 ~= $0.number },
      Question("number BETWEEN {2, 0}") { _ in false },
      Question("number BETWEEN {1, 1}") { $0.number == 1 },
      Question("number BETWEEN {-1, 0}") { -1...0 ~= $0.number },
      Question("number BETWEEN %@", [0, 2]) { 0...2 ~= $0.number },
      Question("NOT number BETWEEN {0, 2}") { !(0...2 ~= $0.number) },
      Question("maybe BETWEEN {-5, 3}") { $0.maybe.map { -5...3 ~= $0 } ?? false },
      Question("ratio BETWEEN {-0.5, 0.5}") { abs($0.ratio) <= 0.5 },
      Question("number IN {1, 3}") { [1, 3].contains($0.number) },
      Question("number in{3,1,1}") { [1, 3].contains($0.number) },
      Question("number IN {}") { _ in false }, Question("number IN %@", [Int]()) { _ in false },
      Question("NOT number IN {}") { _ in true },
      Question("number IN %@", [7, 1]) { $0.number == 1 },
      Question("number IN %@", Set([7, 1])) { $0.number == 1 },
      Question("NOT number IN {1, 3}") { ![1, 3].contains($0.number) },
      Question("NOT (number IN {1, 3})") { ![1, 3].contains($0.number) },
      Question("!(number IN {1, 3})") { ![1, 3].contains($0.number) },
      Question("maybe IN {NULL, 5}") { $0.maybe == nil || $0.maybe == 5 },
      Question("maybe IN {5, -5}") { $0.maybe.map { abs($0) == 5 } ?? false },
      Question("NOT maybe IN {5, -5}") { !($0.maybe.map { abs($0) == 5 } ?? false) },
      Question("%K == %@", "number", 1) { $0.number == 1 },
      Question("%K > %K", "number", "ratio") { Double($0.number) > $0.ratio },
      Question("%@ < %K", 1, "number") { $0.number > 1 },
      Question("%K.number == %@", "link", 0) { $0.link.map { row($0).number == 0 } ?? false },
      Question("%K == %@", "link.number", 0) { $0.link.map { row($0).number == 0 } ?? false },
      Question("number == maybe") { $0.number == $0.maybe },
      Question("number > maybe") { row in row.maybe.map { row.number > $0 } ?? false },
      Question("maybe < number") { row in row.maybe.map { row.number > $0 } ?? false },
      Question("number == id") { $0.number == $0.id },
      Question("number < id") { $0.number < $0.id },
    ]
  }

  private static var nothings: [Question] {
    [
      Question("maybe == nil") { $0.maybe == nil }, Question("maybe == NIL") { $0.maybe == nil },
      Question("maybe = NULL") { $0.maybe == nil }, Question("maybe == null") { $0.maybe == nil },
      Question("nil == maybe") { $0.maybe == nil }, Question("NULL != maybe") { $0.maybe != nil },
      Question("maybe != nil") { $0.maybe != nil }, Question("maybe <> NULL") { $0.maybe != nil },
      Question("NOT maybe == nil") { $0.maybe != nil },
      Question("maybe == %@", NSNull()) { $0.maybe == nil },
      Question("maybeText == NULL") { $0.maybeText == nil },
      Question("maybeText == 'NULL'") { $0.maybeText == "NULL" },
      Question("maybeText == ''") { $0.maybeText == "" },
      Question("maybeText != ''") { $0.maybeText != "" },
      Question("maybeText != \"\" AND maybeText != nil") { !($0.maybeText ?? "").isEmpty },
      Question("maybeText ==[c] 'x'") { $0.maybeText?.lowercased() == "x" },
      Question("maybeText !=[c] 'x'") { $0.maybeText?.lowercased() != "x" },
      Question("maybeText IN {NULL, 'x'}") { $0.maybeText == nil || $0.maybeText == "x" },
      Question("maybeText IN[c] {'x'}") { $0.maybeText?.lowercased() == "x" },
      Question("link == nil") { $0.link == nil }, Question("link != NULL") { $0.link != nil },
      Question("link.number == 0") { $0.link.map { row($0).number == 0 } ?? false },
      Question("link.link.number == -1") { row in
        row.link.flatMap { Spellings.row($0).link }.map { Spellings.row($0).number == -1 } ?? false
      },
      Question("number == link.number") { row in
        row.link.map { Spellings.row($0).number == row.number } ?? false
      },
      Question("number > link.number") { row in
        row.link.map { Spellings.row($0).number < row.number } ?? false
      },
      Question("truth == true") { $0.truth }, Question("truth == TRUE") { $0.truth },
      Question("truth = YES") { $0.truth }, Question("truth == yes") { $0.truth },
      Question("truth == NO") { !$0.truth }, Question("truth == false") { !$0.truth },
      Question("truth != TRUE") { !$0.truth }, Question("truth == %@", true) { $0.truth },
      Question("truth != %@", false) { $0.truth }, Question("NOT truth == true") { !$0.truth },
      Question("truth IN {true, false}") { _ in true }, Question("truth IN {NO}") { !$0.truth },
      Question("TRUEPREDICATE") { _ in true }, Question("falsepredicate") { _ in false },
      Question("NOT TRUEPREDICATE") { _ in false },
      Question("TRUEPREDICATE AND number == 1") { $0.number == 1 },
      Question("FALSEPREDICATE OR number == 1") { $0.number == 1 },
      Question("number == 1 OR TRUEPREDICATE") { _ in true },
      Question("NOT(number==1)&&truth==true") { $0.number != 1 && $0.truth },
    ]
  }

  private static var texts: [Question] {
    [
      Question("text == 'a'") { $0.text == "a" }, Question("text == \"a\"") { $0.text == "a" },
      Question("text ==[c] 'A'") { $0.text.lowercased() == "a" },
      Question("text =[C] 'a'") { $0.text.lowercased() == "a" },
      Question("text == 'it\\'s'") { $0.text == "it's" },
      Question("text == \"it's\"") { $0.text == "it's" },
      Question("text == 'say \"hi\"'") { $0.text == "say \"hi\"" },
      Question("text == \"say \\\"hi\\\"\"") { $0.text == "say \"hi\"" },
      Question("text == 'a\\\\b'") { $0.text == "a\\b" },
      Question("text == %@", "a\\b") { $0.text == "a\\b" },
      Question("text == %@", "it's") { $0.text == "it's" },
      Question("text == %@", "%@") { _ in false }, Question("text == 'number'") { _ in false },
      Question("text == 'ä'") { $0.text == "ä" }, Question("text ==[c] 'Ä'") { $0.text == "ä" },
      Question("'a' == text") { $0.text == "a" },
      Question("text BEGINSWITH 'a'") { $0.text.hasPrefix("a") },
      Question("text beginswith[c] 'A'") { $0.text.lowercased().hasPrefix("a") },
      Question("text ENDSWITH 's'") { $0.text.hasSuffix("s") },
      Question("text ENDSWITH[c] 'B'") { $0.text.lowercased().hasSuffix("b") },
      Question("text CONTAINS \"'\"") { $0.text.contains("'") },
      Question("text CONTAINS '\\\\'") { $0.text.contains("\\") },
      Question("text LIKE '?'") { $0.text.count == 1 },
      Question("text LIKE 'a*'") { $0.text.hasPrefix("a") },
      Question("text LIKE[c] 'A'") { $0.text.lowercased() == "a" },
      Question("NOT text LIKE[c] 'A'") { $0.text.lowercased() != "a" },
      Question("text IN {'a', 'A'}") { ["a", "A"].contains($0.text) },
      Question("text IN[c] {'a', 'IT\\'S'}") { ["a", "it's"].contains($0.text.lowercased()) },
      Question("text IN[c] %@", ["Ä", "x"]) { $0.text == "ä" },
      Question("NOT text IN[c] {'a'}") { $0.text.lowercased() != "a" },
    ]
  }

  /// Whether any, all or none of something has it.
  private static func quantified(
    _ path: String, _ rest: String, _ arguments: [Any] = [], _ members: @escaping (Row) -> [Any],
    _ holds: @escaping (Any) -> Bool
  ) -> [Question] {
    func question(_ words: [String], _ answer: @escaping (Row) -> Bool) -> [Question] {
      words.map { word in
        var one = Question("\(word) \(path) \(rest)", holds: answer)
        if !arguments.isEmpty { one = one.with(arguments) }
        return one
      }
    }
    return question(["ANY", "SOME", "any"]) { members($0).contains(where: holds) }
      + question(["ALL", "all"]) { members($0).allSatisfy(holds) }
      + question(["NONE", "none"]) { !members($0).contains(where: holds) }
      + question(["NOT ANY"]) { !members($0).contains(where: holds) }
      + question(["NOT ALL"]) { !members($0).allSatisfy(holds) }
      + question(["NOT NONE"]) { members($0).contains(where: holds) }
  }

  private static var members: [Question] {
    [
      quantified("numbers", "== 2", [], { $0.numbers }, { $0 as! Int == 2 }),
      quantified("numbers", "!= 2", [], { $0.numbers }, { $0 as! Int != 2 }),
      quantified("numbers", "> 0", [], { $0.numbers }, { $0 as! Int > 0 }),
      quantified("numbers", "IN {2, 5}", [], { $0.numbers }, { [2, 5].contains($0 as! Int) }),
      quantified("numbers", "BETWEEN {0, 2}", [], { $0.numbers }, { 0...2 ~= $0 as! Int }),
      quantified("numbers", "< %@", [1], { $0.numbers }, { ($0 as! Int) < 1 }),
      quantified("texts", "== 'a'", [], { $0.texts }, { $0 as! String == "a" }),
      quantified("texts", "==[c] 'A'", [], { $0.texts }, { ($0 as! String).lowercased() == "a" }),
      quantified("texts", "!=[c] 'A'", [], { $0.texts }, { ($0 as! String).lowercased() != "a" }),
      quantified("texts", "LIKE[c] '?'", [], { $0.texts }, { ($0 as! String).count == 1 }),
      quantified("texts", "IN[c] {'B'}", [], { $0.texts }, { ($0 as! String).lowercased() == "b" }),
      quantified("links.number", "== -1", [], { $0.links }, { row($0 as! Int).number == -1 }),
      quantified("links.number", "> 0", [], { $0.links }, { row($0 as! Int).number > 0 }),
      quantified("links.maybe", "== nil", [], { $0.links }, { row($0 as! Int).maybe == nil }),
      quantified(
        "links.text", "==[c] 'A'", [], { $0.links }, { row($0 as! Int).text.lowercased() == "a" }),
      quantified(
        "titles.@values", "== 'a'", [], { Array($0.titles.values) }, { $0 as! String == "a" }),
      quantified(
        "titles.@allValues", "==[c] 'a'", [], { Array($0.titles.values) },
        { ($0 as! String).lowercased() == "a" }),
      quantified("titles.@keys", "== 'a'", [], { Array($0.titles.keys) }, { $0 as! String == "a" }),
      quantified(
        "titles.@allKeys", "!=[c] 'B'", [], { Array($0.titles.keys) },
        { ($0 as! String).lowercased() != "b" }),
    ].flatMap(\.self)
  }

  private static var wholes: [Question] {
    [
      Question("2 IN numbers") { $0.numbers.contains(2) },
      Question("NOT 2 IN numbers") { !$0.numbers.contains(2) },
      Question("'a' IN texts") { $0.texts.contains("a") },
      Question("%@ IN texts", "B") { $0.texts.contains("B") },
      Question("'a' IN titles.@values") { $0.titles.values.contains("a") },
      Question("titles['a'] == 'a'") { $0.titles["a"] == "a" },
      Question("titles[%@] == %@", "a", "b") { $0.titles["a"] == "b" },
      Question("titles['b'] ==[c] 'A'") { $0.titles["b"]?.lowercased() == "a" },
      Question("titles[''] == 'A'") { $0.titles[""] == "A" },
      Question("titles['k'] == nil") { $0.titles["k"] == nil },
      Question("titles['k'] != nil") { $0.titles["k"] != nil },
      Question("numbers.@count == 0") { $0.numbers.isEmpty },
      Question("numbers.@count != 2") { $0.numbers.count != 2 },
      Question("2 <= numbers.@count") { $0.numbers.count >= 2 },
      Question("texts.@count == 1") { $0.texts.count == 1 },
      Question("titles.@count > 1") { $0.titles.count > 1 },
      Question("links.@count == 3") { $0.links.count == 3 },
      Question("links.@count BETWEEN {1, 2}") { 1...2 ~= $0.links.count },
      Question("links.@count IN {0, 3}") { [0, 3].contains($0.links.count) },
      Question("numbers.@sum == 3") { $0.numbers.reduce(0, +) == 3 },
      Question("numbers.@sum == 0") { $0.numbers.reduce(0, +) == 0 },
      Question("numbers.@min < 0") { ($0.numbers.min() ?? 0) < 0 },
      Question("numbers.@min == nil") { $0.numbers.isEmpty },
      Question("numbers.@max == 2") { $0.numbers.max() == 2 },
      Question("numbers.@avg == 1.5") { $0.numbers == [1, 2] },
      Question("links.@sum.number == -1") { row in
        row.links.map { Spellings.row($0).number }.reduce(0, +) == -1
      },
      Question("links.@max.number == 1") { row in
        row.links.map { Spellings.row($0).number }.max() == 1
      },
      Question("links.@min.number == -1") { row in
        row.links.map { Spellings.row($0).number }.min() == -1
      },
      Question("SUBQUERY(links, $x, $x.number > -1).@count == 2") { row in
        row.links.filter { Spellings.row($0).number > -1 }.count == 2
      },
      Question("SUBQUERY(links, $x, $x.number > 0 AND $x.text == 'a').@count == 0") { _ in true },
      Question("SUBQUERY(links, $x, $x.number > -1 OR $x.text == 'a').@count > 1") {
        $0.links.count > 1
      },
      Question("NOT SUBQUERY(links, $one, NOT $one.number == -1).@count > 0") { row in
        row.links.allSatisfy { Spellings.row($0).number == -1 }
      },
      Question(
        "SUBQUERY(links, $x, SUBQUERY($x.links, $y, $y.number == -1).@count > 0).@count > 0"
      ) { row in
        row.links.contains { Spellings.row($0).links.contains(1) }
      },
      Question("SUBQUERY(links, $x, ANY $x.numbers == 2).@count == %@", 2) { row in
        row.links.filter { Spellings.row($0).numbers.contains(2) }.count == 2
      },
    ]
  }

  /// What is asked of the objects themselves.
  private static func objects(_ realm: Realm) -> [Question] {
    let (one, three) = (realm.vessel(1)!, realm.vessel(3)!)
    return [
      Question("SELF == %@", one) { $0.id == 1 }, Question("self != %@", one) { $0.id != 1 },
      Question("SELF IN %@", [one, three]) { [1, 3].contains($0.id) },
      Question("SELF IN %@", [Vessel]()) { _ in false },
      Question("NOT SELF IN %@", [one, three]) { ![1, 3].contains($0.id) },
      Question("link == %@", three) { $0.link == 3 },
      Question("link != %@", three) { $0.link != 3 },
      Question("%@ == link", one) { $0.link == 1 },
      Question("link IN %@", [one, three]) { $0.link == 1 || $0.link == 3 },
      Question("ANY links == %@", one) { $0.links.contains(1) },
      Question("NONE links == %@", one) { !$0.links.contains(1) },
      Question("%@ IN links", three) { $0.links.contains(3) },
      Question("ANY links IN %@", [one, three]) { $0.links.contains(1) || $0.links.contains(3) },
      Question("links.@count > 0 AND ALL links == %@", one) { $0.links == [1] },
    ]
  }

  static func stocked(_ stage: Stage) throws -> Realm {
    let realm = try Realm(configuration: Vessel.configuration(stage))
    try realm.write {
      let all = rows.map { Vessel(id: $0.id) }
      realm.add(all)
      let owner = Vessel(id: 100)
      realm.add(owner)
      owner.links.append(objectsIn: all.reversed())
      for (vessel, row) in zip(all, rows) {
        (vessel.number, vessel.maybe, vessel.text) = (row.number, row.maybe, row.text)
        (vessel.maybeText, vessel.ratio, vessel.truth) = (row.maybeText, row.ratio, row.truth)
        vessel.numbers.append(objectsIn: row.numbers)
        vessel.texts.append(objectsIn: row.texts)
        for (key, value) in row.titles { vessel.titles[key] = value }
        vessel.link = row.link.map { all[$0 - 1] }
        vessel.links.append(objectsIn: row.links.map { all[$0 - 1] })
      }
    }
    return realm
  }

  static let probe = Probe("each word and sign of a predicate, in each way to write it") { stage in
    let realm = try stocked(stage)
    let all = realm.objects(Vessel.self).where { $0.id < 100 }.sorted(byKeyPath: "id")
    let list = realm.vessel(100)!.links
    for question in numbers + nothings + texts + members + wholes + objects(realm) {
      let ids = rows.filter(question.holds).map(\.id)
      let what =
        "\(question.format) of \(question.arguments.map { "\($0)" }.joined(separator: ", "))"
      stage.equal(question.ask(all), ids, "what \(what) finds")
      stage.equal(question.ask(list), ids.reversed(), "what \(what) finds of a list")
    }
  }
}

extension Spellings.Question {
  fileprivate func with(_ arguments: [Any]) -> Self {
    Self(format: format, arguments: arguments, holds: holds)
  }

  init(format: String, arguments: [Any], holds: @escaping (Spellings.Row) -> Bool) {
    (self.format, self.arguments, self.holds) = (format, arguments, holds)
  }

  /// A format takes its arguments one by one.
  func ask<Members: RealmCollection>(_ members: Members) -> [Int]
  where Members.Element == Vessel {
    let found =
      switch arguments.count {
      case 0: members.filter(format)
      case 1: members.filter(format, arguments[0])
      default: members.filter(format, arguments[0], arguments[1])
      }
    return found.map(\.id)
  }
}
