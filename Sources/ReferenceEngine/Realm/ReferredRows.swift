/// The rows that references name which were made in the writes of one session.
///
/// No record tells what becomes of them: those tell of rows that were there before a commit, and a
/// write may delete a row that it has referred to, and give its key to another. So the end of the
/// write decides.
struct ReferredRows {
  struct One {
    let row: RememberedRow
    let table: BoundClass
    /// The session's state, and the number of its write, when the reference was made.
    let generation: UInt32
    let birth: UInt32
    /// The version that the write is based on.
    let base: VersionID
  }

  private(set) var running: [One] = []
  /// Of sealed writes that are on their way to the disk, oldest first.
  private var sealed: [(write: UInt32, all: [One])] = []

  mutating func add(_ one: One) { running.append(one) }

  /// The running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ write: UInt32) {
    if running.isEmpty { return }
    sealed.append((write, running))
    running = []
  }

  /// The running write is committed, or has come to nothing, which was seen to.
  mutating func end(isKept: Bool) {
    if isKept { for one in running { one.row.goAsForeseen(in: one.base.next) } }
    running = []
  }

  /// Takes those of sealed writes, up to this one.
  mutating func takeSealed(through write: UInt32) -> [One] {
    var all: [One] = []
    while let first = sealed.first, !first.write.isLater(than: write) {
      all += first.all
      sealed.removeFirst()
    }
    return all
  }
}

extension Session {
  /// Notes that a reference names a row, if it is made in a write.
  func noteReferred(_ row: RememberedRow, _ table: BoundClass) {
    guard let write else { return }
    referred.add(
      ReferredRows.One(
        row: row, table: table, generation: generation, birth: writes.number,
        base: write.base.version))
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
    for one in referred.running where hasDeleted(one) { one.row.foreseeEnd() }
  }

  /// The running write has come to nothing, which `writes` knows.
  func undoReferred() { undo(referred.running) }

  private func undo(_ all: [ReferredRows.One]) {
    for one in all {
      one.row.comeBack(to: one.base)
      coordinator.rememberedRows.readAgain(from: one.base)
      // What the write had added never was.
      if writes.haveTakenBack(one.row.key, of: one.table, since: one.birth) {
        one.row.markGone(in: one.base)
      }
    }
  }

  /// Sealed writes, up to this one, are on the disk, or lost.
  func endSealedReferred(through write: UInt32, areLost: Bool) {
    let all = referred.takeSealed(through: write)
    if areLost { return undo(all) }
    for one in all { one.row.goAsForeseen(in: one.base.next) }
  }
}
