import CShims

/// Where a node lies: its distance in bytes from the base of the mapping; 0 is no node.
///
/// A committed node's distance is its offset in the file and below `reservation`. A node of the
/// running write lies in the writer's own memory, and its distance from the base (wrapping) is
/// above it: malloc never hands out memory inside the reserved range. So both are resolved by one
/// addition, and told apart by one comparison.
@frozen @usableFromInline
struct NodeRef: Hashable, Sendable {
  @usableFromInline let raw: UInt64

  @inlinable init(raw: UInt64) { self.raw = raw }

  @inlinable static var none: NodeRef { NodeRef(raw: 0) }

  /// The address space that every mapping reserves: 256 GiB. More than four hundred of them fit
  /// into the 47 bits of a process.
  @inlinable static var reservation: UInt64 { 1 << UInt64(rb_reservation_bits) }

  /// The largest file. What is reserved behind it belongs to nodes that wait, see `Anteroom`.
  @inlinable static var largestFile: UInt64 { reservation - 1 << UInt64(rb_waiting_bits) }

  @inlinable var isNone: Bool { raw == 0 }
  @inlinable var isPending: Bool { raw >= NodeRef.reservation }

  /// Whether the node is of a sealed commit whose group has no place in the file yet.
  @inlinable var isWaiting: Bool { raw >= NodeRef.largestFile && raw < NodeRef.reservation }
}
