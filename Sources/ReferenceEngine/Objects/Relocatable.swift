/// What can be found again in another session of the same file: objects and collections.
///
/// Freezing, thawing, resolving a reference and observing elsewhere are one act: the same thing,
/// seen by another session. What identifies a thing (row, property, query) is the same everywhere;
/// what belongs to a session (places, caches) stays behind.
protocol Relocatable: ThreadConfined {
  /// The same thing as another session sees it; nil if it is not there.
  func found(in session: Session) -> Self?

  /// A recipe for `found(in:)` that may leave this thread.
  func finder() -> Finder

  /// Whether references to it keep the version they were made at.
  static var referencesPin: Bool { get }
}

/// Finds one thing in a session, run where the session is at home.
typealias Finder = @Sendable (Session) -> Any?

/// What shows another thing in a way of its own, and is there as long as that is.
protocol View {
  /// What it shows: an object or a collection.
  var shownThing: Any { get }
}

extension Relocatable {
  static var referencesPin: Bool { false }

  /// A snapshot of the value, at the version its realm is on.
  func frozenCopy(unmanaged: Violation) -> Self {
    guard let session = realm?.session else {
      refuse(isInvalidated ? .invalidated : unmanaged, at: .freeze)
      return self
    }
    if session.isFrozen { return self }
    session.verify(at: .freeze)
    if isInvalidated {
      refuse(.invalidated, at: .freeze)
      return self
    }
    guard let copy = found(in: session.frozenSession()) else {
      refuse(.frozeNewObject, at: .freeze)
      return self
    }
    return copy
  }

  /// The live value, in the realm of the calling thread.
  func thawedCopy(unmanaged: Violation) -> Self? {
    guard let session = realm?.session else {
      refuse(isInvalidated ? .invalidated : unmanaged, at: .thaw)
      return self
    }
    return session.isFrozen ? found(in: session.thawedSession()) : self
  }
}
