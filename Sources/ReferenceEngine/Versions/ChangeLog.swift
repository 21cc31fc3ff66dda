import CShims

/// The record that each commit leaves: which rows it touched, which space it took and which nodes
/// it let go.
///
/// It is a node like any other (kind 240), reached from the commit slot and chained to the record
/// before. Observers read the rows; another process's writer reads the space, to bring its map of
/// free space up to date. Records that nobody can need any more are freed; the chain ends where the
/// newest record says that the floor is.
///
/// Its node is an `rb_record`, behind which stand runs (`rb_run`), then what was let go
/// (`rb_freed`), then changes (`rb_change`), then perhaps a `DeletionSummary`.
struct ChangeLog {
  static var kind: UInt8 { UInt8(rb_kind_record) }
  static var head: Int { rb_record_bytes }

  private static let rowsAreMissing: UInt32 = 1
  private static let spaceIsMissing: UInt32 = 2
  private static let deletionsAreTold: UInt32 = 4
  private static let summaryIsThere: UInt32 = 8
  /// Longer lists are left out: who would have read them compares or walks instead, which costs
  /// less by then.
  static let mostChanges = 1 << 15
  /// Of rows whose keys others may be given nothing but the record tells that they went.
  private static let mostDeletions = 1 << 22
  static let mostFreed = 1 << 16

  let version: VersionID
  /// The version that the commit was based on.
  let base: VersionID
  let before: NodeRef
  /// The oldest version whose record is still there.
  let floor: VersionID
  private let node: UnsafeRawPointer
  private let runCount: Int
  private let freedCount: Int
  private let changeCount: Int
  private let flags: UInt32
  private let bytes: Int

  /// Reads the record at a reference, which must be of the version that its successor says.
  init?(
    _ ref: NodeRef, in space: NodeSpace, version expected: VersionID, from: UnsafeRawPointer? = nil
  ) {
    let from = from ?? space.knowledge
    guard !ref.isNone, space.lies(ref, from: from) else { return nil }
    self.init(node: space.node(ref), version: expected)
  }

  /// Reads the record that lies somewhere, as a whole.
  init?(node: UnsafeRawPointer, version expected: VersionID) {
    let header = node.load(as: NodeHeader.self)
    self.node = node
    bytes = header.bytes
    guard header.kind == ChangeLog.kind, header.bytes >= ChangeLog.head else { return nil }
    func word(_ offset: Int) -> UInt64 { node.load(fromByteOffset: offset, as: UInt64.self) }
    func half(_ offset: Int) -> UInt32 { node.load(fromByteOffset: offset, as: UInt32.self) }
    version = VersionID(word(rb_record_version))
    base = VersionID(word(rb_record_base))
    before = NodeRef(raw: word(rb_record_before))
    floor = VersionID(word(rb_record_floor))
    runCount = Int(half(rb_record_runs))
    freedCount = Int(half(rb_record_freed))
    changeCount = Int(half(rb_record_changes))
    flags = half(rb_record_flags)
    guard version == expected, base < version, summaryOffset <= bytes else { return nil }
  }

  /// The record before, if it is there: where that lies is what this one says, and nobody has
  /// looked at that yet.
  func predecessor(in space: NodeSpace) -> ChangeLog? {
    ChangeLog(before, in: space, version: base, from: node)
  }

  /// Whether what it says of space can be so: asked once, at opening.
  func isSound(in root: Root) -> Bool {
    floor <= version && (before.isNone || before.raw < root.end)
      && runs.allSatisfy { $0.lies(below: root.end) }
      && freed.allSatisfy {
        $0.units > 0 && Run(offset: $0.ref.raw, bytes: $0.units << 4).lies(below: root.end)
          && $0.born <= version
      } && isSummarySound
  }

  /// Whether it tells nothing in the place of others, or what can be so.
  var isSummarySound: Bool { !hasSummary || summary?.isSound(in: version) ?? false }

  /// Where what was let go stands, behind the runs; and the changes, behind both.
  private var freedOffset: Int { rb_record_bytes + runCount * rb_run_bytes }
  private var changesOffset: Int { freedOffset + freedCount * rb_freed_bytes }
  private var summaryOffset: Int { changesOffset + changeCount * rb_change_bytes }

  var knowsRows: Bool { flags & ChangeLog.rowsAreMissing == 0 }
  /// Whether it names all rows that were deleted of tables which give keys again, if it does not
  /// name all that were touched.
  var knowsDeletions: Bool { knowsRows || flags & ChangeLog.deletionsAreTold != 0 }
  var knowsSpace: Bool { flags & ChangeLog.spaceIsMissing == 0 }
  private var hasSummary: Bool { flags & ChangeLog.summaryIsThere != 0 }

