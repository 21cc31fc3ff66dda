import Evidence
import Foundation

/// Random changes that can be told again, so that the end can be checked.
///
/// They are drawn anew for that: noting each of them would be a part of what is timed, and the
/// larger the file, the slower.
struct Changes {
  private let rows: Int
  private let fresh: SeededGenerator
  private var generator: SeededGenerator
  private(set) var count = 0

  init(_ rows: Int, _ track: Track) {
    self.rows = rows
    fresh = track.generator("changes")
    generator = fresh
  }

  @inline(__always)
  mutating func next() -> (key: Int, age: Int) {
    count += 1
    return (generator.below(rows), 100 + count % 900)
  }

  /// A fresh connection must find every change and nothing else.
  func check<Store: KeyValueStore>(_ store: Store, _ track: Track) throws {
    var again = self
    again.generator = fresh
    again.count = 0
    var written: [Int: Int] = [:]
    while again.count < count {
      let (key, age) = again.next()
      written[key] = age
    }
    var right = Population(rows).sumOfAges
    for (key, age) in written { right += age - Population.row(key).age }
    let sum = try store.connect().read { try $0.iterateAges() }
    track.check(
      sum == right, "after \(count) changes the ages add up to \(sum), expected \(right)")
  }
}
