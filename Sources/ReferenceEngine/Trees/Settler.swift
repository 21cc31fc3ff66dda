/// Brings the pending nodes of a write into their final, narrow form, children before parents.
///
/// A committed node is returned as it is, so the walk touches what was changed and nothing else.
struct Settler {
  let space: NodeSpace
  let sink: any NodeSink

  /// Writes a node and all pending ones below it; returns where it now lies.
  func settle(_ ref: NodeRef) -> NodeRef {
    guard ref.isPending else { return ref }
    let header = space.header(ref)
    switch header.kind {
    case NodeKind.ints: return ints(Column(space.node(ref)))
    case NodeKind.bytes: return bytes(Column(space.node(ref)))
    case NodeKind.fixed:
      let column = Column(space.node(ref))
      return copy(
        ref, header, payload: (column.hasNulls ? 32 : 0) + column.count * Int(column.width & 0x7F))
    case NodeKind.refs: return refs(ref, header)
    case NodeKind.blob: return copy(ref, header, payload: header.bytes - NodeHeader.size)
    case NodeKind.branch: return branch(ref, header)
    case NodeKind.cluster: return cluster(ref, header)
    case NodeKind.pairs: return copy(ref, header, payload: Int(header.count) * 16)
    case NodeKind.pairBranch: return pairBranch(ref, header)
    case NodeKind.listBranch: return listBranch(ref, header)
    default:
      invariant(false, "a node of kind \(header.kind) cannot be settled")
      return ref
    }
  }

  /// A place of so many bytes of payload, with the header written and the padding cleared.
  private func place(_ header: NodeHeader, width: UInt8, payload: Int) -> (
    ref: NodeRef, payload: UnsafeMutableRawPointer
  ) {
    let bytes = NodeHeader.bytes(payload: payload)
    let (ref, node) = sink.place(bytes: bytes)
    node.storeBytes(
      of: NodeHeader(
        kind: header.kind, width: width, count: header.count, units: bytes >> 4, born: header.born),
      as: NodeHeader.self)
    if bytes > NodeHeader.size {
      (node + bytes - 16).initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    }
    return (ref, node + NodeHeader.size)
  }

  private func copy(_ ref: NodeRef, _ header: NodeHeader, payload: Int) -> NodeRef {
    let (placed, target) = place(header, width: header.width, payload: payload)
    target.copyMemory(from: space.payload(ref), byteCount: payload)
    return placed
  }

  // MARK: Columns

