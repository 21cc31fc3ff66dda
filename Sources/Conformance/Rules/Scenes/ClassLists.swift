import EngineUnderTest
import Foundation
import Harness

/// An embedded class that no class has a property of.
final class LoneSpot: EmbeddedObject {
  @Persisted var street: String
}

/// A class that has nothing but a key.
final class Bare: Object {
  @Persisted(primaryKey: true) var id: Int
}

/// The classes that a realm may be opened with: whichever they are, opening it again writes
/// nothing, and it can be frozen.
enum ClassLists {
  private static let all: [(name: String, types: [ObjectBase.Type]?)] = [
    ("the usual classes", Models.all),
    ("two classes", [Todo.self, Account.self]),
    ("a class of embedded objects that no other has", [Todo.self, Account.self, LoneSpot.self]),
    ("a class of nothing but a key", [Todo.self, Account.self, Bare.self]),
    ("no list", nil),
  ]

  private static func configurations(_ stage: Stage) -> [(String, Realm.Configuration)] {
    all.enumerated().map { number, list in
      var configuration = stage.configuration("\(number)")
      configuration.objectTypes = list.types
      return ("a realm with \(list.name)", configuration)
    }
  }

  static let openBesideWriters = Probe(
    "opening again waits for no writer, whatever the classes", deadline: .seconds(60)
  ) { stage in
    for (what, configuration) in configurations(stage) {
      try stage.elsewhere {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Account(id: 1, balance: 100)) }
      }
      let (held, release) = (Latch("the writer being inside"), Latch("the end of the write"))
      let writer = stage.thread("writer of \(what)") {
        let realm = try Realm(configuration: configuration)
        realm.beginWrite()
        held.open()
        try stage.wait(for: release)
        realm.cancelWrite()
      }
      try stage.wait(for: held)
      let balance = try stage.elsewhere {
        try Realm(configuration: configuration).account(1).balance
      }
      stage.equal(balance, 100, "the balance in \(what), opened beside a writer")
      release.open()
      try stage.join(writer)
    }
  }

  static let openUnheard = Probe("nobody is told of an opening, whatever the classes") { stage in
    for (what, configuration) in configurations(stage) {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Account(id: 1)) }
      try stage.settle(realm)
      var steps = 0
      let token = realm.observe { _, _ in steps += 1 }
      for _ in 0..<3 {
        try stage.elsewhere { use(try Realm(configuration: configuration).account(1).balance) }
      }
      try stage.settle(realm)
      stage.equal(steps, 0, "how often a listener was called for openings of \(what)")
      token.invalidate()
    }
  }

  static let freeze = Probe("a realm is frozen, whatever its classes") { stage in
    for (what, configuration) in configurations(stage) {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Account(id: 1, balance: 1)) }
      let frozen = realm.freeze()
      try realm.write { realm.account(1).balance = 2 }
      let seen = try stage.elsewhere { [frozen, frozen.freeze()].map { $0.account(1).balance } }
      stage.equal(seen, [1, 1], "the frozen balance in \(what)")
      stage.equal(frozen.thaw().account(1).balance, 2, "the thawed balance in \(what)")
      stage.equal(realm.account(1).freeze().balance, 2, "the balance of a frozen object in \(what)")
    }
  }
}
