import CShims
import Foundation

/// The state behind a `Realm`: who may use it, the version it shows, the write it is in.
///
/// Everything but `configuration`, `scheduler`, `isFrozen` and the session's identity is touched
/// only where the session is at home; a frozen session never changes, and is at home everywhere.
///
/// A session is live or frozen (`hold`), which it stays, and it is in one of the states of
/// `SessionState`. What it shows (`trees`, `stored`) is changed by whoever changes the state, and
/// by nobody else.
///
/// What every read looks at is exempt from the runtime's check for exclusive access, here and in
/// what a session holds: it is used by one thread at a time and calls nobody while it looks, and a
/// check costs 5 ns, of which a lookup had a dozen.
@usableFromInline
final class Session: @unchecked Sendable {
  // Sendable because a live session is only used at home, which `verify` sees to, and a frozen one
  // is immutable.
  /// Where it comes from, as what is handed to other places knows it.
  let origin: Origin
  @inline(__always)
  var configuration: Realm.Configuration { origin.configuration }
  let coordinator: Coordinator
  /// Where the session lives.
  let scheduler: any Scheduler
  /// What others know it by, without keeping it.
  let tie: SessionTie
  /// That of frozen sessions, which nobody looks for: it leads nowhere.
  private static let tieOfFrozen = SessionTie()
  /// Shared with all objects of the session; freed with it.
  @usableFromInline let hot: UnsafeMutablePointer<HotLine>
  /// The memory that it lies in.
  private let hotMemory: UnsafeMutableRawPointer

  /// What keeps the versions that a session shows.
  enum Hold {
    /// A live session moves its pin from version to version, and lets go of it between.
    case live(Pin)
    /// A frozen session has its one version as long as it is there.
    case frozen(Snapshot)
  }
  let hold: Hold
  /// The pin of a live session and its listeners, for whoever looks at them without counting.
  private let uncountedPin: Unmanaged<Pin>?
  private var uncountedListeners: Unmanaged<Listeners>?
  /// The classes that it knows.
  let classes: KnownClasses
  /// The same, found without a detour.
  let shelf: ClassShelf
  /// The version that it is on and what it does with it. Changed here alone.
  @exclusivity(unchecked) private var state: SessionState
  /// What the state shows, and what was shown before.
  @exclusivity(unchecked) private var trees: SessionTrees
  /// The version that was looked into last.
  @exclusivity(unchecked) private var lastSeen: VersionID?
  /// What is read now: the version, or the write's pending tree.
  var store: Store {
    if _slowPath(state.isUnseen) { look() }
    return trees.shown
  }

  /// Whether new versions arrive by themselves.
  var isAutorefreshing = true
  /// The frozen session of the version this one is on, once somebody has asked for it. It pins what
  /// this session pins, and is let go when this one moves on.
  var lastFrozen: Session?
  /// The links backwards that were asked for last.
  @exclusivity(unchecked) var lastLinkers: Linkers?
  /// Told what happens to the session: its listeners; nil for a frozen session, to which nothing
  /// happens.
  private(set) var listeners: Listeners?
  /// Its asynchronous writes, once there were any.
  var pendingWrites: AsyncWrites?

  /// The lives of the session: `invalidate` begins a new one, and objects of older ones are
  /// invalid.
  @exclusivity(unchecked) private(set) var epoch: UInt32 = 1
  /// Its writes, numbered.
  @exclusivity(unchecked) var writes = OwnWrites()
  /// The rows that have gone and whose keys may be given again.
  @exclusivity(unchecked) var departures = Departures()
  /// What another realm has sealed with the version that this one was shown last.
  var shownElsewhere: [SealedCommit] = []
  /// The rows that references name which were made in its writes.
  @exclusivity(unchecked) var referred = ReferredRows()
  /// Lets others read what is deleted as long as something of a frozen session may be thawed.
  private var keeper: DeletedRows.Keeper?
  /// The policy with which objects that are linked to are added.
  @exclusivity(unchecked) var updatePolicy = Realm.UpdatePolicy.error
  /// While `create` runs, the copies that it has made of the objects it was given.
  @exclusivity(unchecked) var copies: [Original: ObjectBase]?
  /// How deep it is in what is being added.
  @exclusivity(unchecked) var descent = Descent()
  /// Whether a migration is running: primary keys may be set until it ends.
  @exclusivity(unchecked) var isMigrating = false
  /// The classes that the migration under way makes embedded when its block is done.
  @exclusivity(unchecked) var becomeEmbedded: Set<String> = []

