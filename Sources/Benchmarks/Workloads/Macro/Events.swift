import EngineUnderTest
import Evidence
import Foundation
import Harness

/// A state that events change.
final class Sensor: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Int
  @Persisted var label: String
}

/// A stream of events, each of which changes a sensor and hands it, frozen, to consumers on another
/// queue.
///
/// This is what a reactive architecture does with Realm. The consumers keep the last hundred
/// values: as many versions stay readable at any time.
enum Events {
  static let benchmark = Benchmark(
    "macro.events",
    "one event: a transaction that changes one of 1,000 sensors, whose frozen object goes to "
      + "another queue, where the last hundred are kept; growth of the file over all events",
    [
      .init("events", ["10000"], quick: ["2000"]), .init("held", ["100"]),
      .init("durability", ["none", "two-phase"], quick: ["none"]),
    ], engines: [RealmStore.name],
    metrics: ["time", "growth", "size", "allocations", "flushes"], weight: 3, run)

  private static let sensors = 1000

  @Sendable private static func run(_ track: Track) throws {
    let events = try track.integer("events")
    let held = try track.integer("held")
    let durability = try Commit.durability(track)
    var configuration = Realm.Configuration(
      fileURL: track.directory.appendingPathComponent("events.realm"), objectTypes: [Sensor.self])
    _ = Engine.setDurability(durability.rawValue, of: &configuration)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<sensors { realm.create(Sensor.self, value: ["id": id, "label": "a sensor"]) }
    }
    let consumer = Consumer(held)
    let size = fileSize(configuration)
    var generator = track.generator("events")
    let targets = (0..<events).map { _ in generator.below(sensors) }
    var values = [Int](repeating: 0, count: sensors)
    try track.work(events) { pause in
      for (event, id) in targets.enumerated() {
        guard let sensor = realm.object(ofType: Sensor.self, forPrimaryKey: id) else {
          throw BenchmarkError("there is no sensor \(id)")
        }
        try realm.write { sensor.value = event }
        consumer.take(Handed(sensor.freeze()))
        values[id] = event
        if track.isInTurns, event % max(1, events / 40) == 0 {
          // What the consumer has still to read belongs to this turn.
          _ = consumer.end()
          pause()
        }
      }
      return consumer.end()
    }
    if track.pass == .time {
      let after = fileSize(configuration)
      track.record("growth", Double(after - size), count: events)
      track.record("size", Double(after), count: events)
    }
    let right = events * (events - 1) / 2
    track.check(consumer.sum == right, "the values add up to \(consumer.sum), expected \(right)")
    let last = realm.objects(Sensor.self).sum(of: \.value)
    track.check(last == values.reduce(0, +), "the sensors add up to \(last)")
  }

  private static func fileSize(_ configuration: Realm.Configuration) -> Int {
    guard let path = configuration.fileURL?.path else { return 0 }
    return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Whoever wants the events: reads each, and keeps the last ones.
  private final class Consumer: @unchecked Sendable {
    // Unchecked: touched on the queue alone, and by whoever has waited for it.
    private let queue = DispatchQueue(label: "consumer")
    private var kept: [Sensor?]
    private var turn = 0
    private(set) var sum = 0

    init(_ held: Int) { kept = Array(repeating: nil, count: max(1, held)) }

    func take(_ sensor: Handed<Sensor>) {
      queue.async { [self] in
        sum += sensor.value.value
        kept[turn % kept.count] = sensor.value
        turn += 1
      }
    }

    func end() -> UInt64 { queue.sync { UInt64(sum) } }
  }
}
