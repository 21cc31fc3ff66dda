import CShims

/// Changes a sorted set of pairs. Whoever owns the root puts `root` back when it is done.
struct PairWriter: BranchWriter {
  typealias Inner = PairBranch
  static let mostInLeaf = PairLeaf.most

  let arena: NodeArena
  private(set) var root: NodeRef

  init(arena: NodeArena, root: NodeRef) { (self.arena, self.root) = (arena, root) }

  private var space: NodeSpace { arena.space }
  var tree: PairTree { PairTree(space: space, root: root) }

  /// Inserts a pair; false if it is there already.
  @discardableResult
  mutating func insert(_ pair: Pair) -> Bool {
    if root.isNone { root = makeLeaf() }
    if let isNew = insertInPlace(pair) { return isNew }
    if tree.contains(pair) { return false }
    let height = height(of: root)
    let (ref, split) = insert(pair, root, height)
    root = split.map { makeRoot(over: ref, $0, height: height + 1) } ?? ref
    return true
  }

  /// The leaf where a pair is, or belongs, if this write has made it already; nil if not.
  private func pendingLeaf(for pair: Pair) -> PairLeaf? {
    var ref = root
    while ref.isPending, space.header(ref).kind == NodeKind.pairBranch {
      let branch = branch(ref)
      ref = branch.child(branch.place(of: pair))
    }
    return ref.isPending ? PairLeaf(space.node(ref)) : nil
  }

  /// Inserts a pair with one descent where nothing but its leaf changes: true if that was done,
  /// false if the pair is there already, nil if more has to change.
  private func insertInPlace(_ pair: Pair) -> Bool? {
    guard let leaf = pendingLeaf(for: pair) else { return nil }
    let (at, count) = (leaf.place(of: pair), leaf.count)
    if at < count && leaf.pair(at) == pair { return false }
    // Branches know with what a leaf begins, so a new beginning is theirs to know, too.
    if count == PairLeaf.most || at == 0 { return nil }
    leaf.insert(pair, at: at)
    return true
  }

  /// Removes a pair; false if it is not there.
  @discardableResult
  mutating func remove(_ pair: Pair) -> Bool {
    if root.isNone { return false }
    if let isDone = removeInPlace(pair) { return isDone }
    guard tree.contains(pair) else { return false }
    let height = height(of: root)
    root = remove(pair, root, height).map { lowered($0, height: height).root } ?? .none
    return true
  }

  /// Removes a pair with one descent where nothing but its leaf changes: true if that was done,
  /// false if the pair is not there, nil if more has to change.
  private func removeInPlace(_ pair: Pair) -> Bool? {
    guard let leaf = pendingLeaf(for: pair) else { return nil }
    let at = leaf.place(of: pair)
    if at == leaf.count || leaf.pair(at) != pair { return false }
    // Branches know with what a leaf begins; and a small one is joined with a neighbour.
    if at == 0 || leaf.count <= PairLeaf.most / 4 { return nil }
    leaf.remove(at: at)
    return true
  }

  /// Removes those of some pairs, ascending, that are there: each node above them is changed once.
  mutating func remove(_ pairs: [Pair]) {
    if root.isNone || pairs.isEmpty { return }
    invariant(
      zip(pairs, pairs.dropFirst()).allSatisfy { !($1 < $0) },
      "\(pairs.count) pairs are removed in no order")
    let height = height(of: root)
    let left = pairs.withUnsafeBufferPointer {
      remove(Slice(base: $0, bounds: 0..<$0.count), root, height)
    }
    root = left.map { lowered($0, height: height).root } ?? .none
  }

  private typealias Pairs = Slice<UnsafeBufferPointer<Pair>>

  private func remove(_ pairs: Pairs, _ old: NodeRef, _ height: Int) -> NodeRef? {
    if height == 0 { return remove(pairs, leaf: openLeaf(old)) }
    let ref = openBranch(old, height: height)
    let branch = branch(ref)
    var pairs = pairs
    var kept = 0
    for at in 0..<branch.count {
      var entry = branch.entry(at)
      let end =
        at + 1 < branch.count
        ? pairs.firstIndex { !($0 < branch.first(at + 1)) } ?? pairs.endIndex : pairs.endIndex
      if end > pairs.startIndex {
        let child = remove(pairs[..<end], entry.child, height - 1)
        pairs = pairs[end...]
        guard let child else { continue }
        entry = self.entry(for: child, height: height - 1)
      }
      branch.set(kept, entry)
      kept += 1
    }
    branch.setCount(kept)
    if kept == 0 {
      arena.discard(ref)
      return nil
    }
    joinSmall(in: branch, height: height)
    return ref
  }