  /// The file's schema at the version that is read.
  var stored: StoredSchema {
    get {
      if _slowPath(state.isUnseen) { look() }
      return shownSchema
    }
    set {
      shownSchema = newValue
      rowTies = []
    }
  }
  /// The same, without a look at the version: as it was when somebody looked last.
  @exclusivity(unchecked) private(set) var shownSchema = StoredSchema()
  /// By table, once somebody has deleted a row of it.
  @exclusivity(unchecked) private var rowTies: [RowTies?] = []

  /// What has to be seen to when rows of a table go.
  @inline(__always)
  func ties(of number: Int) -> RowTies {
    if number < rowTies.count, let known = rowTies[number] { return known }
    return findTies(of: number)
  }

  @inline(never)
  private func findTies(of number: Int) -> RowTies {
    let ties = RowTies(of: number, in: stored, store)
    while rowTies.count <= number { rowTies.append(nil) }
    rowTies[number] = ties
    return ties
  }
  /// The node `stored` was read from. Another one may lie in its place when it is gone, so what is
  /// known by it is forgotten with it.
  var storedRef = NodeRef.none {
    didSet { classes.forgetFrozen() }
  }
  /// What to do about a schema that cannot be read.
  enum SchemaFailure {
    /// Whoever reads has no way to fail: the process stops.
    case stops
    /// The session is only being opened, which can fail: with this, if there is something.
    case isNoted((any Error)?)
  }
  var schemaFailure = SchemaFailure.stops
  /// Whether the file fits the configuration, which opening has seen to.
  var isInShape = false

  /// A live session.
  init(
    _ configuration: Realm.Configuration, coordinator: Coordinator, scheduler: any Scheduler
  ) throws {
    origin = Origin(configuration, coordinator)
    try coordinator.requirePlausibleBoard()
    self.coordinator = coordinator
    self.scheduler = scheduler
    classes = KnownClasses()
    shelf = classes.shelf
    let pin = try Pin(coordinator: coordinator, kind: .live)
    hold = .live(pin)
    uncountedPin = .passUnretained(pin)
    state = .idle
    trees = SessionTrees(of: coordinator.space)
    (hot, hotMemory) = Session.makeHotLine(
      token: scheduler.threadToken, mask: .max, coordinator, scheduler.sign)
    if UInt(rb_token_get()) == hot.pointee.token { hot.pointee.clock = rb_instant_clock() }
    tie = SessionTie()
    tie.bind(self)
    if !configuration.readOnly {
      let listeners = Listeners(of: self)
      self.listeners = listeners
      uncountedListeners = .passUnretained(listeners)
    }
  }

  /// The frozen session of a version.
  ///
  /// - Parameter mayThaw: Whether anything of it may be thawed.
  init(snapshot: Snapshot, like live: __shared Session, mayThaw: Bool = true) {
    // First all that is looked into, then what keeps it: what is used once more after it was handed
    // on is counted once more, and to count was half of what a freeze cost.
    let coordinator = snapshot.coordinator
    let store = Store(
      space: snapshot.space, top: snapshot.top, isShared: true, after: live.trees.shown)
    let known = live.frozenClasses(at: store.schemaRef)
    let isAlone = known == nil
    if let shared = known?.shared {
      (shownSchema, storedRef) = (live.shownSchema, shared.schemaRef)
      if mayThaw { keeper = Session.keeper(of: shared.tablesOfReusedKeys, snapshot) }
    }
    (hot, hotMemory) = Session.makeHotLine(
      token: FrozenScheduler.shared.threadToken, mask: 0, coordinator)
    let classes = known ?? KnownClasses(sharing: nil)
    shelf = classes.shelf
    self.classes = classes
    self.coordinator = coordinator
    trees = SessionTrees(frozen: store)
    state = .reading(snapshot.root)
    hold = .frozen(snapshot)
    origin = live.origin
    scheduler = FrozenScheduler.shared
    tie = Session.tieOfFrozen
    uncountedPin = nil
    isAutorefreshing = false
    if isAlone { learnAlone(from: live, mayThaw: mayThaw) }
  }

