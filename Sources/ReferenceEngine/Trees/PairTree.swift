/// Two numbers that are kept in order: a value or its hash and a row key, or a target and a source.
struct Pair: Hashable, Comparable, Sendable {
  var first: UInt64
  var second: UInt64

  static func < (one: Pair, other: Pair) -> Bool {
    one.first < other.first || (one.first == other.first && one.second < other.second)
  }
}

/// Up to 64 pairs, ascending: {u64, u64} each.
struct PairLeaf {
  let node: UnsafeRawPointer
  init(_ node: UnsafeRawPointer) { self.node = node }

  static let most = 64
  var count: Int { Int(node.load(fromByteOffset: 2, as: UInt16.self)) }

  func pair(_ index: Int) -> Pair {
    Pair(
      first: node.load(fromByteOffset: 16 + index << 4, as: UInt64.self),
      second: node.load(fromByteOffset: 24 + index << 4, as: UInt64.self))
  }

  /// The first place whose pair is not below one.
  func place(of pair: Pair) -> Int {
    let count = self.count
    if count == 0 || !(self.pair(0) < pair) { return 0 }
    if self.pair(count - 1) < pair { return count }
    // Hashes and keys are spread evenly: a guess lands close by, and in the same line of the cache more often than not.
    let first = self.pair(0).first
    let span = self.pair(count - 1).first &- first
    let share = span == 0 ? 0.5 : Double(pair.first &- first) / Double(span)
    var low = 0
    var high = count - 1
    var guess = min(max(Int(share * Double(count - 1)), 0), count - 1)
    var step = 2
    // The pair at `low` is below, the one at `high` is not.
    if self.pair(guess) < pair {
      repeat {
        low = guess
        guess += step
        step <<= 1
      } while guess < high && self.pair(guess) < pair
      high = min(guess, high)
    } else {
      repeat {
        high = guess
        guess -= step
        step <<= 1
      } while guess > low && !(self.pair(guess) < pair)
      low = max(guess, low)
    }
    while high - low > 1 {
      let middle = (low + high) >> 1
      if self.pair(middle) < pair { low = middle } else { high = middle }
    }
    return high
  }

  func set(_ index: Int, _ pair: Pair) {
    let node = UnsafeMutableRawPointer(mutating: node)
    node.storeBytes(of: pair.first, toByteOffset: 16 + index << 4, as: UInt64.self)
    node.storeBytes(of: pair.second, toByteOffset: 24 + index << 4, as: UInt64.self)
  }

  func setCount(_ count: Int) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: UInt16(count), toByteOffset: 2, as: UInt16.self)
  }
}

/// Up to 32 children of a tree of pairs: {u64, u64 first pair, u64 child} each; width = height above the leaves.
struct PairBranch {
  let node: UnsafeRawPointer
  init(_ node: UnsafeRawPointer) { self.node = node }

  static let most = 32
  static let entryBytes = 24
  var count: Int { Int(node.load(fromByteOffset: 2, as: UInt16.self)) }

  func first(_ index: Int) -> Pair {
    Pair(
      first: node.load(fromByteOffset: 16 + index * 24, as: UInt64.self),
      second: node.load(fromByteOffset: 24 + index * 24, as: UInt64.self))
  }

  func child(_ index: Int) -> NodeRef {
    NodeRef(raw: node.load(fromByteOffset: 32 + index * 24, as: UInt64.self))
  }

  /// The last child whose first pair is not above one, else the first.
  func place(of pair: Pair) -> Int {
    var low = 0
    var size = count
    while size > 1 {
      let half = size >> 1
      if !(pair < first(low + half)) { low += half }
      size -= half
    }
    return low
  }

  func set(_ index: Int, first: Pair, child: NodeRef) {
    let node = UnsafeMutableRawPointer(mutating: node)
    node.storeBytes(of: first.first, toByteOffset: 16 + index * 24, as: UInt64.self)
    node.storeBytes(of: first.second, toByteOffset: 24 + index * 24, as: UInt64.self)
    node.storeBytes(of: child.raw, toByteOffset: 32 + index * 24, as: UInt64.self)
  }

  func setCount(_ count: Int) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: UInt16(count), toByteOffset: 2, as: UInt16.self)
  }
}

/// A sorted set of pairs, read at one version.
struct PairTree {
  let space: NodeSpace
  let root: NodeRef

  /// Calls `body` with the second numbers of all pairs that begin with `first`, ascending, until it returns false.
  func forEach(first: UInt64, _ body: (UInt64) -> Bool) {
    forEach(from: Pair(first: first, second: 0)) { pair in
      pair.first == first && body(pair.second)
    }
  }

