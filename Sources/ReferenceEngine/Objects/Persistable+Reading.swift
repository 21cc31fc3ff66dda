import CShims
import Foundation

// The fastest way of a value out of the file: from the wrapper's getter, which has checked place
// and thread, to the bytes, without a call that is not inlined.

extension _Cell {
  /// Where the row lies; only of a header that was checked.
  @inlinable @inline(__always)
  var place: RowPlace {
    RowPlace(
      cluster: Cluster(header.pointee.place.unsafelyUnwrapped),
      index: Int(truncatingIfNeeded: header.pointee.row))
  }

  @inlinable @inline(__always)
  var space: NodeSpace { NodeSpace(base: header.pointee.hot.unsafelyUnwrapped.pointee.base) }

  /// Whether the row has no such column: because the file has none yet, as far as the wrapper
  /// knows, which then has a number larger than any, or because its cluster is older than the
  /// column.
  @inlinable @inline(__always)
  var isAbsent: Bool { _slowPath(column >= UInt32(header.pointee.columns)) }

  @inlinable @inline(__always)
  var slot: ColumnSlot {
    ColumnSlot(word: rb_row_slot_within(place.cluster.node, Int(column)))
  }

  @inlinable @inline(__always)
  func int() -> Int64 { slot.int(place.index, in: space.base) }

  @inlinable @inline(__always)
  func isNull() -> Bool { slot.isNull(place.index, in: space.base) }

  @inlinable @inline(__always)
  func bits() -> UInt64 { UInt64(bitPattern: int()) }

  @inlinable @inline(__always)
  func string() -> String {
    let place = self.place
    let words = rb_row_small_string(place.cluster.node, Int(column), space.base, place.index)
    return _fastPath(words.second != 0)
      ? unsafeBitCast(words, to: String.self) : longString()
  }

  /// It lets nothing go, so that a getter around it needs no retain.
  @_effects(releasenone) @usableFromInline @inline(never)
  func longString() -> String { SmallString.make(place.bytes(Int(column), in: space)) }

  /// A text that is always there. One way for what is short, and one for all else: a getter with
  /// three is not inlined.
  @inlinable @inline(__always)
  func text() -> String {
    let words = rb_cell_small_string(
      place.cluster.node, column, header.pointee.columns, space.base, place.index)
    return _fastPath(words.second != 0) ? SmallString.string(of: words) : otherText()
  }

  /// One that is long, or of a row that has no such column.
  @_effects(releasenone) @usableFromInline @inline(never)
  func otherText() -> String { isAbsent ? lateString() ?? "" : longString() }

  /// The value of a property that the row has no column for: nil where it is the cluster that is
  /// too old.
  private var late: StoredValue? { Int32(bitPattern: column) < 0 ? load().value : nil }
}

// What a wrapper older than its column is read by: through the schema as it is now. Not generic,
// and nothing below is: a witness whose body applies a function to the type's own conformance is
// not inlined into a model's module, but called through the witness table, 3 ns a read.

extension _Cell {
  @_effects(releasenone) @usableFromInline @inline(never)
  func lateInt() -> Int64? {
    if case .int(let value)? = late { value } else { nil }
  }

  @_effects(releasenone) @usableFromInline @inline(never)
  func lateBool() -> Bool? {
    if case .bool(let value)? = late { value } else { nil }
  }

  @_effects(releasenone) @usableFromInline @inline(never)
  func lateDouble() -> Double? {
    if case .double(let value)? = late { value } else { nil }
  }

  @_effects(releasenone) @usableFromInline @inline(never)
  func lateFloat() -> Float? {
    if case .float(let value)? = late { value } else { nil }
  }

  @_effects(releasenone) @usableFromInline @inline(never)
  func lateString() -> String? {
    if case .string(let value)? = late { value } else { nil }
  }
}

// One extension for each width, and not one for all of them: a witness that a protocol's extension
// provides is called through the witness table, too.

extension Int {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int {
    Int(truncatingIfNeeded: cell.isAbsent ? cell.lateInt() ?? 0 : cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int? {
    if cell.isAbsent { return cell.lateInt().map { Int(truncatingIfNeeded: $0) } }
    return cell.isNull() ? nil : Int(truncatingIfNeeded: cell.int())
  }
}

extension Int8 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int8 {
    Int8(truncatingIfNeeded: cell.isAbsent ? cell.lateInt() ?? 0 : cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int8? {
    if cell.isAbsent { return cell.lateInt().map { Int8(truncatingIfNeeded: $0) } }
    return cell.isNull() ? nil : Int8(truncatingIfNeeded: cell.int())
  }
}

extension Int16 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int16 {
    Int16(truncatingIfNeeded: cell.isAbsent ? cell.lateInt() ?? 0 : cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int16? {
    if cell.isAbsent { return cell.lateInt().map { Int16(truncatingIfNeeded: $0) } }
    return cell.isNull() ? nil : Int16(truncatingIfNeeded: cell.int())
  }
}

extension Int32 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int32 {
    Int32(truncatingIfNeeded: cell.isAbsent ? cell.lateInt() ?? 0 : cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int32? {
    if cell.isAbsent { return cell.lateInt().map { Int32(truncatingIfNeeded: $0) } }
    return cell.isNull() ? nil : Int32(truncatingIfNeeded: cell.int())
  }
}

extension Int64 {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Int64 {
    Int64(truncatingIfNeeded: cell.isAbsent ? cell.lateInt() ?? 0 : cell.int())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Int64? {
    if cell.isAbsent { return cell.lateInt().map { Int64(truncatingIfNeeded: $0) } }
    return cell.isNull() ? nil : Int64(truncatingIfNeeded: cell.int())
  }
}

extension Bool {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Bool {
    cell.isAbsent ? cell.lateBool() ?? false : cell.int() != 0
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Bool? {
    if cell.isAbsent { return cell.lateBool() }
    return cell.isNull() ? nil : cell.int() != 0
  }
}

extension Double {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Double {
    cell.isAbsent ? cell.lateDouble() ?? 0 : Double(bitPattern: cell.bits())
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Double? {
    if cell.isAbsent { return cell.lateDouble() }
    return cell.isNull() ? nil : Double(bitPattern: cell.bits())
  }
}

extension Float {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Float {
    cell.isAbsent
      ? cell.lateFloat() ?? 0 : Float(bitPattern: UInt32(truncatingIfNeeded: cell.bits()))
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> Float? {
    if cell.isAbsent { return cell.lateFloat() }
    return cell.isNull() ? nil : Float(bitPattern: UInt32(truncatingIfNeeded: cell.bits()))
  }
}

extension String {
  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> String {
    cell.text()
  }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(_ cell: _Cell) -> String? {
    if cell.isAbsent { return cell.lateString() }
    return cell.isNull() ? nil : cell.string()
  }
}
