import CShims
import StandIns
import Testing

@testable import ReferenceEngine

/// Several openers of one file, to whom everything happens that can: flushes fail, disks are full,
/// writers die over their commits, groups are lost that somebody reads, readers come without a
/// place in the lock file, or are just arriving.
///
/// After each act every version that anybody holds is as it was, be it one that was lost, and the
/// newest is the last that was acknowledged.
@Suite struct MisfortuneTests {
  @Test func `WRITE-27: whatever fails, what is held stays and what was refused never comes`()
    throws
  {
    let first = Wish.seed(orElse: 1)
    let stories = Wish.number("MISFORTUNES", orElse: 15 as UInt64)
    var told = Misfortune.Tally()
    for seed in first..<first + stories {
      do {
        let misfortune = try Misfortune(seed: seed)
        for _ in 0..<150 { try misfortune.act() }
        try misfortune.end()
        told.add(misfortune.tally)
      } catch { Issue.record("seed \(seed): \(error)") }
    }
    print("misfortunes from seed \(first): \(told)")
    // Or nothing is shown by it.
    #expect(told.refused > Int(stories) && told.lost > Int(stories) && told.finished > 0)
    #expect(told.blind > 0 && told.checked > 1_000)
  }
}

/// One story.
private final class Misfortune {
  struct Tally {
    var (refused, lost, finished, blind, checked) = (0, 0, 0, 0, 0)

    mutating func add(_ other: Tally) {
      refused += other.refused
      lost += other.lost
      finished += other.finished
      blind += other.blind
      checked += other.checked
    }
  }

  struct Ending: Error, CustomStringConvertible {
    let description: String
  }

  /// One who has the file open, as a process would.
  private final class Opener {
    let disk: FailingDisk
    let file: Coordinator
    let isReadOnly: Bool

    init(_ recording: RecordingDisk, _ lockPath: String, isReadOnly: Bool) throws {
      disk = FailingDisk(recording)
      disk.staysOpen = true
      self.isReadOnly = isReadOnly
      var configuration = Toy.configuration(.memory(identifier: "misfortune"))
      configuration.isReadOnly = isReadOnly
      file = try Coordinator(configuration, disk: disk, lockPath: lockPath)
    }
  }

  /// A version that somebody reads.
  private final class Held {
    let root: Root
    let content: [[UInt8]]
    let what: String
    /// Where its last node ends.
    let reach: UInt64
    /// What keeps it, and is given back with it.
    private let keeps: AnyObject?
    private let end: () -> Void

    init(
      _ root: Root, in space: NodeSpace, _ what: String, keeps: AnyObject?,
      end: @escaping () -> Void = {}
    ) {
      (self.root, self.what, self.keeps, self.end) = (root, what, keeps, end)
      content = Toy.content(root, space)
      var reach: UInt64 = 0
      func note(_ ref: NodeRef) {
        if !ref.isNone { reach = max(reach, ref.raw + UInt64(space.header(ref).bytes)) }
      }
      note(root.top)
      Toy.tree.forEachReference(space.node(root.top)) { place in
        note(NodeRef(raw: space.node(root.top).load(fromByteOffset: place, as: UInt64.self)))
      }
      self.reach = reach
    }

    deinit { end() }
  }

  private let folder = Folder()
  private let recording: RecordingDisk
  private let window: Mapping
  private var dice: Dice
  private var openers: [Opener] = []
  /// Held by openers, and by those who need none.
  private var held: [Held] = []
  private var outside: [Held] = []
  /// What was acknowledged last, and what a dead writer may have left.
  private var model: [[UInt8]] = []
  private var ofTheDead: [[UInt8]]?
  private var steps: [String] = []
  private(set) var tally = Tally()

  init(seed: UInt64) throws {
    dice = Dice(seed: seed)
    recording = try RecordingDisk()
    window = try Mapping(descriptor: recording.descriptor, path: "window", writable: false)
    for _ in 0..<3 { openers.append(try open()) }
    model = try set([0: [1]], openers[0])
  }

  deinit { recording.close() }

  private func open(isReadOnly: Bool = false) throws -> Opener {
    try Opener(recording, folder.path + "/misfortune.lock", isReadOnly: isReadOnly)
  }

  private func below(_ limit: Int) -> Int { Int(dice.next() % UInt64(limit)) }

  private func values() -> [Int: [UInt8]] {
    var values: [Int: [UInt8]] = [:]
    for _ in 0...below(3) {
      // Some do not fit into what is free, and few are large.
      let most = [300, 300, 900, 5_000, 60_000][below(below(4) == 0 ? 5 : 3)]
      values[below(16)] = dice.bytes(upTo: most)
    }
    return values
  }

