#if Mutants
import CShims
import Synchronization
@_private(sourceFile: "PinTable.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine

// The nineteenth set: what its wrong functions remember.

/// The states of realms between which all was deleted.
enum EmptiedRealms {
  private static let all = OfEachRealm<(before: UInt32, after: UInt32)>()

  static func note(from before: UInt32, _ session: Session) {
    guard breaks(.emptiedRealmsAreCountedAnew) else { return }
    all.keep((before, session.generation), of: session)
  }

  /// Takes what was counted before for what is there now, if nothing else has happened.
  static func bridge(_ found: inout ResultsState.Found, _ session: Session) {
    guard breaks(.emptiedRealmsAreCountedAnew), !session.isFrozen,
      let states = all.value(of: session), found.generation == states.before,
      session.generation == states.after, let count = found.count ?? found.answer?.count
    else { return }
    found = ResultsState.Found()
    found.generation = states.after
    found.count = count
  }

  static func forget(_ tie: SessionTie) { all.forget(tie) }
}

/// Realms that have committed and were not refreshed since.
enum OwnCommits {
  private static let all = OfEachRealm<Bool>()

  static func note(_ session: Session) {
    if breaks(.ownCommitsAreNoNewsToRefresh) { all.keep(true, of: session) }
  }

  /// Whether the realm has committed since this was asked, and may be refreshed.
  static func take(_ session: Session) -> Bool {
    guard breaks(.ownCommitsAreNoNewsToRefresh), !session.isFrozen, session.scheduler.isHere,
      !session.isInWrite, session.listeners?.isTelling == false, all.value(of: session) == true
    else { return false }
    all.forget(session.tie)
    return true
  }

  static func forget(_ tie: SessionTie) { all.forget(tie) }
}

/// The schemas that realms have told.
enum ToldSchemas {
  private static let all = OfEachRealm<Schema>()

  /// The first one that a live realm has told.
  static func schema(of session: Session, _ right: Schema) -> Schema {
    guard breaks(.schemasFollowTheFile), !session.isFrozen, !session.isMigrating else {
      return right
    }
    if let known = all.value(of: session) { return known }
    all.keep(right, of: session)
    return right
  }

  static func forget(_ tie: SessionTie) { all.forget(tie) }
}

/// The first questions of frozen realms.
enum FirstQuestions {
  private struct Entry {
    weak var session: Session?
    let thread: UInt32
    let since: ContinuousClock.Instant
  }

  private static let all = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Whether another thread has just begun to ask a frozen realm, which nobody has asked before.
  static func areBeingAsked(elsewhereThanHere session: Session) -> Bool {
    guard breaks(.frozenRealmsAreSharedWhole), session.isFrozen else { return false }
    let thread = rb_thread_id()
    return all.withLock { all in
      if let entry = all[ObjectIdentifier(session)], entry.session === session {
        return entry.thread != thread && .now - entry.since < .milliseconds(2)
      }
      all[ObjectIdentifier(session)] = Entry(session: session, thread: thread, since: .now)
      return false
    }
  }
}

/// How long this process has made its files.
enum GrownHere {
  private static let all = Mutex<[String: UInt64]>([:])

  static func note(_ path: String, _ size: UInt64) {
    guard breaks(.recordsAreReadWithinTheFile) else { return }
    all.withLock { $0[path] = max($0[path] ?? 0, size) }
  }

  static func size(of path: String) -> UInt64 { all.withLock { $0[path] ?? 0 } }
}

/// The compactions that this process has made.
enum CompactionsMade {
  private struct Entry {
    let thread: UInt32
    let end: ContinuousClock.Instant
  }

  private static let all = Mutex<[String: Entry]>([:])

  static func note(_ path: String) {
    guard breaks(.openersAwaitTheCompaction) else { return }
    all.withLock { $0[path] = Entry(thread: rb_thread_id(), end: .now) }
  }

  /// Throws if another thread has compacted a file since somebody began to open it.
  static func verify(_ file: Coordinator, since begin: ContinuousClock.Instant) throws {
    guard breaks(.openersAwaitTheCompaction),
      let entry = all.withLock({ $0[file.path] }), entry.thread != rb_thread_id(),
      entry.end > begin
    else { return }
    throw StorageError.damaged(path: file.path, reason: "it became another one while it was opened")
  }
}

/// How often the dead were cleared when places of readers were last taken here.
enum SeenClearings {
  private struct Entry {
    weak var table: PinTable?
    let count: UInt32
  }

  private static let all = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Throws if the dead were cleared since.
  static func verify(_ table: PinTable) throws {
    guard breaks(.clearingTheDeadRefusesNobody) else { return }
    let count = rb_load32(table.lock.half(LockFile.clearingsOffset))
    let before = all.withLock { all -> UInt32 in
      let entry = all[ObjectIdentifier(table)]
      all[ObjectIdentifier(table)] = Entry(table: table, count: count)
      return entry?.table === table ? entry?.count ?? count : count
    }
    if before != count { throw StorageError.tooManyReaders(path: table.lock.path) }
  }
}

extension PinTable {
  /// Stops where there are more places than when this process made the list longer itself.
  func stopBehind(_ count: Int) {
    guard breaks(.longerListsOfReadersAreRead), count > spare.withLock({ $0.allocated }) else {
      return
    }
    refuse(.damaged(lock.path, at: UInt64(count), "is not in the list of readers"))
  }
}

extension SessionTie {
  /// Forgets what the nineteenth set remembers of a realm that ends.
  func forgetNineteenth() {
    EmptiedRealms.forget(self)
    OwnCommits.forget(self)
    ToldSchemas.forget(self)
  }
}
#endif
