import CShims
import Foundation

/// The state behind a `Realm`: who may use it, the version it shows, the write it is in.
///
/// Everything but `configuration`, `scheduler`, `isFrozen` and the session's identity is touched
/// only where the session is at home; a frozen session never changes, and is at home everywhere.
///
/// A session is in one of three states: it holds no version (just opened or invalidated; the next
/// read pins the newest), it reads a version (`root`), or it is in a write (`write`), whose pending
/// tree it reads.
///
/// What every read looks at is exempt from the runtime's check for exclusive access, here and in
/// what a session holds: it is used by one thread at a time and calls nobody while it looks, and a
/// check costs 5 ns, of which a lookup had a dozen.
@usableFromInline
final class Session: @unchecked Sendable {
  // Sendable because a live session is only used at home, which `verify` sees to, and a frozen one
  // is immutable.
  let configuration: Realm.Configuration
  /// The same, as what is handed to other places knows it.
  let origin: Origin
  let coordinator: Coordinator
  /// Where the session lives.
  let scheduler: any Scheduler
  let isFrozen: Bool
  /// What others know it by, without keeping it.
  let tie = SessionTie()
  /// Shared with all objects of the session; freed with it.
  @usableFromInline let hot: UnsafeMutablePointer<HotWord>

  /// The hold on the version of a live session.
  let pin: Pin?
  /// The same and `listeners`, for whoever looks at them without counting.
  private let hold: Unmanaged<Pin>?
  private var ears: Unmanaged<Listeners>?
  /// The version of a frozen session.
  let frozenSnapshot: Snapshot?
  /// The committed version the session is on, nil while it holds none.
  @exclusivity(unchecked) private(set) var root: Root?
  /// What the session has sealed and somebody is still to write to the file: before `root` is
  /// looked into, or in the background.
  private var composed: [ComposedRuns] = []
  /// The write the session is in.
  @exclusivity(unchecked) var write: WriteTransaction?
  /// What is read now: the version, or the write's pending tree.
  var store: Store {
    if _slowPath(isUnopened) { look() }
    return shownStore
  }
  @exclusivity(unchecked) private var shownStore: Store
  /// What showed versions before a write was shown, to do so again.
  private var resting: Store?
  /// The trees of the last write, and the version that it became: from there the next one goes on.
  private var written: (trees: Store, version: VersionID)?
  /// Whether nobody has looked yet into the version that the session came to: its trees and its
  /// schema are opened when somebody does. For ever so in a frozen session that was closed.
  @exclusivity(unchecked) private var isUnopened = false

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
  /// The steps whose deletions are still to be read, while what was sealed elsewhere is shown: the
  /// version that was left, and the state that came of it.
  @exclusivity(unchecked) var unread: [(since: VersionID, generation: UInt32)] = []
  /// Lets others read what is deleted as long as something of a frozen session may be thawed.
  private var keeper: DeletedRows.Keeper?
  /// The policy with which objects that are linked to are added.
  @exclusivity(unchecked) var updatePolicy = Realm.UpdatePolicy.error
  /// What `create` has copied the objects to that it was given, while it runs.
  @exclusivity(unchecked) var copies: [Original: ObjectBase]?
  /// Whether a migration is running: primary keys may be set until it ends.
  @exclusivity(unchecked) var isMigrating = false

  /// The classes that it knows.
  let classes: KnownClasses
  /// The same, found without a detour.
  let shelf: ClassShelf
  /// The file's schema at the version that is read.
  var stored: StoredSchema {
    get {
      if _slowPath(isUnopened) { look() }
      return shownSchema
    }
    set {
      shownSchema = newValue
      rowTies = [:]
    }
  }
  @exclusivity(unchecked) private var shownSchema = StoredSchema()
  /// By table, once somebody has deleted a row of it.
  @exclusivity(unchecked) private var rowTies: [Int: RowTies] = [:]

  /// What has to be seen to when rows of a table go.
  func ties(of number: Int) -> RowTies {
    if let known = rowTies[number] { return known }
    let ties = RowTies(of: number, in: stored, store)
    rowTies[number] = ties
    return ties
  }
  /// The node `stored` was read from. Another one may lie in its place when it is gone, so what is
  /// known by it is forgotten with it.
  var storedRef = NodeRef.none {
    didSet { classes.forgetFrozen() }
  }
  /// Whether the session is only being opened, and what was wrong with the schema then.
  var isOpening = false
  var openingProblem: (any Error)?

  /// A live session.
  init(
    _ configuration: Realm.Configuration, coordinator: Coordinator, scheduler: any Scheduler
  ) throws {
    self.configuration = configuration
    origin = Origin(configuration, coordinator)
    try coordinator.requirePlausibleBoard()
    self.coordinator = coordinator
    self.scheduler = scheduler
    classes = KnownClasses()
    shelf = classes.shelf
    isFrozen = false
    let pin = try Pin(coordinator: coordinator, kind: .live)
    self.pin = pin
    hold = .passUnretained(pin)
    frozenSnapshot = nil
    shownStore = Store(space: coordinator.space, top: .none)
    hot = Session.makeHotWord(
      token: scheduler.threadToken, mask: .max, coordinator, scheduler.sign)
    if UInt(rb_token_get()) == hot.pointee.token { hot.pointee.clock = rb_instant_clock() }
    tie.bind(self)
    if !configuration.readOnly {
      let listeners = try Listeners(of: self)
      self.listeners = listeners
      ears = .passUnretained(listeners)
    }
  }

