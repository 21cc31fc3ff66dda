import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// The first use of a class, in each way, while another thread has committed: a realm does not
  /// move for it.
  static let firstUses: [Probe] = ways.map { name, meet in
    Probe("nothing moves when a class is used for the first time: \(name)") { stage in
      for moves in [true, false] {
        for isListed in [true, false] {
          let touches = moves != isListed
          let file = "\(moves) \(isListed)"
          try stage.elsewhere { _ = try stage.stocked(file) }
          var configuration = stage.configuration(file)
          if !isListed { configuration.objectTypes = nil }
          let realm = try Realm(configuration: configuration)
          realm.autorefresh = moves
          let account = realm.account(1)
          stage.equal(account.balance, 100, "the balance at first")
          try stage.foreign(file) { realm in
            realm.account(1).balance = 7
            // The class that is met has changed, too, or has not.
            if touches {
              realm.add(Person(name: "new"))
              realm.add(Blob(id: 1, bytes: Data()))
            }
          }
          meet(realm)
          stage.equal(account.balance, 100, "the balance after \(name)")
          stage.equal(realm.account(1).balance, 100, "the balance, read afresh, after \(name)")
          stage.equal(realm.objects(Person.self).count, 3, "how many people there are")
          stage.equal(realm.objects(Blob.self).count, 0, "how many of a class without objects")
          realm.refresh()
          stage.equal(account.balance, 7, "the balance after a refresh")
          stage.equal(realm.objects(Person.self).count, touches ? 4 : 3, "the people after it")
        }
      }
    }
  }

  private static let ways: [(String, @Sendable (Realm) -> Void)] = [
    ("all objects", { use($0.objects(Person.self).count) }),
    ("all objects of a class that has none", { use($0.objects(Blob.self).count) }),
    ("a loop", { for person in $0.objects(Person.self) { use(person.name) } }),
    ("a lookup", { use($0.object(ofType: Todo.self, forPrimaryKey: ObjectId.generate())) }),
    ("a lookup by a number", { use($0.object(ofType: Blob.self, forPrimaryKey: 1)) }),
    ("a lookup by a class's name", { use($0.dynamicObject(ofType: "Blob", forPrimaryKey: 1)) }),
    ("a query", { use($0.objects(Person.self).where { $0.age > 30 }.count) }),
    ("a query by words", { use($0.objects(Person.self).filter("dogs.age > 1").count) }),
    ("a sort", { use($0.objects(Person.self).sorted(byKeyPath: "name").first) }),
    ("sections", { use($0.objects(Person.self).sectioned(by: \.name).count) }),
    ("a sum", { use($0.objects(Dog.self).sum(of: \.age)) }),
    ("a link", { use($0.objects(Person.self).first?.best?.name) }),
    ("a list", { use($0.objects(Person.self).first?.dogs.count) }),
    ("links backwards", { use($0.objects(Dog.self).first?.owners.count) }),
    ("a frozen realm", { use($0.freeze().objects(Person.self).count) }),
    ("frozen results", { use($0.objects(Person.self).freeze().count) }),
    ("whether it is empty", { use($0.isEmpty) }),
    ("an object of its own that is not added", { _ in use(Person(name: "free").dogs.count) }),
  ]
}
