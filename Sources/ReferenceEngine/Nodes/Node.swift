import CShims

/// What stands before the payload of each node, in the words of `rb_node` (Layout.h), which says
/// where each of them is.
///
///     kind      u8     what the payload is: the numbers of `rb_kind_…`; 0 is none
///     width     u8     free for the kind: bits of a value, flags
///     count     u16    free for the kind: entries
///     checksum  u32    CRC-32C of file, place and all of the node but this; filled in by commit
///     size      u24    of the whole node in units of 16 bytes; of a pending node, its capacity
///     born      u40    the version that wrote it
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
    sizeAndBorn = UInt64(truncatingIfNeeded: units) | born << UInt64(rb_node_born)
  }

  @inlinable static var size: Int { rb_node_payload }
  @inlinable static var largestUnits: Int { rb_node_units }

  /// The size of the whole node in units of 16 bytes.
  @inlinable var units: Int { Int(truncatingIfNeeded: sizeAndBorn) & rb_node_units }
  @inlinable var bytes: Int { units &<< 4 }
  @inlinable var born: UInt64 { sizeAndBorn >> UInt64(rb_node_born) }

  /// The bytes of a whole node with a payload of so many: header and padding to 16 included.
  @inlinable static func bytes(payload: Int) -> Int { (payload + size + 15) & ~15 }
}

extension UnsafeRawPointer {
  /// Of the node that begins here, what its header says and most who read it need.
  @inlinable @inline(__always)
  var nodeWidth: UInt8 { load(fromByteOffset: rb_node_width, as: UInt8.self) }
  @inlinable @inline(__always)
  var nodeCount: Int { Int(load(fromByteOffset: rb_node_count, as: UInt16.self)) }

  /// Of the whole node.
  @inlinable @inline(__always)
  var nodeBytes: Int {
    (Int(truncatingIfNeeded: load(fromByteOffset: rb_node_size, as: UInt64.self)) & rb_node_units)
      &<< 4
  }

  func setNodeCount(_ count: Int) {
    UnsafeMutableRawPointer(mutating: self)
      .storeBytes(of: UInt16(count), toByteOffset: rb_node_count, as: UInt16.self)
  }
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
  func payload(_ ref: NodeRef) -> UnsafeRawPointer { node(ref) + rb_node_payload }

  /// A pending node, to be changed in place. The caller has made sure that it is pending.
  @inlinable @inline(__always)
  func pendingNode(_ ref: NodeRef) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(mutating: node(ref))
  }

  @inlinable @inline(__always)
  func pendingPayload(_ ref: NodeRef) -> UnsafeMutableRawPointer {
    pendingNode(ref) + rb_node_payload
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
