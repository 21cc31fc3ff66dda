import CShims

/// Changes columns of the running write, in their wide form.
///
/// Every call takes the reference under which the column is known to its parent and returns the one it has now: a committed
/// column is replaced by a wide copy, a full one by a larger copy, any other stays where it is.
struct ColumnWriter {
  let arena: NodeArena
  let spec: ColumnSpec

  /// Values longer than this are nodes of their own, so that a change beside them does not copy them; and 256 that are
  /// not fit into 16 bits.
  static let longest = 128

  private var space: NodeSpace { arena.space }
  private var bitmap: Int { spec.isNullable ? Column.bitmapBytes : 0 }
  private var cellBytes: Int {
    spec.type == .fixed ? Int(spec.size) : 8
  }
  private var kind: UInt8 {
    switch spec.type {
    case .int: NodeKind.ints
    case .bytes: NodeKind.bytes
    case .fixed: NodeKind.fixed
    case .refs: NodeKind.refs
    }
  }
  private var width: UInt8 {
    (spec.type == .fixed ? spec.size : 7) | (spec.isNullable ? Column.nullFlag : 0)
  }

  // MARK: Making

  /// A column of so many nulls, or zeros where there are no nulls.
  func make(count: Int, room: Int) -> NodeRef {
    let room = max(room, count, 4)
    let heap = spec.type == .bytes ? 8 + room * 12 : 0
    let ref = arena.make(
      kind: kind, width: width, count: count, payload: bitmap + room * cellBytes + heap)
    let payload = space.pendingPayload(ref)
    if spec.isNullable {
      payload.initializeMemory(as: UInt8.self, repeating: 0xFF, count: bitmap)
    }
    let values = payload + bitmap
    if spec.type == .bytes {
      values.storeBytes(of: UInt32(room), as: UInt32.self)
      values.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
      (values + 8).initializeMemory(as: UInt64.self, repeating: 0, count: room)
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
  private func rebuilt(_ old: NodeRef, count: Int, room: Int, heap extra: Int = 0) -> NodeRef {
    let column = Column(space.node(old))
    let ref: NodeRef
    if spec.type == .bytes {
      var heap = extra
      let isShort = column.width & 0x7F == 5
      if isShort {
        if count > 0 {
          heap += Int(column.values.load(fromByteOffset: 2 * count - 2, as: UInt16.self))
        }
      } else {
        for index in 0..<count { heap += heapBytes(column, index) }
      }
      heap += heap / 4 + 64 + (room - count) * 4
      ref = arena.make(
        kind: kind, width: width, count: count, payload: bitmap + 8 + room * 8 + heap)
      let values = space.pendingPayload(ref) + bitmap
      values.storeBytes(of: UInt32(room), as: UInt32.self)
      var used = 0
      let target = values + (8 + room * 8)
      if isShort {
        var start: UInt32 = 0
        for index in 0..<count {
          let end = UInt32(column.values.load(fromByteOffset: 2 * index, as: UInt16.self))
          values.storeBytes(
            of: UInt64(start) | UInt64(end - start) << 32, toByteOffset: 8 + index * 8,
            as: UInt64.self)
          start = end
        }
        used = Int(start)
        target.copyMemory(from: column.values + 2 * count, byteCount: used)
      }
      for index in 0..<(isShort ? 0 : count) {
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
          (target + used).storeBytes(of: UInt64(bytes.count), toByteOffset: 8, as: UInt64.self)
        }
        values.storeBytes(of: UInt32(used), toByteOffset: 8 + index * 8, as: UInt32.self)
        values.storeBytes(of: length, toByteOffset: 12 + index * 8, as: UInt32.self)
        used += blob.isNone ? bytes.count : 16
      }
      (values + 8 + count * 8).initializeMemory(
        as: UInt8.self, repeating: 0, count: (room - count) * 8)
      values.storeBytes(of: UInt32(used), toByteOffset: 4, as: UInt32.self)
    } else {
      ref = arena.make(
        kind: kind, width: width, count: count, payload: bitmap + room * cellBytes)
      let values = space.pendingPayload(ref) + bitmap
      switch spec.type {
      case .int:
        rb_scan_widen(
          column.values, UInt32(column.width & 0x7F), count,
          values.assumingMemoryBound(to: Int64.self))
      default: values.copyMemory(from: column.values, byteCount: count * cellBytes)
      }
      (values + count * cellBytes).initializeMemory(
        as: UInt8.self, repeating: 0, count: (room - count) * cellBytes)
    }
    if spec.isNullable {
      let target = space.pendingPayload(ref)
      if column.hasNulls {
        target.copyMemory(from: column.node + 16, byteCount: bitmap)
      } else {
        target.initializeMemory(as: UInt8.self, repeating: 0, count: bitmap)
      }
      Bits.fill(target, from: count)
    }
    arena.discard(old)
    return ref
  }

  private func heapBytes(_ column: Column, _ index: Int) -> Int {
    column.blob(index).isNone ? column.bytes(index, in: space).count : 16
  }

  /// How many values the node has room for.
  private func room(of ref: NodeRef) -> Int {
    let payload = space.pendingPayload(ref)
    if spec.type == .bytes { return Int((payload + bitmap).load(as: UInt32.self)) }
    return min(Column.most, (arena.capacity(of: ref) - bitmap) / cellBytes)
  }

  // MARK: Setting

  @inline(__always)
  private func values(_ ref: NodeRef) -> UnsafeMutableRawPointer {
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
    if !old.isNone { arena.discard(old) }
    let isLong = bytes.count > ColumnWriter.longest
    let needed = isLong ? 16 : bytes.count
    ref = withHeap(ref, index, needed)
    let values = self.values(ref)
    let cells = Int(values.load(as: UInt32.self))
    let used = values.load(fromByteOffset: 4, as: UInt32.self)
    let target = values + (8 + cells * 8) + Int(used)
    if isLong {
      let blob = arena.make(kind: NodeKind.blob, payload: bytes.count)
      space.pendingPayload(blob).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
      target.storeBytes(of: blob.raw, as: UInt64.self)
      target.storeBytes(of: UInt64(bytes.count), toByteOffset: 8, as: UInt64.self)
    } else if let start = bytes.baseAddress, bytes.count > 0 {
      target.copyMemory(from: start, byteCount: bytes.count)
    }
    values.storeBytes(of: used, toByteOffset: 8 + index * 8, as: UInt32.self)
    values.storeBytes(
      of: isLong ? Column.longFlag : UInt32(bytes.count), toByteOffset: 12 + index * 8,
      as: UInt32.self)
    values.storeBytes(of: used + UInt32(needed), toByteOffset: 4, as: UInt32.self)
    setNull(ref, index, false)
    return ref
  }

  /// The column with so many free bytes at the end of its heap. The value at `index` is about to go and is not kept.
  private func withHeap(_ ref: NodeRef, _ index: Int, _ needed: Int) -> NodeRef {
    let values = self.values(ref)
    values.storeBytes(of: 0, toByteOffset: 12 + index * 8, as: UInt32.self)
    let cells = Int(values.load(as: UInt32.self))
    let used = Int(values.load(fromByteOffset: 4, as: UInt32.self))
    let capacity = arena.capacity(of: ref) - bitmap - 8 - cells * 8
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

  // MARK: Inserting and removing

  /// Makes place for a value, which is null or zero until it is set. The column must be open and not full.
  func insert(_ ref: NodeRef, at index: Int) -> NodeRef {
    var ref = ref
    let count = Column(space.node(ref)).count
    invariant(count < Column.most, "a column of \(count) values takes no more")
    if count == room(of: ref) {
      ref = rebuilt(ref, count: count, room: min(Column.most, max(8, count * 2)))
    }
    let values = self.values(ref)
    let cells = spec.type == .bytes ? values + 8 : values
    let place = cells + index * cellBytes
    (place + cellBytes).copyMemory(from: place, byteCount: (count - index) * cellBytes)
    place.initializeMemory(as: UInt8.self, repeating: 0, count: cellBytes)
    if spec.isNullable { Bits.insert(space.pendingPayload(ref), at: index) }
    setCount(ref, count + 1)
    return ref
  }

  /// Takes a value out. Its blob goes with it; a small tree that it refers to is the caller's.
  func remove(_ ref: NodeRef, at index: Int) -> NodeRef {
    let count = Column(space.node(ref)).count
    let blob = spec.type == .bytes ? Column(space.node(ref)).blob(index) : .none
    if !blob.isNone { arena.discard(blob) }
    let values = self.values(ref)
    let cells = spec.type == .bytes ? values + 8 : values
    let place = cells + index * cellBytes
    place.copyMemory(from: place + cellBytes, byteCount: (count - index - 1) * cellBytes)
    (cells + (count - 1) * cellBytes).initializeMemory(
      as: UInt8.self, repeating: 0, count: cellBytes)
    if spec.isNullable { Bits.remove(space.pendingPayload(ref), at: index) }
    setCount(ref, count - 1)
    return ref
  }

  /// Keeps the first `count` values, and moves the others to a new column.
  func split(_ ref: NodeRef, at keep: Int, room: Int = Column.most) -> (
    left: NodeRef, right: NodeRef
  ) {
    let column = Column(space.node(ref))
    let count = column.count
    let right = copy(column, from: keep, to: make(count: count - keep, room: room), at: 0)
    forget(ref, from: keep)
    return (ref, right)
  }

  /// Takes the values from `keep` on out of a pending column; what they refer to is somewhere else by now.
  private func forget(_ ref: NodeRef, from keep: Int) {
    let count = Column(space.node(ref)).count
    let cells = spec.type == .bytes ? values(ref) + 8 : values(ref)
    (cells + keep * cellBytes).initializeMemory(
      as: UInt8.self, repeating: 0, count: (count - keep) * cellBytes)
    if spec.isNullable { Bits.fill(space.pendingPayload(ref), from: keep) }
    setCount(ref, keep)
  }

  /// Puts all values of `other` behind those of `ref`; `other` goes.
  func append(_ other: NodeRef, count: Int, to ref: NodeRef, room wanted: Int = 0) -> NodeRef {
    var ref = ref
    let end = Column(space.node(ref)).count
    if max(wanted, end + count) > room(of: ref) {
      ref = rebuilt(ref, count: end, room: min(Column.most, max(wanted, end + count)))
    }
    setCount(ref, end + count)
    if other.isNone { return ref }
    ref = copy(Column(space.node(other)), from: 0, count: count, to: ref, at: end)
    arena.discard(other)
    return ref
  }

  /// Copies values without copying what they refer to: their old places must be forgotten afterwards. What is in their
  /// new places must be zeros, and nulls where there are nulls.
  private func copy(
    _ column: Column, from start: Int, count: Int? = nil, to ref: NodeRef, at place: Int
  ) -> NodeRef {
    let count = count ?? column.count - start
    if spec.type == .bytes || column.hasNulls != spec.isNullable
      || spec.type == .int && column.width & 7 != 7
    {
      var ref = spec.type == .bytes ? withHeap(ref, column, start, count) : ref
      for index in 0..<count { ref = move(column, start + index, to: ref, place + index) }
      return ref
    }
    (values(ref) + place * cellBytes).copyMemory(
      from: column.values + start * cellBytes, byteCount: count * cellBytes)
    if spec.isNullable {
      for index in 0..<count { setNull(ref, place + index, column.isNull(start + index)) }
    }
    return ref
  }

  /// The column with room in its heap for so many values of another, so that it grows once and not a value at a time.
  private func withHeap(_ ref: NodeRef, _ column: Column, _ start: Int, _ count: Int) -> NodeRef {
    var needed = 0
    for index in start..<(start + count) { needed += heapBytes(column, index) }
    let values = self.values(ref)
    let cells = Int(values.load(as: UInt32.self))
    let used = Int(values.load(fromByteOffset: 4, as: UInt32.self))
    let capacity = arena.capacity(of: ref) - bitmap - 8 - cells * 8
    if used + needed <= capacity { return ref }
    return rebuilt(
      ref, count: Column(space.node(ref)).count, room: cells, heap: needed + needed / 4)
  }

  /// Copies a value without copying what it refers to: its old place must be forgotten afterwards.
  private func move(_ column: Column, _ index: Int, to ref: NodeRef, _ place: Int) -> NodeRef {
    if column.isNull(index) {
      setNull(ref, place, true)
      return ref
    }
    switch spec.type {
    case .int: setInt(ref, place, column.int(index))
    case .refs: setRef(ref, place, column.ref(index))
    case .fixed: setFixed(ref, place, column.fixed(index))
    case .bytes:
      let blob = column.blob(index)
      if blob.isNone { return setBytes(ref, place, column.bytes(index, in: space)) }
      let whole = column.bytes(index, in: space).count
      let target = withHeap(ref, place, 16)
      let values = self.values(target)
      let cells = Int(values.load(as: UInt32.self))
      let used = values.load(fromByteOffset: 4, as: UInt32.self)
      let heap = values + (8 + cells * 8) + Int(used)
      heap.storeBytes(of: blob.raw, as: UInt64.self)
      heap.storeBytes(of: UInt64(whole), toByteOffset: 8, as: UInt64.self)
      values.storeBytes(of: used, toByteOffset: 8 + place * 8, as: UInt32.self)
      values.storeBytes(of: Column.longFlag, toByteOffset: 12 + place * 8, as: UInt32.self)
      values.storeBytes(of: used + 16, toByteOffset: 4, as: UInt32.self)
      setNull(target, place, false)
      return target
    }
    return ref
  }

  private func setCount(_ ref: NodeRef, _ count: Int) {
    space.pendingNode(ref).storeBytes(of: UInt16(count), toByteOffset: 2, as: UInt16.self)
  }
}

/// Bitmaps of 256 nulls that shift with the values they belong to. What is behind the last value is null.
private enum Bits {
  /// Moves the bits from an index on up by one; the bit at the index is set.
  static func insert(_ bits: UnsafeMutableRawPointer, at index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    let first = index >> 6
    for word in stride(from: 3, to: first, by: -1) {
      words[word] = words[word] << 1 | words[word - 1] >> 63
    }
    let bit = UInt64(1) << UInt64(index & 63)
    let below = bit - 1
    words[first] = words[first] & below | bit | (words[first] & ~below) << 1
  }

  /// Moves the bits above an index down by one; the last bit is set.
  static func remove(_ bits: UnsafeMutableRawPointer, at index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    let first = index >> 6
    let below = UInt64(1) << UInt64(index & 63) - 1
    words[first] = words[first] & below | (words[first] >> 1) & ~below
    for word in first..<3 {
      words[word] = words[word] & ~(1 << 63) | words[word + 1] << 63
      words[word + 1] >>= 1
    }
    words[3] |= 1 << 63
  }

  /// Sets the bits from an index on.
  static func fill(_ bits: UnsafeMutableRawPointer, from index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    if index >= 256 { return }
    words[index >> 6] |= ~(UInt64(1) << UInt64(index & 63) - 1)
    for word in (index >> 6 + 1)..<4 { words[word] = .max }
  }
}
