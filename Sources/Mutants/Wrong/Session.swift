#if Mutants
import CShims
@_private(sourceFile: "Session.swift") import ReferenceEngine
@_private(sourceFile: "SessionCache.swift") import ReferenceEngine
@_private(sourceFile: "Tie.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Session+Opening.swift") import ReferenceEngine

extension Session {
  /// Another session of the same file: of those that read, the one on the oldest version.
  var sibling: Session? {
    SessionCache.sessions(of: configuration.path).filter { $0 !== self && $0.root != nil }
      .min { $0.root!.version < $1.root!.version }
  }

  // MARK: Reading

  @_dynamicReplacement(for:beginRead(_:))
  private func wrongBeginRead(_ pin: Pin) {
    if breaks(.readsWaitForNobody) {
      _ = coordinator.gate.enter()
      coordinator.gate.leave()
    }
    if breaks(.readsBeginOnTheNewest), let version = sibling?.root { return show(version) }
    if let version = versionBesideAWrite { return show(version) }
    if breaks(.frozenOnesAreNoBegin), let version = HeldFrozen.root(of: self) {
      return show(version)
    }
    beginRead(pin)
  }

  @_dynamicReplacement(for:advance())
  func wrongAdvance() -> Bool {
    if breaks(.freezingLeavesTheLiveAlone), lastFrozen != nil { return false }
    return advance()
  }

  @_dynamicReplacement(for:show(_:unwritten:))
  func wrongShow(_ version: Root, unwritten: [ComposedRuns] = []) {
    // What is newer than others can see was sealed here.
    if breaks(.sealedWritesShowAtOnce), let root,
      version.version > coordinator.newestVersion
    {
      return show(root, unwritten: unwritten)
    }
    show(version, unwritten: unwritten)
  }

  @_dynamicReplacement(for:keepTrees(as:))
  func wrongKeepTrees(as version: VersionID?) {
    keepTrees(as: version)
    if breaks(.addedObjectsOutliveTheCommit), version != nil { beginAnotherLife() }
    if breaks(.failedDeletionsComeBack), version == nil { departures.endWrite(isKept: true) }
  }

  @_dynamicReplacement(for:placeSealed(isForLater:))
  func wrongPlaceSealed(isForLater: Bool = false) throws {
    try placeSealed(isForLater: isForLater && !breaks(.flushesGoOnElsewhere))
  }

  // MARK: Refreshing

  @_dynamicReplacement(for:noteQuiet())
  func wrongNoteQuiet() {
    if breaks(.invalidRealmsHaveSomethingToRefresh), root == nil { return }
    noteQuiet()
    if breaks(.refreshTellsOwnNews), !configuration.readOnly, let root {
      hot.pointee.quietAt = root.version.number
    }
    // Else nobody would ask the broken `refresh` where it has nothing to do.
    if breaks(.refreshLeavesWritesAlone) || breaks(.refreshTellsWhetherItMoved)
      || breaks(.refreshNeverGoesBack) || breaks(.refreshComesToTheNewest)
      || breaks(.leftVersionsAreLetGo)
    {
      (hot.pointee.quietAt, hot.pointee.isUnheard) = (0, false)
    }
  }