  /// The frozen session of a version.
  ///
  /// - Parameter mayThaw: Whether anything of it may be thawed.
  init(
    _ configuration: Realm.Configuration, snapshot: Snapshot, like live: Session,
    mayThaw: Bool = true
  ) {
    self.configuration = configuration
    origin = live.origin
    coordinator = snapshot.coordinator
    scheduler = FrozenScheduler.shared
    isFrozen = true
    pin = nil
    hold = nil
    frozenSnapshot = snapshot
    root = snapshot.root
    isAutorefreshing = false
    shownStore = Store(
      space: coordinator.space, top: snapshot.top, isShared: true, after: live.shownStore)
    hot = Session.makeHotWord(token: scheduler.threadToken, mask: 0, coordinator)
    let shared = live.frozenClasses(at: shownStore.schemaRef)
    classes = KnownClasses(sharing: shared)
    shelf = classes.shelf
    tie.bind(self)
    // Every class is bound now, because a frozen session must not change when it is read from many
    // threads.
    if let shared {
      (shownSchema, storedRef) = (live.shownSchema, shared.schemaRef)
    } else {
      readSchema()
      for known in live.classes.byType.values { _ = bind(known.layout) }
    }
    let keyed = mayThaw ? keyedTables : []
    if !keyed.isEmpty {
      keeper = coordinator.deletedRows.keeper(of: keyed, since: snapshot.version)
    }
    classes.share()
  }

  /// The classes for what is frozen of this session, if that has the schema which is read here.
  private func frozenClasses(at ref: NodeRef) -> FrozenClasses? {
    if isFrozen || isInWrite || isUnopened || ref.isNone || ref != storedRef { return nil }
    return classes.freeze(of: self, at: ref)
  }

  private static func makeHotWord(
    token: UInt, mask: UInt, _ coordinator: Coordinator, _ sign: HomeSign = .none
  ) -> UnsafeMutablePointer<HotWord> {
    // A line of its own: whoever has memory beside it would take it away from the session with
    // every store.
    let hot = UnsafeMutableRawPointer.allocate(
      byteCount: (MemoryLayout<HotWord>.size + 63) & ~63, alignment: 64
    ).bindMemory(to: HotWord.self, capacity: 1)
    hot.initialize(
      to: HotWord(
        token: token, mask: mask, base: coordinator.space.base, generation: 1,
        published: coordinator.board.published, sign: sign))
    return hot
  }

