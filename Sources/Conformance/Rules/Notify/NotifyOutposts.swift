import EngineUnderTest
import Foundation
import Harness

/// Each thing that can be observed, in each way, from where it is not at home.
enum Outposts {
  /// Finds something at home; what it returns observes it.
  struct Way: Sendable {
    let name: String
    let find: @Sendable (Realm) -> (DispatchQueue) -> NotificationToken
  }

  static let ways: [Way] =
    members("results") { $0.objects(Vessel.self) }
    + members("filtered results") { $0.objects(Vessel.self).where { $0.number >= 0 } }
    + members("a list of objects") { $0.vessel(1).links }
    + members("a set of objects") { $0.vessel(1).group }
    + members("links backwards") { $0.vessel(1).throughLink }
    + members("any collection") { AnyRealmCollection($0.vessel(1).links) }
    + members("a list of values", paths: false) { $0.vessel(1).texts }
    + members("a set of values", paths: false) { $0.vessel(1).labels }
    + [
      Way(name: "an object") { realm in
        let one = realm.vessel(1)!
        return { _ in one.observe { (_: ObjectChange<Vessel>) in } }
      },
      Way(name: "an object, on a queue") { realm in
        let one = realm.vessel(1)!
        return { one.observe(on: $0) { (_: ObjectChange<Vessel>) in } }
      },
      Way(name: "a map of objects") { realm in
        let map = realm.vessel(1).named
        return { _ in map.observe { _ in } }
      },
      Way(name: "a map of objects, on a queue") { realm in
        let map = realm.vessel(1).named
        return { map.observe(on: $0) { _ in } }
      },
      Way(name: "a map of values, on a queue") { realm in
        let map = realm.vessel(1).titles
        return { map.observe(on: $0) { _ in } }
      },
      Way(name: "sections") { realm in
        let sections = realm.objects(Vessel.self).sectioned(by: \.number)
        return { _ in sections.observe { _ in } }
      },
      Way(name: "sections, on a queue") { realm in
        let sections = realm.objects(Vessel.self).sectioned(by: \.number)
        return { sections.observe(on: $0) { _ in } }
      },
      Way(name: "a realm") { realm in { _ in realm.observe { _, _ in } } },
    ]

  private static func members<Members: RealmCollection & SendableMetatype>(
    _ name: String, paths: Bool = true, _ find: @escaping @Sendable (Realm) -> Members
  ) -> [Way] {
    var ways = [
      Way(name: name) { realm in
        let found = find(realm)
        return { _ in found.observe { _ in } }
      },
      Way(name: "\(name), on a queue") { realm in
        let found = find(realm)
        return { found.observe(on: $0) { _ in } }
      },
    ]
    if paths {
      let names = ["number"]
      ways.append(
        Way(name: "\(name), by key paths, on a queue") { realm in
          let found = find(realm)
          return { found.observe(keyPaths: names, on: $0) { _ in } }
        })
    }
    return ways
  }

  /// On another thread than the realm's.
  static let ofThreads: [Probe] = ways.map { way in
    .dies(
      "observed on a foreign thread: \(way.name)", saying: Words.wrongThread,
      "Can only add notification blocks from within runloops"
    ) { stage in
      let realm = try Vessel.stocked(stage)
      let observe = way.find(realm)
      let queue = DispatchQueue(label: "listener")
      try stage.elsewhere { stage.act { use(observe(queue)) } }
    }
  }

  /// Off the queue of its realm.
  static let ofQueues: [Probe] = ways.filter { $0.name.hasSuffix("on a queue") }.map { way in
    .dies(
      "observed off its own queue: \(way.name)", saying: Words.wrongThread
    ) { stage in
      try stage.elsewhere { _ = try Vessel.stocked(stage) }
      let (home, queue) = (DispatchQueue(label: "home"), DispatchQueue(label: "listener"))
      var kept: Realm?
      let observe = try stage.on(home) {
        let realm = try Realm(configuration: Vessel.configuration(stage), queue: home)
        kept = realm
        return way.find(realm)
      }
      stage.act { use(observe(queue)) }
      use(kept)
    }
  }

  /// Outside of the actor of its realm.
  static let ofActors: [Probe] =
    ways.filter { $0.name.hasSuffix("on a queue") }.map { way in
      .diesInTask(
        "observed outside of its actor: \(way.name)", saying: "Incorrect actor executor",
        Words.wrongThread
      ) { stage in
        let keeper = try await Keeper(Vessel.configuration(stage))
        let observe = try await keeper.with { _, realm in
          try realm.write { Vessel.stock(realm) }
          return Smuggling(way.find(realm))
        }
        let queue = DispatchQueue(label: "listener")
        stage.act { use(observe.value(queue)) }
      }
    } + [
      onActor("results") { $0.objects(Vessel.self) },
      onActor("a list of objects") { $0.vessel(1).links },
      onActor("a set of values") { $0.vessel(1).labels },
      onActor("links backwards") { $0.vessel(1).throughLink },
    ]

  private static func onActor<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Members
  ) -> Probe {
    .diesInTask(
      "observed outside of its actor: \(name), on an actor", saying: "Incorrect actor executor",
      Words.wrongThread
    ) { stage in
      let keeper = try await Keeper(Vessel.configuration(stage))
      let found = try await keeper.with { _, realm in
        try realm.write { Vessel.stock(realm) }
        return Smuggling(find(realm))
      }
      await stage.act { use(await found.value.observe(on: keeper) { _, _ in }) }
    }
  }
}
