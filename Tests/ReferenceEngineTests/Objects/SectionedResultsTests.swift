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

  /// A loop over a section, or over sections, asked for a position in what was left of it: its body
  /// could end the process by deleting, and visited who came meanwhile.
  @Test func `loops over sections and their members go over what there was`() throws {
    let realm = try kennel()
    let dogs = realm.objects(Dog.self)
    let sections = dogs.sectioned(by: \.age)
    let olds = dogs.where { $0.age == 3 }.sectioned(by: \.age)
    realm.beginWrite()
    var names: [String] = []
    for dog in sections[2] {
      names.append(dog.name)
      realm.create(Dog.self, value: ["name": "new", "age": 3])
    }
    #expect(names == ["Ben", "Bo"])
    var isGone: [Bool] = []
    for dog in olds[0] {
      isGone.append(dog.isInvalidated)
      if isGone.count == 2 { realm.delete(dogs.where { $0.age == 3 }) }
    }
    #expect(isGone == [false, false, true, true])
    var keys: [Int] = []
    for section in sections {
      keys.append(section.key)
      realm.delete(dogs.where { $0.age < 3 })
    }
    #expect(keys == [1, 2])
    realm.cancelWrite()
    let letters = dogs.sectioned(by: { $0.name.count }, sortDescriptors: ["name"])
    var members: [String] = []
    try realm.write {
      for dog in letters.first(where: { $0.key == 4 })! {
        members.append(dog.name)
        dog.name = "another"
      }
    }
    #expect(members == ["Abel", "Cleo"])
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

  /// Swift takes two spellings of one text for equal, and NaN for no key at all.
  @Test func `sections are told apart by what is stored`() throws {
    let realm = try scratch.realm()
    try realm.write {
      for name in ["\u{e9}", "e\u{301}", "\u{e9}"] { realm.create(Dog.self, value: ["name": name]) }
      realm.create(Shelf.self).measures.append(objectsIn: [.nan, 1, .nan])
    }
    let names = realm.objects(Dog.self).sectioned(by: \.name)
    #expect(names.map(\.count) == [1, 2])
    #expect(names.map { $0.map(\.name.utf8.count) } == [[3], [2, 2]])
    let shelf = realm.objects(Shelf.self)[0]
    let measures = shelf.measures.sectioned(by: { $0 })
    #expect(measures.map(\.count) == [2, 1])
    #expect(measures.freeze().map(\.count) == [2, 1])
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
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      _ = realm.objects(Dog.self).sectioned(by: { $0.age }, sortDescriptors: [])
    }
    #expect(said(unsorted, "There must be at least one SortDescriptor"))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
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

  private func told<C>(_ change: SectionedResultsChange<C>) -> String {
    switch change {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications, let comes, let goes):
      "-\(deletions.map(Array.init)) +\(insertions.map(Array.init)) "
        + "~\(modifications.map(Array.init)) sections +\(Array(comes)) -\(Array(goes))"
    }
  }

  // What was known before the change of the row above:
  //   [1: Ada Abel] [2: Cleo] [3: Ben Bo]
  @Test func `listeners of sections hear of sections and of members`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { realm in
      for (name, age) in [("Ben", 3), ("Ada", 1), ("Bo", 3), ("Cleo", 2), ("Abel", 1)] {
        realm.create(Dog.self, value: ["name": name, "age": age])
      }
    }
    let (all, threes, names) = (Noted<String>(), Noted<String>(), Noted<String>())
    let tokens = desk.work { realm in
      let sections = realm.objects(Dog.self).sectioned(by: \.age)
      return [
        sections.observe { all.add(told($0)) },
        sections[2].observe { threes.add(told($0)) },
        sections.observe(keyPaths: [\Dog.name], on: desk.queue) { names.add(told($0)) },
      ]
    }
    desk.work { _ in }
    func commit(_ change: @escaping (Results<Dog>) -> Void) {
      other.commit { change($0.objects(Dog.self)) }
      desk.work { _ in }
    }
    commit { $0.where { $0.name == "Bo" }.first?.name = "Max" }
    commit { $0.where { $0.name == "Cleo" }.first?.age = 3 }
    commit { $0.realm!.create(Dog.self, value: ["name": "Zoe", "age": 9]) }
    commit { $0.realm!.create(Person.self) }
    commit { $0.realm!.delete($0.where { $0.age == 3 }) }
    let moved = "-[] +[[1, 2]] ~[] sections +[] -[1]"
    #expect(
      all.all == [
        "initial", "-[] +[] ~[[2, 1]] sections +[] -[]", moved,
        "-[] +[[2, 0]] ~[] sections +[2] -[]", "-[] +[] ~[] sections +[] -[1]",
      ])
    #expect(
      threes.all == [
        "initial", "-[] +[] ~[[2, 1]] sections +[] -[]", "-[] +[[1, 2]] ~[] sections +[] -[]",
        "-[] +[] ~[] sections +[] -[1]",
      ])
    #expect(names.all == all.all)
    for token in tokens { token.invalidate() }
  }

  /// Its section was another each time.
  @Test func `listeners of sections know that of NaN again`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { realm in
      for age in [1, 2, 9] { realm.create(Dog.self, value: ["name": "dog", "age": age]) }
    }
    let (all, one) = (Noted<String>(), Noted<String>())
    let tokens = desk.work { realm in
      let sections = realm.objects(Dog.self).sectioned(
        by: { $0.age < 5 ? .nan : Double($0.age) }, sortDescriptors: ["age"])
      return [sections.observe { all.add(told($0)) }, sections[0].observe { one.add(told($0)) }]
    }
    desk.work { _ in }
    other.commit { $0.objects(Dog.self)[0].name = "Ada" }
    desk.work { _ in }
    other.commit { $0.create(Dog.self, value: ["name": "Bo", "age": 3]) }
    desk.work { _ in }
    let calls = [
      "initial", "-[] +[] ~[[0, 0]] sections +[] -[]", "-[] +[[0, 2]] ~[] sections +[] -[]",
    ]
    #expect(all.all == calls)
    #expect(one.all == calls)
    for token in tokens { token.invalidate() }
  }

  @Test func `a change of its key alone brings a member to another section`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { realm in
      for name in ["Ada", "Bo"] { realm.create(Dog.self, value: ["name": name, "age": 1]) }
    }
    let heard = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Dog.self).sectioned(by: { $0.age }, sortDescriptors: ["name"])
        .observe { heard.add(told($0)) }
    }
    desk.work { _ in }
    other.commit { $0.objects(Dog.self)[1].age = 2 }
    desk.work { _ in }
    #expect(heard.all == ["initial", "-[[0, 1]] +[[1, 0]] ~[] sections +[1] -[]"])
    token.invalidate()
  }

  @Test func `REF-01: sections travel by reference`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { realm in
      for (name, age) in [("Ada", 1), ("Bo", 2)] {
        realm.create(Dog.self, value: ["name": name, "age": age])
      }
    }
    let (all, one) = desk.work { realm in
      let sections = realm.objects(Dog.self).sectioned(by: \.age)
      return (ThreadSafeReference(to: sections), ThreadSafeReference(to: sections[1]))
    }
    other.work { realm in
      #expect(realm.resolve(all)?.allKeys == [1, 2])
      #expect(realm.resolve(one)?.first?.name == "Bo")
    }
  }
}
