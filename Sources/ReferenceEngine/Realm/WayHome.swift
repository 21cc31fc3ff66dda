/// The way back of what goes on elsewhere for a session; keeps the session and its home until then.
final class WayHome: @unchecked Sendable {
  // Sendable because the session is only used at home, and the ticket is constant until the way
  // ends there.
  private let session: Session
  private let home: AnyObject?
  private var ticket: WriteRequests.Ticket?

  /// - Parameter ticket: Given up if the home ends before this has arrived there, as a thread may.
  init(to session: Session, for ticket: WriteRequests.Ticket? = nil) {
    (self.session, home) = (session, session.scheduler.anchor)
    self.ticket = ticket
  }

  deinit { ticket?.leave() }

  /// Called once, from elsewhere.
  func take(_ arrive: @escaping @Sendable (AsyncWrites) -> Void) {
    session.scheduler.run {
      self.ticket = nil
      arrive(self.session.asyncWrites)
    }
  }
}
