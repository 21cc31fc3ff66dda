import CShims

// Whole columns at a time: sums, and which of up to 256 values satisfy a condition, one bit each.
//
// The work is done in C for the widest vectors the processor has (CShims/Scan.h). Nulls count as 0
// here; who cares takes `nullBits` away. `count` is the number of the cluster's rows.

extension Column {
  /// Which values are null.
  var nullBits: SIMD4<UInt64> {
    hasNulls ? (node + rb_node_payload).loadUnaligned(as: SIMD4<UInt64>.self) : SIMD4(repeating: 0)
  }

  @inline(__always)
  private var form: UInt32 { UInt32(code) }

  /// The sum of all whole numbers, wrapping.
  @inline(__always)
  func sum(count: Int) -> Int64 { rb_scan_sum(values, form, count) }

  /// The least and the greatest of at least one whole number.
  @inline(__always)
  func ends(count: Int) -> (least: Int64, greatest: Int64) {
    var least: Int64 = 0
    var greatest: Int64 = 0
    rb_scan_ends(values, form, count, &least, &greatest)
    return (least, greatest)
  }

  /// Which whole numbers lie from `low` through `high`.
  @inline(__always)
  func bits(from low: Int64, through high: Int64, count: Int) -> SIMD4<UInt64> {
    Column.bits { rb_scan_range(values, form, count, low, high, $0) }
  }

  /// Which fractions, kept as whole numbers by their bits, lie from `low` through `high`; none that
  /// is not a number does.
  func bits(from low: Double, through high: Double, count: Int) -> SIMD4<UInt64> {
    if code == 7 {
      return Column.bits { rb_scan_range_double(values, count, low, high, $0) }
    }
    // Fractions whose bits are narrow are 0 and next to 0.
    var wide = [Double](repeating: 0, count: count)
    for index in 0..<count { wide[index] = Double(bitPattern: UInt64(bitPattern: int(index))) }
    return wide.withUnsafeBufferPointer { wide in
      Column.bits { rb_scan_range_double(wide.baseAddress, count, low, high, $0) }
    }
  }

  /// Which strings or data are these bytes.
  func bits(
    equalTo wanted: UnsafeRawBufferPointer, count: Int, in space: NodeSpace
  ) -> SIMD4<UInt64> {
    if code == 5 {
      return Column.bits {
        rb_scan_equal(values, count, wanted.baseAddress, wanted.count, $0)
      }
    }
    var found = SIMD4<UInt64>(repeating: 0)
    for index in 0..<count {
      if self.bytes(index, in: space).elementsEqual(wanted) {
        found[index >> 6] |= 1 << UInt64(index & 63)
      }
    }
    return found
  }

  @inline(__always)
  private static func bits(_ scan: (UnsafeMutablePointer<UInt64>) -> Void) -> SIMD4<UInt64> {
    var found = SIMD4<UInt64>(repeating: 0)
    withUnsafeMutablePointer(to: &found) {
      $0.withMemoryRebound(to: UInt64.self, capacity: 4) { scan($0) }
    }
    return found
  }
}
