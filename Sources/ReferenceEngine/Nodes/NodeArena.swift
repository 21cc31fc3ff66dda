import CShims

/// A committed node that the running write no longer reaches.
struct FreedNode: Hashable, Sendable {
  let ref: NodeRef
  let units: Int
  let born: VersionID
}

/// The nodes of one write before they have a place in the file.
///
/// They live in plain memory: no system call, no lock, and they are changed in place until the
/// commit gives each its final, narrow form. A write has one arena and one thread; between writes
/// its memory is kept for the next.
///
/// Invariants: 1. a pending node belongs to exactly one parent, so a change in place is seen by
/// nobody else.
/// 2. A committed node is discarded at most once. 3. Memory is only handed back to the system by
///    `release`.
final class NodeArena {
  let space: NodeSpace

  /// The version that the write will become; the `born` of every node made here.
  @exclusivity(unchecked) private(set) var version: VersionID

  /// Committed nodes that this write has let go.
  @exclusivity(unchecked) private(set) var freed: [FreedNode] = []

  /// Bytes of the pending nodes in use, spare capacity included: an upper bound of what settling
  /// will write.
  @exclusivity(unchecked) private(set) var pendingBytes = 0

  @exclusivity(unchecked) private var chunks: [(memory: UnsafeMutableRawPointer, bytes: Int)] = []
  @exclusivity(unchecked) private var chunk = 0
  @exclusivity(unchecked) private var cursor: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var limit: UnsafeMutableRawPointer?
  private var recycled: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  private static let chunkBytes = 1 << 18
  // Up to 3 KiB: a column of 256 values of 8 bytes is just above 2.
  private static let exactClasses = 192
  private static let classes = exactClasses + 32

  init(space: NodeSpace, version: VersionID) {
    self.space = space
    self.version = version
    recycled = .allocate(capacity: NodeArena.classes)
    recycled.initialize(repeating: nil, count: NodeArena.classes)
  }

  deinit {
    for chunk in chunks { chunk.memory.deallocate() }
    recycled.deallocate()
  }

  /// Makes a node of the running write. Its payload is not cleared.
  ///
  /// - Parameter payload: the bytes wanted now and as spare; `capacity(of:)` tells what was given.
  func make(kind: UInt8, width: UInt8 = 0, count: Int = 0, payload: Int) -> NodeRef {
    let wanted = NodeHeader.bytes(payload: payload) >> 4
    invariant(wanted <= NodeHeader.largestUnits, "a node of \(payload) bytes is too large")
    invariant(payload >= 0, "a node has \(payload) bytes of payload")
    let (bin, units) = NodeArena.bin(for: wanted)
    invariant(
      bin < NodeArena.classes && units >= wanted, "\(units) units of bin \(bin) are for \(wanted)")
    let node: UnsafeMutableRawPointer
    if let used = recycled[bin] {
      node = used
      recycled[bin] = used.load(fromByteOffset: 8, as: UnsafeMutableRawPointer?.self)
    } else {
      node = carve(units << 4)
    }
    pendingBytes += units << 4
    node.storeBytes(
      of: NodeHeader(
        kind: kind, width: width, count: UInt16(truncatingIfNeeded: count), units: units,
        born: version.number),
      as: NodeHeader.self)
    return space.ref(to: node)
  }

  /// Copies a node, committed or pending, into a new pending one of the same kind with room for
  /// `payload` bytes.
  func copy(_ ref: NodeRef, payload: Int? = nil) -> NodeRef {
    let old = space.header(ref)
    let kept = old.bytes - NodeHeader.size
    let new = make(
      kind: old.kind, width: old.width, count: Int(old.count), payload: max(payload ?? 0, kept))
    space.pendingPayload(new).copyMemory(from: space.payload(ref), byteCount: kept)
    return new
  }

  /// The payload bytes that a pending node has room for.
  func capacity(of ref: NodeRef) -> Int { space.header(ref).bytes - NodeHeader.size }

  func isPending(_ ref: NodeRef) -> Bool { ref.isPending }

  /// Lets a node go: a pending one is used again by this write, a committed one is noted as freed
  /// by it.
  func discard(_ ref: NodeRef) {
    if ref.isNone { return }
    let header = space.header(ref)
    guard ref.isPending else {
      freed.append(FreedNode(ref: ref, units: header.units, born: VersionID(header.born)))
      return
    }
    let (bin, units) = NodeArena.bin(for: header.units)
    invariant(
      units == header.units && units > 0,
      "a pending node of \(header.units) units has lost its size")
    pendingBytes -= units << 4
    invariant(pendingBytes >= 0, "a node was let go that is none of this write's: \(pendingBytes)")
    let node = space.pendingNode(ref)
    node.storeBytes(of: recycled[bin], toByteOffset: 8, as: UnsafeMutableRawPointer?.self)
    recycled[bin] = node
  }

  /// The committed nodes let go, for the commit to keep.
  func takeFreed() -> [FreedNode] {
    defer {
      freed = []
      freed.reserveCapacity(16)
    }
    return freed
  }

  /// Forgets all nodes, and keeps the memory for the write that will become `version`.
  func reset(for version: VersionID) {
    self.version = version
    freed.removeAll(keepingCapacity: freed.count < 4096)
    pendingBytes = 0
    while chunks.count > 16 { chunks.removeLast().memory.deallocate() }
    chunk = 0
    cursor = chunks.first?.memory
    limit = chunks.first.map { $0.memory + $0.bytes }
    recycled.update(repeating: nil, count: NodeArena.classes)
  }

  /// Small sizes have a bin each; above 3 KiB they are rounded up to a power of two, or to the
  /// largest node there is.
  private static func bin(for units: Int) -> (bin: Int, units: Int) {
    if units < exactClasses { return (units, units) }
    let exponent = Int.bitWidth - (units - 1).leadingZeroBitCount
    return (exactClasses + exponent - 7, min(1 << exponent, NodeHeader.largestUnits))
  }

  private func carve(_ bytes: Int) -> UnsafeMutableRawPointer {
    if let start = cursor, let end = limit, end - start >= bytes {
      invariant(bytes > 0 && bytes % 16 == 0, "\(bytes) bytes are no node")
      cursor = start + bytes
      return start
    }
    // The next chunk that is kept, if the node fits into it; else a new one in its place.
    let next = cursor == nil ? 0 : chunk + 1
    if next == chunks.count || chunks[next].bytes < bytes {
      let size = max(NodeArena.chunkBytes, bytes)
      // 16 bytes of slack: readers may load past the end of a string.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 16, alignment: 16)
      chunks.insert((memory, size), at: next)
    }
    invariant(chunks[next].bytes >= bytes, "\(bytes) bytes go into \(chunks[next].bytes)")
    chunk = next
    cursor = chunks[next].memory + bytes
    limit = chunks[next].memory + chunks[next].bytes
    return chunks[next].memory
  }
}