  private func merged(_ values: [Int: [UInt8]], into content: [[UInt8]]) -> [[UInt8]] {
    var content = content.isEmpty ? [[UInt8]](repeating: [], count: 16) : content
    for (leaf, bytes) in values { content[leaf] = bytes }
    return content
  }

  @discardableResult
  private func set(_ values: [Int: [UInt8]], _ opener: Opener) throws -> [[UInt8]] {
    try opener.file.set(values, below(2) == 0 ? .twoPhase : .singleFlush)
    return merged(values, into: model)
  }

  // MARK: acts

  func act() throws {
    if below(60) == 0 { try closeAll() } else { try act(openers[below(openers.count)]) }
    try check()
  }

  private func act(_ opener: Opener) throws {
    if below(2) == 0 { opener.disk.heal() }
    if below(3) == 0 { arm(opener) }
    switch below(19) {
    case 0..<6: try commit(opener)
    case 6..<10: try commitGroup(opener)
    case 10: try die(opener)
    case 11: hold(opener)
    case 12: arrive(opener)
    case 13: comeFromOutside()
    case 14, 15: letGo()
    case 16: try reopen(opener)
    case 17: examine(opener)
    default: recording.failFlushes(1 + below(2), after: below(3))
    }
  }

  /// From some call on, or at it, the disk of one opener fails.
  private func arm(_ opener: Opener) {
    let failure = FailingDisk.Failure.allCases[below(FailingDisk.Failure.allCases.count)]
    opener.disk.fail(at: below(7), failure, sticky: below(3) == 0)
  }

  private func commit(_ opener: Opener) throws {
    if opener.isReadOnly { return }
    let values = values()
    steps.append("commit \(values.keys.sorted())")
    do {
      try look(opener)
      model = try set(values, opener)
    } catch {
      steps.append("refused: \(error)")
      tally.refused += 1
    }
  }

  /// What a dead writer left is finished, or given up, by the next one to write.
  private func look(_ opener: Opener) throws {
    let write = try opener.file.beginWrite()
    write.cancel()
    guard let dead = ofTheDead else { return }
    if try opener.file.newestContent() == dead {
      model = dead
      tally.finished += 1
    }
    ofTheDead = nil
  }

  private func commitGroup(_ opener: Opener) throws {
    if opener.isReadOnly { return }
    let file = opener.file
    var content = model
    var shown: [Held] = []
    do {
      try look(opener)
      content = model
      var write = try file.beginWrite()
      for number in 0...below(3) {
        if number > 0 { write = try continueGroup(file) }
        let values = values()
        let root = try file.seal(
          values, in: write, waits: below(2) == 0, isForLater: below(2) == 0)
        content = merged(values, into: content)
        steps.append("seal \(root.version) \(values.keys.sorted())")
        if root.isWaiting { continue }
        file.writer.reveal(root)
        let pin = try Pin(coordinator: file, kind: .live)
        if below(3) > 0, let sealed = file.writer.pinSealed(root.version, with: pin) {
          for runs in sealed.composed { try runs.write() }
          shown.append(Held(root, in: file.space, "sealed \(root.version)", keeps: pin))
        }
      }
      _ = try file.commitGroup()
      model = content
      steps.append("committed")
    } catch {
      steps.append("lost: \(error)")
      tally.refused += 1
      if !shown.isEmpty { tally.lost += 1 }
      if file.writer.isGroupOpen { file.giveUpGroup() }
    }
    held += shown
  }

  private func continueGroup(_ file: Coordinator) throws -> WriteTransaction {
    do { return try file.continueGroup() } catch {
      file.giveUpGroup()
      throw error
    }
  }

  /// A writer dies over its commit: before its slot, behind it, or when its flush has failed.
  private func die(_ opener: Opener) throws {
    if opener.isReadOnly { return }
    let file = opener.file
    do {
      try look(opener)
      let toy = ToyWrite(try file.beginWrite())
      let values = values()
      for (leaf, bytes) in values { toy.set(leaf, bytes) }
      _ = try toy.write.seal(settle: toy.settle)
      let commit = Commit(file: file, requested: below(2) == 0 ? .twoPhase : .singleFlush)
      do {
        let plan = try commit.makePlan()
        try commit.flushNodes(plan)
        let writesSlot = below(3) > 0
        steps.append("dies over \(plan.root.version), \(writesSlot ? "with" : "without") its slot")
        if writesSlot {
          try Opening.write(CommitSlot(root: plan.root), to: file.disk)
          ofTheDead = merged(values, into: model)
        }
        rb_store_seq_cst(
          file.lock.word(LockFile.committingOffset), plan.root.version.number)
        if below(2) == 0 { try? file.disk.sync() }
      } catch {
        steps.append("dies of \(error)")
      }
      file.writer.endGroup()
      file.leaveGate()
    } catch {
      steps.append("could not even die: \(error)")
      tally.refused += 1
      if file.writer.isGroupOpen { file.giveUpGroup() }
      return
    }
    try reopen(opener)
  }

