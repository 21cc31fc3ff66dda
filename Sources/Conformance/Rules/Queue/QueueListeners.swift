import EngineUnderTest
import Foundation
import Harness

/// What a listener on a queue is handed, of whatever kind: it is of the queue's one realm, the same
/// that is opened there, and changes in a write of that one.
enum QueueListeners {
  /// What a call of a listener was handed.
  private struct Given {
    let realm: Realm?
    /// Changes something by it.
    let change: () -> Void

    init(_ realm: Realm?, _ change: @escaping () -> Void) {
      (self.realm, self.change) = (realm, change)
    }
  }

  private struct Ear: Sendable {
    let name: String
    /// Listens on the queue, and hands on what it is given in each call.
    let listen: @Sendable (Realm, DispatchQueue, @escaping (Given) -> Void) -> NotificationToken
  }

  private static func members<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Members,
    _ change: @escaping @Sendable (Members) -> Void
  ) -> Ear {
    Ear(name: name) { realm, queue, hear in
      find(realm).observe(on: queue) { news in
        guard let members = news.members else { return }
        hear(Given(members.realm) { change(members) })
      }
    }
  }

  private static func map<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Map<String, Value>, _ value: Value
  ) -> Ear {
    nonisolated(unsafe) let value = value
    return Ear(name: name) { realm, queue, hear in
      find(realm).observe(on: queue) { news in
        switch news {
        case .initial(let map), .update(let map, _, _, _):
          hear(Given(map.realm) { map["new"] = value })
        case .error: break
        }
      }
    }
  }

  private static let collections: [Ear] = [
    members("all objects", { $0.objects(Vessel.self) }, { $0.first!.number += 1 }),
    members("a query", { $0.objects(Vessel.self).where { $0.id > 1 } }, { $0[0].number += 1 }),
    members(
      "a sorted query", { $0.objects(Vessel.self).sorted(byKeyPath: "id", ascending: false) },
      { $0.last!.number += 1 }),
    members(
      "distinct ones", { $0.objects(Vessel.self).distinct(by: ["id"]) }, { $0[0].number += 1 }),
    members(
      "a query of a list", { $0.vessel(1)!.links.where { $0.id > 0 } }, { $0[0].number += 1 }),
    members("a list of objects", { $0.vessel(1)!.links }, { $0.append($0[0]) }),
    members("a list of texts", { $0.vessel(1)!.texts }, { $0.append("new") }),
    members("a list of mixed values", { $0.vessel(1)!.mixture }, { $0.append(.int(77)) }),
    members("a list of embedded objects", { $0.vessel(1)!.parts }, { $0[0].text += "new" }),
    members("a set of objects", { $0.vessel(1)!.group }, { $0[0].number += 1 }),
    members("a set of texts", { $0.vessel(1)!.labels }, { $0.insert("new") }),
    members("links backwards", { $0.vessel(1)!.throughLink }, { $0[0].number += 1 }),
    members("an erased list", { AnyRealmCollection($0.vessel(1)!.links) }, { $0[0].number += 1 }),
    members("projections", { $0.objects(VesselView.self) }, { $0[0].rootObject.number += 1 }),
    map("a map of texts", { $0.vessel(1)!.titles }, "new"),
    map("a map of objects", { $0.vessel(1)!.named }, nil),
  ]

  private static let others: [Ear] = [
    Ear(name: "an object") { realm, queue, hear in
      realm.vessel(1)!.observe(on: queue) { (news: ObjectChange<Vessel>) in
        if case .change(let one, _) = news { hear(Given(one.realm) { one.number += 1 }) }
      }
    },
    Ear(name: "an object without a key") { realm, queue, hear in
      realm.objects(Person.self).where { $0.age == 1 }[0].observe(on: queue) {
        (news: ObjectChange<Person>) in
        if case .change(let one, _) = news { hear(Given(one.realm) { one.name += "new" }) }
      }
    },
    Ear(name: "an embedded object") { realm, queue, hear in
      realm.vessel(1)!.part!.observe(on: queue) { (news: ObjectChange<Part>) in
        if case .change(let one, _) = news { hear(Given(one.realm) { one.text += "new" }) }
      }
    },
  ]

  /// What not every engine's interface can listen to.
  private static let views: [Ear] = [
    Ear(name: "a projection") { realm, queue, hear in
      VesselView(projecting: realm.vessel(1)!).observe(on: queue) {
        (news: ObjectChange<VesselView>) in
        guard case .change(let view, _) = news else { return }
        hear(Given(view.realm) { view.rootObject.number += 1 })
      }
    },
    // Not by their numbers, which change: a section keeps its members.
    Ear(name: "sections") { realm, queue, hear in
      realm.objects(Vessel.self).sectioned(by: \.id).observe(on: queue) { news in
        switch news {
        case .initial(let all), .update(let all, _, _, _, _, _):
          hear(Given(all.realm) { all[1][0].number += 1 })
        }
      }
    },
    Ear(name: "one section") { realm, queue, hear in
      realm.objects(Vessel.self).sectioned(by: \.id)[0].observe(on: queue) { news in
        switch news {
        case .initial(let section), .update(let section, _, _, _, _, _):
          hear(Given(section.realm) { section[0].number += 1 })
        }
      }
    },
  ]

  static let probes: [Probe] = [
    (collections, "a collection"), (others, "an object"), (views, "a view"),
  ].flatMap { ears, name in
    [true, false].map { isOpen in
      Probe(
        "what listens to \(name) on a queue is handed it in the queue's own realm"
          + (isOpen ? ", which is open" : "")
      ) { stage in
        Backstage.hooks?.skipFlushes()
        let realm = try RefKinds.stocked(stage)
        for (number, ear) in ears.enumerated() {
          try hear(stage, ear, realm, number, isOpen)
        }
      }
    }
  }

  private static func hear(
    _ stage: Stage, _ ear: Ear, _ realm: Realm, _ number: Int, _ isOpen: Bool
  ) throws {
    let configuration = realm.configuration
    let queue = DispatchQueue(label: "home")
    var kept: Realm?
    if isOpen {
      kept = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    }
    // All of these are used on the queue alone.
    var given: Given?
    var isLooking = false
    var told: Latch?
    func look(_ when: String) {
      // The begin of a write brings news, too, and calls the listener within its call.
      guard let one = given, !isLooking else { return }
      isLooking = true
      defer { isLooking = false }
      let what = "\(ear.name), \(when)"
      do {
        let own = try Realm(configuration: configuration, queue: queue)
        stage.expect(one.realm == own, "what was handed over is of the queue's realm, \(what)")
        own.beginWrite()
        let before = words(own)
        one.change()
        stage.expect(words(own) != before, "the queue's realm shows the change, \(what)")
        own.cancelWrite()
        stage.equal(words(own), before, "what the queue's realm shows in the end, \(what)")
      } catch {
        stage.fail(expected: "the queue's realm, \(what)", observed: "\(error)")
      }
    }
    let token = ear.listen(realm, queue) { one in
      given = one
      look("in a call")
      told?.open()
    }
    for round in 1...2 {
      let latch = Latch("a call of the listener of \(ear.name)")
      queue.sync { told = latch }
      // Whoever listens to one object is told of changes alone.
      try realm.write { RefKinds.change(realm, 10 * number + round) }
      try stage.wait(for: latch)
      queue.sync { look("after call \(round)") }
    }
    token.invalidate()
    queue.sync {
      given = nil
      kept = nil
    }
    use(kept)
  }

  private static func words(_ realm: Realm) -> String {
    realm.dump + realm.objects(Person.self).sorted(byKeyPath: "age").map(\.name).joined()
  }
}
