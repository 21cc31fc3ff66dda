import CShims
import Foundation

/// How somebody comes to have a file open that has a name: alone, one after the other, over all
/// threads and processes.
///
/// Whatever makes, opens, replaces or removes the file happens under the opening byte of
/// `<file>.lock`, and who has it looks first whether the names still lead to what it holds; else it
/// starts over. So
///
/// 1. nobody maps a file that another one is about to replace;
/// 2. a place among the living is taken last, when the newest version is published: who finds
///    somebody alive finds all that it needs;
/// 3. the file gets its name when it is whole (`Aside`): nobody ever opens half of one.
///
/// What others do to the names with `mv` and `rm` is noticed: the lock file says to which file it
/// belongs, and the file itself carries a lock (`LockFile.heldByte`) for each who has it open, so
/// that a second lock file cannot lead two parties into one file.
struct Joining {
  let configuration: StorageConfiguration
  let path: String

  /// What whoever has come in stands on.
  struct Joined {
    let disk: any Disk
    let mapping: Mapping
    let lock: LockFile
    let wasCompacted: Bool
    /// Whether there is no lock file in which others could see us.
    var isAlone = false
  }

  /// - Parameter path: the file's one name (`Coordinator.canonical`).
  init(_ configuration: StorageConfiguration, at path: String) {
    self.configuration = configuration
    self.path = path
  }

  private var lockPath: String { path + ".lock" }
  private var moments: any Moments { configuration.seams.moments }

  func join() throws -> Joined {
    // Another round is needed only if a name was changed meanwhile.
    for _ in 0..<1000 { if let joined = try attempt(openSeed()) { return joined } }
    throw StorageError.replaced(
      path: path, reason: "its name leads to another file again and again")
  }

  private func attempt(_ seed: Coordinator?) throws -> Joined? {
    let hold = Hold(disk: try openFile())
    defer { hold.close() }
    let mayMake = !configuration.isReadOnly || seed != nil
    if hold.disk == nil, !mayMake { throw StorageError.notFound(path: path) }
    let lock: LockFile
    do {
      lock = try openLock(beside: hold.disk)
    } catch let error as StorageError where mayReadAlone(hold, after: error) {
      return try readAlone(hold)
    }
    try lock.enterOpening()
    defer { lock.leaveOpening() }
    guard lock.isAtItsName else { return nil }
    if try !hold.isAt(path) { try hold.become(openFile()) }

    do {
      try lock.lookAround()
    } catch let error as StorageError where mayReadAlone(hold, after: error) {
      return try readAlone(hold)
    }
    moments.reach(.lookedAround)
    var (wasMade, wasCompacted) = (false, false)
    try endNaming(lock, hold.disk)
    if lock.isFirst {
      if mayMake, try hold.isEmpty() {
        // It was removed since we looked whether a seed is needed.
        if seed == nil, configuration.seedPath != nil { return nil }
        guard try make(from: seed, inPlaceOf: hold.disk, lock) else { return nil }
        wasMade = true
        try hold.become(openFile())
      }
      guard let disk = hold.disk else {
        if mayMake { return nil }
        throw StorageError.notFound(path: path)
      }
      try requireNoOther(disk)
      try lock.hold(disk.descriptor)
      // Of two that come by two names at once one at least sees the other here.
      if rb_byte_held(disk.descriptor, LockFile.heldByte, 1) != 0 { return nil }
    }
    if lock.isFirst, let disk = hold.disk, try compact(disk, lock) {
      wasCompacted = true
      try hold.become(openFile())
    }
    guard let disk = hold.disk, let identity = try hold.identity() else {
      throw StorageError.replaced(path: path, reason: "it was removed while others have it open")
    }
    if lock.isFirst {
      lock.identity = identity
    } else if lock.identity != identity {
      throw StorageError.replaced(
        path: path, reason: "it was replaced while others have the former one open")
    }
    // Who came first holds it already, unless it was replaced by its compacted copy since.
    if !lock.isFirst || wasCompacted { try lock.hold(disk.descriptor) }
    let mapping = try Joining.map(disk, configuration)
    if lock.isFirst {
      lock.forgetLosses()
      try Joining.prepare(configuration, disk, mapping, lock, mayCreate: false, isNew: wasMade)
    } else {
      guard try disk.size() >= FileHeader.heapStart else {
        throw StorageError.replaced(path: path, reason: "it was emptied while others have it open")
      }
      try requireKnown(VersionBoard(base: lock.base), in: mapping)
    }
    try lock.join()
    moments.reach(.joined)
    hold.disk = nil
    return Joined(disk: disk, mapping: mapping, lock: lock, wasCompacted: wasCompacted)
  }

