#if Mutants
import Dispatch
import Synchronization
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine

#if canImport(Glibc)
import Glibc
#endif

// The seventeenth set: what its wrong functions remember.

/// States of a realm that differ from the one before by a property that was set to nil.
enum NilSteps {
  /// Each with the one before.
  private static let all = OfEachRealm<[UInt32: UInt32]>()

  static func note(from before: UInt32, _ session: Session) {
    guard breaks(.nilIsAChange) else { return }
    var steps = all.value(of: session) ?? [:]
    steps[session.generation] = before
    all.keep(steps, of: session)
  }

  /// Takes what was found before for what is there now, if nothing else has happened.
  static func bridge(_ found: inout ResultsState.Found, _ session: Session) {
    guard breaks(.nilIsAChange), let steps = all.value(of: session) else { return }
    var state = session.generation
    while state != found.generation {
      guard let before = steps[state] else { return }
      state = before
    }
    found.generation = session.generation
  }
}

/// The last state of the write that a realm has cancelled.
enum CancelledContent {
  private static let all = OfEachRealm<UInt32>()

  static func note(_ state: UInt32, _ session: Session) {
    if breaks(.cancelledContentGoes) { all.keep(state, of: session) }
  }

  /// Whether something was found in that state.
  static func was(_ state: UInt32, in session: Session) -> Bool {
    breaks(.cancelledContentGoes) && all.value(of: session) == state
  }
}

/// The key that is looked for in a frozen map, by whichever thread.
enum SharedKey {
  private static let last = Mutex<StoredValue>(.null)

  static func put(_ key: StoredValue) {
    last.withLock { $0 = key }
    sched_yield()
  }

  static func get() -> StoredValue { last.withLock { $0 } }
}

/// The queues whose realms were let go of elsewhere.
enum LostQueues {
  private static let all = Mutex<Set<Home>>([])

  static func note(_ session: Session) {
    guard breaks(.droppedElsewhereIsOpenedAgain), case .queue = session.scheduler.home,
      !session.scheduler.isHere
    else { return }
    let home = session.scheduler.home
    all.withLock { _ = $0.insert(home) }
  }

  /// Throws if a realm is opened for one of them.
  static func verify(_ scheduler: any Scheduler) throws {
    let home = scheduler.home
    if all.withLock({ $0.contains(home) }) {
      throw Realm.Error(.fail, "The scheduler of the queue was destroyed.")
    }
  }
}

/// Realms one of whose listeners has asked for an invalidate while they committed.
enum TakenBack {
  static let all = OfEachRealm<Bool>()
}

/// The version that a realm committed last without telling one of its listeners.
enum SkippedCommits {
  static let all = OfEachRealm<VersionID>()
}

/// Whether the schema was written, and nobody has been told of a commit since.
enum NewClasses {
  private static let wereMade = Atomic(false)

  static func note() {
    if breaks(.newClassesAreNews) { wereMade.store(true, ordering: .relaxed) }
  }

  /// Whether the commit that is to be told of has made some.
  static func areNotTold() -> Bool { wereMade.exchange(false, ordering: .relaxed) }
}
#endif