  var runs: [Run] {
    (0..<runCount).map { index in
      let entry = node + rb_record_bytes + index * rb_run_bytes
      return Run(
        offset: entry.load(as: UInt64.self),
        bytes: Int(truncatingIfNeeded: entry.load(fromByteOffset: rb_run_length, as: UInt64.self)))
    }
  }

  var freed: [FreedNode] {
    (0..<freedCount).map { index in
      let entry = node + freedOffset + index * rb_freed_bytes
      let packed = entry.load(as: UInt64.self)
      return FreedNode(
        ref: NodeRef(raw: (packed & (1 << 40 - 1)) << 4), units: Int(packed >> 40),
        born: VersionID(entry.load(fromByteOffset: rb_freed_born, as: UInt64.self)))
    }
  }

  var changes: [RowChange] {
    (0..<changeCount).map { index in
      let entry = node + changesOffset + index * rb_change_bytes
      return RowChange(
        table: entry.load(as: UInt32.self),
        kind: RowChange.Kind(
          rawValue: entry.load(fromByteOffset: rb_change_kind, as: UInt8.self)) ?? .modified,
        isShifted: entry.load(fromByteOffset: rb_change_is_in_place, as: UInt8.self) == 0,
        block: entry.load(fromByteOffset: rb_change_block, as: UInt16.self),
        key: entry.load(fromByteOffset: rb_change_key, as: Int64.self),
        count: entry.load(fromByteOffset: rb_change_count, as: UInt32.self),
        further: entry.load(fromByteOffset: rb_change_further, as: UInt32.self),
        columns: entry.load(fromByteOffset: rb_change_columns, as: UInt64.self))
    }
  }

  /// What it tells in the place of records that went with it or before; nil if nothing.
  var summary: DeletionSummary? {
    hasSummary ? DeletionSummary(node + summaryOffset, room: bytes - summaryOffset) : nil
  }

  /// How many rows have changed, counted no further than to a limit.
  func rowCount(upTo limit: Int) -> Int {
    var rows = 0
    let entries = node + changesOffset
    for index in 0..<changeCount where rows < limit {
      rows += Int(
        entries.load(
          fromByteOffset: index * rb_change_bytes + rb_change_count, as: UInt32.self))
    }
    return min(rows, limit)
  }

  /// What a record has room to tell of changes: all of them, or at least which rows are gone, whose
  /// keys others may be given.
  ///
  /// - Parameter tables: Those that give keys again, if that is known: there is room for all that
  ///   goes there, as nothing else tells of it.
  static func told(
    _ changes: [RowChange], areKnown: Bool, tables: @autoclosure () -> Set<UInt32>? = nil
  ) -> (changes: [RowChange], flags: UInt32) {
    if !areKnown { return ([], rowsAreMissing) }
    if changes.count <= mostChanges { return (changes, 0) }
    var deletions = changes.filter(\.deletes)
    if deletions.count > mostChanges {
      guard let tables = tables() else { return ([], rowsAreMissing) }
      deletions = deletions.filter { tables.contains($0.table) }
    }
    return deletions.count <= mostDeletions
      ? (deletions, rowsAreMissing | deletionsAreTold) : ([], rowsAreMissing)
  }

  /// The bytes of a record.
  static func bytes(
    runs: Int, freed: Int, changes: Int, summary: DeletionSummary? = nil
  ) -> Int {
    (rb_record_bytes + runs * rb_run_bytes + (freed > mostFreed ? 0 : freed) * rb_freed_bytes
      + changes * rb_change_bytes + (summary?.bytes ?? 0) + 15) & ~15
  }