  @_dynamicReplacement(for:refreshIfPossible())
  func wrongRefresh() -> Bool {
    if isInWrite {
      if breaks(.refreshLeavesWritesAlone) { cancelWrite() }
      return false
    }
    if breaks(.refreshComesToTheNewest) { return false }
    if breaks(.refreshPassesTheWorker), let step = listeners?.stepOfTheWorker {
      advance(to: step)
      return true
    }
    if breaks(.emptyCommitsHideNothing), let before = root {
      let state = generation
      let hasMoved = refreshIfPossible()
      if beganWithEmptyCommits(since: before) { hot.pointee.generation = state }
      return hasMoved
    }
    if breaks(.unreadRealmsRefresh), root == nil { return false }
    if breaks(.ownNewsAreNoSteps), let listeners, !listeners.isTelling, root != nil,
      listeners.observers.contains(where: { $0.told != nil && $0.told?.version != version })
    {
      _ = refreshIfPossible()
      return true
    }
    if breaks(.refreshDoesNotWait), root != nil, let listeners, !listeners.isTelling,
      listeners.foresee()
    {
      return false
    }
    if breaks(.refreshTellsOwnWrites), root != nil { return advance() }
    if breaks(.refreshNeverGoesBack), let version = sibling?.root {
      show(version)
      return true
    }
    guard listeners?.isTelling == true else {
      if breaks(.emptyCommitsAreSteps), let before = root {
        let hasMoved = refreshIfPossible()
        guard hasMoved, let root,
          let changes = coordinator.changes(after: before.version, upTo: root)
        else { return hasMoved }
        return !changes.isEmpty
      }
      return refreshIfPossible() || breaks(.refreshTellsWhetherItMoved)
    }
    if breaks(.lastCallsDoNotRefresh), listeners?.observers.isEmpty == true,
      listeners?.hasRealmListeners == false
    {
      return advance()
    }
    if !breaks(.refreshRestsWhileTelling) { return false }
    listeners?.tellObservers()
    return advance()
  }

  @_dynamicReplacement(for:hasMoved(from:))
  func wrongHasMoved(from old: VersionID?) -> Bool {
    hasMoved(from: old) && !breaks(.refreshTellsOfMovesMeanwhile)
  }

  @_dynamicReplacement(for:lookForNews())
  func wrongLookForNews() {
    let before = root
    if breaks(.limitedRealmsRest), configuration.maximumNumberOfActiveVersions != nil, !isInWrite,
      root != nil, listeners?.isTelling == false, advance()
    {
      return
    }
    if breaks(.autorefreshCanBeTurnedOff), !isInWrite, root != nil, listeners?.isTelling == false,
      advance()
    {
      return
    }
    if breaks(.firstCallsMoveNobody), !isInWrite, root != nil, let listeners,
      !listeners.isTelling, listeners.observers.contains(where: { $0.told == nil })
    {
      _ = advance()
    }
    if breaks(.unheardActorsMove), scheduler is ActorScheduler, listeners?.isEmpty == true {
      return
    }
    if breaks(.refreshesAreNotAnnounced), isAutorefreshing, root != nil, !isNewest, !isInWrite,
      listeners?.isTelling == false
    {
      listeners?.tellRealm(.refreshRequired)
    }
    lookForNews()
    if breaks(.openingIsNoNews), let root, root.version == before?.version, isNewest, !isInWrite {
      listeners?.tellRealm(.didChange)
    }
  }

  @_dynamicReplacement(for:reach(_:))
  func wrongReach(_ target: VersionID) {
    if breaks(.resolvingCatchesUp) {
      if root == nil, let version = sibling?.root { show(version) }
      return
    }
    if breaks(.newerRealmsStay), !isFrozen, !isInWrite {
      read()
      if version != target { _ = advance() }
    }
    reach(target)
  }

  @_dynamicReplacement(for:advanceToSealed(_:))
  func wrongAdvanceToSealed(_ target: VersionID) {
    if !breaks(.referencesFindWhatIsSealed) { advanceToSealed(target) }
  }

  @_dynamicReplacement(for:arrive(at:unwritten:))
  private func wrongArrive(at root: Root, unwritten: [ComposedRuns] = []) {
    let last = lastFrozen
    arrive(at: root, unwritten: unwritten)
    if breaks(.theLastFrozenIsLetGo) { lastFrozen = last }
  }

  // MARK: Opening and ending

