import Evidence
import Foundation

/// The people of the benchmarks: the same from the same seed for every engine.
package struct Population: Sendable {
  package struct Row: Sendable {
    package var id: Int
    package var name: String
    package var age: Int
    package var score: Double
    package var note: String?

    /// How many bytes its values have, however an engine keeps them.
    var payload: Int { 24 + name.utf8.count + (note?.utf8.count ?? 0) }
  }

  /// The seed of the data is fixed: a run's own seed decides which rows are asked for, never what
  /// is in them.
  static let seed: UInt64 = 20_240_229
  package let count: Int
  /// Keys in the order of insertion: shuffled.
  package let keys: [Int]

  package init(_ count: Int) {
    self.count = count
    var generator = SeededGenerator(seed: Population.seed)
    keys = (0..<count).map { $0 }.shuffled(using: &generator)
  }

  /// A row depends on its key alone, so checks need no copy of the data.
  package static func row(_ id: Int) -> Row {
    var generator = SeededGenerator(seed: Population.seed &+ UInt64(bitPattern: Int64(id)) &* 31)
    let bits = generator.next()
    let length = 8 + Int(bits & 7)
    let name = text(length, &generator)
    let age = Int((bits >> 8) % 100)
    let score = Double((bits >> 20) & 0xFFFF) / 16
    let noteLength = Int((bits >> 40) % 41)
    let note = (bits >> 50) & 3 == 0 ? nil : text(noteLength, &generator)
    return Row(id: id, name: name, age: age, score: score, note: note)
  }

  /// A string primary key of 16 bytes.
  package static func stringKey(_ id: Int) -> String {
    var generator = SeededGenerator(seed: Population.seed ^ UInt64(bitPattern: Int64(id)))
    let digits = String(generator.next(), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func text(_ length: Int, _ generator: inout SeededGenerator) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    var bits: UInt64 = 0
    for place in 0..<length {
      if place % 12 == 0 { bits = generator.next() }
      bytes.append(97 + UInt8(bits % 26))
      bits /= 26
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What reading age and name of a row contributes to a checksum: the age, and the length of the
  /// name.
  @inline(__always)
  package static func digest(age: Int, nameLength: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: age &* 64 &+ nameLength)
  }

  package static func digest(_ row: Row) -> UInt64 {
    digest(age: row.age, nameLength: row.name.utf8.count)
  }

  package var sumOfAges: Int { (0..<count).reduce(0) { $0 + Population.row($1).age } }
}

/// An endless, precomputed walk over keys at random: drawing a number is not part of any operation.
package struct KeyWalk {
  package let keys: [Int]
  private var at = 0

  package init(_ count: Int, _ generator: inout SeededGenerator) {
    let length = 1 << 14
    keys = (0..<length).map { _ in generator.below(count) }
  }

  @inline(__always)
  package mutating func next() -> Int {
    let key = keys[at & (keys.count - 1)]
    at &+= 1
    return key
  }
}
