import EngineUnderTest
import Foundation
import Harness

/// Objects that a write added which came to nothing: they stay invalid, whoever comes in their
/// place.
enum Lost {
  struct End: Sendable {
    let name: String
    let run: @Sendable (Stage, Realm, _ add: @escaping () -> Void) throws -> Void
  }

  static let ends = [
    End(name: "cancelled") { _, realm, add in
      realm.beginWrite()
      add()
      realm.cancelWrite()
    },
    End(name: "of a block that threw") { _, realm, add in
      struct Trouble: Error {}
      try? realm.write {
        add()
        throw Trouble()
      }
    },
    End(name: "invalidated") { _, realm, add in
      realm.beginWrite()
      add()
      realm.invalidate()
    },
    End(name: "that failed") { stage, realm, add in
      var failed = false
      do {
        try Stage.withFilesLimited(to: stage.size() + 65_536) {
          try realm.write {
            add()
            realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000)))
          }
        }
      } catch { failed = true }
      stage.equal(failed, true, "whether the large commit failed")
    },
    End(name: "that failed later") { stage, realm, add in
      var failed: Bool?
      try Stage.withFilesLimited(to: stage.size() + 65_536) {
        realm.writeAsync {
          add()
          realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000)))
        } onComplete: {
          failed = $0 != nil
        }
        try stage.spin(until: { failed != nil }, "the completion")
      }
      stage.equal(failed, true, "whether the large commit failed")
    },
  ]

  static let probe = Probe(
    "objects of a write that came to nothing stay invalid, whoever comes in their place"
  ) { stage in
    let realm = try stage.stocked()
    for end in ends {
      var lost: [Object] = []
      try end.run(stage, realm) {
        lost = three(realm, "lost")
      }
      func look(_ when: String) {
        stage.equal(
          lost.map(\.isInvalidated), Array(repeating: true, count: lost.count),
          "the objects of a write \(end.name), \(when)")
      }
      look("after it")
      var others: [Object] = []
      try realm.write {
        others = three(realm, "kept")
        look("while others come")
      }
      look("when others have come")
      stage.equal(others.map(\.isInvalidated).contains(true), false, "whether the others are")
      try realm.write { for id in 77...79 { realm.delete(realm.account(id)) } }
    }
  }

  /// Three of each kind, side by side: each kind has other keys.
  private static func three(_ realm: Realm, _ name: String) -> [Object] {
    (0..<3).map { realm.create(Person.self, value: ["name": "\(name) \($0)"]) }
      + (0..<3).map { realm.create(Dog.self, value: ["name": "\(name) \($0)"]) }
      + (0..<3).map { realm.create(Account.self, value: ["id": 77 + $0, "note": name]) }
      + (0..<3).map { realm.create(Todo.self, value: ["name": "\(name) \($0)"]) }
  }
}
