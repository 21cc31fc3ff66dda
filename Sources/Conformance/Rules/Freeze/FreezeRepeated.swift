import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What may happen to a realm while it stays on its version.
  static let sameVersion = Probe("one version, one frozen realm, whatever happens between") {
    stage in
    let realm = try stage.stocked()
    realm.autorefresh = false
    let events: [(String, () throws -> Void)] = [
      ("nothing", {}), ("a read", { use(realm.account(1).balance) }),
      (
        "a cancelled write",
        {
          realm.beginWrite()
          realm.account(1).balance = 8
          realm.cancelWrite()
        }
      ),
      (
        "a write that throws",
        {
          struct Trouble: Error {}
          do { try realm.write { () -> Void in throw Trouble() } } catch is Trouble {}
        }
      ),
      ("a refresh without news", { realm.refresh() }),
      (
        "a foreign commit that is not looked at",
        { try stage.foreign { $0.account(2).note += "x" } }
      ),
      ("a listener", { realm.objects(Account.self).observe { _ in }.invalidate() }),
      ("a reference", { use(ThreadSafeReference(to: realm.objects(Account.self))) }),
    ]
    for (name, event) in events {
      // The begin of a write comes to the newest version.
      if name.contains("write") { realm.refresh() }
      let one = realm.freeze()
      let ann = realm.person("Ann").freeze()
      try event()
      let two = realm.freeze()
      stage.expect(one == two, "the same frozen realm after \(name)", observed: "another one")
      stage.expect(
        ann == realm.person("Ann").freeze(), "equal frozen objects after \(name)",
        observed: "different ones")
    }
  }

  /// A frozen realm that was closed, and the live one's next.
  static let frozenAgain = Probe("closing a frozen realm leaves the live one's next as it was") {
    stage in
    let realm = try stage.stocked()
    for round in 0..<3 {
      let frozen = realm.freeze()
      use(frozen.account(1).balance)
      frozen.invalidate()
      stage.equal(realm.freeze().account(1).balance, 100, "the balance frozen again")
      stage.equal(realm.account(1).freeze().balance, 100, "the balance of a frozen object")
      stage.equal(
        realm.objects(Account.self).freeze().count, 3, "the frozen accounts in round \(round)")
      if round == 1 { try realm.write { realm.account(2).balance = 1 } }
    }
  }

  /// Things that were frozen at home before, frozen elsewhere.
  static let refrozenElsewhere = ["a realm", "an object", "results", "a list", "links backwards"]
    .map { kind in
      Probe.dies("\(kind) that was frozen at home before", saying: Words.wrongThread) { stage in
        let realm = try stage.stocked()
        let (account, people) = (realm.account(1), realm.objects(Person.self))
        let dogs = realm.person("Ann").dogs
        let owners = dogs[0].owners
        let known = realm.freeze()
        use((account.freeze().balance, people.freeze().count, dogs.freeze().count))
        use(owners.freeze().count)
        try stage.elsewhere {
          stage.act {
            switch kind {
            case "a realm": use(realm.freeze())
            case "an object": use(account.freeze())
            case "results": use(people.freeze())
            case "a list": use(dogs.freeze())
            default: use(owners.freeze())
            }
          }
        }
        use(known)
      }
    }

  /// Listeners of frozen things, wherever they are to be called.
  static let frozenListeners = [
    "an object", "results", "a list", "a map", "sections",
  ].map { kind in
    Probe.dies("\(kind), for a queue", saying: Words.frozenNews) { stage in
      let realm = try stage.stocked()
      let all = try realm.write { realm.create(Everything.self) }
      let queue = DispatchQueue(label: "listener")
      let (account, people) = (realm.account(1).freeze(), realm.objects(Person.self).freeze())
      let (dogs, scores) = (realm.person("Ann").dogs.freeze(), all.scores.freeze())
      let sections = realm.objects(Person.self).sectioned(by: \.age).freeze()
      stage.act {
        switch kind {
        case "an object": use(account.observe(on: queue) { _ in })
        case "results": use(people.observe(on: queue) { _ in })
        case "a list": use(dogs.observe(on: queue) { _ in })
        case "a map": use(scores.observe(on: queue) { _ in })
        default: use(sections.observe(on: queue) { _ in })
        }
      }
    }
  }

  static let frozenListenersOnActors = ["an object", "results"].map { kind in
    Probe.diesInTask("\(kind), for an actor", saying: Words.frozenNews) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let keeper = try await Keeper(stage.configuration())
      let frozen = await keeper.with { _, realm in
        Smuggling((realm.account(1).freeze(), realm.objects(Account.self).freeze()))
      }
      await stage.act {
        if kind == "an object" {
          use(await frozen.value.0.observe(on: keeper) { _, _ in })
        } else {
          use(await frozen.value.1.observe(on: keeper) { _, _ in })
        }
      }
    }
  }

  /// Classes that the live realm had not asked for by then.
  static let unusedClasses = [true, false].map { isListed in
    Probe("a realm that was frozen untouched has all classes, \(isListed ? "listed" : "unlisted")")
    {
      stage in
      try stage.elsewhere { _ = try stage.stocked() }
      var configuration = stage.configuration()
      if !isListed { configuration.objectTypes = nil }
      let realm = try Realm(configuration: configuration)
      let frozen = realm.freeze()
      func look(_ realm: Realm) -> [Int] {
        [
          realm.objects(Dog.self).count, realm.objects(Account.self).count,
          realm.objects(Person.self).where { $0.age > 30 }.count, realm.person("Ann").dogs.count,
          realm.object(ofType: Account.self, forPrimaryKey: 2)?.balance ?? -1,
          realm.person("Bob").dogs[0].owners.count,
        ]
      }
      stage.equal(look(frozen), [6, 3, 2, 2, 200, 1], "what is in the frozen realm")
      let again = realm.freeze()
      try stage.elsewhere {
        stage.equal(look(frozen), [6, 3, 2, 2, 200, 1], "what is in the frozen realm elsewhere")
        stage.equal(look(again), [6, 3, 2, 2, 200, 1], "what is in it, asked elsewhere first")
      }
      stage.equal(look(realm), [6, 3, 2, 2, 200, 1], "what is in the live realm")
    }
  }

  /// What a write has put in the place of what it deleted.
  static let newInOldPlaces = ["an object", "an object made by create", "its list", "its results"]
    .map { kind in
      Probe.refuses(
        "\(kind), made in the same write under the key of one that it deleted", saying: Unborn.words
      ) { stage in
        let realm = try Realm(configuration: stage.specimens())
        try realm.write {
          realm.add(Specimen(id: 1))
          realm.specimen(1)!.members.append(realm.specimen(1)!)
        }
        realm.beginWrite()
        realm.delete(realm.specimen(1)!)
        if kind == "an object made by create" {
          realm.create(Specimen.self, value: ["id": 1])
        } else {
          realm.add(Specimen(id: 1))
        }
        let made = realm.specimen(1)!
        stage.act {
          switch kind {
          case "its list": use(made.members.freeze().count)
          case "its results":
            // Results are no object: who shows none of it has refused it, too.
            if made.members.where({ $0.id > 0 }).freeze().isEmpty { throw Unborn() }
          default: use(made.freeze().id)
          }
        }
      }
    }
}

/// Nothing was shown of what no version has yet.
private struct Unborn: LocalizedError {
  static let words =
    "Cannot freeze an object in the same write transaction as it was created in"
  var errorDescription: String? { Unborn.words }
}
