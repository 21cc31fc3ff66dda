/// A registered listener of an object or a collection, and how far it has been told.
///
/// Touched only where its session is at home, but for `end`. It keeps its session; the session
/// keeps it until it has ended.
class Observer: Observation, @unchecked Sendable {
  // Sendable because all but its end is touched at home only.
  let session: Session

  /// The version whose state the listener knows; nil before the first delivery.
  private(set) var told: Root?
  private(set) var hasEnded = false
  private let itsEnd = ListenerEnd()

  /// - Parameter told: The version that the listener knows without having been told; nil if it is
  ///   to be told of the first one, too.
  init(session: Session, told: Root?) {
    self.session = session
    self.told = told
  }

  /// What to do to bring the listener from what it knows to the realm's present version; nil if
  /// nothing that concerns it has happened.
  func news(since told: Root?) -> (() -> Void)? {
    fatalError("every kind of listener knows its own news")
  }

  /// Takes note of the present version without telling it.
  func passOver() {}

  /// Lets what the listener will be told be found out elsewhere.
  ///
  /// - Parameter snapshot: The session of the version that its own is about to step to.
  /// - Returns: What is to be done there; nil if the listener finds it out itself when it is told.
  func foresee(in snapshot: Session) -> Forecast.Look? { nil }

  /// Lets what the listener's first call takes long to find be found elsewhere.
  ///
  /// - Parameter snapshot: Gives the session of the version that its own is on.
  /// - Returns: What is to be done there; nil if the listener finds it itself when it is called.
  func search(in snapshot: () -> Session) -> Forecast.Look? { nil }

  /// Whether what changes mean to the listener may take long to find out even if they are few.
  func asksAnew(after changes: () -> ChangeSet?) -> Bool { false }

  /// Brings the listener to the realm's present version. Not in the middle of a write, where there
  /// is something to be seen that may never be committed, as another listener may just have changed
  /// it: then it is told when the write has ended.
  final func deliver() {
    session.read()
    guard !hasEnded, !session.hasChangesInWrite, let now = session.root,
      told?.version != now.version
    else { return }
    if let told, itsEnd.isReached(by: told.version) { return }
    let before = told
    told = now
    news(since: before)?()
  }

  /// Passes over what the listener does not know yet.
  final func skip() {
    guard told != nil else { return }
    told = session.root
    passOver()
  }

  /// Silences the listener for good.
  final func endHere() {
    hasEnded = true
    session.listeners?.remove(self)
  }

  final func end() { itsEnd.come(to: session) { self.endHere() } }
}
