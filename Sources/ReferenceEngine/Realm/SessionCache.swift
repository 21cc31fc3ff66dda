import CShims
import Dispatch
import Foundation
import Synchronization

/// The sessions that are open, so that opening a realm again in the same place gives the same instance.
///
/// Weak: when the last reference to a realm and its objects is gone, the next opening starts on the newest version.
enum SessionCache {
  struct Key: Hashable {
    let place: String
    let home: Home
  }
  private struct WeakSession: @unchecked Sendable {
    // Sendable because only the reference is touched here, never what is in the session.
    weak var session: Session?
  }
  /// Guards the dictionary, held for its accesses only.
  private static let known = Mutex<[Key: WeakSession]>([:])

  static func find(_ key: Key) -> Session? {
    let key = keeps(.filesAreApart) ? key : Key(place: "", home: key.home)
    if !keeps(.opensForEachHome) { return sessions(of: key.place).first }
    return known.withLock { known in
      guard let session = known[key]?.session else { return nil }
      // A dead thread's or queue's name may be given again.
      return session.scheduler.isAlive ? session : nil
    }
  }

  static func add(_ session: Session, _ key: Key) {
    let key = keeps(.filesAreApart) ? key : Key(place: "", home: key.home)
    if !keeps(.cacheHoldsWeakly) { _ = Unmanaged.passRetained(session) }
    known.withLock { known in
      if known.count > 64 { known = known.filter { $0.value.session != nil } }
      known[key] = WeakSession(session: session)
    }
  }

  /// Whether anybody in the process has the file open.
  static func isOpen(_ place: String) -> Bool {
    known.withLock { known in
      known.contains { $0.key.place == place && $0.value.session != nil }
    }
  }

  /// The sessions of a file that are open, wherever they live.
  static func sessions(of place: String) -> [Session] {
    known.withLock { $0.filter { $0.key.place == place }.compactMap(\.value.session) }
  }

  // MARK: - The calling thread's default realm

  /// What `Realm()` gave last on this thread.
  private final class Last {
    weak var session: Session?
    var stamp = 0
  }
  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { last in
      if let last { Unmanaged<AnyObject>.fromOpaque(last).release() }
    }
    return key
  }()

  /// The session of the default configuration, if it is open on the calling thread.
  static func here() -> Session? {
    guard let raw = pthread_getspecific(slot) else { return nil }
    let last = Unmanaged<Last>.fromOpaque(raw).takeUnretainedValue()
    guard last.stamp == DefaultConfiguration.stamp.load(ordering: .acquiring),
      let session = last.session, session.scheduler.isHere
    else { return nil }
    return session
  }

  /// Notes that a session is what `Realm()` gives on this thread.
  static func remember(_ session: Session) {
    let last: Last
    if let raw = pthread_getspecific(slot) {
      last = Unmanaged<Last>.fromOpaque(raw).takeUnretainedValue()
    } else {
      last = Last()
      pthread_setspecific(slot, Unmanaged.passRetained(last).toOpaque())
    }
    last.session = session
    last.stamp = DefaultConfiguration.stamp.load(ordering: .acquiring)
  }
}

extension Session {
  /// Another session of the same file: of those that read, the one on the oldest version.
  var sibling: Session? {
    SessionCache.sessions(of: configuration.path).filter { $0 !== self && $0.root != nil }
      .min { $0.root!.version < $1.root!.version }
  }
}