  /// Calls `body` with all pairs from one on, ascending, until it returns false.
  func forEach(from start: Pair, _ body: (Pair) -> Bool) {
    if !root.isNone { _ = walk(root, start, body) }
  }

  private func walk(_ ref: NodeRef, _ start: Pair, _ body: (Pair) -> Bool) -> Bool {
    let node = space.node(ref)
    if node.load(as: UInt8.self) == NodeKind.pairs {
      let leaf = PairLeaf(node)
      for index in leaf.place(of: start)..<leaf.count where !body(leaf.pair(index)) { return false }
      return true
    }
    let branch = PairBranch(node)
    for index in branch.place(of: start)..<branch.count
    where !walk(branch.child(index), start, body) { return false }
    return true
  }

  func contains(_ pair: Pair) -> Bool {
    var found = false
    forEach(from: pair) {
      found = $0 == pair
      return false
    }
    return found
  }
}

/// Changes a sorted set of pairs. Whoever owns the root puts `root` back when it is done.
struct PairWriter {
  let arena: NodeArena
  private(set) var root: NodeRef

  init(arena: NodeArena, root: NodeRef) { (self.arena, self.root) = (arena, root) }

  private var space: NodeSpace { arena.space }
  var tree: PairTree { PairTree(space: space, root: root) }

  /// Inserts a pair; false if it is there already.
  @discardableResult
  mutating func insert(_ pair: Pair) -> Bool {
    if root.isNone { root = makeLeaf(count: 0) }
    if let isNew = insertInPlace(pair) { return isNew }
    if tree.contains(pair) { return false }
    let (ref, split) = insert(pair, root)
    root = ref
    if let split {
      let height = level(ref) + 1
      root = makeBranch(count: 2, height: height)
      let branch = PairBranch(space.node(root))
      branch.set(0, first: first(ref), child: ref)
      branch.set(1, first: first(split), child: split)
    }
    return true
  }

  /// Inserts a pair with one descent where nothing but its leaf changes: true if that was done, false if the pair is
  /// there already, nil if more has to change.
  private func insertInPlace(_ pair: Pair) -> Bool? {
    var ref = root
    while ref.isPending, space.header(ref).kind == NodeKind.pairBranch {
      let branch = PairBranch(space.node(ref))
      ref = branch.child(branch.place(of: pair))
    }
    guard ref.isPending else { return nil }
    let leaf = PairLeaf(space.node(ref))
    let (at, count) = (leaf.place(of: pair), leaf.count)
    if at < count && leaf.pair(at) == pair { return false }
    // Branches know with what a leaf begins, so a new beginning is theirs to know, too.
    if count == PairLeaf.most || at == 0 { return nil }
    insert(pair, into: leaf, at: at)
    return true
  }

  /// Removes a pair; false if it is not there.
  @discardableResult
  mutating func remove(_ pair: Pair) -> Bool {
    guard !root.isNone, tree.contains(pair) else { return false }
    root = remove(pair, root) ?? .none
    while !root.isNone, level(root) > 0, PairBranch(space.node(root)).count == 1 {
      let only = PairBranch(space.node(root)).child(0)
      arena.discard(root)
      root = only
    }
    return true
  }

  private func level(_ ref: NodeRef) -> Int {
    let header = space.header(ref)
    return header.kind == NodeKind.pairs ? 0 : Int(header.width)
  }

  private func first(_ ref: NodeRef) -> Pair {
    level(ref) == 0 ? PairLeaf(space.node(ref)).pair(0) : PairBranch(space.node(ref)).first(0)
  }

  private func makeLeaf(count: Int) -> NodeRef {
    arena.make(kind: NodeKind.pairs, count: count, payload: PairLeaf.most * 16)
  }

  private func makeBranch(count: Int, height: Int) -> NodeRef {
    arena.make(
      kind: NodeKind.pairBranch, width: UInt8(height), count: count,
      payload: PairBranch.most * PairBranch.entryBytes)
  }

  private func open(_ ref: NodeRef) -> NodeRef {
    if ref.isPending { return ref }
    let header = space.header(ref)
    let count = Int(header.count)
    let opened: NodeRef
    if header.kind == NodeKind.pairs {
      opened = makeLeaf(count: count)
      space.pendingPayload(opened).copyMemory(from: space.payload(ref), byteCount: count * 16)
    } else {
      opened = makeBranch(count: count, height: Int(header.width))
      space.pendingPayload(opened)
        .copyMemory(from: space.payload(ref), byteCount: count * PairBranch.entryBytes)
    }
    arena.discard(ref)
    return opened
  }