  private func hold(_ opener: Opener) {
    guard let snapshot = try? opener.file.newestSnapshot(kind: .frozen) else { return }
    steps.append("hold \(snapshot.version)")
    held.append(Held(snapshot.root, in: opener.file.space, "held", keeps: snapshot))
  }

  /// Somebody has looked a second time, and has not noted the root yet.
  private func arrive(_ opener: Opener) {
    let file = opener.file
    guard let place = try? file.pins.claim(.live) else { return }
    let root = file.board.newestRoot
    place.propose(root)
    steps.append("arriving at \(root.version)")
    held.append(
      Held(root, in: file.space, "arriving", keeps: file) { file.pins.release(place) })
  }

  /// Somebody reads the file without a place in the lock file.
  private func comeFromOutside() {
    let file = rb_open_apart(recording.descriptor, 0)
    guard file >= 0, rb_byte_share(file, LockFile.readerByte) == 0 else { return }
    window.measure()
    guard let root = try? Opening.recover(recording, mayCreate: false, now: 0) else {
      close(file)
      return
    }
    steps.append("outsider at \(root.version)")
    outside.append(
      Held(root, in: window.space, "outsider's \(root.version)", keeps: nil) { close(file) })
  }

  private func letGo() {
    if below(3) == 0, !outside.isEmpty {
      outside.remove(at: below(outside.count))
    } else if !held.isEmpty {
      held.remove(at: below(held.count))
    }
  }

  /// Another one comes instead, or the same once more.
  private func reopen(_ opener: Opener) throws {
    guard let index = openers.firstIndex(where: { $0 === opener }) else { return }
    steps.append("reopen")
    let isReadOnly = below(5) == 0 && openers.contains { $0 !== opener && !$0.isReadOnly }
    openers[index] = try open(isReadOnly: isReadOnly)
  }

  /// Nobody has it open any more, but those who have no place in the lock file; then others come.
  private func closeAll() throws {
    steps.append("all close")
    held = []
    weak let last = openers.last?.file
    openers = []
    if last != nil { throw ending("somebody keeps the file open") }
    while openers.isEmpty {
      // A flush may fail here, too.
      do { openers.append(try open(isReadOnly: below(4) == 0)) } catch {
        steps.append("not opened: \(error)")
      }
    }
    for _ in 0..<2 { openers.append(try open()) }
    if let dead = ofTheDead, try openers[0].file.newestContent() == dead {
      model = dead
      tally.finished += 1
    }
    ofTheDead = nil
  }

  private func examine(_ opener: Opener) {
    guard let heap = opener.file.writer.heap, heap.losses == opener.file.lock.losses,
      heap.free.version == opener.file.newestVersion
    else { return }
    heap.examineWaiting()
  }

  // MARK: looking

  private func check() throws {
    let size = try recording.size()
    for one in held + outside {
      guard size >= one.reach else { throw ending("the file ends before \(one.what)") }
      tally.checked += 1
      if Toy.content(one.root, window.space) != one.content {
        throw ending("\(one.what), \(one.root.version), has changed")
      }
    }
    for opener in openers {
      if opener.file.writer.heap?.isBlind == true { tally.blind += 1 }
      let found = try opener.file.newestContent()
      if found != model, found != ofTheDead {
        let others = (0..<16).filter { found[$0] != model[$0] }
        throw ending("version \(opener.file.newestVersion) has other leaves: \(others)")
      }
    }
  }

  private func ending(_ what: String) -> Ending {
    Ending(description: what + "; " + steps.suffix(40).joined(separator: ", "))
  }

  func end() throws {
    (held, outside) = ([], [])
    recording.failFlushes(0)
    for opener in openers { opener.disk.heal() }
    if openers.allSatisfy(\.isReadOnly) { openers.append(try open()) }
    for opener in openers where !opener.isReadOnly {
      try commit(opener)
      try check()
      try opener.file.checkEverything()
    }
    openers = []
    let last = try open()
    if try last.file.newestContent() != model { throw ending("another version comes back") }
    try last.file.checkEverything()
  }
}
