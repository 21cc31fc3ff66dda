import CShims

/// Columns in their narrow form: of a cluster's 256 values, as few bits each as the widest needs.
extension Settler {
  /// Settles a cluster's column; returns its new reference, with its form.
  ///
  /// - Parameter left: Which of the values are left of a column that is not pending; nil if all.
  func column(_ slot: ColumnSlot, _ left: PlaceRuns? = nil) -> ColumnSlot {
    guard slot.isPending else {
      if let left, !slot.isNone { return rest(of: slot, left) }
      return slot
    }
    let node = slot.node(space.base)
    switch node.load(as: UInt8.self) {
    case NodeKind.ints:
      let (ref, width) = ints(Column(node))
      return ColumnSlot(ref, kind: NodeKind.ints, width: width)
    case NodeKind.bytes:
      let (ref, width) = bytes(Column(node))
      return ColumnSlot(ref, kind: NodeKind.bytes, width: width)
    default: return ColumnSlot(settle(slot.ref), space.header(slot.ref))
    }
  }

  func ints(_ column: Column) -> (NodeRef, UInt8) {
    // While it is written, a column has 64 bits a value.
    ints(
      column.values.assumingMemoryBound(to: Int64.self), nulls(of: column),
      column.node.load(as: NodeHeader.self))
  }

  private func ints(
    _ source: UnsafePointer<Int64>, _ nulls: UnsafeRawPointer?, _ header: NodeHeader
  ) -> (NodeRef, UInt8) {
    let count = Int(header.count)
    let code = form(of: source, 7, count)
    let bits = code == 0 ? 0 : 1 << (Int(code) - 1)
    let bitmap = nulls == nil ? 0 : Column.bitmapBytes
    let width = code | (nulls == nil ? 0 : Column.nullFlag)
    let (placed, payload) = place(
      header, width: width, payload: bitmap + (count * bits + 7) / 8)
    if let nulls { payload.copyMemory(from: nulls, byteCount: bitmap) }
    let values = payload + bitmap
    rb_scan_narrow(source, count, UInt32(code), values)
    return (placed, width)
  }

  /// The narrowest code for numbers, which have another one.
  private func form(of values: UnsafeRawPointer, _ code: UInt8, _ count: Int) -> UInt8 {
    var low: Int64 = 0
    var high: Int64 = 0
    if count > 0 { rb_scan_ends(values, UInt32(code), count, &low, &high) }
    return Settler.code(min(low, 0), max(high, 0))
  }

  /// Writes numbers that have their narrowest form already.
  private func place(
    _ values: UnsafeRawPointer, bytes: Int, _ code: UInt8, _ nulls: UnsafeRawPointer?,
    _ header: NodeHeader
  ) -> (NodeRef, UInt8) {
    let bitmap = nulls == nil ? 0 : Column.bitmapBytes
    let width = code | (nulls == nil ? 0 : Column.nullFlag)
    let (placed, payload) = place(header, width: width, payload: bitmap + bytes)
    if let nulls { payload.copyMemory(from: nulls, byteCount: bitmap) }
    (payload + bitmap).copyMemory(from: values, byteCount: bytes)
    return (placed, width)
  }

  /// The narrowest code that holds all values between two.
  static func code(_ low: Int64, _ high: Int64) -> UInt8 {
    if low == 0 && high == 0 { return 0 }
    if low >= 0 {
      if high < 2 { return 1 }
      if high < 4 { return 2 }
      if high < 16 { return 3 }
    }
    if low >= Int8.min && high <= Int8.max { return 4 }
    if low >= Int16.min && high <= Int16.max { return 5 }
    if low >= Int32.min && high <= Int32.max { return 6 }
    return 7
  }

  /// A column's bitmap of nulls; nil if none of its values is one.
  private func nulls(of column: Column) -> UnsafeRawPointer? {
    column.hasNulls ? nulls(column.node + rb_node_payload, column.count) : nil
  }

  /// The bitmap, if one of so many values is null; what is behind the last value is, always.
  private func nulls(_ bits: UnsafeRawPointer, _ count: Int) -> UnsafeRawPointer? {
    for word in 0..<(count >> 6) where bits.load(fromByteOffset: word << 3, as: UInt64.self) != 0 {
      return bits
    }
    if count & 63 == 0 { return nil }
    let last = bits.load(fromByteOffset: (count >> 6) << 3, as: UInt64.self)
    return last & (1 << UInt64(count & 63) - 1) != 0 ? bits : nil
  }

