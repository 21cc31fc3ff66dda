import EngineUnderTest
import Foundation
import Harness

/// The classes that a realm tells whose configuration names none: of one file it is the same for
/// all, whoever has added some, and whatever was told before.
enum SchemasTold {
  /// What is asked before others add a class.
  private static let questions: [(name: String, ask: @Sendable (Realm) -> Void)] = [
    ("nothing", { _ in }),
    ("all classes", { use($0.schema.objectSchema.count) }),
    ("one class", { use($0.schema["Account"] == nil) }),
    ("a class that is not there yet", { use($0.schema["Attic"] == nil) }),
    ("everything, and everything frozen", { use((names($0), names($0.freeze()))) }),
  ]

  /// How the realm comes to what others have added.
  private static let steps: [(name: String, take: @Sendable (Realm) throws -> Void)] = [
    ("a refresh", { $0.refresh() }),
    ("a write", { realm in try realm.write { realm.add(Account(id: 2)) } }),
    (
      "a cancelled write",
      { realm in
        realm.beginWrite()
        realm.cancelWrite()
      }
    ),
    (
      "invalidate()",
      { realm in if Engine.offersReins { realm.invalidate() } else { realm.refresh() } }
    ),
  ]

  private static func names(_ realm: Realm) -> [String] {
    realm.schema.objectSchema.map(\.className).sorted()
  }

  /// Adds a class that no realm has which names none.
  private static func add(_ stage: Stage, _ name: String) throws {
    var configuration = stage.configuration(name)
    configuration.objectTypes = [Account.self, Attic.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let attic = Attic()
      attic.id = 1
      realm.add(attic)
    }
  }

  static let probe = Probe(
    "the classes that others have added are told as who opens the file now is told of them",
    companions: [
      "adder": { stage in
        Backstage.hooks?.skipFlushes()
        try add(stage, stage.words[0])
        stage.tell("added")
      }
    ]
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for (number, question) in questions.enumerated() {
      for (place, step) in steps.enumerated() {
        let what = "\(question.name) was asked before, by \(step.name)"
        let name = "\(number) \(place)"
        var configuration = stage.configuration(name)
        configuration.objectTypes = nil
        let asked = configuration
        let realm = try Realm(configuration: asked)
        try realm.write { realm.add(Account(id: 1)) }
        question.ask(realm)
        if number % steps.count == place {
          let adder = try stage.companion("adder", name)
          stage.equal(try stage.hear(adder, "its word"), "added", "what the other process says")
          use(adder.remains())
        } else {
          try stage.elsewhere { try add(stage, name) }
        }
        try step.take(realm)
        let told = names(realm)
        let fresh = try stage.elsewhere { names(try Realm(configuration: asked)) }
        stage.equal(told, fresh, "the classes that are told, \(what)")
        stage.equal(names(realm.freeze()), fresh, "the classes of what is frozen, \(what)")
        stage.equal(realm.objects(Account.self).isEmpty, false, "whether it is empty, \(what)")
      }
    }
  }
}
