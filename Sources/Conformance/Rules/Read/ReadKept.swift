import EngineUnderTest
import Foundation
import Harness

/// Questions that are kept while what they ask about changes in every way there is: what each
/// answers must be what plain Swift finds among all members.
private struct KeptQuestions {
  /// What plain Swift knows of a member.
  fileprivate struct Row {
    let id: Int
    let number: Int
    let name: String
    let text: String
    let isNothing: Bool
    let link: Int?
    let numbers: Int

    init(_ vessel: Vessel) {
      (id, number, name, text) = (vessel.id, vessel.number, vessel.name, vessel.text)
      (isNothing, link, numbers) = (
        vessel.maybe == nil, vessel.link?.number, vessel.numbers.count
      )
    }
  }

  private struct Question {
    let name: String
    let isOrdered: Bool
    let results: Results<Vessel>
    let find: ([Row]) -> [Row]

    /// One of the forms in which it can be asked, and what the answer must be.
    func ask(_ form: Int, among rows: [Row]) -> (asked: String, found: String) {
      let found = find(rows)
      switch form % 4 {
      case 0:
        let (asked, ids) = (results.map(\.id), found.map(\.id))
        return isOrdered ? ("\(asked)", "\(ids)") : ("\(asked.sorted())", "\(ids.sorted())")
      case 1:
        return ("\(results.count) \(results.isEmpty)", "\(found.count) \(found.isEmpty)")
      case 2 where isOrdered:
        return (
          "\(results.first?.id ?? -1) \(results.last?.id ?? -1)",
          "\(found.first?.id ?? -1) \(found.last?.id ?? -1)"
        )
      case 2:
        let first = results.first?.id
        return ("\(first.map { id in found.contains { $0.id == id } } ?? found.isEmpty)", "true")
      default:
        let numbers = found.map(\.number)
        return (
          "\(results.sum(of: \.number) as Int) \(results.max(of: \.number) ?? -1)"
            + " \(results.min(of: \.number) ?? -1)",
          "\(numbers.reduce(0, +)) \(numbers.max() ?? -1) \(numbers.min() ?? -1)"
        )
      }
    }
  }

  /// Those of a collection of objects.
  private struct Family {
    let name: String
    let rows: () -> [Row]
    let questions: [Question]

    init<C: RealmCollection>(_ name: String, _ some: C) where C.Element == Vessel {
      self.name = name
      rows = { some.map(Row.init) }
      func kept(
        _ name: String, isOrdered: Bool = false, _ results: Results<Vessel>,
        _ find: @escaping ([Row]) -> [Row]
      ) -> Question {
        Question(name: name, isOrdered: isOrdered, results: results, find: find)
      }
      questions = [
        kept("larger ones", some.where { $0.number > 1 }) { $0.filter { $0.number > 1 } },
        kept("those of a name", some.where { $0.name == "vessel 1" }) {
          $0.filter { $0.name == "vessel 1" }
        },
        kept("those of two texts", some.where { $0.text == "text" || $0.text == "new" }) {
          $0.filter { $0.text == "text" || $0.text == "new" }
        },
        kept("those with a link", some.where { $0.link.number >= 0 }) {
          $0.filter { $0.link.map { $0 >= 0 } ?? false }
        },
        kept("all", isOrdered: true, some.sorted(byKeyPath: "id", ascending: false)) {
          $0.sorted { $0.id > $1.id }
        },
        kept(
          "some, by two properties", isOrdered: true,
          some.where { $0.id > 1 }.sorted(by: [
            SortDescriptor(keyPath: "number"), SortDescriptor(keyPath: "id", ascending: false),
          ])
        ) {
          $0.filter { $0.id > 1 }.sorted { ($0.number, -$0.id) < ($1.number, -$1.id) }
        },
        kept(
          "the first of each number", isOrdered: true,
          some.sorted(byKeyPath: "id").distinct(by: ["number"])
        ) { rows in
          var seen: Set<Int> = []
          return rows.sorted { $0.id < $1.id }.filter { seen.insert($0.number).inserted }
        },
        kept("those with numbers", some.filter("numbers.@count > 1")) {
          $0.filter { $0.numbers > 1 }
        },
        kept("those with nothing", some.where { $0.maybe == nil }) { $0.filter(\.isNothing) },
      ]
    }
  }

