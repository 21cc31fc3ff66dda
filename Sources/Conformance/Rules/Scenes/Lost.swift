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

  /// Objects that a write adds under a key that it has freed: they go with it, and the one that had
  /// the key is what it was.
  static let replacing = Probe(
    "who took a deleted one's place in a write that came to nothing is not taken for it"
  ) { stage in
    let realm = try stage.stocked()
    for end in ends {
      var kept: Account?
      try realm.write {
        kept = realm.create(Account.self, value: ["id": 70, "note": "kept"])
      }
      var lost: [Account] = []
      try end.run(stage, realm) {
        for note in ["first", "second"] {
          realm.delete(realm.account(70))
          lost.append(realm.create(Account.self, value: ["id": 70, "note": note]))
        }
      }
      stage.equal(
        lost.map(\.isInvalidated), [true, true], "who took the place in a write \(end.name)")
      // Where the realm is invalidated all go that were known.
      if end.name != "invalidated" {
        stage.equal(kept?.isInvalidated, false, "who had it before a write \(end.name)")
      }
      stage.equal(realm.account(70).note, "kept", "the one of the key after a write \(end.name)")
      try realm.write { realm.delete(realm.account(70)) }
    }
  }

  /// Three of each kind, side by side: each kind has other keys.
  private static func three(_ realm: Realm, _ name: String) -> [Object] {
    (0..<3).map { realm.create(Person.self, value: ["name": "\(name) \($0)"]) }
      + (0..<3).map { realm.create(Dog.self, value: ["name": "\(name) \($0)"]) }
      + (0..<3).map { realm.create(Account.self, value: ["id": 77 + $0, "note": name]) }
      + (0..<3).map { realm.create(Todo.self, value: ["name": "\(name) \($0)"]) }
  }

  /// What belongs to the objects of a write that came to nothing: each is asked whether it is gone
  /// while others, which have as much, come in their place.
  static let belongings = ends.map { end in
    Probe("collections of objects that came to nothing show nothing of later ones: \(end.name)") {
      stage in
      var configuration = stage.configuration()
      configuration.objectTypes = Models.all + [Specimen.self]
      let realm = try Realm(configuration: configuration)
      try realm.write {
        Stage.stock(realm)
        realm.add(Specimen(id: 1))
      }
      func owner(_ id: Int) -> Specimen {
        let (owner, member) = (Specimen(id: id), realm.specimen(1)!)
        realm.add(owner)
        owner.members.append(member)
        owner.group.insert(member)
        owner.named["one"] = .some(member)
        owner.numbers.append(id)
        owner.words.append("word")
        owner.scores["one"] = 1
        owner.labels.insert("label")
        member.next = owner
        return owner
      }
      var lost: [(String, isGone: () -> Bool)] = []
      try end.run(stage, realm) {
        for id in 7...9 {
          let (one, place) = (owner(id), "of the one of key \(id)")
          let (members, group, named) = (one.members, one.group, one.named)
          let (numbers, words) = (one.numbers, one.words)
          let (scores, labels) = (one.scores, one.labels)
          let (linking, found) = (one.throughNext, one.members.where { $0.id > 0 })
          lost += [
            ("the list \(place)", { members.isInvalidated }),
            ("the set \(place)", { group.isInvalidated }),
            ("the map \(place)", { named.isInvalidated }),
            ("the list of numbers \(place)", { numbers.isInvalidated }),
            ("the list of texts \(place)", { words.isInvalidated }),
            ("the map of numbers \(place)", { scores.isInvalidated }),
            ("the set of texts \(place)", { labels.isInvalidated }),
            ("the object \(place)", { one.isInvalidated }),
            // Whether these say that they are gone is said nowhere; they have no members.
            ("what links backwards \(place)", { linking.isInvalidated || linking.isEmpty }),
            ("a query \(place)", { found.isInvalidated || found.isEmpty }),
          ]
          use((members.count, group.count, named.count, numbers.count, words.count, labels.count))
          use((scores.count, linking.count, found.count))
        }
      }
      func look(_ moment: String) {
        for (name, isGone) in lost {
          stage.expect(isGone(), "\(name) is gone \(moment)")
        }
      }
      look("after it")
      // They get the places of the lost ones, and their keys, or others.
      for first in [7, 107] {
        try realm.write {
          for id in first..<first + 3 {
            use(owner(id))
            look("in the write of others")
          }
        }
        look("after the write of others")
      }
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { for id in 7...9 { other.delete(other.specimen(id)!) } }
        try other.write {
          for id in 7...9 {
            other.add(Specimen(id: id))
            other.specimen(id)!.members.append(other.specimen(1)!)
          }
        }
      }
      realm.refresh()
      look("after a refresh")
    }
  }
}
