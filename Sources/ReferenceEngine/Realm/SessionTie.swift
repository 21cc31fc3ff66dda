typealias SessionTie = Tie<Session>

extension Tie where Thing == Session {
  /// The session, unless it is gone or about to go.
  var session: Session? { thing }
}
