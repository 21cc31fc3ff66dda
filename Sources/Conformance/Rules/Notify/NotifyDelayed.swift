import EngineUnderTest
import Foundation
import Harness

/// What is listened to on a queue, and what its calls say of it.
private struct Watched: Sendable {
  typealias Say = (_ isFirst: Bool, _ words: String) -> Void

  let name: String
  let listen: @Sendable (Realm, DispatchQueue, @escaping Say) -> NotificationToken

  private static func of<C: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> C,
    _ words: @escaping @Sendable (C) -> String
  ) -> Watched {
    Watched(name: name) { realm, queue, say in
      find(realm).observe(on: queue) { change in
        switch change {
        case .initial(let now): say(true, words(now))
        case .update(let now, _, _, _): say(false, words(now))
        case .error: say(false, "an error")
        }
      }
    }
  }

  static let all: [Watched] = [
    of("results", { $0.objects(Vessel.self) }, { "\($0.map(\.number).sorted())" }),
    of(
      "a filter", { $0.objects(Vessel.self).where { $0.number > 1 } },
      { "\($0.map(\.number).sorted())" }),
    of(
      "sorted results", { $0.objects(Vessel.self).sorted(byKeyPath: "number") },
      { "\($0.map(\.number))" }),
    of("a list", { $0.vessel(1).links }, { "\($0.map(\.number))" }),
    of("a list of numbers", { $0.vessel(1).numbers }, { "\(Array($0))" }),
    of("a set", { $0.vessel(1).group }, { "\($0.map(\.number).sorted())" }),
    of("links backwards", { $0.vessel(1).throughLink }, { "\($0.map(\.number).sorted())" }),
    of(
      "a filter of a list", { $0.vessel(1).links.where { $0.number > 1 } },
      { "\($0.map(\.number))" }),
    Watched(name: "a map") { realm, queue, say in
      realm.vessel(1).titles.observe(on: queue) { change in
        func words(_ map: Map<String, String>) -> String {
          map.keys.sorted().map { "\($0)=\(map[$0] ?? "")" }.joined(separator: " ")
        }
        switch change {
        case .initial(let now): say(true, words(now))
        case .update(let now, _, _, _): say(false, words(now))
        case .error: say(false, "an error")
        }
      }
    },
  ]
}

extension Probe {
  /// What happens at home between the call of `observe` and the moment at which the queue comes to
  /// it.
  private static let meanwhiles: [(name: String, run: @Sendable (Stage, Realm) throws -> Void)] = [
    ("nothing", { _, _ in }),
    ("the realm is invalidated", { _, realm in realm.invalidate() }),
    (
      "the realm writes and is invalidated",
      { _, realm in
        try realm.write { realm.vessel(2).number = 3 }
        realm.invalidate()
      }
    ),
    (
      "a write is cancelled",
      { _, realm in
        realm.beginWrite()
        realm.vessel(2).number = 77
        realm.vessel(1).numbers.append(77)
        realm.cancelWrite()
      }
    ),
    (
      "the realm writes twice",
      { _, realm in
        try realm.write { realm.vessel(2).number = 3 }
        try realm.write { realm.vessel(1).numbers.append(3) }
      }
    ),
    (
      "the realm is refreshed to what others wrote",
      { stage, realm in
        let configuration = realm.configuration
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { other.vessel(2).number = 4 }
        }
        realm.refresh()
      }
    ),
    (
      "others write very often",
      { stage, realm in
        let configuration = realm.configuration
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          for round in 0..<70 { try other.write { other.vessel(2).number = 10 + round } }
        }
      }
    ),
    (
      "the realm is frozen, and thawed",
      { _, realm in use(realm.freeze().thaw().isEmpty) }
    ),
  ]

  /// Whatever happens meanwhile, the listener comes to its queue, shows what is there, and is told
  /// of what comes then.
  static let delayedListeners: [Probe] = meanwhiles.indices.map { place in
    let meanwhile = meanwhiles[place]
    return Probe("listeners come to a busy queue though meanwhile: \(meanwhile.name)") { stage in
      Backstage.hooks?.skipFlushes()
      for (number, watched) in Watched.all.enumerated() {
        for isOwnThread in [false, true] {
          let configuration = Vessel.configuration(stage, "\(number) \(isOwnThread)")
          let queue = DispatchQueue(label: "listener")
          let release = Latch("the queue's other work")
          var (firsts, last): (Int, String) = (0, "")
          var isTwice = false
          var token: NotificationToken?
          func say(_ isFirst: Bool, _ words: String) {
            if isFirst { firsts += 1 }
            isTwice = isTwice || firsts > 1
            last = words
          }
          func listen() throws {
            let realm = try Realm(configuration: configuration)
            try realm.write { Vessel.stock(realm) }
            stage.later(on: queue) { _ = release.wait(stage.patience) }
            token = watched.listen(realm, queue, say)
            try meanwhile.run(stage, realm)
          }
          // The thread that has asked may be gone when the queue comes to it.
          if isOwnThread { try stage.elsewhere { try listen() } } else { try listen() }
          stage.equal(firsts, 0, "the calls before the queue is free")
          release.open()
          func there() throws -> String {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              let fresh = DispatchQueue(label: "fresh")
              let told = Latch("a new listener")
              var words = ""
              let token = watched.listen(other, fresh) { _, now in
                words = now
                told.open()
              }
              try stage.wait(for: told)
              token.invalidate()
              return fresh.sync { words }
            }
          }
          let what = "\(watched.name), while \(meanwhile.name), thread gone: \(isOwnThread)"
          try stage.spin(until: { queue.sync { firsts > 0 } }, "the first call of \(what)")
          let before = try there()
          try stage.spin(until: { queue.sync { last == before } }, "what is there, by \(what)")
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write {
              let vessel = other.vessel(1)!
              (vessel.number, other.vessel(2).number) = (500, 501)
              vessel.numbers.append(500)
              vessel.titles["new"] = "500"
            }
          }
          let after = try there()
          stage.expect(after != before, "a change of \(watched.name)")
          try stage.spin(until: { queue.sync { last == after } }, "the change, by \(what)")
          stage.equal(queue.sync { isTwice }, false, "whether there were two first calls, \(what)")
          token?.invalidate()
        }
      }
    }
  }
}