  deinit {
    tie.cut()
    if !isFrozen { Logger.tell(.detail, "Close file: \(configuration.path)") }
    // The thread may have ended, and its clock with it.
    hot.pointee.clock = nil
    // Nobody is left who could commit it.
    write?.cancel()
    hot.deallocate()
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

  var isInWrite: Bool { write != nil }

  // MARK: - Reading

  /// The version the session is on, nil if it holds none.
  var version: VersionID? { root?.version }

  /// Pins the newest version if none is held.
  @inline(__always)
  func read() {
    if _slowPath(root == nil || isUnopened) { look() }
  }

  /// Pins the newest version if none is held, and opens what has not been opened yet.
  @inline(never)
  private func look() {
    guard let pin else {
      refuse(.frozenInvalidated)
    }
    if root == nil { beginRead(pin) }
    if !composed.isEmpty {
      let composed = composed
      self.composed = []
      // The failure is told where the commit is completed.
      do { for runs in composed { try runs.write() } } catch { fallBack() }
    }
    isUnopened = false
    if let root { doubt(root) }
    open(root?.top ?? .none)
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

  private func open(_ version: NodeRef) {
    if isKnownUniquelyReferenced(&shownStore), shownStore.show(version) { return }
    if let rested = resting.take(), rested.show(version) {
      shownStore = rested
    } else {
      shownStore = Store(space: coordinator.space, top: version)
    }
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
    root = pin.root
    showCommitted()
  }

  /// Shows a version that somebody else keeps meanwhile.
  ///
  /// - Parameter composed: What somebody is still to write to the file of it.
  func show(_ version: Root, composed: [ComposedRuns] = []) {
    pin?.adopt(version)
    root = version
    showCommitted()
    self.composed = composed
  }

  /// Shows what a write makes of the version.
  func show(_ write: WriteTransaction) {
    if shownStore.trees == nil, isKnownUniquelyReferenced(&shownStore) { resting = shownStore }
    shownStore = goneOn(to: write) ?? opened(by: write)
    isUnopened = false
    readSchema()
  }

  private func opened(by write: WriteTransaction) -> Store {
    let store = Store(writing: write)
    store.rowsMoved = { [unowned self] in contentChanged() }
    return store
  }

  private func goneOn(to write: WriteTransaction) -> Store? {
    guard let written, written.version == write.base.version, written.trees.goOn(with: write)
    else { return nil }
    return written.trees
  }

  /// What the write made is the version, or will be: the next write may go on with its trees. Nil
  /// if it is lost.
  func keepTrees(as version: VersionID?) {
    written = version.map { (shownStore, $0) }
  }

  /// Shows the newest version that is there, after sealed writes could not be made durable.
  func fallBack() {
    written = nil
    listeners?.didFail()
    pin?.release()
    showNewest()
  }

  /// Moves to the newest version.
  ///
  /// - Returns: whether it is another one than before.
  func advance() -> Bool {
    guard let pin, write == nil else { return false }
    let old = root
    // A sealed write of this session is newer than what others can see.
    if let old, rb_load_acquire(hot.pointee.published) <= old.version.number { return false }
    if let old { listeners?.willAdvance(self, from: old) }
    showNewest(pin)
    if let old { followDeletions(since: old.version) }
    if let old, let root { listeners?.didAdvance(self, from: old, to: root) }
    return true
  }

  /// `advance` where nobody listens and nothing of the session's own is under way; false if that is
  /// not so.
  ///
  /// It counts no reference: those that `advance` counts are half of what it costs.
  @inline(__always)
  func advanceUnheard() -> Bool {
    guard hot.pointee.isUnheard, write == nil, lastFrozen == nil, composed.isEmpty,
      let known = root, rb_load_acquire(hot.pointee.published) > known.version.number,
      let hold, let ears, ears._withUnsafeGuaranteedRef({ !$0.isTelling })
    else { return false }
    root = hold._withUnsafeGuaranteedRef {
      $0.advance()
      return $0.root
    }
    isUnopened = true
    contentChanged()
    followDeletions(since: known.version)
    hot.pointee.quietAt = root?.version.number ?? 0
    ears._withUnsafeGuaranteedRef { $0.didAdvanceUnheard() }
    return true
  }

  /// Moves to a version that somebody else keeps pinned meanwhile: what a notifier computed its
  /// news for.
  func advance(to target: Root) {
    guard pin != nil, write == nil else { return }
    let old = root
    if let old, old.version >= target.version { return }
    if let old { listeners?.willAdvance(self, from: old) }
    show(target)
    if let old { followDeletions(since: old.version) }
    if let old { listeners?.didAdvance(self, from: old, to: target) }
  }

  /// Moves to a version that this process has committed and that is still on its way to the disk,
  /// because something of it has come here; if there is none it stays.
  func advanceToSealed(_ target: VersionID) {
    guard let pin, let old = root, coordinator.writer.hasSealed(target) else { return }
    listeners?.willAdvance(self, from: old)
    guard let sealed = coordinator.writer.pinSealed(target, with: pin) else { return }
    show(sealed.root, composed: sealed.composed)
    unread.append((old.version, generation))
    listeners?.didAdvance(self, from: old, to: sealed.root)
  }

  /// A snapshot of the version the session is on; inside a write, of the one the write began with.
  var committedSnapshot: Snapshot {
    if let frozenSnapshot { return frozenSnapshot }
    read()
    do {
      do {
        try placeSealed()
      } catch {
        // It is lost, which its completion is told: what is there can be frozen.
        return try coordinator.newestSnapshot(kind: .frozen)
      }
      guard let root else { refuse(.frozenInvalidated) }
      return try coordinator.snapshot(of: root, kind: .frozen)
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
    root = placed
    coordinator.writer.announce(placed)
    // In a write its own trees are shown, which know the nodes under both places.
    if write != nil { return }
    showCommitted()
    composed = coordinator.writer.composed
  }

  /// The frozen session of a version.
  func frozenSession(at snapshot: Snapshot) -> Session {
    Session(configuration, snapshot: snapshot, like: self)
  }

  /// Ends the session's life: its objects become invalid, its version is let go.
  ///
  /// Not from inside a listener's call. What was committed asynchronously is waited for.
  func invalidate() {
    if isFrozen { return close() }
    if listeners?.isTelling == true { return }
    if write != nil { cancelWrite() }
    pendingWrites?.close()
    listeners?.endObservers()
    guard root != nil, let pin else { return }
    beginAnotherLife()
    (departures, unread) = (Departures(), [])
    root = nil
    composed = []
    lastFrozen = nil
    pin.release()
    (resting, written) = (nil, nil)
    shownStore = Store(space: coordinator.space, top: .none)
    isUnopened = false
    contentChanged()
    noteQuiet()
  }

  /// Whether a frozen session was invalidated, and can no longer be read.
  var isClosed: Bool { isFrozen && isUnopened }

  /// Ends a frozen session. Its version stays pinned as long as somebody refers to the session:
  /// another thread may be in the middle of a read.
  private func close() {
    if isUnopened { return }
    isUnopened = true
    beginAnotherLife()
    contentChanged()
  }

  /// Makes all objects and collections invalid that there are.
  func beginAnotherLife() { epoch += 1 }

  /// Shows the version anew, as it is without a write.
  func showCommitted() {
    if let known = lastFrozen, known.version != root?.version { lastFrozen = nil }
    composed = []
    isUnopened = true
    contentChanged()
    noteQuiet()
  }

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
