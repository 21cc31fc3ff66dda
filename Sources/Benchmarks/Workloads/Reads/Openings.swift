import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Beginning to read: a transaction, a file.
enum Openings {
  static let all: [Benchmark] = [
    Benchmark(
      "reads.begin-end", "begin and end a read transaction, touching nothing", [.oneSize],
      engines: Stores.names, quick: true, Stores.run(BeginEnd())),
    Benchmark(
      "reads.open-cold", "open the file in a fresh process and read one person", [.oneSize],
      engines: Stores.names, quick: true, Stores.run(OpenCold())),
    Benchmark(
      "reads.open-cached", "open again on the same thread and read one person", [.oneSize],
      engines: Stores.names, quick: true, Stores.run(OpenCached())),
  ]
}

struct BeginEnd: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    try track.time { try connection.beginAndEnd($0) }
    let found = try connection.read { try $0.count() }
    track.check(found == rows, "\(found) people, expected \(rows)")
  }
}

struct OpenCold: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    // On the shelf since an earlier child, or made now and closed again: its pages are warm, the
    // process not.
    let shelved = try track.shelved(type, rows: rows)
    guard track.pass == .time else { return track.check(true, "") }
    let start = Stopwatch.now
    let digest = try Store(directory: shelved, durability: .none).connect().read {
      try $0.ageAndName(7)
    }
    track.handicap?.delay(since: start)
    track.record("time", Double(Stopwatch.now - start), count: 1)
    track.check(
      digest == Population.digest(Population.row(7)), "person 7 has another age or name")
  }
}

struct OpenCached: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let store = try track.stocked(type, rows: try track.integer("rows"), writable: false)
    let kept = try store.connect()
    var digest: UInt64?
    try track.time { count in
      for _ in 0..<count { digest = try store.connect().read { try $0.ageAndName(7) } }
      return digest ?? 0
    }
    try withExtendedLifetime(kept) {
      digest = try kept.read { try $0.ageAndName(7) }
    }
    track.check(
      digest == Population.digest(Population.row(7)), "person 7 has another age or name")
  }
}
