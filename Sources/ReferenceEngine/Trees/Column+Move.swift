import CShims

/// Values that come, go, and move from one column to another.
extension ColumnWriter {
  /// Makes place for a value, which is null or zero until it is set. The column must be open and
  /// not full.
  func insert(_ ref: NodeRef, at index: Int) -> NodeRef {
    var ref = ref
    let count = Column(space.node(ref)).count
    invariant(count < Column.most, "a column of \(count) values takes no more")
    invariant(0...count ~= index, "a value comes at \(index) of \(count)")
    if count == room(of: ref) {
      ref = rebuilt(ref, count: count, room: min(Column.most, max(8, count * 2)))
    }
    let values = self.values(ref)
    let cells = spec.type == .bytes ? values + rb_cells_first : values
    let place = cells + index * cellBytes
    (place + cellBytes).copyMemory(from: place, byteCount: (count - index) * cellBytes)
    place.initializeMemory(as: UInt8.self, repeating: 0, count: cellBytes)
    if spec.isNullable { NullBits.insert(space.pendingPayload(ref), at: index) }
    setCount(ref, count + 1)
    return ref
  }

  /// Takes a value out. Its blob goes with it; a small tree that it refers to is the caller's.
  func remove(_ ref: NodeRef, at index: Int) -> NodeRef {
    let count = Column(space.node(ref)).count
    invariant(0..<count ~= index, "value \(index) of \(count) goes")
    let blob = spec.type == .bytes ? Column(space.node(ref)).blob(index) : .none
    if !blob.isNone { discard(blob) }
    let values = self.values(ref)
    let cells = spec.type == .bytes ? values + rb_cells_first : values
    let place = cells + index * cellBytes
    place.copyMemory(from: place + cellBytes, byteCount: (count - index - 1) * cellBytes)
    (cells + (count - 1) * cellBytes).initializeMemory(
      as: UInt8.self, repeating: 0, count: cellBytes)
    if spec.isNullable { NullBits.remove(space.pendingPayload(ref), at: index) }
    setCount(ref, count - 1)
    return ref
  }

  /// Keeps the values at some places, ascending, side by side. The blobs of the others go with
  /// them; small trees that they refer to are the caller's.
  func keep(_ places: PlaceRuns, in ref: NodeRef) {
    let count = Column(space.node(ref)).count
    invariant(
      places.end <= count, "of \(count) values \(places.count) are kept, up to \(places.end)")
    let values = self.values(ref)
    let cells = spec.type == .bytes ? values + rb_cells_first : values
    if spec.type == .bytes {
      let column = Column(space.node(ref))
      var next = 0
      for run in places.runs {
        for at in next..<run.lowerBound { discard(column.blob(at)) }
        next = run.upperBound
      }
      for at in next..<count { discard(column.blob(at)) }
    }
    places.gather(from: cells, to: cells, each: cellBytes)
    if spec.isNullable { NullBits.keep(places, of: space.pendingPayload(ref)) }
    forget(ref, from: places.count)
  }

  /// Whether settling can take some of the values of a column as it is (`Settler.left`): one that
  /// the write has not changed, and whose values refer to nothing.
  func canSettle(_ slot: ColumnSlot) -> Bool {
    if slot.isPending { return false }
    return spec.type == .int || spec.type == .bytes && slot.code == 5
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

  /// Takes the values from `keep` on out of a pending column; what they refer to is somewhere else
  /// by now.
  private func forget(_ ref: NodeRef, from keep: Int) {
    let count = Column(space.node(ref)).count
    let cells = spec.type == .bytes ? values(ref) + rb_cells_first : values(ref)
    (cells + keep * cellBytes).initializeMemory(
      as: UInt8.self, repeating: 0, count: (count - keep) * cellBytes)
    if spec.isNullable { NullBits.fill(space.pendingPayload(ref), from: keep) }
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
    discard(other)
    return ref
  }

  /// Copies values without copying what they refer to: their old places must be forgotten
  /// afterwards. What is in their new places must be zeros, and nulls where there are nulls.
  private func copy(
    _ column: Column, from start: Int, count: Int? = nil, to ref: NodeRef, at place: Int
  ) -> NodeRef {
    let count = count ?? column.count - start
    if spec.type == .bytes || column.hasNulls != spec.isNullable
      || spec.type == .int && column.code != 7
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

  /// The column with room in its heap for so many values of another, so that it grows once and not
  /// a value at a time.
  private func withHeap(_ ref: NodeRef, _ column: Column, _ start: Int, _ count: Int) -> NodeRef {
    var needed = 0
    for index in start..<(start + count) { needed += heapBytes(column, index) }
    let values = self.values(ref)
    let cells = Int(values.load(as: UInt32.self))
    let used = Int(values.load(fromByteOffset: rb_cells_used, as: UInt32.self))
    let capacity = payloadRoom(of: ref) - bitmap - rb_cells_first - cells * rb_cell_bytes
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
      let target = withHeap(ref, place, rb_long_value_bytes)
      let values = self.values(target)
      let cells = Int(values.load(as: UInt32.self))
      let used = values.load(fromByteOffset: rb_cells_used, as: UInt32.self)
      let heap = values + (rb_cells_first + cells * rb_cell_bytes) + Int(used)
      heap.storeBytes(of: blob.raw, as: UInt64.self)
      heap.storeBytes(of: UInt64(whole), toByteOffset: rb_long_value_length, as: UInt64.self)
      values.storeBytes(
        of: used, toByteOffset: rb_cells_first + place * rb_cell_bytes, as: UInt32.self)
      values.storeBytes(
        of: Column.longFlag, toByteOffset: rb_cells_lengths + place * rb_cell_bytes, as: UInt32.self
      )
      values.storeBytes(
        of: used + UInt32(rb_long_value_bytes), toByteOffset: rb_cells_used, as: UInt32.self)
      setNull(target, place, false)
      return target
    }
    return ref
  }

  private func setCount(_ ref: NodeRef, _ count: Int) {
    space.node(ref).setNodeCount(count)
  }
}
