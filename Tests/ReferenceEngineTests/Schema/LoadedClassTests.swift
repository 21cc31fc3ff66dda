import Foundation
import Testing

@testable import ReferenceEngine

// No test names these classes: the engine has to come upon them.

private final class FoundRoot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var part: FoundPart?
}

private final class FoundPart: EmbeddedObject {
  @Persisted var note: String
}

private class FoundBase<T>: Object {
  @Persisted var inherited: Int
}

private final class FoundLeaf: FoundBase<String> {
  @Persisted var own: Int
}

private final class FoundLinked: Object {
  @Persisted var name: String
}

private enum Left {
  final class FoundTwice: Object {
    @Persisted var one: Int
  }
}

private enum Right {
  final class FoundTwice: Object {
    @Persisted var other: Int
  }
}

private final class FoundMistaken: Object {
  @Persisted(primaryKey: true) var id: Double
}

private final class FoundApart: Object {
  @Persisted var number: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class FoundIgnored: Object {
  @Persisted var number: Int
  override class func _realmIgnoreClass() -> Bool { true }
}

// These ones are used by name of type.

private final class Carrier: Object {
  @Persisted var any: AnyRealmValue
}

/// What FoundChanged was before.
private final class Earlier: Object {
  @Persisted var age: Int
  @Persisted var gone: String
  override class func _realmObjectName() -> String? { "FoundChanged" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class FoundChanged: Object {
  @Persisted var age: String
}

/// The classes of a realm whose configuration names none.
struct LoadedClassTests {
  private let scratch = Scratch()

  private func realm() throws -> Realm { try Realm(configuration: scratch.configuration()) }

  @Test func `the schema has classes that nobody has used`() throws {
    let schema = try realm().schema
    #expect(schema["FoundRoot"]?.properties.map(\.name) == ["id", "name", "part"])
    #expect(schema["FoundRoot"]?.primaryKeyProperty?.name == "id")
    #expect(schema["FoundPart"]?.isEmbedded == true)
    #expect(schema["FoundLeaf"]?.properties.map(\.name) == ["inherited", "own"])
    for name in [
      "Object", "EmbeddedObject", "DynamicObject", "FoundBase", "FoundTwice", "FoundMistaken",
      "FoundApart", "FoundIgnored",
    ] {
      #expect(schema[name] == nil, "\(name)")
    }
  }

  @Test func `a class is known by its name before it is used`() throws {
    let realm = try realm()
    #expect(realm.dynamicObjects("FoundRoot").isEmpty)
    try realm.write {
      realm.dynamicCreate("FoundRoot", value: ["id": 7, "part": ["note": "here"]])
    }
    let root = try #require(realm.dynamicObject(ofType: "FoundRoot", forPrimaryKey: 7))
    #expect((root["part"] as? ObjectBase)?["note"] as? String == "here")
    #expect(realm.schema["FoundRoot"]?.properties.count == 3)
  }

  @Test func `what several classes are called is the one that is used`() throws {
    let realm = try realm()
    try realm.write { realm.create(Right.FoundTwice.self, value: ["other": 3]) }
    #expect(realm.schema["FoundTwice"]?.properties.map(\.name) == ["other"])
  }

  @Test func `a mixed link leads to an object of its class, though only the other end was named`()
    throws
  {
    var configuration = scratch.configuration()
    configuration.cache = false
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let linked = realm.create(FoundLinked.self, value: ["name": "Rex"])
        realm.create(Carrier.self).any = .object(linked)
      }
    }
    let carrier = try #require(try Realm(configuration: configuration).objects(Carrier.self).first)
    #expect(carrier.any.object(FoundLinked.self)?.name == "Rex")
  }

  private func fillAsBefore() throws {
    let realm = try Realm(configuration: scratch.configuration([Earlier.self]))
    try realm.write {
      for age in [3, 4] { realm.create(Earlier.self, value: ["age": age, "gone": "x"]) }
    }
  }

  @Test func `opening looks at the classes that nobody has used`() throws {
    try fillAsBefore()
    for _ in 0..<2 {
      #expect {
        try realm()
      } throws: { error in
        let error = error as? Realm.Error
        return error?.code == .schemaMismatch
          && error?.message.contains(
            "- Property 'FoundChanged.age' has been changed from 'int' to 'string'.\n"
              + "- Property 'FoundChanged.gone' has been removed.") == true
      }
    }
  }

  @Test func `a migration brings them over`() throws {
    try fillAsBefore()
    let configuration = scratch.configuration(version: 1) { migration, _ in
      #expect(migration.newSchema["FoundChanged"]?.properties.map(\.name) == ["age"])
      #expect(migration.newSchema["FoundRoot"] != nil)
      migration.enumerateObjects(ofType: "FoundChanged") { before, after in
        after?["age"] = "\(before?["age"] as? Int ?? -1) years"
      }
      migration.create("FoundRoot", value: ["id": 1])
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(FoundChanged.self).map(\.age) == ["3 years", "4 years"])
    #expect(realm.dynamicObjects("FoundRoot").count == 1)
  }

  @Test func `a file that would have to be migrated is deleted, if that is wished`() throws {
    try fillAsBefore()
    var configuration = scratch.configuration()
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: configuration).objects(FoundChanged.self).isEmpty)
  }
}
