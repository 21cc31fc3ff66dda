import Synchronization

/// A variable that any thread may read: each gets the object or collection in a realm of its own,
/// as it is there or as the one who read the variable last has it, whichever is newer.
///
/// Always optional, because what it names may be deleted; once it is, the variable is nil.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private struct Target {
    var handover: Handover?
    /// Counts the assignments.
    var number = 0
  }
  private let target: Mutex<Target>

  public init(wrappedValue: T?) {
    target = Mutex(Target(handover: Self.handover(of: wrappedValue)))
  }

  /// The value for the calling thread.
  public var wrappedValue: T? {
    get {
      let (handover, number) = target.withLock { ($0.handover, $0.number) }
      guard let known = handover,
        let session = try? Session.openHere(known.configuration, of: known.origin.file)
      else { return nil }
      let value = known.found(in: session) as? T
      let isThere = value.map { !$0.isInvalidated } ?? false
      // That it is gone is something seen, too; but what a write deletes may come back.
      if isThere || !session.isInWrite { remember(session, number) }
      return isThere ? value : nil
    }
    set {
      let new = Self.handover(of: newValue)
      target.withLock {
        $0.handover = new
        $0.number += 1
      }
    }
  }

  /// Takes note of what a reader has seen: who reads next is not to see less.
  private func remember(_ session: Session, _ number: Int) {
    target.withLock { target in
      // Another thread may have assigned meanwhile.
      if target.number == number { target.handover?.follow(session) }
    }
  }

  private static func handover(of value: T?) -> Handover? {
    guard let value else { return nil }
    guard value.realm != nil else {
      refuse(.threadSafeNeedsManaged, at: .makeReference)
      return nil
    }
    return Handover(of: value).remembering(value)
  }
}
