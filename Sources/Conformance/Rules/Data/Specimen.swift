import EngineUnderTest
import Foundation

/// An object with a property of every kind that may be empty, and of every kind of collection: what
/// rules about data are put to.
final class Specimen: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var truth: Bool?
  @Persisted var whole: Int?
  @Persisted var small: Int8?
  @Persisted(indexed: true) var number: Int?
  @Persisted var single: Float?
  @Persisted var fraction: Double?
  @Persisted var price: Decimal128?
  @Persisted var day: Date?
  @Persisted var text: String?
  @Persisted(indexed: true) var tag: String?
  @Persisted var bytes: Data?
  @Persisted(indexed: true) var mark: UUID?
  @Persisted var code: ObjectId?
  @Persisted var amount: Int
  @Persisted var ratio: Double
  @Persisted var word: String
  @Persisted(indexed: true) var name: String

  @Persisted var next: Specimen?
  @Persisted var other: Specimen?
  @Persisted var members: List<Specimen>
  @Persisted var spares: List<Specimen>
  @Persisted var group: MutableSet<Specimen>
  @Persisted var named: Map<String, Specimen?>
  @Persisted var numbers: List<Int?>
  @Persisted var words: List<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var labels: MutableSet<String>

  @Persisted(originProperty: "next") var throughNext: LinkingObjects<Specimen>
  @Persisted(originProperty: "other") var throughOther: LinkingObjects<Specimen>
  @Persisted(originProperty: "members") var throughMembers: LinkingObjects<Specimen>
  @Persisted(originProperty: "spares") var throughSpares: LinkingObjects<Specimen>
  @Persisted(originProperty: "group") var throughGroup: LinkingObjects<Specimen>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

extension Stage {
  /// A configuration for a file of specimens.
  func specimens(_ name: String = "specimens") -> Realm.Configuration {
    Realm.Configuration(fileURL: ownFile(name), objectTypes: [Specimen.self])
  }

  /// The same, where `settle` finds what it waits by.
  var settlingSpecimens: Realm.Configuration {
    var configuration = specimens()
    configuration.objectTypes!.append(Todo.self)
    return configuration
  }
}

extension Realm {
  func specimen(_ id: Int) -> Specimen? { object(ofType: Specimen.self, forPrimaryKey: id) }
}
