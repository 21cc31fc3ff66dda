import CShims

/// What the kernel needs to know of the trees above it, to walk, check and move nodes without
/// knowing what they mean.
struct NodeTree: Sendable {
  /// Calls the body with the place of each reference in a node, in bytes from its start; some may
  /// be none. Only asked about nodes that have no flaw.
  ///
  /// Nodes are aligned to 16 bytes, and the low four bits of a reference are the trees' own:
  /// `flags` of it.
  var forEachReference: @Sendable (UnsafeRawPointer, (Int) -> Void) -> Void

  /// Whether a node of a kind and width may have references: the others need not be looked into.
  var mayRefer: @Sendable (_ kind: UInt8, _ width: UInt8) -> Bool = { _, _ in true }

  /// What is wrong with a node by itself; nil if nothing is: then what it says of its own parts can
  /// be believed, whatever its references lead to.
  var flaw: @Sendable (UnsafeRawPointer) -> String? = { _ in nil }

  /// What is wrong with the nodes that everything else of a version hangs on: its top, tables and
  /// schema. Asked at each opening. Nothing at or behind the end may be read.
  var checkTop: @Sendable (_ top: NodeRef, NodeSpace, _ end: UInt64) -> String? = { _, _, _ in nil }

  /// What is wrong with a version beyond checksums and bounds; nil if nothing is. Asked after a
  /// walk over it.
  var check: @Sendable (_ top: NodeRef, NodeSpace, _ end: UInt64) -> String? = { _, _, _ in nil }

  /// The bits of a reference that are not part of the place.
  static var flags: UInt64 { UInt64(rb_slot_form) }

  func forEachChild(_ ref: NodeRef, _ space: NodeSpace, _ body: (NodeRef) -> Void) {
    let node = space.node(ref)
    forEachReference(node) { offset in
      let raw = node.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let child = NodeRef(raw: raw & ~NodeTree.flags)
      if !child.isNone { body(child) }
    }
  }
}
