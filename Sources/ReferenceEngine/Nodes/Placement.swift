import CShims

/// Gives the nodes of one commit their places and writes them: steps 1 and 2 of a commit.
///
/// Nodes are laid side by side into runs of free space; a small commit has one, of one page, and so
/// one write. On a disk they are composed in memory first; in a memory file they are composed where
/// they will lie. Runs that may be written later stay composed, and the file is not made longer for
/// them: that is left to `ComposedRuns`.
///
/// Invariants: 1. nothing placed here is reachable before the commit is published. 2. A run is
/// taken from the free space when it is opened, and what is left of it given back when it is
/// closed.
final class Placement: NodeSink {
  private let disk: any Disk
  private let memory: UnsafeMutableRawPointer?
  private let heap: Heap
  let born: VersionID
  private let file: FileNumber

  /// The runs taken so far. All are written but the last, which has its unused end.
  @exclusivity(unchecked) private(set) var runs: [Run] = []
  /// Of all bytes written, in order; nil if it was not asked for.
  @exclusivity(unchecked) private(set) var checksum: RunsChecksum?
  /// Bytes placed.
  @exclusivity(unchecked) private(set) var bytes = 0
  /// The first failure of the disk: the nodes that follow are composed in vain.
  @exclusivity(unchecked) private(set) var failure: (any Error)?

  private let isFlushed: Bool
  /// Behind so many a commit is large, whatever was expected.
  private static let manyBytes = 1 << 14
  /// What was written last, as far as it lies side by side, and what before it is worth asking for.
  @exclusivity(unchecked) private var growing = Run(offset: 0, bytes: 0)
  @exclusivity(unchecked) private var waiting: [Run] = []
  /// So much was written that has not set out for the medium.
  @exclusivity(unchecked) private var waitingBytes = 0
  /// So much of that sets out at once.
  private static let enoughToSetOut = 1 << 19
  private let isForLater: Bool
  /// What is left to be written, if it may be written later.
  @exclusivity(unchecked) private var composed: [ComposedRuns.One] = []
  /// Knows the places of nodes that the new ones may refer to as waiting.
  private let anteroom: Anteroom?
  @exclusivity(unchecked) private var wanted: Int
  @exclusivity(unchecked) private var run = Run(offset: 0, bytes: 0)
  @exclusivity(unchecked) private var start: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var used = 0

  /// - Parameters:
  ///   - expected: how many bytes the commit will probably place.
  ///   - commitProtocol: how the commit is to become durable: a single flush needs a checksum, none
  ///     needs no system call.
  ///   - isForLater: whether nothing is written here, because whoever waits for this shall wait for
  ///     no disk.
  ///   - anteroom: the nodes of the group that waited, if there are any.
  init(
    disk: any Disk, heap: Heap, memory: UnsafeMutableRawPointer?, of file: FileNumber,
    born: VersionID, expected: Int,
    for commitProtocol: CommitProtocol, isForLater: Bool, knowing anteroom: Anteroom?
  ) {
    self.disk = disk
    self.heap = heap
    self.memory = memory
    self.born = born
    self.file = file
    self.anteroom = anteroom
    wanted = max(64, expected)
    checksum = commitProtocol == .singleFlush ? RunsChecksum() : nil
    isFlushed = commitProtocol != .none
    self.isForLater = isForLater && memory == nil
    start = heap.staging
  }

  func place(bytes count: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer) {
    invariant(count >= NodeHeader.size, "a node of \(count) bytes has no header")
    let size = (count + 15) & ~15
    if used + size > run.bytes { open(atLeast: size) }
    invariant(
      used + size <= run.bytes, "\(size) bytes go behind \(used), in a run of \(run.bytes)")
    let node = start + used
    let ref = NodeRef(raw: run.offset + UInt64(used))
    // Padding is written too: the same nodes give the same bytes.
    node.storeBytes(of: 0, toByteOffset: size - 16, as: UInt64.self)
    node.storeBytes(of: 0, toByteOffset: size - 8, as: UInt64.self)
    used += size
    bytes += size
    wanted -= size
    return (ref, node)
  }

  /// How many runs there will be if `count` more bytes are placed.
  func runCount(placing count: Int) -> Int {
    runs.count + (used + count > run.bytes ? 1 : 0)
  }

  /// The runs if the placement ended now.
  func runsSoFar() -> [Run] {
    if used > 0, failure == nil { runs[runs.count - 1].bytes = used }
    return runs
  }

  /// Writes what is left, or returns all of it to be written later.
  func finish() throws -> ComposedRuns? {
    close()
    if let failure { throw failure }
    invariant(
      runs.allSatisfy { $0.bytes > 0 && $0.end <= heap.free.map.end },
      "a run of \(runs) ends behind the heap, at \(heap.free.map.end)")
    invariant(
      runs.reduce(0) { $0 + $1.bytes } == bytes,
      "\(bytes) bytes of nodes fill \(runs.reduce(0) { $0 + $1.bytes })")
    defer { composed = [] }
    return composed.isEmpty ? nil : ComposedRuns(composed, isFlushed: isFlushed, in: heap)
  }

