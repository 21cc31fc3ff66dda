import Foundation
import Testing

@testable import ReferenceEngine

class Shelf: Object {
  @Persisted var dogs: List<Dog>
  @Persisted var dogSet: MutableSet<Dog>
  @Persisted var dogMap: Map<String, Dog?>
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var measures: List<Double>
  @Persisted var prices: Map<String, Int>
  @Persisted var weights: MutableSet<Double>
  @Persisted var costs: MutableSet<Decimal128>
  @Persisted var addresses: List<Address>
}

class Hub: Object {
  @Persisted var next: Hub?
  @Persisted(originProperty: "next") var origins: LinkingObjects<Hub>
}

struct CollectionTests {
  let realm: Realm = {
    let name = UUID().uuidString
    return try! Realm(configuration: Realm.Configuration(inMemoryIdentifier: name))
  }()

  /// A shelf and so many dogs.
  private func shelf(_ count: Int) -> (Shelf, [Dog]) {
    (realm.create(Shelf.self), (0..<count).map { realm.create(Dog.self, value: ["age": $0]) })
  }

  @Test func `a link backwards stays until the last of several links from a list is gone`() throws {
    try realm.write {
      let dog = realm.create(Dog.self)
      let others = (0..<600).map { _ in realm.create(Dog.self) }
      let person = realm.create(Person.self)
      person.dogs.append(dog)
      person.dogs.append(objectsIn: others)
      person.dogs.append(dog)
      person.dogs.removeFirst()
      #expect(dog.owners.count == 1)
      person.dogs[600] = others[0]
      #expect(dog.owners.isEmpty && others[0].owners.count == 2)
      person.dogs.remove(at: 0)
      #expect(others[0].owners.count == 1)
      person.dogs.removeLast()
      #expect(others[0].owners.isEmpty && person.dogs.count == 599)
    }
  }

  @Test func `a deleted object leaves every place of a list, a set and a map`() throws {
    try realm.write {
      let (shelf, dogs) = shelf(600)
      for round in 0..<2 {
        for dog in dogs { shelf.dogs.insert(dog, at: round * shelf.dogs.count) }
      }
      shelf.dogSet.insert(objectsIn: dogs)
      for (number, dog) in dogs.enumerated() { shelf.dogMap["\(number % 7) \(number)"] = dog }
      for dog in dogs where dog.age % 3 != 0 { realm.delete(dog) }
      #expect(shelf.dogs.count == 400 && shelf.dogs.allSatisfy { $0.age % 3 == 0 })
      #expect(shelf.dogSet.count == 200 && shelf.dogMap.count == 600)
      #expect(shelf.dogMap.values.count { $0 != nil } == 200)
    }
  }

  @Test func `elements are found by what they are, objects by their row`() throws {
    try realm.write {
      let (shelf, dogs) = shelf(300)
      shelf.dogs.append(objectsIn: dogs)
      shelf.numbers.append(objectsIn: (0..<600).map { $0 * 1000 })
      shelf.texts.append(objectsIn: (0..<300).map { "text \($0)" } + [nil, ""])
      shelf.measures.append(objectsIn: [0.5, -0.0, .nan])
      #expect(shelf.dogs.contains(realm.objects(Dog.self)[299]))
      #expect(shelf.dogs.index(of: realm.objects(Dog.self)[299]) == 299)
      #expect(shelf.numbers.index(of: 599_000) == 599 && !shelf.numbers.contains(1))
      #expect(shelf.texts.index(of: nil) == 300 && shelf.texts.index(of: "") == 301)
      #expect(shelf.texts.index(of: "text 299") == 299 && shelf.texts.index(of: "text") == nil)
      #expect(shelf.measures.index(of: 0.0) == 1 && shelf.measures.index(of: .nan) == nil)
      #expect(realm.objects(Dog.self).contains(shelf.dogs[5]))
    }
  }

  @Test func `links backwards are found again after every change`() throws {
    try realm.write {
      let hub = realm.create(Hub.self)
      let others = (0..<200).map { _ in realm.create(Hub.self, value: ["next": hub]) }
      #expect(hub.origins.count == 200 && hub.origins.index(of: others[199]) == 199)
      #expect((0..<200).allSatisfy { hub.origins[$0].isSameObject(as: others[$0]) })
      others[3].next = others[4]
      #expect(hub.origins.count == 199 && hub.origins.index(of: others[3]) == nil)
      #expect(others[4].origins.count == 1 && hub.origins.contains(others[4]))
      realm.delete(others[5])
      #expect(hub.origins.count == 198)
    }
  }

  @Test func `a list takes ranges and offsets as an array does`() throws {
    try realm.write {
      for seed in 0..<50 {
        var random = Dice(seed: UInt64(seed))
        let (managed, free) = (realm.create(Shelf.self).numbers, List<Int>())
        var model = Array(0..<20)
        managed.append(objectsIn: model)
        free.append(objectsIn: model)
        for _ in 0..<10 {
          let (one, other) = (Int.random(in: 0...model.count, using: &random), model.count)
          let range = min(one, other)..<min(other, one + 3)
          let moved = Set((0..<3).map { _ in Int.random(in: 0..<20, using: &random) })
            .filter { $0 < model.count }
          switch Int.random(in: 0..<4, using: &random) {
          case 0:
            for list in [managed, free] { list.insert(contentsOf: [100, 101], at: one) }
            model.insert(contentsOf: [100, 101], at: one)
          case 1:
            for list in [managed, free] { list.removeSubrange(range) }
            model.removeSubrange(range)
          case 2:
            for list in [managed, free] { list.replaceSubrange(range, with: [200]) }
            model.replaceSubrange(range, with: [200])
          default:
            for list in [managed, free] { list.move(fromOffsets: moved, toOffset: one) }
            let before = model[..<one].enumerated().filter { !moved.contains($0.offset) }
            let behind = model.indices[one...].filter { !moved.contains($0) }
            model =
              before.map(\.element) + moved.sorted().map { model[$0] } + behind.map { model[$0] }
          }
          #expect(Array(managed) == model && Array(free) == model, "seed \(seed)")
        }
      }
    }
  }

