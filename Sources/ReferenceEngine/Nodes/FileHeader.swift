import CShims

/// The first page of a file: what it is, and the two commit slots.
///
///     0      "RLMBENCH", format, number, checksum (`rb_file_header`), written once
///     512    slot 0      each in a sector of its own,
///     1024   slot 1      so that writing one cannot tear the other
///     4096   the heap of nodes
enum FileHeader {
  static let magic: UInt64 = 0x4843_4E45_424D_4C52  // "RLMBENCH"
  static let format: UInt32 = 2
  static let supported: ClosedRange<UInt32> = 2...2
  static var sector: Int { rb_sector }
  static var heapStart: UInt64 { UInt64(rb_heap_start) }

  static func slotOffset(_ slot: Int) -> UInt64 {
    invariant(slot == 0 || slot == 1, "there is no commit slot \(slot)")
    return UInt64(sector * (slot + 1))
  }

  static func encode(_ file: FileNumber = .new()) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: sector)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: magic, as: UInt64.self)
      bytes.storeBytes(of: format, toByteOffset: rb_file_format, as: UInt32.self)
      bytes.storeBytes(of: file.number, toByteOffset: rb_file_number, as: UInt64.self)
      seal(bytes)
    }
    return bytes
  }

  /// What a file is.
  enum Kind {
    case realm
    /// Without a byte: to be made.
    case empty
    case newer(UInt32)
    case foreign(String)
  }

  /// What the first page, filled up with zeros if the file is shorter, says that the file is.
  ///
  /// A file gets its name when it is whole (`Joining`), so one that is less than that is damaged,
  /// or none of ours.
  static func kind(of page: UnsafeRawBufferPointer, fileSize: UInt64) -> Kind {
    if fileSize == 0 { return .empty }
    guard page.loadUnaligned(as: UInt64.self) == magic else {
      return .foreign("its first bytes are not those of a Realm")
    }
    let found = page.loadUnaligned(fromByteOffset: rb_file_format, as: UInt32.self)
    if isSealed(UnsafeRawBufferPointer(rebasing: page[0..<sector])) {
      return supported.contains(found) ? .realm : .newer(found)
    }
    // A later format may seal its header in another way: only its number is asked.
    return supported.contains(found) ? .foreign("its header is damaged") : .newer(found)
  }

  /// Writes the checksum at the end of a sector.
  static func seal(_ sector: UnsafeMutableRawBufferPointer) {
    let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: sector[..<rb_sector_checksum]))
    sector.storeBytes(of: sum, toByteOffset: rb_sector_checksum, as: UInt32.self)
  }

  static func isSealed(_ sector: UnsafeRawBufferPointer) -> Bool {
    sector.loadUnaligned(fromByteOffset: rb_sector_checksum, as: UInt32.self)
      == Checksum.of(UnsafeRawBufferPointer(rebasing: sector[..<rb_sector_checksum]))
  }
}

/// What tells a file from all others: a number that is made up when the file is, and is part of the
/// checksum of each node.
struct FileNumber: Hashable, Sendable {
  let number: UInt64

  static func new() -> FileNumber {
    FileNumber(number: .random(in: 1...(.max)))
  }

  init(number: UInt64) { self.number = number }

  /// Of the file that begins with these bytes.
  init(ofFile bytes: UnsafeRawPointer) {
    number = bytes.loadUnaligned(fromByteOffset: rb_file_number, as: UInt64.self)
  }
}

extension NodeSpace {
  var file: FileNumber { FileNumber(ofFile: base) }

  /// Whether a node, which lies in the file as a whole, has the checksum that it should have.
  func isIntact(_ ref: NodeRef, _ header: NodeHeader) -> Bool {
    Checksum.ofNode(node(ref), bytes: header.bytes, at: ref, of: file) == header.checksum
  }
}

/// How a commit becomes durable.
package enum CommitProtocol: UInt32, Sendable, CaseIterable {
  /// Nodes, flush, slot, flush: Realm's two phases.
  case twoPhase = 1
  /// Nodes and a slot with their checksum, one flush: the slot counts only if the nodes it names
  /// are intact.
  case singleFlush = 2
  /// No flush: survives the process, not the machine.
  case none = 3
}

extension GivenUp {
  init(_ root: Root) { self.init(version: root.version, top: root.top.raw, when: root.when) }
}

/// A run of bytes in the file.
struct Run: Hashable, Sendable {
  var offset: UInt64
  var bytes: Int

  var end: UInt64 { offset + UInt64(bytes) }

  /// Whether it lies on the grid of nodes, within a heap that ends somewhere: asked of what a file
  /// says.
  func lies(below end: UInt64) -> Bool {
    offset >= FileHeader.heapStart && offset & 15 == 0 && bytes >= 0 && bytes & 15 == 0
      && offset <= end && UInt64(bytes) <= end - offset
  }

