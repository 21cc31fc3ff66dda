import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Realms of a queue and of the thread that runs its block, opened in each order, each again.
  static let queueBesideThread: [Probe] = [
    ["queue", "thread"], ["thread", "queue"], ["queue", "thread", "queue", "thread"],
    ["thread", "queue", "other", "thread", "queue", "other"],
    ["queue", "other", "thread", "other", "queue"],
  ].flatMap { order in
    [(false, false), (true, false), (false, true), (true, true)].map { waits, byDefault in
      Probe(
        "realms of a queue and of its thread are two: " + order.joined(separator: ", ")
          + (waits ? ", in sync" : "") + (byDefault ? ", of the default configuration" : "")
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        Realm.Configuration.defaultConfiguration = stage.configuration()
        let (queue, other) = (DispatchQueue(label: "queue"), DispatchQueue(label: "other"))
        func open(_ place: String) throws -> Realm {
          switch place {
          case "queue":
            return byDefault
              ? try Realm(queue: queue)
              : try Realm(configuration: stage.configuration(), queue: queue)
          case "other":
            return try other.sync { try Realm(configuration: stage.configuration(), queue: other) }
          default:
            return byDefault ? try Realm() : try Realm(configuration: stage.configuration())
          }
        }
        func look() throws {
          var known: [String: Realm] = [:]
          for (step, place) in order.enumerated() {
            let realm = try open(place)
            if let first = known[place] {
              stage.expect(realm == first, "the \(place)'s realm, opened again in step \(step)")
            }
            known[place] = realm
            for (neighbour, its) in known where neighbour != place {
              stage.expect(
                realm != its, "the \(place)'s realm is not the \(neighbour)'s in step \(step)",
                observed: "they are one")
            }
            // What one of them is in, the others are not.
            if place != "other" {
              realm.beginWrite()
              for (neighbour, its) in known where neighbour != place && neighbour != "other" {
                stage.equal(
                  its.isInWriteTransaction, false, "whether the \(neighbour)'s realm is writing")
              }
              realm.cancelWrite()
            }
          }
        }
        for _ in 0..<2 {
          if waits {
            try queue.sync { try look() }
          } else {
            let done = Latch("the block")
            var trouble: (any Error)?
            stage.later(on: queue) {
              do { try look() } catch { trouble = error }
              done.open()
            }
            try stage.wait(for: done)
            if let trouble { throw trouble }
          }
        }
      }
    }
  }
}
