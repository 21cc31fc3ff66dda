/// What lookups have learnt of where a tree's leaves lie: a tree that is asked again and again is
/// not descended each time.
///
/// A lookup waits for memory and little else, and every branch on its way is some lines of that.
/// The numbers that a tree is ordered by are divided into stretches of one length, somewhat more
/// than the tree has leaves. A post for each names the leaf in which its stretch begins, and tells
/// how far from there that leaf begins and ends; where it ends within the stretch, the next post
/// names the one behind it. So a few bytes a leaf do what all branches do.
///
/// 1. The posts are true of one root. Where another version is shown they go on with it if its root
///    is the same, or if what its root refers to tells which posts are not true of it (`follow`);
///    else they are let go.
/// 2. They are good guesses: of two leaves that end within one stretch the second has no post. Who
///    follows one sees by the leaf's own content whether it was the right one, else descends.
/// 3. A tree gets them when it has been asked so often that they are worth what they cost, and each
///    is set when a lookup comes by. Who asks once for each version pays a count.
///
/// Of one thread. The memory belongs to who made it (`letGo`).
struct Signposts {
  /// A leaf's reference, and in 256ths of a stretch how far before the post the leaf begins and how
  /// far behind it ends; as far as there is room for it.
  ///
  ///     bit 0      whether the leaf was looked at by somebody who needs to know
  ///     bits 1…    15 bits before, 14 behind, 34 of the reference without its lowest four
  struct Post {
    fileprivate(set) var bits: UInt64
    static var mostBefore: UInt64 { 1 << 15 - 1 }
    static var mostBehind: UInt64 { 1 << 14 - 1 }
    /// The bits that a reference to a leaf may have.
    fileprivate static var references: UInt64 { (1 << 34 - 1) << 4 }

    @inline(__always)
    fileprivate init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    fileprivate init(_ leaf: NodeRef, before: UInt64, behind: UInt64) {
      bits = leaf.raw &<< 26 | behind &<< 16 | before &<< 1
    }

    @inline(__always)
    var leaf: NodeRef { NodeRef(raw: (bits &>> 30) &<< 4) }
    @inline(__always)
    var before: UInt64 { bits &>> 1 & Post.mostBefore }
    @inline(__always)
    var behind: UInt64 { bits &>> 16 & Post.mostBehind }
    @inline(__always)
    var isKnown: Bool { bits & 1 != 0 }
  }

  /// A post that was followed for a number.
  struct Found {
    let post: Post
    /// In 256ths of a stretch, how far behind its leaf's beginning the number lies.
    let passed: UInt64
    fileprivate let place: UnsafeMutablePointer<UInt64>
    fileprivate let notes: Int

    /// What was noted of the leaf; 0 if nothing was. Only of a tree that has notes.
    @inline(__always)
    var note: UInt64 { place[notes] }

    /// Notes that the leaf was looked at, and something of it.
    @inline(__always)
    func know(_ note: UInt64) {
      place.pointee |= 1
      place[notes] = note
    }
  }

  /// What is subtracted from a key before it is looked up, so that the first one is 0.
  private(set) var low: Int64 = 0
  private var posts: UnsafeMutablePointer<UInt64>?
  private var count = 0
  private var room = 0
  /// How far behind each post there is a word for what is noted of its leaf; 0 if there is none.
  private var notes = 0
  /// A stretch is 2 to the power of this.
  private var shift: UInt64 = 1
  /// How many entries of leaves there are in a 256th of a stretch, in 2 to the power of -16.
  private(set) var density: UInt64 = 0
  /// The state of the store of which the posts are true, and the one in which lookups are counted.
  private var trueOf: UInt64 = 0
  private var askedIn: UInt64 = 0
  private var asked = 0
  /// What they are true of. Elsewhere, because it is not copied with them for each lookup.
  private var ground: UnsafeMutablePointer<Ground>?