  /// Learns what no other frozen session knows that it could share.
  private func learnAlone(from live: Session, mayThaw: Bool) {
    // Every class is bound now, because a frozen session must not change when it is read from many
    // threads.
    readSchema()
    for known in live.classes.byType.values { _ = bind(known.layout) }
    classes.share()
    if mayThaw, let frozenSnapshot {
      keeper = Session.keeper(of: shownSchema.tablesOfReusedKeys, frozenSnapshot)
    }
  }

  /// - Parameter tables: Those of the file in which keys may be given again: a class that nobody
  ///   here has used yet may be asked for later.
  private static func keeper(
    of tables: Set<UInt32>, _ snapshot: Snapshot
  ) -> DeletedRows.Keeper? {
    if tables.isEmpty { return nil }
    return snapshot.coordinator.keepDeletedRows(of: tables, since: snapshot.version)
  }

  /// The classes for what is frozen of this session, if that has the schema which is read here.
  private func frozenClasses(at ref: NodeRef) -> KnownClasses? {
    guard !isFrozen, state.isReading, !ref.isNone, ref == storedRef else { return nil }
    return classes.freeze(of: self, at: ref)
  }

  private static func makeHotLine(
    token: UInt, mask: UInt, _ coordinator: Coordinator, _ sign: HomeSign = .none
  ) -> (line: UnsafeMutablePointer<HotLine>, memory: UnsafeMutableRawPointer) {
    // A line of its own: whoever has memory beside it would take it away from the session with
    // every store.
    invariant(
      MemoryLayout<HotLine>.size <= 64, "a hot line of \(MemoryLayout<HotLine>.size) bytes")
    // Found in twice as much: aligned memory is none that the allocator has at hand.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 16)
    let hot = memory.alignedUp(toMultipleOf: 64).bindMemory(to: HotLine.self, capacity: 1)
    hot.initialize(
      to: HotLine(
        token: token, mask: mask, base: coordinator.space.base, generation: 1,
        published: coordinator.board.published, sign: sign))
    return (hot, memory)
  }

  deinit {
    willEnd()
    // The thread may have ended, and its clock with it.
    hot.pointee.clock = nil
    // Nobody is left who could commit it.
    if let write {
      writes.undo(write.noted)
      undoReferred()
      write.cancel()
    }
    hotMemory.deallocate()
  }

  /// Nobody finds it from now on.
  private func willEnd() {
    if isFrozen { return }
    tie.cut()
    Logger.tell(.detail, "Close file: \(configuration.path)")
  }

  // MARK: - Confinement

  /// Stops whoever uses the session away from its home.
  @inline(__always)
  func verify(at entry: Entry) {
    if _slowPath((UInt(rb_token_get()) ^ hot.pointee.token) & hot.pointee.mask != 0) {
      verifySlowly(at: entry)
    }
  }

  @inline(never)
  private func verifySlowly(at entry: Entry) {
    if !scheduler.isHere { refuse(.wrongThread, at: entry) }
  }

  /// Counts the states the session has shown: whatever was computed under another number is out of
  /// date.
  @inline(__always)
  var generation: UInt32 { hot.pointee.generation }

  /// The generation of what is found now: rows that a write has deleted leave their trees first,
  /// because others move with them.
  var findingGeneration: UInt32 {
    if isInWrite { store.letLeave() }
    return generation
  }

