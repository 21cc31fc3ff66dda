/// The listeners of one session, and its ear for what others commit.
///
/// News are told where the session is at home, in this order: the realm has moved to the version,
/// the listeners of the realm are called, then those of objects and collections in the order of
/// their registration. Each knows by itself how far it has been told, so listeners that come, go,
/// write or are told again while news are being told disturb nobody.
///
/// What a listener is told is computed from the records of the commits in between: a change costs
/// its own size, whatever the table's. Few changes are computed at home when they are told, many on
/// another thread before the home steps to them (`Forecast`); either way a home that is busy holds
/// up nobody else.
final class Listeners {
  private unowned let session: Session
  private let coordinator: Coordinator
  private let bell: Doorbell
  private let ear: Int
  // What every step to another version looks at is exempt from the runtime's checks.
  @exclusivity(unchecked) private var realmListeners: [RealmListener] = []
  @exclusivity(unchecked) private var observers: [Observer] = []
  @exclusivity(unchecked) private var depth = 0
  private var isLate = false
  private var skipped: [NotificationToken] = []
  /// Versions that listeners still know, each kept until all have been told what came after it.
  @exclusivity(unchecked) private var kept: [VersionID: Snapshot] = [:]
  /// Changes that have been looked up in this round.
  @exclusivity(unchecked) private var known: [VersionID: ChangeSet?] = [:]
  /// The version on which the session's own last commits were based: what came after it was its own
  /// work.
  @exclusivity(unchecked) private var ownSince: VersionID?
  /// The step that is being looked into elsewhere.
  private var pending: Forecast?
  /// The step that has been looked into, while the home makes it and tells of it.
  @exclusivity(unchecked) private var ready: Forecast?
  lazy var worker = coordinator.seams.schedulers.errands("realm.news")
  /// The newest version that the realm's listeners know to be there without their realm showing
  /// it: they have been told that they are behind it, or have known it before.
  private var newestAnnounced: VersionID

  init(of session: Session) {
    self.session = session
    coordinator = session.coordinator
    newestAnnounced = coordinator.newestVersion
    let bell = Doorbell(of: session)
    self.bell = bell
    ear = coordinator.listen { version in bell.ring(for: version) }
    // While this one listens nobody stops hearing.
    if coordinator.isHearing { return }
    // What is on its way to an actor keeps it, and with it the realm that it holds.
    let isKept = session.scheduler.anchor != nil
    if coordinator.beacon.takesThread, !coordinator.remembersRows, !isKept {
      FirstTurn.await(session)
    } else {
      coordinator.hearOrAskAgain()
    }
  }

  deinit { coordinator.unlisten(ear) }

  /// Whether code runs inside a call of a listener.
  var isTelling: Bool { depth > 0 }

  /// Whether objects or collections are listened to.
  var hasObservers: Bool { !observers.isEmpty }
  /// Whether more than one does.
  var areMany: Bool { observers.count > 1 }
  var hasRealmListeners: Bool { !realmListeners.isEmpty }
  var isEmpty: Bool { observers.isEmpty && realmListeners.isEmpty }

  func add(_ observer: Observer) {
    observers.append(observer)
    session.noteQuiet()
  }
  func add(_ listener: RealmListener) {
    realmListeners.append(listener)
    session.noteQuiet()
  }
  func remove(_ observer: Observer) {
    observers.removeAll { $0 === observer }
    // What it alone knew nobody needs any more. While listeners are being called, the end of that
    // lets go of it.
    if !isTelling { forget() }
    session.noteQuiet()
  }
  func remove(_ listener: RealmListener) {
    realmListeners.removeAll { $0 === listener }
    session.noteQuiet()
  }

  /// Lets the home look for news in a while.
  func knock() { bell.ring() }

  // MARK: Telling

  /// Tells the listeners of the realm that there is a newer version, once for each: the bell may
  /// ring twice for one.
  func tellBehind(_ newest: VersionID) {
    let known = knownToListeners
    if announces(newest) { tellRealm(.refreshRequired, since: known) }
  }

  /// Tells the listeners of a realm that shows no version what they are told where it shows one:
  /// of each newer version once, and of nothing where there is none.
  func tellUnread(_ newest: VersionID) {
    let known = knownToListeners
    guard announces(newest) else { return }
    tellRealm(session.isAutorefreshing ? .didChange : .refreshRequired, since: known)
  }

  /// The version that the realm's listeners have been told of.
  private var knownToListeners: VersionID {
    max(newestAnnounced, session.version ?? VersionID(0))
  }

  private func announces(_ newest: VersionID) -> Bool {
    guard newest > newestAnnounced else { return false }
    newestAnnounced = newest
    return true
  }

  /// The realm is about to show no version any more; its listeners know the one that it showed.
  func willInvalidate(_ root: Root) { newestAnnounced = max(newestAnnounced, root.version) }

