import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Why a version is kept: what `inspect` tells the user who asks what keeps a file growing.
package enum PinKind: UInt32, Sendable, CaseIterable {
  case live = 1
  case frozen = 2
  case reference = 3
  case notifier = 4
  case tool = 5
  /// Kept while the records up to it are read, which nobody has asked for: no version that counts
  /// as alive, so that no write is refused because another thread was just reading.
  case follower = 6
  /// Keeps no version, but the records behind it (`RecordMark`).
  case rows = 7

  /// Whether who has it will ask what changed since.
  var observes: Bool { self == .live || self == .notifier || self == .rows }
}

/// One holder of a version, as the table shows it.
package struct PinHolder: Sendable, Hashable {
  package let version: VersionID
  package let kind: PinKind
  package let process: Int32
  package let thread: UInt32
  /// When the version was committed: nanoseconds since 1970.
  package let since: UInt64
}

/// A version that somebody holds, and where it begins in the file: its tree, and its record.
struct PinnedVersion: Hashable, Sendable {
  let version: VersionID
  let top: NodeRef
  let record: NodeRef
}

/// Who reads which version, over all processes: one place of 64 bytes for each reader, in the lock
/// file.
///
/// A reader stores the newest version in its place and looks again whether it still is the newest.
/// If so, every writer that publishes a later one sees the pin before it asks which space is free:
/// store and look are sequentially consistent on both sides. So beginning a read is two atomic
/// operations, waits for nobody and calls nobody.
///
/// Invariants: 1. places at or above the count were never used. 2. A place is changed by its owner
/// only, or by whoever clears a dead owner's. 3. The root of a place belongs to the version that
/// stands before it.
final class PinTable: Sendable {
  let lock: LockFile

  private struct Spare: Sendable {
    var places: [Int32] = []
    var allocated = LockFile.firstPins
    /// How often the dead had been cleared when places without an owner were last looked for.
    var clearings = UInt32.max
  }

  /// Places that this process owns and does not use: no claim is needed to pin again.
  private let spare = Mutex(Spare())

  init(lock: LockFile) { self.lock = lock }

  // MARK: places

  /// A place to pin with, owned by this process.
  func claim(_ kind: PinKind) throws -> PinPlace {
    let index = try spare.withLock { spare -> Int in
      if let index = spare.places.popLast() { return Int(index) }
      return try claimUnowned(&spare)
    }
    invariant(0..<LockFile.pins ~= index, "place \(index) is claimed, of \(LockFile.pins)")
    let place = PinPlace(base: lock.pin(index))
    place.kind = kind
    place.thread = rb_thread_id()
    return place
  }

  /// Gives a place back; it stays with this process.
  func release(_ place: PinPlace) {
    place.clear()
    guard let index = lock.index(ofPin: place.base) else {
      broken("what is given back at \(place.base - lock.base) is no place")
    }
    spare.withLock { $0.places.append(Int32(index)) }
  }

  private func claimUnowned(_ spare: inout Spare) throws -> Int {
    let mine = UInt32(lock.place) + 1
    let counter = lock.half(LockFile.pinCountOffset)
    let count = lock.pinCount
    // Places lose their owner only when the dead are cleared.
    let clearings = rb_load32(lock.half(LockFile.clearingsOffset))
    if clearings != spare.clearings {
      for index in 0..<count {
        let owner = PinPlace(base: lock.pin(index)).half(0)
        if rb_load32(owner) == 0, rb_swap32(owner, 0, mine) != 0 { return index }
      }
      spare.clearings = clearings
    }
    while true {
      let count = rb_load32(counter)
      guard count < LockFile.pins else {
        // Writers clear the dead, and nobody may come to write.
        lock.clearTheDead()
        if rb_load32(lock.half(LockFile.clearingsOffset)) != spare.clearings {
          return try claimUnowned(&spare)
        }
        throw StorageError.tooManyReaders(path: lock.path)
      }
      if count >= spare.allocated { spare.allocated = try lock.provide(pins: Int(count) + 1) }
      // The owner is written before the count says that the place exists, so none is ever lost; a
      // process that dies in between leaves a place that the next one takes.
      let owner = PinPlace(base: lock.pin(Int(count))).half(0)
      guard rb_swap32(owner, 0, mine) != 0 else {
        _ = rb_swap32(counter, count, count + 1)
        continue
      }
      _ = rb_swap32(counter, count, count + 1)
      return Int(count)
    }
  }

