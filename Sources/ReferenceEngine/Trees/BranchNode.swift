/// An inner node of a tree: children, each with what the node knows about it.
///
/// The three kinds of trees know different things and lay them out differently; changing a branch
/// is the same for all.
protocol BranchNode {
  /// A child, and what is known about it.
  associatedtype Entry

  init(_ node: UnsafeRawPointer)

  static var most: Int { get }
  var node: UnsafeRawPointer { get }
  func child(_ index: Int) -> NodeRef
  func entry(_ index: Int) -> Entry
  func set(_ index: Int, _ entry: Entry)
  /// Copies the entries of a branch with less room or as much.
  func copyEntries(from other: Self)
}

extension BranchNode {
  @inline(__always)
  var count: Int { node.nodeCount }

  func setCount(_ count: Int) { node.setNodeCount(count) }

  func copy(from other: Self) {
    copyEntries(from: other)
    setCount(other.count)
  }

  func insert(_ entry: Entry, at index: Int) {
    var place = count
    invariant(
      place < Self.most && 0...place ~= index, "an entry comes at \(index) of \(place) in a branch")
    setCount(place + 1)
    while place > index {
      set(place, self.entry(place - 1))
      place -= 1
    }
    set(index, entry)
  }

  func remove(at index: Int) {
    invariant(0..<count ~= index, "entry \(index) of \(count) goes from a branch")
    for place in index..<(count - 1) { set(place, entry(place + 1)) }
    setCount(count - 1)
  }

  /// Moves the entries from an index on behind those of another branch.
  func moveEntries(from first: Int, to other: Self) {
    let (count, behind) = (self.count, other.count)
    invariant(
      0...count ~= first && behind + count - first <= Self.most,
      "\(count - first) of \(count) entries go behind \(behind)")
    for place in first..<count { other.set(behind + place - first, entry(place)) }
    other.setCount(behind + count - first)
    setCount(first)
  }
}
