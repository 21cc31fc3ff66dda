import Evidence
import Foundation
import Harness

/// The largest write there is: everybody in one transaction, into a file that holds nobody.
struct BulkInsert: StoreWorkload {
  static let benchmark = Benchmark(
    "writes.bulk-insert",
    "one person of all, inserted in one durable transaction into an empty file",
    [.init("rows", ["1000000"], quick: ["50000"])], engines: Stores.names, weight: 8,
    Stores.run(BulkInsert()))

  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: 0, durability: .twoPhase, writable: true)
    let connection = try store.connect()
    let prepared = Population(rows).keys.map(Population.row)
    track.payload = prepared.reduce(0) { $0 + $1.payload } / max(1, rows)
    try track.work(rows) { _ in
      try connection.write { writer in for row in prepared { try writer.insert(row) } }
      return UInt64(rows)
    }
    let (found, sum) = try store.connect().read { (try $0.count(), try $0.iterateAges()) }
    let right = prepared.reduce(0) { $0 + $1.age }
    track.check(found == rows && sum == right, "\(found) people, expected \(rows)")
  }
}
