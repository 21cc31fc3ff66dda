import CShims
import EngineUnderTest
import Evidence
import Foundation

/// Finding rows by their internal keys: what every link and every reference comes down to.
enum RowKeyReads {
  static func run(_ track: Track) throws {
    if track.engine == "c" { return try atKnownPlaces(track) }
    let rows = try track.integer("rows")
    let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
    let realm = try Realm(configuration: store.configuration)
    var generator = track.generator("keys")
    let walk = KeyWalk(rows, &generator)
    let keys = try walk.keys.map { id in
      guard
        let key = realm.object(ofType: Person.self, forPrimaryKey: id).flatMap(Engine.rowKey(of:))
      else { throw BenchmarkError("person \(id) has no row") }
      return key
    }
    var at = 0
    func readMany(_ count: Int) -> UInt64 {
      var sum: UInt64 = 0
      for _ in 0..<count {
        let person = Engine.object(
          ofType: Person.self, forRowKey: keys[at & (keys.count - 1)], in: realm)
        at &+= 1
        guard let person else { return 0xDEAD_0000_0000 }
        sum &+= Population.digest(age: person.age, nameLength: person.name.utf8.count)
      }
      return sum
    }
    try track.time { readMany($0) }
    at = 0
    track.check(
      readMany(1000) == KeyReads.expected(walk, 1000),
      "a thousand people read had other ages or names")
  }

  /// Plain memory: a word of a random record of 64 bytes.
  private static func atKnownPlaces(_ track: Track) throws {
    let rows = try track.integer("rows")
    let stride = 64
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: rows * stride + 8)
    defer { bytes.deallocate() }
    bytes.initialize(repeating: 0, count: rows * stride + 8)
    for id in 0..<rows {
      UnsafeMutableRawPointer(bytes + id * stride)
        .storeBytes(of: UInt64(Population.row(id).age), as: UInt64.self)
    }
    var generator = track.generator("keys")
    let order = KeyWalk(rows, &generator).keys.map(UInt32.init)
    let mask = UInt64(order.count - 1)
    try track.time { rb_limit_gather(bytes, UInt64(stride), order, UInt64($0), mask) }
    let sum = rb_limit_gather(bytes, UInt64(stride), order, UInt64(order.count), mask)
    let right = order.reduce(0) { $0 + Population.row(Int($1)).age }
    track.check(sum == right, "the ages add up to \(sum), expected \(right)")
  }
}