  /// Tells the listeners of the realm.
  ///
  /// - Parameter known: The version that they know: who was ended elsewhere by then is not told of
  ///   a later one.
  func tellRealm(
    _ notification: Realm.Notification, except skipped: [NotificationToken] = [],
    since known: VersionID = VersionID(0)
  ) {
    guard !realmListeners.isEmpty else { return }
    telling {
      for listener in realmListeners where !listener.hasEnded(by: known) {
        if skipped.contains(where: { $0.observation === listener }) { continue }
        listener.block(notification, Realm(session))
      }
    }
  }

  /// Brings the listeners of objects and collections to the realm's present version.
  func tellObservers() {
    guard !observers.isEmpty else { return }
    telling {
      for observer in observers { observer.deliver() }
    }
  }

  private func telling(_ calls: () -> Void) {
    depth += 1
    calls()
    depth -= 1
    guard depth == 0 else { return }
    forget()
    if isLate {
      isLate = false
      bell.ring()
    }
  }

  /// Whether the home has to come again for news, because it is in a listener's call now.
  func comesAgain() -> Bool {
    if isTelling { isLate = true }
    return isTelling
  }

  // MARK: What has changed

  /// What changed between a version that a listener knows and the present one; nil if nobody can
  /// tell.
  func changes(since root: Root) -> ChangeSet? {
    guard let now = session.root else { return nil }
    if let found = known[root.version] { return found }
    var changes =
      isForeseen(since: root)
      ? ready?.changes : coordinator.changes(after: root.version, upTo: now)
    if changes == nil, let old = kept[root.version] {
      changes = coordinator.compare(old.root, with: now)
    }
    known[root.version] = changes
    return changes
  }

  /// Whether the session itself made all changes since a version.
  func isOwnWork(since root: Root) -> Bool {
    ownSince.map { root.version >= $0 } ?? false
  }

  /// The state of a version that a listener knows.
  func frozenSession(of root: Root) -> Session? {
    kept[root.version].map { session.frozenSession(at: $0) }
  }

  /// Keeps a version from which a listener that comes from elsewhere is to be told.
  func keep(_ snapshot: Snapshot) { kept[snapshot.version] = snapshot }

  /// Keeps the version that listeners know, as the session is about to leave it.
  private func keep(_ root: Root) {
    if !known.isEmpty { known = [:] }
    guard !observers.isEmpty, kept[root.version] == nil else { return checkKept(root) }
    if root.isWaiting { try? session.placeSealed() }
    guard let placed = root.isWaiting ? session.root : root, !placed.isWaiting else { return }
    kept[root.version] = try? coordinator.snapshot(of: placed, kind: .notifier)
  }

  /// A version that was lost may have the number of one that was not: of such two, the listeners
  /// of a session never know both.
  private func checkKept(_ root: Root) {
    guard let known = kept[root.version]?.root, !root.isWaiting else { return }
    invariant(known.isSame(as: root), "two versions \(root.version) are known to one session")
  }

  /// Lets go of what no listener needs any more.
  private func forget() {
    known = [:]
    if kept.isEmpty { return }
    let needed = Set(observers.compactMap { $0.told?.version })
    kept = kept.filter { needed.contains($0.key) && $0.key != session.root?.version }
  }

  // MARK: Looking ahead

  /// Lets the step to the newest version be looked into elsewhere if it is a large one: true if the
  /// home is not to make it now, and comes to it again when all is known.
  func foresee() -> Bool {
    if let pending {
      if pending.begins(at: session.root) { return true }
      withdraw()
    }
    guard !observers.isEmpty, let root = session.root, !root.isWaiting,
      coordinator.newestVersion > root.version,
      let target = try? coordinator.newestSnapshot(kind: .notifier),
      isLarge(from: root, to: target.root),
      let base = try? coordinator.snapshot(of: root, kind: .notifier), base.root.isSame(as: root)
    else { return false }
    session.read()
    let snapshot = Session(snapshot: target, like: session, mayThaw: false)
    let looks = observers.compactMap { $0.foresee(in: snapshot) }
    if looks.isEmpty { return false }
    work(on: Forecast(from: base, to: target, looks))
    return true
  }

  /// Lets first calls that have a long search before them be prepared elsewhere: true if the home
  /// is not to tell now, and comes again when all is found. Until then it stays where it is, or
  /// nothing would ever be found beside somebody who commits all the time.
  func search() -> Bool {
    if let pending, pending.isSearch {
      if pending.begins(at: session.root) { return true }
      withdraw()
    }
    guard !isSearched, observers.contains(where: { $0.told == nil }) else { return false }
    session.read()
    guard let root = session.root, !root.isWaiting,
      let here = try? coordinator.snapshot(of: root, kind: .notifier), here.root.isSame(as: root)
    else { return false }
    lazy var snapshot = Session(snapshot: here, like: session, mayThaw: false)
    let looks = observers.compactMap { $0.told == nil ? $0.search(in: { snapshot }) : nil }
    if looks.isEmpty { return false }
    withdraw()
    work(on: Forecast(at: here, looks))
    return true
  }

