/// The question behind a `Results` and the last answer to it.
///
/// The question (`origin`, `predicate`, `orderings`) names rows by class, key and property and never by place,
/// so `bound(to:)` can ask it of another session: that is all that freezing, thawing and passing results to
/// another thread take. The answer is thrown away when the session's content is another than when it was found.
final class ResultsState {
  /// What is queried.
  enum Origin {
    /// All objects of a class.
    case all(BoundClass)
    /// The members of a list, a set, or of links backwards.
    case collection(ManagedCollection)
  }

  /// What is done with the rows that satisfy the predicate, one after another.
  enum Ordering {
    case sort([SortDescriptor])
    case distinct([PropertyPath])
  }

  let session: Session
  let origin: Origin
  let predicate: Predicate
  let orderings: [Ordering]
  /// The session's life the question belongs to.
  let epoch: UInt32

  init(
    session: Session, origin: Origin, predicate: Predicate = .constant(true),
    orderings: [Ordering] = []
  ) {
    self.session = session
    self.origin = origin
    self.predicate = predicate
    self.orderings = orderings
    epoch = session.epoch
  }

  var isInvalidated: Bool { epoch != session.epoch }

  // MARK: Narrower questions

  func filtered(by more: Predicate) -> ResultsState {
    verify()
    return ResultsState(
      session: session, origin: origin, predicate: .and(predicate, more), orderings: orderings)
  }

  func ordered(_ ordering: Ordering) -> ResultsState {
    verify()
    return ResultsState(
      session: session, origin: origin, predicate: predicate, orderings: orderings + [ordering])
  }

  @inline(__always)
  func verify() {
    session.verify(at: .readCollection)
    if _slowPath(epoch != session.epoch) { refuse(.invalidatedResults) }
  }
}

extension Entry {
  static let readCollection = Entry("readCollection")
}

extension Violation {
  static let invalidatedResults = Violation("Access to invalidated Results objects")
}
