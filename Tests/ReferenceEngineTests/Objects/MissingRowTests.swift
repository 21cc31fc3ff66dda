import Foundation
import Testing

@testable import ReferenceEngine

/// What leads to a row that is not there is damage, and is said to be wherever it is met.
@Suite struct MissingRowTests {
  /// A file in which rows are gone that others link to, as no write can make it.
  private static func forge(_ scratch: Scratch) throws -> Realm.Configuration {
    let configuration = scratch.configuration([Bead.self, BeadPart.self, Band.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let (one, other) = (realm.create(Bead.self), realm.create(Bead.self))
      one.link = other
      one.list.append(other)
      one.map["x"] = other
      one.part = BeadPart()
    }
    try realm.write {
      let store = realm.session.store
      let knots = realm.session.bound(Bead.self).number!
      let parts = realm.session.bound(BeadPart.self).number!
      store.removeRow(1, of: knots, realm.session.ties(of: knots))
      store.removeRow(0, of: parts, realm.session.ties(of: parts))
    }
    return configuration
  }

  @Test(arguments: 0..<6) func `a link to a row that is missing is not read as none`(how: Int) async
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [how = how as Int] in
      let scratch = Scratch()
      let configuration = try MissingRowTests.forge(scratch)
      let knot = try Realm(configuration: configuration).objects(Bead.self)[0]
      switch how {
      case 0: print(knot.link as Any)
      case 1: print(knot.list[0])
      case 2: print(knot.map["x"] as Any)
      case 3: print(knot.part as Any)
      case 4: print(knot.value(forKey: "link") as Any)
      default: print(knot.freeze().link as Any)
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("the file is damaged: it has no row"), "\(how): \(said)")
  }
}

@Suite struct SchemaLimitTests {
  /// What broke: the commit succeeded, and the next opening called the file damaged.
  @Test(arguments: [true, false])
  func `more classes or properties than a file can have are refused when they are added`(
    isClass: Bool
  ) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isClass = isClass as Bool] in
      let scratch = Scratch()
      let realm = try Realm(configuration: scratch.configuration([Dog.self, Person.self]))
      realm.beginWrite()
      var schema = realm.session.stored
      realm.session.extend(&schema, with: ClassLayout.of(Dog.self))
      schema.tables.removeAll { $0.name == "Person" }
      let dog = schema.index(of: "Dog")!
      // As many as migrations may have left behind.
      while schema.tables.count < 32_000, isClass {
        schema.tables.append(StoredTable(name: "gone \(schema.tables.count)", isEmbedded: false))
      }
      let column = schema.tables[dog].columns[0].property
      while schema.tables[dog].columns.count < 16_000, !isClass {
        schema.tables[dog].columns.append(
          StoredColumn(column, number: schema.tables[dog].columns.count))
      }
      if isClass {
        realm.session.extend(&schema, with: ClassLayout.of(Person.self))
      } else {
        schema.tables[dog].columns[1].isDropped = true
        schema.tables[dog].columns[1].name = "gone"
        realm.session.extend(&schema, with: ClassLayout.of(Dog.self))
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("can have no more"), "\(said)")
  }
}
