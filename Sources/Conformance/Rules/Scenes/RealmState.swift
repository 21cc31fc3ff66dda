import EngineUnderTest
import Foundation
import Harness

/// What a realm has been through when something is asked of it, or is in the middle of.
enum RealmState: String, CaseIterable, Sendable {
  case asOpened = "as it was opened"
  case asked = "asked before"
  case resting = "with autorefresh off"
  case behind = "behind a commit of another realm"
  case refreshed = "refreshed"
  case beside = "beside a write of another realm"
  case inWrite = "in its write"
  case inEmptyWrite = "in a write that has changed nothing"
  case inBegunWrite = "in a write that has brought it to another's commit"
  case cancelled = "after a cancelled write"
  case thrown = "after a write that threw"
  case failed = "after a commit that failed"
  case committed = "after its commit"
  case sealed = "while its commit is on its way"
  case written = "after an asynchronous write"
  case dropped = "after an asynchronous write that was cancelled"
  case invalidated = "after invalidate()"
  case invalidatedInWrite = "after invalidate() in a write"
  case pinned = "beside many frozen versions"
  case reopened = "opened again"
  case frozen = "frozen"
  case frozenLate = "frozen, behind other commits"
  case thawed = "thawed"

  /// Of which turn the cargo is then, at first of turn 0.
  var turn: Int {
    switch self {
    case .refreshed, .inWrite, .inBegunWrite, .committed, .sealed, .written, .invalidated,
      .invalidatedInWrite, .pinned, .reopened:
      1
    default: 0
    }
  }

  var isFrozen: Bool { self == .frozen || self == .frozenLate }
  var isInWrite: Bool { [.inWrite, .inEmptyWrite, .inBegunWrite].contains(self) }
  /// Of which turn it is when that is over.
  var turnAfterwards: Int { isInWrite && self != .inBegunWrite ? 0 : turn }
  /// Whether the realm can be changed then, as it stands.
  var isLive: Bool { !isFrozen && self != .thawed }
  /// Whether what was fetched of the realm before can still be asked.
  var keeps: Bool {
    ![.asOpened, .invalidated, .invalidatedInWrite, .reopened, .thawed].contains(self) && !isFrozen
  }

  func isPossible(_ situation: Situation) -> Bool {
    switch self {
    case .asOpened, .asked, .resting, .frozen, .thawed: return true
    case .failed:
      let isFlushed = ![.memory, .unflushed].contains(situation.make)
      return situation.make.isWritable && isFlushed && situation.isRecorded
    case .sealed, .written, .dropped:
      return situation.make.isWritable && situation.place.hasLoop
    case .invalidated, .invalidatedInWrite:
      return situation.make.isWritable && Engine.offersReins
    default: return situation.make.isWritable
    }
  }

  /// Out of how many states a realm is brought into one: on the main thread of a file and in
  /// memory into each.
  static func share(_ situation: Situation) -> Int {
    let (make, place) = (situation.make, situation.place)
    let isUsual = make == .file || make == .memory || make == .readOnly
    return isUsual && place == .main ? 1 : isUsual ? 3 : 5
  }

  /// The states that a realm is brought into: others at each home, of each make and with each seed.
  static func due(_ situation: Situation) -> [RealmState] {
    let start =
      RealmMake.allCases.firstIndex(of: situation.make)!
      + RealmPlace.allCases.firstIndex(of: situation.place)!
    let share = share(situation)
    return allCases.enumerated()
      .filter { situation.stage.isDue($0.offset + start + 1, of: share) }.map(\.element)
      .filter { $0.isPossible(situation) }
  }
}

extension Situation {
  private struct Unwanted: Error {}

