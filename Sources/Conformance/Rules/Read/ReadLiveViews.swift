import EngineUnderTest
import Foundation
import Harness

extension Rules.Read {
  static let liveViews: [Rule] = [
    read11, read12,
  ]

  static let read11 = Rule(
    "READ-11", .documented,
    "Live accessors MUST NOT cache: a property read after any change in the same realm "
      + "returns the current value, whichever accessor made the change.",
    source: "S0/S1/S3 Internal Structure (reading is looking at the stored value; basis for live "
      + "objects)",
    broken: "property cache in the accessor",
    probes: [
      Programs.accessors.probe,
      Probe("two accessors of one row agree at every moment") { stage in
        let realm = try stage.stocked()
        let one = realm.account(1)
        let other = realm.objects(Account.self).where { $0.id == 1 }.first!
        try realm.write {
          one.balance = 5
          stage.equal(other.balance, 5, "the other accessor in the write")
          other.balance = 6
          stage.equal(one.balance, 6, "the first accessor in the write")
        }
        stage.equal(one.balance, 6, "the first accessor after the write")
        stage.equal(other.balance, 6, "the other accessor after the write")
        try stage.foreign { $0.account(1).note = "foreign" }
        realm.refresh()
        stage.equal(one.note, "foreign", "the first accessor after the refresh")
        stage.equal(other.note, "foreign", "the other accessor after the refresh")
      },
    ] + KindsMoved.ownWrites + Sweeps.probes + ShownAnew.afterWrites)

  static let read12 = Rule(
    "READ-12", .implementation,
    "Iterating a collection with `for ... in` MUST walk the set as it was when iteration "
      + "began, even when the body changes or deletes members.",
    source: "(impl) RST/RealmCollectionTypeTests.swift testFastEnumerationWithMutation",
    broken: "index-based live iteration (skips every second)",
    probes: [
      Programs.looping.probe,
      Probe("every member is visited once although the body changes the query") { stage in
        let realm = try stage.open()
        try realm.write {
          for id in 0..<20 { realm.add(Account(id: id, balance: 1)) }
        }
        let unpaid = realm.objects(Account.self).where { $0.balance == 1 }
        try realm.write {
          var visited: [Int] = []
          for account in unpaid {
            visited.append(account.id)
            account.balance = 0
          }
          stage.equal(visited.sorted(), Array(0..<20), "the accounts visited")
          stage.equal(unpaid.count, 0, "the accounts left")
        }
      },
      Probe("every member is visited once while the body commits, at each size") { stage in
        Backstage.hooks?.skipFlushes()
        for count in [1, 20, 300, 700] + (stage.isDeep ? [63, 64, 65, 1_000, 4_000] : []) {
          let realm = try stage.open("walk of \(count)")
          try realm.write {
            for id in 0..<count { realm.add(Account(id: id, balance: count - id)) }
          }
          let all = realm.objects(Account.self)
          for (name, members) in [
            ("all", AnyRealmCollection(all)),
            ("filtered", AnyRealmCollection(all.where { $0.id < count })),
            ("sorted", AnyRealmCollection(all.sorted(byKeyPath: "id"))),
          ] {
            var visited: [Int] = []
            var added = count
            for account in members {
              visited.append(account.id)
              // Each commit changes what is walked, here and there, and makes use of the space that
              // others let go.
              try realm.write {
                account.note = "visited \(visited.count)"
                realm.account(visited.count * 31 % count).note = "\(visited.count)"
                realm.add(Account(id: added, note: String(repeating: "n", count: 200)))
                added += 1
              }
            }
            stage.equal(visited.sorted(), Array(0..<count), "\(name) of \(count), as visited")
            try realm.write { realm.delete(all.where { $0.id >= count }) }
          }
        }
      },
    ] + [.loopsThatDelete, .loopsThatDeleteAhead, .loopsOverWhatVanishes, .loopsOverOwners]
      + Probe.walksThatMove
      + OwnMembers.probes + BetweenCommits.loops + Probe.cancelledWalks + [NestedLoops.probe]
      + Probe.slicesGo)
}
