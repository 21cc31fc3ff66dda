/// How a sequence turned into another, in the positions that Realm reports.
///
/// 1. `deletions` and `modifications` are positions in the old sequence, `insertions` in the new
///    one.
/// 2. Each is ascending, and no position is both deleted and modified.
/// 3. Marking the modified, removing the deletions from the highest down and inserting in ascending
///    order gives the new sequence.
struct Difference: Equatable, Sendable {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Takes elements that seem to have stayed for others that came in their places: all that were at
  /// those positions have gone.
  mutating func replace(_ old: [Int], by new: [Int]) {
    if old.isEmpty { return }
    deletions = Set(deletions).union(old).sorted()
    insertions = Set(insertions).union(new).sorted()
    let gone = Set(old)
    modifications.removeAll(where: gone.contains)
  }
}

extension Difference {
  /// The difference of a sequence that is in the order of its keys, from the touched keys alone.
  ///
  /// What stays keeps its relative place, so keys nobody touched need no look; the cost is that of
  /// finding the positions of the touched ones.
  init(
    touched keys: some Sequence<Int64>, wasAt: (Int64) -> Int?, isAt: (Int64) -> Int?,
    isModified: (Int64) -> Bool
  ) {
    for key in keys {
      switch (wasAt(key), isAt(key)) {
      case (let old?, nil): deletions.append(old)
      case (nil, let new?): insertions.append(new)
      case (let old?, _?) where isModified(key):
        modifications.append(old)
      default: break
      }
    }
  }

  /// The difference of two sequences in the order of their keys: one pass over both.
  init(ascending old: [Int64], _ new: [Int64], isModified: (Int64) -> Bool) {
    var (was, now) = (0, 0)
    while was < old.count || now < new.count {
      if now == new.count || was < old.count && old[was] < new[now] {
        deletions.append(was)
        was += 1
      } else if was == old.count || new[now] < old[was] {
        insertions.append(now)
        now += 1
      } else {
        if isModified(old[was]) { modifications.append(was) }
        was += 1
        now += 1
      }
    }
  }

  /// The difference of two sequences in any order, where an element may occur more than once.
  ///
  /// The k-th occurrence of an element is taken for the same one before and after. Of those that
  /// occur in both, the longest run that kept its order stays; the rest moved, which is a deletion
  /// and an insertion. Of several that are as long, one with the fewest modified elements: who
  /// moved is rather who was changed. What both sequences begin and end with is passed over first,
  /// so that a change costs its own size.
  init<Element: Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>,
    isModified: (Element) -> Bool
  ) {
    let head = zip(old, new).prefix { $0 == $1 }.reduce(into: 0) { count, _ in count += 1 }
    let tailLimit = Swift.min(old.count, new.count) - head
    let tail = zip(old.reversed(), new.reversed()).prefix(tailLimit).prefix { $0 == $1 }
      .reduce(into: 0) { count, _ in count += 1 }
    let oldPart = Array(old.dropFirst(head).dropLast(tail))
    let newPart = Array(new.dropFirst(head).dropLast(tail))

    let pairs = Difference.pairs(oldPart, newPart)
    let stays = Difference.longestAscending(pairs, of: oldPart.count) { isModified(oldPart[$0]) }
    var keptOld = Set<Int>()
    var keptNew = Set<Int>()
    for index in stays {
      keptOld.insert(pairs[index].old)
      keptNew.insert(pairs[index].new)
    }
    deletions = oldPart.indices.filter { !keptOld.contains($0) }.map { $0 + head }
    insertions = newPart.indices.filter { !keptNew.contains($0) }.map { $0 + head }
    let moved = Set(deletions)
    for (position, element) in old.enumerated()
    where isModified(element) && !moved.contains(position) {
      modifications.append(position)
    }
  }

  /// Where each occurrence of the old sequence is in the new one, in the order of the new one.
  private static func pairs<Element: Hashable>(
    _ old: [Element], _ new: [Element]
  ) -> [(old: Int, new: Int)] {
    var places: [Element: [Int]] = [:]
    for (position, element) in old.enumerated().reversed() {
      places[element, default: []].append(position)
    }
    var pairs: [(old: Int, new: Int)] = []
    for (position, element) in new.enumerated() {
      if let place = places[element]?.popLast() { pairs.append((place, position)) }
    }
    return pairs
  }

  /// The indices of a longest part of the pairs whose old positions ascend, the one with the fewest
  /// modified elements if there are several.
  private static func longestAscending(
    _ pairs: [(old: Int, new: Int)], of count: Int, isModified: (Int) -> Bool
  ) -> [Int] {
    // Being longer is worth more than all that is unmodified.
    let (kept, unmodified) = (1 << 32, 1)
    // The best chain that ends below an old position: a Fenwick tree of greatest values.
    var best = [(worth: Int, pair: Int)](repeating: (0, -1), count: count + 1)
    var before = [Int](repeating: -1, count: pairs.count)
    var whole = (worth: 0, pair: -1)
    for (index, pair) in pairs.enumerated() {
      var chain = (worth: 0, pair: -1)
      var place = pair.old
      while place > 0 {
        if best[place].worth > chain.worth { chain = best[place] }
        place &= place - 1
      }
      before[index] = chain.pair
      chain = (chain.worth + kept + (isModified(pair.old) ? 0 : unmodified), index)
      place = pair.old + 1
      while place <= count {
        if best[place].worth < chain.worth { best[place] = chain }
        place += place & -place
      }
      if chain.worth > whole.worth { whole = chain }
    }
    var found: [Int] = []
    var next = whole.pair
    while next >= 0 {
      found.append(next)
      next = before[next]
    }
    return found.reversed()
  }
}
