/// The heap of a file as its writer knows it: free space, the file's size, and the memory in which
/// runs are composed.
///
/// Belongs to whoever is inside the gate.
final class Heap {
  /// The most that is written at once. Larger writes would hardly be faster; but the system keeps
  /// what was written at once together in its cache, and walks over all of it whenever a later
  /// commit writes a few bytes there.
  static let stagingBytes = 1 << 16

  /// The most that is only taken in one piece while the file may grow instead.
  private static let mostSideBySide = 1 << 15

  let disk: any Disk
  let free: FreeSpace
  let moments: any Moments
  /// Looks at the waiting nodes, knowing the pins.
  private let examine: (FreeSpace) -> Void
  private(set) var fileSize: UInt64
  /// How many commits had been given up, by anybody, that somebody may read (`LockFile`).
  var losses: UInt64 = 0
  /// Whether all was taken for used, because somebody read who could not pin.
  var isBlind = false
  /// Where the heap ended when it was last looked whether it grows.
  private var endSeen = UInt64.max
  private(set) var staging: UnsafeMutableRawPointer
  private var stagingCapacity = 1 << 16

  init(
    disk: any Disk, free: FreeSpace, fileSize: UInt64, moments: any Moments,
    examine: @escaping (FreeSpace) -> Void
  ) {
    self.moments = moments
    self.examine = examine
    self.disk = disk
    self.free = free
    self.fileSize = fileSize
    staging = .allocate(byteCount: stagingCapacity, alignment: 16)
  }

  deinit { staging.deallocate() }

  func staging(bytes: Int) -> UnsafeMutableRawPointer {
    invariant(bytes > 0, "\(bytes) bytes are to be composed")
    if bytes > stagingCapacity {
      staging.deallocate()
      stagingCapacity = bytes
      staging = .allocate(byteCount: bytes, alignment: 16)
    }
    return staging
  }

  func examineWaiting() { examine(free) }

  /// Takes free space, at the end of the heap if there is no other, and makes the file long enough
  /// for it.
  ///
  /// - Parameter provides: false if that is left to whoever writes there, by `provide(for:)`.
  func take(atLeast least: Int, wanted: Int, provides: Bool = true) throws -> Run {
    let found = takeFree(atLeast: least, wanted: wanted)
    invariant(
      found.map { $0.bytes >= least } ?? true,
      "\(least) bytes were asked, \(found?.bytes ?? 0) taken")
    // Free space behind the end of the file was taken for a commit for which the file could not be
    // made longer.
    if let found, !provides || hasRoom(for: found) { return found }
    invariant(least > 0, "\(least) bytes are asked of the heap")
    let run = found ?? free.map.takeAtEnd(bytes: max(least, wanted))
    do {
      if provides { try provide(for: run) }
      return run
    } catch {
      free.map.give(run)
      _ = free.map.trimEnd()
      throw error
    }
  }

  private func takeFree(atLeast least: Int, wanted: Int) -> Run? {
    if let run = takeGood(least, wanted) { return run }
    // Before the file grows, what waits is looked at, if there is enough of it to pay for a look at
    // all pins.
    if free.unexaminedBytes >= max(wanted, 1 << 16, free.pinsSeen << 8) {
      examineWaiting()
      if let run = takeGood(least, wanted) { return run }
    }
    // Nor while a good part of it is free in smaller pieces: the commit then has some more writes.
    if free.map.freeBytes > max(1 << 18, Int(free.map.end) / 4) {
      if let run = free.map.take(atLeast: least, wanted: wanted) { return run }
      var smaller = min(wanted, FreePage.bytes) / 2
      while smaller >= max(least, 512) {
        if let run = free.map.take(atLeast: least, wanted: smaller) { return run }
        smaller /= 2
      }
    }
    return nil
  }

  /// Some pages are taken side by side or not at all: to flush pages here and there costs the
  /// medium several times as much.
  private func takeGood(_ least: Int, _ wanted: Int) -> Run? {
    if wanted > FreePage.bytes, wanted <= Heap.mostSideBySide {
      let pages = (wanted + FreePage.bytes - 1) / FreePage.bytes
      return free.map.takePages(sideBySide: pages)
    }
    return free.map.take(atLeast: least, wanted: wanted)
  }

  /// Where a version ends whose nodes are written. Space behind the end of the file may have been
  /// taken, and not been used.
  var end: UInt64 { min(free.map.end, fileSize & ~15) }

  /// Whether the file is long enough for a run, and for readers who load 16 bytes past its end.
  private func hasRoom(for run: Run) -> Bool { run.end + UInt64(FreePage.bytes) <= fileSize }

  /// Makes the file long enough for runs that are about to be written, each behind the one before
  /// or within the file.
  func provide(for runs: [Run]) throws {
    let behind = runs.filter { !hasRoom(for: $0) }
    guard let first = behind.map(\.offset).min(), let end = behind.map(\.end).max() else { return }
    // Side by side, at the end of the heap.
    try provide(for: Run(offset: first, bytes: Int(end - first)))
  }

  private func provide(for run: Run) throws {
    if hasRoom(for: run) { return }
    let needed = run.end + UInt64(FreePage.bytes)
    guard needed < NodeRef.largestFile else {
      throw StorageError.outOfSpace(
        path: disk.path, reason: "a file cannot be larger than \(NodeRef.largestFile >> 30) GiB")
    }
    let size = (max(needed, fileSize + growthStep) + 4095) & ~4095
    // What the run itself covers is about to be written anyway.
    try disk.grow(from: run.offset <= fileSize ? max(fileSize, run.end) : fileSize, to: size)
    fileSize = size
    invariant(hasRoom(for: run), "a file of \(size) bytes has no room up to \(run.end)")
    moments.reach(.fileGrown)
  }

  private var growthStep: UInt64 { min(max(fileSize / 16, 1 << 16), 1 << 24) }

  /// Makes the file longer before a commit has to, if the heap has been growing: for a thread that
  /// nobody waits for, so that the next commits, which may be sealed where a user waits, find space
  /// that is written.
  func growAhead() {
    defer { endSeen = free.map.end }
    free.map.reserveAhead()
    guard !disk.isMemory, free.map.end > endSeen, fileSize < free.map.end + growthStep / 2,
      fileSize + growthStep < NodeRef.largestFile
    else { return }
    let size = (fileSize + growthStep) & ~4095
    invariant(size > fileSize, "a file of \(fileSize) bytes would grow to \(size)")
    // Who needs the space will be told if there is none.
    guard (try? disk.grow(from: fileSize, to: size)) != nil else { return }
    fileSize = size
    moments.reach(.fileGrown)
  }

  /// Gives the free end of the file back to the file system, if it is most of the file. The commit
  /// that ends at `end` is durable.
  func shrink(to end: UInt64) throws {
    let size = end + UInt64(1 << 16)
    guard size + 1 << 20 < fileSize, size < fileSize / 2 else { return }
    try disk.truncate(to: size)
    fileSize = size
  }

  /// Another process may have made the file longer or shorter.
  func measure() throws { fileSize = try disk.size() }
}
