import Evidence
import Foundation
import Harness

/// Finding people one by one.
enum KeyReads {
  static let all: [Benchmark] = [
    Benchmark(
      "reads.by-primary-key",
      "find a person by primary key at random, read age and name; many within one read transaction",
      [.sizes], engines: Stores.names, quick: true, Stores.run(ByPrimaryKey())),
    Benchmark(
      "reads.by-string-key",
      "find a person by a String primary key of 16 bytes at random, read age and name; many within "
        + "one read transaction",
      [.sizes], engines: Stores.names, quick: true, Stores.run(ByStringKey())),
    Benchmark(
      "reads.by-row-key",
      "find a person by the internal key of its row at random, read age and name; C reads the age "
        + "at a known place",
      [.sizes], engines: [RealmStore.name, "c"], quick: true, RowKeyReads.run),
  ]

  /// Reads many people within one transaction; a key that is not found shows in the checksum.
  @inline(__always)
  static func readMany<Reader: KeyValueReader>(
    _ reader: Reader, _ walk: inout KeyWalk, _ count: Int
  ) throws -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<count { sum &+= try reader.ageAndName(walk.next()) ?? 0xDEAD_0000_0000 }
    return sum
  }

  /// What `readMany` must have answered for the first keys of a walk.
  static func expected(_ walk: KeyWalk, _ count: Int) -> UInt64 {
    walk.keys.prefix(count).reduce(0) { $0 &+ Population.digest(Population.row($1)) }
  }
}

struct ByPrimaryKey: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    var generator = track.generator("keys")
    let fresh = KeyWalk(rows, &generator)
    var walk = fresh
    try track.time { count in
      try connection.read { try KeyReads.readMany($0, &walk, count) }
    }
    var again = fresh
    let answer = try connection.read { try KeyReads.readMany($0, &again, 1000) }
    track.check(
      answer == KeyReads.expected(fresh, 1000), "a thousand people read had other ages or names")
  }
}

struct ByStringKey: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, keys: .strings, writable: false)
    let connection = try store.connect()
    var generator = track.generator("keys")
    let walk = KeyWalk(rows, &generator)
    let keys = walk.keys.map(Population.stringKey)
    var at = 0
    func readMany(_ reader: Store.Connection.Reader, _ count: Int) throws -> UInt64 {
      var sum: UInt64 = 0
      for _ in 0..<count {
        sum &+= try reader.ageAndName(keys[at & (keys.count - 1)]) ?? 0xDEAD_0000_0000
        at &+= 1
      }
      return sum
    }
    try track.time { count in try connection.read { try readMany($0, count) } }
    at = 0
    let answer = try connection.read { try readMany($0, 1000) }
    track.check(
      answer == KeyReads.expected(walk, 1000), "a thousand people read had other ages or names")
  }
}
