import CShims
import Synchronization

/// A reference to a session that does not keep it alive; may be followed from any thread.
///
/// Instead of Swift's `weak`, whose first use gives its object a table at the side that every later
/// count goes through: each accessor counts its session, when it is made and when it goes, and
/// would pay 30 ns for that.
final class SessionTie: Sendable {
  /// Guards the memory, too: the session's end begins with waiting for this lock.
  private let known = Mutex<Address?>(nil)

  private struct Address: @unchecked Sendable {
    // Sendable because only the runtime's count is touched through it, and only under the lock.
    let session: Unmanaged<Session>
  }

  /// The session, unless it is gone or about to go.
  var session: Session? {
    known.withLock { known in
      guard let known, let kept = rb_try_retain(known.session.toOpaque()) else { return nil }
      return Unmanaged<Session>.fromOpaque(kept).takeRetainedValue()
    }
  }

  /// Whether the session is there, or only about to go. Takes no reference, so nothing can end
  /// here.
  var isBound: Bool { known.withLock { $0 != nil } }

  func bind(_ session: Session) {
    known.withLock { $0 = Address(session: .passUnretained(session)) }
  }

  /// The session's last act.
  func cut() { known.withLock { $0 = nil } }
}