  /// Whether it shows one version for ever, and to everybody.
  @inline(__always)
  var isFrozen: Bool { if case .frozen = hold { true } else { false } }

  /// The pin of a live session.
  var pin: Pin? { if case .live(let pin) = hold { pin } else { nil } }

  /// The version of a frozen session.
  var frozenSnapshot: Snapshot? { if case .frozen(let snapshot) = hold { snapshot } else { nil } }

  /// The committed version the session is on; nil while it holds none.
  @inline(__always)
  var root: Root? { state.root }

  /// The write the session is in.
  var write: WriteTransaction? { state.write }

  @inline(__always)
  var isInWrite: Bool { state.isWriting }

  // MARK: - Reading

  /// The version the session is on, nil if it holds none.
  var version: VersionID? { root?.version }

  /// Pins the newest version if none is held.
  @inline(__always)
  func read() {
    if _slowPath(!state.isShown) { look() }
  }

  /// Opens a version that was come to; pins none where none is held.
  func lookIfArrived() {
    if case .arrived = state { look() }
  }

  /// Pins the newest version if none is held, and opens what has not been opened yet.
  @inline(never)
  private func look() {
    // Asked before the pin is taken, which would be counted: most looks need none.
    if isFrozen { refuse(.frozenInvalidated) }
    switch state {
    case .idle: pin.map(beginRead)
    case .sealed(let root, let unwritten):
      do {
        for runs in unwritten { try runs.write() }
      } catch {
        // The failure is told where the commit is completed; but all who leave it know from now on.
        loseGroup()
        let lost = coordinator.writer.lostGroup(with: root.version) { coordinator.newestVersion }
        if let lost { coordinator.lostVersions.foresee(lost) }
        fallBack()
      }
    case .arrived, .reading, .writing, .closed: break
    }
    let root = state.look()
    doubt(root)
    let before = uncountedPin?._withUnsafeGuaranteedRef { $0.before }
    let isNext = before != nil && before == lastSeen
    lastSeen = root.version
    trees.show(root.top, in: coordinator.space, isNext: isNext)
    readSchema()
    sweepDepartures()
  }

  /// Stops where the shared memory names a version that is no node of the file: nothing that is
  /// read from there on would be true.
  @inline(__always)
  private func doubt(_ root: Root) {
    if root.isWaiting { return }
    do { try coordinator.requireNode(root) } catch { fatalError("\(error)") }
  }

  private func beginRead(_ pin: Pin) {
    do {
      try coordinator.requireSameProcess()
    } catch {
      fatalError("\(error)")
    }
    showNewest(pin)
  }

  /// Shows the newest version that there is.
  func showNewest() {
    if let pin { showNewest(pin) }
  }

  private func showNewest(_ pin: Pin) {
    pin.advance()
    guard let root = pin.root else { broken("the newest version is pinned, and there is none") }
    arrive(at: root)
  }

  /// Shows a version that somebody else keeps meanwhile.
  ///
  /// - Parameter unwritten: What somebody is still to write to the file of it.
  func show(_ version: Root, unwritten: [ComposedRuns] = []) {
    pin?.adopt(version)
    arrive(at: version, unwritten: unwritten)
  }

  /// Whether its own pin holds a version.
  func isPinned(_ version: Root) -> Bool { pin?.root?.isSame(as: version) ?? true }

  /// Shows the version anew, as it is without a write.
  func showCommitted() {
    if let root { arrive(at: root) }
  }

  /// Comes to a version that its pin holds: it is looked into when somebody reads.
  func arrive(at root: Root, unwritten: [ComposedRuns] = []) {
    if let left = state.root, left.version != root.version { willLeave(left) }
    state.arrive(at: root, unwritten: unwritten)
    if let known = lastFrozen, !root.isSame(as: known.root) { lastFrozen = nil }
    contentChanged()
    noteQuiet()
  }

  /// The version that is left may be lost, which will be told later: from here on nobody is found
  /// of it, and what is found must not be taken back with it then.
  @inline(__always)
  private func willLeave(_ left: Root) {
    if _fastPath(writes.number == 0) { return }
    if coordinator.lostVersions.group(of: left.version) != nil { loseGroup() }
  }

