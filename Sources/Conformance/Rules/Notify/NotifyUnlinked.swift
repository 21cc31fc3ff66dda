import EngineUnderTest
import Foundation

/// A way in which one object is linked to another, and is not any more.
private struct Tie: Sendable {
  let name: String
  let link: @Sendable (Realm, Dog) -> Void
  let unlink: @Sendable (Realm, Dog) -> Void

  init(
    _ name: String, _ link: @escaping @Sendable (Realm, Dog) -> Void,
    _ unlink: @escaping @Sendable (Realm, Dog) -> Void
  ) {
    (self.name, self.link, self.unlink) = (name, link, unlink)
  }

  static let all = [
    Tie(
      "a property", { $0.person("Ann").best = $1 },
      { realm, _ in realm.person("Ann").best = nil }),
    Tie(
      "a property of another", { $0.person("Ann").best = $1 }, { $0.person("Ann").best = $1 }),
    Tie(
      "a list", { $0.person("Ann").dogs.append($1) },
      { realm, _ in realm.person("Ann").dogs.removeLast() }),
    Tie(
      "a mixed value that is a number", { $0.hamper.any = .object($1) },
      { realm, _ in realm.hamper.any = .int(1) }),
    Tie(
      "a mixed value that is none", { $0.hamper.any = .object($1) },
      { realm, _ in realm.hamper.any = .none }),
    Tie(
      "a mixed value that is another", { $0.hamper.any = .object($1) },
      { $0.hamper.any = .object($1) }),
    Tie(
      "a list of mixed values", { $0.hamper.anys.append(.object($1)) },
      { realm, _ in realm.hamper.anys[0] = .string("none") }),
    Tie(
      "a set of mixed values", { $0.hamper.some.insert(.object($1)) },
      { realm, _ in realm.hamper.some.removeAll() }),
    Tie(
      "a map of mixed values", { $0.hamper.byName["a"] = .object($1) },
      { realm, _ in realm.hamper.byName["a"] = .int(1) }),
    Tie(
      "a map that has it no more", { $0.hamper.byName["b"] = .object($1) },
      { realm, _ in realm.hamper.byName["b"] = nil }),
  ]
}

extension Realm {
  fileprivate var hamper: Hamper { object(ofType: Hamper.self, forPrimaryKey: 1)! }
}

extension Probe {
  /// An object was linked and is not any more: what happens to it is nobody's news.
  static let unlinkedAreNoNews = Probe("what is linked no more is told of no more, however it was")
  {
    stage in
    var configuration = stage.configuration()
    configuration.objectTypes = Models.all + [Hamper.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      Stage.stock(realm)
      realm.add(Hamper(key: 1))
    }
    for tie in Tie.all {
      let (one, other) = (Dog(name: "one"), Dog(name: "other"))
      try realm.write {
        realm.add([one, other])
        tie.link(realm, one)
      }
      try realm.write { tie.unlink(realm, other) }
      var told: [String] = []
      let tokens = [
        realm.objects(Person.self).observe { if case .update = $0 { told.append("people") } },
        realm.objects(Hamper.self).observe { if case .update = $0 { told.append("hampers") } },
      ]
      try stage.settle(realm)
      try realm.write { one.age += 1 }
      try stage.settle(realm)
      stage.equal(told, [], "who is told of what was linked by \(tie.name)")
      stage.equal(one.owners.count, 0, "how many own it")
      for token in tokens { token.invalidate() }
    }
  }
}