  // MARK: looking

  private var adoptions: UnsafeMutablePointer<UInt64> { lock.word(LockFile.adoptionsOffset) }

  /// Pins a version that another place holds meanwhile.
  ///
  /// Counted before the other place can be let go: who has looked at this place before and looks at
  /// that one after that would find the version nowhere.
  func adopt(_ root: Root, in place: PinPlace) {
    place.store(root)
    _ = rb_add64(adoptions, 1)
  }

  /// So often it is looked again because versions went from place to place meanwhile.
  private static let mostLooks = 1000

  /// Looks at all places until no version goes from one to another meanwhile, and the body finds
  /// what it looks for; nil if that never happens.
  private func look<Found>(_ body: (_ count: Int) -> Found?) -> Found? {
    for _ in 0..<PinTable.mostLooks {
      let before = rb_load_seq_cst(adoptions)
      guard let found = body(lock.pinCount) else { continue }
      if rb_load_seq_cst(adoptions) == before { return found }
    }
    return nil
  }

  /// All pinned versions, as whoever uses their space has to know them; nil if that cannot be said.
  func certainlyPinned() -> [VersionID]? { look { distinctVersions(among: $0) } }

  /// The distinct pinned versions, ascending.
  func pinnedVersions() -> [VersionID] {
    certainlyPinned() ?? distinctVersions(among: lock.pinCount)
  }

  /// The same without those that are kept only while their records are read.
  func readVersions() -> [VersionID] {
    look { distinctVersions(among: $0, thatAreRead: true) }
      ?? distinctVersions(among: lock.pinCount, thatAreRead: true)
  }

  private func distinctVersions(among count: Int, thatAreRead: Bool = false) -> [VersionID] {
    var versions: [UInt64] = []
    for index in 0..<count {
      let place = PinPlace(base: lock.pin(index))
      let version = rb_load_seq_cst(place.word(8))
      if version == 0 { continue }
      let kind = place.kind
      if kind == .rows || thatAreRead && kind == .follower { continue }
      versions.append(version)
    }
    versions.sort()
    var distinct: [VersionID] = []
    distinct.reserveCapacity(versions.count)
    for version in versions where distinct.last?.number != version {
      distinct.append(VersionID(version))
    }
    return distinct
  }

  /// The oldest version pinned by somebody who will ask what changed since: frozen versions do not.
  /// Version 0 if that cannot be said: where somebody is just moving, too.
  func oldestObserved() -> VersionID? {
    let found: VersionID?? = look { count in .some(oldestObserved(among: count)) }
    return found ?? VersionID(0)
  }

  private func oldestObserved(among count: Int) -> VersionID? {
    var oldest: UInt64?
    for index in 0..<count {
      let place = PinPlace(base: lock.pin(index))
      let version = rb_load_seq_cst(place.word(8))
      guard version != 0, place.kind.observes else { continue }
      // Who moves on from an older version reads what came after that one.
      if rb_load_seq_cst(place.word(16)) != version { return VersionID(0) }
      oldest = min(oldest ?? .max, version)
    }
    return oldest.map { VersionID($0) }
  }

  /// The tops of pinned versions, for whoever looks at them. A place that is just moving to another
  /// version is left out. Nil if it cannot be said which there are.
  func pinnedTops() -> [PinnedVersion]? { look { tops(among: $0) } }

  /// All of them but the newest version's, for whoever rebuilds the map of free space inside the
  /// gate; nil if it cannot be said which there are.
  ///
  /// A place that is just moving to another version shows a root of another version than it says.
  /// What it moves from it has given up. What it moves to was the newest when it looked a second
  /// time, or it will look again; that it is not the newest any more does not say which, and its
  /// root is not to be followed before that is known.
  func certainTops(beside newest: VersionID) -> [PinnedVersion]? {
    look { tops(among: $0, certainlyBeside: newest) }
  }