  private func ints(_ column: Column) -> NodeRef {
    let count = column.count
    var low: Int64 = 0
    var high: Int64 = 0
    for index in 0..<count {
      let value = column.int(index)
      low = min(low, value)
      high = max(high, value)
    }
    let nulls = anyNull(column)
    let code = Settler.code(low, high)
    let bits = code == 0 ? 0 : 1 << (Int(code) - 1)
    let bitmap = nulls ? Column.bitmapBytes : 0
    let header = column.node.load(as: NodeHeader.self)
    let (placed, payload) = place(
      header, width: code | (nulls ? Column.nullFlag : 0), payload: bitmap + (count * bits + 7) / 8)
    if nulls { payload.copyMemory(from: column.node + 16, byteCount: bitmap) }
    let values = payload + bitmap
    switch code {
    case 0: break
    case 7: values.copyMemory(from: column.values, byteCount: count * 8)
    case 6:
      for index in 0..<count {
        values.storeBytes(
          of: Int32(truncatingIfNeeded: column.int(index)), toByteOffset: index * 4, as: Int32.self)
      }
    case 5:
      for index in 0..<count {
        values.storeBytes(
          of: Int16(truncatingIfNeeded: column.int(index)), toByteOffset: index * 2, as: Int16.self)
      }
    case 4:
      for index in 0..<count {
        values.storeBytes(
          of: Int8(truncatingIfNeeded: column.int(index)), toByteOffset: index, as: Int8.self)
      }
    default:
      let perByte = 8 / bits
      var index = 0
      while index < count {
        var byte: UInt8 = 0
        for part in 0..<min(perByte, count - index) {
          byte |= UInt8(truncatingIfNeeded: column.int(index + part)) << UInt8(part * bits)
        }
        values.storeBytes(of: byte, toByteOffset: index / perByte, as: UInt8.self)
        index += perByte
      }
    }
    return placed
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

  private func anyNull(_ column: Column) -> Bool {
    guard column.hasNulls else { return false }
    for index in 0..<column.count where column.isNull(index) { return true }
    return false
  }

  private func bytes(_ column: Column) -> NodeRef {
    let count = column.count
    let nulls = anyNull(column)
    var total = 0
    var isLong = false
    for index in 0..<count {
      let blob = column.blob(index)
      if !blob.isNone { isLong = true }
      total += blob.isNone ? column.bytes(index, in: space).count : 16
    }
    let bitmap = nulls ? Column.bitmapBytes : 0
    let header = column.node.load(as: NodeHeader.self)
    let flag = nulls ? Column.nullFlag : 0
    if isLong {
      // Blobs first: a place that is asked for ends the use of the one before.
      let blobs = (0..<count).map { settle(column.blob($0)) }
      let (placed, payload) = place(
        header, width: 7 | flag, payload: bitmap + 8 + count * 8 + total)
      if nulls { payload.copyMemory(from: column.node + 16, byteCount: bitmap) }
      longBytes(column, blobs, total, to: payload + bitmap)
      return placed
    }
    let end = total < 1 << 16 ? 2 : 4
    let (placed, payload) = place(
      header, width: (end == 2 ? 5 : 6) | flag, payload: bitmap + count * end + total)
    if nulls { payload.copyMemory(from: column.node + 16, byteCount: bitmap) }
    let values = payload + bitmap
    let heap = values + count * end
    var used = 0
    for index in 0..<count {
      let bytes = column.bytes(index, in: space)
      if let start = bytes.baseAddress, bytes.count > 0 {
        (heap + used).copyMemory(from: start, byteCount: bytes.count)
      }
      used += bytes.count
      if end == 2 {
        values.storeBytes(of: UInt16(used), toByteOffset: index * 2, as: UInt16.self)
      } else {
        values.storeBytes(of: UInt32(used), toByteOffset: index * 4, as: UInt32.self)
      }
    }
    return placed
  }

  private func longBytes(
    _ column: Column, _ blobs: [NodeRef], _ total: Int, to values: UnsafeMutableRawPointer
  ) {
    let count = column.count
    values.storeBytes(of: UInt32(count), as: UInt32.self)
    values.storeBytes(of: UInt32(total), toByteOffset: 4, as: UInt32.self)
    let heap = values + (8 + count * 8)
    var used = 0
    for index in 0..<count {
      let bytes = column.bytes(index, in: space)
      values.storeBytes(of: UInt32(used), toByteOffset: 8 + index * 8, as: UInt32.self)
      if blobs[index].isNone {
        if let start = bytes.baseAddress, bytes.count > 0 {
          (heap + used).copyMemory(from: start, byteCount: bytes.count)
        }
        values.storeBytes(
          of: UInt32(bytes.count), toByteOffset: 12 + index * 8, as: UInt32.self)
        used += bytes.count
      } else {
        (heap + used).storeBytes(of: blobs[index].raw, as: UInt64.self)
        (heap + used).storeBytes(of: UInt64(bytes.count), toByteOffset: 8, as: UInt64.self)
        values.storeBytes(of: Column.longFlag, toByteOffset: 12 + index * 8, as: UInt32.self)
        used += 16
      }
    }
  }

  private func refs(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let column = Column(space.node(ref))
    let settled = (0..<column.count).map { settle(column.ref($0)) }
    let bitmap = column.hasNulls ? Column.bitmapBytes : 0
    let (placed, payload) = place(header, width: header.width, payload: bitmap + settled.count * 8)
    if bitmap > 0 { payload.copyMemory(from: column.node + 16, byteCount: bitmap) }
    for (index, child) in settled.enumerated() {
      payload.storeBytes(of: child.raw, toByteOffset: bitmap + index * 8, as: UInt64.self)
    }
    return placed
  }

  // MARK: Inner nodes

  private func branch(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let old = Branch(space.node(ref))
    let count = old.count
    let settled = (0..<count).map { settle(old.child($0)) }
    let (placed, payload) = place(
      header, width: UInt8(count), payload: count * Branch.entryBytes)
    let new = Branch(payload - NodeHeader.size)
    for index in 0..<count {
      new.set(index, key: old.key(index), child: settled[index], rows: old.rows(index))
    }
    return placed
  }

  private func cluster(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let cluster = Cluster(space.node(ref))
    let first = cluster.key(0, in: space)
    let keys = settledKeys(cluster, first: first)
    let columns = (0..<cluster.columnCount).map { settle(cluster.column($0)) }
    let (placed, payload) = place(
      header, width: 0, payload: Cluster.columnsOffset - NodeHeader.size + columns.count * 8)
    payload.storeBytes(of: first, as: Int64.self)
    payload.storeBytes(of: keys.raw, toByteOffset: 8, as: UInt64.self)
    for (index, column) in columns.enumerated() {
      payload.storeBytes(of: column.raw, toByteOffset: 16 + index * 8, as: UInt64.self)
    }
    return placed
  }

  /// Keys relative to the first; none where they follow each other without a gap.
  private func settledKeys(_ cluster: Cluster, first: Int64) -> NodeRef {
    let count = cluster.count
    if cluster.keys.isNone || cluster.key(count - 1, in: space) &- first == Int64(count - 1) {
      return .none
    }
    guard cluster.keys.isPending else { return cluster.keys }
    let shift = first &- cluster.base
    if shift != 0 {
      let values = space.pendingPayload(cluster.keys)
      for index in 0..<count {
        let key = values.load(fromByteOffset: index * 8, as: Int64.self)
        values.storeBytes(of: key &- shift, toByteOffset: index * 8, as: Int64.self)
      }
    }
    return settle(cluster.keys)
  }

  private func pairBranch(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let old = PairBranch(space.node(ref))
    let settled = (0..<old.count).map { settle(old.child($0)) }
    let (placed, payload) = place(
      header, width: header.width, payload: settled.count * PairBranch.entryBytes)
    let new = PairBranch(payload - NodeHeader.size)
    for (index, child) in settled.enumerated() {
      new.set(index, first: old.first(index), child: child)
    }
    return placed
  }

  private func listBranch(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let old = ListBranch(space.node(ref))
    let settled = (0..<old.count).map { settle(old.child($0)) }
    let (placed, payload) = place(
      header, width: header.width, payload: settled.count * ListBranch.entryBytes)
    let new = ListBranch(payload - NodeHeader.size)
    for (index, child) in settled.enumerated() {
      new.set(index, child: child, values: old.values(index))
    }
    return placed
  }
}
