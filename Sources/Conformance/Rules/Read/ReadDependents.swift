import EngineUnderTest
import Foundation

/// Results whose members depend on more than themselves, or on results that were asked before: in
/// a write they follow all of that.
enum Dependents {
  /// Results of people, and how to tell them.
  private typealias Asked = (name: String, ask: @Sendable (Realm) -> Results<Person>)

  private static let overLinks: [Asked] = [
    ("a filter over a link", { $0.objects(Person.self).filter("best.age > 10") }),
    ("a typed filter over a link", { $0.objects(Person.self).where { $0.best.age > 10 } }),
    ("a filter over a list", { $0.objects(Person.self).filter("ANY dogs.age > 10") }),
    ("what is computed of a list", { $0.objects(Person.self).filter("dogs.@sum.age > 10") }),
    (
      "a sort over a link",
      { $0.objects(Person.self).sorted(byKeyPath: "best.age", ascending: false) }
    ),
    (
      "distinct over a link",
      { $0.objects(Person.self).sorted(byKeyPath: "name").distinct(by: ["best.age"]) }
    ),
  ]

  private typealias Narrowing = (
    name: String, narrow: @Sendable (Results<Person>) -> Results<Person>
  )

  private static let narrowings: [Narrowing] = [
    ("a filter", { $0.filter("name CONTAINS 'n'") }),
    ("a typed filter", { $0.where { $0.name.contains("n") } }),
    ("a sort", { $0.sorted(byKeyPath: "name", ascending: false) }),
    ("distinct", { $0.sorted(byKeyPath: "name").distinct(by: ["age"]) }),
  ]

  private static func names(_ people: Results<Person>) -> String {
    "\(people.count) of \(people.isEmpty ? "none" : people.map(\.name).joined(separator: " "))"
  }

  static let probes: [Probe] =
    overLinks.map { name, ask in
      Probe("\(name) follows the objects behind it, in the write and after it") { stage in
        let realm = try stage.stocked()
        let old = ask(realm)
        func look(_ when: String) { stage.equal(names(old), names(ask(realm)), "\(name), \(when)") }
        look("before")
        let dog = realm.person("Bob").best!
        for end in ["commit", "cancel", "commit"] {
          realm.beginWrite()
          for age in [20, 1, 30] {
            dog.age = age
            look("with the age \(age) in a write")
          }
          if end == "commit" { try realm.commitWrite() } else { realm.cancelWrite() }
          look("after the \(end)")
          dog.realm?.refresh()
          try stage.foreign { realm in
            let dog = realm.person("Cid").best!
            dog.age = dog.age > 10 ? 2 : 40
          }
          look("with a commit elsewhere to come")
          realm.refresh()
          look("after a refresh")
        }
      }
    }
    + narrowings.map { name, narrow in
      Probe("\(name) of results that were looked at follows all that these follow") { stage in
        let realm = try stage.stocked()
        func ask() -> Results<Person> { realm.objects(Person.self).filter("age > 35") }
        let old = ask()
        stage.equal(names(old), "2 of Bob Cid", "what is narrowed")
        let narrowed = narrow(old)
        func look(_ when: String) {
          stage.equal(names(narrowed), names(narrow(ask())), "\(name), \(when)")
        }
        look("before")
        for end in ["cancel", "commit"] {
          realm.beginWrite()
          realm.add(Person(name: "Dan", age: 70))
          look("with one more in a write")
          realm.person("Ann").age = 40
          look("with another one in a write")
          realm.person("Cid").age = 3
          look("with one less in a write")
          if end == "commit" { try realm.commitWrite() } else { realm.cancelWrite() }
          look("after the \(end)")
        }
        try stage.foreign { $0.add(Person(name: "Ian", age: 80)) }
        realm.refresh()
        look("after a refresh")
      }
    }
}
