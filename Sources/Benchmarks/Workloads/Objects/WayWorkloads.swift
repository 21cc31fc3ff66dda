import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Ways to hand objects to another thread and read one property of each there: the same work done
/// several times, so that a reader can choose.
///
/// One operation hands over all `objects` and waits until the other side has read them; the hop to
/// the other side's queue and back is part of it, as it is in life (`floor.queue-hop` is that hop
/// alone).
enum WayWorkloads {
  /// How many people there are. A debug build is never measured, and its tests should not wait for
  /// them.
  static let rows = Doctor.isOptimised ? 20_000 : 500

  private static let parameters: [Benchmark.Parameter] = [
    .init("objects", ["1", "100", "10000"], quick: ["100"])
  ]

  static let all: [Benchmark] = [
    way("query", "send primary keys, find the objects again there") { here, there in
      let keys = here.people.map(\.id)
      return there.run { realm in
        keys.reduce(0) {
          $0 &+ UInt64(realm.object(ofType: Person.self, forPrimaryKey: $1)?.age ?? 1_000_000)
        }
      }
    },
    way("reference", "a ThreadSafeReference to each, resolved there") { here, there in
      let references = here.people.map { ThreadSafeReference(to: $0) }
      return there.run { realm in
        references.reduce(0) { $0 &+ UInt64(realm.resolve($1)?.age ?? 1_000_000) }
      }
    },
    way("thread-safe", "a @ThreadSafe variable for each, read there") { here, there in
      let wrapped = here.people.map { ThreadSafe(wrappedValue: $0) }
      return there.run { _ in
        wrapped.reduce(0) { $0 &+ UInt64($1.wrappedValue?.age ?? 1_000_000) }
      }
    },
    way("freeze", "freeze each, read the frozen ones there") { here, there in
      let frozen = Handed(here.people.map { $0.freeze() })
      return there.run { _ in frozen.value.reduce(0) { $0 &+ UInt64($1.age) } }
    },
    way("copy", "copy each to a plain struct, read the structs there") { here, there in
      let rows = here.people.map {
        Population.Row(id: $0.id, name: $0.name, age: $0.age, score: $0.score, note: $0.note)
      }
      return there.run { _ in rows.reduce(0) { $0 &+ UInt64($1.age) } }
    },
  ]

  /// The side that has the objects: this thread.
  private struct Here {
    let people: [Person]
  }

  /// The side that wants them: a serial queue with a realm of its own.
  private final class There: @unchecked Sendable {
    // Unchecked: the realm is touched on the queue alone.
    private let queue = DispatchQueue(label: "there")
    private let realm: Realm

    init(_ configuration: Realm.Configuration) throws {
      let queue = queue
      realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    }

    func run(_ body: @escaping @Sendable (Realm) -> UInt64) -> UInt64 {
      let done = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var sum: UInt64 = 0  // written before the signal, read after it
      queue.async {
        sum = body(self.realm)
        done.signal()
      }
      done.wait()
      return sum
    }
  }

  private static func way(
    _ name: String, _ sentence: String,
    _ hand: @escaping @Sendable (Here, There) -> UInt64
  ) -> Benchmark {
    Benchmark(
      "ways.\(name)",
      "hand objects to another thread and read one property of each there: \(sentence)",
      parameters, engines: [RealmStore.name], quick: true
    ) { track in
      let rows = WayWorkloads.rows
      let count = try track.integer("objects")
      let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
      let realm = try Realm(configuration: store.configuration)
      var generator = track.generator("objects")
      let people = try (0..<count).map { _ in
        let key = generator.below(rows)
        guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
          throw BenchmarkError("there is no person \(key)")
        }
        return person
      }
      let here = Here(people: people)
      let there = try There(store.configuration)
      try track.time { count in
        var sum: UInt64 = 0
        for _ in 0..<count { sum &+= hand(here, there) }
        return sum
      }
      let answer = hand(here, there)
      let right = people.reduce(0) { $0 + UInt64(Population.row($1.id).age) }
      track.check(answer == right, "the other side read \(answer), expected \(right)")
    }
  }
}
