import Foundation
import Testing

@testable import ReferenceEngine

/// Two forms of one class, as two versions of an app have it.
private enum Before {
  class Animal: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var old: String
  }
}

private enum Added {
  class Animal: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var old: String
    @Persisted var born: Date
    @Persisted var weight: Double?
    @Persisted var tags: List<String>
  }
}

private enum Changed {
  class Animal: Object {
    @Persisted var name: String?
    @Persisted var age: String
    @Persisted var fresh: String
  }
}

private enum Renamed {
  class Animal: Object {
    @Persisted var name: String
    @Persisted var title: String
    @Persisted var years: Int
    @Persisted var heft: Double
  }
}

struct SchemaTests {
  let scratch = Scratch()

  private func fill() throws {
    let realm = try Realm(configuration: scratch.configuration([Before.Animal.self]))
    try realm.write {
      for age in 0..<3 {
        realm.create(Before.Animal.self, value: ["name": "n\(age)", "age": age, "old": "o\(age)"])
      }
    }
  }

  @Test func `properties are added by themselves, with their defaults`() throws {
    try fill()
    let realm = try Realm(configuration: scratch.configuration([Added.Animal.self]))
    let table = realm.session.bound(Added.Animal.self)
    let animals = realm.session.store.allKeys(of: table.number ?? -1).map {
      unsafeDowncast(realm.session.accessor(table, $0), to: Added.Animal.self)
    }
    #expect(animals.map(\.name) == ["n0", "n1", "n2"])
    #expect(animals.map(\.born) == Array(repeating: Date(timeIntervalSince1970: 0), count: 3))
    #expect(animals.allSatisfy { $0.weight == nil && $0.tags.isEmpty })
    try realm.write {
      animals[1].weight = 2.5
      animals[1].tags.append("big")
    }
    #expect(animals.map(\.weight) == [nil, 2.5, nil])
  }

  @Test func `a class without its columns reads defaults, and gets them with the first write`()
    throws
  {
    try fill()
    let realm = try Realm(configuration: scratch.configuration())
    let table = realm.session.bound(Added.Animal.self)
    let animal = unsafeDowncast(realm.session.accessor(table, 2), to: Added.Animal.self)
    #expect(animal.name == "n2" && animal.weight == nil && animal.tags.count == 0)
    try realm.write { animal.weight = 1 }
    #expect(animal.weight == 1 && animal.age == 2)
  }

