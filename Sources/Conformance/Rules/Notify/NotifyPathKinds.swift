import EngineUnderTest
import Foundation
import Harness

/// Key paths given to each kind of thing that is observed: several, typed ones, none, wrong ones.
enum PathKinds {
  typealias Paths = [PartialKeyPath<Vessel>]

  /// A way to observe what the first vessel is a member of, by key paths of its class.
  private struct Way: Sendable {
    let name: String
    let byNames:
      @Sendable (Realm, [String], DispatchQueue?, @escaping () -> Void) -> NotificationToken
    let typed: @Sendable (Realm, Paths, DispatchQueue?, @escaping () -> Void) -> NotificationToken
  }

  private static func members<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Members
  ) -> Way where Members.Element == Vessel {
    Way(
      name: name,
      byNames: { realm, paths, queue, call in
        find(realm).observe(keyPaths: paths, on: queue) { if case .update = $0 { call() } }
      },
      typed: { realm, paths, queue, call in
        find(realm).observe(keyPaths: paths, on: queue) { if case .update = $0 { call() } }
      })
  }

  private static let ways: [Way] = [
    members("results") { $0.objects(Vessel.self) },
    members("a query") { $0.objects(Vessel.self).where { $0.id == 1 } },
    members("sorted ones") { $0.objects(Vessel.self).sorted(byKeyPath: "id") },
    members("a list") { $0.vessel(2)!.links }, members("a set") { $0.vessel(2)!.group },
    members("links backwards") { $0.vessel(2)!.throughLink },
    members("a query of a list") { $0.vessel(2)!.links.where { $0.id == 1 } },
    members("an erased list") { AnyRealmCollection($0.vessel(2)!.links) },
    Way(
      name: "a map",
      byNames: { realm, paths, queue, call in
        realm.vessel(2)!.named.observe(keyPaths: paths, on: queue) {
          if case .update = $0 { call() }
        }
      },
      typed: { realm, paths, queue, call in
        realm.vessel(2)!.named.observe(keyPaths: paths, on: queue) {
          if case .update = $0 { call() }
        }
      }),
  ]

  private static let object = Way(
    name: "an object",
    byNames: { realm, paths, queue, call in
      realm.vessel(1)!.observe(keyPaths: paths, on: queue) { (_: ObjectChange<Vessel>) in call() }
    },
    typed: { realm, paths, queue, call in
      realm.vessel(1)!.observe(keyPaths: paths, on: queue) { (_: ObjectChange<Vessel>) in call() }
    })

  /// The first vessel is a member of all that the second one has, and links to it.
  private static func stocked(_ stage: Stage) throws -> Realm {
    let realm = try RefKinds.stocked(stage)
    try realm.write {
      let (one, two) = (realm.vessel(1)!, realm.vessel(2)!)
      for vessel in [one, two] {
        vessel.links.removeAll()
        vessel.group.removeAll()
        vessel.named.removeAll()
      }
      two.link = nil
      one.link = two
      two.links.append(one)
      two.group.insert(one)
      two.named["one"] = .some(one)
    }
    return realm
  }

  // MARK: Several

  private nonisolated(unsafe) static let sets: [(names: [String], paths: Paths)] = [
    (["number"], [\Vessel.number]), (["number", "text"], [\Vessel.number, \Vessel.text]),
    (["text", "number"], [\Vessel.text, \Vessel.number]),
    (["name", "maybe", "number"], [\Vessel.name, \Vessel.maybe, \Vessel.number]),
    (["titles", "numbers"], [\Vessel.titles, \Vessel.numbers]),
    (["truth", "text", "truth"], [\Vessel.truth, \Vessel.text, \Vessel.truth]),
    (["ratio", "link"], [\Vessel.ratio, \Vessel.link]),
  ]

  /// Whoever names several properties hears of each, by names and by paths, here and on a queue.
  static let several: [Probe] = [false, true].map { onQueue in
    Probe("of several key paths each counts, for each kind, \(onQueue ? "on a queue" : "here")") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stocked(stage)
      let one = realm.vessel(1)!
      let queue = onQueue ? DispatchQueue(label: "listener") : nil
      var number = 100
      let changes: [(String, () -> Void)] = [
        ("number", { one.number = number }), ("text", { one.text = "\(number)" }),
        ("name", { one.name = "\(number)" }), ("maybe", { one.maybe = number }),
        ("titles", { one.titles["\(number)"] = "new" }),
        ("numbers", { one.numbers.append(number) }), ("truth", { one.truth.toggle() }),
        ("ratio", { one.ratio = Double(number) }), ("day", { one.day = Date() }),
      ]
      let lock = NSLock()
      nonisolated(unsafe) var told: [String: Int] = [:]
      var (tokens, named): ([NotificationToken], [String: [String]]) = ([], [:])
      for way in ways + [object] {
        for set in sets {
          for isTyped in [false, true] {
            let name = "\(way.name) by \(set.names)\(isTyped ? ", typed" : "")"
            named[name] = set.names
            let call = { lock.withLock { told[name, default: 0] += 1 } }
            tokens.append(
              isTyped
                ? way.typed(realm, set.paths, queue, call)
                : way.byNames(realm, set.names, queue, call))
          }
        }
      }
      func settle() throws {
        for _ in 0..<(onQueue ? 3 : 1) {
          try stage.settle(realm)
          queue?.sync {}
        }
      }
      try settle()
      for (path, change) in changes {
        number += 1
        lock.withLock { told = [:] }
        try realm.write { change() }
        let expected = named.filter { $0.value.contains(path) }.mapValues { _ in 1 }
        if onQueue {
          try stage.spin(
            until: { lock.withLock { expected.keys.allSatisfy { told[$0] != nil } } },
            "who is told of \(path)")
        }
        try settle()
        let seen = lock.withLock { told }
        stage.expect(
          seen == expected, "a change of \(path) is told once to \(expected.count)",
          observed: "not to \(expected.keys.filter { seen[$0] == nil }.sorted()), but to "
            + "\(seen.filter { expected[$0.key] != $0.value })")
      }
      for token in tokens { token.invalidate() }
    }
  }

  // MARK: None

  /// Without any key path a collection tells what comes and what goes.
  static let none = Probe("without any key path each kind of collection tells who comes and goes") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stocked(stage)
    var told: [String: Int] = [:]
    var tokens: [NotificationToken] = []
    for way in ways where way.name != "a map" {
      tokens.append(way.byNames(realm, [], nil) { told[way.name, default: 0] += 1 })
      tokens.append(way.typed(realm, [], nil) { told["\(way.name), typed", default: 0] += 1 })
    }
    try stage.settle(realm)
    for round in 1...2 {
      told = [:]
      try realm.write {
        realm.vessel(1)!.number = 50 + round
        realm.vessel(1)!.text = "new \(round)"
        realm.vessel(1)!.titles["new \(round)"] = "new"
        realm.vessel(2)!.number = 60 + round
      }
      try stage.settle(realm)
      stage.equal(told, [:], "who is told of changes of members, round \(round)")
      try realm.write {
        let three = Vessel(id: 10 + round)
        realm.add(three)
        realm.vessel(2)!.links.append(three)
        realm.vessel(2)!.group.insert(three)
        three.link = realm.vessel(2)!
      }
      try stage.settle(realm)
      let deaf = ["a query", "a query of a list", "a map"]
      let names = ways.map(\.name).filter { !deaf.contains($0) }
      let expected = names.flatMap { [$0, "\($0), typed"] }
      stage.equal(
        told, Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) }),
        "who is told of one that comes, round \(round)")
    }
    for token in tokens { token.invalidate() }
  }

  // MARK: Wrong ones

  /// Key paths that name nothing, wherever they stand, of each kind.
  static let wrong: [Probe] = (ways + [object]).enumerated().flatMap { place, way in
    let paths: [(String, [String])] = [
      ("alone", ["nothing"]), ("behind a right one", ["number", "nothing"]),
      ("before a right one", ["nothing", "number"]), ("behind a link", ["link.nothing"]),
      ("behind a list", ["links.nothing"]),
      ("behind a link, beside a right one", ["text", "link.link.nothing"]),
    ]
    // Each kind in some of the ways, each way of some kinds.
    return paths.enumerated().filter { ($0.offset + place) % 2 == 0 }.map { number, wrong in
      let onQueue = (number + place) % 4 == 0
      return Probe.dies(
        "\(way.name) by a key path of nothing, \(wrong.0)\(onQueue ? ", on a queue" : "")",
        saying: "property 'nothing' not found in object of type 'Vessel'"
      ) { stage in
        let realm = try stocked(stage)
        let queue = onQueue ? DispatchQueue(label: "listener") : nil
        // Who listens on a queue may be heard there.
        stage.act {
          let token = way.byNames(realm, wrong.1, queue) {}
          queue?.sync {}
          token.invalidate()
        }
      }
    }
  }
}
