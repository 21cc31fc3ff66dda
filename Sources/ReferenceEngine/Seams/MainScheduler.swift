import CShims
import CoreFoundation
import Dispatch

/// The home that the main thread, the main queue and the main actor share.
///
/// They are one place although the main queue may leave the main thread (it does under
/// `dispatchMain`): code is here if it runs on the main thread, in a block of the main queue or on
/// the main actor's executor. Work is announced to the run loop *and* to the queue, because either
/// may be the one that runs, and a block of the main queue that turns the loop lets only the loop's
/// sources through.
package final class MainScheduler: Scheduler, Sendable {
  package static let shared = MainScheduler()

  /// There for good. A block of the main queue that turns a loop lets no other one through.
  private let inbox = RunLoopInbox(of: CFRunLoopGetMain())
  private let mainQueue = UInt(bitPattern: rb_queue_main())
  private let executor = Executor(MainActor.sharedUnownedExecutor)

  private init() {}

  /// The main thread's token, if asked for there.
  package var threadToken: UInt {
    rb_thread_is_main() ? UInt(rb_token_assign()) : .max
  }

  package var isHere: Bool {
    rb_thread_is_main() || UInt(bitPattern: rb_queue_current()) == mainQueue || executor.isCurrent
  }

  /// Whether code runs here as seen without a task: what decides where `Realm()` lives.
  var isHereByThread: Bool {
    rb_thread_is_main() || UInt(bitPattern: rb_queue_current()) == mainQueue
  }

  package var canDeliver: Bool { true }
  package var isAlive: Bool { true }
  package var home: Home { .main }
  package var isActorIsolated: Bool { true }

  package func run(_ work: @escaping @Sendable () -> Void) {
    if inbox.add(work) { DispatchQueue.main.async { self.inbox.arrive() } }
  }
}
