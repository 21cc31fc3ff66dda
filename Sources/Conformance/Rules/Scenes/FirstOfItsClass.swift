import EngineUnderTest
import Foundation
import Harness

/// Classes of which there is nothing yet when they are asked for, by name or by type; then the
/// first object comes, in each way.
enum FirstOfItsClass {
  private enum Coming: String, CaseIterable {
    case foreign = "elsewhere, and a refresh"
    case own = "in a write of its own"
    case afterCancel = "in a write after one that was cancelled"
    case afterTwo = "in a write after two that were cancelled, with another class between"
    case foreignAfterCancel = "elsewhere, after a write that was cancelled"
    case later = "in an asynchronous write"
  }

  static let probes: [Probe] = Coming.allCases.map { coming in
    Probe("what was found of a class before its first object has that: \(coming.rawValue)") {
      stage in
      // With no list of classes the file may have no table of one before its first object.
      let lists: [[ObjectBase.Type]?] = [Models.all, [Person.self, Dog.self], nil]
      for (number, types) in lists.enumerated() {
        for asksBefore in [true, false] {
          let file = "\(number) \(asksBefore)"
          var configuration = stage.configuration(file)
          configuration.objectTypes = types
          let realm = try Realm(configuration: configuration)
          realm.autorefresh = false
          if asksBefore { look(stage, realm, found(in: realm), 0, "before") }
          let before = found(in: realm)
          try come(stage, file, realm, coming)
          let what = "\(coming.rawValue)\(asksBefore ? ", asked before" : "")"
          look(stage, realm, before, 1, what)
          look(stage, realm, found(in: realm), 1, "asked again, \(what)")
          try stage.foreign(file) { add(to: $0, 2) }
          realm.refresh()
          look(stage, realm, before, 2, "and another, \(what)")
        }
      }
    }
  }

  /// It comes by itself, and is told of: nobody refreshes.
  static let appears = Probe("the first object of a class comes by itself, and is told of") {
    stage in
    for (number, types) in [Models.all, [Person.self, Dog.self, Todo.self], nil].enumerated() {
      var configuration = stage.configuration("\(number)")
      configuration.objectTypes = types
      let realm = try Realm(configuration: configuration)
      let people = realm.objects(Person.self)
      var told = 0
      let token = people.observe { if case .update = $0 { told += 1 } }
      var steps = 0
      let ofRealm = realm.observe { _, _ in steps += 1 }
      try stage.settle(realm)
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { add(to: other, 1) }
      }
      let what = "with list \(number)"
      try stage.spin(until: { people.count > 0 }, "the first person, \(what)")
      try stage.spin(until: { told > 0 && steps > 0 }, "the listeners' calls, \(what)")
      stage.equal(people.map(\.name), ["person 1"], "the people, \(what)")
      token.invalidate()
      ofRealm.invalidate()
    }
  }

  /// The same class by its type, by its name, and in other ways.
  private struct Found {
    let people: Results<Person>
    let named: Results<DynamicObject>
    let dogs: Results<Dog>
    let namedDogs: Results<DynamicObject>
    let grown: Results<Person>
  }

  private static func found(in realm: Realm) -> Found {
    Found(
      people: realm.objects(Person.self), named: realm.dynamicObjects("Person"),
      dogs: realm.objects(Dog.self), namedDogs: realm.dynamicObjects("Dog"),
      grown: realm.objects(Person.self).where { $0.age > 0 })
  }

  private static func look(
    _ stage: Stage, _ realm: Realm, _ found: Found, _ count: Int, _ when: String
  ) {
    stage.equal(
      [
        found.people.count, found.named.count, found.dogs.count, found.namedDogs.count,
        found.grown.count, found.named.filter("age > 0").count, found.named.map { $0 }.count,
      ], Array(repeating: count, count: 7), "how many there are \(when)")
    stage.equal(
      found.named.map { $0["name"] as? String ?? "" }.sorted(),
      (0..<count).map { "person \($0 + 1)" },
      "their names \(when)")
    stage.equal(found.people.map(\.dogs.count), Array(repeating: 1, count: count), "their dogs")
  }

  private static func add(to realm: Realm, _ number: Int) {
    let person = Person(name: "person \(number)", age: number)
    person.dogs.append(Dog(name: "dog \(number)", age: number))
    realm.add(person)
  }

  private static func come(
    _ stage: Stage, _ file: String, _ realm: Realm, _ coming: Coming
  ) throws {
    func cancelOne(_ add: (Realm) -> Void) {
      realm.beginWrite()
      add(realm)
      realm.cancelWrite()
      realm.refresh()
    }
    switch coming {
    case .foreign:
      try stage.foreign(file) { add(to: $0, 1) }
      realm.refresh()
    case .own: try realm.write { add(to: realm, 1) }
    case .afterCancel:
      cancelOne { add(to: $0, 9) }
      try realm.write { add(to: realm, 1) }
    case .afterTwo:
      cancelOne { $0.add(Dog(name: "alone", age: 1)) }
      cancelOne { add(to: $0, 9) }
      try realm.write { add(to: realm, 1) }
    case .foreignAfterCancel:
      cancelOne { add(to: $0, 9) }
      try stage.foreign(file) { add(to: $0, 1) }
      realm.refresh()
    case .later:
      cancelOne { add(to: $0, 9) }
      var isDone = false
      realm.writeAsync {
        add(to: realm, 1)
      } onComplete: { _ in
        isDone = true
      }
      try stage.spin(until: { isDone }, "the asynchronous write")
    }
  }
}