  private func tops(
    among count: Int, certainlyBeside newest: VersionID? = nil
  ) -> [PinnedVersion]? {
    var tops: [PinnedVersion] = []
    for index in 0..<count {
      let place = PinPlace(base: lock.pin(index))
      switch place.state {
      case _ where place.kind == .rows: break
      case .empty: break
      case .moving(let version):
        let isOwned = LockFile.isPlace(Int(rb_load32(place.half(0))) - 1)
        if let newest, version != newest, isOwned { return nil }
      case .pinned(let pin):
        // By its top as well: a version that was lost may have the number of one that was not.
        if !tops.contains(pin) { tops.append(pin) }
      }
    }
    return tops
  }

  /// Everybody who holds a version.
  func holders() -> [PinHolder] {
    let count = lock.pinCount
    return (0..<count).compactMap { index in
      let place = PinPlace(base: lock.pin(index))
      let owner = Int(rb_load32(place.half(0)))
      let version = rb_load_acquire(place.word(8))
      guard LockFile.isPlace(owner - 1), version != 0, place.kind != .rows else { return nil }
      return PinHolder(
        version: VersionID(version), kind: place.kind,
        process: Int32(bitPattern: rb_load32(lock.process(owner - 1) + 1)), thread: place.thread,
        since: rb_load_acquire(place.word(40)))
    }
  }
}

/// One reader's place in the table.
///
///     0  owner u32    8   version         24  top      40  since
///     4  kind u32     16  root's version  32  thread   48  record
struct PinPlace: @unchecked Sendable {
  // Sendable because it only names memory that is shared by purpose.
  let base: UnsafeMutableRawPointer

  @inline(__always)
  func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  func half(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
    (base + offset).assumingMemoryBound(to: UInt32.self)
  }

  /// Stores a version so that a writer that scans afterwards sees it.
  @inline(__always)
  func store(_ root: Root) {
    propose(root)
    confirm(root)
  }

  /// The first half of `store`: the version is there, its root not yet. Who looks before the second
  /// half may find a version that is no longer kept by anybody, and its top gone.
  @inline(__always)
  func propose(_ root: Root) {
    rb_store_release(word(16), 0)
    // What waits for its place lies in this process's memory alone.
    rb_store_release(word(24), root.isWaiting ? 0 : root.top.raw)
    rb_store_release(word(40), root.when)
    rb_store_release(word(48), root.isWaiting ? 0 : root.log.raw)
    rb_store_seq_cst(word(8), root.version.number)
  }

  @inline(__always)
  func confirm(_ root: Root) { rb_store_release(word(16), root.version.number) }

  @inline(__always)
  func clear() { rb_store_release(word(8), 0) }

  var kind: PinKind {
    get { PinKind(rawValue: rb_load32(half(4))) ?? .live }
    nonmutating set { rb_store32(half(4), newValue.rawValue) }
  }

  var thread: UInt32 {
    get { rb_load32(half(32)) }
    nonmutating set { rb_store32(half(32), newValue) }
  }

  /// What is pinned, to its owner.
  var version: VersionID { VersionID(rb_load_acquire(word(8))) }

  enum State {
    case empty
    /// Somebody moves from one version to another, and may hold this one already.
    case moving(VersionID)
    case pinned(PinnedVersion)
  }

  var state: State {
    let version = rb_load_seq_cst(word(8))
    let before = rb_load_seq_cst(word(16))
    let top = rb_load_seq_cst(word(24))
    let record = rb_load_seq_cst(word(48))
    let after = rb_load_seq_cst(word(16))
    if version == 0 { return .empty }
    guard version == before, before == after else { return .moving(VersionID(version)) }
    return .pinned(
      PinnedVersion(
        version: VersionID(version), top: NodeRef(raw: top), record: NodeRef(raw: record)))
  }

  /// What it holds, unless it is just being moved.
  var pinned: PinnedVersion? {
    guard case .pinned(let pin) = state else { return nil }
    return pin
  }
}
