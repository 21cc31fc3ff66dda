/// A listener of a collection.
final class CollectionObserver<Collection: RealmCollection>: Observer, @unchecked Sendable {
  // Sendable as every observer is.
  private let collection: Collection
  private let state: ResultsState
  private let reach: Reach
  private let block: (RealmCollectionChange<Collection>) -> Void
  /// The members as the listener knows them.
  private var known = Answer.keys([])
  /// What is found out elsewhere for the next step.
  private var foreseen: ForeseenMembers?
  private var isGone = false

  init(
    _ collection: Collection, in session: Session, keyPaths: [String]?,
    _ block: @escaping (RealmCollectionChange<Collection>) -> Void
  ) {
    self.collection = collection
    state = collection._source.state
    reach = Reach(ofMembers: state.elementClass, keyPaths: keyPaths)
    self.block = block
    super.init(session: session, told: nil)
  }

  override func news(since told: Root?) -> (() -> Void)? {
    guard !isGone else { return nil }
    if state.isInvalidated { return farewell(hasBegun: told != nil) }
    guard let told else {
      if session.listeners?.isSearched == true, let found = foreseen.take(), found.isKnown {
        known = found.members
        state.remember(known)
      } else {
        passOver()
      }
      return { [self] in block(.initial(collection)) }
    }
    guard let difference = difference(since: told), !difference.isEmpty else { return nil }
    return { [self] in block(RealmCollectionChange(collection, difference)) }
  }

  override func passOver() {
    if !state.isInvalidated { known = state.lastingAnswer() }
  }

  /// The owner of the collection is gone, and its members with it: the last call, even if there
  /// were none. A listener that has not been called yet is not called at all: the first call says
  /// that the collection can be used.
  private func farewell(hasBegun: Bool) -> (() -> Void)? {
    isGone = true
    if !hasBegun { return nil }
    let difference = Difference(deletions: Array(0..<known.count))
    return { [self] in block(RealmCollectionChange(collection, difference)) }
  }

  private func difference(since told: Root) -> Difference? {
    let foreseen = foreseen.take()
    let difference: Difference?
    // First whether the worker is through with it.
    if let foreseen, session.listeners?.isForeseen(since: told) == true, foreseen.isKnown {
      (difference, known) = (foreseen.difference, foreseen.members)
    } else if let step = state.lastStep(from: told, within: reach) {
      (difference, known) = (step.difference, step.members)
    } else {
      let changes = session.listeners?.changes(since: told)
      difference = state.follow(changes, since: told, within: reach, &known)
      state.noteStep(
        isForMany: session.listeners?.areMany ?? false,
        FollowedStep(from: told, to: session.root, within: reach, difference, known))
    }
    if difference != nil { state.remember(known) }
    return difference
  }

  // MARK: Foreseeing

  override func foresee(in snapshot: Session) -> Forecast.Look? {
    foreseen = nil
    guard !isGone, let told, told.isSame(as: session.root), !state.isInvalidated, reach.looksAhead,
      // Objects that are asked about may be at home anywhere, and mixed values hold places.
      !state.predicate.namesObjects, !state.holdsMixed
    else { return nil }
    let foreseen = ForeseenMembers()
    self.foreseen = foreseen
    let (question, reach, known) = (state.question, reach, known)
    return { changes in
      guard let state = question.asked(in: snapshot), !question.hasLostItsOwner(by: changes, state)
      else { return }
      var members = known
      let difference = state.follow(
        changes, since: told, within: reach.bound(to: state.elementClass), &members)
      foreseen.tell(difference, members)
    }
  }

  override func search(in snapshot: () -> Session) -> Forecast.Look? {
    foreseen = nil
    guard !isGone, !state.isInvalidated, state.mayTakeLong, !state.predicate.namesObjects,
      !state.holdsMixed
    else { return nil }
    let foreseen = ForeseenMembers()
    self.foreseen = foreseen
    let (question, snapshot) = (state.question, snapshot())
    return { _ in
      guard let state = question.asked(in: snapshot) else { return }
      foreseen.tell(nil, state.answer())
    }
  }

  override func asksAnew(after changes: () -> ChangeSet?) -> Bool {
    known.count > Forecast.few && !state.isFollowed && changes().map(state.mayDependOn) ?? true
  }
}

extension ResultsState {
  /// Whether many rows have to be looked through before the members are known.
  fileprivate var mayTakeLong: Bool {
    guard !isWhole, withFound({ $0.answer == nil }) else { return false }
    let rows =
      switch origin {
      case .all(let table): session.rows(of: table)?.count ?? 0
      case .collection(let collection): isPlain ? 0 : collection.count
      }
    return rows > Forecast.fewToSearch
  }
}

extension Question {
  /// Whether the collection that it is about was deleted; another one may be in its place.
  fileprivate func hasLostItsOwner(by changes: ChangeSet, _ state: ResultsState) -> Bool {
    guard case .collection(let collection) = state.origin, let table = collection.table.number
    else { return false }
    return changes.kind(of: RowLink(table: table, key: collection.key))?.deletes ?? false
  }
}