  @_dynamicReplacement(for:open(_:at:of:))
  static func wrongOpen(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator? = nil
  ) throws -> Session {
    if breaks(.openQueuesAreConfined), !scheduler.isHere {
      let key = SessionCache.Key(place: configuration.path, home: scheduler.home)
      if SessionCache.find(key) == nil { refuse(.wrongQueue, at: .open) }
    }
    if breaks(.blocksMakeNoOther),
      configuration.migrationBlock != nil || configuration.shouldCompactOnLaunch != nil
    {
      var its = configuration
      its.cache = false
      return try open(its, at: scheduler, of: file)
    }
    try LostQueues.verify(scheduler)
    if breaks(.actorsOpenWhatTheyAskFor), scheduler is ActorScheduler {
      return try open(.defaultConfiguration, at: scheduler)
    }
    if breaks(.queuesAndThreadsAreTwo) {
      let session = try open(configuration, at: scheduler, of: file)
      SessionCache.remember(standard: session)
      return session
    }
    if breaks(.queuesShareTheirFile), case .queue(let own) = scheduler.home {
      for known in SessionCache.sessions(of: configuration.path) {
        guard case .queue(let other) = known.scheduler.home, other != own else { continue }
        let path = configuration.path
        throw Realm.Error(.alreadyOpen, "'\(path)' is open for another queue already", path)
      }
    }
    let key = SessionCache.Key(place: configuration.path, home: scheduler.home)
    let known = file == nil && configuration.cache ? SessionCache.find(key) : nil
    let session = try open(configuration, at: scheduler, of: file)
    if known === session { session.isOpenedAgain() }
    return session
  }

  @_dynamicReplacement(for:make(_:at:of:))
  private static func wrongMake(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator?
  ) throws -> Session {
    if breaks(.threadsNeedNoLoop), !scheduler.canDeliver {
      refuse(.noRunLoopForAsyncWrite, at: .open)
    }
    configuration.emptyPlainFile()
    let session = try make(configuration, at: scheduler, of: file)
    if breaks(.autorefreshIsOnAtFirst) { session.isAutorefreshing = false }
    if configuration.deleteRealmIfMigrationNeeded,
      CompactedFiles.take(session.coordinator.path)
    {
      try session.emptyFile()
    }
    return session
  }

  @_dynamicReplacement(for:invalidate())
  func wrongInvalidate() {
    if isFrozen { return invalidate() }
    if breaks(.listenersTakeNoCommitBack), listeners?.isTelling == true,
      pendingWrites?.machine.isRunning == true
    {
      TakenBack.all.keep(true, of: self)
    }
    if breaks(.frozenOnesOutliveInvalidate), listeners?.isTelling != true, let frozen = lastFrozen {
      frozen.close()
    }
    if breaks(.asyncWritesAreInvalidated), isInWrite, pendingWrites?.machine.isRunning == true {
      try? commitWrite()
    }
    if breaks(.invalidationRestsInEachCall), let listeners, listeners.isTelling,
      listeners.ownSince != nil
    {
      let depth = listeners.depth
      listeners.depth = 0
      defer { listeners.depth = depth }
      return invalidate()
    }
    if breaks(.invalidationRestsWhileTelling), let listeners, listeners.isTelling {
      let depth = listeners.depth
      listeners.depth = 0
      defer { listeners.depth = depth }
      return invalidate()
    }
    if breaks(.invalidationLetsTheVersionGo) {
      if write != nil { cancelWrite() }
      pendingWrites?.close()
      listeners?.endObservers()
      return
    }
    if breaks(.invalidationKeepsSettings) { isAutorefreshing = true }
    if breaks(.invalidationIsTheRealmsOwn) { sibling?.beginAnotherLife() }
    if breaks(.invalidatingNothingIsHarmless), root == nil { refuse(.invalidated, at: .readRealm) }
    let mayEnd = listeners?.isTelling == false
    invalidate()
    if breaks(.realmListenersStay), mayEnd {
      listeners?.realmListeners = []
      noteQuiet()
    }
    if breaks(.invalidatedRealmsBeginLazily), root == nil { read() }
  }
}

extension Tie {
  /// The end of a session begins with this.
  @_dynamicReplacement(for:cut())
  func wrongCut() {
    (self as? SessionTie)?.endWrongly()
    ClosingFiles.begin(self)
    cut()
  }
}

extension Tie where Thing == Session {
  func endWrongly() {
    LeftVersions.all.forget(self)
    KnownNumbers.forget(self)
    ShownBefore.all.forget(self)
    MigratedFrom.all.forget(self)
    WaitingVersions.forget(self)
    forgetNineteenth()
    let session = known.withLock { $0.map { Unmanaged<Session>.fromOpaque($0.thing) } }
    session?._withUnsafeGuaranteedRef { session in
      if breaks(.realmsMayEndAnywhere) { session.verify(at: .readRealm) }
      LostQueues.note(session)
      if breaks(.lastOnesCloseTheFile) { Lingering.keep(session.coordinator) }
      if breaks(.droppedWritesAreCancelled), let write = session.write {
        session.leaveWrite()
        _ = Unmanaged.passRetained(write)
      }
    }
  }
}

