import EngineUnderTest

/// Listens to a list, a set or results, with a copy that follows what it is told and nothing else.
final class MembersMirror<C: RealmCollection & SendableMetatype>: Mirror
where C.Element: Worthy {
  private let name: String
  /// On another actor it is the copy that is told there.
  private var collection: C
  private let keyPaths: [String]?
  private(set) var token: NotificationToken?
  private var copy: [Worth]?
  /// Who was told to have come, gone, moved or changed.
  private var told: Set<Worth> = []
  private var modified: Set<Worth> = []
  private var base: WideState
  private var wrong: String?
  private var isSkipped = false

  init(_ name: String, _ collection: C, _ keyPaths: [String]?, _ state: WideState) {
    (self.name, self.collection, self.keyPaths, base) = (name, collection, keyPaths, state)
  }

  func listen() {
    token = collection.observe(keyPaths: keyPaths) { [unowned self] change in take(change) }
  }

  func listen(on actor: Keeper, isolation: isolated (any Actor)?) async {
    let mirror = Smuggling(self)
    token = await collection.observe(keyPaths: keyPaths, on: actor, _isolation: isolation) {
      actor, change in
      actor.assertIsolated()
      mirror.value.takeCopy(change)
    }
  }

  private func takeCopy(_ change: RealmCollectionChange<C>) {
    if case .initial(let all) = change { collection = all }
    take(change)
  }

  var hasBegun: Bool { copy != nil }

  func skip(_ state: WideState) {
    if copy != nil { copy = collection.isInvalidated ? [] : collection.map(\.worth) }
    base = state
    isSkipped = true
  }

  func end() {
    token?.invalidate()
    token = nil
  }

  private func take(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let all):
      if copy != nil { complain("was told twice that it begins") }
      copy = all.map(\.worth)
    case .update(let all, let deletions, let insertions, let modifications):
      let now = all.isInvalidated ? [] : all.map(\.worth)
      follow(now, deletions, insertions, modifications)
      copy = now
    case .error(let error): complain("was told of \(error)")
    }
  }

  private func complain(_ words: String) { wrong = wrong ?? "\(name) \(words)" }

  private func follow(
    _ now: [Worth], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]
  ) {
    guard let copy else { return complain("was told of a change before the beginning") }
    let (gone, come, changed) = (Set(deletions), Set(insertions), Set(modifications))
    if [deletions, insertions, modifications] != [gone.sorted(), come.sorted(), changed.sorted()] {
      return complain("was told positions that do not ascend")
    }
    if !gone.isDisjoint(with: changed) { return complain("was told of deleted ones as modified") }
    if max(deletions.last ?? -1, modifications.last ?? -1) >= copy.count {
      return complain("was told of a position beyond the \(copy.count) that there were")
    }
    let stayed = copy.indices.filter { !gone.contains($0) }
    guard stayed.count + come.count == now.count, insertions.last ?? -1 < now.count else {
      return complain("was told that \(stayed.count) stayed and \(come.count) came of \(now.count)")
    }
    for (was, place) in zip(stayed, now.indices.filter { !come.contains($0) }) {
      let isSame = copy[was] == now[place] || (changed.contains(was) && !copy[was].isRow)
      if !isSame {
        return complain("has \(now[place].words) in the place of \(copy[was].words), untold")
      }
    }
    told.formUnion(gone.map { copy[$0] } + come.map { now[$0] } + changed.map { copy[$0] })
    modified.formUnion(changed.map { copy[$0] })
  }

  func complaint(_ finder: Finder, _ touched: Touched) -> String? {
    if let wrong { return wrong }
    guard let copy else { return nil }
    defer { (base, told, modified) = (finder.state, [], []) }
    if isSkipped {
      isSkipped = false
      if !told.isEmpty { return "\(name) was told of a write that it was not to be told of" }
    }
    if collection.isInvalidated {
      return copy.isEmpty ? nil : "\(name) was not told that all went"
    }
    let now = collection.map(\.worth)
    if copy != now {
      return "\(name) was told of \(copy.prefix(16).map(\.words)), and not of "
        + "\(now.prefix(16).map(\.words))"
    }
    for worth in now {
      guard case .row(let birth) = worth, !told.contains(worth) else { continue }
      if let change = Reach.change(of: birth, from: base, to: finder.state, keyPaths) {
        return "\(name) was not told that of \(worth.words) \(change)"
      }
    }
    if touched.since.count > 60 { return nil }
    for case .row(let birth) in modified
    where !Reach.mayChange(birth, base, touched) && !Reach.mayChange(birth, finder.state, touched) {
      return "\(name) was told of a change of row \(birth), which nobody has changed"
    }
    return nil
  }
}

extension Worth {
  var isRow: Bool { if case .row = self { true } else { false } }
}
