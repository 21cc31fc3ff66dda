import CShims

/// The values of one property in one cluster, or of one stretch of a list: up to 256, read in
/// place.
///
///     width   bit 7: a bitmap of nulls stands first (32 bytes, bit set = null); low bits by kind:
///     ints    code 0…7: values of 0, 1, 2, 4, 8, 16, 32, 64 bits; up to 4 bits no sign
///     bytes   code 5: u16 ends, then the heap; 6: u32 ends, then the heap;
///             7: u32 cells, u32 heap used, cells of {u32 offset, u32 length}, then the heap. Bit
///             31 of a length says that the value is long: the heap holds {u64 reference of its
///             blob, u64 length} instead.
///     fixed   bytes of a value
///     refs    7: u64 each
///
/// A column of the running write has zeros and nulls behind its last value, as far as there is
/// room, so that a row is appended by counting it. It is code with room to spare, and is changed in
/// place; committing brings it into the narrowest. Both are read by the same code. A column that is
/// not there at all holds nulls, or zeros.
@frozen @usableFromInline
struct Column {
  @usableFromInline let node: UnsafeRawPointer

  @inlinable @inline(__always)
  init(_ node: UnsafeRawPointer) { self.node = node }

  @inlinable static var nullFlag: UInt8 { UInt8(rb_column_nulls) }
  @inlinable static var bitmapBytes: Int { rb_null_bytes }
  /// Where the values of a column of that width begin: behind the nulls if there may be any.
  @inlinable @inline(__always)
  static func valuesOffset(_ width: UInt8) -> Int {
    width & nullFlag != 0 ? rb_column_values_behind_nulls : rb_column_values
  }
  /// The width's code.
  @inlinable @inline(__always)
  static func code(_ width: UInt8) -> UInt8 { width & UInt8(rb_column_code) }
  /// The most values a column holds.
  @inlinable static var most: Int { rb_cluster_most }

  @inlinable @inline(__always)
  var kind: UInt8 { node.load(as: UInt8.self) }
  @inlinable @inline(__always)
  var width: UInt8 { node.nodeWidth }
  @inlinable @inline(__always)
  var count: Int { node.nodeCount }
  @inlinable @inline(__always)
  var hasNulls: Bool { width & Column.nullFlag != 0 }
  /// What the width of the values is called; of a fixed column their bytes.
  @inlinable @inline(__always)
  var code: UInt8 { Column.code(width) }
  /// Where values begin: after the header and the bitmap of nulls, if there is one.
  @inlinable @inline(__always)
  var values: UnsafeRawPointer { node + Column.valuesOffset(width) }

  @inlinable @inline(__always)
  func isNull(_ index: Int) -> Bool {
    hasNulls
      && node.load(fromByteOffset: rb_node_payload + index &>> 3, as: UInt8.self)
        &>> (index & 7) & 1 != 0
  }

  /// A whole number; what a null leaves behind is 0.
  @inlinable @inline(__always)
  func int(_ index: Int) -> Int64 {
    let width = self.width
    return rb_column_int(
      node + Column.valuesOffset(width), UInt32(width) & UInt32(rb_slot_code), index)
  }

  /// A string's or data's bytes where they lie: in the mapping, or in the write's memory until its
  /// next change.
  @inlinable @inline(__always)
  func bytes(_ index: Int, in space: NodeSpace) -> UnsafeRawBufferPointer {
    let values = self.values
    let count = self.count
    switch code {
    case 5:
      let end = Int(values.load(fromByteOffset: index &<< 1, as: UInt16.self))
      let start =
        index == 0 ? 0 : Int(values.load(fromByteOffset: (index &- 1) &<< 1, as: UInt16.self))
      return bytes(values + (count &<< 1), start, end, in: space)
    case 6:
      let end = Int(values.load(fromByteOffset: index &<< 2, as: UInt32.self))
      let start =
        index == 0 ? 0 : Int(values.load(fromByteOffset: (index &- 1) &<< 2, as: UInt32.self))
      return bytes(values + (count &<< 2), start, end, in: space)
    default:
      return longBytes(index, in: space)
    }
  }

