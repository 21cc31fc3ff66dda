import Testing

@testable import ReferenceEngine

@Suite struct `Posts to the leaves of a tree` {
  /// Leaves of some numbers each, in order; leaf n has the reference (n + 1) * 16.
  private struct Leaves {
    let numbers: [[UInt64]]
    static let below = 20

    init(_ all: Set<UInt64>, using dice: inout Dice) {
      var leaves: [[UInt64]] = []
      var left = ArraySlice(all.sorted())
      while !left.isEmpty {
        let count = min(left.count, 32 + dice.below(33))
        leaves.append(Array(left.prefix(count)))
        left = left.dropFirst(count)
      }
      numbers = leaves
    }

    static func ref(_ leaf: Int) -> NodeRef { NodeRef(raw: UInt64(leaf + 1) * 16) }

    /// Sets the posts to all leaves of the branch in which one is.
    func note(_ leaf: Int, in posts: Signposts) {
      let first = leaf / Leaves.below * Leaves.below
      let end = min(first + Leaves.below, numbers.count)
      posts.set(
        end - first, first: { numbers[first + $0][0] }, leaf: { Leaves.ref(first + $0) },
        end: end < numbers.count ? numbers[end][0] : .max)
    }
  }

  /// How the numbers of a tree lie.
  enum Spread: CaseIterable {
    case hashes, row, gaps

    func number(_ index: Int, _ dice: inout Dice) -> UInt64 {
      switch self {
      case .hashes: dice.next()
      case .row: UInt64(index)
      case .gaps: UInt64(index * 3 + dice.below(3))
      }
    }
  }

  @Test(arguments: Spread.allCases)
  func `lead to the leaf of a number, or to one that does not look like it`(spread: Spread) {
    var dice = Dice(seed: 11)
    let all = Set((0..<50_000).map { spread.number($0, &dice) })
    let leaves = Leaves(all, using: &dice)
    var posts = Signposts()
    defer { posts.letGo() }
    let last = spread == .hashes ? UInt64.max : leaves.numbers.last?.last ?? 0
    posts.begin(
      in: 1, low: 0, last: last, stretches: all.count / 32, entries: all.count, hasNotes: true)
    var right = 0
    var asked = 0
    for (leaf, numbers) in leaves.numbers.enumerated().shuffled(using: &dice) {
      for number in numbers {
        asked += 1
        if posts.lacks(number) { leaves.note(leaf, in: posts) }
        guard let found = posts.find(number) else { continue }
        let ref = found.post.leaf
        if ref == Leaves.ref(leaf) {
          right += 1
          let passed = number - numbers[0]
          // Parts of a stretch are rounded twice.
          #expect(posts.distance(found.passed) <= passed)
          #expect(passed - posts.distance(found.passed) <= posts.distance(2) + 1)
        } else {
          // Whoever follows it sees that the number is not between two of that leaf.
          let other = leaves.numbers[Int(ref.raw / 16) - 1]
          #expect(number > other[other.count - 1] || number <= other[0])
        }
      }
    }
    #expect(right > asked * 9 / 10, "\(right) of \(asked)")
  }

  @Test func `note something of a leaf once it was looked at`() {
    var posts = Signposts()
    defer { posts.letGo() }
    posts.begin(in: 1, low: 0, last: 9999, stretches: 100, entries: 10_000, hasNotes: true)
    #expect(posts.find(17) == nil)
    #expect(posts.lacks(17))
    posts.set(1, first: { _ in 0 }, leaf: { _ in NodeRef(raw: 4096) }, end: .max)
    #expect(posts.find(17)?.post.isKnown == false)
    let note: UInt64 = 1 << 63 | 5
    posts.find(17)?.know(note)
    let found = posts.find(17)
    #expect(found?.post.isKnown == true)
    #expect(found?.note == note)
    #expect(found?.post.leaf == NodeRef(raw: 4096))
    // Another stretch of the same leaf was not.
    #expect(posts.find(9000)?.post.isKnown == false)
    #expect(posts.find(9000)?.note == 0)
  }

  @Test func `hold for one state of a store, and are there when it was asked often`() {
    var posts = Signposts()
    defer { posts.letGo() }
    func asks(_ state: UInt64) -> Int {
      var count = 1
      while !posts.isDue(in: state, stretches: 64 * 100) { count += 1 }
      return count
    }
    #expect(asks(1) == 801)
    // What was asked of the states before counts by half for each that came between.
    #expect(asks(2) == 401)
    #expect(asks(4) == 601)
    #expect(asks(100) == 801)
    posts.begin(in: 2, low: 0, last: .max, stretches: 100, entries: 10_000)
    posts.set(1, first: { _ in 0 }, leaf: { _ in NodeRef(raw: 4096) }, end: .max)
    #expect(posts.isTrue(of: 2) && !posts.isTrue(of: 1) && !posts.isTrue(of: 3))
    posts.begin(in: 3, low: 0, last: .max, stretches: 200, entries: 10_000)
    #expect(posts.isTrue(of: 3))
    for number in (0..<255).map({ UInt64($0) << 56 }) {
      #expect(posts.find(number) == nil)
    }
  }

