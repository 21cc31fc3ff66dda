import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory that all who have a file open share: who writes, who reads what, and what is the newest version.
///
/// It lies in `<file>.lock`, mapped shared; an in-memory realm has it without a name. Nothing in it outlives the last
/// process: the first one to come wipes it, so no crash can leave anything behind that a later session trusts. One word is read
/// before: whether a slot was being written. It can spare a flush.
///
///     0      magic, layout
///     64     published: the newest version, {top, log, end, when, how} of its root, the version that they are of
///     128    beacon: counts commits; how many listen             64 bytes each, so that no two share a cache line
///     192    gate: 0, the owner, or whom it is offered to (`GateName`); top bit: others wait
///     256    committing: the version whose slot is being written, 0 if none; all ones if a flush is owed
///     320    how many pins were ever claimed, how many processes, how often the dead were cleared
///     1024   64 roots: {version, top, log, end, when} of the last published versions, by version mod 64
///     8192   256 processes of 64 bytes: {state, pid, listening, life, waiting since}
///     24576  65536 pins of 64 bytes: {owner, kind, version, root's version, top, thread, since}
///
/// Process n holds a lock on byte `livenessStart + n` of the file: who can take that byte knows
/// that it is dead. Its life there has a byte of its own, too, which no other life ever has;
/// docs/CONCURRENCY.md says what stands on that.
package final class LockFile: @unchecked Sendable {
  // Sendable because its fields are constant once it is made; the memory is shared by purpose and only touched by
  // atomic operations.
  let base: UnsafeMutableRawPointer
  let descriptor: Int32
  /// Our place among the processes.
  private(set) var place = 0
  /// Which of those that had the place one after the other we are.
  private(set) var life: UInt32 = 0
  /// True if we came first and everything in here is fresh.
  private(set) var isFirst = false
  /// Whether those before us may have died between writing a slot and the flush of it, as far as we can know. What they
  /// wrote is then in the file, and need not be on the medium.
  private(set) var mayOweFlush = false
  package let path: String

  static let magic: UInt64 = 0x314B_434F_4C42_5252  // "RRBLOCK1"
  static let publishedOffset = 64
  static let beaconOffset = 128
  static let gateOffset = 192
  static let committingOffset = 256
  static let owed = UInt64.max
  static let pinCountOffset = 320
  static let processCountOffset = 324
  static let clearingsOffset = 328
  static let rootsOffset = 1024
  static let roots = 64
  static let rootStride = 64
  static let processesOffset = 8192
  static let processes = 256
  static let pinsOffset = 24576
  static let pins = 65536
  static let stride = 64
  static let length = pinsOffset + pins * stride

  private static let openingByte: UInt64 = 1 << 40
  static let livenessStart: UInt64 = 1 << 40 + 1
  static let pinsAllocatedAtOnce = 1024

  /// Joins those who have the file open, or opens it first.
  ///
  /// - Parameter prepare: run while nobody else can join; it must publish the newest version if we are first.
  package init(path: String?, prepare: (LockFile) throws -> Void) throws {
    self.path = path ?? "memory"
    descriptor = path.map { rb_open($0, 1, 1) } ?? rb_memory_file("realm.lock")
    guard descriptor >= 0 else { throw StorageError.system("open", self.path) }
    guard
      let memory = mmap(
        nil, LockFile.length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0),
      memory != MAP_FAILED
    else {
      let failure = StorageError.system("map", self.path)
      _ = Glibc.close(descriptor)
      throw failure
    }
    base = memory
    // If this throws, `deinit` cleans up: everything is initialised.
    try join(prepare)
  }

  deinit {
    munmap(base, LockFile.length)
    // Ends our locks with it, and so our life as far as the others can see.
    _ = Glibc.close(descriptor)
  }

  private func join(_ prepare: (LockFile) throws -> Void) throws {
    let code = rb_byte_lock(descriptor, LockFile.openingByte)
    guard code == 0 else { throw StorageError.system("lock", path, code: code) }
    defer { _ = rb_byte_unlock(descriptor, LockFile.openingByte) }

    isFirst = isAlone
    if isFirst { try wipe() }
    if !isFirst, rb_load_acquire(word(0)) != LockFile.magic {
      throw StorageError.damaged(path: path, reason: "its first bytes are not those of a lock file")
    }
    guard let free = (0..<LockFile.processes).first(where: take) else {
      throw StorageError.tooManyReaders(path: path)
    }
    (place, life) = (free, try beginLife(at: free))
    try prepare(self)
    rb_store_release(word(0), LockFile.magic)
  }

  /// Whether no process alive has the file open.
  private var isAlone: Bool {
    rb_byte_held(descriptor, LockFile.livenessStart, UInt64(LockFile.processes)) == 0
  }

  /// Makes everything zero, and sure that what will be touched has space on the disk: a store into a hole of a full disk
  /// would be a SIGBUS.
  private func wipe() throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StorageError.system("measure", path) }
    let needed = LockFile.pinsOffset + LockFile.pinsAllocatedAtOnce * LockFile.stride
    if status.st_size == LockFile.length, status.st_blocks * 512 >= needed,
      rb_load_acquire(word(0)) == LockFile.magic
    {
      mayOweFlush = rb_load_acquire(word(LockFile.committingOffset)) != 0
      // A lock file of an earlier session: clearing what it used costs less than making it anew.
      let pins = pinCount
      memset(base, 0, LockFile.pinsOffset + pins * LockFile.stride)
      return
    }
    mayOweFlush = true
    guard ftruncate(descriptor, 0) == 0, ftruncate(descriptor, off_t(LockFile.length)) == 0 else {
      throw StorageError.system("resize", path)
    }
    let code = rb_allocate(descriptor, 0, UInt64(needed))
    guard code == 0 else { throw StorageError.system("grow", path, code: code) }
  }

  /// Leaves a flush to whoever writes next.
  func oweFlush() { rb_store_seq_cst(word(LockFile.committingOffset), LockFile.owed) }

  // MARK: words

  func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  func half(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
    (base + offset).assumingMemoryBound(to: UInt32.self)
  }

  func process(_ place: Int) -> UnsafeMutablePointer<UInt32> {
    half(LockFile.processesOffset + place * LockFile.stride)
  }

  // MARK: space for pins

  /// Makes sure that the pins below `count` can be touched, and returns how many can.
  func provide(pins count: Int) throws -> Int {
    let step = LockFile.pinsAllocatedAtOnce
    let wanted = min(LockFile.pins, (count + step - 1) / step * step)
    let code = rb_allocate(
      descriptor, UInt64(LockFile.pinsOffset), UInt64(wanted * LockFile.stride))
    guard code == 0 else { throw StorageError.system("grow", path, code: code) }
    return wanted
  }
}
