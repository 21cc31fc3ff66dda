import EngineUnderTest
import Foundation
import Harness

/// A class that loses all its objects in a write, by whichever call: what was asked just before is
/// asked anew.
enum EmptiedClasses {
  private struct Member {
    let name: String
    let age: Int
  }

  /// What empties it.
  private enum Call: String, CaseIterable {
    case everything = "deleteAll()"
    case results = "delete(_:) of results"
    case sorted = "delete(_:) of a sorted query"
    case array = "delete(_:) of an array"
    case each = "delete(_:) of each object"
    case inTwo = "delete(_:) of a query and deleteAll()"

    func empty(_ realm: Realm) {
      let all = realm.objects(Person.self)
      switch self {
      case .everything: realm.deleteAll()
      case .results: realm.delete(all)
      case .sorted: realm.delete(all.sorted(byKeyPath: "name"))
      case .array: realm.delete(Array(all))
      case .each: for person in Array(all) { realm.delete(person) }
      case .inTwo:
        realm.delete(all.where { $0.age == 40 })
        realm.deleteAll()
      }
    }
  }

  /// What is asked, and what is to be answered.
  private struct Question {
    let name: String
    let ask: (Results<Person>) -> String
    let answer: ([Member]) -> String

    init(
      _ name: String, _ ask: @escaping (Results<Person>) -> String,
      _ answer: @escaping ([Member]) -> String
    ) {
      (self.name, self.ask, self.answer) = (name, ask, answer)
    }
  }

  private static var questions: [Question] {
    [
      Question("the count", { "\($0.count)" }, { "\($0.count)" }),
      Question("whether it is empty", { "\($0.isEmpty)" }, { "\($0.isEmpty)" }),
      Question("the first", { $0.first?.name ?? "nobody" }, { $0.first?.name ?? "nobody" }),
      Question("the last", { $0.last?.name ?? "nobody" }, { $0.last?.name ?? "nobody" }),
      Question("a loop", { "\(Array($0.map(\.name)))" }, { "\($0.map(\.name))" }),
      Question(
        "the sum", { "\($0.sum(ofProperty: "age") as Int)" },
        { "\($0.map(\.age).reduce(0, +))" }),
      Question(
        "the greatest", { "\(($0.max(ofProperty: "age") as Int?) ?? -1)" },
        { "\($0.map(\.age).max() ?? -1)" }),
      Question(
        "a position", { "\($0.index(matching: "age == 40") ?? -1)" },
        { "\($0.firstIndex { $0.age == 40 } ?? -1)" }),
    ]
  }

  /// What is asked of, and which members it has of those that there are.
  private struct View {
    let name: String
    let make: (Realm) -> Results<Person>
    let select: ([Member]) -> [Member]
  }

  private static var views: [View] {
    [
      View(name: "all", make: { $0.objects(Person.self) }, select: { $0 }),
      View(
        name: "a query", make: { $0.objects(Person.self).where { $0.name != "Bob" } },
        select: { $0.filter { $0.name != "Bob" } }),
      View(
        name: "a query by an index", make: { $0.objects(Person.self).where { $0.age == 40 } },
        select: { $0.filter { $0.age == 40 } }),
      View(
        name: "a query of a query",
        make: { $0.objects(Person.self).where { $0.age > 30 }.filter("age < 70") },
        select: { $0.filter { $0.age > 30 } }),
      View(
        name: "all in an order",
        make: { $0.objects(Person.self).sorted(byKeyPath: "age", ascending: false) },
        select: { $0.sorted { $0.age > $1.age } }),
      View(
        name: "a query in an order",
        make: { $0.objects(Person.self).where { $0.age >= 40 }.sorted(byKeyPath: "age") },
        select: { $0.filter { $0.age >= 40 } }),
      View(
        name: "one of each name", make: { $0.objects(Person.self).distinct(by: ["name"]) },
        select: { $0 }),
    ]
  }

  static let probe = Probe(
    "what was asked is asked anew when all are deleted in that write, by whichever call"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stage.stocked()
    let people = [
      Member(name: "Ann", age: 30), Member(name: "Bob", age: 40), Member(name: "Cid", age: 50),
    ]
    let (views, questions) = (views, questions)
    for (number, call) in Call.allCases.enumerated() {
      for (turn, view) in views.enumerated() {
        for (place, question) in questions.enumerated() {
          let what = "\(question.name) of \(view.name), \(call.rawValue)"
          let results = view.make(realm)
          func look(_ members: [Member], _ when: String, all: Bool = false) {
            // What was asked before comes first: the others may find anew what it keeps.
            for asked in all ? [question] + questions : [question] {
              stage.equal(
                asked.ask(results), asked.answer(view.select(members)),
                "\(asked.name) \(when), asked first: \(what)")
            }
          }
          if stage.isTurn(place, of: 2) { look(people, "before the write") }
          realm.beginWrite()
          var members = people
          if stage.isTurn(number + place, of: 3) {
            realm.add(Person(name: "Eve", age: 60))
            members.append(Member(name: "Eve", age: 60))
          }
          look(members, "in the write")
          call.empty(realm)
          look([], "when all are deleted", all: true)
          realm.add(Person(name: "Dan", age: 40))
          look([Member(name: "Dan", age: 40)], "when one came", all: true)
          if stage.isTurn(number + turn + questions.count - place, of: questions.count, apart: 6) {
            call.empty(realm)
            look([], "when that one is deleted, too")
            try realm.commitWrite()
            look([], "after the commit", all: true)
            try realm.write {
              realm.deleteAll()
              Stage.stock(realm)
            }
          } else {
            realm.cancelWrite()
          }
          look(people, "afterwards", all: true)
        }
      }
    }
  }
}
