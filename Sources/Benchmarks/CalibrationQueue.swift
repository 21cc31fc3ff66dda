import Evidence

/// The sessions of a calibration in their order, and which of them a budget has room for.
///
/// Under a budget every kind has its turn before any has a second one, so that a short calibration
/// says a little of all. A session that would not end in time is not begun, and named; so are those
/// that somebody's Ctrl-C came before.
struct CalibrationQueue {
  /// One session: its kind, its place in it, and what the candidate carries.
  struct Session: Equatable {
    let kind: String
    let number: Int
    let handicap: Handicap?
    var text: String { "\(kind), session \(number)" }
  }

  private var waiting: [Session]
  private let limit: Double?
  private let expected: (Session) -> Double
  /// Seconds that the last one of a kind took, and how much longer than thought they all do.
  private var known: [String: Double] = [:]
  private var thought = (expected: 0.0, taken: 0.0)
  private var leftOut: [(session: Session, reason: Calibration.Absence.Reason)] = []

  init(_ sessions: [Session], limit: Double?, expected: @escaping (Session) -> Double) {
    (self.limit, self.expected) = (limit, expected)
    waiting =
      limit == nil
      ? sessions
      : sessions.enumerated().sorted {
        ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
      }.map(\.element)
  }

  private func cost(_ session: Session) -> Double {
    let pace = thought.expected > 0 ? thought.taken / thought.expected : 1
    return known[session.kind] ?? expected(session) * pace
  }

  /// The next one that will probably end in time; what will not is left out.
  mutating func next(after elapsed: Double) -> Session? {
    while !waiting.isEmpty {
      let session = waiting.removeFirst()
      guard let limit, elapsed + cost(session) > limit else { return session }
      leftOut.append((session, .budget))
    }
    return nil
  }

  mutating func ended(_ session: Session, took: Double) {
    known[session.kind] = max(known[session.kind] ?? 0, took)
    thought.expected += expected(session)
    thought.taken += took
  }

  /// A session that took longer than there was time for: it counts for nothing.
  mutating func cut(_ session: Session) { leftOut.append((session, .budget)) }

  /// Nothing more is begun, and the session that was under way counts for nothing.
  mutating func interrupt(_ current: Session? = nil) {
    leftOut += ((current.map { [$0] } ?? []) + waiting).map { ($0, .interrupted) }
    waiting = []
  }

  /// What was not done, by kind and reason.
  var absences: [Calibration.Absence] {
    var found: [Calibration.Absence] = []
    for one in leftOut {
      let place = found.firstIndex { $0.kind == one.session.kind && $0.reason == one.reason }
      if let place {
        found[place].sessions += 1
      } else {
        found.append(.init(kind: one.session.kind, sessions: 1, reason: one.reason))
      }
    }
    return found
  }
}