  /// A piece of the heap. Looked at here because a list's column is not known to be whole, as a
  /// cluster's is.
  @inlinable @inline(__always)
  func bytes(
    _ heap: UnsafeRawPointer, _ start: Int, _ end: Int, in space: NodeSpace
  ) -> UnsafeRawBufferPointer {
    if _slowPath(end < start || heap - node &+ end > node.nodeBytes) {
      outside(in: space)
    }
    return UnsafeRawBufferPointer(start: heap + start, count: end &- start)
  }

  @usableFromInline @inline(never)
  func outside(in space: NodeSpace) -> Never {
    space.damaged(space.ref(to: node), "has a value outside of its heap")
  }

  @usableFromInline
  func longBytes(_ index: Int, in space: NodeSpace) -> UnsafeRawBufferPointer {
    let values = self.values
    let cells = Int(values.load(as: UInt32.self))
    let offset = Int(values.load(fromByteOffset: rb_cells_first + index &<< 3, as: UInt32.self))
    let length = values.load(fromByteOffset: rb_cells_lengths + index &<< 3, as: UInt32.self)
    let heap = values + (rb_cells_first + cells &<< 3)
    guard length & Column.longFlag != 0 else {
      return bytes(heap, offset, offset &+ Int(length), in: space)
    }
    let place = bytes(heap, offset, offset &+ rb_long_value_bytes, in: space)
    let ref = NodeRef(raw: place.loadUnaligned(as: UInt64.self))
    let whole = place.loadUnaligned(fromByteOffset: rb_long_value_length, as: UInt64.self)
    return space.blob(ref, from: node, count: whole)
  }

  @inlinable static var longFlag: UInt32 { 1 << 31 }

  /// The blob of a long value; none if the value is short.
  func blob(_ index: Int) -> NodeRef {
    guard code == 7 else { return .none }
    let cells = Int(values.load(as: UInt32.self))
    let offset = Int(values.load(fromByteOffset: rb_cells_first + index << 3, as: UInt32.self))
    let length = values.load(fromByteOffset: rb_cells_lengths + index << 3, as: UInt32.self)
    guard length & Column.longFlag != 0 else { return .none }
    return NodeRef(
      raw: (values + (rb_cells_first + cells << 3)).loadUnaligned(
        fromByteOffset: offset, as: UInt64.self))
  }

  @inlinable @inline(__always)
  func fixed(_ index: Int) -> UnsafeRawBufferPointer {
    let size = Int(code)
    return UnsafeRawBufferPointer(start: values + index &* size, count: size)
  }

  @inlinable @inline(__always)
  func ref(_ index: Int) -> NodeRef {
    NodeRef(raw: values.load(fromByteOffset: index &<< 3, as: UInt64.self))
  }

  /// The same where it is followed.
  @inlinable @inline(__always)
  func ref(_ index: Int, in space: NodeSpace) -> NodeRef {
    space.reference(ref(index), in: node)
  }

  /// The value as a cell of its own, for paths where speed is no matter.
  func cell(_ index: Int, in space: NodeSpace) -> Cell {
    if isNull(index) { return .null }
    switch kind {
    case NodeKind.bytes: return .bytes(Array(bytes(index, in: space)))
    case NodeKind.fixed: return .fixed(Array(fixed(index)))
    case NodeKind.refs: return .ref(ref(index))
    default: return .int(int(index))
    }
  }

  /// Calls `body` with each node that this one refers to.
  func forEachChild(_ body: (NodeRef) -> Void) {
    switch kind {
    case NodeKind.refs:
      for index in 0..<count where !ref(index).isNone { body(ref(index)) }
    case NodeKind.bytes where code == 7:
      for index in 0..<count where !blob(index).isNone { body(blob(index)) }
    default: break
    }
  }
}
