import EngineUnderTest
import Foundation

/// Members of sections, asked for by their path and by their two places: it is the same one, the
/// section named first, whatever the realm is in the middle of.
enum SectionPaths {
  /// How many members each section has. In none of them can the two places be taken for each other
  /// throughout; in some there is no member for them the other way round.
  private static let shapes = [
    [1], [4], [1, 1, 1], [3, 1], [1, 3], [2, 2, 2], [5, 1, 2, 4], Array(1...9),
    Array(repeating: 3, count: 40),
  ]

  static let probe = Probe(
    "members of sections are the same by their path and by their two places, at each moment"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for (number, shape) in shapes.enumerated() {
      let realm = try stage.open("\(number)")
      realm.autorefresh = false
      try realm.write { fill(realm, shape) }
      let owner = realm.objects(Everything.self)[0]
      let asked = Asked(
        accounts: realm.objects(Account.self).sectioned(
          by: \.balance, sortDescriptors: ["balance", "id"]),
        backwards: realm.objects(Account.self).where { $0.id >= 0 }.sectioned(
          by: { -$0.balance }, sortDescriptors: [SortDescriptor(keyPath: "id", ascending: false)]),
        dogs: owner.dogs.sectioned(by: \.age, sortDescriptors: ["age", "name"]),
        values: owner.numbers.sectioned(by: { $0 / 1000 }))
      func look(_ shape: [Int], _ when: String) {
        asked.look(stage, shape, "\(when), of \(shape.count) sections")
      }
      look(shape, "live")
      let frozen = asked.frozen
      // A section more in front of the others, and a member more in the last one.
      let grown = [2] + shape.dropLast() + [shape.last! + 1]
      realm.beginWrite()
      look(shape, "in a write that has changed nothing")
      fill(realm, grown)
      look(grown, "in a write")
      realm.cancelWrite()
      look(shape, "after a write that was cancelled")
      try stage.foreign("\(number)") { fill($0, grown) }
      look(shape, "before a refresh")
      realm.refresh()
      look(grown, "after a refresh")
      frozen.look(stage, shape, "frozen, of \(shape.count) sections")
      try stage.elsewhere {
        frozen.look(stage, shape, "frozen and elsewhere, of \(shape.count) sections")
      }
      try realm.write { fill(realm, shape) }
      look(shape, "after a write")
    }
  }

  /// The place of a member in its whole, by which all kinds of them are told apart.
  private static func number(_ section: Int, _ member: Int) -> Int { section * 1000 + member }

  private static func fill(_ realm: Realm, _ shape: [Int]) {
    realm.delete(realm.objects(Account.self))
    realm.delete(realm.objects(Dog.self))
    let owner = realm.objects(Everything.self).first ?? realm.create(Everything.self)
    owner.numbers.removeAll()
    for (section, count) in shape.enumerated() {
      for member in 0..<count {
        let number = number(section, member)
        realm.add(Account(id: number, balance: section))
        owner.dogs.append(Dog(name: String(format: "%09d", number), age: section))
        owner.numbers.append(number)
      }
    }
  }

  /// Sections of each kind of collection, by a property and by a block.
  private struct Asked {
    let accounts: SectionedResults<Int, Account>
    let backwards: SectionedResults<Int, Account>
    let dogs: SectionedResults<Int, Dog>
    let values: SectionedResults<Int, Int>

    var frozen: Asked {
      Asked(
        accounts: accounts.freeze(), backwards: backwards.freeze(), dogs: dogs.freeze(),
        values: values.freeze())
    }

    func look(_ stage: Stage, _ shape: [Int], _ when: String) {
      let wanted = shape.enumerated().map { section, count in
        (0..<count).map { number(section, $0) }
      }
      Self.look(stage, accounts, wanted, "accounts \(when)") { $0.id }
      let turned = wanted.reversed().map { Array($0.reversed()) }
      Self.look(stage, backwards, turned, "accounts backwards \(when)") { $0.id }
      Self.look(stage, dogs, wanted, "a list's dogs \(when)") { Int($0.name)! }
      Self.look(stage, values, wanted, "a list's numbers \(when)") { $0 }
    }

    private static func look<Key, Member>(
      _ stage: Stage, _ sections: SectionedResults<Key, Member>, _ wanted: [[Int]],
      _ what: String, _ number: (Member) -> Int
    ) {
      // Before anything is asked by a path: who asks for a member that is not there is ended.
      stage.equal(sections.map(\.count), wanted.map(\.count), "the counts of \(what)")
      for (section, members) in wanted.enumerated() where section < sections.count {
        for (place, member) in members.enumerated() where place < sections[section].count {
          let path = IndexPath(indexes: [section, place])
          stage.equal(
            number(sections[section][place]), member, "\(section), \(place) of \(what)")
          stage.equal(number(sections[path]), member, "\(path) of \(what), by its path")
          stage.equal(
            number(sections[IndexPath(index: section).appending(place)]), member,
            "\(path) of \(what), by a path that was put together")
        }
      }
    }
  }
}
