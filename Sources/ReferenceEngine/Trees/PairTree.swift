import CShims

/// Two numbers that are kept in order: a value or its hash and a row key, or a target and a source.
struct Pair: Hashable, Comparable, Sendable {
  var first: UInt64
  var second: UInt64

  static func < (one: Pair, other: Pair) -> Bool {
    one.first < other.first || (one.first == other.first && one.second < other.second)
  }

  /// Pairs in order, of which the second numbers ascend already.
  static func ascending(_ firsts: [UInt64], _ seconds: [UInt64]) -> [Pair] {
    if zip(seconds, seconds.dropFirst()).contains(where: >) {
      // Of rows in order those with negative keys come first, whose words are the greatest.
      let order = seconds.withUnsafeBufferPointer { PackedSort.order(of: $0) }
      return ascending(order.map { firsts[Int($0)] }, order.map { seconds[Int($0)] })
    }
    return firsts.withUnsafeBufferPointer { PackedSort.order(of: $0) }.map {
      Pair(first: firsts[Int($0)], second: seconds[Int($0)])
    }
  }
}

/// Up to 64 pairs, ascending: {u64, u64} each (`rb_pair`).
struct PairLeaf {
  let node: UnsafeRawPointer
  init(_ node: UnsafeRawPointer) { self.node = node }

  static var most: Int { rb_pairs_most }
  var count: Int { node.nodeCount }

  /// Where a pair stands from its leaf's own node on.
  @inline(__always)
  private func offset(_ index: Int) -> Int { rb_node_payload + index * rb_pair_bytes }

  func pair(_ index: Int) -> Pair {
    Pair(
      first: node.load(fromByteOffset: rb_pair_first + index * rb_pair_bytes, as: UInt64.self),
      second: node.load(fromByteOffset: rb_pair_second + index * rb_pair_bytes, as: UInt64.self))
  }

  /// The first place whose pair is not below one.
  func place(of pair: Pair) -> Int {
    let count = self.count
    if count == 0 || !(self.pair(0) < pair) { return 0 }
    if self.pair(count - 1) < pair { return count }
    // Hashes and keys are spread evenly: a guess lands close by, and in the same line of the cache
    // more often than not.
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
    let place = index * rb_pair_bytes
    node.storeBytes(of: pair.first, toByteOffset: rb_pair_first + place, as: UInt64.self)
    node.storeBytes(of: pair.second, toByteOffset: rb_pair_second + place, as: UInt64.self)
  }

  func setCount(_ count: Int) { node.setNodeCount(count) }

  func insert(_ pair: Pair, at index: Int) {
    invariant(
      count < PairLeaf.most && 0...count ~= index, "a pair comes at \(index) of \(count)")
    let start = UnsafeMutableRawPointer(mutating: node) + offset(index)
    (start + rb_pair_bytes).copyMemory(from: start, byteCount: (count - index) * rb_pair_bytes)
    set(index, pair)
    setCount(count + 1)
  }

  func remove(at index: Int) {
    invariant(0..<count ~= index, "pair \(index) of \(count) goes")
    let start = UnsafeMutableRawPointer(mutating: node) + offset(index)
    start.copyMemory(
      from: start + rb_pair_bytes, byteCount: (count - index - 1) * rb_pair_bytes)
    setCount(count - 1)
  }

  /// Copies the pairs from an index on behind those of another leaf.
  func copy(from first: Int, to other: PairLeaf) {
    let behind = other.count
    UnsafeMutableRawPointer(mutating: other.node + offset(behind))
      .copyMemory(from: node + offset(first), byteCount: (count - first) * rb_pair_bytes)
    other.setCount(behind + count - first)
  }
}

/// Up to 32 children of a tree of pairs: {u64, u64 first pair, u64 child} each (`rb_pair_entry`);
/// width = height above the leaves.
struct PairBranch: BranchNode {
  struct Entry {
    let first: Pair
    let child: NodeRef
  }

  let node: UnsafeRawPointer
  init(_ node: UnsafeRawPointer) { self.node = node }

  static var most: Int { rb_pair_branch_most }
  static var entryBytes: Int { rb_pair_entry_bytes }

  /// Branches up to the leaves, this one included.
  var height: Int { Int(node.nodeWidth) }

  func first(_ index: Int) -> Pair {
    Pair(
      first: word(index),
      second: node.load(
        fromByteOffset: rb_pair_second + index * rb_pair_entry_bytes, as: UInt64.self))
  }

  /// The first number of a child's first pair.
  @inline(__always)
  func word(_ index: Int) -> UInt64 {
    node.load(fromByteOffset: rb_pair_first &+ index &* rb_pair_entry_bytes, as: UInt64.self)
  }

  func child(_ index: Int) -> NodeRef {
    NodeRef(
      raw: node.load(
        fromByteOffset: rb_pair_entry_child + index * rb_pair_entry_bytes, as: UInt64.self))
  }

  func entry(_ index: Int) -> Entry { Entry(first: first(index), child: child(index)) }

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

  func set(_ index: Int, _ entry: Entry) {
    let node = UnsafeMutableRawPointer(mutating: node)
    let place = index * rb_pair_entry_bytes
    node.storeBytes(of: entry.first.first, toByteOffset: rb_pair_first + place, as: UInt64.self)
    node.storeBytes(of: entry.first.second, toByteOffset: rb_pair_second + place, as: UInt64.self)
    node.storeBytes(of: entry.child.raw, toByteOffset: rb_pair_entry_child + place, as: UInt64.self)
  }

