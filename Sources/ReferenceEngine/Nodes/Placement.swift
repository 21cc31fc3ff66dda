/// Gives the nodes of one commit their places and writes them: steps 1 and 2 of a commit.
///
/// Nodes are laid side by side into runs of free space; a small commit has one, of one page, and so one write. On a disk they
/// are composed in memory first; in a memory file they are composed where they will lie.
///
/// Invariants: 1. nothing placed here is reachable before the commit is published. 2. A run is taken from the free space
/// when it is opened, and what is left of it given back when it is closed.
final class Placement: NodeSink {
  private let disk: any Disk
  private let memory: UnsafeMutableRawPointer?
  private let heap: Heap
  private let born: VersionID

  /// The runs written so far, without the last one's unused end.
  private(set) var runs: [Run] = []
  private(set) var checksum: UInt32 = 0
  private(set) var bytes = 0
  /// The first failure of the disk: the nodes that follow are composed in vain.
  private(set) var failure: (any Error)?

  private var wanted: Int
  private var run = Run(offset: 0, bytes: 0)
  private var start: UnsafeMutableRawPointer
  private var used = 0

  /// - Parameter expected: how many bytes the commit will probably place.
  init(
    disk: any Disk, heap: Heap, memory: UnsafeMutableRawPointer?, born: VersionID, expected: Int
  ) {
    self.disk = disk
    self.heap = heap
    self.memory = memory
    self.born = born
    wanted = max(64, expected)
    start = heap.staging
  }

  func place(bytes count: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer) {
    let size = (count + 15) & ~15
    if used + size > run.bytes { open(atLeast: size) }
    let node = start + used
    let ref = NodeRef(raw: run.offset + UInt64(used))
    // Padding is written too: the same nodes give the same bytes.
    node.storeBytes(of: 0, toByteOffset: size - 16, as: UInt64.self)
    node.storeBytes(of: 0, toByteOffset: size - 8, as: UInt64.self)
    used += size
    wanted -= size
    return (ref, node)
  }

  /// How many runs there will be if `count` more bytes are placed.
  func runCount(placing count: Int) -> Int {
    runs.count + (run.bytes == 0 ? 0 : 1) + (used + count > run.bytes ? 1 : 0)
  }

  /// The runs if the placement ended now.
  var runsSoFar: [Run] {
    used == 0 ? runs : runs + [Run(offset: run.offset, bytes: used)]
  }

  /// Writes what is left.
  func finish() throws {
    close()
    if let failure { throw failure }
  }

  private func open(atLeast size: Int) {
    close()
    if failure != nil { return openInVain(atLeast: size) }
    let goal = max(size, min(wanted, Heap.stagingBytes))
    do {
      run = try heap.take(atLeast: size, wanted: goal)
    } catch {
      failure = error
      return openInVain(atLeast: size)
    }
    start = memory.map { $0 + Int(run.offset) } ?? heap.staging(bytes: run.bytes)
  }

  /// After a failure nothing more is taken from the heap. What follows is composed in the staging memory and forgotten, at
  /// a place that is none of a node's: but settling must be able to tell it from no reference at all, to end in order.
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
    let written = Run(offset: run.offset, bytes: used)
    heap.free.give(Run(offset: run.offset + UInt64(used), bytes: run.bytes - used))
    sealNodes()
    runs.append(written)
    bytes += used
    guard memory == nil else { return }
    let composed = UnsafeRawBufferPointer(start: start, count: used)
    checksum = Checksum.of(composed, seed: checksum)
    do {
      try disk.write(composed, at: run.offset)
    } catch {
      failure = error
    }
  }

  /// Fills in what only the commit knows: who wrote the node, and its checksum.
  private func sealNodes() {
    var offset = 0
    while offset < used {
      let node = start + offset
      var header = node.load(as: NodeHeader.self)
      invariant(
        header.units > 0 && offset + header.bytes <= used,
        "a node of kind \(header.kind) was placed with a size of \(header.bytes) bytes")
      header.sizeAndBorn = UInt64(header.units) | born.number << 24
      node.storeBytes(of: header, as: NodeHeader.self)
      header.checksum = Checksum.ofNode(node, bytes: header.bytes)
      node.storeBytes(of: header, as: NodeHeader.self)
      offset += header.bytes
    }
  }
}