  private let families: [Family]
  private let values: [(name: String, asked: () -> String, found: () -> String)]

  init(_ realm: Realm) {
    let vessel = realm.vessel(1)!
    families = [
      Family("all", realm.objects(Vessel.self)), Family("a list", vessel.links),
      Family("a set", vessel.group), Family("links backwards", vessel.throughLink),
      Family("links of lists backwards", vessel.throughLinks),
      Family("sorted ones", realm.objects(Vessel.self).sorted(byKeyPath: "name")),
    ]
    values = KeptQuestions.ofValues(vessel)
  }

  /// Asks all of them, each in one of its forms: what was answered wrongly.
  func wrong(_ form: Int) -> (name: String, asked: String, found: String)? {
    for family in families {
      let rows = family.rows()
      for (place, question) in family.questions.enumerated() {
        let (asked, found) = question.ask(form + place, among: rows)
        if asked != found { return ("\(question.name) of \(family.name)", asked, found) }
      }
    }
    for value in values {
      let (asked, found) = (value.asked(), value.found())
      if asked != found { return (value.name, asked, found) }
    }
    return nil
  }

  /// Those of collections of values.
  private static func ofValues(_ vessel: Vessel)
    -> [(name: String, asked: () -> String, found: () -> String)]
  {
    let (numbers, texts, labels) = (vessel.numbers, vessel.texts, vessel.labels)
    let (falling, each) = (numbers.sorted(ascending: false), numbers.distinct())
    let (sortedTexts, sortedLabels) = (
      texts.sorted(ascending: true), labels.sorted(ascending: false)
    )
    let titles = vessel.titles
    return [
      (
        "numbers, falling", { "\(Array(falling))" }, { "\(Array(numbers).sorted(by: >))" }
      ),
      ("how many of them", { "\(falling.count)" }, { "\(Array(numbers).count)" }),
      (
        "numbers, each once", { "\(Array(each).sorted())" }, { "\(Set(numbers).sorted())" }
      ),
      (
        "the sum of numbers",
        { "\(numbers.sum() as Int) \(numbers.max() ?? -1) \(falling.min() ?? -1)" },
        {
          let all = Array(numbers)
          return "\(all.reduce(0, +)) \(all.max() ?? -1) \(all.min() ?? -1)"
        }
      ),
      (
        "where a number is",
        { "\(numbers.index(of: 2) ?? -1) \(numbers.contains(7)) \(numbers.first ?? -1)" },
        {
          let all = Array(numbers)
          return "\(all.firstIndex(of: 2) ?? -1) \(all.contains { $0 == 7 }) \(all.first ?? -1)"
        }
      ),
      ("texts, sorted", { "\(Array(sortedTexts))" }, { "\(Array(texts).sorted())" }),
      (
        "where a text is", { "\(texts.index(of: "b") ?? -1) \(texts.last ?? "")" },
        { "\(Array(texts).firstIndex(of: "b") ?? -1) \(Array(texts).last ?? "")" }
      ),
      (
        "labels, falling", { "\(Array(sortedLabels))" }, { "\(Array(labels).sorted(by: >))" }
      ),
      (
        "whether a label is there", { "\(labels.contains("a")) \(labels.count)" },
        { "\(Array(labels).contains { $0 == "a" }) \(Array(labels).count)" }
      ),
      (
        "titles", { "\(titles.keys.sorted()) \(titles.values.sorted()) \(titles.count)" },
        {
          let all = titles.map { ($0.key, $0.value) }
          return "\(all.map(\.0).sorted()) \(all.map(\.1).sorted()) \(all.count)"
        }
      ),
    ]
  }

