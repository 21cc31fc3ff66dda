import EngineUnderTest
import Foundation
import Harness

extension Rules.Ref {
  static let routes: [Rule] = [
    ref32, ref33, ref34,
  ]

  static let ref32 = Rule(
    "REF-32", .documented,
    "Querying again on the other thread (e.g. by primary key) MUST be an equivalent way to "
      + "reach the object.",
    source: "S0 Communication; @ThreadSafe section; S4 Pass a Primary Key.",
    broken: "stale cache by key",
    probes: [
      Probe("a query on the other thread reaches the same object") { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.account(2))
        let id = realm.account(2).id
        try stage.elsewhere {
          let other = try stage.open()
          let resolved = other.resolve(reference)
          let found = other.object(ofType: Account.self, forPrimaryKey: id)
          stage.equal(
            found?.isSameObject(as: resolved), true, "whether both ways give the same object")
        }
      }
    ])

  static let ref33 = Rule(
    "REF-33", .documented,
    "The documented extension `writeAsync(_:errorHandler:block:)` MUST compile and, for an "
      + "unresolvable reference, hand nil to the block; errors of opening or committing go to "
      + "`errorHandler`.",
    source: "S0/S1 extension.",
    broken: "block skipped when the object is gone; error swallowed",
    probes: [
      Probe("the documented extension deletes results in the background") { stage in
        let realm = try stage.stocked()
        let grown = realm.objects(Person.self).filter("age > 35")
        let handled = Latch("the block")
        realm.writeAsync(grown, errorHandler: { _ in }) { realm, people in
          if let people { realm.delete(people) }
          handled.open()
        }
        try stage.wait(for: handled)
        try stage.spin(until: { grown.count == 0 }, "the deletion")
        stage.equal(realm.objects(Person.self).map(\.name), ["Ann"], "who is left")
      },
      Probe("an object that is gone arrives as nil") { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        let release = Latch("the deletion")
        let handled = Latch("the block")
        var wasNil: Bool?
        realm.writeAsync(account, before: release, errorHandler: { _ in }) { _, account in
          wasNil = account == nil
          handled.open()
        }
        try realm.write { realm.delete(account) }
        release.open()
        try stage.wait(for: handled)
        stage.equal(wasNil, true, "whether the block got nil")
      },
    ])

  static let ref34 = Rule(
    "REF-34", .implementation,
    "A `Realm` value itself cannot be wrapped in a reference (`Realm` is not "
      + "`ThreadConfined`).",
    level: .informative,
    source: "(impl).",
    broken: "(none)",
    probes: [
      Probe("a realm cannot be referred to") { stage in
        try stage.doesNotCompile(
          "func f(_ r: Realm) { _ = ThreadSafeReference(to: r) }", saying: "ThreadConfined")
      }
    ])
}
