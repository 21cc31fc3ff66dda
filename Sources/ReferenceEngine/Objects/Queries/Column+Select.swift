import Glibc

// The scans that queries are made of: which of a column's values lie within bounds, or equal some bytes.

extension Column {
  /// The rows whose value is null.
  var nulls: RowMask {
    guard hasNulls else { return .none }
    return RowMask((node + 16).loadUnaligned(as: SIMD4<UInt64>.self))
  }

  /// The rows whose whole number lies from `low` through `high`.
  func rows(from low: Int64, through high: Int64, count: Int) -> RowMask {
    guard low <= high else { return .none }
    let values = self.values
    switch width & 0x7F {
    case 0: return low <= 0 && 0 <= high ? RowMask(first: count) : .none
    case 4: return Column.rows(values, as: Int8.self, low, high, count)
    case 5: return Column.rows(values, as: Int16.self, low, high, count)
    case 6: return Column.rows(values, as: Int32.self, low, high, count)
    case 7: return Column.rows(values, as: Int64.self, low, high, count)
    default:
      var found = RowMask.none
      for row in 0..<count {
        let value = int(row)
        if low <= value && value <= high { found.insert(row) }
      }
      return found
    }
  }

  @inline(__always)
  private static func rows<Value: FixedWidthInteger & SignedInteger>(
    _ values: UnsafeRawPointer, as type: Value.Type, _ low: Int64, _ high: Int64, _ count: Int
  ) -> RowMask {
    // Bounds beyond what the width can hold are brought within it, or leave nothing.
    guard low <= Int64(Value.max), high >= Int64(Value.min) else { return .none }
    let least = Value(clamping: low)
    let most = Value(clamping: high)
    let typed = values.assumingMemoryBound(to: Value.self)
    var found = RowMask.none
    for word in 0..<(count &+ 63) >> 6 {
      let start = word &<< 6
      let end = min(start &+ 64, count)
      var bits: UInt64 = 0
      for row in start..<end {
        let value = typed[row]
        let isWithin: UInt64 = (least <= value ? 1 : 0) & (value <= most ? 1 : 0)
        bits |= isWithin &<< UInt64(row &- start)
      }
      found.words[word] = bits
    }
    return found
  }

  /// The rows whose fraction lies from `low` through `high`.
  func rows(from low: Double, through high: Double, count: Int) -> RowMask {
    guard low <= high else { return .none }
    var found = RowMask.none
    for row in 0..<count {
      let value = Double(bitPattern: UInt64(bitPattern: int(row)))
      if low <= value && value <= high { found.insert(row) }
    }
    return found
  }

  /// The rows whose bytes are these.
  func rows(
    equalTo needle: UnsafeRawBufferPointer, count: Int, in space: NodeSpace
  ) -> RowMask {
    var found = RowMask.none
    for row in 0..<count {
      let bytes = self.bytes(row, in: space)
      guard bytes.count == needle.count else { continue }
      if needle.isEmpty || memcmp(bytes.baseAddress!, needle.baseAddress!, needle.count) == 0 {
        found.insert(row)
      }
    }
    return found
  }
}
