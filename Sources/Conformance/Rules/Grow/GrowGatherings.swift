import EngineUnderTest
import Foundation
import Harness

/// Holders of many versions that come to one: as many versions are alive then as if they had all
/// begun there.
private struct Gathering: Sendable {
  let name: String
  /// Makes one holder on the version of the moment, and says how it comes to the newest.
  let make: @Sendable (Stage, Realm) throws -> (come: () throws -> Void, end: () throws -> Void)

  static let all: [Gathering] =
    [
      Gathering(name: "realms of queues that refresh") { _, realm in
        try queueRealm(realm) { _ = $0.refresh() }
      },
      Gathering(name: "realms of queues that begin a write and cancel it") { _, realm in
        try queueRealm(realm) { other in
          other.beginWrite()
          other.cancelWrite()
        }
      },
      Gathering(name: "realms of queues that are invalidated and read again") { _, realm in
        try queueRealm(realm) { other in
          if Engine.offersReins { other.invalidate() } else { other.refresh() }
          use(other.vessel(1)!.number)
        }
      },
    ] + kinds

  private static func queueRealm(_ realm: Realm, _ come: @escaping (Realm) throws -> Void) throws
    -> (come: () throws -> Void, end: () throws -> Void)
  {
    let (queue, configuration) = (DispatchQueue(label: "holder"), realm.configuration)
    var held: Realm?
    try queue.sync {
      held = try Realm(configuration: configuration, queue: queue)
      held!.autorefresh = false
      use(held!.vessel(1)!.number)
    }
    return (
      { try queue.sync { try come(held!) } },
      { queue.sync { held = nil } }
    )
  }

  /// Of each kind of thing: what holds its version until it is read again or gone.
  private static let kinds: [Gathering] =
    of("an object") { $0.vessel(1)! } + of("results") { $0.objects(Vessel.self) }
    + of("a filter") { $0.objects(Vessel.self).where { $0.id > 0 } }
    + of("a list") { $0.vessel(1)!.links } + of("a set") { $0.vessel(1)!.group }
    + of("a map") { $0.vessel(1)!.named } + of("links backwards") { $0.vessel(1)!.throughLink }

  private static func of<Kind: ThreadConfined & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Kind
  ) -> [Gathering] {
    [
      Gathering(name: "variables of \(name) that are read again") { _, realm in
        let variable = ThreadSafe(wrappedValue: find(realm))
        return ({ use(variable.wrappedValue) }, { variable.wrappedValue = nil })
      },
      Gathering(name: "variables of \(name) that are read elsewhere") { stage, realm in
        let variable = ThreadSafe(wrappedValue: find(realm))
        let configuration = realm.configuration
        return (
          {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              use(other.vessel(1)!.number)
              use(variable.wrappedValue)
            }
          }, { variable.wrappedValue = nil }
        )
      },
      Gathering(name: "variables of \(name) that are assigned again") { _, realm in
        let variable = ThreadSafe(wrappedValue: find(realm))
        return ({ variable.wrappedValue = find(realm) }, { variable.wrappedValue = nil })
      },
      Gathering(name: "references to \(name) that are resolved") { _, realm in
        var reference: ThreadSafeReference<Kind>? = ThreadSafeReference(to: find(realm))
        return (
          {
            // Once is all that one can be.
            if let one = reference { use(realm.resolve(one)) }
            reference = nil
          }, {}
        )
      },
    ]
  }
}

extension Probe {
  static let gatherings: [Probe] = Gathering.all.map { gathering in
    Probe("\(gathering.name), of many versions: one is left", companions: roles) { stage in
      try stage.elsewhere { _ = try Vessel.stocked(stage) }
      let realm = try Realm(configuration: Vessel.configuration(stage))
      realm.autorefresh = false
      func commit() throws { try realm.write { realm.vessel(1)!.number += 1 } }
      func live() throws -> Int {
        realm.refresh()
        let count = try stage.liveVersions(of: realm.configuration)
        realm.refresh()
        return count
      }
      try commit()
      // As many as one of them keeps.
      let one = try gathering.make(stage, realm)
      try commit()
      try one.come()
      realm.refresh()
      try one.come()
      let alone = try live()
      try one.end()
      var all: [(come: () throws -> Void, end: () throws -> Void)] = []
      for _ in 0..<5 {
        all.append(try gathering.make(stage, realm))
        try commit()
      }
      for holder in all { try holder.come() }
      realm.refresh()
      for holder in all { try? holder.come() }
      let gathered = try live()
      stage.expect(
        gathered <= alone + 1, "no more versions than one keeps, \(alone), and the last write's",
        observed: "\(gathered)")
      for holder in all { try holder.end() }
      try commit()
      let left = try live()
      stage.expect(
        left <= alone, "no more versions than before when all have ended", observed: "\(left)")
    }
  }

  private static let roles: [String: Probe.Body] = [
    "counter of versions": { stage in
      Backstage.hooks?.skipFlushes()
      var configuration = Vessel.configuration(stage)
      configuration.maximumNumberOfActiveVersions = UInt(stage.words[0])!
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.vessel(2)!.number += 1 }
      stage.tell("fits")
    }
  ]
}

extension Stage {
  /// How many versions are alive, told by other processes, which write under ever higher limits.
  fileprivate func liveVersions(of configuration: Realm.Configuration) throws -> Int {
    for limit in 1...20 {
      let meter = try companion("counter of versions", "\(limit)")
      let fits = meter.line(within: patience) == "fits"
      meter.closeInput()
      _ = meter.remains()
      if fits { return limit }
    }
    return 21
  }
}
