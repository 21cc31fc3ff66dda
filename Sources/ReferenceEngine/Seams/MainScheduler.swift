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
package final class MainScheduler: Scheduler, @unchecked Sendable {
  // All stored properties are constants; CoreFoundation allows the calls made here from any thread.
  package static let shared = MainScheduler()

  private let loop: CFRunLoop = CFRunLoopGetMain()
  private var source: CFRunLoopSource!
  private var watch: CFRunLoopObserver!
  private let inbox = SchedulerInbox()
  private let mainQueue = UInt(bitPattern: rb_queue_main())
  private let executor = Executor(MainActor.sharedUnownedExecutor)

  private init() {
    let tie = Tie<MainScheduler>()
    source = runLoopSource(for: tie) { scheduler in scheduler.arrive() }
    watch = runLoopWatch(for: tie) { scheduler, activity in scheduler.note(activity) }
    // It is there for good.
    tie.bind(self)
    CFRunLoopAddSource(loop, source, kCFRunLoopCommonModes)
    CFRunLoopAddObserver(loop, watch, kCFRunLoopCommonModes)
  }

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
    if inbox.add(work) { knock() }
  }

  private func knock() {
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(loop)
    DispatchQueue.main.async { self.arrive() }
  }

  private func arrive() { inbox.drain() }

  // Of the main thread's loop: a block of the main queue lets no other one through.
  private func note(_ activity: RunLoopActivity) {
    switch activity {
    case .begins: if inbox.loopBegins() { CFRunLoopSourceSignal(source) }
    case .ends: inbox.loopEnds()
    }
  }
}
