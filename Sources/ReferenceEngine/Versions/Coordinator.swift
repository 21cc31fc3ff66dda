import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a realm's bytes are.
enum StorageLocation: Equatable, Sendable {
  case file(path: String)
  case memory(identifier: String)

  static func == (left: StorageLocation, right: StorageLocation) -> Bool {
    switch (left, right) {
    case (.file(let one), .file(let other)), (.memory(let one), .memory(let other)):
      PathKey(one) == PathKey(other)
    case (.file, .memory), (.memory, .file): false
    }
  }
}

/// How a file is to be opened.
struct StorageConfiguration: Sendable {
  var location: StorageLocation
  var isReadOnly = false
  /// How commits become durable unless they say otherwise.
  var commitProtocol = CommitProtocol.twoPhase
  /// Compares the checksum of each node when it is read for the first time: of a damaged file
  /// nothing wrong is read then.
  var checksEverything = false
  /// A file whose newest version a new one begins with.
  var seedPath: String?
  /// Whether a file that nobody else has open is rewritten without gaps before it is opened, given
  /// its size and the bytes in use.
  var shouldCompact: (@Sendable (_ total: Int, _ used: Int) -> Bool)?
  var tree = NodeTree.trees
  /// The tables of a version in which a row may have the key of one that was deleted: the floors
  /// above know. Nil for whoever opens a file only to look at it.
  var tablesOfReusedKeys: (@Sendable (Top) -> Set<UInt32>)?
  /// What it is opened with.
  var seams = Seams.given

  /// What errors call the file.
  var name: String {
    switch location {
    case .file(let path): path
    case .memory(let identifier): identifier
    }
  }
}

/// One file, as this process has it open: joins disk, mapping, gate, pins and beacon.
///
/// There is one for each file in a process, shared by all realms and threads. It lives as long as a
/// pin, a snapshot, a write or somebody's reference does; with the last one the file is closed.
///
/// Any thread may call anything here. What belongs to the writer (`writer`) is touched inside the
/// gate only.
final class Coordinator: @unchecked Sendable {
  // Sendable because its parts are, but `writer`, which the gate guards.
  let configuration: StorageConfiguration
  let path: String
  let disk: any Disk
  let mapping: Mapping
  let space: NodeSpace
  let lock: LockFile
  let board: VersionBoard
  let pins: PinTable
  let gate: any Gate
  let beacon: any Beacon
  let writer: Writer
  let requests = WriteRequests()
  let rememberedRows = RememberedRows()
  let deletedRows = DeletedRows()
  let lostVersions = LostVersions()
  /// What others know it by, without keeping it.
  let tie = Tie<Coordinator>()
  /// Among all that this process has opened.
  let number = Coordinator.opened.add(1, ordering: .relaxed).newValue
  private static let opened = Atomic(0)
  let recordMark: RecordMark
  /// Whether it was opened without a lock file, and so to be read only.
  let isAlone: Bool
  /// Which file was opened under the name; nil if it has none.
  private let identity: FileStatus.Identity?
  /// What the floors above remember of the file, for all who have it open here.
  let remembered = Mutex<(any Sendable)?>(nil)
  private let forks = rb_fork_count()
  /// False in a child of the process that opened the file.
  var isOfThisProcess: Bool { forks == rb_fork_count() }
  /// How long the file is at least, as far as anybody here has asked.
  let knownSize = Atomic<UInt64>(0)

  /// Lock "known snapshots" of docs/CONCURRENCY.md, held for a search only.
  let snapshots = Mutex(KnownSnapshots())

  private struct Ears {
    /// In the order in which they came, and so of their numbers.
    var listeners: [(number: Int, body: @Sendable (VersionID) -> Void)] = []
    var nextListener = 0
    /// What was the newest version when the first of them came.
    var since = VersionID(0)
  }
  /// Lock "ears" of docs/CONCURRENCY.md: guards who is told of commits, and whether other processes
  /// are listened to.
  private let ears = Mutex(Ears())
  /// Whether the system gave no thread to listen with, and is asked again.
  let asksAgain = Atomic(false)
  /// Whether the beacon listens. Changed under the lock "ears".
  private let hears = Atomic(false)
  /// Whether who listens here hears of other processes already.
  var isHearing: Bool { hears.load(ordering: .relaxed) }

  // MARK: opening

