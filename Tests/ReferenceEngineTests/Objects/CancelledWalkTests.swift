import Foundation
import Testing

@testable import ReferenceEngine

/// Loops over what a write has added that comes to nothing. The next write gives its keys again,
/// and the loop went on with whoever got them.
@Suite struct CancelledWalkTests {
  private let scratch = Scratch()

  @Test(arguments: [false, true], [5, 300])
  func `READ-12: a loop finds nobody in the place of those whose write was cancelled`(
    isOlder: Bool, count: Int
  ) throws {
    let realm = try Realm(configuration: scratch.configuration([Dog.self, Keyed.self]))
    let (dogs, keyed) = (realm.objects(Dog.self), realm.objects(Keyed.self))
    func fill(_ name: String) {
      for id in 0..<count {
        realm.create(Dog.self, value: ["name": name, "age": id])
        realm.create(Keyed.self, value: ["id": id, "name": name])
      }
    }
    if isOlder {
      try realm.write {
        realm.create(Dog.self, value: ["name": "older", "age": -1])
        realm.create(Keyed.self, value: ["id": -1, "name": "older"])
      }
    }
    realm.beginWrite()
    fill("never")
    var (walk, other) = (dogs.makeIterator(), keyed.filter("id < 1000").makeIterator())
    var begun = 0
    for _ in 0..<2 where walk.next() != nil && other.next() != nil { begun += 1 }
    realm.cancelWrite()
    try realm.write { fill("another") }
    var left = 0
    while let dog = walk.next(), let one = other.next() {
      #expect(dog.isInvalidated && one.isInvalidated)
      left += 1
    }
    #expect(begun == 2 && left == count + (isOlder ? 1 : 0) - 2)
    #expect(dogs.filter("name == 'another'").count == count)
  }
}