  private static func map(
    _ disk: any Disk, _ configuration: StorageConfiguration
  ) throws -> Mapping {
    let mapping = try Mapping(
      descriptor: disk.descriptor, path: disk.path, writable: disk.isMemory)
    if configuration.checksEverything { mapping.compareAll() }
    return mapping
  }

  /// Finds the newest version for all who come later, and looks at what they all rely on.
  ///
  /// - Parameters:
  ///   - mayCreate: whether to make the file if it has not one byte.
  ///   - isNew: whether it was made just now.
  fileprivate static func prepare(
    _ configuration: StorageConfiguration, _ disk: any Disk, _ mapping: Mapping, _ lock: LockFile,
    mayCreate: Bool, isNew: Bool = false
  ) throws {
    let isNew = try isNew || mayCreate && disk.size() == 0
    let root = try Opening.recover(
      disk, mayCreate: mayCreate, now: rb_now(), isStrict: configuration.checksEverything,
      butFor: lock.givenUp)
    try Opening.check(root, in: mapping, configuration.tree)
    if lock.mayOweFlush, !isNew {
      try makeUp(disk, lock, isReadOnly: configuration.isReadOnly)
    } else {
      lock.oweNothing()
    }
    VersionBoard(base: lock.base).publish(root)
  }

  /// Makes up for the flush of a slot that those before us may not have made, or leaves it to who
  /// writes.
  private static func makeUp(_ disk: any Disk, _ lock: LockFile, isReadOnly: Bool) throws {
    // Whoever can only read cannot flush; what was given up stays noted for who can.
    if isReadOnly { return lock.oweFlush() }
    let lost = try Opening.slot(of: lock.givenUp, on: disk)
    lost.map { lock.noteLoss(upTo: $0.root.end) }
    do {
      // Who came before us may have tried it: if it fails it stays owed.
      try Opening.renew(disk, butFor: lock.givenUp)
      try disk.sync()
      lock.oweNothing()
    } catch let error as StorageError where error.isLackOfSpace {
      // A full disk keeps nobody from reading.
      lock.oweFlush()
    }
  }

  /// The version that the lock file names as the newest must be that of one of the file's slots:
  /// what was written over the lock file leads nobody into the file.
  private func requireKnown(_ board: VersionBoard, in mapping: Mapping) throws {
    while true {
      let root = board.newestRoot
      let page = UnsafeRawBufferPointer(start: mapping.base, count: Int(FileHeader.heapStart))
      let found = Opening.slots(page).contains { slot in
        slot.root.version == root.version && slot.root.top == root.top
          && slot.root.log == root.log && slot.root.end == root.end
      }
      if found { return }
      // A slot is written anew only when a later version than its own has been published.
      if board.newest != root.version { continue }
      throw StorageError.foreignLock(
        path: lockPath, reason: "it names a version that the file does not have")
    }
  }

