/// What stands before the payload of each node: 16 bytes.
///
///     0  kind      u8     what the payload is; numbers are given by Trees, 0 and 240…255 here
///     1  width     u8     free for the kind: bits of a value, flags
///     2  count     u16    free for the kind: entries
///     4  checksum  u32    CRC-32C of file, place and all of the node but this; filled in by commit
///     8  size      u24    of the whole node in units of 16 bytes; of a pending node, its capacity
///    11  born      u40    the version that wrote it
@frozen @usableFromInline
struct NodeHeader: Sendable {
  @usableFromInline var kind: UInt8
  @usableFromInline var width: UInt8
  @usableFromInline var count: UInt16
  @usableFromInline var checksum: UInt32
  @usableFromInline var sizeAndBorn: UInt64

  @inlinable
  init(kind: UInt8, width: UInt8, count: UInt16, units: Int, born: UInt64) {
    self.kind = kind
    self.width = width
    self.count = count
    checksum = 0
    sizeAndBorn = UInt64(truncatingIfNeeded: units) | born << 24
  }

  @inlinable static var size: Int { 16 }
  @inlinable static var largestUnits: Int { 1 << 24 - 1 }

  /// The size of the whole node in units of 16 bytes.
  @inlinable var units: Int { Int(truncatingIfNeeded: sizeAndBorn & 0xFF_FFFF) }
  @inlinable var bytes: Int { units &<< 4 }
  @inlinable var born: UInt64 { sizeAndBorn >> 24 }

  /// The bytes of a whole node with a payload of so many: header and padding to 16 included.
  @inlinable static func bytes(payload: Int) -> Int { (payload + 16 + 15) & ~15 }
}

/// The memory in which references are resolved: a mapping's base, and nothing else.
///
/// A plain value to be copied into every reader; whoever holds one keeps the mapping alive
/// elsewhere (a snapshot does). At least 16 bytes after the end of any node are readable.
@frozen @usableFromInline
struct NodeSpace: @unchecked Sendable {
  // Sendable because the mapping behind it never moves and committed nodes never change.
  @usableFromInline let base: UnsafeRawPointer

  @inlinable init(base: UnsafeRawPointer) { self.base = base }

  /// The node itself: the header, followed by the payload.
  @inlinable @inline(__always)
  func node(_ ref: NodeRef) -> UnsafeRawPointer {
    UnsafeRawPointer(
      bitPattern: UInt(bitPattern: base) &+ UInt(truncatingIfNeeded: ref.raw)
    ).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  func header(_ ref: NodeRef) -> NodeHeader { node(ref).load(as: NodeHeader.self) }

  /// The first byte after the header.
  @inlinable @inline(__always)
  func payload(_ ref: NodeRef) -> UnsafeRawPointer { node(ref) + NodeHeader.size }

  /// A pending node, to be changed in place. The caller has made sure that it is pending.
  @inlinable @inline(__always)
  func pendingNode(_ ref: NodeRef) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(mutating: node(ref))
  }

  @inlinable @inline(__always)
  func pendingPayload(_ ref: NodeRef) -> UnsafeMutableRawPointer {
    pendingNode(ref) + NodeHeader.size
  }

  /// The reference of memory outside the mapping: of a pending node.
  @inlinable
  func ref(to address: UnsafeRawPointer) -> NodeRef {
    NodeRef(raw: UInt64(UInt(bitPattern: address) &- UInt(bitPattern: base)))
  }
}

/// Gives the nodes of a commit their places, and the memory in which to write their final form.
///
/// Children are placed before their parents, so that a parent is written once, with references that
/// are final. The node's header is the caller's to write (`born` and `checksum` are filled in
/// afterwards, from the size in it); the memory is valid until the next call.
protocol NodeSink: AnyObject {
  func place(bytes: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer)
}
