import CShims
import Foundation
import Synchronization

/// The sessions that are open, so that opening a realm again in the same place gives the same
/// instance.
///
/// It keeps none of them: when the last reference to a realm and its objects is gone, the next
/// opening starts on the newest version.
enum SessionCache {
  struct Key {
    let place: PathKey
    let home: Home

    init(place: String, home: Home) { (self.place, self.home) = (PathKey(place), home) }
  }

  private struct Known {
    var places = ByPath<ByHome<SessionTie>>()
    var count = 0
    var clearing = Clearing()

    mutating func add(_ session: SessionTie, _ key: Key) {
      if clearing.isDue(count) {
        places.keep {
          $0.keep { $0.isBound }
          return !$0.isEmpty
        }
        count = places.all.reduce(0) { $0 + $1.value.count }
        clearing.leaves(count)
      }
      count += 1
      places.change(key.place, orElse: ByHome()) { $0[key.home] = session }
    }
  }
  /// Guards what is known, held for its accesses only.
  private static let known = Mutex(Known())

  static func find(_ key: Key) -> Session? {
    // Followed outside the lock, as are all below: the reference may turn out to be the last one.
    guard let session = known.withLock({ $0.places[key.place]?[key.home] })?.session else {
      return nil
    }
    // A dead thread's or queue's name may be given again.
    return session.scheduler.isAlive && session.coordinator.isOfThisProcess ? session : nil
  }

  static func add(_ session: Session, _ key: Key) {
    known.withLock { $0.add(session.tie, key) }
  }

  /// Whether anybody in the process has the file open.
  static func isOpen(_ place: String) -> Bool {
    known.withLock { $0.places[PathKey(place)]?.values.contains { $0.isBound } ?? false }
  }

  /// The sessions of a file that are open, wherever they live.
  static func sessions(of place: String) -> [Session] {
    known.withLock { $0.places[PathKey(place)]?.values ?? [] }.compactMap(\.session)
  }

  // MARK: - What the calling thread opened last

  /// A thread asks for the same realms again and again; these answers need no lock and make no key.
  private final class Last {
    /// What `Realm()` gave, and for which default configuration.
    var standard: SessionTie?
    var stamp = 0
    /// What `Realm(configuration:)` gave.
    var named: SessionTie?
  }
  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { last in
      if let last { Unmanaged<AnyObject>.fromOpaque(last).release() }
      SessionCache.threadEnds()
    }
    return key
  }()

  /// The calling thread ends: what is at home on it has no home from now on.
  private static func threadEnds() {
    let home = Home.thread(UInt(rb_token_get()))
    let ties = known.withLock { known in
      known.places.all.compactMap { place, sessions -> SessionTie? in
        guard let tie = sessions[home] else { return nil }
        known.places[place]?[home] = nil
        return tie
      }
    }
    for tie in ties { tie.session?.homeEnds() }
  }

  private static var last: Last? {
    pthread_getspecific(slot).map { Unmanaged<Last>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func makeLast() -> Last {
    if let last { return last }
    let made = Last()
    pthread_setspecific(slot, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// The session of the default configuration, if it is open on the calling thread.
  static func here() -> Session? {
    guard let last, last.stamp == DefaultConfiguration.stamp.load(ordering: .acquiring),
      let session = last.standard?.session,
      // A thread may be home to two: its own realms and, while it runs the main queue, those.
      session.scheduler === session.coordinator.seams.schedulers.here(),
      session.coordinator.isOfThisProcess
    else { return nil }
    return session
  }

  /// The session of a configuration, if it is the one that the calling thread asked for last.
  static func here(_ configuration: Realm.Configuration) -> Session? {
    guard let session = last?.named?.session,
      PathKey(session.configuration.path) == PathKey(configuration.path),
      configuration.cache, session.configuration.readOnly == configuration.readOnly,
      session.configuration.hasSameClasses(as: configuration), configuration.encryptionKey == nil,
      // As above.
      session.scheduler === session.coordinator.seams.schedulers.here(),
      session.coordinator.isOfThisProcess
    else { return nil }
    return session
  }

  /// Notes that a session is what `Realm()` gives on this thread.
  static func remember(standard session: Session) {
    let last = makeLast()
    last.standard = session.tie
    last.stamp = DefaultConfiguration.stamp.load(ordering: .acquiring)
  }

  /// Notes that a session is what its configuration gives on this thread.
  static func remember(_ session: Session) {
    if session.configuration.cache { makeLast().named = session.tie }
  }
}
