import EngineUnderTest
import Foundation

/// A temperature, which is stored as a number.
struct Warmth: CustomPersistable, Hashable, Sendable {
  let degrees: Double

  init(_ degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

/// A name in parts, which is stored as one text.
struct Trail: CustomPersistable, Hashable, Sendable {
  let parts: [String]

  init(_ parts: String...) { self.parts = parts }
  init(persistedValue: String) {
    parts = persistedValue.split(separator: "/").map { String($0) }
  }
  var persistableValue: String { parts.joined(separator: "/") }
}

/// A number that is not odd: not everything that is stored is one.
struct Even: FailableCustomPersistable, Hashable, Sendable {
  let number: Int

  init(_ half: Int) { number = 2 * half }
  init?(persistedValue: Int) {
    guard persistedValue % 2 == 0 else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

/// What a spot is stored as.
final class SpotOnMap: EmbeddedObject {
  @Persisted var x: Int
  @Persisted var y: Int
}

/// A place, which is stored as an object of its owner's.
struct Spot: CustomPersistable, Hashable, Sendable {
  let x: Int
  let y: Int

  init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
  init(persistedValue: SpotOnMap) { self.init(persistedValue.x, persistedValue.y) }
  var persistableValue: SpotOnMap { SpotOnMap(value: ["x": x, "y": y]) }
}

/// An object with types of the app's own in each place that takes them.
final class Station: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var warmth: Warmth
  @Persisted var highest: Warmth?
  @Persisted(indexed: true) var trail: Trail
  @Persisted var maybeTrail: Trail?
  @Persisted var even: Even
  @Persisted var maybeEven: Even?
  @Persisted var spot: Spot?
  @Persisted var readings: List<Warmth>
  @Persisted var maybes: List<Warmth?>
  @Persisted var trails: MutableSet<Trail>
  @Persisted var days: Map<String, Warmth>
  @Persisted var maybeDays: Map<String, Trail?>
  @Persisted var next: Station?

  static func configuration(_ stage: Stage, _ name: String = "stations") -> Realm.Configuration {
    Realm.Configuration(fileURL: stage.ownFile(name), objectTypes: [Station.self, SpotOnMap.self])
  }

  /// All that it holds, as plain values.
  struct Facts: Equatable {
    var warmth = 0.0
    var highest: Double?
    var trail: [String] = []
    var maybeTrail: [String]?
    var even = 0
    var maybeEven: Int?
    var spot: [Int]?
    var readings: [Double] = []
    var maybes: [Double?] = []
    var trails: Set<[String]> = []
    var days: [String: Double] = [:]
    var maybeDays: [String: [String]?] = [:]
  }

  var facts: Facts {
    Facts(
      warmth: warmth.degrees, highest: highest?.degrees, trail: trail.parts,
      maybeTrail: maybeTrail?.parts, even: even.number, maybeEven: maybeEven?.number,
      spot: spot.map { [$0.x, $0.y] }, readings: readings.map(\.degrees),
      maybes: maybes.map { $0?.degrees },
      trails: Set(trails.map(\.parts)),
      days: Dictionary(uniqueKeysWithValues: days.map { ($0.key, $0.value.degrees) }),
      maybeDays: Dictionary(uniqueKeysWithValues: maybeDays.map { ($0.key, $0.value?.parts) }))
  }

  /// Sets it to what facts say, by its properties.
  func set(_ facts: Facts) {
    func trail(_ parts: [String]) -> Trail {
      Trail(persistedValue: parts.joined(separator: "/"))
    }
    (warmth, highest) = (Warmth(facts.warmth), facts.highest.map { Warmth($0) })
    (self.trail, maybeTrail) = (trail(facts.trail), facts.maybeTrail.map(trail))
    (even, maybeEven) = (Even(facts.even / 2), facts.maybeEven.map { Even($0 / 2) })
    spot = facts.spot.map { Spot($0[0], $0[1]) }
    readings.removeAll()
    readings.append(objectsIn: facts.readings.map { Warmth($0) })
    maybes.removeAll()
    maybes.append(objectsIn: facts.maybes.map { $0.map { Warmth($0) } })
    trails.removeAll()
    trails.insert(objectsIn: facts.trails.map(trail))
    days.removeAll()
    for (key, value) in facts.days { days[key] = Warmth(value) }
    maybeDays.removeAll()
    for (key, value) in facts.maybeDays { maybeDays[key] = .some(value.map(trail)) }
  }
}

extension Realm {
  func station(_ id: Int) -> Station! { object(ofType: Station.self, forPrimaryKey: id) }
}
