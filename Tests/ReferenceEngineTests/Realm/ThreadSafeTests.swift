import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

private final class NameView: Projection<Person> {
  @Projected(\Person.name) var name
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}

/// A variable that any thread may read shows each what the others saw in it.
struct ThreadSafeTests {
  private let configuration = freshConfiguration()

  @Test func `REF-24, REF-30: what was done through the variable elsewhere is there here`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let person = try realm.write { realm.create(Person.self, value: ["dogs": [["name": "Rex"]]]) }
    let list = ThreadSafe(wrappedValue: person.dogs)
    let object = ThreadSafe(wrappedValue: person)
    let results = ThreadSafe(wrappedValue: realm.objects(Dog.self))
    onNewThread {
      try? list.wrappedValue?.realm?.write {
        list.wrappedValue?.append(Dog(value: ["name": "Bo"]))
        object.wrappedValue?.name = "Ada"
      }
    }
    #expect(list.wrappedValue?.count == 2)
    #expect(object.wrappedValue?.name == "Ada")
    #expect(results.wrappedValue?.count == 2)
    onNewThread {
      try? results.wrappedValue?.realm?.write {
        _ = results.wrappedValue?.realm?.create(Dog.self)
      }
      #expect(results.wrappedValue?.count == 3)
    }
    #expect(results.wrappedValue?.count == 3)
  }

  @Test func `REF-24, REF-30: that is so for collections of every kind, and for views`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Shelf.self, Person.self, Dog.self])
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let (shelf, person) = try realm.write {
      (
        realm.create(Shelf.self, value: ["dogs": [["name": "Rex"]], "numbers": [1]]),
        realm.create(Person.self, value: ["name": "Ada", "dogs": [["name": "Ben"]]])
      )
    }
    let dogs = ThreadSafe(wrappedValue: shelf.dogs)
    let dogSet = ThreadSafe(wrappedValue: shelf.dogSet)
    let dogMap = ThreadSafe(wrappedValue: shelf.dogMap)
    let numbers = ThreadSafe(wrappedValue: shelf.numbers)
    let weights = ThreadSafe(wrappedValue: shelf.weights)
    let prices = ThreadSafe(wrappedValue: shelf.prices)
    let owners = ThreadSafe(wrappedValue: person.dogs[0].owners)
    let found = ThreadSafe(wrappedValue: realm.objects(Dog.self).filter("name == 'Bo'"))
    let view = ThreadSafe(wrappedValue: NameView(projecting: person))
    onNewThread {
      try? dogs.wrappedValue?.realm?.write {
        let dog = Dog(value: ["name": "Bo"])
        dogs.wrappedValue?.append(dog)
        dogSet.wrappedValue?.insert(dog)
        dogMap.wrappedValue?["b"] = dog
        numbers.wrappedValue?.append(2)
        weights.wrappedValue?.insert(2.5)
        prices.wrappedValue?["a"] = 3
        view.wrappedValue?.name = "Eva"
        view.wrappedValue?.dogNames[0] = "Max"
        if let realm = owners.wrappedValue?.realm, let one = owners.wrappedValue?.first {
          realm.create(Person.self, value: ["name": "Bob", "dogs": one.dogs])
        }
      }
    }
    #expect(numbers.wrappedValue.map { Array($0) } == [1, 2])
    #expect(dogs.wrappedValue?.map(\.name) == ["Rex", "Bo"])
    #expect(dogSet.wrappedValue?.map(\.name) == ["Bo"])
    #expect(dogMap.wrappedValue?["b"]??.name == "Bo")
    #expect(weights.wrappedValue.map { Array($0) } == [2.5])
    #expect(prices.wrappedValue?["a"] == 3 && found.wrappedValue?.count == 1)
    #expect(owners.wrappedValue?.map(\.name).sorted() == ["Bob", "Eva"])
    #expect(view.wrappedValue?.name == "Eva")
    #expect(view.wrappedValue.map { Array($0.dogNames) } == ["Max"])
    // What goes elsewhere is gone here.
    onNewThread {
      guard let realm = dogs.wrappedValue?.realm else { return }
      try? realm.write { realm.deleteAll() }
      #expect(dogs.wrappedValue == nil)
    }
    #expect(dogs.wrappedValue == nil && dogSet.wrappedValue == nil && dogMap.wrappedValue == nil)
    #expect(numbers.wrappedValue == nil && weights.wrappedValue == nil)
    #expect(prices.wrappedValue == nil && owners.wrappedValue == nil && view.wrappedValue == nil)
    #expect(found.wrappedValue?.isEmpty == true)
  }

  @Test func `a variable that nobody read elsewhere moves nobody`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let person = try realm.write { realm.create(Person.self) }
    let variable = ThreadSafe(wrappedValue: person)
    Desk(configuration).commit { $0.objects(Person.self)[0].name = "Ada" }
    #expect(variable.wrappedValue?.name == "")
  }
}
