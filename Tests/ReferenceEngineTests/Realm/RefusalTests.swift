import Foundation
import Testing

@testable import ReferenceEngine

private final class LetterBox: Object {
  @Persisted var any: List<AnyRealmValue>
  @Persisted var value: AnyRealmValue
  @Persisted var ints: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var prices: Map<String, Int>
}

private final class NotPersisted: Projection<Person> {
  @Projected(\Person.isInvalidated) var isGone
}

/// What is refused, and what objects are after their end.
struct RefusalTests {
  private func said(_ result: ExitTest.Result?, _ words: String) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(words)
  }

  private func realm() throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
  }

  @Test func `a collection set in an invalidated object is told that it is`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "exit"))
      let person = try realm.write { realm.create(Person.self) }
      realm.invalidate()
      person.dogs = List()
    }
    #expect(said(result, "Object has been deleted or invalidated."))
  }

  @Test func `a realm to be read only is not one to be deleted`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Scratch().configuration()
      configuration.readOnly = true
      configuration.deleteRealmIfMigrationNeeded = true
      _ = try Realm(configuration: configuration)
    }
    #expect(said(result, "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set."))
  }

  @Test func `a projection of what is not persisted is refused when it is made`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NotPersisted(projecting: Person())
    }
    #expect(said(result, "@Projected property 'isGone' must be a part of Realm object"))
  }

  @Test func `a property of a collection is one collection`() throws {
    let realm = try realm()
    let box = LetterBox()
    let (ints, words, prices) = (box.ints, box.words, box.prices)
    #expect(ints === box.ints && words === box.words && prices === box.prices)
    try realm.write { realm.add(box) }
    #expect(ints === box.ints && words === box.words && prices === box.prices)
    try realm.write { realm.create(LetterBox.self, value: ["ints": [1]]) }
    let found = realm.objects(LetterBox.self)[1]
    #expect(found.ints === found.ints && found.words === found.words)
    #expect(found.prices === found.prices)
    // One object walks from row to row in a loop, and its collections with it.
    #expect(realm.objects(LetterBox.self).map(\.ints.count) == [0, 1])
    var counts: [Int] = []
    for box in realm.objects(LetterBox.self) { counts.append(box.ints.count + box.ints.count) }
    #expect(counts == [0, 2])
    counts = []
    let boxes = realm.objects(LetterBox.self)
    // swift-format-ignore: ReplaceForEachWithForLoop
    boxes.forEach { counts.append($0.ints.count) }
    #expect(counts == [0, 1])
  }

  @Test func `a deleted object knows its realm`() throws {
    let realm = try realm()
    let box = try realm.write { realm.create(LetterBox.self) }
    let other = realm.objects(LetterBox.self)[0]
    try realm.write { realm.delete(box) }
    #expect(box.isInvalidated && other.isInvalidated && other.realm == realm)
  }

  @Test func `sums of mixed values are decimals`() throws {
    let realm = try realm()
    let values: [AnyRealmValue] = [.int(1), .double(2.5), .string("x"), .none]
    let free = List<AnyRealmValue>(values)
    let box = try realm.write { realm.create(LetterBox.self, value: ["value": 4]) }
    try realm.write { box.any.append(objectsIn: values) }
    #expect(free.sum() == .decimal128("3.5") && box.any.sum() == .decimal128("3.5"))
    #expect((box.any.average() as Decimal128?) == "1.75")
    #expect((realm.objects(LetterBox.self).sum(ofProperty: "value") as Decimal128) == 4)
    #expect(
      (realm.objects(LetterBox.self).sum(ofProperty: "value") as AnyRealmValue).decimal128Value == 4
    )
  }
}
