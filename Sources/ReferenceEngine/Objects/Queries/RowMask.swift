/// Which of a cluster's 256 rows.
struct RowMask: Equatable {
  var words: SIMD4<UInt64>

  init(_ words: SIMD4<UInt64>) { self.words = words }

  static let none = RowMask(SIMD4(repeating: 0))

  /// The first `count` rows.
  init(first count: Int) {
    words = SIMD4(repeating: 0)
    for word in 0..<4 {
      let bits = min(max(count - 64 * word, 0), 64)
      words[word] = bits == 64 ? .max : (1 << UInt64(bits)) - 1
    }
  }

  var isEmpty: Bool { words == SIMD4(repeating: 0) }

  var count: Int {
    words[0].nonzeroBitCount &+ words[1].nonzeroBitCount &+ words[2].nonzeroBitCount
      &+ words[3].nonzeroBitCount
  }

  func contains(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  func intersection(_ other: RowMask) -> RowMask { RowMask(words & other.words) }
  func union(_ other: RowMask) -> RowMask { RowMask(words | other.words) }
  func subtracting(_ other: RowMask) -> RowMask { RowMask(words & ~other.words) }

  /// Calls `body` with each row, ascending.
  @inline(__always)
  func visit(_ body: (Int) -> Void) {
    for word in 0..<4 {
      var rest = words[word]
      while rest != 0 {
        body(word &<< 6 | rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }

  /// The first row that satisfies `body`.
  func first(where body: (Int) -> Bool) -> Int? {
    for word in 0..<4 {
      var rest = words[word]
      while rest != 0 {
        let row = word &<< 6 | rest.trailingZeroBitCount
        if body(row) { return row }
        rest &= rest &- 1
      }
    }
    return nil
  }

  /// Those of the rows for which `body` holds.
  @inline(__always)
  func filter(_ body: (Int) -> Bool) -> RowMask {
    var found = self
    for word in 0..<4 {
      var (rest, kept) = (words[word], words[word])
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        if !body(word &<< 6 | place) { kept &= ~(1 << UInt64(place)) }
        rest &= rest &- 1
      }
      found.words[word] = kept
    }
    return found
  }
}
