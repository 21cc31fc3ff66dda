import EngineUnderTest
import Foundation

extension Probe {
  /// Whoever is in the realm already is brought there again, in each way: nobody comes, nobody goes
  /// and nothing is lost.
  static let presentOnes = Probe("what is there already is brought again, in each way") { stage in
    let realm = try stage.stocked()
    let accounts = realm.objects(Account.self).sorted(byKeyPath: "id")
    let people = realm.objects(Person.self).sorted(byKeyPath: "age")
    try realm.write { for account in accounts { account.note = "note \(account.id)" } }
    let known = Array(accounts)
    let policies: [(String, Realm.UpdatePolicy)] = [
      ("error", .error), ("modified", .modified), ("all", .all),
    ]
    let updating = policies.dropFirst()
    func copies() -> [Account] {
      accounts.map { Account(id: $0.id, balance: $0.balance, note: $0.note) }
    }
    var ways: [(name: String, bring: () -> Void)] = []
    for (name, policy) in policies {
      if policy == .error {
        // Who has no key cannot be updated.
        ways += [
          ("people without a key", { realm.add(Array(people)) }),
          ("a member of a list", { realm.add(people[0].dogs[0]) }),
        ]
      }
      ways += [
        ("itself, \(name)", { realm.add(realm.account(1), update: policy) }),
        ("all of them, \(name)", { realm.add(accounts, update: policy) }),
        (
          "one several times, \(name)",
          { realm.add([known[0], known[0], known[2]], update: policy) }
        ),
        ("nobody, \(name)", { realm.add([Account](), update: policy) }),
      ]
    }
    for (name, policy) in updating {
      ways += [
        ("copies, \(name)", { realm.add(copies(), update: policy) }),
        ("one copy twice, \(name)", { realm.add(copies() + copies(), update: policy) }),
        (
          "a value with the key alone, modified",
          { use(realm.create(Account.self, value: ["id": 2], update: .modified)) }
        ),
        (
          "a value of all there is, \(name)",
          {
            for account in accounts {
              let value: [String: Any] = [
                "id": account.id, "balance": account.balance, "note": account.note,
              ]
              let made = realm.create(Account.self, value: value, update: policy)
              stage.expect(made.isSameObject(as: account), "create gives who is there, \(name)")
            }
          }
        ),
        (
          "what is made of itself, \(name)",
          {
            let made = realm.create(Account.self, value: known[0], update: policy)
            stage.expect(made.isSameObject(as: known[0]), "create gives itself, \(name)")
          }
        ),
        (
          "into a list of its own, \(name)",
          {
            let dogs = people[1].dogs
            dogs.assign(Array(dogs))
          }
        ),
      ]
    }
    func look() -> String {
      accounts.map { "\($0.id) \($0.balance) \($0.note) \($0.previous?.id ?? 0)" }
        .joined(separator: ", ")
        + "; "
        + people.map { "\($0.name) \($0.age) \($0.dogs.map(\.name))" }.joined(separator: ", ")
        + "; \(realm.objects(Dog.self).count)"
    }
    let before = look()
    for way in ways {
      for isKept in [true, false] {
        realm.beginWrite()
        way.bring()
        stage.equal(look(), before, "what is there when \(way.name) was brought")
        stage.equal(
          known.map(\.isInvalidated), [false, false, false], "who has gone by \(way.name)")
        if isKept { try realm.commitWrite() } else { realm.cancelWrite() }
        stage.equal(look(), before, "what is there after \(way.name), kept: \(isKept)")
      }
      stage.equal(
        try stage.seen { $0.objects(Account.self).map(\.note).sorted() },
        ["note 1", "note 2", "note 3"], "what others see of \(way.name)")
    }
    stage.equal(known.map(\.balance), [100, 200, 300], "the balances of those that are held")
  }
}