  /// Writes a record into memory of `bytes`. The list of runs may be shorter than what room was
  /// made for.
  static func write(
    to node: UnsafeMutableRawPointer, bytes: Int, version: VersionID, base: Root,
    floor: VersionID, runs: [Run], freed: [FreedNode], told: (changes: [RowChange], flags: UInt32),
    summary: DeletionSummary? = nil
  ) {
    UnsafeMutableRawBufferPointer(start: node, count: bytes).initializeMemory(
      as: UInt8.self, repeating: 0)
    let keepsFreed = freed.count <= mostFreed
    invariant(
      ChangeLog.bytes(
        runs: runs.count, freed: freed.count, changes: told.changes.count, summary: summary)
        <= bytes,
      "\(runs.count) runs, \(freed.count) freed and \(told.changes.count) changes, "
        + "not in \(bytes) bytes")
    invariant(
      base.version < version, "the record of \(version) stands on \(base.version)")
    invariant(floor <= version, "the record of \(version) says that the oldest is \(floor)")
    invariant(
      summary?.isSound(in: version) ?? true,
      "the record of \(version) sums up to \(summary?.through ?? version)")
    invariant(bytes % 16 == 0, "a record of \(bytes) bytes is no node")
    node.storeBytes(
      of: NodeHeader(kind: kind, width: 0, count: 0, units: bytes >> 4, born: version.number),
      as: NodeHeader.self)
    node.storeBytes(of: version.number, toByteOffset: rb_record_version, as: UInt64.self)
    node.storeBytes(of: base.version.number, toByteOffset: rb_record_base, as: UInt64.self)
    node.storeBytes(of: base.log.raw, toByteOffset: rb_record_before, as: UInt64.self)
    node.storeBytes(of: floor.number, toByteOffset: rb_record_floor, as: UInt64.self)
    node.storeBytes(of: UInt32(runs.count), toByteOffset: rb_record_runs, as: UInt32.self)
    node.storeBytes(
      of: keepsFreed ? UInt32(freed.count) : 0, toByteOffset: rb_record_freed, as: UInt32.self)
    node.storeBytes(
      of: UInt32(told.changes.count), toByteOffset: rb_record_changes, as: UInt32.self)
    node.storeBytes(
      of: told.flags | (keepsFreed ? 0 : spaceIsMissing) | (summary == nil ? 0 : summaryIsThere),
      toByteOffset: rb_record_flags, as: UInt32.self)
    var entry = node + head
    for run in runs {
      invariant(
        run.bytes > 0 && run.offset % 16 == 0, "\(run.bytes) bytes at \(run.offset) are no run")
      entry.storeBytes(of: run.offset, as: UInt64.self)
      entry.storeBytes(of: UInt64(run.bytes), toByteOffset: rb_run_length, as: UInt64.self)
      entry += rb_run_bytes
    }
    if keepsFreed {
      for old in freed {
        invariant(
          old.ref.raw >> 44 == 0 && old.units >> 24 == 0,
          "\(old.units) units at \(old.ref.raw) are too much for a record")
        entry.storeBytes(of: old.ref.raw >> 4 | UInt64(old.units) << 40, as: UInt64.self)
        entry.storeBytes(of: old.born.number, toByteOffset: rb_freed_born, as: UInt64.self)
        entry += rb_freed_bytes
      }
    }
    for change in told.changes {
      entry.storeBytes(of: change.table, as: UInt32.self)
      entry.storeBytes(of: change.kind.rawValue, toByteOffset: rb_change_kind, as: UInt8.self)
      // What older builds left says nothing of it, and so stands for the less that is known.
      entry.storeBytes(
        of: change.isShifted ? 0 : 1, toByteOffset: rb_change_is_in_place, as: UInt8.self)
      // What older builds left says nothing of it either, and they pass over it.
      entry.storeBytes(of: change.block, toByteOffset: rb_change_block, as: UInt16.self)
      entry.storeBytes(of: change.further, toByteOffset: rb_change_further, as: UInt32.self)
      entry.storeBytes(of: change.key, toByteOffset: rb_change_key, as: Int64.self)
      entry.storeBytes(of: change.count, toByteOffset: rb_change_count, as: UInt32.self)
      entry.storeBytes(of: change.columns, toByteOffset: rb_change_columns, as: UInt64.self)
      entry += rb_change_bytes
    }
    summary?.write(to: entry)
  }

  /// The records from the newest down to the first after `version`; nil if some are no longer
  /// there.
  static func chain(from root: Root, downTo version: VersionID, in space: NodeSpace)
    -> [ChangeLog]?
  {
    let (logs, areAll) = those(from: root, downTo: version, in: space)
    return areAll ? logs : nil
  }

  /// The same as far as they are still there, and whether all are.
  static func those(from root: Root, downTo version: VersionID, in space: NodeSpace)
    -> (logs: [ChangeLog], areAll: Bool)
  {
    if root.version <= version { return ([], true) }
    guard let newest = ChangeLog(root.log, in: space, version: root.version) else {
      return ([], false)
    }
    var logs = [newest]
    while let last = logs.last, last.base > version {
      guard last.base >= newest.floor,
        let before = last.predecessor(in: space)
      else { return (logs, false) }
      logs.append(before)
    }
    return (logs, true)
  }
}
