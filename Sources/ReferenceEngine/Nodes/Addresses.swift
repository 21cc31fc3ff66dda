import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The range of addresses that a file is seen in, with what is known of the file in front of its
/// first byte (`Mapping`). Reserved, and no memory but what was asked for.
///
/// The first byte lies so that a file of up to 63 MiB and its notes are found by the same page of
/// the system's own tables that leads to tables of pages, and that few of its entries lie behind
/// that: to make such tables, to look through them entry by entry, used or not, and to give them
/// back is a good part of what it costs to open a file and to close it.
///
/// One range is kept for the next file when one is closed, with nothing of the file in it: neither
/// the file nor what was known of it. So most who open one after the other reserve once.
struct Addresses {
  /// Where the file's first byte is to be.
  let base: UnsafeMutableRawPointer
  private let start: UnsafeMutableRawPointer
  /// So much in front of the first byte is memory.
  private(set) var front = 0

  /// Before the first byte.
  static let before = rb_front_bytes + 1 << rb_notes_bits + 1 << rb_seals_bits
  static let length = before + Int(NodeRef.reservation) + unit
  /// What one page leads to of those tables, and where in it the first byte lies.
  private static let unit = 1 << 30
  private static let place = 961 << 20

  /// Nobody's just now. Guards the range, held for its access only.
  private static let spare = Mutex<Addresses?>(nil)

  /// A range of its own; nil with `errno` if there is none.
  init?() {
    if let kept = Addresses.spare.withLock({ $0.take() }) {
      self = kept
      return
    }
    let reserved = mmap(
      nil, Addresses.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let reserved, reserved != MAP_FAILED else { return nil }
    start = reserved
    base =
      (reserved + (Addresses.before - Addresses.place)).alignedUp(toMultipleOf: Addresses.unit)
      + Addresses.place
  }

  /// Puts a file there; false with `errno` if that cannot be done.
  func map(_ descriptor: Int32, writable: Bool) -> Bool {
    mmap(
      base, Int(NodeRef.reservation), writable ? PROT_READ | PROT_WRITE : PROT_READ,
      MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor, 0) != MAP_FAILED
  }

  /// Makes memory of so much in front of the first byte; false if there is none.
  mutating func provide(front bytes: Int) -> Bool {
    if bytes <= front { return true }
    guard mprotect(base - bytes, bytes, PROT_READ | PROT_WRITE) == 0 else { return false }
    front = bytes
    return true
  }

  /// Makes memory of the first bits that say which checksums were compared.
  func provide(seals bytes: Int) -> Bool {
    mprotect(base - Addresses.before, bytes, PROT_READ | PROT_WRITE) == 0
  }

  /// Forgets what is noted in so much in front of the first page before the first byte.
  func forget(notes bytes: Int) { madvise(base - rb_front_bytes - bytes, bytes, MADV_DONTNEED) }

  /// Gives the range back.
  ///
  /// - Parameter isPlain: whether nothing but the front was made memory of.
  consuming func giveBack(isPlain: Bool) {
    if isPlain, leave() {
      let isKept = Addresses.spare.withLock { spare -> Bool in
        if spare != nil { return false }
        spare = self
        return true
      }
      if isKept { return }
    }
    munmap(start, Addresses.length)
  }

  /// Takes the file and what was noted of it away; false if that cannot be done.
  private func leave() -> Bool {
    if Addresses.spare.withLock({ $0 != nil }) { return false }
    let taken = mmap(
      base, Int(NodeRef.reservation), PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
    if taken == MAP_FAILED { return false }
    memset(base - rb_front_bytes, 0, min(front, rb_front_bytes))
    return front <= rb_front_bytes
      || madvise(base - front, front - rb_front_bytes, MADV_DONTNEED) == 0
  }
}

extension Addresses: @unchecked Sendable {
  // Sendable because it only names a range, which belongs to whoever has it.
}