  /// Joins those who use a disk that was opened already and that nobody replaces.
  static func join(
    _ configuration: StorageConfiguration, _ disk: any Disk, lockPath: String?
  ) throws -> Joined {
    do {
      let mapping = try map(disk, configuration)
      let lock = try LockFile(path: lockPath, moments: configuration.seams.moments) { lock in
        if lockPath != nil { try lock.hold(disk.descriptor) }
        // Whoever comes first finds the newest version; for all others it is the published one.
        guard lock.isFirst else { return }
        lock.identity = try FileStatus(disk.descriptor, path: disk.path).identity
        try prepare(configuration, disk, mapping, lock, mayCreate: !configuration.isReadOnly)
      }
      return Joined(disk: disk, mapping: mapping, lock: lock, wasCompacted: false)
    } catch {
      disk.close()
      throw error
    }
  }

  // MARK: what the names lead to

  /// A disk that is closed unless somebody goes on with it.
  private final class Hold {
    var disk: (any Disk)?
    /// Which file it is, once somebody has asked.
    private var known: FileStatus.Identity?
    /// How long it was when it was seen at its name.
    private var size: Int?

    init(disk: (any Disk)?) { self.disk = disk }

    func close() { disk?.close() }

    func become(_ other: (any Disk)?) {
      close()
      (disk, known, size) = (other, nil, nil)
    }

    func isEmpty() throws -> Bool {
      if let size { return size == 0 }
      return try disk.map { try $0.size() == 0 } ?? true
    }

    /// Which file it is; nil if there is none.
    func identity() throws -> FileStatus.Identity? {
      guard known == nil, let disk else { return known }
      known = try disk.identity ?? FileStatus(disk.descriptor, path: disk.path).identity
      return known
    }

    /// Whether it is what a name leads to; also if there is neither. Inside the opening byte.
    func isAt(_ path: String) throws -> Bool {
      let now = FileStatus(at: path)
      guard try now?.identity == identity() else { return false }
      size = now?.size
      return true
    }
  }

  /// The file that the name leads to; nil if there is none.
  private func openFile() throws -> (any Disk)? {
    do {
      return try configuration.seams.disk(path, !configuration.isReadOnly, false)
    } catch StorageError.notFound {
      return nil
    }
  }

  private func openLock(beside disk: (any Disk)?) throws -> LockFile {
    do {
      return try LockFile(path: lockPath, create: false, moments: moments)
    } catch StorageError.notFound {
      // Beside what is no Realm nothing is made.
      if let disk { try Opening.requireBeginning(of: disk) }
    }
    do {
      return try LockFile(
        path: lockPath, beside: disk.map { try FileStatus($0.descriptor, path: path) },
        moments: moments)
    } catch StorageError.notFound {
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
      guard let folder, FileStatus(at: folder) == nil else {
        throw StorageError.notFound(path: path)
      }
      throw StorageError.noFolder(path: path, folder: folder)
    }
  }

  /// If nobody holds the lock file, nobody may hold the file either: else its users met in a lock
  /// file that is gone now, or under another name of the file, and we would be two parties in it.
  private func requireNoOther(_ disk: any Disk) throws {
    // Of a process that is ending one lock may be gone a little before the other.
    for _ in 0..<2000 {
      if rb_byte_held(disk.descriptor, LockFile.heldByte, 1) == 0 { return }
      usleep(1000)
    }
    throw StorageError.inUse(
      path: path,
      reason: "it is open, but not with \(lockPath): that was removed, or the file has two names")
  }

  // MARK: making and replacing

  /// Ends what somebody has begun who came no further as it made a file aside: what has no name is
  /// removed; what has got it already may not have it on the medium, and whatever is committed to
  /// it from now on would go with the name.
  private func endNaming(_ lock: LockFile, _ disk: (any Disk)?) throws {
    if lock.aside == 0 { return }
    Aside(besides: path, number: lock.aside).remove()
    do {
      try disk?.syncName()
      lock.aside = 0
    } catch let error as StorageError where configuration.isReadOnly || error.isLackOfPermission {
      // It is left to those who write, or who may.
    }
  }