  private func insert(_ pair: Pair, _ old: NodeRef) -> (NodeRef, NodeRef?) {
    let ref = open(old)
    guard level(ref) > 0 else { return insert(pair, leaf: ref) }
    let branch = PairBranch(space.node(ref))
    let at = branch.place(of: pair)
    let (child, split) = insert(pair, branch.child(at))
    branch.set(at, first: first(child), child: child)
    guard let split else { return (ref, nil) }
    if branch.count < PairBranch.most {
      insert(split, into: branch, at: at + 1)
      return (ref, nil)
    }
    let keep = at == PairBranch.most - 1 ? PairBranch.most : PairBranch.most / 2
    let right = makeBranch(count: PairBranch.most - keep, height: level(ref))
    let other = PairBranch(space.node(right))
    for place in keep..<PairBranch.most {
      other.set(place - keep, first: branch.first(place), child: branch.child(place))
    }
    branch.setCount(keep)
    if at + 1 <= keep && keep < PairBranch.most {
      insert(split, into: branch, at: at + 1)
    } else {
      insert(split, into: other, at: at + 1 - keep)
    }
    return (ref, right)
  }

  private func insert(_ child: NodeRef, into branch: PairBranch, at index: Int) {
    var place = branch.count
    branch.setCount(place + 1)
    while place > index {
      branch.set(place, first: branch.first(place - 1), child: branch.child(place - 1))
      place -= 1
    }
    branch.set(index, first: first(child), child: child)
  }

  private func insert(_ pair: Pair, leaf ref: NodeRef) -> (NodeRef, NodeRef?) {
    let leaf = PairLeaf(space.node(ref))
    let at = leaf.place(of: pair)
    guard leaf.count == PairLeaf.most else {
      insert(pair, into: leaf, at: at)
      return (ref, nil)
    }
    let keep = at == PairLeaf.most ? PairLeaf.most : PairLeaf.most / 2
    let right = makeLeaf(count: PairLeaf.most - keep)
    let other = PairLeaf(space.node(right))
    for place in keep..<PairLeaf.most { other.set(place - keep, leaf.pair(place)) }
    leaf.setCount(keep)
    if at <= keep && keep < PairLeaf.most {
      insert(pair, into: leaf, at: at)
    } else {
      insert(pair, into: other, at: at - keep)
    }
    return (ref, right)
  }

  private func insert(_ pair: Pair, into leaf: PairLeaf, at index: Int) {
    let start = UnsafeMutableRawPointer(mutating: leaf.node) + 16 + index * 16
    (start + 16).copyMemory(from: start, byteCount: (leaf.count - index) * 16)
    leaf.set(index, pair)
    leaf.setCount(leaf.count + 1)
  }

  private func remove(_ pair: Pair, _ old: NodeRef) -> NodeRef? {
    let ref = open(old)
    if level(ref) == 0 {
      let leaf = PairLeaf(space.node(ref))
      let at = leaf.place(of: pair)
      let start = UnsafeMutableRawPointer(mutating: leaf.node) + 16 + at * 16
      start.copyMemory(from: start + 16, byteCount: (leaf.count - at - 1) * 16)
      leaf.setCount(leaf.count - 1)
      if leaf.count > 0 { return ref }
      arena.discard(ref)
      return nil
    }
    let branch = PairBranch(space.node(ref))
    let at = branch.place(of: pair)
    if let child = remove(pair, branch.child(at)) {
      branch.set(at, first: first(child), child: child)
      merge(branch, at: at)
      return ref
    }
    drop(branch, at: at)
    if branch.count > 0 { return ref }
    arena.discard(ref)
    return nil
  }

  private func drop(_ branch: PairBranch, at index: Int) {
    for place in index..<(branch.count - 1) {
      branch.set(place, first: branch.first(place + 1), child: branch.child(place + 1))
    }
    branch.setCount(branch.count - 1)
  }

  /// Joins a child that has become small with a neighbour, if both fit well into one.
  private func merge(_ branch: PairBranch, at index: Int) {
    let isLeaf = level(branch.child(index)) == 0
    let most = isLeaf ? PairLeaf.most : PairBranch.most
    func size(_ at: Int) -> Int { Int(space.header(branch.child(at)).count) }
    guard branch.count > 1, size(index) < most / 4 else { return }
    let left = index > 0 ? index - 1 : index
    guard size(left) + size(left + 1) <= most * 3 / 4 else { return }
    let one = open(branch.child(left))
    let other = branch.child(left + 1)
    let (count, more) = (Int(space.header(one).count), Int(space.header(other).count))
    let bytes = isLeaf ? 16 : PairBranch.entryBytes
    (space.pendingPayload(one) + count * bytes)
      .copyMemory(from: space.payload(other), byteCount: more * bytes)
    PairLeaf(space.node(one)).setCount(count + more)
    arena.discard(other)
    branch.set(left, first: first(one), child: one)
    drop(branch, at: left + 1)
  }
}