  private func remove(_ pairs: Pairs, leaf ref: NodeRef) -> NodeRef? {
    let leaf = PairLeaf(space.node(ref))
    var next = pairs.startIndex
    var kept = 0
    for at in 0..<leaf.count {
      let pair = leaf.pair(at)
      while next < pairs.endIndex, pairs[next] < pair { next += 1 }
      if next < pairs.endIndex, pairs[next] == pair { continue }
      leaf.set(kept, pair)
      kept += 1
    }
    leaf.setCount(kept)
    if kept > 0 { return ref }
    arena.discard(ref)
    return nil
  }

  // MARK: Nodes

  private func height(of ref: NodeRef) -> Int {
    space.pairHeight(ref)
  }

  func look(at ref: NodeRef, height: Int) {
    if height == 0 {
      _ = space.pairLeaf(ref, from: space.knowledge)
    } else {
      _ = space.pairBranch(ref, from: space.knowledge, height: height)
    }
  }

  private func makeLeaf() -> NodeRef {
    arena.make(kind: NodeKind.pairs, payload: PairLeaf.most * rb_pair_bytes)
  }

  func makeBranch(height: Int) -> NodeRef {
    arena.make(
      kind: NodeKind.pairBranch, width: UInt8(height),
      payload: PairBranch.most * PairBranch.entryBytes)
  }

  func entry(for child: NodeRef, height: Int) -> PairBranch.Entry {
    let node = space.node(child)
    return PairBranch.Entry(
      first: height == 0 ? PairLeaf(node).pair(0) : PairBranch(node).first(0), child: child)
  }

  private func openLeaf(_ ref: NodeRef) -> NodeRef {
    if ref.isPending { return ref }
    look(at: ref, height: 0)
    let opened = makeLeaf()
    PairLeaf(space.node(ref)).copy(from: 0, to: PairLeaf(space.node(opened)))
    arena.discard(ref)
    return opened
  }

  func joinLeaves(_ one: NodeRef, _ other: NodeRef) -> NodeRef {
    let opened = openLeaf(one)
    look(at: other, height: 0)
    PairLeaf(space.node(other)).copy(from: 0, to: PairLeaf(space.node(opened)))
    arena.discard(other)
    return opened
  }

  // MARK: The way down

  private func insert(_ pair: Pair, _ old: NodeRef, _ height: Int) -> (NodeRef, split: NodeRef?) {
    if height == 0 { return insert(pair, leaf: openLeaf(old)) }
    let ref = openBranch(old, height: height)
    let branch = branch(ref)
    let at = branch.place(of: pair)
    let (child, split) = insert(pair, branch.child(at), height - 1)
    branch.set(at, entry(for: child, height: height - 1))
    return (ref, split.flatMap { add($0, behind: at, to: ref, height: height) })
  }

  private func insert(_ pair: Pair, leaf ref: NodeRef) -> (NodeRef, split: NodeRef?) {
    let leaf = PairLeaf(space.node(ref))
    let at = leaf.place(of: pair)
    guard leaf.count == PairLeaf.most else {
      leaf.insert(pair, at: at)
      return (ref, nil)
    }
    let keep = at == PairLeaf.most ? PairLeaf.most : PairLeaf.most / 2
    let right = makeLeaf()
    let other = PairLeaf(space.node(right))
    leaf.copy(from: keep, to: other)
    leaf.setCount(keep)
    if at <= keep && keep < PairLeaf.most {
      leaf.insert(pair, at: at)
    } else {
      other.insert(pair, at: at - keep)
    }
    return (ref, right)
  }

  private func remove(_ pair: Pair, _ old: NodeRef, _ height: Int) -> NodeRef? {
    if height > 0 {
      let ref = openBranch(old, height: height)
      let branch = branch(ref)
      let at = branch.place(of: pair)
      let child = remove(pair, branch.child(at), height - 1)
      return putBack(child, at: at, in: ref, height: height)
    }
    let ref = openLeaf(old)
    let leaf = PairLeaf(space.node(ref))
    let at = leaf.place(of: pair)
    // It was found a moment ago: what is out of order is found by one way and not by another.
    guard at < leaf.count, leaf.pair(at) == pair else { space.damaged(old, "is out of order") }
    leaf.remove(at: at)
    if leaf.count > 0 { return ref }
    arena.discard(ref)
    return nil
  }
}
