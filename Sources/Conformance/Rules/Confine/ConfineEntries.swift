import EngineUnderTest
import Foundation

/// Calls that read what they are asked of, and are seldom made: refused elsewhere like any other.
enum ConfineEntries {
  /// A call in two steps: what it is asked of is fetched at home.
  private struct Call: Sendable {
    let name: String
    let prepare: @Sendable (Realm) -> () -> Void
  }

  private static func of<Owner: SendableMetatype>(
    _ name: String, _ owner: @escaping @Sendable (Realm) -> Owner,
    _ read: @escaping @Sendable (Owner) -> Void
  ) -> Call {
    Call(name: name) { realm in
      let owner = owner(realm)
      // Done at home first: what is known of that must not help elsewhere.
      read(owner)
      return { read(owner) }
    }
  }

  // MARK: Of a realm

  static let realms: [Probe] = probes([
    Call(name: "a realm's freeze(_:) of an object") { realm in
      let vessel = realm.vessel(1)!
      return { use(realm.freeze(vessel)) }
    },
    Call(name: "a realm's freeze(_:) of results") { realm in
      let found = realm.objects(Vessel.self)
      return { use(realm.freeze(found)) }
    },
    Call(name: "a realm's resolve(_:)") { realm in
      let reference = ThreadSafeReference(to: realm.vessel(1)!)
      return { use(realm.resolve(reference)) }
    },
    Call(name: "projections of a realm") { realm in { use(realm.objects(VesselView.self).count) } },
  ])

  // MARK: Of an object

  static let objects: [Probe] = probes([
    of("an object's description", { $0.vessel(1)! }, { use("\($0)") }),
    of("a copy of an object", { $0.vessel(1)! }, { use(Vessel(value: $0).number) }),
    of("an embedded object's description", { $0.vessel(1)!.part! }, { use("\($0)") }),
    of("a map of an object, by its name", { $0.vessel(1)! }, { use($0.value(forKey: "titles")) }),
    of("a projection's description", { VesselView(projecting: $0.vessel(1)!) }, { use("\($0)") }),
    of("what an object links to, twice", { $0.vessel(1)!.link! }, { use($0.link?.number) }),
  ])

  // MARK: Of a collection

  static let collections: [Probe] = probes(
    described("results", { $0.objects(Vessel.self) }) + described("a list", { $0.vessel(1)!.links })
      + described("a set", { $0.vessel(1)!.group })
      + described("links backwards", { $0.vessel(1)!.throughLink })
      + [
        of("a map's description", { $0.vessel(1)!.titles }, { use("\($0)") }),
        of("a list of numbers, its sum", { $0.vessel(1)!.numbers }, { use($0.sum()) }),
        of("a list of numbers, its least", { $0.vessel(1)!.numbers }, { use($0.min()) }),
        of("a list of numbers, its greatest", { $0.vessel(1)!.numbers }, { use($0.max()) }),
        of(
          "a list of numbers, its mean", { $0.vessel(1)!.numbers },
          { use($0.average() as Double?) }),
        of("a list of numbers, a place", { $0.vessel(1)!.numbers }, { use($0.index(of: 2)) }),
        of("a list of texts, sorted", { $0.vessel(1)!.texts }, { use($0.sorted().first) }),
        of("a list of texts, distinct", { $0.vessel(1)!.texts }, { use($0.distinct().count) }),
        of(
          "a set of texts, if it has one", { $0.vessel(1)!.labels }, { use($0.contains("a")) }),
        of("a map, as keys and values", { $0.vessel(1)!.titles }, { use($0.map { $0.value }) }),
        of(
          "sorted results, in sections",
          { $0.objects(Vessel.self).sorted(byKeyPath: "number").sectioned(by: \.number) },
          { use($0.allKeys) }),
        of(
          "a section, its last", { $0.objects(Vessel.self).sectioned(by: \.number)[0] },
          { use($0.last) }),
        of(
          "projections of all, the first", { $0.objects(VesselView.self) },
          { use($0.first?.text) }),
        of(
          "what is shown of members, its last",
          { VesselView(projecting: $0.vessel(1)!).names }, { use($0.last) }),
      ])

  private static func described<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Members
  ) -> [Call] where Members.Element == Vessel {
    [
      of("\(name), its description", find) { use("\($0)") },
      of("\(name), by its members' property", find) { use(ByName.values("number", of: $0)) },
      of("\(name), in sections", find) { use($0.sectioned(by: \.number).count) },
      of("\(name), turned round and narrowed", find) {
        use($0.sorted(byKeyPath: "id", ascending: false).where { $0.id > 0 }.count)
      },
    ]
  }

  /// Each of them on another thread, or, every other one, off the queue of its realm.
  private static func probes(_ calls: [Call]) -> [Probe] {
    calls.enumerated().map { number, call in
      let onQueue = number % 2 == 1
      let place = onQueue ? "off its queue" : "on another thread"
      return .dies("\(call.name), asked \(place)", saying: Words.wrongThread) { stage in
        if onQueue {
          let queue = DispatchQueue(label: "home")
          var kept: Realm?
          let asked = try queue.sync {
            let realm = try Realm(configuration: Vessel.configuration(stage), queue: queue)
            try realm.write { Vessel.stock(realm) }
            kept = realm
            return call.prepare(realm)
          }
          DispatchQueue(label: "another").sync { stage.act { asked() } }
          use(kept)
        } else {
          let realm = try Vessel.stocked(stage)
          let asked = call.prepare(realm)
          try stage.elsewhere { stage.act { asked() } }
          use(realm)
        }
      }
    }
  }
}
