#if Mutants
import CShims
import Dispatch
import Foundation
import Synchronization
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine

// The fourteenth set: what its wrong functions remember.

/// Which rows a question was answered from.
enum AnsweredFrom {
  private static let all = Mutex<[ObjectIdentifier: NodeRef]>([:])

  static func root(of state: ResultsState) -> NodeRef? {
    let id = ObjectIdentifier(state)
    return all.withLock { $0[id] }
  }

  static func note(_ root: NodeRef?, of state: ResultsState) {
    let id = ObjectIdentifier(state)
    all.withLock { $0[id] = root }
  }
}

/// Among which members a filter of a filter looks.
enum NarrowedTo {
  private struct Entry {
    weak var state: ResultsState?
    let keys: Set<Int64>
  }
  private static let all = Mutex<[ObjectIdentifier: Handed<Entry>]>([:])

  static func keys(of state: ResultsState) -> Set<Int64>? {
    let id = ObjectIdentifier(state)
    guard let entry = all.withLock({ $0[id] })?.value, entry.state === state else { return nil }
    return entry.keys
  }

  static func keep(_ keys: Set<Int64>, of state: ResultsState) {
    let (id, entry) = (ObjectIdentifier(state), Handed(Entry(state: state, keys: keys)))
    all.withLock { $0[id] = entry }
  }
}

/// What realms showed before the write that they are in.
enum ShownBefore {
  static let all = OfEachRealm<Snapshot>()

  static func note(_ session: Session, before write: WriteTransaction) {
    all.forget(session.tie)
    guard let root = session.root, !root.isWaiting, root.version < write.base.version,
      let shown = try? session.coordinator.snapshot(of: root, kind: .frozen)
    else { return }
    all.keep(shown, of: session)
  }

  /// The write has been cancelled.
  static func show(in session: Session) {
    guard !session.isInWrite, let shown = all.value(of: session) else { return }
    session.show(shown.root)
    all.forget(session.tie)
  }
}

/// What realms have migrated from.
enum MigratedFrom {
  static let all = OfEachRealm<Snapshot>()
}

/// How many objects the running write of a realm has added.
enum AddedOnes {
  private static let all = OfEachRealm<(write: VersionID, count: Int)>()

  /// Counts one more.
  static func count(in write: VersionID, of session: Session) -> Int {
    let known = all.value(of: session)
    let count = known?.write == write ? (known?.count ?? 0) + 1 : 1
    all.keep((write, count), of: session)
    return count
  }
}

/// When homes were rung.
enum Rings {
  private static let patience: UInt64 = 10_000_000
  private static let all = Mutex<[ObjectIdentifier: UInt64]>([:])

  /// Whether a home was rung just before; if not, it is now.
  static func isTooSoon(_ bell: Doorbell) -> Bool {
    let (id, now) = (ObjectIdentifier(bell), rb_uptime())
    return all.withLock { known in
      if let last = known[id], now &- last < patience { return true }
      known[id] = now
      return false
    }
  }
}

/// Files that are closed a second later.
enum Lingering {
  static func keep(_ file: Coordinator) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
      withExtendedLifetime(file) {}
    }
  }
}
#endif