  func bytes(_ column: Column) -> (NodeRef, UInt8) {
    let count = column.count
    let nulls = nulls(of: column)
    // While it is written, a column of bytes consists of cells in front of a heap.
    let cells = (column.values + 8).assumingMemoryBound(to: UInt64.self)
    let heap = column.values + (8 + Int(column.values.load(as: UInt32.self)) << 3)
    var (all, lengths): (UInt64, UInt64) = (0, 0)
    for index in 0..<count {
      all |= cells[index]
      lengths &+= cells[index] >> 32
    }
    let isLong = UInt32(truncatingIfNeeded: all >> 32) & Column.longFlag != 0
    let bitmap = nulls == nil ? 0 : Column.bitmapBytes
    let header = column.node.load(as: NodeHeader.self)
    let flag = nulls == nil ? 0 : Column.nullFlag
    if isLong {
      // Blobs first: a place that is asked for ends the use of the one before.
      let blobs = (0..<count).map { settle(column.blob($0)) }
      let total = (0..<count).reduce(0) { total, index in
        let length = UInt32(truncatingIfNeeded: cells[index] >> 32)
        return total + (length & Column.longFlag != 0 ? rb_long_value_bytes : Int(length))
      }
      let (placed, payload) = place(
        header, width: 7 | flag, payload: bitmap + 8 + count * 8 + total)
      if let nulls { payload.copyMemory(from: nulls, byteCount: bitmap) }
      longBytes(column, blobs, total, to: payload + bitmap)
      return (placed, 7 | flag)
    }
    // 256 short values never need more than 16 bits.
    let (placed, payload) = place(
      header, width: 5 | flag, payload: bitmap + count * 2 + Int(lengths))
    if let nulls { payload.copyMemory(from: nulls, byteCount: bitmap) }
    shortBytes(cells, count, heap, to: payload + bitmap)
    return (placed, 5 | flag)
  }

  /// Copies short values into their narrow form: their ends, and behind them their bytes. Most
  /// follow one another in the heap, too, and are copied at once; one by one they took longer than
  /// all else of a column.
  private func shortBytes(
    _ cells: UnsafePointer<UInt64>, _ count: Int, _ heap: UnsafeRawPointer,
    to values: UnsafeMutableRawPointer
  ) {
    let ends = values.assumingMemoryBound(to: UInt16.self)
    var target = values + count << 1
    var (start, end, used) = (0, 0, 0)
    for index in 0..<count {
      let cell = cells[index]
      let (place, length) = (Int(cell & 0xFFFF_FFFF), Int(cell >> 32))
      if place != end, length != 0 {
        target.copyMemory(from: heap + start, byteCount: end &- start)
        target += end &- start
        (start, end) = (place, place)
      }
      end &+= length
      used &+= length
      ends[index] = UInt16(truncatingIfNeeded: used)
    }
    target.copyMemory(from: heap + start, byteCount: end &- start)
  }

  // MARK: What is left of a column

  /// Settles what is left of a committed column, which is read as it is: values by the same
  /// narrowing as those of a wide copy, so that both give the same bytes.
  private func rest(of slot: ColumnSlot, _ places: PlaceRuns) -> ColumnSlot {
    let column = Column(slot.node(space.base))
    let header = NodeHeader(
      kind: column.kind, width: 0, count: UInt16(places.count), units: 0, born: left.born.number)
    invariant(
      !places.isEmpty && places.end <= column.count,
      "of \(column.count) values \(places.count) are left, up to \(places.end)")
    guard let bits = room else {
      invariant(false, "there is no room to take \(places.count) values out of a column")
      return slot
    }
    var nulls: UnsafeRawPointer?
    if column.hasNulls {
      bits.copyMemory(from: column.node + rb_node_payload, byteCount: Column.bitmapBytes)
      NullBits.keep(places, of: bits)
      NullBits.fill(bits, from: places.count)
      nulls = self.nulls(bits, places.count)
    }
    if column.kind == NodeKind.bytes {
      let (ref, width) = rest(ofBytes: column, places, nulls, header)
      return ColumnSlot(ref, kind: NodeKind.bytes, width: width)
    }
    let (ref, width) = rest(ofInts: column, places, nulls, header, bits + Column.bitmapBytes)
    return ColumnSlot(ref, kind: NodeKind.ints, width: width)
  }