  /// What is known of a tree by which it is found again in another version.
  private struct Ground {
    /// A child of the root, and between which numbers posts to what lies below it may be set.
    struct Child {
      var ref = NodeRef.none
      var begin: UInt64 = 0
      var end: UInt64 = 0
    }
    /// The root, and the version that has made it; none if it cannot be told from others.
    var root = NodeRef.none
    var born: UInt64 = 0
    /// Of rows, what the root refers to.
    var height = 0
    var count = 0
    var children = InlineArray<32, Child>(repeating: Child())
  }

  /// A smaller tree's branches lie in the nearest cache anyway.
  static var fewestRows: Int { 4096 }

  @inline(__always)
  func isTrue(of state: UInt64) -> Bool { trueOf == state }

  /// Counts a lookup; whether the tree shall have posts now.
  ///
  /// To clear and to set them costs about what they spare so many lookups. What was asked of the
  /// versions before counts by half for each that came between.
  mutating func isDue(in state: UInt64, stretches: Int) -> Bool {
    if askedIn != state { (askedIn, asked) = (state, asked >> min(state &- askedIn, 63)) }
    asked += 1
    return asked > max(stretches >> 3, 64)
  }

  /// Begins anew, without a post, for a tree of so many numbers up to the last one.
  mutating func begin(
    in state: UInt64, low: Int64, last: UInt64, stretches: Int, entries: Int,
    hasNotes: Bool = false
  ) {
    self.low = low
    shift = 1
    while last >> (shift + 1) >= UInt64(stretches) - 1 { shift += 1 }
    count = Int(last >> shift) + 1
    density = UInt64(entries) << 8 / UInt64(count)
    // One more, which is never set: the one behind the last.
    notes = hasNotes ? count + 1 : 0
    if room <= count + notes {
      posts?.deallocate()
      room = count + 1 + notes
      posts = .allocate(capacity: room)
    }
    posts?.initialize(repeating: 0, count: count + 1 + notes)
    trueOf = state
  }

  func letGo() {
    posts?.deallocate()
    ground?.deallocate()
  }

  // MARK: From version to version

  /// Notes which tree the posts are set for from now on.
  mutating func stand(on root: NodeRef, in space: NodeSpace) {
    let ground = self.ground ?? .allocate(capacity: 1)
    self.ground = ground
    ground.initialize(to: Ground())
    // In the place of one that waits another may come, however long somebody reads it.
    if root.isNone || root.isWaiting { return }
    (ground.pointee.root, ground.pointee.born) = (root, space.header(root).born)
  }

  /// The same of rows, and what their root refers to.
  mutating func stand(on rows: RowTree) {
    stand(on: rows.root, in: rows.space)
    // With more levels too many rows lie below each of the root's children.
    guard let ground, !ground.pointee.root.isNone, !rows.areWaiting, 1...2 ~= rows.height else {
      return
    }
    let branch = rows.branch(rows.root, from: rows.space.knowledge)
    (ground.pointee.height, ground.pointee.count) = (rows.height, branch.count)
    for index in 0..<branch.count { ground.pointee.children[index] = child(index, of: branch) }
  }

  private func child(_ index: Int, of branch: Branch) -> Ground.Child {
    func number(_ key: Int64) -> UInt64 { key < low ? 0 : UInt64(bitPattern: key &- low) }
    return Ground.Child(
      ref: branch.child(index), begin: number(branch.key(index)),
      end: index + 1 < branch.count ? number(branch.key(index + 1)) : .max)
  }

  /// Goes on with the posts in a state in which the tree has this root; false if they are not true
  /// of it, and so of nothing any more.
  mutating func follow(_ root: NodeRef, in space: NodeSpace, _ state: UInt64) -> Bool {
    guard trueOf != 0, let ground else { return false }
    // The version that has made a node tells it from others that lay in its place.
    let isSame =
      !root.isNone && root == ground.pointee.root
      && space.header(root).born == ground.pointee.born
    trueOf = isSame ? state : 0
    return isSame
  }

