import CShims
import Dispatch

/// Where a realm lives: a thread, with or without a run loop, a serial queue or an actor.
///
/// Everything a realm must know about its home is here: *am I there?* asked at every access, and
/// *run this there*, by which news, autorefresh and completions arrive. Every kind of scheduler
/// promises:
///
/// 1. `isHere` is true exactly for code that may use the realm, and answers without side effects.
/// 2. Work given to `run` runs there, once, in the order given, never inside the call.
/// 3. A scheduler that lost its home (a thread that ended, an actor that is gone) never says
///    `isHere` again.
package protocol Scheduler: AnyObject, Sendable {
  /// The token of the one thread that is always at home, or a number that no thread has if only
  /// `isHere` can tell.
  ///
  /// Lets an access compare two words before it has to ask. Not 0: that is the token of threads
  /// without one.
  var threadToken: UInt { get }

  /// Whether the calling code runs where the realm lives.
  var isHere: Bool { get }

  /// By what the home can be told without asking; none where only `isHere` knows.
  var sign: HomeSign { get }

  /// Whether `run` will ever run anything: false on a thread that runs no loop.
  ///
  /// Asked at home only.
  var canDeliver: Bool { get }

  /// Names the home for the cache of open realms. A name may be used again after `isAlive` turned
  /// false.
  var home: Home { get }

  /// Whether the home still exists; a cached realm of a dead home is not handed out.
  var isAlive: Bool { get }

  /// Runs work at home, later, after all work given before.
  func run(_ work: @escaping @Sendable () -> Void)

  /// Runs work at home before it returns, and on the thread that asks if the home has none of its
  /// own; after all work given before.
  ///
  /// Not for whoever holds what the home may wait for.
  ///
  /// - Returns: false if the home cannot be visited, or is not to be waited for now; then nothing
  ///   has run.
  func visit(_ work: () -> Void) -> Bool

  /// Whether a task may await things here: the main thread and actors, see `asyncWrite`.
  var isActorIsolated: Bool { get }

  /// What work that is pending elsewhere has to keep, so that there is a home to come back to.
  var anchor: AnyObject? { get }
}

extension Scheduler {
  package var anchor: AnyObject? { nil }

  package func visit(_ work: () -> Void) -> Bool { false }

  package var sign: HomeSign { .none }
}

/// What tells a home at every access: of a serial queue or of an actor with the runtime's own
/// executor.
///
/// It may fail to tell (a queue that targets the home, say); then the scheduler is asked.
@usableFromInline
package struct HomeSign: Sendable {
  /// The kind stands in the lowest two bits, which no address of an object uses: so all that a
  /// session's accesses compare lies in one line of memory.
  private enum Kind: UInt { case none, queue, actor }
  private let word: UInt

  private init(_ kind: Kind, _ address: UInt) {
    invariant(address & 3 == 0, "a home at \(address), which is no object's address")
    word = address | kind.rawValue
  }

  static let none = HomeSign(.none, 0)
  static func queue(_ address: UInt) -> HomeSign { HomeSign(.queue, address) }
  static func actor(_ identity: UInt) -> HomeSign { HomeSign(.actor, identity) }

  /// Whether the code certainly runs at home.
  @inline(__always)
  var isHere: Bool {
    let address = word & ~3
    return switch word & 3 {
    case Kind.queue.rawValue: UInt(bitPattern: rb_queue_current()) == address
    case Kind.actor.rawValue: rb_executor_is_current(UnsafeRawPointer(bitPattern: address), 0)
    default: false
    }
  }
}

/// The name of a scheduler's home; equal names of living homes mean the same home.
package enum Home: Hashable, Sendable {
  case thread(UInt)
  case main
  case queue(UInt)
  case actor(UInt)
  /// Frozen realms are at home everywhere.
  case everywhere
}

/// Finds the scheduler of the calling code, of a queue or of an actor.
package protocol Schedulers: Sendable {
  /// The main scheduler on the main thread and the main queue, else that of the calling thread.
  func here() -> any Scheduler

  /// The scheduler of a serial queue, or nil for a concurrent one, where no realm can live.
  func queue(_ queue: DispatchQueue) -> (any Scheduler)?

  /// The scheduler of an actor; the main one for the main actor.
  func actor(_ actor: any Actor) -> any Scheduler

  /// Somebody who does for a home what it may not wait for.
  func errands(_ name: String) -> any Errands
}

extension Schedulers {
  package func errands(_ name: String) -> any Errands {
    // Serial queues get threads of their own; of the threads that concurrent queues share, a few
    // that wait for the gate would leave none for the flush that opens it.
    QueueErrands(name)
  }
}

/// Does work on another thread: piece by piece, in the order given.
package protocol Errands: Sendable {
  func run(_ work: @escaping @Sendable () -> Void)

  /// Does work after a number of milliseconds, or never where no time passes. It is not held up by
  /// what was given to `run`, which may wait for the gate until this work lets it in.
  func run(after milliseconds: Int, _ work: @escaping @Sendable () -> Void)

  /// Something will be given to `run` in some microseconds: the thread may get up for it meanwhile.
  func prepare()
}

extension Errands {
  package func prepare() {}
}
