import EngineUnderTest
import Foundation

extension Rules.Values {
  static let keys: [Rule] = [data11]

  static let data11 = Rule(
    "DATA-11", .implementation,
    "A primary key MUST name one object of its class, of whatever type it is, and null like any "
      + "other: adding a second one is refused, or updates the first as the policy says, and the "
      + "key finds it.",
    source:
      "RS/Realm.swift:494, :530, :782; RT/ObjectTests.m:1192-1205; RST/RealmTests.swift:671-720.",
    broken:
      "null keys not looked for; an update that adds; a key that is found only until the next "
      + "commit; a lookup that takes null for zero or the empty value",
    probes: [unnested, nested].flatMap(\.self))

  private static let unnested: [Probe] =
    Keyed.probes + Probe.partialUpdates + Probe.policiesEnd + Probe.lengths
    + [Programs.keyed.probe, .nearlyAlikeKeys, .keysAtTheEnds, LikeTexts.keys]
  private static let nested: [Probe] =
    Nests.updated + Nests.refused + [Nests.sequences, Nests.values]
}

/// A class that differs from others in its key only.
protocol KeyedClass: Object {
  associatedtype Key: Hashable
  var key: Key { get set }
  var note: String { get set }
}

final class IntKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var note: String
}
final class IntOrNoneKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: Int?
  @Persisted var note: String
}
final class StringKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: String
  @Persisted var note: String
}
final class StringOrNoneKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: String?
  @Persisted var note: String
}
final class UUIDKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: UUID
  @Persisted var note: String
}
final class UUIDOrNoneKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: UUID?
  @Persisted var note: String
}
final class ObjectIdKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted var note: String
}
final class ObjectIdOrNoneKeyed: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: ObjectId?
  @Persisted var note: String
}

/// Keys of each type, among them those that null may be taken for: zero and the empty value.
enum Keyed {
  static let classes: [ObjectBase.Type] = [
    IntKeyed.self, IntOrNoneKeyed.self, StringKeyed.self, StringOrNoneKeyed.self, UUIDKeyed.self,
    UUIDOrNoneKeyed.self, ObjectIdKeyed.self, ObjectIdOrNoneKeyed.self,
  ]

  static let numbers = [0, 1, -1, Int.max, Int.min, 77]
  static let strings = ["", "a", "A", String(repeating: "long", count: 90)]
  static let uuids = (0..<4).map {
    UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  static let ids = [
    "000000000000000000000000", "000000000000000000000001", "ff0000000000000000000000",
  ].map { try! ObjectId(string: $0) }

  static let probes: [Probe] = [
    probes(of: IntKeyed.self, numbers), probes(of: IntOrNoneKeyed.self, numbers + [nil]),
    probes(of: StringKeyed.self, strings), probes(of: StringOrNoneKeyed.self, strings + [nil]),
    probes(of: UUIDKeyed.self, uuids), probes(of: UUIDOrNoneKeyed.self, uuids + [nil]),
    probes(of: ObjectIdKeyed.self, ids), probes(of: ObjectIdOrNoneKeyed.self, ids + [nil]),
  ].flatMap(\.self)

  /// What another thread adds and deletes is found after each refresh, and not before.
  static let foreignProbes: [Probe] = [
    foreign(IntKeyed.self, numbers), foreign(IntOrNoneKeyed.self, numbers + [nil]),
    foreign(StringKeyed.self, strings), foreign(StringOrNoneKeyed.self, strings + [nil]),
    foreign(UUIDKeyed.self, uuids), foreign(UUIDOrNoneKeyed.self, uuids + [nil]),
    foreign(ObjectIdKeyed.self, ids), foreign(ObjectIdOrNoneKeyed.self, ids + [nil]),
  ]

  private static func foreign<Class: KeyedClass>(
    _ type: Class.Type, _ keys: [Class.Key]
  ) -> Probe where Class.Key: Sendable {
    Probe("one \(type) after another, added and deleted by another thread") { stage in
      let configuration = configuration(stage)
      let realm = try Realm(configuration: configuration)
      func find(_ key: Class.Key) -> String? {
        realm.object(ofType: type, forPrimaryKey: key)?.note
      }
      try realm.write { for key in keys.dropLast() { realm.add(made(type, key, "first")) } }
      // Each is there once, and once not, when the other thread changes that.
      for round in 0..<3 {
        for key in keys {
          let before = find(key)
          let after = before == nil ? "added in round \(round)" : nil
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write {
              if let after {
                other.add(made(type, key, after))
              } else {
                other.delete(other.object(ofType: type, forPrimaryKey: key)!)
              }
            }
          }
          stage.equal(find(key), before, "what \(key) finds before the refresh")
          realm.refresh()
          stage.equal(find(key), after, "what \(key) finds after the refresh")
        }
      }
    }
  }

