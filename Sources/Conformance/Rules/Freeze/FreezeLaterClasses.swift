import EngineUnderTest
import Foundation

extension Probe {
  /// A file whose classes a thread gets to know one by one: what is frozen then knows them, too,
  /// also where nothing was committed since something was frozen before.
  static let frozenLaterClasses: [Probe] = waysToFreeze.map { name, freeze in
    Probe("what is frozen knows the classes that its realm knows by then: \(name)") { stage in
      for isKept in [true, false] {
        let file = "newcomers \(isKept)"
        try stage.elsewhere {
          let realm = try stage.stocked(file)
          try realm.write { realm.add(Todo()) }
        }
        var configuration = stage.configuration(file)
        configuration.objectTypes = [Account.self]
        let few = try Realm(configuration: configuration)
        let before: Realm? = freeze(few)
        stage.equal(before?.objects(Account.self).count, 3, "the accounts that were frozen first")
        let known = isKept ? before : nil
        configuration.objectTypes = [Account.self, Todo.self]
        let more = try Realm(configuration: configuration)
        let after = freeze(more)
        stage.equal(after.objects(Todo.self).count, 1, "the todos, frozen")
        stage.equal(after.objects(Account.self).count, 3, "the accounts, frozen")
        configuration.objectTypes = Models.all
        let all = try Realm(configuration: configuration)
        stage.equal(freeze(all).objects(Person.self).count, 3, "the people, frozen")
        stage.equal(after.objects(Todo.self).count, 1, "the todos that were frozen before")
        use(known?.isFrozen ?? true)
      }
    }
  }

  private static let waysToFreeze: [(name: String, freeze: @Sendable (Realm) -> Realm)] = [
    ("the realm", { $0.freeze() }),
    ("results", { $0.objects(Account.self).freeze().realm! }),
    ("an object", { $0.account(1).freeze().realm! }),
  ]
}
