import Synchronization

/// A variable that any thread may read: each gets the object or collection in a realm of its own.
///
/// Always optional, because what it names may be deleted; once it is, the variable is nil.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private let handover: Mutex<Handover?>

  public init(wrappedValue: T?) {
    handover = Mutex(Self.handover(of: wrappedValue))
  }

  /// The value for the calling thread.
  public var wrappedValue: T? {
    get {
      guard let known = handover.withLock({ $0 }) else { return nil }
      guard
        let session = try? Session.openHere(known.configuration, of: known.origin.file),
        let value = known.found(in: session) as? T, !value.isInvalidated
      else { return nil }
      return value
    }
    set {
      let new = Self.handover(of: newValue)
      handover.withLock { $0 = new }
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
