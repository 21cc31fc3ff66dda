/// How a node's references are found: what the kernel needs to know of the trees above it, to walk every node of a
/// version without knowing what they mean.
struct NodeTree: Sendable {
  /// Calls the body with each reference that a node holds. It may be called on a damaged file: it must not read past the
  /// node's size, and a kind it does not know has no references.
  var forEachChild: @Sendable (NodeRef, NodeSpace, (NodeRef) -> Void) -> Void

  /// What stands in a version as such, beyond checksums and bounds: nil, or what is wrong. Asked after a walk.
  var check: @Sendable (NodeRef, NodeSpace) -> String? = { _, _ in nil }
}
