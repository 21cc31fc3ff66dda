import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where the nodes of a group's sealed commits wait until the group gets its place in the file.
///
/// The commits of a group replace each other's nodes: the top, the table and most branches, twenty
/// times in a group of twenty. Only what the last commit reaches has to be written, side by side.
/// Until then the nodes lie here, in their final form, so that the next commit of the group copies
/// what it changes as it would a committed node, and leaves the others alone.
///
/// It is memory behind the largest file, in the addresses that the mapping reserves: a reference
/// into it is resolved like any other. Before each node 16 bytes are kept for the place that it is
/// given, the version, and what is known of the node (`NodeSpace.know`). Belongs to whoever is
/// inside the gate.
///
/// Invariants: 1. children are placed before their parents. 2. No reference into it is ever written
/// to the file. 3. When it is cleared nobody reads it.
final class Anteroom: NodeSink {
  private let space: NodeSpace
  private let tree: NodeTree
  private var used = 0
  private var isMapped = false

  private static let capacity = Int(NodeRef.reservation - NodeRef.largestFile)
  private static let prefix = 16
  /// So much stays in memory from one group to the next.
  private static let kept = 1 << 22
  /// Room for what the trees do not count as pending: a table's own node, the schema, the record.
  private static let slack = 1 << 24

  /// Bytes of the nodes that are still reached, as far as it was told of those that are not.
  private(set) var bytes = 0

  init(space: NodeSpace, tree: NodeTree) {
    self.space = space
    self.tree = tree
  }

  var isEmpty: Bool { used == 0 }

  /// Whether a commit of so many bytes fits in; false also where the system gives no memory.
  func hasRoom(for pending: Int) -> Bool {
    used + 2 * pending + Anteroom.slack < Anteroom.capacity && map()
  }

  private var memory: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(mutating: space.base) + Int(NodeRef.largestFile)
  }

  private func map() -> Bool {
    if isMapped { return true }
    let address = mmap(
      memory, Anteroom.capacity, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0)
    isMapped = address != MAP_FAILED
    return isMapped
  }

  // MARK: coming

  func place(bytes count: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer) {
    let size = (count + 15) & ~15
    invariant(used + Anteroom.prefix + size <= Anteroom.capacity, "a group has outgrown its memory")
    let node = memory + used + Anteroom.prefix
    setPlace(of: node, .none, in: VersionID(0))
    (node + size - 16).initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    used += Anteroom.prefix + size
    bytes += size
    return (NodeRef(raw: NodeRef.largestFile + UInt64(node - memory)), node)
  }

  /// A place for what will never go into the file.
  func placeAside(bytes count: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer) {
    let before = bytes
    defer { bytes = before }
    return place(bytes: count)
  }

  /// Nodes that a commit of the group let go, as the file knows them: those that wait have never
  /// been there.
  func known(_ freed: [FreedNode]) -> [FreedNode] {
    guard freed.contains(where: \.ref.isWaiting) else { return freed }
    return freed.compactMap { node in
      guard node.ref.isWaiting else { return node }
      let place = self.place(of: space.node(node.ref))
      if place.isNone {
        bytes -= node.units << 4
        invariant(bytes >= 0, "more is let go than waits: \(bytes) bytes")
        return nil
      }
      return FreedNode(ref: place, units: node.units, born: placedIn(space.node(node.ref)))
    }
  }

  // MARK: going

  /// Gives a node and all that wait below it places in the file.
  func settle(_ ref: NodeRef, into sink: Placement) -> NodeRef {
    guard ref.isWaiting else { return ref }
    let node = space.node(ref)
    let known = place(of: node)
    if !known.isNone { return known }
    let header = node.load(as: NodeHeader.self)
    let refers = tree.mayRefer(header.kind, header.width)
    if refers {
      tree.forEachReference(node) { offset in
        let word = node.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        _ = settle(NodeRef(raw: word & ~NodeTree.flags), into: sink)
      }
    }
    invariant(
      header.bytes >= NodeHeader.size, "a node of \(header.bytes) bytes waits for its place")
    let (placed, target) = sink.place(bytes: header.bytes)
    invariant(!placed.isWaiting, "a node that waited was given the place \(placed.raw)")
    target.copyMemory(from: node, byteCount: header.bytes)
    if refers { translate(target) }
    // Otherwise whoever reads a row next would look at all columns of its cluster, which took one
    // of the four microseconds of a change in a group of twenty.
    if let mark = Anteroom.mark(of: node) { space.know(placed, mark) }
    setPlace(of: node, placed, in: sink.born)
    return placed
  }

  /// Lets a node refer to the places of those that waited.
  func translate(_ node: UnsafeMutableRawPointer) {
    tree.forEachReference(node) { offset in
      let word = node.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let ref = NodeRef(raw: word & ~NodeTree.flags)
      if !ref.isWaiting { return }
      let place = self.place(of: space.node(ref))
      invariant(!place.isNone, "a node of a group is reached and has no place")
      node.storeBytes(of: place.raw | word & NodeTree.flags, toByteOffset: offset, as: UInt64.self)
    }
  }

  /// All that the group reaches so far has its place.
  func allPlaced() { bytes = 0 }

  /// Forgets all nodes.
  func clear() {
    if used > Anteroom.kept { madvise(memory + Anteroom.kept, used - Anteroom.kept, MADV_DONTNEED) }
    used = 0
    bytes = 0
  }

  private func place(of node: UnsafeRawPointer) -> NodeRef {
    NodeRef(raw: (node - Anteroom.prefix).load(as: UInt64.self))
  }

  /// The version that placed a node; the file need not have its header yet.
  private func placedIn(_ node: UnsafeRawPointer) -> VersionID {
    VersionID((node - 8).load(as: UInt64.self) & (Anteroom.firstMark - 1))
  }

  /// Forgets what was known of the node.
  private func setPlace(of node: UnsafeRawPointer, _ place: NodeRef, in version: VersionID) {
    invariant(version.number < Anteroom.firstMark, "\(version) leaves no room for a mark")
    let prefix = UnsafeMutableRawPointer(mutating: node - Anteroom.prefix)
    prefix.storeBytes(of: place.raw, as: UInt64.self)
    prefix.storeBytes(of: version.number, toByteOffset: 8, as: UInt64.self)
  }

  /// Above the version, which has 40 bits, stands what is known of the node: one more than its
  /// mark.
  private static let firstMark: UInt64 = 1 << 48

  static func note(_ mark: UInt32, of node: UnsafeRawPointer) {
    UnsafeMutableRawPointer(mutating: node - 2)
      .storeBytes(of: UInt16(truncatingIfNeeded: mark + 1), as: UInt16.self)
  }

  private static func mark(of node: UnsafeRawPointer) -> UInt32? {
    let noted = (node - 2).load(as: UInt16.self)
    return noted == 0 ? nil : UInt32(noted) - 1
  }
}
