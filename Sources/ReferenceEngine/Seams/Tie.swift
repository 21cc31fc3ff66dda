import CShims
import Synchronization

/// A reference to a thing that does not keep it alive; may be followed from any thread.
///
/// Instead of Swift's `weak`, whose first use gives its object a table at the side that every later
/// count goes through: each accessor counts its session, and each session its file, when it is made
/// and when it goes, and would pay 30 ns for that.
final class Tie<Thing: AnyObject & Sendable>: Sendable {
  /// Guards the memory, too: the thing's end begins with waiting for this lock.
  private let known = Mutex<Address?>(nil)

  /// The thing, unless it is gone or about to go.
  var thing: Thing? {
    known.withLock { known in
      guard let known, let kept = rb_try_retain(known.thing) else { return nil }
      return Unmanaged<Thing>.fromOpaque(kept).takeRetainedValue()
    }
  }

  /// Whether the thing is there, or only about to go. Takes no reference, so nothing can end here.
  var isBound: Bool { known.withLock { $0 != nil } }

  func bind(_ thing: Thing) {
    known.withLock { $0 = Address(thing: Unmanaged.passUnretained(thing).toOpaque()) }
  }

  /// The thing's last act.
  func cut() { known.withLock { $0 = nil } }
}

/// Where a thing lies. Of one type for all of them: the runtime would look up the layout of a
/// generic one whenever a tie goes, which was a tenth of freezing and letting go.
private struct Address: @unchecked Sendable {
  // Sendable because only the runtime's count is touched through it, and only under the lock.
  let thing: UnsafeMutableRawPointer
}
