import CShims

/// Changes columns of the running write, in their wide form.
///
/// Every call takes the reference under which the column is known to its parent and returns the one
/// it has now: a committed column is replaced by a wide copy, a full one by a larger copy, any
/// other stays where it is.
struct ColumnWriter {
  /// Whoever has columns to write keeps it alive. A reference that is counted, were it for each use
  /// alone, was counted for each column of each row: 3 % of an insertion into a file of rows.
  private let arena: Unmanaged<NodeArena>
  let spec: ColumnSpec
  let space: NodeSpace

  /// Values longer than this are nodes of their own, so that a change beside them does not copy
  /// them; and 256 that are not fit into 16 bits.
  static let longest = 128

  init(arena: NodeArena, spec: ColumnSpec) {
    self.arena = .passUnretained(arena)
    self.spec = spec
    space = arena.space
  }

  // MARK: Nodes

  @inline(__always)
  private func makeNode(kind: UInt8, width: UInt8 = 0, count: Int = 0, payload: Int) -> NodeRef {
    arena._withUnsafeGuaranteedRef {
      $0.make(kind: kind, width: width, count: count, payload: payload)
    }
  }

  @inline(__always)
  func discard(_ ref: NodeRef) { arena._withUnsafeGuaranteedRef { $0.discard(ref) } }

  @inline(__always)
  func payloadRoom(of ref: NodeRef) -> Int {
    arena._withUnsafeGuaranteedRef { $0.capacity(of: ref) }
  }

  var bitmap: Int { spec.isNullable ? Column.bitmapBytes : 0 }
  var cellBytes: Int {
    spec.type == .fixed ? Int(spec.size) : 8
  }
  private var kind: UInt8 { spec.nodeKind }
  private var width: UInt8 {
    (spec.type == .fixed ? spec.size : 7) | (spec.isNullable ? Column.nullFlag : 0)
  }

  // MARK: Making

  /// A column of so many nulls, or zeros where there are no nulls.
  ///
  /// - Parameter heap: the bytes that strings or data will need, if more are known to come than
  ///   usual.
  func make(count: Int, room: Int, heap wanted: Int = 0) -> NodeRef {
    let room = max(room, count, 4)
    let heap = spec.type == .bytes ? 8 + max(room * 12, wanted) : 0
    let ref = makeNode(
      kind: kind, width: width, count: count, payload: bitmap + room * cellBytes + heap)
    let payload = space.pendingPayload(ref)
    if spec.isNullable {
      payload.initializeMemory(as: UInt8.self, repeating: 0xFF, count: bitmap)
    }
    let values = payload + bitmap
    if spec.type == .bytes {
      values.storeBytes(of: UInt32(room), as: UInt32.self)
      values.storeBytes(of: 0, toByteOffset: rb_cells_used, as: UInt32.self)
      (values + rb_cells_first).initializeMemory(as: UInt64.self, repeating: 0, count: room)
    } else {
      values.initializeMemory(as: UInt8.self, repeating: 0, count: room * cellBytes)
    }
    return ref
  }

  /// The column in its wide form with room for one more value than `count`, if there can be one.
  func open(_ ref: NodeRef, count: Int, room: Int = Column.most) -> NodeRef {
    if ref.isNone { return make(count: count, room: room) }
    if ref.isPending { return ref }
    return rebuilt(ref, count: count, room: min(Column.most, max(room, count + 1)))
  }

  /// A wide copy with more room. The old node goes; what it refers to stays.
  func rebuilt(_ old: NodeRef, count: Int, room: Int, heap extra: Int = 0) -> NodeRef {
    let column = Column(space.node(old))
    let ref =
      spec.type == .bytes
      ? widened(bytes: column, count, room: room, heap: extra)
      : widened(values: column, count, room: room)
    if spec.isNullable {
      let target = space.pendingPayload(ref)
      if column.hasNulls {
        target.copyMemory(from: column.node + rb_node_payload, byteCount: bitmap)
      } else {
        target.initializeMemory(as: UInt8.self, repeating: 0, count: bitmap)
      }
      NullBits.fill(target, from: count)
    }
    discard(old)
    return ref
  }

  /// Values of one size, side by side, with zeros behind them.
  private func widened(values column: Column, _ count: Int, room: Int) -> NodeRef {
    let ref = makeNode(
      kind: kind, width: width, count: count, payload: bitmap + room * cellBytes)
    let values = space.pendingPayload(ref) + bitmap
    if spec.type == .int {
      rb_scan_widen(
        column.values, UInt32(column.code), count,
        values.assumingMemoryBound(to: Int64.self))
    } else {
      values.copyMemory(from: column.values, byteCount: count * cellBytes)
    }
    (values + count * cellBytes).initializeMemory(
      as: UInt8.self, repeating: 0, count: (room - count) * cellBytes)
    return ref
  }

