import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Ways to use a realm. Each returns something that the probe still holds while it invalidates
  /// the realm.
  private static let keepings: [(name: String, keep: @Sendable (Stage, Realm) throws -> Any)] = [
    ("nothing", { _, realm in realm.isEmpty }),
    ("objects", { _, realm in Array(realm.objects(Account.self)) }),
    (
      "collections of each kind",
      { _, realm in
        let ann = realm.person("Ann")
        return [
          ann.dogs, ann.dogs[0].owners, realm.objects(Dog.self), ann.dogs.where { $0.age > 1 },
          realm.objects(Dog.self).sorted(byKeyPath: "age").distinct(by: ["name"]),
        ] as [Any]
      }
    ),
    (
      "an iterator in the middle",
      { _, realm in
        var iterator = realm.objects(Account.self).makeIterator()
        use(iterator.next())
        return iterator
      }
    ),
    (
      "a token of each kind, told once",
      { stage, realm in
        let tokens = [
          realm.observe { _, _ in }, realm.objects(Account.self).observe { _ in },
          realm.account(1).observe { (_: ObjectChange<Account>) in },
          realm.person("Ann").dogs.observe { _ in },
        ]
        try realm.write { realm.account(1).balance += 1 }
        return tokens
      }
    ),
    (
      "a listener that was not told yet",
      { stage, realm in
        let token = realm.objects(Account.self).observe { _ in }
        try stage.foreign { $0.account(2).balance += 1 }
        return token
      }
    ),
    (
      "a frozen realm that was dropped",
      { _, realm in
        use(realm.freeze().account(1).balance)
        return realm
      }
    ),
    (
      "frozen objects and collections that were dropped",
      { _, realm in
        for _ in 0..<3 { use(realm.account(1).freeze().balance) }
        use(realm.person("Ann").dogs.freeze().count)
        use(realm.objects(Account.self).freeze().first?.balance)
        return realm
      }
    ),
    (
      "what was frozen and thawed",
      { _, realm in
        [realm.account(1).freeze().thaw() as Any, realm.person("Ann").dogs.freeze().thaw() as Any]
      }
    ),
    (
      "references that were dropped, or resolved",
      { _, realm in
        use(ThreadSafeReference(to: realm.account(1)))
        return realm.resolve(ThreadSafeReference(to: realm.objects(Account.self))) as Any
      }
    ),
    (
      "what a reference from elsewhere led to",
      { stage, realm in
        let reference = try stage.elsewhere {
          let other = try stage.open()
          try other.write { other.account(3).balance += 1 }
          return ThreadSafeReference(to: other.account(3))
        }
        return realm.resolve(reference) as Any
      }
    ),
    (
      "a cancelled write",
      { _, realm in
        let account = realm.account(1)
        realm.beginWrite()
        realm.delete(account)
        realm.cancelWrite()
        return account
      }
    ),
    (
      "a write that failed",
      { stage, realm in
        try stage.failsToCommit(realm)
        return realm.account(1)
      }
    ),
    (
      "writes of each kind",
      { stage, realm in
        try realm.write { realm.account(1).balance += 1 }
        var isDone = false
        realm.writeAsync {
          realm.account(1).balance += 1
        } onComplete: { _ in
          isDone = true
        }
        try stage.spin(until: { isDone }, "the asynchronous write")
        return realm.account(1)
      }
    ),
    (
      "a copy, and an unmanaged one",
      { stage, realm in
        let name = "copy \(UUID())"
        try realm.writeCopy(configuration: stage.configuration(name))
        return Account(value: realm.account(1))
      }
    ),
    (
      "sections",
      { _, realm in
        let sections = realm.objects(Dog.self).sectioned(by: \.age)
        use(sections.count)
        return sections
      }
    ),
  ]

  /// After `invalidate()` a realm holds no version, whatever is kept of it: others may write under
  /// a limit of one.
  static let invalidatedHoldNothing = Probe(
    "a realm that was invalidated holds no version, whatever was done with it and is kept"
  ) { stage in
    // Who opens a file first says how many versions there may be.
    var configuration = stage.configuration()
    configuration.maximumNumberOfActiveVersions = 1
    let limited = configuration
    let realm = try Realm(configuration: limited)
    try realm.write { Stage.stock(realm) }
    for keeping in keepings {
      for turn in 0..<2 {
        let kept = try keeping.keep(stage, realm)
        realm.invalidate()
        // Twice, too, and with a look between.
        if turn == 1 {
          use(realm.isEmpty)
          realm.invalidate()
          realm.invalidate()
        }
        try stage.elsewhere {
          for round in 0..<3 {
            do {
              let other = try Realm(configuration: limited)
              try other.write { other.account(2).balance = round }
              other.invalidate()
            } catch {
              stage.fail(
                expected: "write \(round) after \(keeping.name), time \(turn)",
                observed: "\(error)")
              return
            }
          }
        }
        withExtendedLifetime(kept) {}
        stage.equal(realm.account(2).balance, 2, "the balance after \(keeping.name)")
      }
    }
  }
}
