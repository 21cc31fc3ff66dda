import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What another thread keeps of a realm whose thread ends in the middle of a write.
  private static let remains: [(name: String, keep: @Sendable (Realm) -> Any)] = [
    ("the realm", { $0 }),
    ("an object", { $0.account(1) }),
    ("an object of another class", { $0.person("Ann") }),
    ("an object that the write made", { $0.create(Account.self, value: ["id": 70]) }),
    (
      "an object that the write deleted",
      { realm in
        let account = realm.account(3)
        realm.delete(account)
        return account
      }
    ),
    ("results", { $0.objects(Account.self).where { $0.balance > 0 } }),
    ("a list", { $0.person("Ann").dogs }),
    ("links backwards", { $0.person("Ann").dogs[0].owners }),
    ("sections", { $0.objects(Account.self).sectioned(by: \.note) }),
    (
      "an iterator",
      { realm in
        var iterator = realm.objects(Account.self).makeIterator()
        use(iterator.next())
        return iterator
      }
    ),
    (
      "many of each",
      { realm in
        (0..<40).map { _ in [realm.account(1), realm.person("Ann").dogs, realm] as [Any] }
      }
    ),
  ]

  /// Nobody can use the realm any more: what its thread has left of a write comes to nothing.
  ///
  /// The rule speaks of the last reference. That the thread's end is enough is what an engine with
  /// hooks says of itself; of others it is asked when what was kept has been let go, elsewhere.
  static let endedThreads: [Probe] = remains.map { name, keep in
    Probe("a thread that ends in its write frees the lock though somebody keeps \(name)") {
      stage in
      try stage.elsewhere { _ = try stage.stocked() }
      var kept: [Any] = []
      for round in 1...3 {
        kept.append(
          try stage.elsewhere("forgetful writer") {
            let realm = try stage.open()
            realm.beginWrite()
            realm.account(1).balance = 7
            realm.add(Account(id: 60, balance: round))
            return keep(realm)
          })
        if Backstage.hooks == nil { kept = [] }
        try stage.foreign { $0.account(2).balance = round }
        let seen = try stage.seen { [$0.account(1).balance, $0.account(2).balance] }
        stage.equal(seen, [100, round], "the balances after round \(round)")
        stage.equal(
          try stage.seen { Set($0.objects(Account.self).map(\.id)) }, [1, 2, 3], "the accounts")
      }
      withExtendedLifetime(kept) {}
      kept = []
      try stage.foreign { $0.account(1).balance = 8 }
      stage.equal(try stage.seen { $0.account(1).balance }, 8, "the balance when all is let go")
    }
  }
}
