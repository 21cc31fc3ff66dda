import EngineUnderTest
import Foundation
import Harness

/// Key paths over links of each kind, given to each kind of thing that is observed: told is who
/// reaches what was set by one of them, and nobody else.
enum FarPaths {
  /// Something that is observed by key paths, and whose members they begin at.
  private struct Way {
    let name: String
    let roots: [Int]
    let listen: (Realm, [String], DispatchQueue?, @escaping () -> Void) -> NotificationToken
  }

  private static func members<Members: RealmCollection>(
    _ name: String, _ roots: [Int], _ find: @escaping (Realm) -> Members
  ) -> Way where Members.Element == Vessel {
    Way(name: name, roots: roots) { realm, paths, queue, call in
      find(realm).observe(keyPaths: paths, on: queue) { if case .update = $0 { call() } }
    }
  }

  private static let all = [1, 2, 3, 4, 5, 6]

  private static func ways() -> [Way] {
    [
      members("all", all) { $0.objects(Vessel.self) },
      members("a query", [1]) { $0.objects(Vessel.self).where { $0.id == 1 } },
      members("sorted ones", all) {
        $0.objects(Vessel.self).sorted(byKeyPath: "id", ascending: false)
      },
      members("distinct ones", all) { $0.objects(Vessel.self).distinct(by: ["id"]) },
      members("a list", [1]) { $0.vessel(6).links }, members("a set", [1]) { $0.vessel(6).group },
      members("links backwards", [1]) { $0.vessel(2).throughLinks },
      members("a query of a list", [1]) { $0.vessel(6).links.where { $0.id == 1 } },
      members("an erased list", [1]) { AnyRealmCollection($0.vessel(6).links) },
      Way(name: "a map", roots: [1]) { realm, paths, queue, call in
        realm.vessel(6).named.observe(keyPaths: paths, on: queue) {
          if case .update = $0 { call() }
        }
      },
      Way(name: "an object", roots: [1]) { realm, paths, queue, call in
        realm.vessel(1).observe(keyPaths: paths, on: queue) { (_: ObjectChange<Vessel>) in call() }
      },
    ]
  }

  private static func sections() -> [Way] {
    [
      Way(name: "sections", roots: all) { realm, paths, queue, call in
        realm.objects(Vessel.self).sectioned(by: \.id).observe(keyPaths: paths, on: queue) {
          if case .update = $0 { call() }
        }
      },
      Way(name: "sections of a list", roots: [1]) { realm, paths, queue, call in
        realm.vessel(6).links.sectioned(by: \.id).observe(keyPaths: paths, on: queue) {
          if case .update = $0 { call() }
        }
      },
    ]
  }

  /// Where links lead, by the property that they are.
  private static let links: [String: [Int: [Int]]] = [
    "link": [1: [2], 2: [4], 3: [4], 5: [1]],
    "links": [1: [3, 2], 6: [1], 4: [5]],
    "named": [1: [3], 6: [1]], "group": [1: [5], 6: [1]],
    "throughLink": [2: [1], 4: [2, 3], 1: [5]], "throughLinks": [3: [1], 2: [1], 1: [6], 5: [4]],
  ]

  private static let paths: [[String]] = [
    ["link.text"], ["links.text"], ["named.number"], ["group.name"], ["link.link.text"],
    ["links.link.number"], ["throughLink.text"], ["link.throughLink.name"], ["throughLinks.number"],
    ["links.link.text", "number"], ["text", "group.number"], ["link.text", "link.link.name"],
    ["named.link.name", "link.number"], ["group.link.link.link.text"],
  ]

  /// Who is at the end of a path, from some.
  private static func ends(_ path: String, from roots: [Int]) -> (at: Set<Int>, property: String) {
    var steps = path.split(separator: ".").map { String($0) }
    let property = steps.removeLast()
    var here = Set(roots)
    for step in steps { here = Set(here.flatMap { links[step]![$0] ?? [] }) }
    return (here, property)
  }

  private static func stocked(_ stage: Stage) throws -> Realm {
    let realm = try Realm(configuration: RefKinds.configuration(stage))
    try realm.write {
      for id in all { realm.add(Vessel(id: id)) }
      for (from, to) in links["link"]! { realm.vessel(from).link = realm.vessel(to[0]) }
      for (from, to) in links["links"]! {
        realm.vessel(from).links.append(objectsIn: to.map { realm.vessel($0)! })
      }
      for (from, to) in links["group"]! { realm.vessel(from).group.insert(realm.vessel(to[0])) }
      for (from, to) in links["named"]! {
        realm.vessel(from).named["key"] = .some(realm.vessel(to[0]))
      }
    }
    return realm
  }

  private static func set(_ property: String, of vessel: Vessel, _ mark: Int) {
    switch property {
    case "text": vessel.text = "\(mark)"
    case "number": vessel.number = mark
    default: vessel.name = "\(mark)"
    }
  }

  static let probes: [Probe] = [false, true].map { probe("each kind", onQueue: $0, ways) }

  static let ofSections: [Probe] = [false, true].map { probe("sections", onQueue: $0, sections) }

  private static func probe(
    _ kinds: String, onQueue: Bool, _ ways: @escaping @Sendable () -> [Way]
  ) -> Probe {
    let place = onQueue ? "on a queue" : "here"
    return Probe("who reaches it by a key path is told, \(kinds), \(place)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stocked(stage)
      let configuration = realm.configuration
      let queue = onQueue ? DispatchQueue(label: "listener") : nil
      let lock = NSLock()
      nonisolated(unsafe) var told: [String: Int] = [:]
      var (tokens, named): ([NotificationToken], [String: (Way, [String])]) = ([], [:])
      for way in ways() {
        for paths in paths {
          let name = "\(way.name) by \(paths)"
          named[name] = (way, paths)
          tokens.append(
            way.listen(realm, paths, queue) { lock.withLock { told[name, default: 0] += 1 } })
        }
      }
      func settle() throws {
        for _ in 0..<(onQueue ? 3 : 1) {
          try stage.settle(realm)
          queue?.sync {}
        }
      }
      try settle()
      var mark = 0
      for id in all {
        for property in ["text", "number", "name"] {
          mark += 1
          let number = mark
          lock.withLock { told = [:] }
          if mark % 3 == 0 {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { set(property, of: other.vessel(id), number) }
            }
            realm.refresh()
          } else {
            try realm.write { set(property, of: realm.vessel(id), number) }
          }
          let expected = named.filter { _, one in
            one.1.contains { path in
              let (at, last) = ends(path, from: one.0.roots)
              return last == property && at.contains(id)
            }
          }.mapValues { _ in 1 }
          if onQueue {
            try stage.spin(
              until: { lock.withLock { expected.keys.allSatisfy { told[$0] != nil } } },
              "who is told of the \(property) of \(id)")
          }
          try settle()
          let seen = lock.withLock { told }
          stage.expect(
            seen == expected, "the \(property) of \(id) is told once to \(expected.count)",
            observed: "not to \(expected.keys.filter { seen[$0] == nil }.sorted().prefix(4)), but "
              + "to \(seen.filter { expected[$0.key] != $0.value }.prefix(4))")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }
}
