import EngineUnderTest
import Foundation

/// Key paths that go wrong in another class than the one where they begin: that class is named.
enum WrongPaths {
  private struct Way: Sendable {
    let name: String
    let path: String
    /// The class that has no such property.
    let type: String
    let observe: @Sendable (Realm, [String]) -> NotificationToken
  }

  private static let ways: [Way] = [
    Way(name: "an object, behind a list", path: "dogs.nothing", type: "Dog") { realm, paths in
      realm.person("Ann").observe(keyPaths: paths) { _ in }
    },
    Way(name: "an object, behind a link", path: "best.nothing", type: "Dog") { realm, paths in
      realm.person("Ann").observe(keyPaths: paths) { _ in }
    },
    Way(name: "results, behind a list", path: "dogs.nothing", type: "Dog") { realm, paths in
      realm.objects(Person.self).observe(keyPaths: paths) { _ in }
    },
    Way(name: "a query, behind a link", path: "best.nothing", type: "Dog") { realm, paths in
      realm.objects(Person.self).where { $0.age > 0 }.observe(keyPaths: paths) { _ in }
    },
    Way(name: "a list, behind links backwards", path: "owners.nothing", type: "Person") {
      realm, paths in
      realm.person("Ann").dogs.observe(keyPaths: paths) { _ in }
    },
    Way(name: "a list, forth and back", path: "owners.dogs.nothing", type: "Dog") { realm, paths in
      realm.person("Ann").dogs.observe(keyPaths: paths) { _ in }
    },
    Way(name: "an object, back and forth", path: "dogs.owners.nothing", type: "Person") {
      realm, paths in
      realm.person("Ann").observe(keyPaths: paths) { _ in }
    },
    Way(name: "a path of two that is right, and one that is not", path: "dogs.nothing", type: "Dog")
    { realm, paths in
      realm.person("Ann").observe(keyPaths: ["best.name", "age"] + paths) { _ in }
    },
  ]

  static let probes: [Probe] = ways.map { way in
    .dies(
      "a key path that goes wrong in another class: \(way.name)",
      saying: "property 'nothing' not found in object of type '\(way.type)'"
    ) { stage in
      let realm = try stage.stocked()
      stage.act { use(way.observe(realm, [way.path])) }
    }
  }
}
