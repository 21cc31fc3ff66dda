import EngineUnderTest
import Foundation

extension Probe {
  /// Whoever is there before a write is there after it came to nothing, by whatever call the write
  /// has met it: only what was added goes.
  static let whoWasUpdated = Probe("whoever a cancelled write has updated is there as before") {
    stage in
    var configuration = stage.configuration()
    configuration.objectTypes = (configuration.objectTypes ?? []) + Keyed.classes
    let realm = try Realm(configuration: configuration)
    try realm.write { Stage.stock(realm) }

    func ask<Class: KeyedClass>(_ type: Class.Type, _ key: Class.Key, _ other: Class.Key) throws {
      let before = Class()
      (before.key, before.note) = (key, "before")
      try realm.write { realm.add(before) }
      let value: [String: Any] = ["key": key, "note": "updated"]
      func double() -> Class {
        let double = Class()
        (double.key, double.note) = (key, "updated")
        return double
      }
      let ways: [(String, () -> Class?)] = [
        ("create, modified", { realm.create(type, value: value, update: .modified) }),
        ("create, all", { realm.create(type, value: value, update: .all) }),
        (
          "create with nothing new",
          { realm.create(type, value: ["key": key, "note": "before"], update: .modified) }
        ),
        (
          "add, modified",
          {
            realm.add(double(), update: .modified)
            return realm.object(ofType: type, forPrimaryKey: key)
          }
        ),
        (
          "add, all",
          {
            realm.add(double(), update: .all)
            return realm.object(ofType: type, forPrimaryKey: key)
          }
        ),
        (
          "add of itself",
          {
            realm.add(before, update: .modified)
            before.note = "updated"
            return before
          }
        ),
        (
          "create twice",
          {
            realm.create(type, value: value, update: .modified)
            return realm.create(type, value: value, update: .all)
          }
        ),
      ]
      for (way, update) in ways {
        for alsoAdds in [false, true] {
          realm.beginWrite()
          let added = Class()
          added.key = other
          if alsoAdds { realm.add(added) }
          let updated = update()
          realm.cancelWrite()
          let what = "the \(type) of \(way)\(alsoAdds ? " beside one that is added" : "")"
          stage.equal(before.isInvalidated, false, "whether \(what) is invalidated")
          stage.equal(updated?.isInvalidated, false, "whether what the call gave is, \(what)")
          stage.equal(realm.objects(type).count, 1, "how many there are, \(what)")
          if before.isInvalidated || updated?.isInvalidated != false { return }
          stage.equal(before.note, "before", "the note of \(what)")
          stage.equal(updated?.note, "before", "the note of what the call gave, \(what)")
          stage.equal(
            realm.object(ofType: type, forPrimaryKey: key)?.note, "before",
            "the note of what is found, \(what)")
          if alsoAdds { stage.equal(added.isInvalidated, true, "whether what was added is") }
        }
      }
    }
    try ask(IntKeyed.self, 7, 8)
    try ask(IntOrNoneKeyed.self, nil, 8)
    try ask(StringKeyed.self, "seven", "eight")
    try ask(StringOrNoneKeyed.self, nil, "eight")
    try ask(UUIDKeyed.self, Keyed.uuids[1], Keyed.uuids[2])
    try ask(ObjectIdKeyed.self, Keyed.ids[1], Keyed.ids[2])
  }
}
