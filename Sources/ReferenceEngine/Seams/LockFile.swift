import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory that all who have a file open share: who writes, who reads what, and what is the
/// newest version.
///
/// It lies in `<file>.lock`, mapped shared; an in-memory realm has it without a name. Nothing in it
/// outlives the last process: the first one to come wipes it, so no crash can leave anything behind
/// that a later session trusts. Read before are whether a slot was being written, which can spare a
/// flush, the commit that was given up last, and the name of a file that was being made.
///
///     0      magic
///     8      device and number of the file that it belongs to
///     24     the number in the name of a file that is being made aside, 0 if none
///     32     {version, top, when} of a commit that was given up, while its slot may still count; 0
///            if none; how far such commits reach in the file
///     64     published: the newest version, {top, log, end, when, how} of its root, the version of
///            these. From here on 64 bytes each, so that no two share a cache line
///     128    beacon: counts commits; how many listen
///     192    gate: 0, the owner, or whom it is offered to (`GateName`); top bit: others wait
///     256    committing: the version whose slot is being written, 0 if none; all ones if a flush
///            is owed; how many commits were given up that somebody may read, the highest number
///            of their versions
///     320    how many pins were ever claimed, how many processes, how often the dead were cleared;
///            at 336, how often a pin took a version over that another one held
///     512    the first 8 of 256 processes of 64 bytes: {state, pid, listening, life, waiting
///            since}
///     1024   16 roots: {version, top, log, end, when} of the last versions, by version mod 16
///     2048   the first 32 of 65536 pins of 64 bytes: {owner, kind, version, root's version, top,
///            thread, since, record}
///     8192   the place of all processes, and the others
///     24576  the place of all pins, and the others
///
/// What a single process with few readers needs lies in the first page: of all that it costs to
/// open a file, to touch a page of this one for the first time costs most.
///
/// Process n holds a lock on byte `livenessStart + n` of the file: who can take that byte knows
/// that it is dead. Its life there has a byte of its own, too, which no other life ever has;
/// docs/CONCURRENCY.md says what stands on that. Whoever makes, opens, replaces or removes the file
/// that it belongs to holds the opening byte meanwhile (`Joining`).
///
/// Who may read the file and not write here cannot pin, and holds byte `readerByte` of the file
/// itself: no space is used again as long as somebody does.
package final class LockFile: @unchecked Sendable {
  // Sendable because its fields are constant once it is joined; the memory is shared by purpose and
  // only touched by atomic operations.
  let base: UnsafeMutableRawPointer
  let descriptor: Int32
  let moments: any Moments
  /// What the system said of it when we held the opening byte; nil before.
  private var status: FileStatus?
  /// Our place among the processes.
  private(set) var place = 0
  /// Which of those that had the place one after the other we are.
  private(set) var life: UInt32 = 0
  /// True if we came first and everything in here is fresh.
  private(set) var isFirst = false
  /// Whether a slot that those before us have written may not have been flushed: they may have died
  /// before that, or it has failed, or there was no lock file that could say. What was written is
  /// in the file then, and need not be on the medium.
  private(set) var mayOweFlush = false
  package let path: String
  private let isNamed: Bool
  /// Whether it began as a lock file of ours when it was opened: so its first page is no hole.
  private let hasHead: Bool
  /// The file that it belongs to, for whoever wants to know whether somebody reads that without a
  /// place in here.
  @exclusivity(unchecked) private var file: Int32?
  private let guarded: UnsafeMutableRawPointer
  /// Lock "clearing" of docs/CONCURRENCY.md: the system does not tell threads of a process
  /// apart, and one at a time may hold the bytes of the dead.
  let clearing = Mutex(())

  static let magic: UInt64 = 0x324B_434F_4C42_5252  // "RRBLOCK2"
  /// Of what earlier builds left behind.
  private static let olderMagic: UInt64 = 0x314B_434F_4C42_5252  // "RRBLOCK1"
  /// Part of the device that the file says it belongs to. Builds that have another layout wipe what
  /// we leave, as we do theirs; but while one of the two has the file open, the other finds that it
  /// belongs to none that it knows, and stores nothing.
  private static let layout: UInt64 = 0x5252_0003 << 32
  static let identityOffset = 8
  static let asideOffset = 24
  static let givenUpOffset = 32
  static let lostEndOffset = 56
  static let publishedOffset = 64
  static let beaconOffset = 128
  static let gateOffset = 192
  static let committingOffset = 256
  static let owed = UInt64.max
  static let lossesOffset = 264
  static let highestLostOffset = 272
  static let pinCountOffset = 320
  static let processCountOffset = 324
  static let clearingsOffset = 328
  static let adoptionsOffset = 336
  static let rootsOffset = 1024
  static let roots = 16
  static let rootStride = 64
  private static let firstProcessesOffset = 512
  private static let firstProcesses = 8
  static let processesOffset = 8192
  static let processes = 256
  private static let firstPinsOffset = 2048
  /// As many pins need no other page.
  static let firstPins = 32
  private static let firstPage = 4096
  static let pinsOffset = 24576
  static let pins = 65536
  static let stride = 64
  static let length = pinsOffset + pins * stride

  /// A byte of the file itself, far behind its end, that all who have it open with a lock file hold
  /// together.
  static let heldByte: UInt64 = 1 << 40
  /// The same for those who read it without.
  static let readerByte: UInt64 = heldByte + 1

  private static let openingByte: UInt64 = 1 << 40
  static let livenessStart: UInt64 = 1 << 40 + 1
  static let pinsAllocatedAtOnce = 128
  /// So many can be touched from the beginning where the disk has room for that: later it may be
  /// full, and who holds a version cannot always be told of an error.
  static let pinsReserved = 1024
  private static let reserved = pinsOffset + pinsReserved * stride

  /// Opens the memory, and does not join yet.
  ///
  /// - Parameter path: where it lies; nil if nobody else can have the file open.
  /// - Parameter create: whether to make it if there is none, as a file that those may write who
  ///   may write `beside`.
  /// - Parameter moments: told when somebody waits for others, or goes in.
  package init(
    path: String?, create: Bool = true, beside: FileStatus? = nil,
    moments: any Moments = PassingMoments()
  ) throws {
    self.path = path ?? "memory"
    self.moments = moments
    isNamed = path != nil
    var made: UnsafeMutableRawPointer?
    var opened =
      path.map { rb_open_guarded(rb_opening_own, $0, &made) }
      ?? rb_open_guarded(rb_opening_memory, "realm.lock", &made)
    if opened < 0, errno == ENOENT, create, let path {
      opened = rb_open_guarded(rb_making_own, path, &made)
      if opened >= 0, let beside { beside.give(to: opened) }
    }
    guard opened >= 0, let made else {
      if errno == ELOOP {
        throw StorageError.foreignLock(path: self.path, reason: "it is a symbolic link")
      }
      throw StorageError.system("open", self.path)
    }
    descriptor = opened
    guarded = made
    do {
      hasHead = try LockFile.requireOwn(opened, path: self.path)
      guard let memory = rb_map_guarded(made, UInt64(LockFile.length)) else {
        throw StorageError.system("map", self.path)
      }
      base = memory
    } catch {
      rb_close_guarded(made)
      throw error
    }
  }

  /// Joins those who have a file open that has no name of its own, or opens it first.
  ///
  /// - Parameter prepare: run while nobody else can join; it must publish the newest version if we
  ///   are first.
  package convenience init(
    path: String?, moments: any Moments = PassingMoments(), prepare: (LockFile) throws -> Void
  ) throws {
    try self.init(path: path, moments: moments)
    try enterOpening()
    defer { leaveOpening() }
    try lookAround()
    try prepare(self)
    try join()
  }

  deinit {
    // Ends our locks with it, and so our life as far as the others can see.
    rb_close_guarded(guarded)
  }

  /// Refuses what somebody else has put there, before a byte of it is changed.
  ///
  /// - Returns: whether it begins as one of ours.
  private static func requireOwn(_ descriptor: Int32, path: String) throws -> Bool {
    if isOwn(descriptor) { return true }
    let status = try FileStatus(descriptor, path: path)
    guard status.isRegular else {
      throw StorageError.foreignLock(path: path, reason: "it is not a regular file")
    }
    if status.size == 0 { return false }
    // What a machine that lost its power leaves of a new one. Whoever's it was, nothing is in it.
    if status.size <= length, isAllZeros(descriptor) { return false }
    // Or somebody has just made it, beginning with these bytes, between two of our looks.
    if isOwn(descriptor) { return true }
    throw StorageError.foreignLock(
      path: path, reason: "its first bytes are not those of a Realm's lock file")
  }

  private static func isOwn(_ descriptor: Int32) -> Bool {
    var head: UInt64 = 0
    return pread(descriptor, &head, 8, 0) == 8 && (head == magic || head == olderMagic)
  }

  private static func isAllZeros(_ descriptor: Int32) -> Bool {
    var part = [UInt64](repeating: 0, count: 8192)
    var offset = 0
    while true {
      let count = part.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
      }
      if count == 0 { return true }
      // Behind a short read stand the zeros of the read before.
      guard count > 0, part.allSatisfy({ $0 == 0 }) else { return false }
      offset += count
    }
  }

  // MARK: joining

  /// Waits until nobody else makes, opens, replaces or removes the file.
  func enterOpening() throws {
    moments.reach(.lockOpened)
    moments.wait(at: .openingAwaited) { [self] in
      rb_byte_held(descriptor, LockFile.openingByte, 1) == 0
    }
    let code = rb_byte_lock(descriptor, LockFile.openingByte)
    guard code == 0 else { throw StorageError.system("lock", path, code: code) }
    moments.reach(.openingEntered)
    status = try FileStatus(descriptor, path: path)
  }

  func leaveOpening() { _ = rb_byte_unlock(descriptor, LockFile.openingByte) }

  /// Whether the name still leads here: else who waited for us has removed what we hold, and
  /// everybody else meets elsewhere.
  var isAtItsName: Bool {
    !isNamed || FileStatus(at: path)?.identity == status?.identity
  }

  /// Finds out whether anybody has the file open, and makes everything fresh if not. Inside the
  /// opening byte.
  func lookAround() throws {
    isFirst = isAlone
    if isFirst { try provideFirstPage() }
    touchFirstPage()
    if isFirst { return try wipe() }
    guard let status, status.size >= LockFile.length,
      rb_load_acquire(word(0)) == LockFile.magic
    else {
      throw StorageError.foreignLock(
        path: path, reason: "it was written over while others have the file open")
    }
  }

  /// Takes a place among the living: from here on whoever comes finds everything as we leave it.
  /// Inside the opening byte.
  func join() throws {
    for free in 0..<LockFile.processes {
      if free == LockFile.firstProcesses {
        try provide(LockFile.processesOffset..<LockFile.pinsOffset)
      }
      if take(place: free) {
        (place, life) = (free, try beginLife(at: free))
        return
      }
    }
    throw StorageError.tooManyReaders(path: path)
  }

  /// Which file it belongs to.
  var identity: FileStatus.Identity {
    get {
      FileStatus.Identity(
        device: rb_load_acquire(word(LockFile.identityOffset)) ^ LockFile.layout,
        number: rb_load_acquire(word(LockFile.identityOffset + 8)))
    }
    set {
      rb_store_release(word(LockFile.identityOffset), newValue.device ^ LockFile.layout)
      rb_store_release(word(LockFile.identityOffset + 8), newValue.number)
    }
  }

  /// Says which file it belongs to, and holds that together with all others. Inside the opening
  /// byte.
  func hold(_ descriptor: Int32) throws {
    file = descriptor
    let code = rb_byte_share(descriptor, LockFile.heldByte)
    guard code == 0 else { throw StorageError.system("lock", path, code: code) }
  }

  /// Whether somebody reads the file who has no place in here, and so no pin.
  var hasOutsiders: Bool {
    file.map { rb_byte_held($0, LockFile.readerByte, 1) != 0 } ?? false
  }

  /// The number in the name of a file that is being made aside: who finds one has died over it.
  var aside: UInt64 {
    get { rb_load_acquire(word(LockFile.asideOffset)) }
    set { rb_store_release(word(LockFile.asideOffset), newValue) }
  }

  /// Whose process holds a place alive; empty if nobody has the file open. Inside the opening byte.
  var living: [Int32] {
    (0..<LockFile.processes).filter {
      rb_byte_held(descriptor, LockFile.livenessStart + UInt64($0), 1) != 0
    }.map { Int32(bitPattern: rb_load32(process($0) + 1)) }
  }

  /// Whether no process alive has the file open.
  private var isAlone: Bool {
    rb_byte_held(descriptor, LockFile.livenessStart, UInt64(LockFile.processes)) == 0
  }

  /// Stores into the first page, and changes nothing: who only looks at it first, and at the pages
  /// that the system then maps with it, pays twice.
  private func touchFirstPage() {
    if hasHead, let status, status.size >= LockFile.length, status.space >= LockFile.needed {
      // No look that a compiler could make of it, as it could of adding nothing.
      _ = rb_swap32(half(LockFile.clearingsOffset), 0, 0)
    }
  }

  private static let needed = pinsOffset + pinsAllocatedAtOnce * stride

  /// Makes everything zero, and sure that what will be touched has space on the disk: a store into
  /// a hole of a full disk would be a SIGBUS.
  private func wipe() throws {
    if let status, status.size == LockFile.length, status.space >= LockFile.needed,
      rb_load_acquire(word(0)) == LockFile.magic
    {
      // A lock file of an earlier session: clearing what it used costs less than making it anew.
      // Whoever dies in here leaves a lock file that is ours yet, and that says so if a flush is
      // owed, or what lies at the file's name has to be removed.
      mayOweFlush = rb_load_acquire(word(LockFile.committingOffset)) != 0
      try clearBehindFirstPage(status.space)
      clear(LockFile.committingOffset + 8..<LockFile.firstPage)
      clear(LockFile.publishedOffset..<LockFile.committingOffset)
      // As builds left it that did not reserve so much, or a disk that was full.
      if isNamed, status.space < LockFile.reserved { _ = reservePins() }
      return
    }
    // A lock file that is ours, but not as we leave one, is of somebody who was stopped while
    // making it; one that is new may stand for one that was removed. Both may owe a flush.
    mayOweFlush = true
    // Nobody but us has it: `requireOwn` has seen to that. What says whose it is comes first.
    var head = [UInt64](repeating: 0, count: LockFile.committingOffset / 8 + 1)
    head[0] = LockFile.magic
    head[LockFile.committingOffset / 8] = LockFile.owed
    let written = head.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == head.count * 8, ftruncate(descriptor, off_t(written)) == 0,
      ftruncate(descriptor, off_t(LockFile.length)) == 0
    else {
      throw StorageError.system("resize", path)
    }
    // Memory is no disk that could be full.
    if isNamed, reservePins() { return }
    let code = rb_allocate(descriptor, 0, UInt64(LockFile.needed))
    guard code == 0 else { throw StorageError.system("grow", path, code: code) }
  }

  private func reservePins() -> Bool { rb_allocate(descriptor, 0, UInt64(LockFile.reserved)) == 0 }

  /// Makes words of the first page zero.
  private func clear(_ bytes: Range<Int>) { memset(base + bytes.lowerBound, 0, bytes.count) }

  /// Makes the processes and the pins zero that do not lie in the first page: most files never had
  /// any, and one call of the system tells.
  ///
  /// No count in here says how many there are. It may be of another time than they are: after a
  /// loss of power, in a copy, and where somebody has put such a copy, or a state that the disk
  /// once had, into the very place of the file. Nor does the space that the file takes: a copy has
  /// holes where nothing was written. So all is looked through that is no hole.
  private func clearBehindFirstPage(_ space: Int) throws {
    var start = LockFile.firstPage
    while true {
      start = Int(clamping: rb_data(descriptor, UInt64(start)))
      if start >= LockFile.length { return }
      let hole = Int(clamping: rb_hole(descriptor, UInt64(start)))
      // Some systems know of no holes.
      let isKnown = hole > start && (hole < LockFile.length || start > LockFile.firstPage)
      let end = isKnown ? hole : min(LockFile.length, LockFile.firstPage + space)
      var isProvided = false
      for offset in Swift.stride(from: start, to: end, by: LockFile.stride) where isUsed(offset) {
        // Of the same page as data there may be a hole, where the disk's blocks are smaller.
        if !isProvided { try provide(start & -4096..<(end + 4095) & -4096) }
        isProvided = true
        memset(base + offset, 0, LockFile.stride)
      }
      if end != hole { return }
      start = end
    }
  }

  /// Whether anything stands at a place.
  private func isUsed(_ offset: Int) -> Bool {
    let words = word(offset)
    return (0..<LockFile.stride / 8).contains { words[$0] != 0 }
  }

  /// Leaves a flush to whoever writes next.
  func oweFlush() { rb_store_seq_cst(word(LockFile.committingOffset), LockFile.owed) }

  /// Nobody before us has left one.
  func oweNothing() {
    rb_store_seq_cst(word(LockFile.committingOffset), 0)
    givenUp = nil
  }

  /// The commit whose slot was given up last, until a flush has carried that it is cleared: though
  /// the slot stands in the file, it does not count. Its name is the commit's for ever, so whatever
  /// becomes of this file, as in a loss of power, it never names another one.
  var givenUp: GivenUp? {
    get {
      let version = rb_load_acquire(word(LockFile.givenUpOffset))
      if version == 0 { return nil }
      return GivenUp(
        version: VersionID(version), top: rb_load_acquire(word(LockFile.givenUpOffset + 8)),
        when: rb_load_acquire(word(LockFile.givenUpOffset + 16)))
    }
    set {
      // While it is changed it names none.
      rb_store_seq_cst(word(LockFile.givenUpOffset), 0)
      guard let newValue else { return }
      rb_store_release(word(LockFile.givenUpOffset + 8), newValue.top)
      rb_store_release(word(LockFile.givenUpOffset + 16), newValue.when)
      rb_store_seq_cst(word(LockFile.givenUpOffset), newValue.version.number)
    }
  }

  /// How many commits were given up that somebody may read: what others know of free space is not
  /// true beside them.
  var losses: UInt64 { rb_load_acquire(word(LockFile.lossesOffset)) }

  /// The highest number that a version had which was lost and may still be read. Who follows gives
  /// a higher one: so what is let go then is known to have been let go behind it.
  var highestLost: UInt64 { rb_load_acquire(word(LockFile.highestLostOffset)) }

  /// How far commits reach in the file that were given up and may be read, be it by readers without
  /// a place in here, who may have come in an earlier session.
  var lostEnd: UInt64 { rb_load_acquire(word(LockFile.lostEndOffset)) }

  /// Counts one more, inside the gate.
  func noteLoss(of version: UInt64) {
    noteUnseenLoss(of: version)
    countLoss()
  }

  /// Notes one, inside the gate, that only the realm stands on which has sealed it: its number is
  /// not given again, so that what others commit before that hears of it is later.
  func noteUnseenLoss(of version: UInt64) {
    rb_store_release(word(LockFile.highestLostOffset), max(highestLost, version))
  }

  func noteLoss(upTo end: UInt64) {
    rb_store_release(word(LockFile.lostEndOffset), max(lostEnd, end))
  }

  /// Counts one that only a reader without a place in here may have found, inside the gate: no pin
  /// has its number.
  func noteHiddenLoss(upTo end: UInt64) {
    noteLoss(upTo: end)
    countLoss()
  }

  private func countLoss() { rb_store_release(word(LockFile.lossesOffset), losses + 1) }

  /// Nobody reads what earlier sessions have lost, unless readers are about without a place here.
  func forgetLosses() {
    if lostEnd != 0, !hasOutsiders { rb_store_release(word(LockFile.lostEndOffset), 0) }
  }

  // MARK: words

  func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  func half(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
    (base + offset).assumingMemoryBound(to: UInt32.self)
  }

  func process(_ place: Int) -> UnsafeMutablePointer<UInt32> {
    let isFirst = place < LockFile.firstProcesses
    let start = isFirst ? LockFile.firstProcessesOffset : LockFile.processesOffset
    return half(start + place * LockFile.stride)
  }

  /// Where a pin lies.
  func pin(_ index: Int) -> UnsafeMutableRawPointer {
    let start = index < LockFile.firstPins ? LockFile.firstPinsOffset : LockFile.pinsOffset
    return base + start + index * LockFile.stride
  }

  /// Which pin lies at an address; nil if none does.
  func index(ofPin address: UnsafeRawPointer) -> Int? {
    let offset = address - UnsafeRawPointer(base)
    let start = offset < LockFile.firstPage ? LockFile.firstPinsOffset : LockFile.pinsOffset
    let index = (offset - start) / LockFile.stride
    return 0..<LockFile.pins ~= index && pin(index) == address ? index : nil
  }

  // MARK: space

  /// Makes sure that the pins below `count` can be touched, and returns how many can.
  func provide(pins count: Int) throws -> Int {
    let step = LockFile.pinsAllocatedAtOnce
    let wanted = min(LockFile.pins, (count + step - 1) / step * step)
    try provide(LockFile.pinsOffset..<LockFile.pinsOffset + wanted * LockFile.stride)
    return wanted
  }

  /// Makes sure that there is no hole: a store into one of a full disk would be a SIGBUS. A file
  /// that was copied has holes wherever nothing was stored.
  private func provide(_ bytes: Range<Int>) throws {
    let code = rb_allocate(descriptor, UInt64(bytes.lowerBound), UInt64(bytes.count))
    guard code == 0 else { throw StorageError.system("grow", path, code: code) }
  }

  /// The same of the first page, which has a hole only where the disk's blocks are smaller.
  private func provideFirstPage() throws {
    guard hasHead, let status, status.size >= LockFile.firstPage else { return }
    if rb_hole(descriptor, 0) < UInt64(LockFile.firstPage) { try provide(0..<LockFile.firstPage) }
  }
}