  /// What is left of runs without the nodes in them that are not needed, ascending; what lies side
  /// by side is one.
  static func rest(of runs: [Run], without gone: [Run]) -> [Run] {
    let holes = gone.sorted { $0.offset < $1.offset }
    var rest: [Run] = []
    func add(_ start: UInt64, _ end: UInt64) {
      if start == end { return }
      if let last = rest.last, last.end == start {
        rest[rest.count - 1].bytes += Int(end - start)
      } else {
        rest.append(Run(offset: start, bytes: Int(end - start)))
      }
    }
    var next = 0
    for run in runs.sorted(by: { $0.offset < $1.offset }) {
      var start = run.offset
      while next < holes.count, holes[next].offset < run.end {
        invariant(
          holes[next].offset >= start && holes[next].end <= run.end,
          "the node at \(holes[next].offset) is let go, and lies in no run")
        add(start, holes[next].offset)
        start = holes[next].end
        next += 1
      }
      add(start, run.end)
    }
    invariant(next == holes.count, "\(holes.count - next) nodes are let go that lie in no run")
    return rest
  }
}

/// What a commit writes into a slot (`rb_commit_slot`), a sector: where the version begins, and,
/// where a single flush is all there is, which bytes must be there for it to count.
struct CommitSlot {
  let root: Root
  /// The bytes that this commit wrote, if their integrity is part of what makes the slot count.
  var runs: [Run] = []
  var runsChecksum: UInt64 = 0

  static let magic: UInt32 = 0x544F_4C53  // "SLOT"
  static var mostRuns: Int { rb_slot_runs_most }

  /// Whether it is that of a commit that was given up.
  func isOf(_ givenUp: GivenUp?) -> Bool { givenUp == GivenUp(root) }

  init(root: Root, runs: [Run] = [], runsChecksum: UInt64 = 0) {
    self.root = root
    self.runs = runs
    self.runsChecksum = runsChecksum
  }

  func encode(into bytes: UnsafeMutableRawBufferPointer) {
    invariant(
      runs.count <= CommitSlot.mostRuns, "a slot has no room for \(runs.count) runs")
    invariant(
      root.version.number > 0 && !root.top.isPending && !root.isWaiting && !root.top.isWaiting,
      "version \(root.version) has no place in the file: it begins at \(root.top.raw)")
    invariant(
      root.end % 16 == 0 && root.end >= FileHeader.heapStart,
      "version \(root.version) ends at \(root.end)")
    invariant(
      root.commitProtocol == .singleFlush || runs.isEmpty,
      "version \(root.version) names \(runs.count) runs and needs none")
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    bytes.storeBytes(of: CommitSlot.magic, as: UInt32.self)
    bytes.storeBytes(
      of: root.commitProtocol.rawValue, toByteOffset: rb_slot_protocol, as: UInt32.self)
    bytes.storeBytes(of: root.version.number, toByteOffset: rb_slot_version, as: UInt64.self)
    bytes.storeBytes(of: root.top.raw, toByteOffset: rb_slot_top, as: UInt64.self)
    bytes.storeBytes(of: root.log.raw, toByteOffset: rb_slot_log, as: UInt64.self)
    bytes.storeBytes(of: root.end, toByteOffset: rb_slot_end, as: UInt64.self)
    bytes.storeBytes(of: root.when, toByteOffset: rb_slot_when, as: UInt64.self)
    bytes.storeBytes(of: UInt32(runs.count), toByteOffset: rb_slot_run_count, as: UInt32.self)
    bytes.storeBytes(of: runsChecksum, toByteOffset: rb_slot_runs_checksum, as: UInt64.self)
    for (index, run) in runs.enumerated() {
      let place = rb_slot_runs + index * rb_run_bytes
      bytes.storeBytes(of: run.offset, toByteOffset: place, as: UInt64.self)
      bytes.storeBytes(
        of: UInt64(run.bytes), toByteOffset: place + rb_run_length, as: UInt64.self)
    }
    FileHeader.seal(bytes)
  }

  /// The slot in a sector, or nil if it was torn or never written.
  init?(_ bytes: UnsafeRawBufferPointer, slot: Int = 0) {
    func word(_ offset: Int) -> UInt64 {
      bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    guard bytes.count == FileHeader.sector, FileHeader.isSealed(bytes),
      bytes.loadUnaligned(as: UInt32.self) == CommitSlot.magic,
      let kind = CommitProtocol(
        rawValue: bytes.loadUnaligned(fromByteOffset: rb_slot_protocol, as: UInt32.self))
    else { return nil }
    let count = Int(bytes.loadUnaligned(fromByteOffset: rb_slot_run_count, as: UInt32.self))
    guard count <= CommitSlot.mostRuns else { return nil }
    root = Root(
      version: VersionID(word(rb_slot_version)), top: NodeRef(raw: word(rb_slot_top)),
      log: NodeRef(raw: word(rb_slot_log)), end: word(rb_slot_end), when: word(rb_slot_when),
      slot: slot, commitProtocol: kind)
    runs = (0..<count).map {
      let place = rb_slot_runs + $0 * rb_run_bytes
      return Run(
        offset: word(place), bytes: Int(truncatingIfNeeded: word(place + rb_run_length)))
    }
    runsChecksum = word(rb_slot_runs_checksum)
  }
}