  @Test func `name the largest reference that there is`() {
    var posts = Signposts()
    defer { posts.letGo() }
    posts.begin(in: 1, low: 0, last: .max, stretches: 16, entries: 4096)
    let ref = NodeRef(raw: NodeRef.reservation - 16)
    posts.set(1, first: { _ in 0 }, leaf: { _ in ref }, end: .max)
    for number: UInt64 in [0, 1, 1 << 32, 1 << 63, .max - 1 << 60] {
      #expect(posts.find(number)?.post.leaf == ref)
    }
  }
}

@Suite struct `Lookups by signposts` {
  @Test(arguments: [UInt64(1), 3])
  func `find every pair that any other lookup finds, and no other`(seed: UInt64) {
    var dice = Dice(seed: seed)
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    arena.reset(for: VersionID(1))
    var pairs = PairWriter(arena: arena, root: .none)
    var model: [UInt64: [UInt64]] = [:]
    for _ in 0..<30_000 {
      // Some numbers are there a hundred times, so that their pairs fill more than a leaf.
      let first = dice.below(50) == 0 ? UInt64(dice.below(7)) << 61 : dice.next()
      let pair = Pair(first: first, second: UInt64(dice.below(1 << 30)))
      if pairs.insert(pair) { model[first, default: []].append(pair.second) }
    }
    let root = Settler(space: store.space, sink: store).settle(pairs.root)
    let tree = PairTree(space: store.space, root: root)
    var posts = Signposts()
    defer { posts.letGo() }
    posts.begin(in: 1, low: 0, last: .max, stretches: 30_000 / 32, entries: 30_000)
    func seconds(_ first: UInt64) -> [UInt64] {
      var found: [UInt64] = []
      tree.forEach(first: first, by: posts) {
        found.append($0)
        return true
      }
      return found
    }
    for round in 0..<2 {
      for (first, right) in model {
        #expect(seconds(first) == right.sorted(), "\(first) in round \(round)")
      }
      for _ in 0..<5_000 {
        let first = dice.next()
        #expect(seconds(first) == model[first, default: []].sorted())
      }
      for first: UInt64 in [0, 1, .max, .max - 1] {
        #expect(seconds(first) == model[first, default: []].sorted())
      }
    }
  }

  /// What is found by posts is what a descent finds, and in the same leaf, not in that of a version
  /// before.
  @Test(arguments: [UInt64(1), 2, 3], [6_000, 20_000])
  func `follow rows from version to version`(seed: UInt64, count: Int) throws {
    var dice = Dice(seed: seed)
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    arena.reset(for: VersionID(1))
    let trees = TreeWriter(arena: arena, base: Top(space: store.space, ref: .none))
    let first = trees.addTable([.int])
    for number in 0..<count { _ = first.insert(Int64(number) * 3) }
    var root = trees.settle(into: store)
    var posts = Signposts()
    defer { posts.letGo() }
    func key() -> Int64 { Int64(dice.below(count * 3 + 600)) - 300 }
    var followed = 0
    for turn in 2..<150 as Range<UInt64> {
      let rows = try #require(Top(space: store.space, ref: root).rows(0))
      // Now and then versions were passed over.
      if posts.follow(rows, in: turn, after: dice.below(8) == 0 ? 0 : turn - 1) {
        followed += 1
      } else {
        let low = try #require(rows.key(at: 0))
        let last = try #require(rows.key(at: rows.count - 1))
        posts.begin(
          in: turn, low: low, last: UInt64(last - low), stretches: rows.count / 128,
          entries: rows.count, hasNotes: true)
        posts.stand(on: rows)
      }
      var wrong = 0
      for _ in 0..<600 {
        let key = key()
        let (found, right) = (rows.find(key, by: posts), rows.find(key))
        if found?.cluster.node != right?.cluster.node || found?.index != right?.index { wrong += 1 }
      }
      #expect(wrong == 0, "found otherwise in version \(turn)")
      arena.reset(for: VersionID(turn))
      let next = TreeWriter(arena: arena, base: Top(space: store.space, ref: root))
      let table = try #require(next.table(0))
      for _ in 0..<dice.below(6) {
        let key = key()
        switch dice.below(4) {
        case 0: _ = table.insert(key)
        case 1: _ = table.delete(key)
        default: if let place = table.openRow(key) { table.setInt(place, 0, Int64(turn)) }
        }
      }
      root = next.settle(into: store)
    }
    #expect(followed > 75)
  }
}
