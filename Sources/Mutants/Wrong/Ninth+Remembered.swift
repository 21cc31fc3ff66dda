#if Mutants
import CShims
import Dispatch
import Synchronization
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine

// What faults of the ninth set remember, and no engine would.

/// Realms that nobody lets go.
enum KeptRealms {
  private static let all = Mutex<[Handed<Session>]>([])

  static func keep(_ session: Session) {
    let session = Handed(session)
    all.withLock { $0.append(session) }
  }
}

/// The realms that are just committing something of a group.
enum LateNews {
  private static let committing = Mutex<Set<ObjectIdentifier>>([])

  static func begin(_ session: Session) {
    let id = ObjectIdentifier(session)
    committing.withLock { _ = $0.insert(id) }
  }

  static func end(_ session: Session) {
    let id = ObjectIdentifier(session)
    committing.withLock { _ = $0.remove(id) }
  }

  static func concern(_ session: Session) -> Bool {
    let id = ObjectIdentifier(session)
    return committing.withLock { $0.contains(id) }
  }
}

/// Where autorefresh was set, and how.
enum FormerSettings {
  private struct Place: Hashable {
    let path: String
    let home: Home
  }
  private static let all = Mutex<[Place: Bool]>([:])

  static func note(_ isOn: Bool, of session: Session) {
    let place = Place(path: session.configuration.path, home: session.scheduler.home)
    all.withLock { $0[place] = isOn }
  }

  static func wasOff(at key: SessionCache.Key) -> Bool {
    let place = Place(path: key.place.path, home: key.home)
    return all.withLock { $0[place] == false }
  }
}

/// Keys under which nobody was found; a tie is kept so that no other realm gets its address.
private struct Miss: Hashable {
  let realm: ObjectIdentifier
  let type: ObjectIdentifier
  let key: Int
  let write: UInt32
}
private let misses = Mutex<[Miss: SessionTie]>([:])

extension Session {
  private func miss(_ key: Int, _ type: ObjectBase.Type) -> Miss {
    Miss(
      realm: ObjectIdentifier(tie), type: ObjectIdentifier(type), key: key, write: writes.newest)
  }

  func isKnownToMiss(_ key: Int, in type: ObjectBase.Type) -> Bool {
    if isInWrite || isFrozen || !scheduler.isHere { return false }
    let miss = miss(key, type)
    return misses.withLock { $0[miss] != nil }
  }

  func remember(miss key: Int, in type: ObjectBase.Type) {
    if isInWrite || isFrozen { return }
    let (miss, tie) = (miss(key, type), tie)
    misses.withLock { $0[miss] = tie }
  }
}

/// Filters that had no first member, each in one write.
private final class Lack: @unchecked Sendable {
  // Sendable because the weak reference is set here alone.
  private(set) weak var state: ResultsState?
  let write: UInt32

  init(_ state: ResultsState, _ write: UInt32) { (self.state, self.write) = (state, write) }
}
private let lacks = Mutex<[Lack]>([])

extension ResultsState {
  var lacksFirst: Bool {
    let write = session.writes.newest
    return lacks.withLock { $0 }.contains { $0.state === self && $0.write == write }
  }

  func rememberLackOfFirst() {
    let lack = Lack(self, session.writes.newest)
    lacks.withLock { lacks in
      lacks.removeAll { $0.state == nil }
      lacks.append(lack)
    }
  }
}

/// Threads on which a queue's realm was found at home.
private struct Visit: Hashable {
  let realm: ObjectIdentifier
  let thread: UInt32
}
private let visits = Mutex<[Visit: SessionTie]>([:])

extension Session {
  /// Whether the thread is on the queue, or was once.
  var isOnFormerThreadOfQueue: Bool {
    guard !isFrozen, scheduler is QueueScheduler else { return false }
    let visit = Visit(realm: ObjectIdentifier(tie), thread: rb_thread_id())
    guard scheduler.isHere else { return visits.withLock { $0[visit] != nil } }
    let tie = tie
    visits.withLock { $0[visit] = tie }
    return true
  }

  private static let queues = Mutex<[QueueScheduler]>([])

  /// The queue that the code runs on, if somebody has opened a realm for it; notes a queue that a
  /// realm is opened for.
  static func knownQueue(for queue: DispatchQueue?) -> (any Scheduler)? {
    guard let queue else { return queues.withLock { $0 }.first(where: \.isHere) }
    if let made = schedulers.queue(queue) as? QueueScheduler, made.isHere {
      queues.withLock { queues in
        if !queues.contains(where: { $0.home == made.home }) { queues.append(made) }
      }
    }
    return nil
  }
}
#endif
