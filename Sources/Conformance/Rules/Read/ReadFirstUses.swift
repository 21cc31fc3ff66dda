import EngineUnderTest
import Foundation
import Harness

/// The first use of a class in a realm that names no classes, and of which the file may have
/// nothing yet, while another thread is in a write: it finds nothing, and waits for nobody.
enum FirstUses {
  private typealias Use = (name: String, count: @Sendable (Realm) -> Int)

  private static let all: [Use] = [
    ("all objects", { $0.objects(Account.self).count }),
    ("whether there are any", { $0.objects(Account.self).isEmpty ? 0 : 1 }),
    ("the first one", { $0.objects(Account.self).first == nil ? 0 : 1 }),
    ("one by its key", { $0.object(ofType: Account.self, forPrimaryKey: 1) == nil ? 0 : 1 }),
    (
      "one by a text as its key",
      { $0.object(ofType: StringKeyed.self, forPrimaryKey: "one") == nil ? 0 : 1 }
    ),
    ("all by the name of the class", { $0.dynamicObjects("Account").count }),
    (
      "one by the name of the class and its key",
      { $0.dynamicObject(ofType: "Account", forPrimaryKey: 1) == nil ? 0 : 1 }
    ),
    ("a query", { realm in realm.objects(Account.self).where { $0.balance > 1 }.count }),
    ("a query in words", { $0.objects(Account.self).filter("note BEGINSWITH 'n'").count }),
    ("a query over links", { $0.objects(Person.self).filter("ANY dogs.age > 1").count }),
    ("a query over links backwards", { $0.objects(Dog.self).filter("owners.@count > 0").count }),
    ("a sorted query", { $0.objects(Person.self).sorted(byKeyPath: "age").count }),
    ("distinct ones", { $0.objects(Person.self).distinct(by: ["age"]).count }),
    ("a sum", { $0.objects(Account.self).sum(ofProperty: "balance") }),
    ("a loop", { realm in realm.objects(Account.self).map { $0.id }.count }),
    ("projections", { $0.objects(PersonView.self).count }),
    ("a frozen realm's", { $0.freeze().objects(Account.self).count }),
    ("frozen ones", { $0.objects(Account.self).freeze().count }),
    (
      "a listener",
      { realm in
        realm.objects(Account.self).observe { _ in }.invalidate()
        return 0
      }
    ),
    (
      "a reference",
      { realm in
        let reference = ThreadSafeReference(to: realm.objects(Account.self))
        return realm.resolve(reference)?.count ?? -1
      }
    ),
  ]

  /// What the other thread has written by the time of the first use.
  private enum Writing: String, CaseIterable {
    case nothing = "has written nothing"
    case another = "has written another class"
    case same = "has written what is asked for"
  }

  static let probes: [Probe] = all.map { use in
    Probe("the first use of a class waits for nobody who writes: \(use.name)") { stage in
      for writing in Writing.allCases {
        for isOpen in [true, false] {
          let what = "\(writing.rawValue)\(isOpen ? ", in a realm that was open" : "")"
          var configuration = stage.configuration("\(writing) \(isOpen)")
          configuration.objectTypes = nil
          let nameless = configuration
          // So that there is a version to read.
          try stage.elsewhere {
            let realm = try Realm(configuration: nameless)
            try realm.write { realm.add(Blob(id: 1, bytes: Data([1]))) }
          }
          let open = isOpen ? try Realm(configuration: nameless) : nil
          let inside = Latch("the writer being inside its write")
          let release = Latch("the first use's end")
          let writer = stage.thread("writer") {
            let other = try Realm(configuration: nameless)
            other.beginWrite()
            switch writing {
            case .nothing: break
            case .another: other.add(Todo(value: ["name": "other"]))
            case .same: write(to: other)
            }
            inside.open()
            // The writer waits for the use: a use that waits for the writer hangs here.
            try stage.wait(for: release)
            other.cancelWrite()
          }
          try stage.wait(for: inside)
          let realm = try open ?? Realm(configuration: nameless)
          stage.equal(use.count(realm), 0, "what \(use.name) finds while another \(what)")
          release.open()
          try stage.join(writer)
          stage.equal(use.count(realm), 0, "what \(use.name) finds after another \(what)")
          stage.equal(realm.objects(Blob.self).count, 1, "what was there, where another \(what)")
        }
      }
    }
  }

  private static func write(to realm: Realm) {
    realm.add(Account(id: 1, balance: 7, note: "note"))
    let person = Person(name: "Ann", age: 30)
    realm.add(person)
    person.dogs.append(Dog(name: "Rex", age: 3))
    realm.create(StringKeyed.self, value: ["key": "one", "note": "note"])
  }
}
