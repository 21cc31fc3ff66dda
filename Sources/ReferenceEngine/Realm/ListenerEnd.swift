import Foundation
import Synchronization

/// How a listener ends that may be ended anywhere.
struct ListenerEnd: ~Copyable, Sendable {
  /// The newest version when it was ended elsewhere.
  private let last = Atomic(UInt64.max)

  /// Where nobody is at home any more, listeners are ended by whoever lets go of them, one at a
  /// time. What goes with one may end another.
  static let orphans = NSRecursiveLock()

  /// Whether a listener that knows a version is told of nothing that came after it.
  func isReached(by version: VersionID) -> Bool {
    version.number >= last.load(ordering: .acquiring)
  }

  /// At home: nothing is delivered any more. Elsewhere: nothing that is committed from now on; what
  /// has been committed before is on its way, and arrives before the end does.
  ///
  /// - Parameter endHere: Ends it at home.
  func come(to session: Session, _ endHere: @escaping () -> Void) {
    if session.scheduler.isHere { return endHere() }
    if !session.scheduler.isAlive { return ListenerEnd.orphans.withLock(endHere) }
    last.store(session.coordinator.newestVersion.number, ordering: .releasing)
    let call = LastCall(endHere)
    session.scheduler.run { call.arrive() }
  }
}
