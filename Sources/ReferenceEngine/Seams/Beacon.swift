import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells other processes that a version has landed.
package protocol Beacon: AnyObject, Sendable {
  /// Whether listening takes a thread of the system's: then nobody listens before there is anybody
  /// who could be told.
  var takesThread: Bool { get }

  /// Called by the writer when a version has been published.
  func ring()

  /// Calls `body`, on a thread of the beacon's, after another process has rung; once for several
  /// rings if they come quickly. Until `stop` has been called as often as this.
  ///
  /// - Throws: if the system gives no thread for it; then nobody listens more than before.
  func listen(_ body: @escaping @Sendable () -> Void) throws

  /// Ends one `listen`. When the last one's end returns, `body` is not running and will not be
  /// called again (unless called by `body`).
  func stop()
}

extension Beacon {
  package var takesThread: Bool { false }
}

/// A word in the lock file that counts commits: listeners sleep on it, and nobody polls.
///
/// One thread waits for each file, and only while somebody listens. Each thread has its own word
/// that tells it to end, so that who comes while one ends gets another, and takes nothing back. The
/// one who rings looks first whether any other process listens, so that alone a commit pays no
/// system call.
final class FutexBeacon: Beacon, @unchecked Sendable {
  // Sendable because `state` guards what varies.
  private struct State {
    var listeners = 0
    var thread: Listening?
  }

  /// Makes a thread that runs a body; returns the system's refusal, or 0.
  typealias MakeThread = @Sendable (inout pthread_t, Listening) -> Int32

  private let lock: LockFile
  private let makeThread: MakeThread
  private let word: UnsafeMutablePointer<UInt32>
  private let listeners: UnsafeMutablePointer<UInt32>
  private let listening: UnsafeMutablePointer<UInt32>
  private let state = Mutex(State())

  init(lock: LockFile, makeThread: @escaping MakeThread = { $1.start(&$0) }) {
    self.lock = lock
    self.makeThread = makeThread
    word = lock.half(LockFile.beaconOffset)
    listeners = word + 1
    listening = lock.process(lock.place) + 2
  }

  var takesThread: Bool { true }

  func ring() {
    _ = rb_add32(word, 1)
    if rb_load32(listeners) > rb_load32(listening) { rb_futex_wake(word, Int32.max) }
  }

  func listen(_ body: @escaping @Sendable () -> Void) throws {
    try state.withLock { state in
      if state.thread == nil {
        // Before the word is read: what is rung from then on is heard. Counted first: who dies in
        // between is counted once too often, which costs a call, and not once too seldom, which
        // would leave another one deaf.
        _ = rb_add32(listeners, 1)
        lock.moments.reach(.listenerCounted)
        if rb_exchange32(listening, 1) != 0 { _ = rb_add32(listeners, UInt32.max) }
        // What has been rung before is not news.
        let made = Listening(to: word, of: self, seen: rb_load32(word), body)
        let code = makeThread(&made.thread, made)
        guard code == 0 else {
          endListening()
          throw StorageError.noThread(
            path: lock.path, reason: String(cString: strerror(code)))
        }
        state.thread = made
      }
      state.listeners += 1
    }
  }

  func stop() {
    let ended = state.withLock { state -> Listening? in
      guard state.listeners > 0 else { return nil }
      state.listeners -= 1
      guard state.listeners == 0 else { return nil }
      defer { state.thread = nil }
      endListening()
      state.thread?.end()
      return state.thread
    }
    guard let ended else { return }
    if pthread_equal(ended.thread, pthread_self()) != 0 {
      pthread_detach(ended.thread)
    } else {
      pthread_join(ended.thread, nil)
    }
  }

  private func endListening() {
    if rb_exchange32(listening, 0) != 0 { _ = rb_add32(listeners, UInt32.max) }
  }

  /// One thread that listens, from its beginning to its end.
  final class Listening: @unchecked Sendable {
    // Sendable because `thread` is written before anybody else knows of this, and all else is
    // constant or atomic.
    fileprivate(set) var thread = pthread_t()
    private let word: UnsafeMutablePointer<UInt32>
    /// Keeps the memory of the word.
    private let beacon: FutexBeacon
    private let seen: UInt32
    private let body: @Sendable () -> Void
    private let hasEnded = Atomic(false)

    fileprivate init(
      to word: UnsafeMutablePointer<UInt32>, of beacon: FutexBeacon, seen: UInt32,
      _ body: @escaping @Sendable () -> Void
    ) {
      (self.word, self.beacon, self.seen, self.body) = (word, beacon, seen, body)
    }

    /// Makes the thread; returns the system's refusal, or 0.
    func start(_ thread: inout pthread_t) -> Int32 {
      let opaque = Unmanaged.passRetained(self).toOpaque()
      let code = pthread_create(
        &thread, nil,
        { opaque in
          guard let opaque else { return nil }
          Unmanaged<Listening>.fromOpaque(opaque).takeRetainedValue().wait()
          return nil
        }, opaque)
      if code != 0 { Unmanaged<Listening>.fromOpaque(opaque).release() }
      return code
    }

    fileprivate func end() {
      hasEnded.store(true, ordering: .sequentiallyConsistent)
      // Moves the word, too: the thread may be on its way to sleep with the old value.
      _ = rb_add32(word, 1)
      rb_futex_wake(word, Int32.max)
    }

    private func wait() {
      var seen = seen
      while !hasEnded.load(ordering: .sequentiallyConsistent) {
        _ = rb_futex_wait(word, seen, -1)
        let now = rb_load32(word)
        if now != seen, !hasEnded.load(ordering: .sequentiallyConsistent) { body() }
        seen = now
      }
    }
  }
}
