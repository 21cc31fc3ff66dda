// The scans that queries are made of, as masks of rows.

extension Column {
  /// The rows whose value is null.
  var nulls: RowMask { RowMask(nullBits) }

  /// The rows whose whole number lies from `low` through `high`.
  func rows(from low: Int64, through high: Int64, count: Int) -> RowMask {
    low <= high ? RowMask(bits(from: low, through: high, count: count)) : .none
  }

  /// The rows whose fraction lies from `low` through `high`.
  func rows(from low: Double, through high: Double, count: Int) -> RowMask {
    low <= high ? RowMask(bits(from: low, through: high, count: count)) : .none
  }

  /// The rows whose bytes are these.
  func rows(equalTo needle: UnsafeRawBufferPointer, count: Int, in space: NodeSpace) -> RowMask {
    RowMask(bits(equalTo: needle, count: count, in: space))
  }

  /// The sum of the whole numbers of some rows.
  func sum(of rows: RowMask, count: Int) -> Int64 {
    if rows == RowMask(first: count) { return sum(count: count) }
    var sum: Int64 = 0
    rows.visit { sum &+= int($0) }
    return sum
  }

  /// The least and the greatest of the whole numbers of some rows, at least one.
  func ends(of rows: RowMask, count: Int) -> (least: Int64, greatest: Int64) {
    if rows == RowMask(first: count) { return ends(count: count) }
    var least = Int64.max
    var greatest = Int64.min
    rows.visit { row in
      let value = int(row)
      least = min(least, value)
      greatest = max(greatest, value)
    }
    return (least, greatest)
  }
}
