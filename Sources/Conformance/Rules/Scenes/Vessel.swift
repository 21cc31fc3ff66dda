import EngineUnderTest
import Foundation

/// An object with every place that a text, data, another object or a mixed value can come into:
/// what rules about each way in, each change and each read are put to.
final class Vessel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var maybe: Int?
  @Persisted var text: String
  @Persisted(indexed: true) var name: String
  @Persisted var maybeText: String?
  @Persisted var data: Data
  @Persisted var maybeData: Data?
  @Persisted var ratio: Double
  @Persisted var day: Date
  @Persisted var mark: UUID
  @Persisted var price: Decimal128
  @Persisted var truth: Bool
  @Persisted var mixed: AnyRealmValue

  @Persisted var link: Vessel?
  @Persisted var links: List<Vessel>
  @Persisted var group: MutableSet<Vessel>
  @Persisted var named: Map<String, Vessel?>

  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String>
  @Persisted var labels: MutableSet<String>
  @Persisted var titles: Map<String, String>
  @Persisted var blobs: List<Data>
  @Persisted var mixture: List<AnyRealmValue>
  @Persisted var mixedSet: MutableSet<AnyRealmValue>
  @Persisted var mixedMap: Map<String, AnyRealmValue>

  @Persisted var part: Part?
  @Persisted var parts: List<Part>
  @Persisted var partMap: Map<String, Part?>

  @Persisted(originProperty: "link") var throughLink: LinkingObjects<Vessel>
  @Persisted(originProperty: "links") var throughLinks: LinkingObjects<Vessel>

  convenience init(id: Int) {
    self.init()
    (self.id, name) = (id, "vessel \(id)")
  }

  static func configuration(_ stage: Stage, _ name: String = "vessels") -> Realm.Configuration {
    Realm.Configuration(fileURL: stage.ownFile(name), objectTypes: [Vessel.self, Part.self])
  }

  /// Opens a file with two of them, of which the first has something in each place.
  static func stocked(_ stage: Stage, _ name: String = "vessels") throws -> Realm {
    let realm = try Realm(configuration: configuration(stage, name))
    if realm.isEmpty { try realm.write { stock(realm) } }
    return realm
  }

  /// The same, where `Stage.settle` finds what it waits by.
  static func settling(_ stage: Stage, limit: UInt = 0) throws -> Realm {
    var configuration = configuration(stage)
    configuration.objectTypes?.append(Todo.self)
    if limit > 0 { configuration.maximumNumberOfActiveVersions = limit }
    let realm = try Realm(configuration: configuration)
    try realm.write { stock(realm) }
    return realm
  }

  static func stock(_ realm: Realm) {
    let (first, second) = (Vessel(id: 1), Vessel(id: 2))
    realm.add([first, second])
    (first.text, first.maybeText, first.maybe) = ("text", "maybe", 5)
    (first.link, second.link) = (second, first)
    first.links.append(objectsIn: [second, first])
    second.links.append(first)
    first.group.insert(second)
    first.named["a"] = .some(second)
    first.numbers.append(objectsIn: [1, 2])
    first.texts.append(objectsIn: ["a", "b"])
    first.labels.insert("a")
    first.titles["a"] = "title"
    first.blobs.append(Data([1, 2]))
    first.mixture.append(objectsIn: [.int(1), .object(second)])
    first.mixedSet.insert(.int(1))
    first.mixedMap["a"] = .int(1)
    if Engine.offersReins {
      first.mixed = .fromDictionary(["list": .fromArray([.int(1), .string("x")]), "a": .int(2)])
    }
    first.part = Part(text: "part", link: second)
    first.part!.texts.append("a")
    first.parts.append(objectsIn: [Part(text: "one"), Part(text: "two", link: second)])
    first.partMap["a"] = .some(Part(text: "in a map"))
  }
}

/// Owned by the vessel that has it.
final class Part: EmbeddedObject {
  @Persisted var text: String
  @Persisted var link: Vessel?
  @Persisted var mixed: AnyRealmValue
  @Persisted var texts: List<String>

  convenience init(text: String, link: Vessel? = nil) {
    self.init()
    (self.text, self.link) = (text, link)
  }
}

/// What a vessel shows of itself, of its part and of those it links to.
final class VesselView: Projection<Vessel> {
  @Projected(\Vessel.number) var number
  @Projected(\Vessel.text) var text
  @Projected(\Vessel.part?.text) var partText
  @Projected(\Vessel.links.projectTo.name) var names: ProjectedCollection<String>
}

extension Realm {
  func vessel(_ id: Int) -> Vessel! { object(ofType: Vessel.self, forPrimaryKey: id) }
}
