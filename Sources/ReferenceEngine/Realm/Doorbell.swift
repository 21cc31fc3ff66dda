import Synchronization

/// Tells a session that there may be news: rung by any thread, answered where the session is at
/// home.
///
/// Rings are coalesced: one answer looks at everything that came before it. It does not keep the
/// session.
final class Doorbell: Sendable {
  private let session: SessionTie
  private let scheduler: any Scheduler
  private let hasRung = Atomic(false)
  private let own = Atomic<UInt64>(0)

  init(of session: Session) {
    self.session = session.tie
    scheduler = session.scheduler
  }

  /// Somebody has committed.
  func ring(for version: VersionID) {
    if own.load(ordering: .relaxed) != version.number { ring() }
  }

  func ring() {
    guard !hasRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
    scheduler.run { [self] in
      hasRung.store(false, ordering: .releasing)
      session.session?.lookForNews()
    }
  }

  /// The session is about to commit a version itself: no news to it.
  func expect(_ version: VersionID) {
    own.store(version.number, ordering: .relaxed)
  }
}