  /// The same with rows of which some may have changed: what the root does not refer to any more
  /// has lost its posts then.
  ///
  /// - Parameter last: The state before, if this one was come to from there and nowhere else. As
  ///   that version was held until this one was there, no node of either lies in the place of one
  ///   of the other: what both refer to has not changed.
  mutating func follow(_ rows: RowTree, in state: UInt64, after last: UInt64) -> Bool {
    let isNext = trueOf != 0 && trueOf == last
    if follow(rows.root, in: rows.space, state) { return true }
    guard isNext, let ground, ground.pointee.count > 0, rows.height == ground.pointee.height,
      !rows.areWaiting
    else { return false }
    let branch = rows.branch(rows.root, from: rows.space.knowledge)
    guard branch.count == ground.pointee.count else { return false }
    for index in 0..<branch.count {
      var child = child(index, of: branch)
      let known = ground.pointee.children[index]
      if child.ref == known.ref {
        // Some of its posts may have been set when it reached further.
        (child.begin, child.end) = (min(child.begin, known.begin), max(child.end, known.end))
      } else {
        clear(from: known.begin, to: known.end)
      }
      ground.pointee.children[index] = child
    }
    (ground.pointee.root, ground.pointee.born) = (rows.root, rows.space.header(rows.root).born)
    trueOf = state
    return true
  }

  private func clear(from begin: UInt64, to end: UInt64) {
    let (first, behind) = (begin &>> shift, min(end &>> shift &+ 1, UInt64(count)))
    guard let posts, first < behind else { return }
    (posts + Int(first)).update(repeating: 0, count: Int(behind - first))
  }

  /// In 256ths of a stretch.
  @inline(__always)
  private func parts(_ distance: UInt64, atMost most: UInt64) -> UInt64 {
    shift >= 8
      ? min(distance &>> (shift &- 8), most) : min(min(distance, most) &<< (8 &- shift), most)
  }

  /// What so many 256ths of a stretch are.
  @inline(__always)
  func distance(_ parts: UInt64) -> UInt64 {
    shift >= 8 ? parts &<< (shift &- 8) : parts &>> (8 &- shift)
  }

  /// The post that a number is behind; nil if there is none.
  @inline(__always)
  func find(_ number: UInt64) -> Found? {
    let index = number &>> shift
    guard let posts, index < UInt64(count) else { return nil }
    let first = posts + Int(truncatingIfNeeded: index)
    let word = first.pointee
    if word == 0 { return nil }
    let part = parts(number &- index &<< shift, atMost: 255)
    // 1 if that leaf has ended there, and 0 if not: which of both it is nobody could foresee.
    let step = (Post(bits: word).behind &- 1 &- part) &>> 63
    let place = first + Int(truncatingIfNeeded: step)
    let post = Post(bits: place.pointee)
    if post.bits == 0 { return nil }
    let passed = Int(truncatingIfNeeded: post.before &+ part) &- Int(step &<< 8)
    return Found(
      post: post, passed: UInt64(truncatingIfNeeded: max(passed, 0)), place: place, notes: notes)
  }

  /// Whether a number's stretch has no post, or the next one has none.
  @inline(__always)
  func lacks(_ number: UInt64) -> Bool { find(number) == nil && number &>> shift < UInt64(count) }

  /// Sets the posts to a branch's leaves.
  ///
  /// - Parameters:
  ///   - first: the number at which a leaf begins.
  ///   - end: the number at which the leaves behind this branch begin.
  @inline(__always)
  func set(_ leaves: Int, first: (Int) -> UInt64, leaf: (Int) -> NodeRef, end: UInt64) {
    guard let posts else { return }
    for child in 0..<leaves {
      let begin = first(child)
      let end = child &+ 1 < leaves ? first(child &+ 1) : end
      var index = begin &>> shift
      if index &<< shift < begin { index &+= 1 }
      // A reference that no post can hold is nothing that may be followed: a descent will say so.
      if leaf(child).raw & ~Post.references != 0 { continue }
      while index < UInt64(count), index &<< shift < end {
        let start = index &<< shift
        let post = Post(
          leaf(child), before: parts(start &- begin, atMost: Post.mostBefore),
          behind: parts(end &- start, atMost: Post.mostBehind))
        posts[Int(truncatingIfNeeded: index)] = post.bits
        index &+= 1
      }
    }
  }
}