  private static func probes<Class: KeyedClass>(
    of type: Class.Type, _ keys: [Class.Key]
  ) -> [Probe] where Class.Key: Sendable {
    [
      Probe("one \(type) for each key") { try look(for: type, keys, $0) },
      Probe(
        "a second \(type) under a key is refused", refusing: ["existing primary key value"]
      ) { stage in
        let realm = try Realm(configuration: configuration(stage))
        try realm.write { for key in keys { realm.add(made(type, key, "one")) } }
        stage.equal(realm.objects(type).count, keys.count, "the count of all keys")
        stage.act { try realm.write { realm.add(made(type, keys.last!, "two")) } }
      },
    ]
  }

  static func configuration(_ stage: Stage) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: stage.directory.appendingPathComponent("keys.realm"), objectTypes: classes)
  }

  static func made<Class: KeyedClass>(
    _ type: Class.Type, _ key: Class.Key, _ note: String
  ) -> Class {
    let object = Class()
    (object.key, object.note) = (key, note)
    return object
  }

  /// Adds an object for each key, updates it by each policy in later writes, takes it away and adds
  /// it again, and looks for
  /// all of them each time.
  private static func look<Class: KeyedClass>(
    for type: Class.Type, _ keys: [Class.Key], _ stage: Stage
  ) throws {
    let configuration = configuration(stage)
    let realm = try Realm(configuration: configuration)
    var notes: [Class.Key: String] = [:]
    func check(_ realm: Realm, _ moment: String) {
      stage.equal(realm.objects(type).count, notes.count, "the count of \(type) \(moment)")
      for key in keys {
        let found = realm.object(ofType: type, forPrimaryKey: key)
        stage.equal(found?.note, notes[key], "what the key \(key) finds \(moment)")
        if let found { stage.equal(found.key, key, "its key \(moment)") }
      }
    }
    for key in keys {
      try realm.write {
        check(realm, "before it is added")
        realm.add(made(type, key, "new"))
        notes[key] = "new"
        check(realm, "in the write that adds it")
      }
    }
    check(realm, "when all are there")
    for policy in [Realm.UpdatePolicy.modified, .all] {
      for byValues in [false, true] {
        for key in keys {
          let note = "updated by \(policy.rawValue)\(byValues ? " and values" : "")"
          try realm.write {
            if byValues {
              realm.create(type, value: ["key": key as Any, "note": note], update: policy)
            } else {
              realm.add(made(type, key, note), update: policy)
            }
            notes[key] = note
            check(realm, "in the write that updates it")
          }
        }
        try stage.elsewhere {
          check(try Realm(configuration: configuration), "after the updates, for others")
        }
      }
    }
    // The key is free, and names the new one.
    for key in keys {
      try realm.write {
        realm.delete(realm.object(ofType: type, forPrimaryKey: key)!)
        notes[key] = nil
        check(realm, "in the write that deletes it")
      }
      try realm.write {
        realm.add(made(type, key, "again"), update: .all)
        notes[key] = "again"
      }
      check(realm, "when it was added again")
    }
  }
}
