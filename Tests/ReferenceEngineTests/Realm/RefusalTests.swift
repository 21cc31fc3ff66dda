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

  @Test(
    arguments: [
      "list", "set", "map", "list by name", "set by name", "map by name", "number", "text", "link",
      "embedded", "mixed", "number by name", "nothing by name",
    ], [false, true])
  func `what is set in an invalidated object is told that it is`(
    property: String, isDeleted: Bool
  ) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [property = property as String, isDeleted = isDeleted as Bool] in
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "exit"))
      let all = try realm.write { realm.create(Everything.self) }
      if isDeleted {
        try realm.write { realm.delete(all) }
        realm.beginWrite()
      } else {
        realm.invalidate()
      }
      switch property {
      case "list": all.ints = List()
      case "set": all.intSet = MutableSet()
      case "map": all.intMap = Map()
      case "list by name": all["ints"] = [1]
      case "set by name": all["intSet"] = [1]
      case "map by name": all["intMap"] = ["a": 1]
      case "number": all.int = 1
      case "text": all.string = "a"
      case "link": all.link = Everything()
      case "embedded": all.address = Address()
      case "mixed": all.any = .fromArray([1])
      case "number by name": all["int"] = 1
      default: all["stringOptional"] = nil
      }
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

  @Test(arguments: ["results", "members", "sections", "section"], [false, true])
  func `what is listened to is of the realm's present life`(
    kind: String, isElsewhere: Bool
  ) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [kind = kind as String, isElsewhere = isElsewhere as Bool] in
      let desk = Desk(freshConfiguration())
      desk.work { realm in
        try! realm.write { realm.create(Person.self, value: ["dogs": [["name": "Rex"]]]) }
        let dogs = realm.objects(Dog.self)
        let members = realm.objects(Person.self)[0].dogs.where { $0.age == 0 }
        let sections = dogs.sectioned(by: \.name)
        let section = sections[0]
        realm.invalidate()
        let queue = isElsewhere ? DispatchQueue(label: "elsewhere") : nil
        switch kind {
        case "results": _ = dogs.observe(on: queue) { _ in }
        case "members": _ = members.observe(on: queue) { _ in }
        case "sections": _ = sections.observe(on: queue) { _ in }
        default: _ = section.observe(on: queue) { _ in }
        }
      }
    }
    #expect(said(result, "Access to invalidated Results objects"))
  }

  @Test func `an object without a primary key is not added with an update policy`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "exit"))
      try realm.write { realm.add(Person(), update: .modified) }
    }
    #expect(said(result, "'Person' does not have a primary key and can not be updated"))
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
