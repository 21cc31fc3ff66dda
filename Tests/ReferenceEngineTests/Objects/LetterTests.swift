import Foundation
import Testing

@testable import ReferenceEngine

private struct Celsius: CustomPersistable, Hashable {
  let degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

private struct Even: FailableCustomPersistable, Hashable {
  let number: Int
  init?(persistedValue: Int) {
    guard persistedValue % 2 == 0 else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

private final class Point: EmbeddedObject {
  @Persisted var x: Int
  @Persisted var y: Int
}

private struct Spot: CustomPersistable, Hashable {
  let x: Int
  let y: Int
  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
  init(persistedValue: Point) { self.init(x: persistedValue.x, y: persistedValue.y) }
  var persistableValue: Point { Point(value: ["x": x, "y": y]) }
}

private final class Weather: Object {
  @Persisted var temperature: Celsius
  @Persisted var highest: Celsius?
  @Persisted var even: Even?
  @Persisted var spot: Spot?
  @Persisted var all: List<Celsius>
  @Persisted var byDay: Map<String, Celsius>
}

private final class Coded: Object, Codable {
  @Persisted var name = "nobody"
  @Persisted var age: Int
  @Persisted var mail: String?
  @Persisted var numbers: List<Int>
}

private final class AlphabeticView: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.age) var years
  @Projected(\Person.best?.name) var best
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
  @Projected(\Person.dogs.first) var firstDog
}

private final class ShelfView: Projection<Shelf> {
  @Projected(\Shelf.dogSet.first) var anyDog
  @Projected(\Shelf.weights.first) var weight
  @Projected(\Shelf.numbers.last) var number
  @Projected(\Shelf.prices) var prices
  @Projected(\Shelf.dogSet.projectTo.name) var names: ProjectedCollection<String>
}

/// The parts of the interface that are there for code that was written for RealmSwift.
struct LetterTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  private func ada() throws -> Person {
    try realm.write {
      realm.create(
        Person.self,
        value: [
          "name": "Ada", "age": 36, "best": ["name": "Rex", "age": 7],
          "dogs": [["name": "Ben", "age": 3], ["name": "Bo", "age": 4]],
        ])
    }
  }

