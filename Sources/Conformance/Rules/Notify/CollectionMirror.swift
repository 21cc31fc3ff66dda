import EngineUnderTest

/// A copy of a collection that is kept up by its notifications alone, as a table on a screen is.
///
/// What it cannot reconcile it remembers: index sets that are not ascending, that reach beyond the
/// end, that name a row twice, that leave a changed row out or accuse an untouched one.
final class CollectionMirror {
  struct Row: Equatable, CustomStringConvertible {
    let id: Int
    let balance: Int
    var description: String { "\(id):\(balance)" }
  }

  private(set) var rows: [Row] = []
  private(set) var calls = 0
  private(set) var wrong: String?
  /// The accounts that were written to; nil if nobody kept count.
  var mayBeModified: Set<Int>?

  static func row(_ account: Account) -> Row { Row(id: account.id, balance: account.balance) }

  func take(_ change: RealmCollectionChange<Results<Account>>) {
    calls += 1
    switch change {
    case .initial(let all): rows = all.map(CollectionMirror.row)
    case .update(let all, let deletions, let insertions, let modifications):
      check(deletions, insertions, modifications)
      guard wrong == nil else { return }
      let now = Array(all.map(CollectionMirror.row))
      apply(deletions, insertions, modifications, becoming: now)
      rows = now
    case .error: wrong = "an error"
    }
  }

  private func check(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
    for list in [deletions, insertions, modifications] where list != Set(list).sorted() {
      wrong = "not ascending: \(list)"
    }
    if !Set(deletions).isDisjoint(with: modifications) {
      wrong = "deleted and modified: \(deletions) \(modifications)"
    }
    if let beyond = (deletions + modifications).first(where: { $0 >= rows.count }) {
      wrong = "deleted or modified \(beyond) of \(rows.count)"
    }
    if wrong == nil, let mayBeModified,
      let innocent = modifications.first(where: { !mayBeModified.contains(rows[$0].id) })
    {
      wrong = "modified \(rows[innocent]), which nobody wrote to"
    }
  }

  private func apply(
    _ deletions: [Int], _ insertions: [Int], _ modifications: [Int], becoming new: [Row]
  ) {
    let (gone, come, changed) = (Set(deletions), Set(insertions), Set(modifications))
    var left = rows.indices.lazy.filter { !gone.contains($0) }.makeIterator()
    var mirror: [Row?] = []
    // Each insertion is where it is to be, the others stay in their order around them.
    while mirror.count < rows.count - gone.count + come.count {
      if come.contains(mirror.count) {
        mirror.append(nil)
      } else if let old = left.next() {
        mirror.append(changed.contains(old) ? nil : rows[old])
      } else {
        wrong = "inserted beyond \(mirror.count): \(insertions.last ?? 0)"
        return
      }
    }
    if let last = insertions.last, last >= mirror.count {
      wrong = "inserted \(last) of \(mirror.count)"
      return
    }
    if mirror.count != new.count { wrong = "\(mirror.count) rows instead of \(new.count)" }
    for (index, (mine, theirs)) in zip(mirror, new).enumerated() {
      if let mine, mine != theirs { wrong = wrong ?? "\(mine) instead of \(theirs) at \(index)" }
    }
  }
}
