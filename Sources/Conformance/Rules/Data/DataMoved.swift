import EngineUnderTest
import Foundation

/// Realms whose file another process migrates while they have it open: what they cannot read any
/// more they say.
enum Moved {
  private static let words = "Unsupported schema changes were made by another client or process"

  /// What the other process makes of the class.
  private enum Change: String, CaseIterable {
    case removed = "a property has been removed"
    case retyped = "a property has been changed"
    case gone = "its class has been removed"

    var type: ObjectBase.Type {
      switch self {
      case .removed: FreightWithoutWeight.self
      case .retyped: FreightOfText.self
      case .gone: FreightYard.self
      }
    }

    /// What is said of it.
    var sentence: String {
      switch self {
      case .removed: "Property 'Freight.weight' has been removed"
      case .retyped: "Property 'Freight.weight' has been changed"
      case .gone: "Class 'Freight' has been removed"
      }
    }

    var block: MigrationBlock? {
      switch self {
      case .removed, .retyped: nil
      case .gone: { migration, _ in _ = migration.deleteData(forType: "Freight") }
      }
    }
  }

  /// What the realm does then.
  private enum Step: String, CaseIterable {
    case refresh = "reading after a refresh"
    case write = "a write"
    case newest = "reading after invalidate"
  }

  static let told: [Probe] = Change.allCases.flatMap { change in
    Step.allCases.map { step in
      .dies(
        "\(step.rawValue) where another process has migrated: \(change.rawValue)", saying: words,
        change.sentence,
        companions: [
          "migrator": { stage in
            let new = stage.configuration(version: 1, of: [change.type], change.block)
            _ = try Realm(configuration: new)
            stage.tell("migrated")
          }
        ]
      ) { stage in
        let realm = try Realm(configuration: stage.configuration(version: 0, of: [Freight.self]))
        try realm.write { realm.create(Freight.self, value: ["id": 1, "weight": 7]) }
        use(realm.objects(Freight.self).first?.weight)
        let migrator = try stage.companion("migrator")
        _ = try stage.hear(migrator, "migrated")
        use(migrator.remains())
        stage.act {
          switch step {
          case .refresh:
            realm.refresh()
            use(realm.objects(Freight.self).first?.weight)
          case .write: try realm.write { realm.objects(Freight.self).first?.weight = 8 }
          case .newest:
            realm.invalidate()
            use(realm.objects(Freight.self).first?.weight)
          }
        }
      }
    }
  }
}

/// A class, and what others make of it.
final class Freight: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
final class FreightWithoutWeight: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var sender: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Freight" }
}
final class FreightOfText: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Freight" }
}
/// What is left where nothing is carried any more.
final class FreightYard: Object {
  @Persisted(primaryKey: true) var id: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
