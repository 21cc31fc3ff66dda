import EngineUnderTest
import Foundation
import Harness

/// Each way to bring or to take what would change nothing, as it is there already or has gone: it
/// needs a write like any other. Who looks first whether there is anything to do lets a wrong
/// program pass until there is.
enum NothingNew {
  private static let ways: [Probe.Act] =
    ofAccounts(.modified, "only what is new") + ofAccounts(.all, "all of it")
    + [
      .init("add of an object that is there") { $0.add($0.account(1)) },
      .init("add of an object without a key that is there") { $0.add($0.person("Ann")) },
      .init("add of a member of a list") { $0.add($0.person("Bob").dogs[1]) },
      .init("add of what another one links to") { $0.add($0.person("Cid").best!) },
      .init("add of what was found by its name") { realm in
        realm.add(realm.dynamicObject(ofType: "Account", forPrimaryKey: 2)!)
      },
      .init("add of several that are there") { $0.add(Array($0.objects(Person.self))) },
      .init("add of one that is there, twice") { realm in
        let account = realm.account(1)
        realm.add([account, account])
      },
      .init("add of results") { $0.add($0.objects(Account.self)) },
      .init("add of a list") { $0.add($0.person("Ann").dogs) },
      .init("add of links backwards") { $0.add($0.person("Ann").dogs[0].owners) },
      .init("delete of links backwards without a member") { realm in
        realm.delete(realm.objects(Dog.self).where { $0.name == "stray" }[0].owners)
      },
      .init("delete of a sorted query without a member") { realm in
        realm.delete(
          realm.objects(Account.self).where { $0.id < 0 }.sorted(byKeyPath: "balance"))
      },
      .init("delete of a query of a list without a member") { realm in
        realm.delete(realm.person("Ann").dogs.where { $0.age > 100 })
      },
      .init("delete of all objects of a class that has none") { realm in
        realm.delete(realm.objects(Blob.self))
      },
    ]

  private static func ofAccounts(_ policy: Realm.UpdatePolicy, _ name: String) -> [Probe.Act] {
    [
      .init("add of an object that is there, \(name)") { $0.add($0.account(2), update: policy) },
      .init("add of a copy of one that is there, \(name)") { realm in
        realm.add(Account(id: 2, balance: 200), update: policy)
      },
      .init("add of results, \(name)") { $0.add($0.objects(Account.self), update: policy) },
      .init("add of several copies, \(name)") { realm in
        realm.add((1...3).map { Account(id: $0, balance: 100 * $0) }, update: policy)
      },
      .init("create of an object that is there, \(name)") { realm in
        use(realm.create(Account.self, value: realm.account(3), update: policy))
      },
      .init("create with nothing but the key, \(name)") { realm in
        use(realm.create(Account.self, value: ["id": 1], update: policy))
      },
      .init("create with the values that are there, \(name)") { realm in
        let value: [String: Any] = ["id": 1, "balance": 100, "note": ""]
        use(realm.create(Account.self, value: value, update: policy))
      },
      .init("create by the name of a class, with what is there, \(name)") { realm in
        use(realm.dynamicCreate("Account", value: ["id": 1, "balance": 100], update: policy))
      },
    ]
  }

  static let probes: [Probe] = ways.map { way in
    Probe("\(way.name), outside of a write", refusing: [Words.onlyInWrite]) { stage in
      let realm = try stage.stocked()
      try realm.write { realm.add(Dog(name: "stray")) }
      // In a write it is fine, and changes nothing; what is known of it then must not help later.
      let before = dump(realm)
      try realm.write { try way.body(realm) }
      stage.equal(dump(realm), before, "what is there when it was done in a write")
      realm.beginWrite()
      try way.body(realm)
      realm.cancelWrite()
      stage.act { try way.body(realm) }
    }
  }

  private static func dump(_ realm: Realm) -> String {
    let accounts = realm.objects(Account.self).sorted(byKeyPath: "id")
      .map { "\($0.id) \($0.balance) '\($0.note)'" }
    let people = realm.objects(Person.self).sorted(byKeyPath: "name")
      .map { "\($0.name) \($0.age) \($0.dogs.map(\.name)) \($0.best?.name ?? "nobody")" }
    let others = [realm.objects(Dog.self).count, realm.objects(Blob.self).count]
    return "\(accounts) \(people) \(others)"
  }
}
