import EngineUnderTest
import Foundation

/// Realms that know a class by its name alone, which another process migrates: they read what it
/// has made of the class, or say that they cannot.
enum MovedByName {
  /// What the other process makes of the class.
  private enum Change: String, CaseIterable {
    case added = "a property has been added"
    case retyped = "a property has been changed"
    case removed = "a property has been removed"
    case gone = "the class has been removed"

    var types: [ObjectBase.Type] {
      switch self {
      case .added: [FreightYard.self, FreightWithSender.self]
      case .retyped: [FreightYard.self, FreightOfText.self]
      case .removed: [FreightYard.self, FreightWithoutWeight.self]
      case .gone: [FreightYard.self]
      }
    }

    func carryOut(_ migration: Migration) {
      if self == .gone {
        migration.deleteData(forType: "Freight")
        return
      }
      migration.enumerateObjects(ofType: "Freight") { _, new in
        switch self {
        case .added, .removed: new?["sender"] = "Ann"
        case .retyped: new?["weight"] = "seventy"
        case .gone: break
        }
      }
    }

    /// What can be read then of the object held before, and of one that is looked up afterwards.
    var answers: (held: String?, anew: String?) {
      switch self {
      case .added: ("70", "70 Ann")
      case .retyped: ("seventy", "seventy")
      case .removed: (nil, "Ann")
      case .gone: (nil, nil)
      }
    }

    /// What the class shows of the one that there was.
    func shown(in realm: Realm) -> String? {
      switch self {
      case .added:
        realm.objects(FreightWithSender.self).filter("id == 7").first
          .map { "\($0.weight) \($0.sender)" }
      case .retyped: realm.objects(FreightOfText.self).filter("id == 7").first?.weight
      case .removed: realm.objects(FreightWithoutWeight.self).filter("id == 7").first?.sender
      case .gone: nil
      }
    }
  }

  /// What the realm does then.
  private enum Step: String, CaseIterable {
    case held = "reading who was held"
    case anew = "reading who is asked for anew"
    case write = "writing to who was held"
    case make = "making another one"
  }

  /// How somebody ends who cannot go on.
  private static let sentences = [
    "Unsupported schema changes were made by another client or process",
    "has been deleted or invalidated", "Invalid property name", "Invalid value",
    "is not managed by the Realm",
  ]

  static let followed: [Probe] = Change.allCases.map { change in
    Probe(
      "classes that are known by name alone follow what another process has migrated, or end with "
        + "a sentence: \(change.rawValue)",
      deadline: .seconds(60),
      companions: [
        "reader": { stage in try read(stage, change) }
      ]
    ) { stage in
      for step in Step.allCases {
        let what = "\(step.rawValue), where \(change.rawValue)"
        try stage.elsewhere {
          let realm = try Realm(
            configuration: stage.configuration(version: 0, of: [FreightYard.self, Freight.self]))
          try realm.write { realm.create(Freight.self, value: ["id": 7, "weight": 70]) }
        }
        let reader = try stage.companion("reader", step.rawValue)
        _ = try stage.hear(reader, "met")
        let new = stage.configuration(version: 1, of: change.types) { migration, _ in
          change.carryOut(migration)
        }
        try stage.elsewhere { use(try Realm(configuration: new).isEmpty) }
        reader.send("go")
        let left = reader.remains()
        let said = left.stdout.split(separator: "\n").first { $0.hasPrefix("says ") }
        let answer =
          switch step {
          case .held: change.answers.held
          case .anew: change.answers.anew
          case .write, .make: change == .added ? "done" : nil
          }
        if let said, step != .make || change == .added {
          stage.equal(String(said.dropFirst(5)), answer ?? "nothing, but a sentence", what)
        } else if said == nil {
          stage.expect(
            change != .added && sentences.contains { left.stderr.contains($0) },
            "an answer or a sentence, \(what)",
            observed: "\(left.ending): \(left.stderr.prefix(200))")
        }
        // Opened by the class as it was migrated, which has nothing else by now.
        try stage.elsewhere {
          let shown = change.shown(in: try Realm(configuration: new))
          let expected = change == .added && step == .write ? "5 Ann" : change.answers.anew
          stage.equal(shown ?? "nobody", expected ?? "nobody", "who is in the file after \(what)")
        }
        use(try Realm.deleteFiles(for: new))
      }
    }
  }

  /// What the process does that has the file open meanwhile.
  private static func read(_ stage: Stage, _ change: Change) throws {
    let realm = try Realm(configuration: stage.configuration(version: 0, of: [FreightYard.self]))
    guard let step = stage.words.first.flatMap(Step.init(rawValue:)),
      let held = realm.dynamicObjects("Freight").first, held["weight"] as? Int == 70
    else { return stage.tell("nobody") }
    stage.tell("met")
    _ = stage.hear()
    realm.refresh()
    switch step {
    case .held: stage.tell("says \(held["weight"] ?? "null")")
    case .anew:
      let found = realm.dynamicObjects("Freight").first
      let names = found?.objectSchema.properties.map(\.name).filter { $0 != "id" } ?? []
      // In no order that the file would have to keep.
      let values = names.sorted { $0 > $1 }.map { "\(found?[$0] ?? "null")" }
      stage.tell("says \(values.joined(separator: " "))")
    case .write:
      try realm.write { held["weight"] = 5 }
      stage.tell("says done")
    case .make:
      try realm.write { realm.dynamicCreate("Freight", value: ["id": 8]) }
      stage.tell("says done")
    }
  }
}

/// A class that says more than it did.
final class FreightWithSender: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: Int
  @Persisted var sender: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Freight" }
}