  /// Moves into a write, and to the version that it is based on.
  ///
  /// - Parameter old: The version that is left for that one, if there is one.
  func enter(_ transaction: WriteTransaction, from old: Root?) {
    if !isOn(transaction.base) {
      pin?.adopt(transaction.base)
      arrive(at: transaction.base)
      if let old { followDeletions(since: old.version) }
    }
    state.begin(transaction)
    trees.show(transaction)
    if trees.shown.rowsMoved == nil {
      trees.shown.rowsMoved = { [unowned self] in contentChanged() }
    }
    readSchema()
    sweepDepartures()
  }

  /// The write has ended: what was committed of it, or what was there before, is still to be shown.
  func leaveWrite() { state.endWrite() }

  /// What the write made is the version, or will be: the next write may go on with its trees. Nil
  /// if it is lost.
  func keepTrees(as version: VersionID?) {
    if let version { trees.keep(as: version) } else { trees.forgetWrite() }
  }

  /// Shows the newest version that is there, after sealed writes could not be made durable.
  func fallBack() {
    let lost = root
    trees.forgetWrite()
    listeners?.didFail()
    pin?.release()
    showNewest()
    // Others may have committed before it was known here.
    if let lost { followDeletions(since: lost.version) }
  }

  // MARK: - Steps to other versions

  /// Every step begins with this: what listeners know is kept before it is left.
  ///
  /// - Returns: the version that is left, with which `didStep` ends the step; nil if none is shown.
  func willStep() -> Root? {
    let old = root
    if let old { listeners?.willAdvance(self, from: old) }
    return old
  }

  /// Every step ends with this: who knows the version that was left is told of the one that is
  /// shown now.
  func didStep(from old: Root?) {
    if let old, let root, !root.isSame(as: old) {
      listeners?.didAdvance(self, from: old, to: root)
    }
  }

  /// Moves to the newest version.
  ///
  /// - Returns: whether it is another one than before.
  func advance() -> Bool {
    guard let pin, !isInWrite else { return false }
    // A sealed write of this session is newer than what others can see.
    if let root, rb_load_acquire(hot.pointee.published) <= root.version.number { return false }
    let old = willStep()
    showNewest(pin)
    if let old { followDeletions(since: old.version) }
    didStep(from: old)
    return true
  }

  /// `advance` where nobody listens and nothing of the session's own is under way; false if that is
  /// not so.
  ///
  /// It counts no reference: those that `advance` counts are half of what it costs.
  @inline(__always)
  func advanceUnheard() -> Bool {
    guard hot.pointee.isUnheard, lastFrozen == nil, let known = state.rootToLeave,
      rb_load_acquire(hot.pointee.published) > known.version.number,
      let uncountedPin, let uncountedListeners,
      uncountedListeners._withUnsafeGuaranteedRef({ !$0.isTelling })
    else { return false }
    let newest = uncountedPin._withUnsafeGuaranteedRef { pin -> Root? in
      pin.advance()
      return pin.root
    }
    guard let newest else { broken("\(known.version) is left for no version") }
    willLeave(known)
    state.arrive(at: newest, unwritten: [])
    contentChanged()
    followDeletions(since: known.version)
    hot.pointee.quietAt = newest.version.number
    uncountedListeners._withUnsafeGuaranteedRef { $0.didAdvanceUnheard() }
    return true
  }

  /// Moves to a version that somebody else keeps pinned meanwhile: what a notifier computed its
  /// news for.
  func advance(to target: Root) {
    if isFrozen || isInWrite { return }
    if let root, root.version >= target.version { return }
    let old = willStep()
    show(target)
    if let old { followDeletions(since: old.version) }
    didStep(from: old)
  }