  /// One file of those that the process has open, or is opening.
  private final class Entry: Sendable {
    /// Lock "opening a file" of docs/CONCURRENCY.md: makes the second opener of a file wait for the
    /// first.
    let file = Mutex<Tie<Coordinator>?>(nil)
    /// The thread that opens it; 0 if none does.
    let opener = Atomic<UInt32>(0)
    /// How many are about to use the entry. Touched under the registry's lock.
    nonisolated(unsafe) var users = 0
    let forks = rb_fork_count()
  }
  /// Lock "registry" of docs/CONCURRENCY.md: guards which files this process has open, held for an
  /// array's access only.
  private static let registry = Mutex(ByPath<Entry>())

  /// What the file was opened with.
  var seams: Seams { configuration.seams }
  var moments: any Moments { configuration.seams.moments }

  private static func key(_ path: String, isReadOnly: Bool) -> PathKey {
    PathKey((isReadOnly ? "read-only:" : "file:") + path)
  }

  /// The coordinator of a file; opens the file if this process does not have it open.
  static func open(_ configuration: StorageConfiguration) throws -> Coordinator {
    var place: String?
    let key: PathKey
    switch configuration.location {
    case .memory(let identifier): key = PathKey("memory:\(identifier)")
    case .file(let path):
      let name = try canonical(path)
      place = name
      key = Coordinator.key(name, isReadOnly: configuration.isReadOnly)
    }
    var isNew = false
    let entry = registry.withLock { known -> Entry in
      let entry: Entry
      // A forked child has its parent's entries, and perhaps the lock of one that a thread held
      // which it has not.
      if let found = known[key], found.forks == rb_fork_count() {
        entry = found
      } else {
        entry = Entry()
        known[key] = entry
      }
      entry.users += 1
      return entry
    }
    defer {
      registry.withLock { known in
        entry.users -= 1
        // Files that are not open any more go when another one is opened.
        if !isNew { return }
        known.keep { $0.users > 0 || $0.file.withLock { $0?.isBound ?? false } }
      }
    }
    if entry.opener.load(ordering: .relaxed) == rb_thread_id() {
      throw StorageError.inUse(
        path: configuration.name, reason: "it is just being opened by the code that asks for it")
    }
    configuration.seams.moments.wait(at: .openerAwaited) {
      entry.opener.load(ordering: .relaxed) == 0
    }
    return try entry.file.withLock { file in
      if let found = file?.thing {
        try found.requireItsName()
        if configuration.checksEverything { found.mapping.compareAll() }
        return found
      }
      entry.opener.store(rb_thread_id(), ordering: .relaxed)
      defer { entry.opener.store(0, ordering: .relaxed) }
      isNew = true
      let made =
        try place.map { try Coordinator(configuration, at: $0) } ?? Coordinator(configuration)
      file = made.tie
      return made
    }
  }

  /// Whether this process has a file open.
  static func isOpen(_ path: String) -> Bool {
    guard let path = try? canonical(path) else { return false }
    return registry.withLock { known in
      [true, false].compactMap { known[key(path, isReadOnly: $0)] }
    }.contains { entry in
      // Who is just opening it has not come in yet, and may wait for whoever asks.
      entry.file.withLockIfAvailable { $0?.isBound ?? false } ?? false
    }
  }

