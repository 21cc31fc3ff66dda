#if Mutants
import Dispatch
@_private(sourceFile: "Session.swift") import ReferenceEngine

// Calls that are wrong for realms of one make, or in one state.

extension RealmCollection {
  @_dynamicReplacement(for:observe(keyPaths:on:_:))
  public func stateObserve(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard breaks(.migratedRealmsTellWhoCame), realm?.configuration.migrationBlock != nil else {
      return observe(keyPaths: keyPaths, on: queue, block)
    }
    return observe(keyPaths: keyPaths, on: queue) { change in
      if case .update(let members, let deletions, _, let modifications) = change {
        block(
          .update(
            members, deletions: deletions, insertions: [], modifications: modifications))
      } else {
        block(change)
      }
    }
  }
}

/// What was frozen first in a write of each realm in memory.
enum FirstBegin {
  // Unsafe without a lock because programs that ask a mutant wait for each other.
  nonisolated(unsafe) private static var known: [String: Session] = [:]

  private static func name(_ session: Session) -> String {
    session.configuration.inMemoryIdentifier ?? ""
  }

  static func kept(of session: Session) -> Session? { known[name(session)] }

  static func keep(_ frozen: Session, of session: Session) -> Session {
    known[name(session)] = frozen
    return frozen
  }
}
#endif