  /// Moves to a version that this process has committed and that is still on its way to the disk,
  /// because something of it has come here; if there is none it stays.
  func advanceToSealed(_ target: VersionID) {
    guard let pin, coordinator.writer.hasSealed(target), let old = willStep() else { return }
    guard let sealed = coordinator.writer.pinSealed(target, with: pin) else {
      listeners?.didStay()
      return
    }
    shownElsewhere = sealed.group
    show(sealed.root, unwritten: sealed.composed)
    readSealed(since: old.version)
    didStep(from: old)
  }

  /// A snapshot of the version the session is on; inside a write, of the one the write began with.
  var committedSnapshot: Snapshot { committedSnapshot(for: .frozen) }

  /// The same, and what it is to be for: a notifier's keeps the records of what comes after it.
  func committedSnapshot(for kind: PinKind) -> Snapshot {
    if let frozenSnapshot { return frozenSnapshot }
    read()
    do {
      write?.settleBase()
      // It is lost, which the commit will tell.
      if write?.isBaseLost == true { return try coordinator.newestSnapshot(kind: .frozen) }
      do {
        try placeSealed()
      } catch {
        // It is lost, which its completion is told: what is there can be frozen.
        return try coordinator.newestSnapshot(kind: kind)
      }
      guard let root else { refuse(.frozenInvalidated) }
      return try coordinator.snapshot(of: root, kind: kind)
    } catch {
      fatalError("version \(root?.version ?? VersionID(0)) cannot be frozen: \(error)")
    }
  }

  /// Lets what this session has sealed have its place in the file, where others can look at it, and
  /// reads it there.
  ///
  /// - Parameter isForLater: whether the writing is left to whoever brings it to the disk, or to
  ///   the next look.
  func placeSealed(isForLater: Bool = false) throws {
    guard let pin, let known = root, known.isWaiting else { return }
    let placed = try coordinator.place(known, isForLater: isForLater)
    pin.adopt(placed)
    coordinator.writer.reveal(placed)
    // In a write its own trees are shown, which know the nodes under both places.
    if isInWrite { return state.place(placed) }
    arrive(at: placed, unwritten: coordinator.writer.composed)
  }

  /// The frozen session of a version.
  func frozenSession(at snapshot: Snapshot) -> Session {
    Session(snapshot: snapshot, like: self)
  }

  /// Ends the session's life: its objects become invalid, its version is let go.
  ///
  /// Not from inside a listener's call. What was committed asynchronously is waited for.
  func invalidate() {
    if isFrozen { return close() }
    if listeners?.isTelling == true { return }
    if isInWrite { cancelWrite() }
    pendingWrites?.close()
    listeners?.endObservers()
    // Who was told of an end may have begun a write.
    while isInWrite { cancelWrite() }
    guard let root, let pin else { return }
    listeners?.willInvalidate(root)
    beginAnotherLife()
    departures = Departures()
    state.leave()
    lastFrozen = nil
    pin.release()
    trees = SessionTrees(of: coordinator.space)
    contentChanged()
    noteQuiet()
  }

  /// Whether a frozen session was invalidated, and can no longer be read.
  var isClosed: Bool { state.isClosed }

  /// Ends a frozen session. Its version stays pinned as long as somebody refers to the session:
  /// another thread may be in the middle of a read.
  private func close() {
    if isClosed { return }
    state.close()
    beginAnotherLife()
    contentChanged()
  }

  /// Makes all objects and collections invalid that there are.
  func beginAnotherLife() { epoch += 1 }

  /// Notes up to which version `refresh` has nothing to do: with listeners that have something to
  /// hear it always may.
  func noteQuiet() {
    let isQuiet = listeners.map { !$0.hasObservers } ?? false
    hot.pointee.quietAt = isQuiet ? root?.version.number ?? 0 : 0
    hot.pointee.isUnheard = isQuiet && listeners?.hasRealmListeners == false
  }

  /// Tells everything that remembers a place or a result that it may be out of date.
  @inline(__always)
  func contentChanged() {
    hot.pointee.generation &+= 1
    if _slowPath(hot.pointee.generation == 0) { hot.pointee.generation = 1 }
    if let clock = hot.pointee.clock { rb_instant_pass(clock) }
  }
}