  /// The file that a new one begins as. It is opened before any lock of ours is held, so that no
  /// two wait for each other.
  private func openSeed() throws -> Coordinator? {
    guard let seed = configuration.seedPath, (FileStatus(at: path)?.size ?? 0) == 0 else {
      return nil
    }
    do {
      return try Coordinator.open(
        StorageConfiguration(
          location: .file(path: seed), isReadOnly: true, tree: configuration.tree,
          seams: configuration.seams))
    } catch {
      let reason = FileStatus(at: seed) == nil ? "there is no such file" : "\(error)"
      throw StorageError.noSeed(path: path, seed: seed, reason: reason)
    }
  }

  /// Makes the file, whole, under its name.
  ///
  /// - Returns: false if there is one all of a sudden.
  private func make(
    from seed: Coordinator?, inPlaceOf empty: (any Disk)?, _ lock: LockFile
  ) throws -> Bool {
    do {
      try Aside.make(path, configuration.seams, replace: empty != nil, noting: lock) { disk in
        if let empty {
          try FileStatus(empty.descriptor, path: path).give(to: disk.descriptor)
        }
        guard let seed else {
          try Opening.create(disk, now: rb_now())
          return
        }
        let snapshot = try seed.newestSnapshot(kind: .tool)
        try Compaction.write(snapshot.root, in: seed.space, to: disk, tree: configuration.tree)
      }
      return true
    } catch StorageError.failed(_, _, _, code: EEXIST) {
      return false
    }
  }

  /// Writes the file anew without gaps, if that is wanted. What keeps it from being done keeps
  /// nobody from opening the file.
  private func compact(_ disk: any Disk, _ lock: LockFile) throws -> Bool {
    guard let decide = configuration.shouldCompact, !configuration.isReadOnly,
      rb_byte_held(disk.descriptor, LockFile.readerByte, 1) == 0
    else { return false }
    let size = try disk.size()
    let root = try Opening.recover(disk, mayCreate: false, now: 0, butFor: lock.givenUp)
    let mapping = try Mapping(descriptor: disk.descriptor, path: path, writable: false)
    let found = try Verification(
      root, in: mapping.space, fileSize: size, path: path, tree: configuration.tree)
    guard decide(Int(size), found.bytes + Int(FileHeader.heapStart)) else { return false }
    let before = try FileStatus(disk.descriptor, path: path)
    do {
      try Aside.make(path, configuration.seams, replace: true, noting: lock) { copy in
        guard before.give(to: copy.descriptor) else {
          throw StorageError.permissionDenied(path: path, reason: "its owner cannot be kept")
        }
        try Compaction.write(root, in: mapping.space, to: copy, tree: configuration.tree)
      }
      return true
    } catch {
      // Only the file that is there under its name by now has to be known as durable.
      if FileStatus(at: path)?.identity != before.identity { throw error }
      return false
    }
  }

  // MARK: reading without a lock file

  /// Whether it is enough to read what is there, as there can be no lock file: for who only reads,
  /// and on a full disk for anybody until there is something to write.
  private func mayReadAlone(_ hold: Hold, after error: StorageError) -> Bool {
    if configuration.isReadOnly { return error.allowsReading }
    return error.isLackOfSpace && (try? hold.isEmpty()) == false
  }

  /// Opens only to look, without a lock file, where there is none.
  func look() throws -> Joined {
    let hold = Hold(disk: try openFile())
    defer { hold.close() }
    return try readAlone(hold)
  }

  /// Opens for reading where the lock file can be neither written nor made: without permission, or
  /// without space.
  ///
  /// Whoever writes looks for `readerByte` before space is used again. Who has looked before it was
  /// held, and writes still, uses space that no version has which is found now.
  private func readAlone(_ hold: Hold) throws -> Joined {
    guard let disk = hold.disk else { throw StorageError.notFound(path: path) }
    let code = rb_byte_share(disk.descriptor, LockFile.readerByte)
    guard code == 0 else { throw StorageError.system("lock", path, code: code) }
    let mapping = try Joining.map(disk, configuration)
    var reading = configuration
    reading.isReadOnly = true
    let lock = try LockFile(path: nil, moments: moments) { [reading] lock in
      try Opening.besideWriters(of: disk) {
        try Joining.prepare(reading, disk, mapping, lock, mayCreate: false)
      }
    }
    lock.identity = try FileStatus(disk.descriptor, path: path).identity
    hold.disk = nil
    return Joined(
      disk: disk, mapping: mapping, lock: lock, wasCompacted: false, isAlone: true)
  }

