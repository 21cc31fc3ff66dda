import EngineUnderTest
import Foundation
import Harness

/// What no reference can be made to, and what copies of one share, for each kind of thing.
enum RefRefusals {
  /// What no realm manages.
  static let unmanaged: [Probe] = {
    let acts: [(String, @Sendable (Vessel) -> Void)] = [
      ("an embedded object", { use(ThreadSafeReference(to: $0.part!)) }),
      ("a list of objects", { use(ThreadSafeReference(to: $0.links)) }),
      ("a list of texts", { use(ThreadSafeReference(to: $0.texts)) }),
      ("a set", { use(ThreadSafeReference(to: $0.labels)) }),
      ("a map", { use(ThreadSafeReference(to: $0.titles)) }),
      ("a copy of a managed object", { use(ThreadSafeReference(to: Vessel(value: $0))) }),
    ]
    return acts.map { name, act in
      .dies("\(name) without a realm", saying: "Cannot construct reference to unmanaged object") {
        stage in
        let vessel = Vessel(id: 1)
        vessel.part = Part(text: "part")
        stage.act { act(vessel) }
      }
    }
  }()

  /// Queries in a write that has changed something, whatever that was.
  static let queriesInWrites: [Probe] = {
    let queries: [(String, @Sendable (Realm) -> Results<Vessel>)] = [
      ("a query", { $0.objects(Vessel.self).where { $0.id > 0 } }),
      ("a query by a format", { $0.objects(Vessel.self).filter("id > 0") }),
      (
        "a sorted query",
        { $0.objects(Vessel.self).where { $0.id > 0 }.sorted(byKeyPath: "number") }
      ),
      ("a query of a query", { $0.objects(Vessel.self).where { $0.id > 0 }.where { $0.id < 9 } }),
      (
        "distinct ones of a query",
        { $0.objects(Vessel.self).where { $0.id > 0 }.distinct(by: ["number"]) }
      ),
    ]
    let changes: [(String, @Sendable (Realm) -> Void)] = [
      ("a property was set", { $0.vessel(2)!.number = 7 }),
      ("one was added", { $0.add(Vessel(id: 9)) }),
      ("one was deleted", { $0.delete($0.vessel(2)!) }),
      ("a list was changed", { $0.vessel(1)!.texts.append("new") }),
      ("all was deleted", { $0.deleteAll() }),
    ]
    return queries.enumerated().flatMap { number, query in
      [number, number + 2].map { place in
        let change = changes[place % changes.count]
        let wasEarlier = place == number
        return .dies(
          "\(query.0), made \(wasEarlier ? "before" : "after") \(change.0)",
          saying: "Can only duplicate a write transaction before any changes have been made",
          "Cannot create a ThreadSafeReference to Results backed by"
        ) { stage in
          let realm = try Vessel.stocked(stage)
          let early = query.1(realm)
          realm.beginWrite()
          change.1(realm)
          let results = wasEarlier ? early : query.1(realm)
          stage.act { use(ThreadSafeReference(to: results)) }
        }
      }
    }
  }()

  /// All copies of a reference are used up with one, wherever each of them is.
  static let copies = Probe("copies of a reference of each kind are used up together, wherever") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let configuration = realm.configuration
    func look<Value: ThreadConfined>(_ name: String, _ value: Value, goes: Bool = false) throws {
      for place in 0..<3 {
        let reference = ThreadSafeReference(to: value)
        let copies = Array(repeating: reference, count: 3)
        let what = "\(name), by copy \(place)"
        stage.equal(
          copies.map(\.isInvalidated), [false, false, false], "if any was used before, \(what)")
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          stage.equal(copies[2].isInvalidated, false, "whether it was used, there, \(what)")
          let found = other.resolve(copies[place])
          stage.expect((found == nil) == goes, "whether it is found, \(what)")
          stage.equal(
            copies.map(\.isInvalidated), [true, true, true], "which were used, there, \(what)")
        }
        stage.equal(copies.map(\.isInvalidated), [true, true, true], "which were used, \(what)")
        stage.equal(reference.isInvalidated, true, "whether the original was used, \(what)")
        // Another reference to the same is another one.
        stage.equal(
          ThreadSafeReference(to: value).isInvalidated, false, "if a new one was used, \(what)")
      }
    }
    try look("an object", realm.vessel(1)!)
    try look("an object without a key", realm.objects(Person.self)[0])
    try look("an embedded object", realm.vessel(1)!.part!)
    try look("a list", realm.vessel(1)!.links)
    try look("a set", realm.vessel(1)!.labels)
    try look("a map", realm.vessel(1)!.titles)
    try look("links backwards", realm.vessel(1)!.throughLink)
    try look("results", realm.objects(Vessel.self))
    try look("a query", realm.objects(Vessel.self).where { $0.id > 0 })
    try look("a frozen object", realm.vessel(1)!.freeze())
    try look("frozen results", realm.objects(Vessel.self).freeze())
  }
}
