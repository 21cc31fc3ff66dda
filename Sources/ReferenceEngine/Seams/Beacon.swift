import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells other processes that a version has landed.
package protocol Beacon: AnyObject, Sendable {
  /// Called by the writer when a version has been published.
  func ring()

  /// Calls `body`, on a thread of the beacon's, after another process has rung; once for several rings if they come
  /// quickly. Until `stop`.
  func listen(_ body: @escaping @Sendable () -> Void)

  /// Ends listening; when it returns, `body` is not running and will not be called again (unless called by `body`).
  func stop()
}

/// A word in the lock file that counts commits: listeners sleep on it, and nobody polls.
///
/// One thread waits for each file, and only while somebody listens. The one who rings looks first whether any other
/// process does, so that alone a commit pays no system call.
final class FutexBeacon: Beacon, @unchecked Sendable {
  // Sendable because `state` guards what varies.
  private struct State {
    var thread: pthread_t?
  }

  private let lock: LockFile
  private let word: UnsafeMutablePointer<UInt32>
  private let listeners: UnsafeMutablePointer<UInt32>
  private let state = Mutex(State())
  private let listening: UnsafeMutablePointer<UInt32>
  private let stopping: UnsafeMutablePointer<UInt32>

  init(lock: LockFile) {
    self.lock = lock
    word = lock.half(LockFile.beaconOffset)
    listeners = word + 1
    listening = lock.process(lock.place) + 2
    stopping = .allocate(capacity: 1)
    stopping.initialize(to: 0)
  }

  deinit { stopping.deallocate() }

  func ring() {
    _ = rb_add32(word, 1)
    if rb_load32(listeners) > rb_load32(listening) { rb_futex_wake(word, Int32.max) }
  }

  func listen(_ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard state.thread == nil else { return }
      rb_store32(listening, 1)
      _ = rb_add32(listeners, 1)
      rb_store32(stopping, 0)
      // What has been rung before is not news.
      let context = Listening(beacon: self, seen: rb_load32(word), body: body)
      var thread = pthread_t()
      let opaque = Unmanaged.passRetained(context).toOpaque()
      let code = pthread_create(
        &thread, nil,
        { opaque in
          guard let opaque else { return nil }
          let context = Unmanaged<Listening>.fromOpaque(opaque).takeRetainedValue()
          context.beacon.wait(seen: context.seen, context.body)
          return nil
        }, opaque)
      invariant(code == 0, "no thread could be made to listen to other processes: error \(code)")
      state.thread = thread
    }
  }

  func stop() {
    let thread = state.withLock { state -> pthread_t? in
      guard let thread = state.thread else { return nil }
      state.thread = nil
      rb_store32(stopping, 1)
      if rb_exchange32(listening, 0) != 0 { _ = rb_add32(listeners, UInt32.max) }
      // Moves the word, too: our thread may be on its way to sleep with the old value.
      _ = rb_add32(word, 1)
      rb_futex_wake(word, Int32.max)
      return thread
    }
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  private func wait(seen first: UInt32, _ body: () -> Void) {
    var seen = first
    while rb_load32(stopping) == 0 {
      _ = rb_futex_wait(word, seen, -1)
      let now = rb_load32(word)
      if now != seen, rb_load32(stopping) == 0 { body() }
      seen = now
    }
  }

  private final class Listening: Sendable {
    let beacon: FutexBeacon
    let seen: UInt32
    let body: @Sendable () -> Void

    init(beacon: FutexBeacon, seen: UInt32, body: @escaping @Sendable () -> Void) {
      self.beacon = beacon
      self.seen = seen
      self.body = body
    }
  }
}