  // MARK: removing

  /// Removes a file that nobody has open, and what belongs to it.
  ///
  /// - Parameters:
  ///   - given: the name; where it is a symbolic link, that goes, too.
  ///   - moments: told of what is done meanwhile.
  ///   - state: in which it must be still: else it stays, as if there were none.
  /// - Returns: whether there was a file.
  static func remove(
    _ given: String, _ moments: any Moments = PassingMoments(), ifStill state: FileState? = nil
  ) throws -> Bool {
    let path = try Coordinator.canonical(given)
    let lockPath = path + ".lock"
    for _ in 0..<1000 {
      let found = try FileStatus.find(path)
      // Beside what is no file nothing is made.
      if found?.isDirectory == true { throw StorageError.isDirectory(path: path) }
      if found == nil, try FileStatus.find(lockPath) == nil {
        try removeBeside(path)
        removeLink(given)
        return false
      }
      let lock = try LockFile(path: lockPath, beside: found, moments: moments)
      try lock.enterOpening()
      defer { lock.leaveOpening() }
      guard lock.isAtItsName else { continue }
      if let state, try !state.isStill(at: path) { return false }
      guard try isFree(path, lock) else {
        throw StorageError.inUse(path: given, reason: "the Realm is still in use")
      }
      // Who has just let go of it may have committed before. From here on nobody can.
      if let state, try !state.isStill(at: path) { return false }
      moments.reach(.foundFree)
      let existed = unlink(path) == 0
      if !existed, errno != ENOENT { throw StorageError.system("delete", path) }
      moments.reach(.fileRemoved)
      try removeBeside(path)
      removeLink(given)
      // Last, as long as it is ours: who waits for it finds that it has no name any more, and
      // starts over.
      unlink(lockPath)
      return existed
    }
    throw StorageError.replaced(path: path, reason: "its lock file is made anew again and again")
  }

  /// What Realm puts beside a file: a pipe that wakes others, and a folder for its management.
  private static func removeBeside(_ path: String) throws {
    unlink(path + ".note")
    let management = path + ".management"
    var status = stat()
    guard lstat(management, &status) == 0 else { return }
    do { try FileManager.default.removeItem(atPath: management) } catch {
      throw StorageError.failed(
        path: management, operation: "delete", reason: "\(error.localizedDescription)", code: EIO)
    }
  }

  private static func removeLink(_ path: String) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { unlink(path) }
  }

  /// Whether somebody holds the file itself. What keeps us from looking, as too many open files,
  /// does not say that nobody does, and is thrown.
  private static func isHeld(_ path: String) throws -> Bool {
    do {
      let disk = try PosixDisk(path: path, writable: false, create: false)
      defer { disk.close() }
      return rb_byte_held(disk.descriptor, LockFile.heldByte, 2) != 0
    } catch StorageError.notFound {
      return false
    }
  }

  /// Whether nobody has the file open.
  ///
  /// Who asks may have let go of a realm just now, whose last background thread is about to close
  /// it, or to end a flush that has been told of already: those of this process are waited for, a
  /// moment.
  private static func isFree(_ path: String, _ lock: LockFile) throws -> Bool {
    for round in 0..<1000 {
      let living = lock.living
      if try living.isEmpty && !isHeld(path) { return true }
      guard living.allSatisfy({ $0 == getpid() }), round < 20 || !Coordinator.isOpen(path) else {
        return false
      }
      usleep(1000)
    }
    return false
  }
}