extension Session {
  @_dynamicReplacement(for:willEnd())
  private func wrongWillEnd() {
    if breaks(.frozenEndsAlone), isFrozen { coordinator.disk.close() }
    willEnd()
  }
}

extension Realm.Configuration {
  @_dynamicReplacement(for:storage)
  var wrongStorage: StorageConfiguration {
    var storage = self.storage
    if breaks(.memoryIsShared), let inMemoryIdentifier {
      storage.location = .memory(identifier: "\(inMemoryIdentifier) of \(rb_thread_id())")
    }
    if breaks(.compactionKnowsSizeFromUse), let decide = storage.shouldCompact {
      storage.shouldCompact = { total, used in decide(used, total) }
    }
    return storage
  }

  @_dynamicReplacement(for:defaultConfiguration)
  static var wrongDefaultConfiguration: Realm.Configuration {
    get { defaultConfiguration }
    set {
      let wasChanged = DefaultConfiguration.stamp.load(ordering: .acquiring) > 1
      if breaks(.theDefaultCanBeChanged), wasChanged { return }
      defaultConfiguration = newValue
    }
  }
}

extension Realm {
  @_dynamicReplacement(for:configuration)
  var wrongConfiguration: Configuration {
    if breaks(.configurationIsForEveryone) { session.verify(at: .readRealm) }
    if breaks(.frozenConfigurationsOpenAll), session.isFrozen {
      var its = session.configuration
      its.readOnly = true
      return its
    }
    return configuration
  }
}

extension Session {
  // Unsafe without a lock, as the mutant opens on one thread.
  private nonisolated(unsafe) static var kept: Session?
  private nonisolated(unsafe) static var knownTies: [Int: RowTies] = [:]

  fileprivate static func keep(_ session: Session?) {
    if breaks(.openedTwiceIsKeptByNobody), let session { kept = session }
  }

  @_dynamicReplacement(for:ties(of:))
  func wrongTies(of number: Int) -> RowTies {
    guard breaks(.laterClassesLetGo) else { return ties(of: number) }
    if let known = Session.knownTies[number] { return known }
    let ties = ties(of: number)
    Session.knownTies[number] = ties
    return ties
  }
}

extension SessionCache {
  @_dynamicReplacement(for:here(_:))
  static func wrongHere(_ configuration: Realm.Configuration) -> Session? {
    let found = here(configuration)
    Session.keep(found)
    found?.isOpenedAgain()
    return found
  }

  @_dynamicReplacement(for:here())
  static func wrongHere() -> Session? {
    if breaks(.theDefaultIsOfTheMoment), let session = last?.standard?.session,
      session.scheduler.isHere
    {
      return session
    }
    if breaks(.queuesAndThreadsAreTwo), let last,
      last.stamp == DefaultConfiguration.stamp.load(ordering: .acquiring),
      let session = last.standard?.session, session.scheduler.isHere,
      session.coordinator.isOfThisProcess
    {
      return session
    }
    let found = here()
    found?.isOpenedAgain()
    return found
  }

  @_dynamicReplacement(for:find(_:))
  static func wrongFind(_ key: Key) -> Session? {
    if breaks(.opensForEachHome) { return sessions(of: key.place.path).first }
    return find(breaks(.filesAreApart) ? Key(place: "", home: key.home) : key)
  }

  @_dynamicReplacement(for:add(_:_:))
  static func wrongAdd(_ session: Session, _ key: Key) {
    if breaks(.autorefreshEndsWithItsRealm), FormerSettings.wasOff(at: key) {
      session.isAutorefreshing = false
    }
    if breaks(.cacheHoldsWeakly) { _ = Unmanaged.passRetained(session) }
    if breaks(.manyRealmsAreKnown) {
      known.withLock { known in if known.count > 64 { known = Known() } }
    }
    add(session, breaks(.filesAreApart) ? Key(place: "", home: key.home) : key)
  }
}
#endif
