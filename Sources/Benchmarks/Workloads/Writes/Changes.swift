import Evidence
import Foundation

/// Random changes that are remembered, so that the end can be checked.
struct Changes {
  private let rows: Int
  private var generator: SeededGenerator
  private var written: [Int: Int] = [:]
  private(set) var count = 0

  init(_ rows: Int, _ track: Track) {
    self.rows = rows
    generator = track.generator("changes")
    written.reserveCapacity(min(rows, 1 << 16))
  }

  mutating func next() -> (key: Int, age: Int) {
    count += 1
    let key = generator.below(rows)
    let age = 100 + count % 900
    written[key] = age
    return (key, age)
  }

  /// A fresh connection must find every change and nothing else.
  func check<Store: KeyValueStore>(_ store: Store, _ track: Track) throws {
    var right = Population(rows).sumOfAges
    for (key, age) in written { right += age - Population.row(key).age }
    let sum = try store.connect().read { try $0.iterateAges() }
    track.check(
      sum == right, "after \(count) changes the ages add up to \(sum), expected \(right)")
  }
}
