import EngineUnderTest
import Foundation
import Harness

/// Variables whose object is seen to be gone on one thread, and read then where the realm is older.
enum Departed {
  private struct Kind: Sendable {
    let name: String
    /// Wraps something of a realm; what it returns tells whether the variable has it.
    let wrap: @Sendable (Realm) -> () -> Bool
  }

  private static let kinds: [Kind] = [
    Kind(name: "an object") { wrapped($0.vessel(1)) },
    Kind(name: "an embedded object") { wrapped($0.vessel(1).part!) },
    Kind(name: "a list of values") { wrapped($0.vessel(1).texts) },
    Kind(name: "a list of objects") { wrapped($0.vessel(1).links) },
    Kind(name: "a set") { wrapped($0.vessel(1).labels) },
    Kind(name: "a map") { wrapped($0.vessel(1).titles) },
  ]

  private static func wrapped<Thing: ThreadConfined>(_ thing: Thing) -> () -> Bool {
    let variable = ThreadSafe(wrappedValue: thing)
    return { variable.wrappedValue != nil }
  }

  private static let ways: [(name: String, delete: @Sendable (Realm) -> Void)] = [
    ("its deletion", { $0.delete($0.vessel(1)) }),
    ("a query's", { $0.delete($0.objects(Vessel.self).where { $0.id == 1 }) }),
    ("deleteAll()", { $0.deleteAll() }),
    (
      "its deletion, another under its key",
      { realm in
        realm.delete(realm.vessel(1))
        realm.add(Vessel(id: 1))
      }
    ),
  ]

  static let probes: [Probe] = kinds.map { kind in
    Probe("seen to be gone on one thread it is nil where the realm is older: \(kind.name)") {
      stage in
      Backstage.hooks?.skipFlushes()
      for (number, way) in ways.enumerated() {
        for onQueue in [false, true] {
          let file = "\(number) \(onQueue)"
          let configuration = Vessel.configuration(stage, file)
          let what = "after \(way.name)\(onQueue ? ", on a queue" : "")"
          func look(_ realm: Realm) throws {
            realm.autorefresh = false
            if realm.isEmpty { try realm.write { Vessel.stock(realm) } }
            let vessel = realm.vessel(1)!
            let isThere = kind.wrap(realm)
            stage.equal(isThere(), true, "whether it is there at first")
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { way.delete(other) }
            }
            stage.equal(vessel.isInvalidated, false, "whether the older realm has moved \(what)")
            try stage.elsewhere {
              stage.equal(isThere(), false, "whether it is there for a new thread \(what)")
            }
            stage.equal(isThere(), false, "whether it is there for the older realm \(what)")
            stage.equal(isThere(), false, "whether it is there a second time \(what)")
            try stage.elsewhere {
              stage.equal(isThere(), false, "whether it is there at last \(what)")
            }
          }
          if onQueue {
            let queue = DispatchQueue(label: "home")
            try stage.on(queue) {
              // Variables are read in the realm of the queue's thread.
              try look(try Realm(configuration: configuration))
            }
          } else {
            try look(try Realm(configuration: configuration))
          }
        }
      }
    }
  }
}
