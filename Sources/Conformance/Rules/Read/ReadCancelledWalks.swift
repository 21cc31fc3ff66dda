import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Loops over what a write adds that comes to nothing: whoever comes under the keys of its
  /// objects was no member.
  static let cancelledWalks: [Probe] = [20, 600].map { size in
    Probe("a loop that began in a cancelled write finds none of the next one's: \(size)") { stage in
      let realm = try stage.stocked()
      func fill(_ note: String) {
        for id in 10..<(10 + size) {
          realm.add(Account(id: id, note: note))
          realm.add(Dog(name: note, age: id))
        }
      }
      func loop<Members: Sequence>(_ members: Members) -> () -> Bool?
      where Members.Element: Object {
        var rest = members.makeIterator()
        return { rest.next().map { !$0.isInvalidated } }
      }
      realm.beginWrite()
      fill("never")
      let (accounts, dogs) = (realm.objects(Account.self), realm.objects(Dog.self))
      let loops = [
        loop(accounts.where { $0.id >= 10 }), loop(accounts.where { $0.note == "never" }),
        loop(dogs.where { $0.name == "never" }),
        loop(dogs.where { $0.name == "never" }.sorted(byKeyPath: "age")),
      ]
      for loop in loops { stage.equal(loop(), true, "whether the first one is there") }
      realm.cancelWrite()
      try realm.write { fill("another") }
      for (number, loop) in loops.enumerated() {
        var (left, there) = (0, 0)
        while let isThere = loop() {
          left += 1
          if isThere { there += 1 }
        }
        stage.equal(left, size - 1, "how many are left of loop \(number)")
        stage.equal(there, 0, "how many of them are there, of loop \(number)")
      }
      stage.equal(dogs.where { $0.name == "another" }.count, size, "the dogs that came")
    }
  }
}
