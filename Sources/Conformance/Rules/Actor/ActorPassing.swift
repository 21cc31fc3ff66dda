import EngineUnderTest
import Foundation
import Harness

extension Rules.Actor {
  static let passing: [Rule] = [
    actor26, actor28,
  ]

  static let actor26 = Rule(
    "ACTOR-26", .documented,
    "A `ThreadSafeReference` made on one actor MUST resolve on another (inside a write of a "
      + "realm opened there).",
    source: "S4 Pass a ThreadSafeReference (+code: `deleteTodo(tsrToTodo:)`).",
    broken: "(as REF-02, REF-10)",
    probes: [
      Probe.task("a reference from one actor resolves on another") { stage in
        let one = try await Keeper(stage.configuration())
        let two = try await Keeper(stage.configuration())
        try await one.add(Account.self, id: 1)
        let reference = await one.with { _, realm in ThreadSafeReference(to: realm.account(1)) }
        try await two.run { _, realm in
          try await realm.asyncWrite {
            let account = realm.resolve(reference)
            stage.expect(account != nil, "the object")
            if let account { realm.delete(account) }
          }
        }
        stage.equal(try stage.seen { $0.objects(Account.self).count }, 0, "accounts left")
      }
    ] + [ActorWays.references])

  static let actor28 = Rule(
    "ACTOR-28", .documented,
    "Values, primary keys and user structs taken from objects MUST be passable across "
      + "actors (ObjectId, String, Int ... Sendable).",
    source: "S4 Pass a Sendable Type (three strategies).",
    broken: "non-Sendable ObjectId",
    probes: [
      Probe("keys and values are Sendable") { stage in
        try stage.compiles(
          "func need<T: Sendable>(_: T.Type) {}\nfunc f() { need(ObjectId.self); "
            + "need(Decimal128.self); need(String.self) }"
        )
      },
      Probe.task("keys, values and structs cross actors") { stage in
        let one = try await Keeper(stage.configuration())
        let two = try await Keeper(stage.configuration())
        let (key, name) = try await one.run { _, realm in
          let todo = try await realm.asyncWrite {
            realm.create(Todo.self, value: ["name": "Pledge", "owner": "Frodo"])
          }
          return (todo._id, todo.name)
        }
        stage.equal(name, "Pledge", "the value")
        let owner = await two.with { _, realm in
          realm.refresh()
          return realm.object(ofType: Todo.self, forPrimaryKey: key)?.owner
        }
        stage.equal(owner, "Frodo", "what the other actor finds by the key")
      },
    ])
}