  /// Cells in front of a heap.
  private func widened(bytes column: Column, _ count: Int, room: Int, heap extra: Int) -> NodeRef {
    let isShort = column.code == 5
    var heap = extra + (isShort ? shortHeapBytes(column, count) : 0)
    if !isShort { for index in 0..<count { heap += heapBytes(column, index) } }
    heap += heap / 4 + 64 + (room - count) * 4
    let ref = makeNode(
      kind: kind, width: width, count: count,
      payload: bitmap + rb_cells_first + room * rb_cell_bytes + heap)
    let values = space.pendingPayload(ref) + bitmap
    values.storeBytes(of: UInt32(room), as: UInt32.self)
    let used =
      isShort
      ? copyShort(column, count, to: values, room: room)
      : copyAny(column, count, to: values, room: room)
    (values + rb_cells_first + count * rb_cell_bytes).initializeMemory(
      as: UInt8.self, repeating: 0, count: (room - count) * 8)
    values.storeBytes(of: UInt32(used), toByteOffset: rb_cells_used, as: UInt32.self)
    return ref
  }

  private func shortHeapBytes(_ column: Column, _ count: Int) -> Int {
    if count == 0 { return 0 }
    return Int(column.values.load(fromByteOffset: 2 * count - 2, as: UInt16.self))
  }

  /// Copies short values of the narrow form: their ends, and then all bytes at once. Returns the
  /// bytes used.
  private func copyShort(
    _ column: Column, _ count: Int, to values: UnsafeMutableRawPointer, room: Int
  ) -> Int {
    var start: UInt32 = 0
    for index in 0..<count {
      let end = UInt32(column.values.load(fromByteOffset: 2 * index, as: UInt16.self))
      values.storeBytes(
        of: UInt64(start) | UInt64(end - start) << 32,
        toByteOffset: rb_cells_first + index * rb_cell_bytes, as: UInt64.self)
      start = end
    }
    (values + rb_cells_first + room * rb_cell_bytes).copyMemory(
      from: column.values + 2 * count, byteCount: Int(start))
    return Int(start)
  }

  /// Copies values of any form, one by one; of long ones the reference. Returns the bytes used.
  private func copyAny(
    _ column: Column, _ count: Int, to values: UnsafeMutableRawPointer, room: Int
  ) -> Int {
    let target = values + (8 + room * 8)
    var used = 0
    for index in 0..<count {
      let blob = column.blob(index)
      let bytes = column.bytes(index, in: space)
      var length = UInt32(truncatingIfNeeded: bytes.count)
      if blob.isNone {
        if let start = bytes.baseAddress, bytes.count > 0 {
          (target + used).copyMemory(from: start, byteCount: bytes.count)
        }
      } else {
        length = Column.longFlag
        (target + used).storeBytes(of: blob.raw, as: UInt64.self)
        (target + used).storeBytes(
          of: UInt64(bytes.count), toByteOffset: rb_long_value_length, as: UInt64.self)
      }
      values.storeBytes(
        of: UInt32(used), toByteOffset: rb_cells_first + index * rb_cell_bytes, as: UInt32.self)
      values.storeBytes(
        of: length, toByteOffset: rb_cells_lengths + index * rb_cell_bytes, as: UInt32.self)
      used += blob.isNone ? bytes.count : 16
    }
    return used
  }

  func heapBytes(_ column: Column, _ index: Int) -> Int {
    column.blob(index).isNone ? column.bytes(index, in: space).count : 16
  }

  /// How many values the node has room for.
  func room(of ref: NodeRef) -> Int {
    let payload = space.pendingPayload(ref)
    if spec.type == .bytes { return Int((payload + bitmap).load(as: UInt32.self)) }
    return min(Column.most, (payloadRoom(of: ref) - bitmap) / cellBytes)
  }

  // MARK: Setting

  @inline(__always)
  func values(_ ref: NodeRef) -> UnsafeMutableRawPointer {
    space.pendingPayload(ref) + bitmap
  }

  /// Sets or clears the null of a pending column.
  @inline(__always)
  func setNull(_ ref: NodeRef, _ index: Int, _ isNull: Bool) {
    guard spec.isNullable else { return }
    let byte = space.pendingPayload(ref).assumingMemoryBound(to: UInt8.self) + index >> 3
    let bit: UInt8 = 1 << UInt8(index & 7)
    if isNull { byte.pointee |= bit } else { byte.pointee &= ~bit }
  }

  /// Sets a whole number of a pending column.
  @inline(__always)
  func setInt(_ ref: NodeRef, _ index: Int, _ value: Int64) {
    values(ref).storeBytes(of: value, toByteOffset: index &<< 3, as: Int64.self)
    setNull(ref, index, false)
  }