  @Test func `a changed property needs a migration`() throws {
    try fill()
    #expect {
      try Realm(configuration: scratch.configuration([Changed.Animal.self]))
    } throws: { error in
      let error = error as? Realm.Error
      return error?.code == .schemaMismatch
        && error?.message.contains(
          "Property 'Animal.age' has been changed from 'int' to 'string'.") == true
    }
  }

  @Test func `a migration carries values over`() throws {
    try fill()
    let configuration = scratch.configuration([Changed.Animal.self], version: 1) { migration, old in
      #expect(old == 0)
      migration.enumerateObjects(ofType: "Animal") { before, after in
        after?["age"] = "\(before?["age"] as? Int ?? -1) years"
      }
      migration.renameProperty(onType: "Animal", from: "old", to: "fresh")
    }
    do {
      let realm = try Realm(configuration: configuration)
      let table = realm.session.bound(Changed.Animal.self)
      let animals = realm.session.store.allKeys(of: table.number ?? -1).map {
        unsafeDowncast(realm.session.accessor(table, $0), to: Changed.Animal.self)
      }
      #expect(animals.map(\.age) == ["0 years", "1 years", "2 years"])
      #expect(animals.map(\.name) == ["n0", "n1", "n2"])
      #expect(animals.map(\.fresh) == ["o0", "o1", "o2"])
    }
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: scratch.configuration([Changed.Animal.self], version: 0))
    }
  }

  // A name on the way through several schema versions was refused.
  @Test func `a name that was changed is changed again`() throws {
    try fill()
    let configuration = scratch.configuration([Changed.Animal.self], version: 2) { migration, _ in
      migration.renameProperty(onType: "Animal", from: "old", to: "between")
      migration.renameProperty(onType: "Animal", from: "between", to: "fresh")
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Changed.Animal.self).map(\.fresh) == ["o0", "o1", "o2"])
  }

  @Test func `a new name is a property's when the migration ends`() throws {
    try fill()
    let configuration = scratch.configuration([Changed.Animal.self], version: 1) { migration, _ in
      migration.renameProperty(onType: "Animal", from: "old", to: "between")
    }
    #expect {
      try Realm(configuration: configuration)
    } throws: { error in
      let error = error as? Realm.Error
      return error?.code == .fail
        && error?.message.contains("Renamed property 'Animal.between' does not exist.") == true
    }
    let realm = try Realm(configuration: scratch.configuration([Before.Animal.self]))
    #expect(realm.objects(Before.Animal.self).map(\.old) == ["o0", "o1", "o2"])
  }

  fileprivate static let renames: [(type: String, from: String, to: String, says: String)] = [
    ("Animal", "nothing", "title", "property 'Animal.nothing' because it does not exist."),
    (
      "Animal", "name", "title",
      "property 'Animal.name' to 'title' because the source property still exists."
    ),
    (
      "Animal", "old", "years",
      "property 'Animal.old' to 'years' because it would change from type 'string' to 'int'."
    ),
    (
      "Animal", "weight", "heft",
      "property 'Animal.weight' to 'heft' because it would change from optional to required."
    ),
    ("Nobody", "old", "title", "properties for type 'Nobody' because it does not exist."),
    (
      "Keyed", "name", "title",
      "properties for type 'Keyed' because it has been removed from the Realm."
    ),
  ]

  @Test(arguments: renames.indices)
  func `what cannot be renamed is told in Realm's words`(_ number: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [number] in
      let scratch = Scratch()
      do {
        let realm = try Realm(
          configuration: scratch.configuration([Added.Animal.self, Keyed.self]))
        try realm.write {
          realm.create(Added.Animal.self)
          realm.create(Keyed.self)
        }
      }
      _ = try Realm(
        configuration: scratch.configuration([Renamed.Animal.self], version: 1) { migration, _ in
          let rename = SchemaTests.renames[number]
          migration.renameProperty(onType: rename.type, from: rename.from, to: rename.to)
        })
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Cannot rename " + SchemaTests.renames[number].says))
  }

  @Test func `files are copied, found and deleted`() throws {
    try fill()
    let configuration = scratch.configuration([Before.Animal.self])
    let copy = scratch.directory.appendingPathComponent("copy.realm")
    do {
      let realm = try Realm(configuration: configuration)
      try realm.writeCopy(toFile: copy)
      #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: copy) }
      #expect {
        try Realm.deleteFiles(for: configuration)
      } throws: { ($0 as? Realm.Error)?.code == .alreadyOpen }
    }
    #expect(Realm.fileExists(for: configuration))
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    var copied = configuration
    copied.fileURL = copy
    let realm = try Realm(configuration: copied)
    let table = realm.session.bound(Before.Animal.self)
    #expect(realm.session.store.count(of: table.number ?? -1) == 3)
  }

  // It was made from what the session knows, on whichever thread asked.
  @Test func `CONFINE-01: the schema of a live realm is asked for at home`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = Smuggled(try Realm(configuration: freshConfiguration()))
      _ = onNewThread { realm.value.schema.objectSchema.count }
    }
    expect(result, says: "Realm accessed from incorrect thread.")
  }

  @Test func `FREEZE-14: the schema of a frozen realm is asked for anywhere`() throws {
    let realm = try Realm(configuration: freshConfiguration())
    let names = realm.schema.objectSchema.map(\.className)
    let frozen = Smuggled(realm.freeze())
    #expect(onNewThread { frozen.value.schema.objectSchema.map(\.className) } == names)
  }

  @Test func `a stored schema survives its bytes`() {
    var schema = StoredSchema(version: 7)
    schema.tables.append(StoredTable(name: "Pérson", isEmbedded: true))
    let stored = ClassLayout.of(Everything.self).fields.filter(\.property.isStored)
    for (number, field) in stored.enumerated() {
      schema.tables[0].columns.append(StoredColumn(field.property, number: number))
    }
    #expect(StoredSchema(bytes: schema.bytes) == schema)
    for end in 1..<schema.bytes.count {
      #expect(StoredSchema(bytes: Array(schema.bytes.prefix(end))) == nil)
    }
  }
}
