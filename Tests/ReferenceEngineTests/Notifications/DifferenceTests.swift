import Testing

@testable import ReferenceEngine

@Suite struct DifferenceTests {
  /// Follows a difference as a listener would, knowing nothing but the old elements and the new
  /// sequence.
  private func follow(_ old: [Int], _ difference: Difference, _ new: [Int]) -> [Int] {
    var mirror = old
    for position in difference.deletions.reversed() { mirror.remove(at: position) }
    for position in difference.insertions { mirror.insert(new[position], at: position) }
    return mirror
  }

  private func check(_ old: [Int], _ new: [Int], modified: Set<Int> = []) {
    let difference = Difference(from: old, to: new) { modified.contains($0) }
    #expect(follow(old, difference, new) == new, "\(old) → \(new)")
    #expect(difference.deletions == difference.deletions.sorted())
    #expect(difference.insertions == difference.insertions.sorted())
    #expect(difference.modifications == difference.modifications.sorted())
    #expect(Set(difference.deletions).isDisjoint(with: difference.modifications))
    for position in old.indices where !difference.deletions.contains(position) {
      #expect(difference.modifications.contains(position) == modified.contains(old[position]))
    }
  }

  @Test func `NOTIFY-07: every short sequence turns into every other`() {
    let short = (0...4).flatMap { length in
      (0..<intPower(3, length)).map { number in
        (0..<length).map { number / intPower(3, $0) % 3 }
      }
    }
    for old in short { for new in short { check(old, new, modified: [1]) } }
  }

  @Test func `NOTIFY-07: random long sequences`() {
    var random = Dice(seed: Wish.seed())
    for _ in 0..<300 {
      let old = (0..<random.below(60)).map { _ in random.below(40) }
      var new = old
      for _ in 0..<random.below(12) {
        switch random.below(3) {
        case 0: new.insert(random.below(40), at: random.below(new.count + 1))
        case 1 where !new.isEmpty: new.remove(at: random.below(new.count))
        default: new.shuffle(using: &random)
        }
      }
      check(old, new, modified: Set((0..<5).map { _ in random.below(40) }))
    }
  }

  @Test func `a moved element is one deletion and one insertion`() {
    let difference = Difference(from: [1, 2, 3, 4, 5], to: [5, 1, 2, 3, 4]) { _ in false }
    #expect(difference == Difference(deletions: [4], insertions: [0]))
  }

  private func permutations(_ rest: [Int]) -> [[Int]] {
    if rest.isEmpty { return [[]] }
    return rest.flatMap { first in
      permutations(rest.filter { $0 != first }).map { [first] + $0 }
    }
  }

  @Test func `as many as possible stay, and of the modified as few`() {
    let old = Array(0..<5)
    for new in permutations(old) {
      for bits in 0..<32 {
        let difference = Difference(from: old, to: new) { bits >> $0 & 1 == 1 }
        // What keeps its order, of every choice.
        let choices = (0..<32).map { choice in new.filter { choice >> $0 & 1 == 1 } }
          .filter { $0 == $0.sorted() }
        let most = choices.map(\.count).max() ?? 0
        let fewest = choices.filter { $0.count == most }
          .map { $0.count { bits >> $0 & 1 == 1 } }.min()
        #expect(old.count - difference.deletions.count == most, "\(new)")
        #expect(difference.modifications.count == fewest, "\(new) \(bits)")
      }
    }
  }

  @Test func `of two that change places the one that was modified has moved`() {
    let first = Difference(from: [1, 2], to: [2, 1]) { $0 == 1 }
    #expect(first == Difference(deletions: [0], insertions: [1]))
    let second = Difference(from: [1, 2], to: [2, 1]) { $0 == 2 }
    #expect(second == Difference(deletions: [1], insertions: [0]))
  }

  @Test func `NOTIFY-20: without a net change there is nothing to tell`() {
    #expect(Difference(from: [1, 2], to: [1, 2]) { _ in false }.isEmpty)
    let nowhere: (Int64) -> Int? = { _ in nil }
    #expect(
      Difference(touched: [7], wasAt: nowhere, isAt: nowhere, isModified: { _ in true }).isEmpty)
  }

  @Test func `NOTIFY-07: touched keys suffice where keys give the order`() {
    var random = Dice(seed: Wish.seed())
    for _ in 0..<500 {
      let old = Set((0..<random.below(50)).map { _ in Int64(random.below(60)) })
      let touched = Set((0..<random.below(12)).map { _ in Int64(random.below(60)) })
      var new = old
      for key in touched {
        if random.below(3) == 0 { new.remove(key) } else if random.below(2) == 0 { new.insert(key) }
      }
      let (before, after) = (old.sorted(), new.sorted())
      let modified = touched.filter { _ in random.below(2) == 0 }
      let difference = Difference(
        touched: touched.sorted(), wasAt: { before.firstIndex(of: $0) },
        isAt: { after.firstIndex(of: $0) }, isModified: modified.contains)
      #expect(
        difference == Difference(from: before, to: after, isModified: modified.contains))
    }
  }
}

private func intPower(_ base: Int, _ exponent: Int) -> Int {
  (0..<exponent).reduce(1) { product, _ in product * base }
}
