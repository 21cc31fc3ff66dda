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

// One extension for each width, and not one for all of them: a witness that a protocol's extension provides is called
// through the witness table, 3 ns a read; one of the type itself is inlined.

extension Int {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Int(truncatingIfNeeded: cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Int(truncatingIfNeeded: cell.int())
  }
}

extension Int8 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int8 {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Int8(truncatingIfNeeded: cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int8? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Int8(truncatingIfNeeded: cell.int())
  }
}

extension Int16 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int16 {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Int16(truncatingIfNeeded: cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int16? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Int16(truncatingIfNeeded: cell.int())
  }
}

extension Int32 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int32 {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Int32(truncatingIfNeeded: cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int32? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Int32(truncatingIfNeeded: cell.int())
  }
}

extension Int64 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int64 {
    if cell.isAbsent { return _rlmDecode(cell.load()) }
    return Int64(truncatingIfNeeded: cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int64? {
    if cell.isAbsent { return _rlmLateOptional(cell) }
    return cell.isNull() ? nil : Int64(truncatingIfNeeded: cell.int())
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
