import EngineUnderTest
import Harness

extension Probe {
  /// A reference to something frozen brings an older realm to the version that it is of, as one to
  /// something live does.
  static let frozenBringTheirVersion = Probe(
    "what is frozen and referred to brings an older realm to its version"
  ) { stage in
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    let makes: [(String, (Realm) -> ThreadSafeReference<Vessel>)] = [
      ("an object, frozen", { ThreadSafeReference(to: $0.vessel(9).freeze()) }),
      ("an object of a frozen realm", { ThreadSafeReference(to: $0.freeze().vessel(9)) }),
      (
        "a member of frozen results",
        { ThreadSafeReference(to: $0.objects(Vessel.self).freeze().first { $0.id == 9 }!) }
      ),
      (
        "a link of a frozen object",
        { ThreadSafeReference(to: $0.vessel(1).freeze().link!) }
      ),
    ]
    for (number, (what, make)) in makes.enumerated() {
      for moves in [false, true] {
        let opened = Latch("the older realm's opening, \(what)")
        let committed = Latch("the commit, \(what)")
        nonisolated(unsafe) var reference: ThreadSafeReference<Vessel>?
        let member = stage.thread("older") {
          let older = try Realm(configuration: configuration)
          older.autorefresh = false
          use(older.objects(Vessel.self).count)
          opened.open()
          try stage.wait(for: committed)
          let found = older.resolve(reference!)
          let told = "\(what), \(moves ? "changed" : "new")"
          stage.equal(found?.number, number + 100, "its number, \(told)")
          stage.equal(older.vessel(9)?.number, number + 100, "the realm's, \(told)")
          stage.equal(older.objects(Vessel.self).count, 3, "how many the realm has, \(told)")
        }
        try stage.wait(for: opened)
        try realm.write {
          if let known = realm.vessel(9), !moves { realm.delete(known) }
          let vessel = realm.vessel(9) ?? realm.create(Vessel.self, value: ["id": 9])
          vessel.number = number + 100
          realm.vessel(1).link = vessel
        }
        reference = make(realm)
        committed.open()
        try stage.join(member)
        // The next one is changed again.
        try realm.write { realm.vessel(9).number = 0 }
      }
    }
  }
}
