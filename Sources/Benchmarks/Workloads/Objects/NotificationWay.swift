import EngineUnderTest
import Evidence
import Foundation
import Harness

/// The seventh way to another thread: write here, be told there.
///
/// Nothing is handed over at all. The objects are changed in a transaction, which flushes nothing;
/// the other side observes them and reads one property of each that its change set names.
enum NotificationWay {
  static let benchmark = Benchmark(
    "ways.notification",
    "hand objects to another thread and read one property of each there: change them in one "
      + "transaction, which the other side observes; the transaction is part of it and flushes "
      + "nothing",
    [.init("objects", ["1", "100", "10000"], quick: ["100"])], engines: [RealmStore.name],
    quick: true
  ) { track in
    let rows = WayWorkloads.rows
    let count = try track.integer("objects")
    let store = try track.stocked(RealmStore.self, rows: rows, durability: .none, writable: true)
    let realm = try Realm(configuration: store.configuration)
    let people = try Population(rows).keys.prefix(count).map { key in
      guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
        throw BenchmarkError("there is no person \(key)")
      }
      return person
    }
    let there = try Observer(store.configuration)
    var age = 0
    var wrong = 0
    func hand() throws -> UInt64 {
      age = age % 99 + 1
      try realm.write { for person in people { person.age = age } }
      let sum = try there.answer()
      if sum != UInt64(age * people.count) { wrong += 1 }
      return sum
    }
    try track.time { count in
      var sum: UInt64 = 0
      for _ in 0..<count { sum &+= try hand() }
      return sum
    }
    there.end()
    track.check(wrong == 0, "\(wrong) times the other side read other ages")
  }

  /// The other side: a serial queue with a realm that is told of changes.
  private final class Observer: @unchecked Sendable {
    // Unchecked: the realm and the token are touched on the queue alone; the sum is written before
    // the signal and read after it.
    private let queue = DispatchQueue(label: "there")
    private let told = DispatchSemaphore(value: 0)
    private var token: NotificationToken?
    private var sum: UInt64 = 0

    init(_ configuration: Realm.Configuration) throws {
      try queue.sync {
        let people = try Realm(configuration: configuration, queue: queue).objects(Person.self)
        token = people.observe { [unowned self] change in
          if case .update(let people, _, _, let modifications) = change {
            sum = modifications.reduce(0) { $0 &+ UInt64(people[$1].age) }
          }
          told.signal()
        }
      }
      told.wait()
    }

    func answer() throws -> UInt64 {
      guard told.wait(timeout: .now() + 20) == .success else {
        throw BenchmarkError("after 20 s the other side had not been told of a commit")
      }
      return sum
    }

    func end() { queue.sync { token = nil } }
  }
}
