import EngineUnderTest
import Foundation

/// A place for a link to an account, which is set to what it links to already.
private struct LinkPlace: Sendable {
  let name: String
  let set: @Sendable (Realm, Account) -> Void
  let linked: @Sendable (Realm) -> Account?

  init(
    _ name: String, _ set: @escaping @Sendable (Realm, Account) -> Void,
    _ linked: @escaping @Sendable (Realm) -> Account?
  ) {
    (self.name, self.set, self.linked) = (name, set, linked)
  }

  static let all = [
    LinkPlace("a property", { $0.account(1).previous = $1 }, { $0.account(1).previous }),
    LinkPlace(
      "a mixed value", { $0.crate.any = .object($1) }, { $0.crate.any.object(Account.self) }),
    LinkPlace(
      "a list of mixed values",
      { realm, account in
        if realm.crate.anys.isEmpty { realm.crate.anys.append(.none) }
        realm.crate.anys[0] = .object(account)
      }, { $0.crate.anys.first?.object(Account.self) }),
    LinkPlace(
      "a set of mixed values", { $0.crate.some.insert(.object($1)) },
      { $0.crate.some.first?.object(Account.self) }),
    LinkPlace(
      "a map of mixed values", { $0.crate.byName["a"] = .object($1) },
      { $0.crate.byName["a"]?.object(Account.self) }),
  ]
}

extension Realm {
  fileprivate var crate: Hamper { object(ofType: Hamper.self, forPrimaryKey: 1)! }
}

extension Probe {
  /// A link that is set to what it leads to already is the same link: it goes with that object, and
  /// does not lead to the next one under its key.
  static let setAgain = Probe("a link that was set again goes with its object, wherever it is") {
    stage in
    var configuration = stage.configuration()
    configuration.objectTypes = Models.all + [Hamper.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Account(id: 1))
      realm.add(Hamper(key: 1))
    }
    for place in LinkPlace.all {
      for times in 1...3 {
        try realm.write {
          realm.add(Account(id: 7, balance: 7))
          place.set(realm, realm.account(7))
        }
        for _ in 1..<times { try realm.write { place.set(realm, realm.account(7)) } }
        let what = "\(place.name), set \(times) times"
        stage.equal(place.linked(realm)?.balance, 7, "the balance behind \(what)")
        try realm.write { realm.delete(realm.account(7)) }
        stage.expect(
          place.linked(realm).map(\.isInvalidated) ?? true, "nothing behind \(what)",
          observed: "an object")
        try realm.write { realm.add(Account(id: 7, balance: 8)) }
        stage.equal(place.linked(realm)?.balance, nil, "the balance of another behind \(what)")
        try realm.write { realm.delete(realm.account(7)) }
      }
    }
  }
}
