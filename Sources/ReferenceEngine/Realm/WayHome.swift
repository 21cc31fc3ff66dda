/// The way back of what goes on elsewhere for a session; keeps the session and its home until then.
final class WayHome: @unchecked Sendable {
  // Sendable because the session is only used at home, and the place is constant until the way ends
  // there.
  private let session: Session
  private let home: AnyObject?
  private var place: WriteRequests.Place?

  /// - Parameter place: Given up if the home ends before this has arrived there, as a thread may.
  init(to session: Session, for place: WriteRequests.Place? = nil) {
    (self.session, home) = (session, session.scheduler.anchor)
    self.place = place
  }

  deinit { place?.leave() }

  /// Called once, from elsewhere.
  func take(_ arrive: @escaping @Sendable (AsyncWrites) -> Void) {
    session.scheduler.run {
      self.place = nil
      arrive(self.session.asyncWrites)
    }
  }
}