  /// Brings the realm into a state, asks, and brings it back.
  ///
  /// What is fetched is of before the state, and may be looked at in the middle of it; what is
  /// asked is asked at the realm's home, and what follows is done elsewhere, before the state ends.
  func pass(
    _ state: RealmState, fetching fetch: (Realm) throws -> Void = { _ in },
    meanwhile: () -> Void = {}, asking ask: (Realm) throws -> Void,
    following follow: () throws -> Void = {}
  ) throws {
    var kept: [Realm] = []
    try begin(state.keeps ? fetch : { _ in })
    let done = Latch("the end of what is asynchronous")
    try prelude(state)
    try work {
      switch state {
      case .asOpened, .asked, .behind, .beside, .reopened: break
      case .resting: realm.autorefresh = false
      case .refreshed: stage.equal(realm.refresh(), true, "the answer of refresh(), \(words)")
      case .inWrite:
        realm.beginWrite()
        cargo(1).put(into: realm)
      case .inEmptyWrite, .inBegunWrite: realm.beginWrite()
      case .cancelled:
        realm.beginWrite()
        cargo(1).put(into: realm)
        meanwhile()
        realm.cancelWrite()
      case .thrown:
        try? realm.write {
          cargo(1).put(into: realm)
          meanwhile()
          throw Unwanted()
        }
      case .failed: fail()
      case .committed: try realm.write { cargo(1).put(into: realm) }
      case .sealed:
        realm.beginWrite()
        cargo(1).put(into: realm)
        realm.commitAsyncWrite { _ in done.open() }
      case .written:
        realm.writeAsync({ self.cargo(1).put(into: self.realm) }, onComplete: { _ in done.open() })
      case .dropped:
        realm.beginAsyncWrite {
          self.cargo(1).put(into: self.realm)
          self.realm.cancelWrite()
          done.open()
        }
      case .invalidated: realm.invalidate()
      case .invalidatedInWrite:
        realm.beginWrite()
        realm.deleteAll()
        realm.invalidate()
      case .pinned:
        for number in 0..<12 {
          kept.append(realm.freeze())
          try realm.write { realm.vessel(0)?.number = number }
        }
        try realm.write { cargo(1).put(into: realm) }
      case .frozen, .frozenLate: kept = [realm.freeze()]
      case .thawed: kept = [realm.freeze().thaw()]
      }
    }
    if [.written, .dropped].contains(state) { try wait(for: done) }
    if state == .frozenLate {
      try foreign(turn: 1)
      try work {
        realm.refresh()
        try realm.write { cargo(2).put(into: realm) }
      }
    }
    if state == .invalidated || state == .invalidatedInWrite { try foreign(turn: 1) }
    try work { try ask(state.isFrozen || state == .thawed ? kept[0] : realm) }
    try follow()
    if state == .sealed { try wait(for: done) }
    if make.isWritable { foreignCancel() }
    try work {
      if realm.isInWriteTransaction { realm.cancelWrite() }
      kept = []
      if make.isWritable { realm.autorefresh = true }
    }
  }

  /// All of turn 0, and what is fetched of it.
  private func begin(_ fetch: (Realm) throws -> Void) throws {
    try work {
      if make.isWritable {
        realm.refresh()
        try realm.write { cargo(0).put(into: realm) }
      }
      try fetch(realm)
    }
    if make.isWritable { otherQueue.sync { _ = other!.refresh() } }
  }

  /// What others do before the realm does anything.
  private func prelude(_ state: RealmState) throws {
    switch state {
    case .behind, .refreshed, .inBegunWrite:
      try work {
        realm.autorefresh = false
        use(realm.objects(Vessel.self).count)
      }
      try foreign(turn: 1)
    case .beside: foreignBegin(turn: 1)
    case .asOpened:
      try close()
      try open()
    case .reopened:
      try close()
      try foreign(turn: 1)
      try open()
    default: break
    }
  }

  private func fail() {
    let hooks = Backstage.hooks
    hooks?.fail(.flushes, after: 0, times: 1)
    var failed = false
    do { try realm.write { cargo(1).put(into: realm) } } catch { failed = true }
    hooks?.fail(.flushes, after: 0, times: 0)
    stage.equal(failed, true, "whether a commit whose flush fails does, \(words)")
  }
}
