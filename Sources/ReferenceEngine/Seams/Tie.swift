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

  private struct Address: @unchecked Sendable {
    // Sendable because only the runtime's count is touched through it, and only under the lock.
    let thing: Unmanaged<Thing>
  }

  /// The thing, unless it is gone or about to go.
  var thing: Thing? {
    known.withLock { known in
      guard let known, let kept = rb_try_retain(known.thing.toOpaque()) else { return nil }
      return Unmanaged<Thing>.fromOpaque(kept).takeRetainedValue()
    }
  }

  /// Whether the thing is there, or only about to go. Takes no reference, so nothing can end here.
  var isBound: Bool { known.withLock { $0 != nil } }

  func bind(_ thing: Thing) {
    known.withLock { $0 = Address(thing: .passUnretained(thing)) }
  }

  /// The thing's last act.
  func cut() { known.withLock { $0 = nil } }
}