  @Test func `a map is queried as the collection of its values`() throws {
    try realm.write {
      let (shelf, dogs) = shelf(5)
      for (number, dog) in dogs.enumerated() { shelf.dogMap["dog \(number)"] = dog }
      shelf.dogMap["none"] = .some(nil)
      for number in 0..<5 { shelf.prices["p\(number)"] = number }
      #expect(shelf.dogMap.filter("age > %@", 2).map { $0?.age } == [3, 4])
      #expect(shelf.dogMap.where { $0.age <= 1 }.count == 2)
      #expect(
        shelf.dogMap.sorted(byKeyPath: "age", ascending: false).compactMap { $0?.age }
          == [4, 3, 2, 1, 0])
      #expect(shelf.dogMap.max(ofProperty: "age") as Int? == 4)
      #expect(shelf.prices.sum() == 10 && shelf.prices.min() == 0 && shelf.prices.max() == 4)
      #expect(shelf.prices.average() as Double? == 2 && shelf.prices.where { $0 > 2 }.count == 2)
      #expect(Array(shelf.prices.sorted(ascending: false)) == [4, 3, 2, 1, 0])
      #expect(shelf.prices["p9", default: 7] == 7 && shelf.prices.asKeyValueSequence().count == 5)
    }
  }

  /// What takes another set passed outside a write if there was nothing to change.
  @Test(arguments: ["union", "intersection", "difference"])
  func `WRITE-16: a set is not changed by another one outside a write, even if they are empty`(
    operation: String
  ) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [operation = operation as String] in
      let realm = CollectionTests().realm
      let dogs = try realm.write { realm.create(Shelf.self) }.dogSet
      switch operation {
      case "union": dogs.formUnion(MutableSet())
      case "intersection": dogs.formIntersection(MutableSet())
      default: dogs.subtract(MutableSet())
      }
    }
    expect(result, says: "outside of a write transaction")
  }

  @Test
  func `sets compare what they hold: objects by their rows, numbers however they are written`()
    throws
  {
    try realm.write {
      let (one, dogs) = shelf(4)
      let other = realm.create(Shelf.self)
      one.dogSet.insert(objectsIn: dogs[0..<3])
      other.dogSet.insert(objectsIn: dogs[1..<4])
      one.dogSet.formIntersection(other.dogSet)
      #expect(Set(one.dogSet.map(\.age)) == [1, 2])
    }
    try realm.write {
      let shelf = realm.create(Shelf.self)
      shelf.weights.insert(objectsIn: [0.0, -0.0, 1])
      shelf.costs.insert(objectsIn: ["1.0", "1.00", "2"])
      #expect(shelf.weights.count == 2 && shelf.weights.contains(-0.0))
      #expect(shelf.costs.count == 2 && shelf.costs.contains("1.000"))
    }
    let free = MutableSet<String>()
    free.insert(objectsIn: (0..<20_000).map { "\($0 % 10_000)" })
    free.remove("5")
    #expect(free.count == 9999 && free.contains("6") && !free.contains("5"))
  }

  @Test func `sums and means are exact in decimals, and are given as the type that is asked for`()
    throws
  {
    try realm.write {
      let things = ["12345678901234567890.1", "0.2"].map {
        realm.create(Everything.self, value: ["decimal": $0, "int64": Int64.max / 2, "int8": 100])
      }
      let all = realm.objects(Everything.self)
      #expect(things.count == 2 && all.sum(of: \.decimal) == "12345678901234567890.3")
      #expect(all.average(ofProperty: "decimal") as Decimal128? == "6172839450617283945.15")
      #expect(all.sum(ofProperty: "int64") as Int64 == Int64.max - 1)
      #expect(all.sum(ofProperty: "int64") as Decimal128 == "9223372036854775806")
      #expect(
        all.sum(ofProperty: "int8") as Double == 200 && all.sum(ofProperty: "int8") as Int == 200)
      #expect(all.max(ofProperty: "int8") as Double? == 100)
    }
  }

  @Test func `objects that link to each other through mixed values are printed to a depth`() throws
  {
    try realm.write {
      let one = realm.create(Everything.self)
      one.any = .object(one)
      #expect(one.description.contains("any = <Maximum depth exceeded>;"))
      let free = Everything()
      free.any = .object(free)
      #expect(free.description.contains("any = <Maximum depth exceeded>;"))
      free.any = .none
    }
  }

  @Test func `a collection prints its first hundred elements, and where it lies`() throws {
    try realm.write {
      let (shelf, _) = shelf(0)
      shelf.numbers.append(objectsIn: 0..<150)
      let lines = shelf.numbers.description.split(separator: "\n")
      #expect(lines.first?.hasPrefix("List<int> <0x") == true && lines[1] == "\t[0] 0,")
      #expect(lines[101] == "\t... 50 objects skipped." && lines.count == 103)
    }
  }
}