/// The heap of a file as its writer knows it: free space, the file's size, and the memory in which runs are composed.
///
/// Belongs to whoever is inside the gate.
final class Heap {
  static let stagingBytes = 1 << 20

  let disk: any Disk
  let free: FreeSpace
  /// Looks at the waiting nodes, knowing the pins.
  private let examine: (FreeSpace) -> Void
  private(set) var fileSize: UInt64
  private(set) var staging: UnsafeMutableRawPointer
  private var stagingCapacity = 1 << 16

  init(
    disk: any Disk, free: FreeSpace, fileSize: UInt64, examine: @escaping (FreeSpace) -> Void
  ) {
    self.examine = examine
    self.disk = disk
    self.free = free
    self.fileSize = fileSize
    staging = .allocate(byteCount: stagingCapacity, alignment: 16)
  }

  deinit { staging.deallocate() }

  func staging(bytes: Int) -> UnsafeMutableRawPointer {
    if bytes > stagingCapacity {
      staging.deallocate()
      stagingCapacity = bytes
      staging = .allocate(byteCount: bytes, alignment: 16)
    }
    return staging
  }

  func examineWaiting() { examine(free) }

  /// Takes free space, and makes the file longer if there is none.
  func take(atLeast least: Int, wanted: Int) throws -> Run {
    if let run = free.take(atLeast: least, wanted: wanted) { return run }
    // Before the file grows, what waits is looked at, if there is enough of it to pay for a look at all pins.
    if free.unexaminedBytes >= max(wanted, 1 << 16, free.pinsSeen << 8) {
      examineWaiting()
      if let run = free.take(atLeast: least, wanted: wanted) { return run }
    }
    // Nor while a good part of it is free in smaller pieces: the commit then has some more writes.
    if free.freeBytes > max(1 << 18, Int(free.end) / 4) {
      var smaller = min(wanted, FreeSpace.pageBytes) / 2
      while smaller >= max(least, 512) {
        if let run = free.take(atLeast: least, wanted: smaller) { return run }
        smaller /= 2
      }
    }
    let run = free.takeAtEnd(bytes: max(least, wanted))
    do {
      try provide(for: run)
      return run
    } catch {
      free.give(run)
      _ = free.trimEnd()
      throw error
    }
  }

  /// Makes the file long enough for a run and for readers who load 16 bytes past its end.
  private func provide(for run: Run) throws {
    let needed = max(run.end, free.end) + UInt64(FreeSpace.pageBytes)
    guard needed > fileSize else { return }
    guard needed < NodeRef.reservation else {
      throw StorageError.outOfSpace(
        path: disk.path, reason: "a file cannot be larger than \(NodeRef.reservation >> 30) GiB")
    }
    let step = min(max(fileSize / 4, 1 << 16), 1 << 24)
    let size = (max(needed, fileSize + step) + 4095) & ~4095
    // What the run itself covers is about to be written anyway.
    try disk.grow(from: run.offset <= fileSize ? max(fileSize, run.end) : fileSize, to: size)
    fileSize = size
    Seams.current.moments.reach(.fileGrown)
  }

  /// Gives the free end of the file back to the file system, if it is most of the file. The commit that ends at `end` is
  /// durable.
  func shrink(to end: UInt64) throws {
    let size = end + UInt64(1 << 16)
    guard size + 1 << 20 < fileSize, size < fileSize / 2 else { return }
    try disk.truncate(to: size)
    fileSize = size
  }

  /// Another process may have made the file longer or shorter.
  func measure() throws { fileSize = try disk.size() }
}
