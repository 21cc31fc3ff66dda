import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a realm's bytes are.
enum StorageLocation: Hashable, Sendable {
  case file(path: String)
  case memory(identifier: String)
}

/// How a file is to be opened.
struct StorageConfiguration: Sendable {
  var location: StorageLocation
  var isReadOnly = false
  /// How commits become durable unless they say otherwise.
  var commitProtocol = CommitProtocol.twoPhase
  /// Beginning a write fails while more versions than this are alive.
  var maximumActiveVersions: UInt?
  /// Walks all nodes and compares their checksums before anything is read: a damaged file is then refused instead of read
  /// wrongly.
  var checksEverything = false
  var tree = NodeTree.trees
}

/// One file, as this process has it open: joins disk, mapping, gate, pins and beacon.
///
/// There is one for each file in a process, shared by all realms and threads. It lives as long as a pin, a snapshot, a write or
/// somebody's reference does; with the last one the file is closed.
///
/// Any thread may call anything here. What belongs to the writer (`writer`) is touched inside the gate only.
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
  /// What the floors above remember of the file, for all who have it open here.
  let remembered = Mutex<(any Sendable)?>(nil)
  private let forks = rb_fork_count()
  /// How long the file is at least, as far as anybody here has asked.
  let knownSize = Atomic<UInt64>(0)

  private struct Caches {
    var snapshots: [SnapshotKey: WeakSnapshot] = [:]
    /// At so many the dead entries are dropped; doubled with the living, so that it costs little for each.
    var snapshotLimit = 64
    var listeners: [Int: @Sendable (VersionID) -> Void] = [:]
    var nextListener = 0
  }
  /// By kind, too: the records of changes stay for a notifier's version, not for a frozen one.
  private struct SnapshotKey: Hashable {
    let version: VersionID
    let kind: PinKind
  }
  private struct WeakSnapshot {
    weak var snapshot: Snapshot?
  }
  /// Lock "caches" of docs/CONCURRENCY.md: guards what is cached, held for a dictionary's access only.
  private let caches = Mutex(Caches())

  // MARK: opening

  private struct WeakCoordinator {
    weak var coordinator: Coordinator?
  }
  /// Lock "registry" of docs/CONCURRENCY.md: guards which files this process has open.
  private static let registry = Mutex<[String: WeakCoordinator]>([:])

  /// Asked for anew each time: somebody may wish to die at a moment of a commit that has begun.
  var moments: any Moments { Seams.current.moments }

  /// The coordinator of a file; opens the file if this process does not have it open.
  static func open(_ configuration: StorageConfiguration) throws -> Coordinator {
    let key: String
    switch configuration.location {
    case .memory(let identifier): key = "memory:\(identifier)"
    case .file(let path):
      key = (configuration.isReadOnly ? "read-only:" : "file:") + canonical(path)
    }
    return try registry.withLock { open in
      if let found = open[key]?.coordinator, found.forks == rb_fork_count() { return found }
      let made = try Coordinator(configuration)
      open = open.filter { $0.value.coordinator != nil }
      open[key] = WeakCoordinator(coordinator: made)
      return made
    }
  }

  /// The same file under its one name: links and dots resolved, also of a file that does not exist yet.
  static func canonical(_ path: String) -> String {
    func resolved(_ path: String) -> String? {
      guard let name = realpath(path, nil) else { return nil }
      defer { free(name) }
      return String(cString: name)
    }
    if let whole = resolved(path) { return whole }
    guard let slash = path.lastIndex(of: "/") else { return (resolved(".") ?? "") + "/" + path }
    let folder = String(path[..<slash])
    return (resolved(folder.isEmpty ? "/" : folder) ?? folder) + path[slash...]
  }

  /// Opens without asking the registry: two coordinators of one file in a process behave like two processes.
  convenience init(_ configuration: StorageConfiguration) throws {
    let seams = Seams.current
    switch configuration.location {
    case .memory(let identifier):
      try self.init(
        configuration, disk: try PosixDisk(memoryNamed: identifier), lockPath: nil)
    case .file(let path):
      let writable = !configuration.isReadOnly
      let disk = try seams.disk(Coordinator.canonical(path), writable, writable)
      try self.init(configuration, disk: disk, lockPath: disk.path + ".lock")
    }
  }

  /// - Parameter lockPath: where the shared memory lies; nil if nobody else can have the file open.
  init(_ configuration: StorageConfiguration, disk: any Disk, lockPath: String?) throws {
    self.configuration = configuration
    self.disk = disk
    path = disk.path
    do {
      mapping = try Mapping(
        descriptor: disk.descriptor, path: disk.path, writable: disk.isMemory)
      lock = try Coordinator.join(configuration, disk: disk, lockPath: lockPath)
    } catch {
      disk.close()
      throw error
    }
    space = mapping.space
    board = VersionBoard(base: lock.base)
    pins = PinTable(lock: lock)
    gate = Seams.current.gate(lock)
    beacon = Seams.current.beacon(lock)
    writer = Writer(space: space, tree: configuration.tree)
    if configuration.checksEverything { try checkEverything() }
  }

  private static func join(
    _ configuration: StorageConfiguration, disk: any Disk, lockPath: String?
  ) throws -> LockFile {
    func prepare(_ lock: LockFile) throws {
      // Whoever comes first finds the newest version; for all others it is the published one.
      guard lock.isFirst else { return }
      let root = try Opening.recover(
        disk, mayCreate: !configuration.isReadOnly, now: rb_now())
      if lock.mayOweFlush, !root.top.isNone {
        // Else a read-only opener would leave it to the next writer to learn what is no longer known then.
        if configuration.isReadOnly { lock.oweFlush() } else { try disk.sync() }
      }
      VersionBoard(base: lock.base).publish(root)
    }
    do {
      return try LockFile(path: lockPath, prepare: prepare)
    } catch StorageError.permissionDenied where configuration.isReadOnly {
      // Where no lock file can be made nobody writes, so nobody has to know what we read.
      return try LockFile(path: nil, prepare: prepare)
    }
  }

  deinit {
    disk.close()
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

  /// The snapshot of a version that the caller keeps pinned meanwhile; one for all who ask for the same purpose.
  func snapshot(of root: Root, kind: PinKind) throws -> Snapshot {
    try requireSameProcess()
    let key = SnapshotKey(version: root.version, kind: kind)
    if let found = caches.withLock({ $0.snapshots[key]?.snapshot }) { return found }
    let made = try Snapshot(root, kind: kind, coordinator: self)
    return caches.withLock { caches in
      if let found = caches.snapshots[key]?.snapshot { return found }
      if caches.snapshots.count >= caches.snapshotLimit {
        caches.snapshots = caches.snapshots.filter { $0.value.snapshot != nil }
        caches.snapshotLimit = max(64, caches.snapshots.count * 2)
      }
      caches.snapshots[key] = WeakSnapshot(snapshot: made)
      return made
    }
  }

  /// What changed after `version`, up to and including `root`; nil if the records are gone or did not tell, and the
  /// versions have to be compared. The caller keeps both pinned, the older one as live or for a notifier.
  func changes(after version: VersionID, upTo root: Root) -> ChangeSet? {
    // A version that was lost is no ancestor of those that came instead.
    guard version <= root.version,
      let logs = ChangeLog.chain(from: root, downTo: version, in: space),
      logs.allSatisfy(\.knowsRows), logs.last.map({ $0.base == version }) ?? true
    else { return nil }
    return ChangeSet(logs.reversed().flatMap(\.changes))
  }

  /// The number of versions that someone reads, the newest included.
  var activeVersionCount: Int {
    var versions = Set(pins.pinnedVersions())
    versions.insert(board.newest)
    return versions.count
  }

  // MARK: news

  /// Calls `body` for each new version, of this process and of others, until `unlisten`: on the thread that committed, or
  /// on the beacon's. It must be quick: it stands between the commit and its return.
  ///
  /// - Throws: if the system gives no thread to hear of other processes.
  func listen(_ body: @escaping @Sendable (VersionID) -> Void) throws -> Int {
    // The beacon counts: who comes while another goes needs no agreement with it.
    try beacon.listen { [weak self] in
      self?.followOthers()
      self?.announce()
    }
    return caches.withLock { caches in
      caches.nextListener += 1
      caches.listeners[caches.nextListener] = body
      return caches.nextListener
    }
  }

  func unlisten(_ id: Int) {
    let known = caches.withLock { $0.listeners.removeValue(forKey: id) }
    // A forked child has the count, and no thread.
    if known != nil, forks == rb_fork_count() { beacon.stop() }
  }

  /// Reads what other processes did to the rows that are remembered here.
  private func followOthers() {
    guard rememberedRows.isInUse, let snapshot = try? newestSnapshot(kind: .live) else { return }
    rememberedRows.follow(to: snapshot.root, in: space)
  }

  /// Tells the listeners that there may be a newer version. No lock is held.
  func announce() {
    let listeners = caches.withLock { $0.listeners.isEmpty ? [] : Array($0.listeners.values) }
    if listeners.isEmpty { return }
    let version = newestVersion
    for listener in listeners { listener(version) }
    moments.reach(.announced)
  }
}