  func copyEntries(from other: PairBranch) {
    UnsafeMutableRawPointer(mutating: node + rb_node_payload).copyMemory(
      from: other.node + rb_node_payload, byteCount: other.count * PairBranch.entryBytes)
  }
}

/// A sorted set of pairs, read at one version.
struct PairTree {
  let space: NodeSpace
  let root: NodeRef

  /// Calls `body` with the second numbers of all pairs that begin with `first`, ascending, until it
  /// returns false.
  ///
  /// - Parameter signposts: what is known of where this tree's leaves lie.
  @inline(__always)
  func forEach(first: UInt64, by signposts: Signposts? = nil, _ body: (UInt64) -> Bool) {
    guard let (leaf, place) = follow(signposts, to: first) ?? find(first, noting: signposts) else {
      return
    }
    var index = place
    while index < leaf.count {
      let pair = leaf.pair(index)
      guard pair.first == first, body(pair.second) else { return }
      index &+= 1
    }
    // The leaf ends before the pairs do: rare, so the others are looked for anew.
    var next = Pair(first: first, second: 0)
    if place < leaf.count {
      let last = leaf.pair(leaf.count &- 1).second
      if last == .max { return }
      next.second = last &+ 1
    }
    forEach(from: next) { pair in
      pair.first == first && body(pair.second)
    }
  }

  /// The same as `find`, without a descent; nil if that is not known to be so.
  @inline(__always)
  private func follow(_ signposts: Signposts?, to first: UInt64) -> (PairLeaf, Int)? {
    guard let signposts, let found = signposts.find(first) else { return nil }
    let post = found.post
    let node = space.node(post.leaf)
    // The lines in which the pairs should be by how many there are of them in all, before it is
    // known how many are in this leaf.
    let likely = Int(truncatingIfNeeded: found.passed &* signposts.density &>> 16)
    rb_prefetch(node)
    let lines = node + rb_pair_first + min(likely, PairLeaf.most) &* rb_pair_bytes
    rb_prefetch(lines - 112)
    rb_prefetch(lines - 48)
    rb_prefetch(lines + 16)
    rb_prefetch(lines + 80)
    let guess = PlaceGuess(found.passed, of: post.before &+ post.behind)
    let leaf = space.pairLeaf(post.leaf, from: space.knowledge)
    let place = guess.place(
      among: leaf.count, words: node + rb_pair_first, stride: rb_pair_bytes, window: 12,
      below: first)
    // Some are below and some are not: so the first that is not stands here.
    return place > 0 && place < leaf.count ? (leaf, place) : nil
  }

  /// The leaf in which the pairs that begin with a number start, or before whose end they would;
  /// and where in it.
  private func find(_ first: UInt64, noting signposts: Signposts?) -> (PairLeaf, Int)? {
    if root.isNone { return nil }
    var ref = root
    var parent = space.knowledge
    // A branch tells how far it is to the leaves.
    var height = space.pairHeight(root)
    // What the node's first numbers lie between, as far as its parents tell.
    var low: UInt64 = 0
    var high: UInt64 = .max
    var guess = PlaceGuess(first, from: low, to: high)
    // Where the leaves below the node end.
    var end = high
    while height > 0 {
      let branch = space.pairBranch(ref, from: parent, height: height)
      let node = branch.node
      let count = branch.count
      let behind = guess.place(
        among: count, words: node + rb_pair_first, stride: PairBranch.entryBytes, window: 8,
        below: first)
      let index = max(behind &- 1, 0)
      if height == 1, let signposts, signposts.lacks(first) {
        signposts.set(count, first: branch.word, leaf: branch.child, end: end)
      }
      if index &+ 1 < count { end = branch.word(index &+ 1) }
      low = branch.word(index)
      if behind < count, behind > 0 { high = branch.word(behind) }
      ref = branch.child(index)
      parent = node
      height &-= 1
      let next = space.node(ref)
      // Its child is a branch with at least half as many children, or a leaf with at least half as
      // many pairs.
      guess = PlaceGuess(first, from: low, to: high)
      if height == 0 {
        guess.prefetch(next, stride: rb_pair_bytes, most: PairLeaf.most)
      } else {
        guess.prefetch(next, stride: PairBranch.entryBytes, most: PairBranch.most)
      }
    }
    let leaf = space.pairLeaf(ref, from: parent)
    let place = guess.place(
      among: leaf.count, words: leaf.node + rb_pair_first, stride: rb_pair_bytes, window: 16,
      below: first)
    return (leaf, place)
  }

  /// Calls `body` with all pairs from one on, ascending, until it returns false.
  func forEach(from start: Pair, _ body: (Pair) -> Bool) {
    if root.isNone { return }
    _ = walk(root, from: space.knowledge, space.pairHeight(root), start, body)
  }

  private func walk(
    _ ref: NodeRef, from parent: UnsafeRawPointer, _ height: Int, _ start: Pair,
    _ body: (Pair) -> Bool
  ) -> Bool {
    if height == 0 {
      let leaf = space.pairLeaf(ref, from: parent)
      for index in leaf.place(of: start)..<leaf.count where !body(leaf.pair(index)) { return false }
      return true
    }
    let branch = space.pairBranch(ref, from: parent, height: height)
    for index in branch.place(of: start)..<branch.count
    where !walk(branch.child(index), from: branch.node, height - 1, start, body) { return false }
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