  /// Of whole numbers those at some places. Mostly they need as many bits as all did, and are taken
  /// as they are.
  private func rest(
    ofInts column: Column, _ places: PlaceRuns, _ nulls: UnsafeRawPointer?, _ header: NodeHeader,
    _ values: UnsafeMutableRawPointer
  ) -> (NodeRef, UInt8) {
    let code = column.code
    if code >= 4 {
      let each = 1 << (Int(code) - 4)
      places.gather(from: column.values, to: values, each: each)
      if form(of: values, code, places.count) == code {
        return place(values, bytes: places.count * each, code, nulls, header)
      }
    }
    let wide = values.assumingMemoryBound(to: Int64.self)
    rb_scan_widen(column.values, UInt32(code), column.count, wide)
    places.gather(from: wide, to: wide, each: 8)
    return ints(wide, nulls, header)
  }

  /// Of short values, their ends 16 bits each in front of their bytes, those at some places.
  private func rest(
    ofBytes column: Column, _ places: PlaceRuns, _ nulls: UnsafeRawPointer?, _ header: NodeHeader
  ) -> (NodeRef, UInt8) {
    let old = column.values.assumingMemoryBound(to: UInt16.self)
    func start(_ place: Int) -> Int { place == 0 ? 0 : Int(old[place &- 1]) }
    var used = 0
    for run in places.runs { used &+= start(run.upperBound) &- start(run.lowerBound) }
    let bitmap = nulls == nil ? 0 : Column.bitmapBytes
    let width = 5 | (nulls == nil ? 0 : Column.nullFlag)
    let (placed, payload) = place(
      header, width: width, payload: bitmap + places.count * 2 + used)
    if let nulls { payload.copyMemory(from: nulls, byteCount: bitmap) }
    var ends = (payload + bitmap).assumingMemoryBound(to: UInt16.self)
    var target = payload + bitmap + places.count * 2
    let heap = column.values + column.count << 1
    used = 0
    // Those that stand side by side are copied at once, and end as far from one another as before.
    for run in places.runs {
      let from = start(run.lowerBound)
      let length = start(run.upperBound) &- from
      target.copyMemory(from: heap + from, byteCount: length)
      target += length
      let shift = UInt16(truncatingIfNeeded: used &- from)
      for index in 0..<run.count { ends[index] = old[run.lowerBound &+ index] &+ shift }
      ends += run.count
      used &+= length
    }
    return (placed, width)
  }

  private func longBytes(
    _ column: Column, _ blobs: [NodeRef], _ total: Int, to values: UnsafeMutableRawPointer
  ) {
    let count = column.count
    values.storeBytes(of: UInt32(count), as: UInt32.self)
    values.storeBytes(of: UInt32(total), toByteOffset: rb_cells_used, as: UInt32.self)
    let heap = values + (8 + count * 8)
    var used = 0
    for index in 0..<count {
      let bytes = column.bytes(index, in: space)
      values.storeBytes(
        of: UInt32(used), toByteOffset: rb_cells_first + index * rb_cell_bytes, as: UInt32.self)
      if blobs[index].isNone {
        if let start = bytes.baseAddress, bytes.count > 0 {
          (heap + used).copyMemory(from: start, byteCount: bytes.count)
        }
        values.storeBytes(
          of: UInt32(bytes.count), toByteOffset: rb_cells_lengths + index * rb_cell_bytes,
          as: UInt32.self)
        used += bytes.count
      } else {
        (heap + used).storeBytes(of: blobs[index].raw, as: UInt64.self)
        (heap + used).storeBytes(
          of: UInt64(bytes.count), toByteOffset: rb_long_value_length, as: UInt64.self)
        values.storeBytes(
          of: Column.longFlag, toByteOffset: rb_cells_lengths + index * rb_cell_bytes,
          as: UInt32.self)
        used += 16
      }
    }
  }

  func refs(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let column = Column(space.node(ref))
    let settled = (0..<column.count).map { settle(column.ref($0)) }
    let bitmap = column.hasNulls ? Column.bitmapBytes : 0
    let (placed, payload) = place(header, width: header.width, payload: bitmap + settled.count * 8)
    if bitmap > 0 { payload.copyMemory(from: column.node + rb_node_payload, byteCount: bitmap) }
    for (index, child) in settled.enumerated() {
      payload.storeBytes(of: child.raw, toByteOffset: bitmap + index * 8, as: UInt64.self)
    }
    return placed
  }
}
