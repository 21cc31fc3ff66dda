import Foundation

// The fastest way of a value out of the file: from the wrapper's getter, which has checked place and thread, to the
// bytes, without a call that is not inlined.

extension _Cell {
  /// Where the row lies; only of a header that was checked.
  @inlinable @inline(__always)
  var place: RowPlace {
    RowPlace(
      cluster: Cluster(header.pointee.place.unsafelyUnwrapped),
      index: Int(truncatingIfNeeded: header.pointee.row))
  }

  @inlinable @inline(__always)
  var space: NodeSpace { NodeSpace(base: header.pointee.hot.pointee.base) }

  /// Whether the file has no such column yet, as far as the wrapper knows.
  @inlinable @inline(__always)
  var isAbsent: Bool { _slowPath(Int32(bitPattern: column) < 0) }

  @inlinable @inline(__always)
  func int() -> Int64 { place.int(Int(column), in: space) }

  @inlinable @inline(__always)
  func isNull() -> Bool { place.isNull(Int(column), in: space) }

  @inlinable @inline(__always)
  func string() -> String { SmallString.make(place.bytes(Int(column), in: space)) }
}

extension _IntegerPersistable {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Self {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Self(truncatingIfNeeded: cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Self? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Self(truncatingIfNeeded: cell.int())
  }
}

extension Bool {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Bool {
    cell.isAbsent ? _rlmDecode(cell.load()) : cell.int() != 0
  }
}

extension Double {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Double {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Double(bitPattern: UInt64(bitPattern: cell.int()))
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Double? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Double(bitPattern: UInt64(bitPattern: cell.int()))
  }
}

extension Float {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Float {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Float(bitPattern: UInt32(truncatingIfNeeded: cell.int()))
  }
}

extension String {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> String {
    cell.isAbsent ? _rlmDecode(cell.load()) : cell.string()
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> String? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : cell.string()
  }
}