  /// The same file under its one name: links and dots resolved, also of a file that does not exist
  /// yet.
  ///
  /// - Throws: if a link leads to a name that is no text: what could be made of it would be the
  ///   name of another file.
  static func canonical(_ path: String) throws -> String {
    let slash = UInt8(ascii: "/")
    let asked = path
    if isWhole(path), path.withCString(rb_leads_straight) != 0 { return path }
    func text(_ name: UnsafePointer<CChar>) throws -> String {
      if let text = String(validatingCString: name) { return text }
      throw StorageError.failed(
        path: asked, operation: "open",
        reason: "it leads to '\(String(cString: name))', a name that is not UTF-8; rename what has "
          + "it, or name a file elsewhere", code: EILSEQ)
    }
    func resolved(_ path: String) throws -> String? {
      guard let name = realpath(path, nil) else { return nil }
      defer { free(name) }
      return try text(name)
    }
    func canonical(_ path: String, links: Int) throws -> String {
      if let whole = try resolved(path) { return whole }
      // By bytes: what follows a slash may belong to the same character.
      guard let last = path.utf8.lastIndex(of: slash) else {
        return try canonical((resolved(".") ?? "") + "/" + path, links: links)
      }
      let folder = String(path[..<last])
      let place = try resolved(folder.isEmpty ? "/" : folder) ?? folder
      // A link to a file that is still to be made.
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &target, target.count - 1)
      guard count > 0, links > 0 else {
        let name = String(path[path.utf8.index(after: last)...])
        return place.utf8.last == slash ? place + name : place + "/" + name
      }
      let name = try target.withUnsafeBufferPointer { try text($0.baseAddress!) }
      return try canonical(name.utf8.first == slash ? name : place + "/" + name, links: links - 1)
    }
    return try canonical(path, links: 40)
  }

  /// Whether a name begins at the root and has nothing in it that leads elsewhere or nowhere: so it
  /// is the file's one name, unless there are links.
  private static func isWhole(_ path: String) -> Bool {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    // Of the part behind the last slash: how many bytes it has, and whether all are dots.
    var (length, isDots) = (-1, false)
    for byte in path.utf8 {
      if byte == 0 { return false }
      if byte != slash {
        if length < 0 { return false }
        length += 1
        isDots = isDots && byte == dot
        continue
      }
      if length == 0 || length > 0 && length < 3 && isDots { return false }
      (length, isDots) = (0, true)
    }
    return length > 0 && !(length < 3 && isDots)
  }

  /// Opens without asking the registry: two coordinators of one file in a process behave like two
  /// processes.
  convenience init(_ configuration: StorageConfiguration) throws {
    switch configuration.location {
    case .memory(let identifier):
      try self.init(
        configuration, disk: try PosixDisk(memoryNamed: identifier), lockPath: nil)
    case .file(let path):
      try self.init(configuration, at: try Coordinator.canonical(path))
    }
  }

  /// - Parameter place: the file's one name.
  private convenience init(_ configuration: StorageConfiguration, at place: String) throws {
    try self.init(configuration, try Joining(configuration, at: place).join(), isNamed: true)
  }

  /// Opens a file only to look at it, beside which nobody has made a lock file: none is made for
  /// it.
  static func alone(_ configuration: StorageConfiguration, path: String) throws -> Coordinator {
    let joining = Joining(configuration, at: try canonical(path))
    return try Coordinator(configuration, joining.look(), isNamed: false)
  }

  /// Opens a disk that nobody replaces.
  ///
  /// - Parameter lockPath: where the shared memory lies; nil if nobody else can have the file open.
  convenience init(
    _ configuration: StorageConfiguration, disk: any Disk, lockPath: String?
  ) throws {
    let joined = try Joining.join(configuration, disk, lockPath: lockPath)
    try self.init(configuration, joined, isNamed: false)
  }

  private init(
    _ configuration: StorageConfiguration, _ joined: Joining.Joined, isNamed: Bool
  ) throws {
    self.configuration = configuration
    disk = joined.disk
    path = joined.disk.path
    mapping = joined.mapping
    lock = joined.lock
    identity = isNamed ? joined.lock.identity : nil
    isAlone = joined.isAlone
    space = mapping.space
    knownSize.store(mapping.knownSize, ordering: .relaxed)
    board = VersionBoard(base: lock.base)
    pins = PinTable(lock: lock)
    recordMark = RecordMark(pins, board)
    gate = configuration.seams.gate(lock)
    beacon = configuration.seams.beacon(lock)
    writer = Writer(space: space, tree: configuration.tree)
    tie.bind(self)
    if isNamed { for row in OrphanedRows.take(of: path) { adopt(row, of: nil) } }
  }

  deinit {
    tie.cut()
    let rows = rememberedRows.living
    if disk.isMemory {
      // What comes under the name later is something else.
      for row in rows { row.markGone(in: VersionID(0)) }
    } else if identity != nil {
      OrphanedRows.leave(rows, of: path)
    }
    disk.close()
  }

  /// Throws if the name leads to another file by now, or to none: what is written here, nobody
  /// would find there.
  func requireItsName() throws {
    guard let identity else { return }
    let now = FileStatus(at: path)
    if now?.identity == identity { return }
    if now == nil, errno != ENOENT, errno != ENOTDIR { return }
    throw StorageError.replaced(
      path: path,
      reason: now == nil
        ? "it was removed while it is open here"
        : "it was replaced while the former one is open here")
  }

  /// Throws if this process is a child of the one that opened the file.
  func requireSameProcess() throws {
    if forks != rb_fork_count() { throw StorageError.forked(path: path) }
  }

  // MARK: reading

  var newestVersion: VersionID { board.newest }

  /// A snapshot of the newest version.
  func newestSnapshot(kind: PinKind) throws -> Snapshot {
    try requireSameProcess()
    let snapshot = try Snapshot(newestIn: self, kind: kind)
    try requireSound(snapshot.root)
    return snapshot
  }

  /// The snapshot of a version that the caller keeps pinned meanwhile; one for all who ask for the
  /// same purpose.
  func snapshot(of root: Root, kind: PinKind) throws -> Snapshot {
    try requireSameProcess()
    if let found = snapshots.withLock({ $0.find(root, kind) }) { return found }
    let made = try Snapshot(root, kind: kind, coordinator: self)
    // Not let go of before the lock is: it would wait for it.
    return withExtendedLifetime(made) {
      snapshots.withLock { known in
        // Another thread may have made one meanwhile.
        if let found = known.find(root, kind) { return found }
        known.add(made, kind)
        return made
      }
    }
  }

  /// What changed after `version`, up to and including `root`; nil if the records are gone or did
  /// not tell, and the versions have to be compared. The caller keeps both pinned, the older one as
  /// live or for a notifier.
  func changes(after version: VersionID, upTo root: Root) -> ChangeSet? {
    // A version that was lost is no ancestor of those that came instead.
    guard version <= root.version,
      let logs = ChangeLog.chain(from: root, downTo: version, in: space),
      logs.allSatisfy(\.knowsRows), logs.last.map({ $0.base == version }) ?? true
    else { return nil }
    return ChangeSet(logs.reversed().flatMap(\.changes))
  }

  /// How many rows changed after `version` up to `root`, counted no further than to a limit; the
  /// limit if the records do not tell. The same is asked of the caller.
  func changedRows(after version: VersionID, upTo root: Root, limit: Int) -> Int {
    guard version <= root.version,
      let logs = ChangeLog.chain(from: root, downTo: version, in: space)
    else { return limit }
    var rows = 0
    for log in logs where rows < limit {
      rows += log.knowsRows ? log.rowCount(upTo: limit) : limit
    }
    return min(rows, limit)
  }

  /// The number of versions that someone reads, the newest included.
  var activeVersionCount: Int {
    var versions = Set(pins.readVersions())
    versions.insert(board.newest)
    return versions.count
  }

  // MARK: news

  /// Calls `body` for each new version until `unlisten`: on the thread that committed it here, or
  /// on the beacon's. It must be quick: it stands between the commit and its return.
  ///
  /// Of what other processes commit nobody is told before somebody has called `hear`.
  func listen(_ body: @escaping @Sendable (VersionID) -> Void) -> Int {
    ears.withLock { ears in
      if ears.listeners.isEmpty { ears.since = newestVersion }
      ears.nextListener += 1
      ears.listeners.append((ears.nextListener, body))
      return ears.nextListener
    }
  }

  /// From now on whoever listens is told of what other processes commit, too, and at once if they
  /// have committed something since it came. Not in a forked child, to which the turns come that
  /// its parent awaited: nothing that is open there is to follow the parent's file.
  ///
  /// - Throws: if the system gives no thread to hear of it.
  func hear() throws {
    if hears.load(ordering: .relaxed) || !isOfThisProcess { return }
    let since = try ears.withLock { ears -> VersionID? in
      if hears.load(ordering: .relaxed) || ears.listeners.isEmpty { return nil }
      try beacon.listen { [tie] in tie.thing?.noteOthers() }
      hears.store(true, ordering: .relaxed)
      return ears.since
    }
    if let since, since < newestVersion { noteOthers() }
  }

  func unlisten(_ id: Int) {
    let wasLast = ears.withLock { ears -> Bool in
      guard let place = ears.listeners.firstIndex(where: { $0.number == id }) else { return false }
      ears.listeners.remove(at: place)
      guard ears.listeners.isEmpty else { return false }
      return hears.exchange(false, ordering: .relaxed)
    }
    // Outside the lock, because it waits for the beacon's thread; the beacon counts, so who comes
    // meanwhile needs no agreement with it. A forked child has the count, and no thread.
    if wasLast, forks == rb_fork_count() { beacon.stop() }
  }

  private func noteOthers() {
    followNewest()
    announce()
  }

  /// Tells the listeners that there may be a newer version. No lock is held.
  func announce() {
    if _slowPath(asksAgain.load(ordering: .relaxed)) { hearOrAskAgain() }
    let listeners = ears.withLock { $0.listeners }
    if listeners.isEmpty { return }
    let version = newestVersion
    for listener in listeners { listener.body(version) }
    moments.reach(.announced)
  }
}
