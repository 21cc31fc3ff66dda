import EngineUnderTest
import Foundation
import Harness

/// What stands for results under another type: an erased collection, and sections. References to
/// them are references to results: they keep their version, and are made before changes alone.
enum RefErased {
  private struct Kind: Sendable {
    let name: String
    /// Finds the thing; what it returns refers to it.
    let find: @Sendable (Realm) -> () -> Any
  }

  private static func kind<Value: ThreadConfined & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Value
  ) -> Kind {
    Kind(name: name) { realm in
      let thing = find(realm)
      return { ThreadSafeReference(to: thing) }
    }
  }

  private static let all: [Kind] = [
    kind("an erased query") { realm in
      AnyRealmCollection(realm.objects(Vessel.self).where { $0.id > 0 })
    },
    kind("an erased query, sorted") { realm in
      AnyRealmCollection(
        realm.objects(Vessel.self).where { $0.id > 0 }.sorted(byKeyPath: "number"))
    },
    kind("an erased query, distinct") { realm in
      AnyRealmCollection(
        realm.objects(Vessel.self).where { $0.id > 0 }.distinct(by: ["number"]))
    },
    kind("an erased query of a list") { realm in
      AnyRealmCollection(realm.vessel(1).links.where { $0.id > 0 })
    },
    kind("an erased collection, erased again") { realm in
      AnyRealmCollection(
        AnyRealmCollection(realm.objects(Vessel.self).where { $0.id > 0 }))
    },
    kind("sections of a query") { realm in
      realm.objects(Vessel.self).where { $0.id > 0 }.sectioned(by: \.id, ascending: true)
    },
    kind("one section of a query") { realm in
      realm.objects(Vessel.self).where { $0.id > 0 }.sectioned(by: \.id, ascending: true)[0]
    },
  ]

  private static let changes: [(name: String, run: @Sendable (Realm) -> Void)] = [
    ("one was added", { $0.add(Vessel(id: 9)) }),
    ("a property was set", { $0.vessel(2).number = 7 }),
    ("a list was changed", { $0.vessel(1).texts.append("new") }),
    ("one was deleted", { $0.delete($0.vessel(2)) }),
  ]

  /// References in a write that has changed something.
  static let inWrites: [Probe] = all.enumerated().flatMap { number, kind in
    [false, true].map { isEarly in
      let change = changes[(number + (isEarly ? 1 : 0)) % changes.count]
      return .dies(
        "\(kind.name) in a write, found \(isEarly ? "before" : "after") \(change.name)",
        saying: "Can only duplicate a write transaction before any changes have been made",
        "Cannot create a ThreadSafeReference to Results backed by"
      ) { stage in
        let realm = try Vessel.stocked(stage)
        let early = isEarly ? kind.find(realm) : nil
        realm.beginWrite()
        change.run(realm)
        let refer = early ?? kind.find(realm)
        stage.act { use(refer()) }
      }
    }
  }

  private static let limit = 4

  /// References that nobody resolves, of one version each, under a limit of versions.
  static let kept: [Probe] = all.map { kind in
    Probe("a reference keeps its version until it goes: \(kind.name)") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try Vessel.stocked(stage) }
      var configuration = Vessel.configuration(stage)
      configuration.maximumNumberOfActiveVersions = UInt(limit)
      let realm = try Realm(configuration: configuration)
      let refer = kind.find(realm)
      var number = 0
      /// Whether the limit allowed for a write.
      func write() throws -> Bool {
        number += 1
        let mark = number
        var end: (any Error)??
        realm.writeAsync({ realm.vessel(2).number = mark }, onComplete: { end = .some($0) })
        try stage.spin(until: { end != nil }, "the completion of write \(mark)")
        return (end ?? nil) == nil
      }
      for round in 0..<3 {
        var references: [Any] = []
        // Who reads records on behalf of others keeps a version for a moment.
        try stage.spin(until: { (try? write()) == true }, "a write before round \(round)")
        for _ in 0..<limit {
          references.append(refer())
          _ = try write()
        }
        references.append(refer())
        stage.equal(
          [try write(), try write()], [false, false],
          "whether there are writes beside \(references.count) references, round \(round)")
        references = []
        try stage.spin(until: { (try? write()) == true }, "a write after round \(round)")
      }
      stage.equal(realm.vessel(2).number, number, "the last number")
    }
  }
}
