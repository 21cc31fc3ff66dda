import CShims
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file seen as memory, at an address that never changes.
///
/// A large range of addresses is reserved once and mapped whole, far past the end of the file. A
/// file that grows is simply there: no reader ever maps again, and no pointer into the file ever
/// moves.
///
/// In front of the file's first byte lies what is known of it, where every reader finds it without
/// being told (Follow.h), at the places that Layout.h names:
///
///     base - 8       up to where a reference is followed without a second look
///     base - 16      this object, for whoever takes one
///     base - 24      up to where a node may be known by its checksum: 0 unless all are compared
///     before base - 4 KiB     two bytes for each 32 of the file, the first of them last: which
///                             table's cluster is there
///     16 GiB before these     a bit for each 16 of the file: where a node begins that was compared
///
/// Only as much of it is memory as the file is long.
final class Mapping: @unchecked Sendable {
  // Sendable because its fields are constant or guarded; what they point at is shared memory by
  // purpose.
  let base: UnsafeMutableRawPointer
  let path: String
  private let descriptor: Int32

  private struct Known {
    var addresses: Addresses
    var size: UInt64 = 0
    /// Whether the checksum of each node is compared when it is reached for the first time.
    var comparesAll = false
    /// So much is memory by now for the bits.
    var seals = 0
  }
  /// Lock "mapping" of docs/CONCURRENCY.md: held while the file is measured, by whoever is about to
  /// read.
  private let known: Mutex<Known>

  /// How many there are in the process, for whoever is told that there is no room for one more.
  private static let count = Atomic(0)

  /// Nodes of the trees that are asked for without a second look end before so many bytes: the file
  /// must have them.
  private static let spare: UInt64 = 4096

