/// How a file is made and how its newest version is found: the only recovery there is.
enum Opening {
  /// The first version of every file: nothing.
  static func firstRoot(now: UInt64) -> Root {
    Root(
      version: VersionID(1), top: .none, log: .none, end: FileHeader.heapStart, when: now, slot: 0,
      commitProtocol: .twoPhase)
  }

  /// Finds the newest durable version, or makes the file if it has not one byte and `mayCreate`.
  /// Any other file that is not a whole Realm is refused and left as it is.
  ///
  /// - Parameters:
  ///   - isStrict: whether a slot that is neither whole nor empty is damage, and not passed over.
  ///   - givenUp: a commit whose slot does not count.
  static func recover(
    _ disk: any Disk, mayCreate: Bool, now: UInt64, isStrict: Bool = false,
    butFor givenUp: GivenUp? = nil
  ) throws -> Root {
    try withFirstPage(of: disk) { page, size in
      guard try isRealm(disk, page, size) else {
        guard mayCreate else {
          throw StorageError.notARealm(path: disk.path, reason: "it is empty")
        }
        return try create(disk, now: now)
      }
      if isStrict, let flaw = flaw(inSlotsOf: page) {
        throw StorageError.damaged(path: disk.path, reason: flaw)
      }
      return try newestRoot(disk, page, size: size, butFor: givenUp)
    }
  }

  /// Refuses a file that is not empty and does not begin as a Realm does.
  static func requireBeginning(of disk: any Disk) throws {
    try withFirstPage(of: disk) { _ = try isRealm(disk, $0, $1) }
  }

  private static let mostLooks = 100

  /// Looks at a file that others may write to. What seems damaged only because a commit came
  /// between two looks at it, at its length and at its slots, say, is looked at again.
  static func besideWriters<Found>(of disk: any Disk, _ look: () throws -> Found) throws -> Found {
    var rounds = 0
    while true {
      let before = try firstPage(of: disk)
      do { return try look() } catch let error as StorageError {
        rounds += 1
        guard case .damaged = error, rounds < mostLooks, try firstPage(of: disk) != before else {
          throw error
        }
      }
    }
  }

  /// The header and the slots, as they are now.
  static func firstPage(of disk: any Disk) throws -> [UInt8] {
    try withFirstPage(of: disk) { page, _ in Array(page) }
  }

