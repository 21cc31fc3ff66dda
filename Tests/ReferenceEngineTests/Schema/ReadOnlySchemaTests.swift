import Foundation
import Testing

@testable import ReferenceEngine

/// One class as a file has it, and as others know it who only read the file.
private enum InFile {
  class Book: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var title: String
    override class func _realmObjectName() -> String? { "ReadBook" }
  }
}

private enum Known {
  class Fewer: Object {
    @Persisted(primaryKey: true) var id: Int
    override class func _realmObjectName() -> String? { "ReadBook" }
  }
  class More: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var title: String
    @Persisted var pages: Int
    @Persisted var notes: List<String>
    override class func _realmObjectName() -> String? { "ReadBook" }
  }
  class Unindexed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String
    override class func _realmObjectName() -> String? { "ReadBook" }
  }
  class Changed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: Int
    override class func _realmObjectName() -> String? { "ReadBook" }
  }
  class Missing: Object {
    @Persisted(primaryKey: true) var id: Int
    override class func _realmObjectName() -> String? { "ReadMissing" }
  }
}

/// What fits a file that is only read: what the class lacks of it need not be shown, and what it
/// lacks of the class nobody can add.
///
/// What broke: it was the other way round. A class with fewer properties was refused, and what one
/// had more read as empty.
struct ReadOnlySchemaTests {
  let scratch = Scratch()

  init() throws {
    do {
      let realm = try Realm(configuration: scratch.configuration([InFile.Book.self]))
      try realm.write { realm.create(InFile.Book.self, value: ["id": 7, "title": "Emma"]) }
    }
  }

  private func reading(_ classes: [ObjectBase.Type]) throws -> Realm {
    var configuration = scratch.configuration(classes)
    configuration.readOnly = true
    return try Realm(configuration: configuration)
  }

  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "it was opened"
    } catch {
      return (error as? Realm.Error).map { "\($0.code): \($0.message)" } ?? "\(error)"
    }
  }

  @Test func `LIFE-10: a class may have fewer properties than the file`() throws {
    #expect(try reading([Known.Fewer.self]).objects(Known.Fewer.self).map(\.id) == [7])
    // Who may write has to migrate it still.
    #expect(
      refusal { _ = try Realm(configuration: scratch.configuration([Known.Fewer.self])) }
        .contains("- Property 'ReadBook.title' has been removed."))
  }

  @Test func `LIFE-10: an index, or a whole class, may be missing`() throws {
    let realm = try reading([Known.Unindexed.self, Known.Missing.self])
    #expect(realm.objects(Known.Unindexed.self).map(\.title) == ["Emma"])
    #expect(realm.objects(Known.Missing.self).isEmpty)
  }

  @Test(arguments: [false, true])
  func `LIFE-10: a class must not have more properties than the file`(isOpen: Bool) throws {
    // Also if it comes to a realm that is open.
    let open = isOpen ? try reading([Known.Missing.self]) : nil
    #expect(
      refusal { _ = try reading([Known.More.self]) }
        == "fail: The following changes cannot be made in read-only schema mode:\n"
        + "- Property 'ReadBook.pages' has been added.\n"
        + "- Property 'ReadBook.notes' has been added.")
    withExtendedLifetime(open) {}
  }

  @Test func `LIFE-10: what has changed cannot be read`() {
    #expect(
      refusal { _ = try reading([Known.Changed.self]) }
        == "fail: The following changes cannot be made in read-only schema mode:\n"
        + "- Property 'ReadBook.title' has been changed from 'string' to 'int'.")
  }
}
