#if Mutants
import Synchronization
@_private(sourceFile: "Session.swift") import ReferenceEngine

/// Realms of which a wrong function has noted something for the next one.
enum Noted {
  private static let all = Mutex<Set<ObjectIdentifier>>([])

  static func note(_ session: Session) {
    let id = ObjectIdentifier(session)
    all.withLock { _ = $0.insert(id) }
  }

  /// Whether it was noted; it is no longer.
  static func take(_ session: Session) -> Bool {
    let id = ObjectIdentifier(session)
    return all.withLock { $0.remove(id) != nil }
  }

  static func has(_ session: Session) -> Bool {
    let id = ObjectIdentifier(session)
    return all.withLock { $0.contains(id) }
  }
}

/// Versions that nobody lets go.
enum KeptSnapshots {
  private static let all = Mutex<[Handed<Snapshot>]>([])

  static func keep(_ snapshot: Snapshot) {
    let snapshot = Handed(snapshot)
    all.withLock { $0.append(snapshot) }
  }
}
#endif
