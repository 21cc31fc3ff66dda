import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// References of each kind, made at each of several versions, for a realm on each of them.
  static let versionsAround = Probe(
    "a realm that is newer than a reference of any kind stays where it is, the others catch up"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let last = 4
    for place in 0...last {
      for isNewestFirst in [false, true] {
        let file = "\(place) \(isNewestFirst)"
        try stage.elsewhere { _ = try stage.stocked(file) }
        let realm = try stage.open(file)
        realm.autorefresh = false
        var references: [(version: Int, kind: String, resolve: (Realm) -> Bool)] = []
        for version in 0...last {
          try stage.elsewhere {
            let other = try stage.open(file)
            try other.write { other.account(1).balance = version }
            func refer<Thing: ThreadConfined>(_ kind: String, _ thing: Thing) {
              let reference = ThreadSafeReference(to: thing)
              references.append((version, kind, { $0.resolve(reference) != nil }))
            }
            refer("an object", other.account(1))
            refer("an object without a key", other.person("Ann"))
            refer("a list", other.person("Ann").dogs)
            refer("results", other.objects(Account.self))
            refer("a query", other.objects(Account.self).where { $0.balance >= 0 })
            refer("an erased list", AnyRealmCollection(other.person("Ann").dogs))
            refer("links backwards", other.person("Ann").dogs[0].owners)
          }
          if version == place { realm.refresh() }
        }
        var shown = place
        let account = realm.account(1)
        stage.equal(account.balance, shown, "the version that the realm is on at first")
        // Those that need no step, in either order; and then the others.
        let known = references.filter { $0.version <= place }
        for (version, kind, resolve) in isNewestFirst ? known.reversed() : known {
          stage.expect(resolve(realm), "\(kind) of version \(version) is found on \(place)")
          stage.equal(account.balance, shown, "the version after \(kind) of version \(version)")
        }
        for (version, kind, resolve) in references where version > place {
          stage.expect(resolve(realm), "\(kind) of version \(version) is found")
          // How far it goes beyond the reference's version is the engine's affair.
          stage.expect(
            account.balance >= max(version, shown), "at least version \(max(version, shown))",
            observed: "\(account.balance)")
          shown = account.balance
        }
      }
    }
  }
}
