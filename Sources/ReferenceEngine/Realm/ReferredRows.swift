/// The rows that references name which were made in the writes of one session, or behind some that
/// are on their way to the disk.
///
/// No record tells what becomes of them: those tell of rows that were there before a commit, and a
/// write may delete a row that it has referred to, and give its key to another. So the end of the
/// write decides; and whether what was sealed is kept.
struct ReferredRows {
  struct One {
    let row: RememberedRow
    let table: BoundClass
    /// The session's state, and the number of its write, when the reference was made.
    let generation: UInt32
    let birth: UInt32
    /// The version that the write is based on.
    let base: VersionID

    func based(on base: VersionID) -> One {
      One(row: row, table: table, generation: generation, birth: birth, base: base)
    }
  }

  private(set) var running: [One] = []
  /// A write that is on its way to the disk.
  private struct Sealed {
    let write: UInt32
    /// The version that it is based on.
    let base: VersionID
    /// The references that were made in it, and behind it.
    var inside: [One]
    var behind: [One] = []
    /// Whether it is known to be lost, which its realm is still to be told: what is named since is
    /// of what there is.
    var isLost = false
  }
  /// Oldest first.
  private var sealed: [Sealed] = []
  /// The one that what is named now may be lost with.
  private var doubtful: Int? { sealed.indices.last.flatMap { sealed[$0].isLost ? nil : $0 } }

  /// Whether something is on its way to the disk, and may be lost.
  var areBehindSealed: Bool { !sealed.isEmpty }

  mutating func add(_ one: One) {
    one.row.leaveToItsRealm()
    running.append(one)
  }

  /// Between two writes: what is named may be of one that is lost yet.
  mutating func addBehind(_ one: @autoclosure () -> One) {
    guard let last = doubtful else { return }
    let one = one()
    one.row.leaveToItsRealm()
    sealed[last].behind.append(one)
  }

  /// The running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ write: UInt32, on base: VersionID) {
    sealed.append(Sealed(write: write, base: base, inside: running))
    running = []
  }

  /// The running write is committed, or has come to nothing, which was seen to: what is left is of
  /// the version that it was based on, which may be lost yet.
  mutating func end(isKept: Bool) {
    if isKept {
      for one in running { one.row.goAsForeseen() }
    } else if let last = doubtful {
      sealed[last].behind += running
    }
    running = []
  }

  /// Takes those of sealed writes, up to this one.
  ///
  /// - Returns: Those made in them, and those made behind them, and the version that the first of
  ///   the writes is based on: if all are lost, everything is as it was there.
  mutating func takeSealed(
    through write: UInt32
  ) -> (inside: [One], behind: [One], base: VersionID)? {
    guard let base = sealed.first?.base else { return nil }
    var (inside, behind): ([One], [One]) = ([], [])
    while let first = sealed.first, !first.write.isLater(than: write) {
      inside += first.inside
      behind += first.behind
      sealed.removeFirst()
    }
    return (inside, behind, base)
  }

  /// Nobody is at home any more: what becomes of them is for the process to see to.
  ///
  /// - Returns: The versions that they are of.
  mutating func leaveToAll() -> Set<VersionID> {
    let all = sealed.flatMap { $0.inside + $0.behind }
    sealed = []
    for one in all { one.row.leaveToItsRealm(false) }
    return Set(all.map(\.row.since))
  }

  /// Takes those of sealed writes, from this one on, which are lost together.
  ///
  /// - Returns: Them all, as of the version that the first of the writes is based on.
  mutating func takeLost(from write: UInt32) -> [One] {
    guard let first = sealed.firstIndex(where: { !write.isLater(than: $0.write) }) else {
      return []
    }
    var taken: [One] = []
    for index in first..<sealed.count {
      taken += sealed[index].inside + sealed[index].behind
      (sealed[index].inside, sealed[index].behind) = ([], [])
      sealed[index].isLost = true
    }
    return taken.map { $0.based(on: sealed[first].base) }
  }
}

extension Session {
  /// Notes that a reference names a row, if it is made in a write or behind one that may be lost.
  func noteReferred(_ row: RememberedRow, _ table: BoundClass) {
    func one(on base: VersionID) -> ReferredRows.One {
      ReferredRows.One(
        row: row, table: table, generation: generation, birth: writes.number, base: base)
    }
    if let write {
      referred.add(one(on: write.base.version))
    } else {
      referred.addBehind(one(on: row.since))
    }
  }

  /// The version that the running write is based on, if what is there now under a row's key was
  /// there already.
  func base(having row: RowLink) -> VersionID? {
    guard let write, let root, hasChangesInWrite, !departures.haveInWrite(row) else { return nil }
    let rows = Top(space: coordinator.space, ref: root.top).rows(row.table)
    return rows?.find(row.key) == nil ? nil : write.base.version
  }

  /// Whether the running write has deleted a row since it was referred to.
  func hasDeleted(_ row: RememberedRow, in write: WriteTransaction) -> Bool {
    if let one = referred.running.last(where: { $0.row === row }) { return hasDeleted(one) }
    return row.since < write.version
      && departures.haveInWrite(RowLink(table: row.table, key: row.key))
  }

  private func hasDeleted(_ one: ReferredRows.One) -> Bool {
    departures.have(one.row.key, of: one.table, after: one.generation)
  }

  /// The running write is about to be kept. Before it is: who sees it sees who has gone.
  func foreseeReferred() {
    guard let write else { return }
    for one in referred.running where hasDeleted(one) { one.row.foreseeEnd(in: write.version) }
  }

  /// The running write has come to nothing, which `writes` knows.
  func undoReferred() { undo(referred.running) }

  private func undo(_ all: [ReferredRows.One]) {
    for one in all {
      one.row.comeBack(to: one.base)
      coordinator.rememberedRows.readAgain(from: one.base)
      // What the write had added never was: not in versions before the one below it, either, which
      // some realm may show.
      if writes.haveTakenBack(one.row.key, of: one.table, since: one.birth) {
        one.row.markGone(in: VersionID(0))
      }
    }
  }

  /// Sealed writes, from this one on, are lost, which will be told later.
  func loseSealedReferred(from write: UInt32) { undo(referred.takeLost(from: write)) }

  /// Sealed writes, up to this one, are on the disk, or lost.
  func endSealedReferred(through write: UInt32, areLost: Bool) {
    guard let ended = referred.takeSealed(through: write) else { return }
    if areLost { return undo((ended.inside + ended.behind).map { $0.based(on: ended.base) }) }
    for one in ended.inside { one.row.goAsForeseen() }
  }
}
