import EngineUnderTest
import Foundation
import Harness

/// Others with a number as key.
final class Numbered: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var note: String
}
final class Counted: Object, KeyedClass {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var note: String
}

/// Classes that are used for the first time while something of other ones is frozen.
enum Newcomers {
  private enum Before: String, CaseIterable, Sendable {
    case nothing = "nothing"
    case realm = "a realm that has used no class"
    case usedRealm = "a realm that has used one"
    case object = "an object"
    case results = "results"
    case textKeyed = "an object with a text as key"
    case anotherRealm = "an object of another realm"
    case several = "objects of two classes"
    case versions = "realms of several versions"
  }

  static let probes: [Probe] = Before.allCases.map { before in
    Probe("\(before.rawValue) is frozen, then classes are used: what goes of them thaws to nil") {
      stage in
      Backstage.hooks?.skipFlushes()
      for isForeign in [false, true] {
        // Without a list a realm knows a class when it uses it.
        for isListed in [false, true] {
          var configuration = stage.configuration("foreign \(isForeign), listed \(isListed)")
          configuration.objectTypes =
            isListed ? Keyed.classes + [Numbered.self, Counted.self] : nil
          try run(before, stage, configuration, isForeign)
        }
      }
    }
  }

  private static func run(
    _ before: Before, _ stage: Stage, _ configuration: Realm.Configuration, _ isForeign: Bool
  ) throws {
    try stage.elsewhere {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        fill(realm, IntKeyed.self, Keyed.numbers)
        fill(realm, Numbered.self, Keyed.numbers)
        fill(realm, IntOrNoneKeyed.self, Keyed.numbers + [nil])
        fill(realm, StringKeyed.self, Keyed.strings)
        fill(realm, StringOrNoneKeyed.self, Keyed.strings + [nil])
        fill(realm, UUIDKeyed.self, Keyed.uuids)
        fill(realm, UUIDOrNoneKeyed.self, Keyed.uuids + [nil])
        fill(realm, ObjectIdKeyed.self, Keyed.ids)
        fill(realm, ObjectIdOrNoneKeyed.self, Keyed.ids + [nil])
      }
    }
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let first = try held(before, realm, stage, configuration)
    // Of one class there is nothing yet.
    try realm.write { fill(realm, Counted.self, Keyed.numbers) }
    let walk = Walk(stage: stage, realm: realm, isForeign: isForeign, before: before.rawValue)
    try walk.look(UUIDKeyed.self, Keyed.uuids)
    try walk.look(Numbered.self, Keyed.numbers)
    try walk.look(StringOrNoneKeyed.self, Keyed.strings + [nil])
    try walk.look(IntOrNoneKeyed.self, Keyed.numbers + [nil])
    try walk.look(Counted.self, Keyed.numbers)
    try walk.look(ObjectIdKeyed.self, Keyed.ids)
    try walk.look(StringKeyed.self, Keyed.strings)
    try walk.look(IntKeyed.self, Keyed.numbers)
    try walk.look(UUIDOrNoneKeyed.self, Keyed.uuids + [nil])
    try walk.look(ObjectIdOrNoneKeyed.self, Keyed.ids + [nil])
    withExtendedLifetime(first) {}
  }

  private static func fill<Class: KeyedClass>(
    _ realm: Realm, _ type: Class.Type, _ keys: [Class.Key]
  ) {
    for key in keys { realm.add(Keyed.made(type, key, "old")) }
  }

  /// What is frozen, and kept, before the other classes are used.
  private static func held(
    _ before: Before, _ realm: Realm, _ stage: Stage, _ configuration: Realm.Configuration
  ) throws -> Any {
    switch before {
    case .nothing: return realm
    case .realm: return realm.freeze()
    case .usedRealm:
      use(realm.objects(IntKeyed.self).count)
      return realm.freeze()
    case .object: return realm.objects(IntKeyed.self)[0].freeze()
    case .results: return realm.objects(IntKeyed.self).freeze()
    case .textKeyed: return realm.objects(StringKeyed.self)[0].freeze()
    case .anotherRealm:
      return try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        return other.objects(IntKeyed.self)[0].freeze()
      }
    case .several:
      return [
        realm.objects(StringKeyed.self)[0].freeze(), realm.objects(IntKeyed.self)[0].freeze(),
      ] as [Any]
    case .versions:
      return try (0..<3).map { round in
        try realm.write { realm.objects(IntKeyed.self)[0].note = "changed \(round)" }
        return realm.freeze()
      }
    }
  }

  private struct Walk {
    let stage: Stage
    let realm: Realm
    let isForeign: Bool
    let before: String

    func look<Class: KeyedClass>(_ type: Class.Type, _ keys: [Class.Key]) throws {
      let frozen = keys.map { realm.object(ofType: type, forPrimaryKey: $0)!.freeze() }
      let notes = frozen.map(\.note)
      let gone = Set(keys.indices.filter { $0 != 1 })
      for round in 0..<2 {
        for step in round == 0 ? ["both"] : ["go", "come"] {
          func change(_ realm: Realm) {
            for place in gone.sorted() {
              if step != "come" {
                realm.delete(realm.object(ofType: type, forPrimaryKey: keys[place])!)
              }
              if step != "go" { realm.add(Keyed.made(type, keys[place], "new")) }
            }
          }
          if isForeign {
            let configuration = realm.configuration
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { change(other) }
            }
            realm.refresh()
          } else {
            try realm.write { change(realm) }
          }
          stage.equal(
            frozen.map { $0.thaw() != nil }, keys.indices.map { !gone.contains($0) },
            "which \(type) thaw in round \(round), foreign: \(isForeign), behind \(before)")
        }
      }
      stage.equal(frozen.map(\.note), notes, "the notes of the frozen \(type)")
    }
  }
}