  /// - Parameter writable: true only for memory files, which no crash outlives.
  init(descriptor: Int32, path: String, writable: Bool) throws {
    self.path = path
    self.descriptor = descriptor
    guard let addresses = Addresses() else { throw Mapping.noAddresses(for: path) }
    base = addresses.base
    known = Mutex(Known(addresses: addresses))
    Mapping.count.add(1, ordering: .relaxed)
    // Apart from the descriptor, which holds locks: a forked child inherits this mapping, and would
    // keep them for as long as it lives.
    let apart =
      writable ? rb_open_apart(descriptor, 1) : rb_open_apart_by_name(descriptor, path)
    if apart < 0, errno == EMFILE || errno == ENFILE { throw StorageError.system("open", path) }
    defer { if apart >= 0 { _ = close(apart) } }
    guard addresses.map(apart < 0 ? descriptor : apart, writable: writable),
      known.withLock({ measure(&$0) })
    else {
      throw StorageError.system("map", path)
    }
    (base - rb_front_mapping).storeBytes(
      of: Unmanaged.passUnretained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  deinit {
    known.withLock { $0.addresses.giveBack(isPlain: $0.seals == 0) }
    Mapping.count.subtract(1, ordering: .relaxed)
  }

  /// What is thrown where the range cannot be reserved. Less of it would not do: what a reference
  /// is, in the file, waiting or pending, is told by how far it is from the first byte.
  private static func noAddresses(for path: String) -> StorageError {
    let code = errno
    let reason = String(cString: strerror(code))
    guard code == ENOMEM else { return .system("map", path, code: code) }
    return .failed(
      path: path, operation: "map",
      reason: "\(reason): each open file reserves \(Addresses.length >> 30) GiB of addresses, and "
        + "this process has \(count.load(ordering: .relaxed)) open; close those that are not "
        + "needed, open them in several processes, or lift the limit of addresses if there is one "
        + "(ulimit -v)",
      code: code)
  }

  var space: NodeSpace { NodeSpace(base: base) }

  // MARK: what is known

  /// Whether the checksum of each node is compared when it is reached for the first time.
  var comparesAll: Bool { known.withLock { $0.comparesAll } }

  /// From now on the checksum of each node is compared when it is reached for the first time.
  func compareAll() {
    known.withLock { known in
      if known.comparesAll { return }
      known.comparesAll = true
      // What was looked at before was not compared.
      known.addresses.forget(notes: Mapping.notes(for: known.size))
      requireNotes(measure(&known))
    }
  }

  /// Learns how long the file is: it may have grown, or become shorter.
  func measure() { requireNotes(known.withLock { measure(&$0) }) }

  /// Learns how long the file is, if it is not known to be so long.
  func measure(upTo end: UInt64) {
    requireNotes(known.withLock { end <= $0.size || measure(&$0) })
  }

  /// How long the file is, as far as is known.
  var knownSize: UInt64 { known.withLock { $0.size } }

  private func requireNotes(_ isReady: Bool) {
    invariant(isReady, "there is no memory to note what was looked at of \(path)")
  }

  /// - Returns: false if there is no memory to note what is known of so long a file.
  private func measure(_ known: inout Known) -> Bool {
    if let status = try? FileStatus(descriptor, path: path), status.isRegular {
      known.size = min(UInt64(status.size), NodeRef.largestFile)
    }
    guard known.addresses.provide(front: rb_front_bytes + Mapping.notes(for: known.size)) else {
      return false
    }
    let seals = known.comparesAll ? Int(known.size >> 7 + 4095) & ~4095 : 0
    if seals > known.seals {
      guard known.addresses.provide(seals: seals) else { return false }
      known.seals = seals
    }
    let limit =
      known.size > FileHeader.heapStart + Mapping.spare
      ? known.size - FileHeader.heapStart - Mapping.spare : 0
    // With checksums to compare nothing is followed without a second look; without, the bits that
    // say which were compared are no memory, and nobody may look there.
    store(known.comparesAll ? limit : 0, at: rb_front_sealed)
    store(known.comparesAll ? 0 : limit, at: rb_front_limit)
    return true
  }

  /// What is noted of a file of a length takes so many bytes.
  private static func notes(for size: UInt64) -> Int { Int(size >> 4 + 4095) & ~4095 }

  private func store(_ limit: UInt64, at place: Int) {
    rb_store_release((base - place).assumingMemoryBound(to: UInt64.self), limit)
  }

  /// How long the file is, if it is at least so long as far as anybody knows.
  fileprivate func hasBytes(through end: UInt64) -> Bool {
    if known.withLock({ end <= $0.size && end + Mapping.spare < $0.size }) { return true }
    measure()
    return known.withLock { end <= $0.size }
  }

  /// The mapping of a space of nodes.
  fileprivate static func of(_ space: NodeSpace) -> Mapping {
    let mapping = (space.base - rb_front_mapping).load(as: UnsafeRawPointer.self)
    return Unmanaged<Mapping>.fromOpaque(mapping).takeUnretainedValue()
  }
}

// MARK: - Following references

extension NodeSpace {
  /// Where references come from that are not read in the file, but known to whoever follows them.
  @inlinable var knowledge: UnsafeRawPointer { base - rb_front_knowledge }

  /// Whether a node lies as a whole where one may lie to which another refers.
  func lies(_ ref: NodeRef, from node: UnsafeRawPointer) -> Bool {
    // Nodes that have no place yet are referred to by others without one, and never by the file.
    if ref.raw >= NodeRef.largestFile { return !rb_lies_in_file(base, node) }
    guard ref.raw >= FileHeader.heapStart, ref.raw & 15 == 0 else { return false }
    let mapping = Mapping.of(self)
    guard mapping.hasBytes(through: ref.raw + UInt64(NodeHeader.size)) else { return false }
    let header = header(ref)
    return header.units > 0 && mapping.hasBytes(through: ref.raw + UInt64(header.bytes))
  }

  /// Whether the file is so long.
  func hasBytes(through end: UInt64) -> Bool { Mapping.of(self).hasBytes(through: end) }

  /// Takes a second look at a node before a reference to it is followed: whether it is there as a
  /// whole, and, where that is wanted, as it was written. Does not return if it is not.
  func admit(_ ref: NodeRef, from node: UnsafeRawPointer) -> NodeHeader {
    guard lies(ref, from: node) else { damaged(ref, "is not in the file") }
    let header = header(ref)
    if ref.raw < NodeRef.largestFile, Mapping.of(self).comparesAll,
      !rb_is_seal_known(base, ref.raw)
    {
      guard isIntact(ref, header) else { damaged(ref, "does not match its checksum") }
      rb_know_seal(base, ref.raw)
    }
    return header
  }

  /// Notes what is at a place: a cluster of a table, or a node of a kind that has a number which no
  /// table has. Who has written it needs no look at it: else each reader in this process took one
  /// at what each commit leaves. Of a node that waits it is noted for the place that it will get.
  func know(_ ref: NodeRef, _ mark: UInt32) {
    if rb_is_followed(base, ref.raw) {
      rb_know_cluster(base, ref.raw, mark)
    } else if ref.isWaiting {
      Anteroom.note(mark, of: node(ref))
    }
  }

  /// Stores what is noted of a place once more: notes that are looked at before anybody has stored
  /// one beside them cost the system twice.
  func touchNotes(of ref: NodeRef) {
    if rb_is_followed(base, ref.raw) { rb_touch_note(base, ref.raw) }
  }

  /// The file's.
  var path: String { Mapping.of(self).path }

  /// Ends the program, because a node cannot be read.
  @inline(never)
  func damaged(_ ref: NodeRef, _ what: String) -> Never {
    refuse(.damaged(path, at: ref.raw, what))
  }
}

extension Violation {
  /// Where Realm has an exception, too: what is read has no way to fail.
  static func damaged(_ path: String, at place: UInt64, _ what: String) -> Violation {
    Violation(
      "cannot read \(path): the file is damaged: the node at \(place) \(what); "
        + "see 'realm-bench verify \(path)', and restore it from a copy")
  }
}
