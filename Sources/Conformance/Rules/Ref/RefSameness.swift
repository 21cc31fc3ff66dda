import EngineUnderTest
import Foundation
import Harness

/// What a reference gives, beside what is read where it is resolved: the two are the same in each
/// way to ask for that, as two readings there are, and neither is another one of its kind.
enum RefSameness {
  private struct Kind: Sendable {
    let name: String
    let run: @Sendable (Stage, Realm, Place) throws -> Void
  }

  /// Where the reference is resolved.
  private enum Place: String, CaseIterable {
    case thread = "on a thread"
    case writing = "on a thread, in a write"
    case queue = "on a queue"
  }

  /// - Parameters:
  ///   - find: The thing, for 1, and another one of its kind, for 2.
  ///   - compare: How two of them compare, in words: what equal means is each kind's own, and two
  ///     readings tell it.
  private static func kind<Value: ThreadConfined & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm, Int) -> Value,
    _ compare: @escaping @Sendable (Value, Value) -> String
  ) -> Kind {
    Kind(name: name) { stage, realm, place in
      let configuration = realm.configuration
      let value = find(realm, 1)
      let reference = ThreadSafeReference(to: value)
      let variable = ThreadSafe(wrappedValue: value)
      let what = "\(name) \(place.rawValue)"
      func look(_ other: Realm) {
        let (own, again, another) = (find(other, 1), find(other, 1), find(other, 2))
        var found = [("what a reference gives", other.resolve(reference))]
        // A variable is a thread's: in a queue's block it leads to the realm of the thread.
        if place != .queue { found.append(("what a variable gives", variable.wrappedValue)) }
        for (way, found) in found {
          guard let found else {
            stage.fail(expected: "\(way), \(what)", observed: "nothing")
            continue
          }
          stage.expect(found.realm == other, "the realm of \(way), \(what)")
          stage.equal(compare(found, own), compare(again, own), "\(way) beside it, \(what)")
          stage.equal(compare(own, found), compare(own, again), "it beside \(way), \(what)")
          stage.equal(
            compare(found, another), compare(own, another), "\(way) beside another, \(what)")
          if place == .writing { continue }
          let (frozen, ownFrozen) = (found.freeze(), own.freeze())
          stage.equal(
            compare(frozen, ownFrozen), compare(again.freeze(), ownFrozen),
            "\(way), frozen, beside it, \(what)")
          guard place == .thread, let thawed = frozen.thaw(), let own = ownFrozen.thaw(),
            let again = again.freeze().thaw()
          else { continue }
          stage.equal(
            compare(thawed, own), compare(again, own), "\(way), thawed, beside it, \(what)")
        }
      }
      switch place {
      case .thread: try stage.elsewhere { look(try Realm(configuration: configuration)) }
      case .writing:
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          other.beginWrite()
          look(other)
          other.cancelWrite()
        }
      case .queue:
        let queue = DispatchQueue(label: "home")
        try queue.sync { look(try Realm(configuration: configuration, queue: queue)) }
      }
    }
  }

  private static func object<Class: ObjectBase & ThreadConfined & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm, Int) -> Class
  ) -> Kind {
    kind(name, find) { "equal: \($0 == $1), one object: \($0.isSameObject(as: $1))" }
  }

  /// - Parameter words: What tells a member.
  private static func members<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm, Int) -> Members,
    _ words: @escaping @Sendable (Members.Element) -> String
  ) -> Kind {
    kind(name, find) { one, other in
      let places = other.map { member in one.index(of: member).map { "\($0)" } ?? "nowhere" }
      return "equal: \(one == other), members: \(one.map(words)) and \(other.map(words)), "
        + "counts: \(one.count) and \(other.count), places: \(places)"
    }
  }

  private static func map<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm, Int) -> Map<String, Value>
  ) -> Kind {
    kind(name, find) {
      "equal: \($0 == $1), keys: \($0.keys.sorted()) and \($1.keys.sorted())"
    }
  }

  private static let kinds: [Kind] = [
    object("an object") { $0.vessel($1)! },
    object("an object without a key") { realm, id in
      realm.objects(Person.self).where { $0.age == id }[0]
    },
    object("an embedded object") { $0.vessel($1)!.part! },
    object("an embedded object of a list") { $0.vessel(1)!.parts[$1 - 1] },
    object("an embedded object of a map") { $0.vessel($1)!.partMap["a"]!! },
    members("a list of objects", { $0.vessel($1)!.links }, { "\($0.id)" }),
    members("a list of texts", { $0.vessel($1)!.texts }, { $0 }),
    members("a list of numbers", { $0.vessel($1)!.numbers }, { "\($0)" }),
    members("a list of embedded objects", { $0.vessel($1)!.parts }, { $0.text }),
    members("a list of an embedded object", { $0.vessel($1)!.part!.texts }, { $0 }),
    members("a set of objects", { $0.vessel($1)!.group }, { "\($0.id)" }),
    members("a set of texts", { $0.vessel($1)!.labels }, { $0 }),
    members("links backwards", { $0.vessel($1)!.throughLink }, { "\($0.id)" }),
    members("links backwards through a list", { $0.vessel($1)!.throughLinks }, { "\($0.id)" }),
    // One object, and two properties that link to it.
    members(
      "links backwards, through this or that",
      { realm, way in way == 1 ? realm.vessel(1)!.throughLink : realm.vessel(1)!.throughLinks },
      { "\($0.id)" }),
    members(
      "links backwards, through that or this",
      { realm, way in way == 2 ? realm.vessel(1)!.throughLink : realm.vessel(1)!.throughLinks },
      { "\($0.id)" }),
    members(
      "a query", { realm, id in realm.objects(Vessel.self).where { $0.id >= id } },
      { "\($0.id)" }),
    members(
      "a sorted query of a list",
      { $0.vessel($1)!.links.where { $0.id > 0 }.sorted(byKeyPath: "id", ascending: false) },
      { "\($0.id)" }),
    members("an erased list", { AnyRealmCollection($0.vessel($1)!.links) }, { "\($0.id)" }),
    members(
      "erased links backwards", { AnyRealmCollection($0.vessel($1)!.throughLink) }, { "\($0.id)" }),
    map("a map of texts") { $0.vessel($1)!.titles },
    map("a map of objects") { $0.vessel($1)!.named },
    map("a map of mixed values") { $0.vessel($1)!.mixedMap },
    map("a map of embedded objects") { $0.vessel($1)!.partMap },
    kind(
      "a projection", { VesselView(projecting: $0.vessel($1)!) },
      { "equal: \($0 == $1), one object: \($0.rootObject.isSameObject(as: $1.rootObject))" }),
  ]

  static let probes: [Probe] = Place.allCases.map { place in
    Probe("what references give is what is read there, \(place.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      for kind in kinds { try kind.run(stage, realm, place) }
    }
  }
}
