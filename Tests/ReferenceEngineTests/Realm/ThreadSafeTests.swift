import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

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

  @Test func `a variable that nobody read elsewhere moves nobody`() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let person = try realm.write { realm.create(Person.self) }
    let variable = ThreadSafe(wrappedValue: person)
    Desk(configuration).commit { $0.objects(Person.self)[0].name = "Ada" }
    #expect(variable.wrappedValue?.name == "")
  }
}