  private static func withFirstPage<Result>(
    of disk: any Disk, _ body: (UnsafeRawBufferPointer, UInt64) throws -> Result
  ) throws -> Result {
    let size = try disk.size()
    let page = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(FileHeader.heapStart), alignment: 4096)
    defer { page.deallocate() }
    page.initializeMemory(as: UInt8.self, repeating: 0)
    // What is missing counts as zeros.
    _ = try disk.read(into: page, at: 0)
    return try body(UnsafeRawBufferPointer(page), size)
  }

  /// False if it is empty.
  private static func isRealm(
    _ disk: any Disk, _ page: UnsafeRawBufferPointer, _ size: UInt64
  ) throws -> Bool {
    switch FileHeader.kind(of: page, fileSize: size) {
    case .realm: return true
    case .empty: return false
    case .newer(let format):
      throw StorageError.unsupportedFormat(
        path: disk.path, found: format, supported: FileHeader.supported)
    case .foreign(let reason):
      throw StorageError.notARealm(path: disk.path, reason: reason)
    }
  }

  /// Makes an empty file, which has no name yet that anybody opens.
  @discardableResult
  static func create(_ disk: any Disk, now: UInt64) throws -> Root {
    let root = firstRoot(now: now)
    try disk.grow(from: 0, to: 1 << 16)
    try finish(disk, CommitSlot(root: root))
    return root
  }

  /// Writes what makes a file of nodes a Realm, and returns when all of it is on the medium: then
  /// it may get its name.
  static func finish(
    _ disk: any Disk, _ slot: CommitSlot, _ file: FileNumber = .new()
  ) throws {
    try write(slot, to: disk)
    try FileHeader.encode(file).withUnsafeBytes { try disk.write($0, at: 0) }
    try disk.sync()
  }

  static func write(_ slot: CommitSlot, to disk: any Disk) throws {
    try withUnsafeTemporaryAllocation(byteCount: FileHeader.sector, alignment: 8) { sector in
      slot.encode(into: sector)
      let (bytes, place) = (UnsafeRawBufferPointer(sector), FileHeader.slotOffset(slot.root.slot))
      if slot.root.commitProtocol == .none {
        try disk.store(bytes, at: place)
      } else {
        try disk.write(bytes, at: place)
      }
    }
  }

  /// Makes a slot one that does not count.
  static func clear(slot: Int, of disk: any Disk) throws {
    let nothing = [UInt8](repeating: 0, count: FileHeader.sector)
    try nothing.withUnsafeBytes { try disk.write($0, at: FileHeader.slotOffset(slot)) }
  }

  /// Writes again what the flush that follows is to carry, where one may have been tried before:
  /// both slots as they stand, also one that was cleared, and what the newest was to be flushed
  /// together with. The slot of a commit that was given up is cleared, where that could not be done
  /// before. Nobody else may write meanwhile.
  ///
  /// The system tells once of what it could not write, and takes it for written from then on:
  /// another flush would succeed for nothing. What is on the medium already gets the same bytes.
  static func renew(_ disk: any Disk, butFor givenUp: GivenUp? = nil) throws {
    let (page, size) = (try firstPage(of: disk), try disk.size())
    try page.withUnsafeBytes { page in
      let slots = slots(page)
      let newest = slots.filter { !$0.isOf(givenUp) }.max { $0.root.version < $1.root.version }
      for run in newest?.runs ?? [] where run.lies(below: size) { try renew(run, of: disk) }
      for slot in 0...1 {
        if slots.contains(where: { $0.root.slot == slot && $0.isOf(givenUp) }) {
          try clear(slot: slot, of: disk)
          continue
        }
        let place = FileHeader.slotOffset(slot)
        let sector = page[Int(place)..<Int(place) + FileHeader.sector]
        try disk.write(UnsafeRawBufferPointer(rebasing: sector), at: place)
      }
    }
  }

  private static func renew(_ run: Run, of disk: any Disk) throws {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(max(16, run.bytes), 1 << 16), alignment: 16)
    defer { bytes.deallocate() }
    var done = 0
    while done < run.bytes {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: bytes[0..<min(bytes.count, run.bytes - done)])
      let count = try disk.read(into: part, at: run.offset + UInt64(done))
      if count == 0 { return }
      try disk.write(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(part)[0..<count]),
        at: run.offset + UInt64(done))
      done += count
    }
  }

  /// Both slots, as far as they are whole.
  static func slots(_ page: UnsafeRawBufferPointer) -> [CommitSlot] {
    (0...1).compactMap { index in
      let start = FileHeader.sector * (index + 1)
      return CommitSlot(
        UnsafeRawBufferPointer(rebasing: page[start..<(start + FileHeader.sector)]), slot: index)
    }
  }

  /// The slot of a commit that was given up, if it stands there as if nothing had happened.
  static func slot(of givenUp: GivenUp?, on disk: any Disk) throws -> CommitSlot? {
    guard let givenUp else { return nil }
    return try firstPage(of: disk).withUnsafeBytes(slots).first { $0.isOf(givenUp) }
  }

  /// The version that a crash now would leave.
  ///
  /// Of two whole slots the newer one counts, if it was flushed after its nodes (two phases), or if
  /// the nodes that it was flushed together with are intact. Otherwise the older one does: that the
  /// newer was begun proves that the older had been acknowledged. A single whole slot always
  /// counts: the other one is torn because its successor was being written.
  private static func newestRoot(
    _ disk: any Disk, _ page: UnsafeRawBufferPointer, size: UInt64, butFor givenUp: GivenUp?
  ) throws -> Root {
    var candidates = slots(page)
    // Only beside another one: that is whole, as a commit was given up on top of it.
    if candidates.count == 2 { candidates.removeAll { $0.isOf(givenUp) } }
    for slot in candidates {
      // Nodes have 40 bits for the version that wrote them. Asked first, because the greatest
      // number would win.
      let version = slot.root.version.number
      guard version > 0, version < Root.mostVersions else {
        throw StorageError.damaged(
          path: disk.path, reason: "a commit slot names version \(version)")
      }
    }
    if candidates.count == 2, candidates[1].root.version > candidates[0].root.version {
      candidates.swapAt(0, 1)
    }
    if candidates.count == 2, try !isIntact(candidates[0], on: disk, size: size) {
      candidates.removeFirst()
    }
    guard let root = candidates.first?.root else {
      throw StorageError.damaged(path: disk.path, reason: "neither commit slot is whole")
    }
    guard root.end <= min(size, NodeRef.largestFile), root.end >= FileHeader.heapStart,
      root.end % 16 == 0
    else {
      throw StorageError.damaged(
        path: disk.path,
        reason: "version \(root.version) ends at \(root.end), the file at \(size)")
    }
    guard let base = page.baseAddress else { return root }
    let file = FileNumber(ofFile: base)
    var window = NodeWindow(disk)
    if !root.top.isNone { try readNode(root.top, of: root, in: &window, file) { _ in } }
    if !root.log.isNone {
      try readNode(root.log, of: root, in: &window, file) { node in
        guard let log = ChangeLog(node: node, version: root.version), log.isSound(in: root) else {
          throw StorageError.damaged(
            path: disk.path, reason: "the record of version \(root.version) is not whole")
        }
      }
    }
    return root
  }

  /// What is wrong with the slots; nil if nothing is. A slot is written as a whole, in a sector of
  /// its own: one that is not whole, and not empty, is damaged, or was torn by a medium that writes
  /// less than a sector at a time.
  static func flaw(inSlotsOf page: UnsafeRawBufferPointer) -> String? {
    for slot in 0...1 {
      let start = FileHeader.sector * (slot + 1)
      let sector = UnsafeRawBufferPointer(rebasing: page[start..<(start + FileHeader.sector)])
      if CommitSlot(sector) == nil, sector.contains(where: { $0 != 0 }) {
        return "the commit slot at \(start) is not whole"
      }
    }
    return nil
  }

  /// Looks at what everything else of a version hangs on, and every read relies on, while nobody
  /// else may write.
  static func check(_ root: Root, in mapping: Mapping, _ tree: NodeTree) throws {
    if root.top.isNone { return }
    mapping.measure(upTo: root.end)
    mapping.space.touchNotes(of: root.top)
    if let problem = tree.checkTop(root.top, mapping.space, root.end) {
      throw StorageError.damaged(path: mapping.path, reason: problem)
    }
  }

  /// Whether what a slot was flushed together with is there.
  static func isIntact(_ slot: CommitSlot, on disk: any Disk, size: UInt64) throws -> Bool {
    if slot.root.commitProtocol != .singleFlush { return true }
    // The flush that was to carry the nodes was to carry the file's length, too: where the file is
    // shorter nobody was told of the commit. It must not count, or space behind the file's end
    // would be taken for free.
    if slot.root.end > size { return false }
    var sum = RunsChecksum()
    for run in slot.runs {
      guard run.bytes >= 0, run.bytes % 16 == 0, run.bytes < 1 << 32, run.offset < size,
        run.end <= size
      else {
        return false
      }
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: run.bytes, alignment: 16)
      defer { bytes.deallocate() }
      guard try disk.read(into: bytes, at: run.offset) == run.bytes else { return false }
      sum.add(UnsafeRawBufferPointer(bytes))
    }
    return sum.value == slot.runsChecksum
  }

  /// Looks at one of the two nodes that everything else hangs on, as is done on every opening.
  private static func readNode(
    _ ref: NodeRef, of root: Root, in window: inout NodeWindow, _ file: FileNumber,
    _ body: (UnsafeRawPointer) throws -> Void
  ) throws {
    let damaged = StorageError.damaged(
      path: window.disk.path, reason: "version \(root.version) does not begin with a whole node")
    guard Run(offset: ref.raw, bytes: NodeHeader.size).lies(below: root.end),
      let head = try window.bytes(NodeHeader.size, at: ref.raw)
    else { throw damaged }
    let header = head.load(as: NodeHeader.self)
    guard header.units > 0, Run(offset: ref.raw, bytes: header.bytes).lies(below: root.end),
      header.born <= root.version.number,
      let node = try window.bytes(header.bytes, at: ref.raw),
      Checksum.ofNode(node, bytes: header.bytes, at: ref, of: file) == header.checksum
    else { throw damaged }
    try body(node)
  }
}

/// A part of a file as it was read at once: what is looked at in opening lies close together.
private struct NodeWindow: ~Copyable {
  let disk: any Disk
  private static let least = 4096
  private var buffer: UnsafeMutableRawBufferPointer
  private var start: UInt64 = 0
  private var count = 0

  init(_ disk: any Disk) {
    self.disk = disk
    buffer = .allocate(byteCount: NodeWindow.least, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// So many bytes from a place on, until others are asked for; nil if the file ends before.
  mutating func bytes(_ wanted: Int, at offset: UInt64) throws -> UnsafeRawPointer? {
    if offset < start || offset + UInt64(wanted) > start + UInt64(count) {
      if wanted > buffer.count {
        buffer.deallocate()
        buffer = .allocate(byteCount: wanted, alignment: 16)
      }
      count = 0
      count = try disk.read(into: buffer, at: offset)
      start = offset
      if count < wanted { return nil }
    }
    return buffer.baseAddress.map { UnsafeRawPointer($0) + Int(offset - start) }
  }
}