  func setRef(_ ref: NodeRef, _ index: Int, _ value: NodeRef) {
    values(ref).storeBytes(of: value.raw, toByteOffset: index << 3, as: UInt64.self)
  }

  func setFixed(_ ref: NodeRef, _ index: Int, _ bytes: UnsafeRawBufferPointer) {
    invariant(bytes.count == Int(spec.size), "\(bytes.count) bytes for a value of \(spec.size)")
    (values(ref) + index * cellBytes).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    setNull(ref, index, false)
  }

  /// Sets a string or data of a pending column; its heap may have to move.
  func setBytes(_ ref: NodeRef, _ index: Int, _ bytes: UnsafeRawBufferPointer) -> NodeRef {
    var ref = ref
    let old = Column(space.node(ref)).blob(index)
    if !old.isNone { discard(old) }
    let isLong = bytes.count > ColumnWriter.longest
    let needed = isLong ? 16 : bytes.count
    ref = withHeap(ref, index, needed)
    let values = self.values(ref)
    let cells = Int(values.load(as: UInt32.self))
    let used = values.load(fromByteOffset: rb_cells_used, as: UInt32.self)
    invariant(
      index < cells && bitmap + 8 + cells * 8 + Int(used) + needed <= payloadRoom(of: ref),
      "\(needed) bytes for value \(index) of \(cells) go behind \(used), in "
        + "\(payloadRoom(of: ref))")
    let target = values + (rb_cells_first + cells * rb_cell_bytes) + Int(used)
    if isLong {
      let blob = makeNode(kind: NodeKind.blob, payload: bytes.count)
      let payload = space.pendingPayload(blob)
      payload.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
      // It is written with its padding, in which some other node's bytes may stand.
      (payload + bytes.count).initializeMemory(
        as: UInt8.self, repeating: 0, count: payloadRoom(of: blob) - bytes.count)
      target.storeBytes(of: blob.raw, as: UInt64.self)
      target.storeBytes(
        of: UInt64(bytes.count), toByteOffset: rb_long_value_length, as: UInt64.self)
    } else if let start = bytes.baseAddress, bytes.count > 0 {
      target.copyMemory(from: start, byteCount: bytes.count)
    }
    values.storeBytes(
      of: used, toByteOffset: rb_cells_first + index * rb_cell_bytes, as: UInt32.self)
    values.storeBytes(
      of: isLong ? Column.longFlag : UInt32(bytes.count),
      toByteOffset: rb_cells_lengths + index * rb_cell_bytes,
      as: UInt32.self)
    values.storeBytes(of: used + UInt32(needed), toByteOffset: rb_cells_used, as: UInt32.self)
    setNull(ref, index, false)
    return ref
  }

  /// The column with so many free bytes at the end of its heap. The value at `index` is about to go
  /// and is not kept.
  func withHeap(_ ref: NodeRef, _ index: Int, _ needed: Int) -> NodeRef {
    let values = self.values(ref)
    values.storeBytes(
      of: 0, toByteOffset: rb_cells_lengths + index * rb_cell_bytes, as: UInt32.self)
    let cells = Int(values.load(as: UInt32.self))
    let used = Int(values.load(fromByteOffset: rb_cells_used, as: UInt32.self))
    let capacity = payloadRoom(of: ref) - bitmap - rb_cells_first - cells * rb_cell_bytes
    if used + needed <= capacity { return ref }
    let count = Column(space.node(ref)).count
    return rebuilt(ref, count: count, room: cells, heap: needed + used / 2)
  }

  func setNullValue(_ ref: NodeRef, _ index: Int) -> NodeRef {
    var ref = ref
    switch spec.type {
    case .int, .refs:
      values(ref).storeBytes(of: 0, toByteOffset: index << 3, as: UInt64.self)
    case .bytes:
      ref = setBytes(ref, index, UnsafeRawBufferPointer(start: nil, count: 0))
    case .fixed:
      (values(ref) + index * cellBytes).initializeMemory(
        as: UInt8.self, repeating: 0, count: cellBytes)
    }
    setNull(ref, index, true)
    return ref
  }

  func set(_ ref: NodeRef, _ index: Int, _ cell: Cell) -> NodeRef {
    switch cell {
    case .null: return setNullValue(ref, index)
    case .int(let value): setInt(ref, index, value)
    case .ref(let value): setRef(ref, index, value)
    case .fixed(let bytes): bytes.withUnsafeBytes { setFixed(ref, index, $0) }
    case .bytes(let bytes): return bytes.withUnsafeBytes { setBytes(ref, index, $0) }
    }
    return ref
  }
}
