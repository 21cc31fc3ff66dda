import Foundation

@testable import ReferenceEngine

class Corner: EmbeddedObject {
  @Persisted var name: String
}

class Estate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var size: Int
  @Persisted var main: Corner?
  @Persisted var corners: List<Corner>
  @Persisted var dogs: List<Dog>
  @Persisted var guests: MutableSet<Dog>
  @Persisted var places: Map<String, Dog?>
  @Persisted var keys: MutableSet<Keyed>
}

class Ticket: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var kinds: MutableSet<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
  @Persisted var rooms: Map<String, Corner?>

  /// All that it links to, whatever they are.
  var linked: [Object] {
    func objects(_ value: AnyRealmValue) -> [Object] {
      switch value {
      case .object(let object): [object]
      case .list(let list): list.flatMap(objects)
      case .dictionary(let map): map.flatMap { objects($0.value) }
      default: []
      }
    }
    return ([any] + Array(anys) + Array(kinds) + named.map(\.value)).flatMap(objects)
  }
}

class Street: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
}
