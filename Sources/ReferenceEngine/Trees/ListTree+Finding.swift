// Where a value stands in a list: whole columns are compared at a time, none of their values is
// decoded.

extension ListTree {
  /// The first position of a value.
  func position(of wanted: Cell) -> Int? { positions(of: wanted, most: 1).first }

  /// The first positions of a value, ascending.
  func positions(of wanted: Cell, most: Int = .max) -> [Int] {
    var found: [Int] = []
    forEachColumn { column, first in
      let bits = column.bits(of: wanted, in: space)
      if bits == SIMD4(repeating: 0) { return true }
      for word in 0..<4 {
        var left = bits[word]
        while left != 0 {
          let index = word &<< 6 &+ left.trailingZeroBitCount
          // Behind its last value a column may have nulls.
          guard index < column.count else { return true }
          found.append(first + index)
          if found.count == most { return false }
          left &= left &- 1
        }
      }
      return true
    }
    return found
  }
}

extension Column {
  /// Which values a cell equals.
  fileprivate func bits(of wanted: Cell, in space: NodeSpace) -> SIMD4<UInt64> {
    switch wanted {
    case .null: return nullBits
    case .int(let number):
      return bits(from: number, through: number, count: count) & ~nullBits
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { bits(equalTo: $0, count: count, in: space) } & ~nullBits
    case .fixed(let bytes):
      var found = SIMD4<UInt64>(repeating: 0)
      for index in 0..<count where fixed(index).elementsEqual(bytes) {
        found[index >> 6] |= 1 << UInt64(index & 63)
      }
      return found & ~nullBits
    case .ref: return SIMD4(repeating: 0)
    }
  }
}
