import Foundation
import Testing

@testable import ReferenceEngine

@Suite struct SectionedResultsTests {
  let scratch = Scratch()

  private func kennel() throws -> Realm {
    let realm = try scratch.realm()
    try realm.write {
      for (name, age) in [("Ben", 3), ("Ada", 1), ("Bo", 3), ("Cleo", 2), ("Abel", 1)] {
        realm.create(Dog.self, value: ["name": name, "age": age])
      }
    }
    return realm
  }

  @Test func `sections stand in the order of their key, members in theirs`() throws {
    let realm = try kennel()
    let sections = realm.objects(Dog.self).sectioned(by: \.age)
    #expect(sections.allKeys == [1, 2, 3])
    #expect(sections.map(\.key) == [1, 2, 3])
    #expect(sections.map { $0.map(\.name) } == [["Ada", "Abel"], ["Cleo"], ["Ben", "Bo"]])
    #expect(sections[IndexPath(indexes: [2, 1])].name == "Bo")
    let down = realm.objects(Dog.self).sectioned(
      by: \.age, sortDescriptors: [.init(keyPath: "age", ascending: false), "name"])
    #expect(down.map { $0.map(\.name) } == [["Ben", "Bo"], ["Cleo"], ["Abel", "Ada"]])
  }

  @Test func `a function may say the key, and members need not stand together`() throws {
    let realm = try kennel()
    let byLetter = realm.objects(Dog.self).sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: ["age"])
    #expect(byLetter.allKeys == ["A", "C", "B"])
    let parity = realm.objects(Dog.self).sectioned(
      by: { $0.age % 2 }, sortDescriptors: ["age", "name"])
    #expect(parity.map { $0.map(\.name) } == [["Abel", "Ada", "Ben", "Bo"], ["Cleo"]])
  }

  @Test func `values are sectioned, too`() throws {
    let realm = try scratch.realm()
    let everything = try realm.write {
      realm.create(Everything.self, value: ["ints": [5, 2, 8, 3]])
    }
    let sections = everything.ints.sectioned(by: { $0 % 2 == 0 ? "even" : "odd" })
    #expect(sections.allKeys == ["even", "odd"])
    #expect(sections.map(Array.init) == [[2, 8], [3, 5]])
  }

  @Test func `READ-08: sections show the changes of their own write at once`() throws {
    let realm = try kennel()
    let sections = realm.objects(Dog.self).sectioned(by: \.age)
    let three = sections[2]
    try realm.write {
      realm.objects(Dog.self).where { $0.name == "Cleo" }.first?.age = 3
      #expect(sections.allKeys == [1, 3])
      #expect(three.map(\.name).sorted() == ["Ben", "Bo", "Cleo"])
      realm.delete(realm.objects(Dog.self).where { $0.age == 3 })
      #expect(three.isEmpty && sections.count == 1)
    }
    #expect(sections.allKeys == [1])
  }

  @Test func `frozen sections stay as they were`() throws {
    let realm = try kennel()
    let frozen = realm.objects(Dog.self).sectioned(by: \.age).freeze()
    try realm.write { realm.deleteAll() }
    #expect(frozen.isFrozen && frozen.allKeys == [1, 2, 3] && frozen[0].freeze().count == 2)
    #expect(frozen.thaw()?.count == 0)
    #expect(frozen.realm?.isFrozen == true && !frozen.isInvalidated)
  }

  @Test func `sections without an order, or with another first, are refused`() async {
    func said(_ result: ExitTest.Result?, _ words: String) -> Bool {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(words)
    }
    let unsorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Scratch().realm()
      _ = realm.objects(Dog.self).sectioned(by: { $0.age }, sortDescriptors: [])
    }
    #expect(said(unsorted, "There must be at least one SortDescriptor"))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Scratch().realm()
      _ = realm.objects(Dog.self).sectioned(by: \.age, sortDescriptors: ["name"])
    }
    #expect(said(other, "The section key path must match the primary sort descriptor."))
  }

  @Test func `objects are listed by the name of their class`() throws {
    let realm = try kennel()
    let dogs = realm.dynamicObjects("Dog")
    #expect(dogs.count == 5 && dogs[0]["name"] as? String == "Ben")
    #expect(dogs.filter("age > 2").map { $0.age as? Int } == [3, 3])
    #expect(dogs.freeze().first?["name"] as? String == "Ben")
    #expect(realm.freeze(dogs).count == 5)
    let ben = realm.objects(Dog.self)[0]
    let frozen = realm.freeze(ben)
    #expect(frozen.isFrozen && realm.thaw(frozen)?.isSameObject(as: ben) == true)
  }
}
