import EngineUnderTest
import Foundation
import Harness

/// Objects that arrive in a write, by each way in and of each kind of class: what was found before
/// has them at once.
enum Arrivals {
  static let probes: [Probe] = [
    probe(
      "plain values alone", Dog.self, { Dog(name: "n\($0)", age: $0) },
      { ["name": "n\($0)", "age": $0] }),
    probe(
      "an index and a list", Person.self, { Person(name: "n\($0)", age: $0) },
      { ["name": "n\($0)", "age": $0] }),
    probe("a number as key", Account.self, { Account(id: $0, balance: 1) }, { ["id": $0] }),
    probe(
      "a key that is made", Todo.self, { todo($0) },
      { ["_id": ObjectId.generate(), "name": "n\($0)"] }),
    probe("every kind of property", Everything.self, { everything($0) }, { ["int": $0] }),
    probe(
      "a text as key", StringKeyed.self, { Keyed.made(StringKeyed.self, "\($0)", "x") },
      { ["key": "\($0)"] }),
    probe(
      "a UUID as key", UUIDKeyed.self, { _ in Keyed.made(UUIDKeyed.self, UUID(), "x") },
      { _ in ["key": UUID()] }),
  ]

  private static func todo(_ number: Int) -> Todo {
    let todo = Todo()
    (todo._id, todo.name) = (.generate(), "n\(number)")
    return todo
  }

  private static func everything(_ number: Int) -> Everything {
    let all = Everything()
    all.fill(number)
    return all
  }

  private static func probe<Class: Object>(
    _ what: String, _ type: Class.Type, _ make: @escaping @Sendable (Int) -> Class,
    _ value: @escaping @Sendable (Int) -> [String: Any]
  ) -> Probe {
    Probe("what was found before has who arrives in a write: \(what)") { stage in
      var configuration = stage.configuration()
      configuration.objectTypes = Models.all + Keyed.classes
      let realm = try Realm(configuration: configuration)
      let all = realm.objects(type)
      let none = all.filter("FALSEPREDICATE")
      let every = all.filter("TRUEPREDICATE")
      var count = 0
      var number = 0
      func look(_ when: String) {
        let seen = [all.count, every.count, realm.objects(type).count, Array(all).count]
        stage.equal(seen, Array(repeating: count, count: 4), "how many there are \(when)")
        stage.equal(none.count, 0, "how many of none there are \(when)")
        stage.equal(all.isEmpty, count == 0, "whether there are none \(when)")
      }
      let ways: [(name: String, count: Int, add: (Realm, Int) -> Void)] = [
        ("add(_:)", 1, { $0.add(make($1)) }),
        ("add of several", 3, { $0.add([make($1), make($1 + 1), make($1 + 2)]) }),
        ("create(_:value:)", 1, { $0.create(type, value: value($1)) }),
      ]
      for round in 0..<3 {
        for (index, way) in ways.enumerated() {
          for looksBetween in [true, false] {
            realm.beginWrite()
            look("at the begin")
            let before = count
            for turn in 0..<3 {
              way.add(realm, number)
              (number, count) = (number + way.count, count + way.count)
              if looksBetween || turn == 2 { look("after \(way.name) in a write") }
            }
            if (round + index) % 3 == 2 {
              realm.cancelWrite()
              count = before
              look("after \(way.name) and a cancel")
            } else {
              try realm.commitWrite()
              look("after \(way.name) and a commit")
            }
          }
        }
      }
    }
  }
}
