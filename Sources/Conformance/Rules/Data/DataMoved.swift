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

    var type: ObjectBase.Type {
      switch self {
      case .removed: FreightWithoutWeight.self
      case .retyped: FreightOfText.self
      }
    }

    /// What is said of it.
    var sentence: String {
      switch self {
      case .removed: "Property 'Freight.weight' has been removed"
      case .retyped: "Property 'Freight.weight' has been changed"
      }
    }
  }

  /// What the realm does then.
  private enum Step: String, CaseIterable {
    case refresh = "reading after a refresh"
    case write = "a write"
    case newest = "reading after invalidate"
  }

  private static func configuration(
    _ stage: Stage, _ type: ObjectBase.Type, version: UInt64
  ) -> Realm.Configuration {
    var configuration = stage.configuration()
    configuration.objectTypes = [type]
    configuration.schemaVersion = version
    return configuration
  }

  static let told: [Probe] = Change.allCases.flatMap { change in
    Step.allCases.map { step in
      .dies(
        "\(step.rawValue) where another process has migrated: \(change.rawValue)", saying: words,
        change.sentence,
        companions: [
          "migrator": { stage in
            _ = try Realm(configuration: configuration(stage, change.type, version: 1))
            stage.tell("migrated")
          }
        ]
      ) { stage in
        let realm = try Realm(configuration: configuration(stage, Freight.self, version: 0))
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