  @Test func `values are found and set along paths of names`() throws {
    let ada = try ada()
    #expect(ada.value(forKeyPath: "best.name") as? String == "Rex")
    #expect(ada.value(forKeyPath: "dogs.name") as? [String] == ["Ben", "Bo"])
    #expect(ada.value(forKeyPath: "dogs.@sum.age") as? Int == 7)
    #expect(ada.value(forKeyPath: "dogs.@max.age") as? Int == 4)
    #expect(ada.value(forKeyPath: "dogs.@count") as? Int == 2)
    #expect(ada.value(forKeyPath: "email") == nil && Person().value(forKeyPath: "best.name") == nil)
    try realm.write {
      ada.setValue("Max", forKeyPath: "best.name")
      ada.setValue(9, forKeyPath: "dogs.age")
      realm.objects(Person.self).setValue("Tim", forKeyPath: "best.name")
    }
    #expect(ada.best?.name == "Tim" && ada.dogs.map(\.age) == [9, 9])
    #expect(realm.objects(Person.self).value(forKeyPath: "best.age") as? [Int] == [7])
    #expect(
      realm.objects(Dog.self).value(forKeyPath: "@unionOfObjects.age") as? [Int] == [9, 9, 7])
    #expect(
      realm.objects(Dog.self).value(forKeyPath: "@distinctUnionOfObjects.age") as? [Int] == [9, 7])
  }

  @Test func `collections of values and maps are read and written by name`() throws {
    let free = List<Int?>([1, nil, 3])
    let values = try #require(free.value(forKey: "self") as? [Any])
    #expect(values.count == 3 && values[0] as? Int == 1 && values[1] is NSNull)
    free.setValue(7, forKey: "self")
    #expect(Array(free) == [7, 7, 7])
    let map: Map<String, Int> = ["a": 1]
    map.setValue(2, forKey: "b")
    #expect(map.value(forKey: "a") as? Int == 1 && map["b"] == 2 && map.value(forKey: "c") == nil)
    map.setValue(nil, forKey: "a")
    #expect(map.count == 1 && map.value(forKeyPath: "@sum.self") as? Int == 2)
    let all = try realm.write { realm.create(Everything.self, value: ["ints": [4, 5]]) }
    #expect(all.ints.value(forKey: "self") as? [Int] == [4, 5])
    #expect(all.value(forKeyPath: "ints.@avg.self") as? Double == 4.5)
    #expect(all.ints.value(forKey: "isInvalidated") as? Bool == false)
  }

  @Test func `maps are sorted, searched and summed by their objects' properties`() throws {
    let shelf = try realm.write { () -> Shelf in
      let shelf = realm.create(Shelf.self)
      for (key, age) in [("a", 3), ("b", 1), ("c", 2)] {
        shelf.dogMap[key] = Dog(value: ["age": age])
      }
      shelf.dogMap["d"] = .some(nil)
      shelf.prices["x"] = 5
      return shelf
    }
    #expect(shelf.dogMap.min(of: \.age) == 1 && shelf.dogMap.max(of: \.age) == 3)
    #expect(shelf.dogMap.sum(of: \.age) == 6 && shelf.dogMap.average(of: \.age) == 2)
    #expect(shelf.dogMap.sorted(by: \.age).compactMap { $0?.age } == [1, 2, 3])
    #expect(shelf.prices.contains { key, value in key == "x" && value == 5 })
    #expect(!shelf.prices.contains { $0 == "y" || $1 == 6 })
    #expect(shelf.prices.filter { key, _ in key == "x" }.map(\.value) == [5])
    #expect(shelf.prices.contains { $0.key == "x" })
  }

  private func appended<C: RangeReplaceableCollection & BidirectionalCollection>(
    _ collection: inout C, _ element: C.Element
  ) {
    collection.append(element)
    collection.insert(element, at: collection.startIndex)
    collection.removeLast()
    collection.replaceSubrange(collection.startIndex..<collection.startIndex, with: [element])
  }

  @Test func `a list replaces ranges as any such collection does`() throws {
    var free = List([1, 2])
    appended(&free, 9)
    #expect(Array(free) == [9, 9, 1, 2])
    free.removeFirst()
    free.removeLast(2)
    #expect(Array(free) == [9] && Array(free + [4]) == [9, 4] && Array(free) == [9])
    free.append(contentsOf: [5, 6])
    free.remove(at: 0)
    #expect(free.filter { $0 > 5 } == [6])
    let last: Int = free.removeLast()
    #expect(last == 6 && Array(free) == [5])
    var numbers = try realm.write { realm.create(Shelf.self, value: ["numbers": [1, 2]]).numbers }
    try realm.write { appended(&numbers, 9) }
    #expect(Array(numbers) == [9, 9, 1, 2])
    #expect(List<Int>(repeating: 3, count: 2).count == 2)
  }

  @Test func `free objects are coded property by property`() throws {
    let json = #"{"name": "Ada", "age": 36, "numbers": [1, 2]}"#
    let decoded = try JSONDecoder().decode(Coded.self, from: Data(json.utf8))
    #expect(decoded.name == "Ada" && decoded.age == 36 && decoded.mail == nil)
    #expect(Array(decoded.numbers) == [1, 2])
    decoded.mail = "ada@example.org"
    let again = try JSONDecoder().decode(Coded.self, from: JSONEncoder().encode(decoded))
    #expect(again.mail == "ada@example.org" && again.name == "Ada" && again.numbers.count == 2)
    let plain = try JSONDecoder().decode(Coded.self, from: JSONEncoder().encode(Coded()))
    #expect(plain.name == "nobody" && plain.age == 0 && plain.mail == nil)
  }

  @Test func `a managed object is not coded by itself`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "exit"))
      let coded = try realm.write { realm.create(Coded.self) }
      _ = try JSONEncoder().encode(coded)
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Only unmanaged Realm objects can be encoded"))
  }

  @Test func `decimals are made of whole numbers and reckon like numbers`() {
    #expect(
      Decimal128(exactly: 12) == 12 && Decimal128(exactly: UInt64.max) == "18446744073709551615")
    #expect(Decimal128(exactly: UInt128.max) == nil && Decimal128(exactly: -3) == "-3")
    var sum = Decimal128(1)
    sum += 2.5
    sum *= 2
    sum -= 1
    sum /= 4
    #expect(sum == 1.5 && [Decimal128(1), 2].reduce(.zero, +) == 3)
  }

  @Test func `a mixed object is had by name, too`() throws {
    let all = try realm.write { () -> Everything in
      let all = realm.create(Everything.self)
      all.any = .object(realm.create(Dog.self, value: ["name": "Rex"]))
      return all
    }
    #expect(all.any.dynamicObject?["name"] as? String == "Rex")
    #expect(AnyRealmValue.int(1).dynamicObject == nil)
  }

  @Test func `types of one's own are stored as others`() throws {
    let free = Weather()
    #expect(free.temperature.degrees == 0 && free.highest == nil)
    let weather = try realm.write { () -> Weather in
      let weather = realm.create(
        Weather.self, value: ["temperature": Celsius(degrees: 3), "spot": Spot(x: 1, y: 2)])
      weather.highest = Celsius(degrees: 9)
      weather.all.append(objectsIn: [1.5, 2.5].map(Celsius.init(degrees:)))
      weather.byDay["mo"] = Celsius(degrees: 4)
      weather["even"] = 4
      return weather
    }
    #expect(weather.temperature.degrees == 3 && weather.highest?.degrees == 9)
    #expect(weather.all.map(\.degrees) == [1.5, 2.5] && weather.byDay["mo"]?.degrees == 4)
    #expect(weather.even?.number == 4 && weather.spot == Spot(x: 1, y: 2))
    let found = realm.objects(Weather.self)
    #expect(found.where { $0.temperature == Celsius(degrees: 3) }.count == 1)
    #expect(found.where { $0.temperature.persistableValue > 3 }.isEmpty)
    try realm.write {
      realm.dynamicObjects("Weather")[0]["even"] = 3
      weather.spot = Spot(x: 5, y: 6)
    }
    #expect(weather.even == nil && weather.spot?.x == 5)
  }

  @Test func `a collection is compared with a member`() throws {
    let shelf = try realm.write { realm.create(Shelf.self, value: ["numbers": [1, 2]]) }
    let shelves = realm.objects(Shelf.self)
    #expect(
      shelves.where { $0.numbers == 2 }.count == 1 && shelves.where { $0.numbers == 3 }.isEmpty)
    #expect(shelves.where { $0.numbers != 2 }.count == 1)
    try realm.write { shelf.prices["a"] = 4 }
    #expect(shelves.where { $0.prices == 4 }.count == 1)
  }

  @Test func `projections are sorted and put in sections by what they show`() throws {
    _ = try ada()
    try realm.write { _ = realm.create(Person.self, value: ["name": "Bob", "age": 30]) }
    let views = realm.objects(AlphabeticView.self)
    #expect(views.sorted(by: \.years).map(\.title) == ["Bob", "Ada"])
    #expect(views.max(of: \.years) == 36)
    let sections = views.sectioned(by: \.title)
    #expect(sections.allKeys == ["Ada", "Bob"] && sections[0][0].years == 36)
    let ada = views.sorted(by: \.title)[0]
    #expect(ada.firstDog?.name == "Ben")
    try realm.write { ada.dogNames[1] = "Max" }
    #expect(Array(ada.dogNames) == ["Ben", "Max"])
  }

  @Test func `members of collections are projected without saying their type`() throws {
    let shelf = try realm.write { () -> Shelf in
      let shelf = realm.create(Shelf.self, value: ["numbers": [1, 2], "weights": [2.5]])
      shelf.dogSet.insert(Dog(value: ["name": "Rex"]))
      shelf.prices["a"] = 3
      return shelf
    }
    for view in [ShelfView(projecting: shelf), ShelfView(projecting: shelf.freeze())] {
      #expect(view.anyDog?.name == "Rex" && view.weight == 2.5 && view.number == 2)
      #expect(view.prices["a"] == 3 && Array(view.names) == ["Rex"])
    }
    let empty = ShelfView(projecting: Shelf())
    #expect(empty.anyDog == nil && empty.weight == nil && empty.number == nil)
  }

  @Test func `an object is observed by a block for objects of any class`() throws {
    let desk = Desk(freshConfiguration())
    desk.commit { $0.create(Person.self, value: ["name": "Ada"]) }
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Person.self)[0].observe { (change: ObjectChange<ObjectBase>) in
        if case .change(let object, let properties) = change {
          told.add("\(object.value(forKey: "name") ?? "") \(properties.map(\.name))")
        }
      }
    }
    desk.commit { $0.objects(Person.self)[0].name = "Eva" }
    desk.work { _ in }
    #expect(told.all == ["Eva [\"name\"]"])
    token.invalidate()
  }

  @Test func `a file that is no realm is told as one`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration()
    try Data(repeating: 7, count: 9000).write(to: try #require(configuration.fileURL))
    do {
      _ = try Realm(configuration: configuration)
      Issue.record("it opened")
    } catch Realm.Error.invalidDatabase {
    }
    var directory = configuration
    directory.fileURL = scratch.directory
    do {
      _ = try Realm(configuration: directory)
      Issue.record("it opened")
    } catch Realm.Error.fileOperationFailed {
    }
  }
}
