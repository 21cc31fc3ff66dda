import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

@Suite struct QueryResultsTests {
  let scratch = Scratch()

  private func dogs(_ ages: [Int]) throws -> Realm {
    let realm = try scratch.realm()
    try realm.write {
      for (number, age) in ages.enumerated() {
        realm.create(Dog.self, value: ["name": "dog \(number)", "age": age])
      }
    }
    return realm
  }

  // MARK: Typed queries

  @Test func `typed queries read like Swift and mean what they say`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let world = try SampleWorld(rows: 120, in: scratch, using: &random)
    let all = world.realm.objects(Sample.self)
    let array = Array(all)
    func check(
      _ query: (Query<Sample>) -> Query<Bool>, _ naive: (Sample) -> Bool, line: Int = #line
    ) {
      #expect(
        all.where(query).map(\.id) == array.filter(naive).map(\.id), "the query of line \(line)")
    }
    check({ $0.code == 3 }, { $0.code == 3 })
    check({ $0.bool }, { $0.bool })
    check({ !$0.bool && $0.tiny > 0 }, { !$0.bool && $0.tiny > 0 })
    check({ $0.code < 0 || $0.code >= 5 }, { $0.code < 0 || $0.code >= 5 })
    check({ $0.intOptional == nil }, { $0.intOptional == nil })
    check({ $0.intOptional > 0 }, { ($0.intOptional ?? 0) > 0 })
    check({ $0.tag != "a" }, { $0.tag != "a" })
    check({ $0.code.in([1, 2, -3]) }, { [1, 2, -3].contains($0.code) })
    check({ $0.code.contains(-2...2) }, { (-2...2).contains($0.code) })
    check({ $0.code.contains(-2..<2) }, { (-2..<2).contains($0.code) })
    check({ $0.string.starts(with: "a") }, { $0.string.hasPrefix("a") })
    check({ $0.string.like("a*") }, { $0.string.hasPrefix("a") })
    check(
      { $0.string.contains("B", options: .caseInsensitive) },
      { $0.string.lowercased().contains("b") })
    check({ $0.link.code == 3 }, { $0.link?.code == 3 })
    check({ $0.links.code > 3 }, { $0.links.contains { $0.code > 3 } })
    check({ $0.links.count == 2 }, { $0.links.count == 2 })
    check({ $0.links.code.sum > 3 }, { $0.links.map(\.code).reduce(0, +) > 3 })
    check({ $0.ints.contains(0) }, { $0.ints.contains(0) })
    check({ $0.ints.containsAny(in: [0, 1]) }, { $0.ints.contains { $0 == 0 || $0 == 1 } })
    check(
      { $0.ints.contains(0...9) },
      {
        !$0.ints.isEmpty && $0.ints.allSatisfy { (0...9).contains($0) }
      })
    check({ $0.ints.max >= 5 }, { ($0.ints.max() ?? 0) >= 5 })
    check(
      { ($0.links.code > 0 && $0.links.bool == true).count > 1 },
      { $0.links.filter { $0.code > 0 && $0.bool }.count > 1 })
    check({ $0.prices["eur"] > 0 }, { ($0.prices["eur"] ?? 0) > 0 })
    check({ $0.linkers.code == 1 }, { $0.linkers.contains { $0.code == 1 } })
    let target = array[5].link ?? array[0]
    check({ $0.link == target }, { $0.link?.id == target.id })
  }

  @Test func `the threading page's queries work`() throws {
    let realm = try scratch.realm()
    try realm.write { realm.create(Person.self, value: ["name": "Dachary"]) }
    let people = realm.objects(Person.self)
    #expect(people.where { $0.name == "Dachary" }.first?.name == "Dachary")
    #expect(people.filter("name == %@", "nobody").first == nil)
  }

  // MARK: Order

  @Test func `sorting agrees with a plain sort, ties keep their order`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let world = try SampleWorld(rows: 300, in: scratch, using: &random)
    let all = world.realm.objects(Sample.self)
    func check<Value: Comparable>(
      _ name: String, _ value: (Sample) -> Value?, _ results: Results<Sample>? = nil
    ) {
      for ascending in [true, false] {
        let plain = Array(all).enumerated().sorted { one, other in
          let (a, b) = (value(one.element), value(other.element))
          guard let a, let b else {
            if a == nil, b == nil { return one.offset < other.offset }
            // Null comes first, what is behind no link comes last.
            return (a == nil) == (ascending != name.contains("."))
          }
          return a == b ? one.offset < other.offset : (a < b) == ascending
        }
        #expect(
          all.sorted(byKeyPath: name, ascending: ascending).map(\.id) == plain.map(\.element.id),
          "\(name) \(ascending)")
      }
    }
    check("int") { $0.int }
    check("code") { $0.code }
    check("intOptional") { $0.intOptional }
    check("date") { $0.date }
    check("dateOptional") { $0.dateOptional }
    check("bool") { $0.bool ? 1 : 0 }
    check("string") { Bytes($0.string) }
    check("text") { $0.text.map(Bytes.init) }
    check("link.code") { $0.link?.code }
    check("decimal") { $0.decimal }
    #expect(
      all.sorted(by: [
        SortDescriptor(keyPath: "code"), SortDescriptor(keyPath: "id", ascending: false),
      ])
      .map(\.id)
        == Array(all).sorted { ($0.code, -$0.id) < ($1.code, -$1.id) }.map(\.id))
    #expect(all.sorted(by: \.code).map(\.code) == all.map(\.code).sorted())
  }

  // The key's own order is the order the rows lie in: such a sort has nothing to do, and must come
  // out the same.
  @Test func `sorting by the key of the rows, too, agrees with a plain sort`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let realm = try scratch.realm()
    try realm.write {
      for id in (-300..<700).shuffled(using: &random) {
        realm.create(
          Keyed.self, value: ["id": id, "name": "n\(Int.random(in: 0..<20, using: &random))"])
      }
    }
    func check(_ asked: Results<Keyed>, _ plain: [Keyed]) {
      for (one, other) in [("name", "id"), ("id", "name")] {
        for (up, down) in [(true, true), (true, false), (false, true)] {
          let sorted = asked.sorted(by: [
            SortDescriptor(keyPath: one, ascending: up),
            SortDescriptor(keyPath: other, ascending: down),
          ])
          let expected = plain.sorted { left, right in
            if left.name == right.name || one == "id" {
              return (left.id < right.id) == (one == "id" ? up : down)
            }
            return (left.name < right.name) == up
          }
          #expect(sorted.map(\.id) == expected.map(\.id), "\(one) \(up), \(other) \(down)")
          #expect(sorted.first?.id == expected.first?.id)
        }
      }
    }
    let all = realm.objects(Keyed.self)
    check(all, Array(all))
    check(all.where { $0.id > 100 }, all.filter { $0.id > 100 })
    let names = ["n3", "n17", "n5"]
    check(all.where { $0.name.in(names) }, all.filter { names.contains($0.name) })
    let byName = all.sorted(byKeyPath: "name", ascending: false)
    #expect(byName.sorted(byKeyPath: "id").map(\.id) == Array(-300..<700))
  }

  private struct Bytes: Comparable {
    let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
    static func < (left: Bytes, right: Bytes) -> Bool {
      left.bytes.lexicographicallyPrecedes(right.bytes)
    }
  }

  @Test func `the first of a sort are found without sorting the rest`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let ages = (0..<3_000).map { _ in Int.random(in: 0..<500, using: &random) }
    let realm = try dogs(ages)
    for ascending in [true, false] {
      let sorted = realm.objects(Dog.self).sorted(byKeyPath: "age", ascending: ascending)
      let expected = ages.sorted(by: ascending ? (<) : (>))
      #expect(sorted.prefix(100).map(\.age) == Array(expected.prefix(100)))
      #expect(sorted[2_999].age == expected[2_999])
      #expect(sorted.first?.age == expected.first && sorted.last?.age == expected.last)
      let some = realm.objects(Dog.self).where { $0.age > 250 }
        .sorted(byKeyPath: "age", ascending: ascending)
      #expect(some[3].age == expected.filter { $0 > 250 }[3])
    }
  }

  @Test func `distinct keeps the first of each`() throws {
    let realm = try dogs([3, 1, 3, 2, 1])
    let all = realm.objects(Dog.self)
    #expect(all.distinct(by: ["age"]).map(\.name) == ["dog 0", "dog 1", "dog 3"])
    #expect(
      all.sorted(byKeyPath: "name", ascending: false).distinct(by: ["age"]).map(\.name)
        == ["dog 4", "dog 3", "dog 2"])
    #expect(all.distinct(by: ["age", "name"]).count == 5)
    // What broke: all were the same.
    let none: [String] = []
    #expect(all.distinct(by: none).map(\.name) == all.map(\.name))
  }

  // MARK: Numbers

  @Test func `aggregates agree with plain ones, null takes no part`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let world = try SampleWorld(rows: 300, in: scratch, using: &random)
    for all in [
      world.realm.objects(Sample.self), world.realm.objects(Sample.self).where { $0.tiny > 0 },
      world.realm.objects(Sample.self).where { $0.tiny > 127 || $0.tiny < -127 },
    ] {
      let array = Array(all)
      #expect(all.sum(of: \.code) == array.map(\.code).reduce(0, +))
      #expect(all.sum(ofProperty: "tiny") == array.map { Int($0.tiny) }.reduce(0, +))
      #expect(all.min(of: \.int) == array.map(\.int).min())
      #expect(all.max(of: \.int) == array.map(\.int).max())
      #expect(all.min(of: \.intOptional) == array.compactMap(\.intOptional).min())
      #expect(all.max(of: \.date) == array.map(\.date).max())
      let mean = array.isEmpty ? nil : Double(array.map(\.code).reduce(0, +)) / Double(array.count)
      #expect(all.average(of: \.code) == mean)
      #expect(all.sum(of: \.decimal) == array.map(\.decimal).reduce(Decimal128(0), +))
    }
  }

  // MARK: Positions

  @Test func `members are found by object and by condition`() throws {
    let realm = try dogs([5, 3, 8])
    let all = realm.objects(Dog.self)
    let sorted = all.sorted(byKeyPath: "age")
    #expect(all.index(of: all[2]) == 2 && sorted.index(of: all[2]) == 2)
    #expect(sorted.index(of: all[1]) == 0)
    #expect(sorted.index(matching: { $0.age == 5 }) == 1)
    #expect(all.index(matching: "age > %@", 100) == nil)
    #expect(all.objects(at: [0, 2]).map(\.age) == [5, 8])
    #expect(all.where { $0.age > 4 }.where { $0.age < 7 }.map(\.age) == [5])
  }

  // MARK: Life

  @Test func `READ-08: results show the changes of their own write at once`() throws {
    let realm = try dogs([1, 2])
    let all = realm.objects(Dog.self)
    let old = all.where { $0.age > 1 }
    let sorted = all.sorted(byKeyPath: "age", ascending: false)
    #expect(old.count == 1 && sorted.first?.age == 2)
    try realm.write {
      let dog = realm.create(Dog.self, value: ["name": "new", "age": 9])
      #expect(all.count == 3 && old.count == 2 && sorted.first?.name == "new")
      dog.age = 0
      #expect(old.count == 1 && sorted.last?.name == "new")
      realm.delete(dog)
      #expect(all.count == 2 && old.count == 1)
    }
    #expect(all.count == 2)
  }

  @Test func `READ-12: a loop visits the members of its beginning, whatever its body does`() throws
  {
    let realm = try dogs(Array(repeating: 1, count: 700))
    let young = realm.objects(Dog.self).where { $0.age == 1 }
    var visited = 0
    try realm.write {
      for dog in young {
        dog.age = 2
        visited += 1
      }
    }
    #expect(visited == 700 && young.count == 0)
    var seen = 0
    try realm.write {
      for dog in realm.objects(Dog.self) where !dog.isInvalidated {
        realm.delete(dog)
        seen += 1
      }
    }
    #expect(seen == 700 && realm.objects(Dog.self).isEmpty)
  }

  @Test func `READ-12: a loop goes on over the old members while its body commits`() throws {
    let realm = try dogs(Array(0..<600))
    var gone = 0
    var names: [String] = []
    for (number, dog) in realm.objects(Dog.self).enumerated() {
      if dog.isInvalidated {
        gone += 1
        continue
      }
      names.append(dog.name)
      guard number % 100 == 0 else { continue }
      try realm.write {
        realm.delete(dog)
        if let last = realm.objects(Dog.self).last { realm.delete(last) }
        realm.create(Dog.self, value: ["name": "late", "age": 0])
      }
    }
    #expect(names.count + gone == 600 && gone > 0 && !names.contains("late"))
  }

  @Test func `whoever keeps an element of a loop keeps it`() throws {
    let realm = try dogs(Array(0..<600))
    var kept: [Dog] = []
    for dog in realm.objects(Dog.self) where dog.age % 3 == 0 { kept.append(dog) }
    #expect(kept.map(\.age) == Array(stride(from: 0, to: 600, by: 3)))
    var sum = 0
    var last: Dog?
    // swift-format-ignore: ReplaceForEachWithForLoop
    realm.objects(Dog.self).forEach { dog in
      if dog.age == 17 { last = dog }
      sum += dog.age
    }
    #expect(sum == 599 * 300 && last?.age == 17)
    #expect(Array(realm.objects(Dog.self)).map(\.age) == Array(0..<600))
  }

  @Test func `deleting results deletes their objects and no others`() throws {
    let realm = try dogs(Array(0..<500))
    try realm.write { realm.delete(realm.objects(Dog.self).where { $0.age >= 100 }) }
    #expect(realm.objects(Dog.self).map(\.age) == Array(0..<100))
  }

  @Test func `a property of all members is read and written by name`() throws {
    let realm = try dogs([1, 2, 3])
    let all = realm.objects(Dog.self)
    #expect(all.value(forKey: "age") as? [Int] == [1, 2, 3])
    try realm.write { all.where { $0.age < 3 }.setValue(7, forKey: "age") }
    #expect(all.map(\.age) == [7, 7, 3])
  }

  @Test func `a collection whose kind is erased is the same collection`() throws {
    let realm = try scratch.realm()
    let person = try realm.write {
      realm.create(
        Person.self,
        value: ["name": "Ada", "dogs": [["name": "a", "age": 4], ["name": "b", "age": 2]]])
    }
    let erased = AnyRealmCollection(person.dogs)
    #expect(erased.map(\.age) == [4, 2] && erased.sorted(byKeyPath: "age").first?.name == "b")
    #expect(erased == AnyRealmCollection(person.dogs))
    try realm.write { person.dogs.append(Dog(value: ["name": "c", "age": 9])) }
    #expect(erased.count == 3 && erased.freeze().isFrozen)
  }

  @Test func `indexed properties are looked up, with the same answers`() throws {
    let realm = try scratch.realm()
    try realm.write {
      for id in 0..<500 { realm.create(Keyed.self, value: ["id": id, "name": "n\(id % 7)"]) }
    }
    let all = realm.objects(Keyed.self)
    #expect(all.where { $0.id == 77 }.map(\.id) == [77])
    #expect(all.where { $0.id == 5_000 }.isEmpty)
    #expect(all.filter("name == 'n3' AND id < 20").map(\.id) == [3, 10, 17])
    #expect(all.filter("name IN {'n1', 'n2'}").count == 144)
    #expect(all.filter("id IN %@", [3, 1, 900]).map(\.id) == [1, 3])
  }

  @Test func `long lists after IN are looked up, by typed queries and filters alike`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let world = try SampleWorld(rows: 120, in: scratch, using: &random)
    let all = world.realm.objects(Sample.self)
    let array = Array(all)
    let words = (0..<80).map { "no \($0)" } + ["A", "straße", "e\u{301}", ""]
    let found = array.filter { sample in
      words.contains { $0.utf8.elementsEqual(sample.string.utf8) }
    }
    #expect(!found.isEmpty)
    #expect(all.where { $0.string.in(words) }.map(\.id) == found.map(\.id))
    #expect(all.filter("string IN %@", words).map(\.id) == found.map(\.id))
    #expect(all.filter("NOT string IN %@", words).count == array.count - found.count)
    let folded = array.filter { sample in
      words.contains { $0.lowercased().utf8.elementsEqual(sample.string.lowercased().utf8) }
    }
    let lists = folded.filter { !$0.string.contains("SS") && !$0.string.contains("ß") }
    let some = all.filter("string IN[c] %@", words)
    #expect(some.count >= lists.count && lists.allSatisfy { some.index(of: $0) != nil })
    let tags: [String?] = words + [nil]
    let tagged = array.filter { sample in
      guard let tag = sample.tag else { return true }
      return words.contains { $0.utf8.elementsEqual(tag.utf8) }
    }
    #expect(all.where { $0.tag.in(tags) }.map(\.id) == tagged.map(\.id))
    let numbers = [Double.nan, 0, 1.5, 3] + (10..<80).map(Double.init)
    #expect(
      all.where { $0.double.in(numbers) }.map(\.id)
        == array.filter { numbers.contains($0.double) }.map(\.id))
    let floats = numbers.map { Float($0) }
    #expect(
      all.where { $0.float.in(floats) }.map(\.id)
        == array.filter { floats.contains($0.float) }.map(\.id))
    let dates = (0..<80).map { Date(timeIntervalSince1970: Double($0) / 2) }
    #expect(
      all.where { $0.date.in(dates) }.map(\.id)
        == array.filter { dates.contains($0.date) }.map(\.id))
    let ids: [UUID?] = (0..<80).map {
      UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    }
    #expect(
      all.where { $0.uuid.in(ids) }.map(\.id)
        == array.filter { $0.uuid != nil && ids.contains($0.uuid) }.map(\.id))
  }

  @Test func `a walk counts its object as often as others do`() throws {
    let realm = try dogs(Array(0..<700))
    let all = realm.objects(Dog.self)
    weak var gone: Dog?
    for round in 0..<3 {
      var last: Dog?
      var sum = 0
      for dog in all {
        // Kept for one step or for many, given back early or late: each time another count.
        if dog.age % 7 == round { last = dog }
        if dog.age == 600 { gone = dog }
        sum += dog.age
      }
      #expect(sum == 700 * 699 / 2)
      #expect((last?.age ?? 0) % 7 == round)
    }
    #expect(gone == nil)
    var kept: [Dog] = []
    var sum = 0
    // forEach itself is what is asked here.
    // swift-format-ignore: ReplaceForEachWithForLoop
    all.forEach { dog in
      if dog.age % 100 == 50 { kept.append(dog) }
      sum += dog.age
    }
    #expect(sum == 700 * 699 / 2 && kept.map(\.age) == [50, 150, 250, 350, 450, 550, 650])
  }

  @Test func `forEach goes on over what its body changes and deletes`() throws {
    let realm = try dogs(Array(0..<700))
    let all = realm.objects(Dog.self)
    var seen: [Int] = []
    // swift-format-ignore: ReplaceForEachWithForLoop
    try all.forEach { dog in
      seen.append(dog.age)
      guard dog.age % 50 == 0 else { return }
      try realm.write { dog.name = "seen" }
      #expect(dog.name == "seen")
    }
    #expect(seen == Array(0..<700))
    #expect(all.filter("name == 'seen'").count == 14)
    try realm.write {
      // swift-format-ignore: ReplaceForEachWithForLoop
      all.forEach { dog in if dog.age % 2 == 0 { realm.delete(dog) } }
    }
    #expect(all.count == 350)
  }

  @Test func `FREEZE-09: frozen results are queried on many threads at once`() throws {
    let realm = try dogs(Array(0..<1_000))
    let frozen = realm.objects(Dog.self).where { $0.age >= 500 }.sorted(byKeyPath: "age").freeze()
    try realm.write { realm.delete(realm.objects(Dog.self)) }
    struct Carried: @unchecked Sendable {
      // Sendable because frozen results are.
      let results: Results<Dog>
    }
    let carried = Carried(results: frozen)
    // Threads and no tasks: after an `await` the live realm would be asked on another thread than
    // its own.
    let right = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      if carried.results.count == 500, carried.results.first?.age == 500,
        carried.results.where({ $0.age < 600 }).sum(of: \.age) == (500..<600).reduce(0, +)
      {
        right.add(1, ordering: .relaxed)
      }
    }
    #expect(right.load(ordering: .relaxed) == 4)
    #expect(realm.objects(Dog.self).isEmpty)
  }
}