  /// Gives everything back.
  func abandon() {
    if run.bytes > 0, failure == nil { runs[runs.count - 1] = run }
    run = Run(offset: 0, bytes: 0)
    used = 0
    runs.forEach(heap.free.map.give)
    runs = []
    for one in composed { one.memory.deallocate() }
    composed = []
  }

  private func open(atLeast size: Int) {
    close()
    if failure != nil { return openInVain(atLeast: size) }
    // Much more is placed than was expected, as where rows leave their tree in the commit: probably
    // as much again is to come. Node by node, a tenth of a table was written in 1,900 pieces, here
    // and there.
    if wanted < size, bytes >= Placement.manyBytes { wanted = bytes }
    let goal = max(size, min(wanted, Heap.stagingBytes))
    do {
      run = try heap.take(atLeast: size, wanted: goal, provides: !isForLater)
    } catch {
      failure = error
      return openInVain(atLeast: size)
    }
    invariant(
      run.bytes >= size && run.offset >= FileHeader.heapStart && run.offset % 16 == 0,
      "\(run.bytes) bytes at \(run.offset) were taken for \(size)")
    invariant(used == 0, "a run is opened over \(used) bytes of the last one")
    runs.append(run)
    if isForLater {
      start = .allocate(byteCount: run.bytes, alignment: 16)
      composed.append(ComposedRuns.One(offset: run.offset, bytes: 0, memory: start))
    } else {
      start = memory.map { $0 + Int(run.offset) } ?? heap.staging(bytes: run.bytes)
    }
  }

  /// After a failure nothing more is taken from the heap. What follows is composed in the staging
  /// memory and forgotten. It gets a place where no node is; not none, which settling takes for the
  /// absence of a node.
  private func openInVain(atLeast size: Int) {
    run = Run(offset: FileHeader.heapStart, bytes: size)
    start = heap.staging(bytes: size)
  }

  private func close() {
    defer {
      run = Run(offset: 0, bytes: 0)
      used = 0
    }
    if run.bytes == 0 || failure != nil { return }
    noteRun()
    heap.free.map.give(Run(offset: run.offset + UInt64(used), bytes: run.bytes - used))
    sealNodes()
    guard memory == nil else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: used)
    checksum?.add(bytes)
    if isForLater {
      composed[composed.count - 1].bytes = used
      return
    }
    do {
      if isFlushed {
        try disk.write(bytes, at: run.offset)
        setOut(Run(offset: run.offset, bytes: used))
      } else {
        try disk.store(bytes, at: run.offset)
      }
    } catch {
      failure = error
    }
  }

  /// Lets what is written of a large commit set out for the medium while the rest is composed: the
  /// flush then waits for the end of it, and not for all.
  private func setOut(_ written: Run) {
    if growing.end == written.offset {
      growing.bytes += written.bytes
    } else {
      endGrowing()
      growing = written
    }
    waitingBytes += written.bytes
    if waitingBytes < Placement.enoughToSetOut { return }
    endGrowing()
    for run in waiting { disk.setOut(run.bytes, at: run.offset) }
    (growing, waiting, waitingBytes) = (Run(offset: 0, bytes: 0), [], 0)
  }

  /// To ask for a small piece costs more than it saves. A run is hardly ever full, so that there
  /// are gaps between those that were taken side by side.
  private func endGrowing() {
    if growing.bytes >= Heap.stagingBytes / 2 { waiting.append(growing) }
  }

  /// Notes what was used of the last run, which may go on where the one before ends.
  private func noteRun() {
    invariant(
      runs.last?.offset == run.offset && used <= run.bytes,
      "\(used) bytes were used of a run of \(run.bytes) at \(run.offset)")
    runs[runs.count - 1].bytes = used
    guard runs.count > 1, runs[runs.count - 2].end == run.offset else { return }
    runs.removeLast()
    runs[runs.count - 1].bytes += used
  }

  /// Fills in what only the commit knows: who wrote the node, and the checksum of it at its place.
  private func sealNodes() {
    var offset = 0
    while offset < used {
      let node = start + offset
      var header = node.load(as: NodeHeader.self)
      invariant(
        header.kind != 0 && header.units > 0 && offset + header.bytes <= used,
        "a node of kind \(header.kind) was placed with a size of \(header.bytes) bytes")
      anteroom?.translate(node)
      header.sizeAndBorn = UInt64(header.units) | born.number << UInt64(rb_node_born)
      node.storeBytes(of: header, as: NodeHeader.self)
      header.checksum = Checksum.ofNode(
        node, bytes: header.bytes, at: NodeRef(raw: run.offset + UInt64(offset)), of: file)
      node.storeBytes(of: header, as: NodeHeader.self)
      offset += header.bytes
    }
  }
}
