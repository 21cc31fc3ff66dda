import EngineUnderTest
import Foundation
import Harness

/// Indexes that come and go between two openings of a file that has objects already.
enum LateIndexes {
  private static let names = ["whole", "text", "truth", "day", "mark", "code", "mixed", "amount"]

  /// The values of a property, of which the objects have one after the other; null is among them
  /// where it may be.
  private static func values(_ name: String) -> [Any?] {
    switch name {
    case "whole": [1, nil, -7, Int.max, 0]
    case "text": ["a", nil, "", "A", String(repeating: "long ", count: 40)]
    case "truth": [true, nil, false]
    case "day": [Date(timeIntervalSince1970: 1), nil, Date(timeIntervalSince1970: -1)]
    case "mark": [UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)), nil]
    case "code": [try! ObjectId(string: "5f0000000000000000000001"), nil]
    case "mixed": [1, nil, "a", 7]
    default: [0, 1, -1, 65_536]
    }
  }

  static let probes: [Probe] = [0, 1, 7, 300, 900].map { count in
    Probe("what an index that came later finds of \(count) objects that were there") { stage in
      Backstage.hooks?.skipFlushes()
      let file = stage.directory.appendingPathComponent("shelf.realm")
      /// What each object has, by its id: the number of the value.
      var model = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) })
      func value(_ name: String, _ number: Int) -> Any? {
        let all = values(name)
        return all[number % all.count]
      }
      func look<Class: Object>(_ realm: Realm, _ type: Class.Type, _ when: String) {
        let all = realm.objects(type)
        stage.equal(all.count, model.count, "how many there are \(when)")
        for name in names {
          for number in values(name).indices {
            let count = values(name).count
            let ids = model.filter { $0.value % count == number }.keys.sorted()
            let argument = value(name, number) ?? NSNull()
            func found(_ format: String) -> [Int] {
              all.filter(format, argument).compactMap { $0.value(forKey: "id") as? Int }.sorted()
            }
            stage.equal(found("\(name) == %@"), ids, "what has \(name) \(argument) \(when)")
            stage.equal(
              found("\(name) != %@").count, model.count - ids.count,
              "how many have another \(name) than \(argument) \(when)")
            stage.equal(
              found("\(name) IN {%@}"), ids, "what has \(name) among \(argument) \(when)")
          }
        }
      }
      func open<Class: Object>(_ type: Class.Type, _ when: String) throws {
        try stage.elsewhere {
          let realm = try Realm(configuration: .init(fileURL: file, objectTypes: [type]))
          func put(_ id: Int) {
            var facts: [String: Any] = ["id": id]
            for name in names { facts[name] = value(name, model[id]!) ?? NSNull() }
            realm.create(type, value: facts, update: .all)
          }
          if when == "at first" { try realm.write { for id in 0..<count { put(id) } } }
          look(realm, type, when)
          // Some change, go and come.
          try realm.write {
            for id in model.keys.sorted() where id % 3 == 0 {
              model[id]! += 1
              put(id)
            }
            for id in model.keys.sorted() where id % 7 == 6 {
              realm.delete(realm.object(ofType: type, forPrimaryKey: id)!)
              model[id] = nil
            }
            let next = (model.keys.max() ?? -1) + 1
            for id in next..<(next + 5) {
              model[id] = id
              put(id)
            }
            look(realm, type, "\(when), in a write")
          }
          look(realm, type, "\(when), after a write")
        }
      }
      try open(PlainShelf.self, "at first")
      try open(IndexedShelf.self, "when the indexes came")
      try open(IndexedShelf.self, "when it was opened again")
      try open(PlainShelf.self, "when the indexes went")
      try open(IndexedShelf.self, "when the indexes came again")
    }
  }
}

/// One class of the file before and after its properties are indexed.
final class PlainShelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var whole: Int?
  @Persisted var text: String?
  @Persisted var truth: Bool?
  @Persisted var day: Date?
  @Persisted var mark: UUID?
  @Persisted var code: ObjectId?
  @Persisted var mixed: AnyRealmValue
  @Persisted var amount: Int

  override class func _realmObjectName() -> String? { "Shelf" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class IndexedShelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var whole: Int?
  @Persisted(indexed: true) var text: String?
  @Persisted(indexed: true) var truth: Bool?
  @Persisted(indexed: true) var day: Date?
  @Persisted(indexed: true) var mark: UUID?
  @Persisted(indexed: true) var code: ObjectId?
  @Persisted(indexed: true) var mixed: AnyRealmValue
  @Persisted(indexed: true) var amount: Int

  override class func _realmObjectName() -> String? { "Shelf" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
