/// Changes the inner nodes of a tree: the part of inserting into a B-tree and removing from it that
/// is the same for rows, pairs and lists.
///
/// Who conforms knows the leaves, and the way down to them. Heights count from the leaves, which
/// have 0.
///
/// Invariants: 1. a branch that is changed is pending. 2. Of a child a branch knows what `entry`
/// says. 3. No branch is empty.
protocol BranchWriter {
  associatedtype Inner: BranchNode

  var arena: NodeArena { get }
  static var mostInLeaf: Int { get }

  /// Looks at a node of the file before it is copied or joined with another: what a branch knows of
  /// it may be wrong.
  func look(at ref: NodeRef, height: Int)

  /// A pending branch without children.
  func makeBranch(height: Int) -> NodeRef
  func entry(for child: NodeRef, height: Int) -> Inner.Entry
  /// Moves what the second leaf holds into the first and lets the second go. Both fit into one.
  func joinLeaves(_ one: NodeRef, _ other: NodeRef) -> NodeRef
}

extension BranchWriter {
  @inline(__always)
  func branch(_ ref: NodeRef) -> Inner { Inner(arena.space.node(ref)) }

  /// The entries of a node, leaf or branch.
  @inline(__always)
  func count(of ref: NodeRef) -> Int { Int(arena.space.header(ref).count) }

  func openBranch(_ ref: NodeRef, height: Int) -> NodeRef {
    if ref.isPending { return ref }
    look(at: ref, height: height)
    arena.space.examineReferences(of: ref, arena.space.header(ref))
    let opened = makeBranch(height: height)
    branch(opened).copy(from: branch(ref))
    arena.discard(ref)
    return opened
  }

  // MARK: Growing

  /// Puts a child that another one was split into behind it. A branch that is full is split for it:
  /// the new one is returned.
  func add(_ split: NodeRef, behind index: Int, to ref: NodeRef, height: Int) -> NodeRef? {
    let branch = branch(ref)
    invariant(
      height > 0 && 0..<branch.count ~= index,
      "a child comes behind \(index) of \(branch.count), at height \(height)")
    let entry = entry(for: split, height: height - 1)
    if branch.count < Inner.most {
      branch.insert(entry, at: index + 1)
      return nil
    }
    // What ascends fills a branch before it begins the next one; anything else halves it.
    let keep = index == Inner.most - 1 ? Inner.most : Inner.most / 2
    let right = makeBranch(height: height)
    branch.moveEntries(from: keep, to: self.branch(right))
    if index + 1 <= keep && keep < Inner.most {
      branch.insert(entry, at: index + 1)
    } else {
      self.branch(right).insert(entry, at: index + 1 - keep)
    }
    return right
  }

  /// A root above a node and the one that it was split into.
  func makeRoot(over one: NodeRef, _ other: NodeRef, height: Int) -> NodeRef {
    invariant(
      height > 0 && one != other, "a root at height \(height) over \(one.raw) and \(other.raw)")
    let ref = makeBranch(height: height)
    let root = branch(ref)
    root.insert(entry(for: one, height: height - 1), at: 0)
    root.insert(entry(for: other, height: height - 1), at: 1)
    return ref
  }

  // MARK: Shrinking

  /// Puts a child back below which something was removed; nil if that leaves the branch empty, and
  /// so it is gone.
  func putBack(_ child: NodeRef?, at index: Int, in ref: NodeRef, height: Int) -> NodeRef? {
    let branch = branch(ref)
    invariant(
      ref.isPending && 0..<branch.count ~= index,
      "a child is put back at \(index) of \(branch.count), into \(ref.raw)")
    if let child {
      branch.set(index, entry(for: child, height: height - 1))
      merge(at: index, in: branch, height: height)
      return ref
    }
    branch.remove(at: index)
    if branch.count > 0 { return ref }
    arena.discard(ref)
    return nil
  }

  /// Lets roots with a single child go.
  func lowered(_ root: NodeRef, height: Int) -> (root: NodeRef, height: Int) {
    var (root, height) = (root, height)
    while height > 0, branch(root).count == 1 {
      let only = branch(root).child(0)
      if !only.isPending { look(at: only, height: height - 1) }
      arena.discard(root)
      root = only
      height -= 1
    }
    return (root, height)
  }

  /// Joins a child that has become small with a neighbour, if both fit well into one.
  private func merge(at index: Int, in branch: Inner, height: Int) {
    let most = height == 1 ? Self.mostInLeaf : Inner.most
    guard branch.count > 1 else { return }
    if !branch.child(index).isPending { look(at: branch.child(index), height: height - 1) }
    guard count(of: branch.child(index)) < most / 4 else { return }
    let left = index > 0 ? index - 1 : index
    let (one, other) = (branch.child(left), branch.child(left + 1))
    for child in [one, other] where !child.isPending { look(at: child, height: height - 1) }
    guard count(of: one) + count(of: other) <= most * 3 / 4 else { return }
    branch.set(left, entry(for: join(one, other, height: height - 1), height: height - 1))
    branch.remove(at: left + 1)
  }

  /// Joins neighbours below a branch of which one has become small, after many entries were
  /// removed, where both fit well into one.
  func joinSmall(in branch: Inner, height: Int) {
    let most = height == 1 ? Self.mostInLeaf : Inner.most
    var last = 0
    for at in 1..<max(branch.count, 1) {
      let (one, other) = (branch.child(last), branch.child(at))
      if one.isPending && count(of: one) < most / 4
        || other.isPending && count(of: other) < most / 4
      {
        for child in [one, other] where !child.isPending { look(at: child, height: height - 1) }
        if count(of: one) + count(of: other) <= most * 3 / 4 {
          branch.set(last, entry(for: join(one, other, height: height - 1), height: height - 1))
          continue
        }
      }
      last += 1
      branch.set(last, branch.entry(at))
    }
    branch.setCount(min(last + 1, branch.count))
  }

  /// Joins two nodes of the same height that fit into one.
  func join(_ one: NodeRef, _ other: NodeRef, height: Int) -> NodeRef {
    if height == 0 { return joinLeaves(one, other) }
    let opened = openBranch(one, height: height)
    let (target, source) = (branch(opened), branch(other))
    invariant(
      target.count + source.count <= Inner.most,
      "\(target.count) and \(source.count) children are joined in one branch")
    for index in 0..<source.count { target.insert(source.entry(index), at: target.count) }
    arena.discard(other)
    return opened
  }
}