  static func stock(_ realm: Realm) {
    Vessel.stock(realm)
    for id in 3...8 {
      let vessel = Vessel(id: id)
      realm.add(vessel)
      (vessel.number, vessel.maybe) = (id % 4, id % 3 == 0 ? nil : id)
      vessel.link = realm.vessel(id % 2 + 1)
      vessel.links.append(objectsIn: [realm.vessel(1), realm.vessel(id % 3 + 1)])
      vessel.numbers.append(objectsIn: 0..<(id % 4))
      realm.vessel(1).links.append(vessel)
      realm.vessel(1).group.insert(vessel)
    }
    realm.vessel(1).numbers.append(objectsIn: [2, 9, 2])
  }
}

extension Probe {
  /// When and by whom a change is made.
  private enum Moment: String, CaseIterable {
    case cancelled = "in a write that is cancelled"
    case committed = "in a write"
    case foreign = "elsewhere"
  }

  /// Each change that there is, beside questions that are kept.
  static let keptQuestions: [Probe] = Moment.allCases.map { moment in
    Probe("questions that are kept answer what is there, after each change \(moment.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Vessel.configuration(stage))
      realm.autorefresh = false
      let configuration = realm.configuration
      func restock() throws {
        try realm.write {
          realm.deleteAll()
          KeptQuestions.stock(realm)
        }
      }
      try restock()
      var kept = KeptQuestions(realm)
      var form = 0
      func look(_ when: @autoclosure () -> String) {
        // Each in each form, if the walk is deep; else in another one the next time.
        for _ in 0..<(stage.isDeep ? 4 : 1) {
          form += 1
          let wrong = kept.wrong(form)
          stage.expect(
            wrong == nil, "\(wrong?.name ?? "all questions") \(when()): \(wrong?.found ?? "")",
            observed: wrong?.asked ?? "")
        }
      }
      look("at first")
      for (number, change) in Change.all.enumerated()
      where moment == .cancelled || stage.isDue(number + (moment == .foreign ? 2 : 0), of: 3) {
        func isTurn(_ number: Int, of share: Int) -> Bool {
          stage.isTurn(number, of: share, apart: 3)
        }
        switch moment {
        case .cancelled:
          let vessel = realm.vessel(1)!
          realm.beginWrite()
          // Asked before the change or not: an answer that is known must not be the next one.
          if isTurn(number, of: 2) { look("before \(change.name) in the write") }
          change.prepare(vessel)()
          look("after \(change.name) in the write")
          realm.cancelWrite()
          look("after a cancel of \(change.name)")
        case .committed:
          try restock()
          kept = KeptQuestions(realm)
          if isTurn(number, of: 4) { look("before \(change.name)") }
          try realm.write {
            change.prepare(realm.vessel(1)!)()
            if isTurn(number + 2, of: 4) { look("after \(change.name) in the write") }
          }
          look("after \(change.name)")
        case .foreign:
          try restock()
          kept = KeptQuestions(realm)
          if isTurn(number + 3, of: 4) { look("before \(change.name) elsewhere") }
          let frozen = isTurn(number + 1, of: 4) ? KeptQuestions(realm.freeze()) : nil
          if isTurn(number + 5, of: 8) {
            stage.expect(frozen?.wrong(number) == nil, "the frozen answers")
          }
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change.prepare(other.vessel(1)!)() }
          }
          look("before the refresh to \(change.name)")
          realm.refresh()
          look("after the refresh to \(change.name)")
          let wrong = frozen?.wrong(number + 1)
          stage.expect(
            wrong == nil,
            "\(wrong?.name ?? "all") frozen before \(change.name): \(wrong?.found ?? "")",
            observed: wrong?.asked ?? "")
        }
      }
    }
  }
}