  private func work(on forecast: Forecast) {
    pending = forecast
    let (tie, scheduler) = (session.tie, session.scheduler)
    worker.run {
      forecast.work()
      scheduler.run { tie.session?.receive(forecast) }
    }
  }

  private func isLarge(from old: Root, to new: Root) -> Bool {
    let rows = coordinator.changedRows(
      after: old.version, upTo: new, limit: Forecast.few + 1)
    if rows > Forecast.few { return true }
    var found: ChangeSet??
    return observers.contains { observer in
      observer.asksAnew {
        if let found { return found }
        let changes = coordinator.changes(after: old.version, upTo: new)
        found = .some(changes)
        return changes
      }
    }
  }

  /// The home has come for what was found out elsewhere. If it has moved on meanwhile, that is of
  /// no use.
  func receive(_ forecast: Forecast) {
    guard pending === forecast else { return }
    pending = nil
    if forecast.begins(at: session.root) { ready = forecast }
    session.lookForNews()
    ready = nil
  }

  /// The step to be made, if it has been looked into.
  func foreseenStep() -> Root? {
    guard let ready, !ready.isSearch, ready.begins(at: session.root) else { return nil }
    return ready.root
  }

  /// Whether first calls in the present version have been prepared.
  var isSearched: Bool {
    guard let ready, ready.isSearch, !session.hasChangesInWrite else { return false }
    return ready.begins(at: session.root)
  }

  /// Whether the step since a version has been looked into.
  func isForeseen(since told: Root) -> Bool { ready?.fits(session, since: told) ?? false }

  private func withdraw() {
    pending?.drop()
    pending = nil
  }

  // MARK: What happens to the session

  func willAdvance(_ session: Session, from old: Root) { keep(old) }

  /// The step was not made.
  func didStay() { forget() }

  /// All that a step to another version means where nobody listens.
  @inline(__always)
  func didAdvanceUnheard() {
    if !known.isEmpty { known = [:] }
    ownSince = nil
  }

  func didAdvance(_ session: Session, from old: Root, to new: Root) {
    ownSince = nil
    tellRealm(.didChange, since: old.version)
    tellObservers()
  }

  /// A write has begun: what was to be told of before it is told now, so that it stands alone. A
  /// listener that has heard nothing yet gets its first call, and what the write brings after it.
  func didBegin(_ session: Session) { tellObservers() }

  func willCommit(_ session: Session, withoutNotifying tokens: [NotificationToken]) {
    for token in tokens where !isMine(token) { refuse(.skippedForeignToken, at: .commitWrite) }
    skipped = tokens
    if let root = session.root { keep(root) }
    if let write = session.write { bell.expect(write.version) }
  }

  /// What was to be committed is lost: whoever commits under its number is somebody else.
  func didFail() { bell.expect(VersionID(0)) }

  private func isMine(_ token: NotificationToken) -> Bool {
    switch token.observation {
    case let observer as Observer: observer.session === session
    case let listener as RealmListener: listener.session === session
    default: false
    }
  }

  func didCommit(_ session: Session, from old: Root, to new: Root) {
    if ownSince == nil { ownSince = old.version }
    let skipped = self.skipped
    self.skipped = []
    for token in skipped {
      guard let observer = token.observation as? Observer else { continue }
      // Who has yet to be told of what came before is told of both.
      if observer.told.map({ $0.version == old.version }) ?? true { observer.skip() }
    }
    tellRealm(.didChange, except: skipped, since: old.version)
    if observers.isEmpty { forget() } else { bell.ring() }
  }

  func didCancel(_ session: Session) {
    forget()
    // Who has come in the middle of the write, or to it from an older version, is told now.
    if coordinator.newestVersion != session.version
      || observers.contains(where: { $0.told?.version != session.version })
    {
      bell.ring()
    }
  }

  /// Ends all listeners of objects and collections: nothing of what they listen to is left.
  func endObservers() {
    for observer in observers { observer.endHere() }
    kept = [:]
    withdraw()
  }
}

/// A listener of a realm.
final class RealmListener: Observation, @unchecked Sendable {
  // Sendable because all but its end is touched where the session is at home.
  let session: Session
  let block: (Realm.Notification, Realm) -> Void
  private var hasEnded = false
  private let itsEnd = ListenerEnd()

  init(session: Session, block: @escaping (Realm.Notification, Realm) -> Void) {
    self.session = session
    self.block = block
  }

  /// Whether it is not told of what came after a version.
  func hasEnded(by version: VersionID) -> Bool {
    hasEnded || itsEnd.isReached(by: version)
  }

  func end() { itsEnd.come(to: session) { self.endHere() } }

  private func endHere() {
    hasEnded = true
    session.listeners?.remove(self)
  }
}
