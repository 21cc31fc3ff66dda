import Evidence
import Foundation
import Harness

/// Everyone in an order of their own.
enum Sorting {
  static let all: [Benchmark] = [
    Benchmark(
      "reads.sort", "everyone sorted by age, then id; first, middle and last read", [.oneSize],
      engines: Stores.names, weight: 2, Stores.run(Sort())),
    Benchmark(
      "reads.first-100", "the first hundred of everyone sorted by age, then id", [.oneSize],
      engines: Stores.names, weight: 2, Stores.run(FirstHundred())),
  ]

  static func sortedIds(_ rows: Int) -> [Int] {
    (0..<rows).map { (Population.row($0).age, $0) }.sorted { $0 < $1 }.map(\.1)
  }
}

struct Sort: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    func right(_ rows: Int) -> [Int] {
      let ids = Sorting.sortedIds(rows)
      return [ids[0], ids[rows / 2], ids[rows - 1]]
    }
    try Scans.ask(track, type, right: right) { try $0.sortedEnds() }
  }
}

struct FirstHundred: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    func right(_ rows: Int) -> [Int] { Array(Sorting.sortedIds(rows).prefix(100)) }
    try Scans.ask(track, type, right: right) { try $0.firstHundred() }
  }
}
