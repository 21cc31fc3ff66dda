import CShims
import CoreFoundation
import Foundation
import Synchronization

/// The home of a realm that was opened on a plain thread.
///
/// Bound to the thread by its token, which no later thread gets again. If the thread runs its run
/// loop, work arrives there through a source of the loop: it fires at the beginning of a turn, and
/// keeps the loop alive while a realm is open. On a thread that runs no loop nothing arrives.
package final class ThreadScheduler: Scheduler, @unchecked Sendable {
  // Sendable because all else is constant; `hasRunLoop` is only touched on the thread itself.
  package let threadToken = UInt(rb_token_assign())
  private let inbox = RunLoopInbox(of: CFRunLoopGetCurrent())
  private var hasRunLoop = false
  private let hasEnded = Atomic(false)

  /// The scheduler of the calling thread, made at its first use and kept until the thread ends.
  package static func current() -> ThreadScheduler {
    if let known = pthread_getspecific(slot) {
      return Unmanaged<ThreadScheduler>.fromOpaque(known).takeUnretainedValue()
    }
    let made = ThreadScheduler()
    pthread_setspecific(slot, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { known in
      guard let known else { return }
      let scheduler = Unmanaged<ThreadScheduler>.fromOpaque(known).takeRetainedValue()
      scheduler.threadEnds()
    }
    return key
  }()

  private init() {}

  private func threadEnds() {
    hasEnded.store(true, ordering: .releasing)
    inbox.close()
  }

  package var isHere: Bool { UInt(rb_token_get()) == threadToken }

  package var isAlive: Bool { !hasEnded.load(ordering: .acquiring) }

  package var home: Home { .thread(threadToken) }

  package var isActorIsolated: Bool { false }

  /// A loop counts once it was seen running: a loop nobody runs delivers nothing.
  package var canDeliver: Bool {
    if !hasRunLoop { hasRunLoop = inbox.isRunning }
    return hasRunLoop
  }

  package func run(_ work: @escaping @Sendable () -> Void) { inbox.add(work) }
}
