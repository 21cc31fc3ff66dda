import EngineUnderTest
import Foundation
import Harness

extension Keyed {
  /// Lookups by each type of key as the first that a realm without a version is asked.
  static let firstProbes: [Probe] = [
    asksFirst(IntKeyed.self, numbers), asksFirst(IntOrNoneKeyed.self, numbers + [nil]),
    asksFirst(StringKeyed.self, strings), asksFirst(StringOrNoneKeyed.self, strings + [nil]),
    asksFirst(UUIDKeyed.self, uuids), asksFirst(UUIDOrNoneKeyed.self, uuids + [nil]),
    asksFirst(ObjectIdKeyed.self, ids), asksFirst(ObjectIdOrNoneKeyed.self, ids + [nil]),
  ]

  private static func asksFirst<Class: KeyedClass>(
    _ type: Class.Type, _ keys: [Class.Key]
  ) -> Probe where Class.Key: Sendable {
    Probe("a realm without a version is asked for one \(type) by its key first") { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = configuration(stage)
      func find(_ realm: Realm, _ key: Class.Key) -> String? {
        realm.object(ofType: type, forPrimaryKey: key)?.note
      }
      func set(_ note: String) throws {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { for key in keys { other.add(made(type, key, note), update: .all) } }
        }
      }
      try set("at first")
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      for (round, key) in keys.enumerated() {
        use(realm.objects(type).count)
        let before = find(realm, key)
        try set("\(round)")
        stage.equal(find(realm, key), before, "what \(key) finds before invalidate()")
        realm.invalidate()
        stage.equal(find(realm, key), "\(round)", "what \(key) finds after invalidate()")
        try stage.elsewhere {
          let fresh = try Realm(configuration: configuration)
          stage.equal(find(fresh, key), "\(round)", "what \(key) finds in a fresh realm")
        }
        try set("\(round) again")
        realm.refresh()
        stage.equal(find(realm, key), "\(round) again", "what \(key) finds after a refresh")
      }
    }
  }
}
