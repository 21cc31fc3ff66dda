import CShims
import StandIns
import Testing

@testable import ReferenceEngine

/// Every state that a crash may leave opens as a version that was acknowledged, or was just being
/// committed.
@Suite struct CrashTests {
  enum Workload: String, CaseIterable, Sendable {
    case twoPhase, singleFlush, groups, groupsFlushedOnce, shared, alone, background, growing, mixed
    case deaths

    /// So many that there are states enough; the larger they are, the fewer.
    var commits: Int {
      switch self {
      case .growing: 24
      case .background, .groupsFlushedOnce, .shared, .alone, .deaths: 60
      case .groups: 340
      case .twoPhase, .singleFlush, .mixed: 130
      }
    }
  }

  /// Runs a workload on a recording disk, noting what was acknowledged when.
  private func record(
    _ workload: Workload, commits: Int, seed: UInt64, openersFlush: Bool = true,
    forgets: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) throws -> CrashStates {
    let disk = try RecordingDisk(forgets: forgets)
    let process = MortalDisk(disk)
    var story = CrashStates.Story()
    var dice = Dice(seed: seed)
    let first = VersionID(1)
    story.contents[first] = 0
    story.notes.append((acknowledged: first, inFlight: first))
    func open() throws -> Coordinator {
      try Coordinator(
        Toy.configuration(.memory(identifier: "recorded")), disk: process, lockPath: nil)
    }
    var coordinator = try open()
    // As soon as it is made it gets its name; before there is nothing that could be lost.
    disk.note(0)
    try disk.rename(to: "", replace: false)
    func begin(_ acknowledged: VersionID) {
      story.notes.append((acknowledged: acknowledged, inFlight: acknowledged))
      disk.note(story.notes.count - 1)
    }
    var acknowledged = first
    func mayBecome(_ root: Root) {
      acknowledged = root.version
      story.contents[root.version] = Toy.checksum(root, coordinator.space)
      story.notes[story.notes.count - 1].inFlight = root.version
    }
    var held: [Snapshot] = []
    for step in 0..<commits {
      begin(acknowledged)
      var values: [Int: [UInt8]] = [:]
      for _ in 0...Int.random(in: 0...2, using: &dice) {
        values[Int.random(in: 0..<16, using: &dice)] =
          dice.bytes(upTo: workload == .growing ? 20_000 : 400)
      }
      switch workload {
      case .twoPhase, .growing: mayBecome(try coordinator.set(values, .twoPhase))
      case .singleFlush: mayBecome(try coordinator.set(values, .singleFlush))
      case .groups:
        // All wait for their place, or the others have theirs before the last, or each has its own.
        let places = step % 3
        func seal(_ values: [Int: [UInt8]], in write: WriteTransaction, places: Bool) throws {
          _ = try coordinator.seal(values, in: write, waits: !places)
        }
        try seal(values, in: try coordinator.beginWrite(), places: places == 2)
        try seal([1: dice.bytes(upTo: 300)], in: coordinator.continueGroup(), places: places == 2)
        try seal([2: dice.bytes(upTo: 300)], in: coordinator.continueGroup(), places: places > 0)
        mayBecome(try coordinator.commitGroup(.twoPhase))
      case .background:
        // Every third ends where the file does, in space that is taken with some to spare. The file
        // is made longer ahead of others.
        _ = try coordinator.seal(
          values, in: try coordinator.beginWrite(), waits: step % 2 == 0, isForLater: true)
        let left = coordinator.writer.heap.map { Int($0.fileSize) - Int($0.free.map.end) } ?? 0
        let size = step % 3 == 0 ? max(0, left - 1_500) : 6_000
        _ = try coordinator.seal(
          [step % 16: dice.bytes(upTo: 400) + [UInt8](repeating: 7, count: size)],
          in: coordinator.continueGroup(), waits: false, isForLater: true)
        mayBecome(try coordinator.commitGroup(.twoPhase))
      case .groupsFlushedOnce:
        // Composed for later or not; and once in a while one has its place before the last, or two
        // phases come between.
        _ = try coordinator.seal(values, in: try coordinator.beginWrite())
        let second = try coordinator.seal(
          [1: dice.bytes(upTo: 300)], in: coordinator.continueGroup())
        if step % 7 == 3 { _ = try coordinator.place(second) }
        let last = try coordinator.seal([2: dice.bytes(upTo: 300)], in: coordinator.continueGroup())
        if step % 2 == 0 { _ = try coordinator.place(last, isForLater: true) }
        let root = try coordinator.commitGroup()
        #expect(root.commitProtocol == (step % 7 == 3 ? .twoPhase : .singleFlush))
        mayBecome(root)
        if step % 5 == 4 {
          begin(acknowledged)
          mayBecome(try coordinator.set([3: dice.bytes(upTo: 300)], .twoPhase))
        }
      case .shared:
        // Of several threads, on top of each other: a later one lets go what an earlier one has
        // written, its top each time. Now and then one is alone, or large.
        var commits = [values]
        for number in 0...step % 3 {
          commits.append([(step + number) % 16: dice.bytes(upTo: step % 8 == 7 ? 9_000 : 400)])
        }
        let root = try coordinator.setTogether(commits)
        #expect(root.commitProtocol == .singleFlush)
        mayBecome(root)
        if step % 5 == 4 {
          begin(acknowledged)
          mayBecome(try coordinator.set([3: dice.bytes(upTo: 300)], .twoPhase))
        }
      case .alone:
        // Brought to the disk by another thread, one by one; now and then one with two phases, or
        // two of which each has its place, come between. After one that ends where the file does
        // the file is made longer ahead, and the next uses space again: its flush has to carry
        // both.
        let left = coordinator.writer.heap.map { Int($0.fileSize) - Int($0.free.map.end) } ?? 0
        let size = [max(0, left - 1_500), 0, 6_000, 0][step % 4]
        values[step % 16] = dice.bytes(upTo: 400) + [UInt8](repeating: 7, count: size)
        func sealAlone(_ values: [Int: [UInt8]], in write: WriteTransaction) throws {
          _ = try coordinator.seal(values, in: write, waits: false, isForLater: true)
        }
        try sealAlone(values, in: try coordinator.beginWrite())
        if step % 6 == 4 { try sealAlone([1: [4]], in: coordinator.continueGroup()) }
        let root = try coordinator.commitGroup()
        #expect(root.commitProtocol == (step % 6 == 4 ? .twoPhase : .singleFlush))
        mayBecome(root)
        if step % 7 == 5 {
          begin(acknowledged)
          mayBecome(try coordinator.set([3: dice.bytes(upTo: 300)], .twoPhase))
        }
      case .mixed:
        mayBecome(try coordinator.set(values, step % 3 == 0 ? .twoPhase : .singleFlush))
      case .deaths:
        // The process dies at one of its flushes, or at none. The next one finds what the system
        // still has.
        process.dies(atFlush: step % 3)
        mayBecome(try coordinator.set(values, step % 4 < 2 ? .twoPhase : .singleFlush))
        if process.isDead || step % 5 == 0 {
          held = []
          process.revive()
          if !openersFlush { process.dies(atFlush: 0) }
          coordinator = try open()
          process.revive()
          acknowledged = coordinator.newestVersion
        }
      }
      if step % 5 == 0 { held.append(try coordinator.newestSnapshot(kind: .frozen)) }
      if held.count > 2 { held.removeFirst() }
      // Space must be reused, or nothing is shown about it.
      coordinator.writer.heap?.examineWaiting()
    }
    begin(acknowledged)
    return CrashStates(
      steps: disk.steps, story: story, dice: Dice(seed: seed &+ 1),
      randomSubsets: 60)
  }

  @Test func `COMMIT-04: every crash leaves the acknowledged version or the one in flight`() throws
  {
    let scale = Wish.number("CRASH_SCALE", orElse: 1)
    let seed = Wish.seed(orElse: 20_261_121)
    var total = 0
    for workload in Workload.allCases {
      var states = try record(
        workload, commits: workload.commits * scale, seed: seed)
      let outcome = states.explore()
      total += outcome.states
      #expect(outcome.problems.isEmpty, "\(workload), seed \(seed): \(outcome.problems)")
    }
    print("crash states opened: \(total), seed \(seed)")
    #expect(total >= 20_000)
  }

  /// How a file comes to have a name, with what in it.
  enum Making: CaseIterable, Sendable {
    case new, copy, replacing
  }

  /// Makes a file aside on a recording disk, and gives it its name: from there on it must be whole.
  private func recordMaking(
    _ making: Making, leaves: Int, seed: UInt64,
    forgets: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) throws -> CrashStates {
    let source = try Coordinator(Toy.configuration(.memory(identifier: "source\(seed)")))
    var dice = Dice(seed: seed)
    for index in 0..<leaves { try source.set([index: dice.bytes(upTo: 3_000)]) }
    let snapshot = try source.newestSnapshot(kind: .frozen)
    let disk = try RecordingDisk(forgets: forgets)
    var story = CrashStates.Story()
    let version = making == .new ? VersionID(1) : snapshot.version
    story.contents[version] = making == .new ? 0 : Toy.checksum(snapshot.root, snapshot.space)
    story.notes.append((acknowledged: version, inFlight: version))
    try Aside.put(disk, at: "", PassingMoments(), replace: making == .replacing) { disk in
      if making == .new {
        try Opening.create(disk, now: 1)
      } else {
        try Compaction.write(snapshot.root, in: snapshot.space, to: disk, tree: Toy.tree)
      }
    }
    disk.note(0)
    return CrashStates(
      steps: disk.steps, story: story, dice: Dice(seed: seed &+ 1), randomSubsets: 100)
  }

  @Test(arguments: Making.allCases)
  func `COMMIT-04: a file that has got its name is whole, whatever a crash leaves`(making: Making)
    throws
  {
    for seed in UInt64(1)...12 {
      var states = try recordMaking(making, leaves: Int(seed), seed: seed)
      let outcome = states.explore()
      #expect(outcome.problems.isEmpty, "seed \(seed): \(outcome.problems)")
      #expect(outcome.states > 0)
    }
  }

  @Test(arguments: Making.allCases)
  func `COMMIT-02: the flush before a file gets its name carries something`(making: Making) throws {
    var states = try recordMaking(making, leaves: 8, seed: 5) { $0 == 0 }
    states.problemLimit = 1
    let outcome = states.explore()
    #expect(!outcome.problems.isEmpty)
    print("\(making) without its flush: caught at \(outcome.problems.first ?? "-")")
  }

  /// Flush 0 makes the file; then each two-phase commit has an odd one for its nodes and an even
  /// one for its slot.
  struct Forgotten: Sendable, CustomTestStringConvertible {
    let name: String
    let workload: Workload
    let carries: String
    let forgets: @Sendable (Int) -> Bool
    var testDescription: String { name }
  }

  static let forgotten = [
    Forgotten(
      name: "no flush between nodes and slot", workload: .twoPhase,
      carries: "that the slot never names nodes which are not there"
    ) { $0 % 2 == 1 },
    Forgotten(
      name: "no flush after the slot", workload: .twoPhase,
      carries: "that what was acknowledged stays"
    ) { $0 > 0 && $0 % 2 == 0 },
    Forgotten(
      name: "no flush at all with a single flush", workload: .singleFlush,
      carries: "that what was acknowledged stays, and that the older slot is there to fall back on"
    ) { $0 >= 1 },
    Forgotten(
      name: "no flush between the nodes of a group and its slot", workload: .groups,
      carries: "that a group is there as a whole or not at all"
    ) { $0 % 2 == 1 },
    Forgotten(
      name: "no flush of a group that is flushed once", workload: .groupsFlushedOnce,
      carries: "that what was acknowledged stays, and that the older slot is there to fall back on"
    ) { $0 >= 1 },
    Forgotten(
      name: "no flush of the commits of several threads", workload: .shared,
      carries: "that what was acknowledged stays, and that the older slot is there to fall back on"
    ) { $0 >= 1 },
    Forgotten(
      name: "no flush of a commit that another thread brings to the disk", workload: .alone,
      carries: "that what was acknowledged stays, and that the older slot is there to fall back on"
    ) { $0 >= 1 },
    Forgotten(
      name: "no flush before a new file gets its name", workload: .twoPhase,
      carries: "that a file which has a name is a realm"
    ) { $0 == 0 },
  ]

  @Test(arguments: forgotten)
  func `COMMIT-02: each flush carries something`(mutant: Forgotten) throws {
    var states = try record(
      mutant.workload, commits: 12, seed: 5, forgets: mutant.forgets)
    states.problemLimit = 1
    let outcome = states.explore()
    #expect(!outcome.problems.isEmpty, "\(mutant.name) was not noticed")
    print(
      "\(mutant.name): caught at \(outcome.problems.first ?? "-"); it carries \(mutant.carries)")
  }

  @Test func `COMMIT-04: who opens a file flushes what the dead had written`() throws {
    var states = try record(.deaths, commits: 12, seed: 5, openersFlush: false)
    states.problemLimit = 1
    let outcome = states.explore()
    #expect(!outcome.problems.isEmpty)
    print("no flush by whoever opens a file: caught at \(outcome.problems.first ?? "-")")
  }

  // first                          second, another process
  // commits version 2
  //                                commits version 3, and so knows what space is free
  // version 4: the last flush fails
  //                                commits another version 4
  @Test(arguments: [CommitProtocol.twoPhase, .singleFlush])
  func `COMMIT-18: no writer takes the space of a commit whose flush failed`(how: CommitProtocol)
    throws
  {
    let folder = Folder()
    let recording = try RecordingDisk()
    let failing = FailingDisk(recording)
    failing.staysOpen = true
    func open(_ disk: any Disk) throws -> Coordinator {
      try Coordinator(
        Toy.configuration(.memory(identifier: "shared")), disk: disk,
        lockPath: folder.path + "/shared.lock")
    }
    let first = try open(failing)
    let second = try open(MortalDisk(recording))
    try recording.rename(to: "", replace: false)
    var dice = Dice(seed: 3)
    var story = CrashStates.Story()
    func note(mayFollow: UInt64 = 1) {
      let version = second.newestVersion
      story.notes.append(
        (acknowledged: version, inFlight: VersionID(version.number + mayFollow)))
      recording.note(story.notes.count - 1)
    }
    for step in 0..<8 {
      note()
      try first.set([step: dice.bytes(upTo: 900)])
    }
    note()
    try second.set([1: dice.bytes(upTo: 900)])
    note()
    failing.fail(at: how == .twoPhase ? 3 : 2, .refused, sticky: false)
    #expect(throws: StorageError.self) { try first.set([2: dice.bytes(upTo: 900)], how) }
    note()
    try second.set([3: dice.bytes(upTo: 900), 4: [4]])
    note()
    try first.set([5: [5]])
    note(mayFollow: 0)
    try first.checkEverything()
    #expect(try second.newestContent()[4...5] == [[4], [5]])
    var states = CrashStates(
      steps: recording.steps, story: story, dice: Dice(seed: 4), randomSubsets: 200)
    let outcome = states.explore()
    #expect(outcome.problems.isEmpty, "\(outcome.problems)")
    recording.close()
  }

  /// A flush that fails, and who believes another one that succeeds because the system has
  /// forgotten what it could not write.
  enum Retry: CaseIterable, Sendable {
    /// A writer died before its flush; an opener's fails, another one opens.
    case byAnotherOpener
    /// The same, and the first opener only reads; a writer that joins it begins twice.
    case besideReader
    /// A writer died when its flush had failed, before it could say so.
    case behindTheDead
    /// A commit's flush failed, and that of its cleared slot, too.
    case ofClearedSlot
    /// The same, before the file had a single object, and by openers.
    case ofFirstClearedSlot
    /// The same, and the lock file, which had said so, was removed before the next one opened.
    case withoutLockFile
    /// A commit's flush failed, and its slot could not even be cleared; nor by the next opener.
    case ofSlotThatStays
  }

  @Test(arguments: Retry.allCases, [CommitProtocol.twoPhase, .singleFlush])
  func `COMMIT-18: what a flush could not carry is written again before one is believed`(
    retry: Retry, how: CommitProtocol
  ) throws {
    let folder = Folder()
    let recording = try RecordingDisk()
    let process = MortalDisk(recording)
    var configuration = Toy.configuration(.memory(identifier: "retried"))
    func open(_ disk: any Disk) throws -> Coordinator {
      try Coordinator(configuration, disk: disk, lockPath: folder.path + "/retried.lock")
    }
    var dice = Dice(seed: 9)
    var story = CrashStates.Story()
    // What was taken back and what came instead have the same number.
    let isOneOfItsNumber = [.byAnotherOpener, .besideReader, .behindTheDead].contains(retry)
    func note(_ file: Coordinator, mayFollow: UInt64 = 1) {
      let root = file.board.newestRoot
      if isOneOfItsNumber { story.contents[root.version] = Toy.checksum(root, file.space) }
      story.notes.append(
        (acknowledged: root.version, inFlight: VersionID(root.version.number + mayFollow)))
      recording.note(story.notes.count - 1)
    }
    /// Commits, and dies before it has published.
    func commitAndDie(_ file: Coordinator) throws {
      let committing = file.lock.word(LockFile.committingOffset)
      let version = file.newestVersion.next
      note(file)
      process.dies(atFlush: how == .twoPhase ? 1 : 0)
      let lost = try file.set([2: dice.bytes(upTo: 900)], how)
      story.contents[lost.version] = Toy.checksum(lost, file.space)
      rb_store_seq_cst(committing, version.number)
    }
    /// Commits as far as the flush of the slot, which fails.
    func failToCommit(_ file: Coordinator) throws {
      note(file)
      recording.failFlushes(1, after: how == .twoPhase ? 1 : 0)
      #expect(throws: StorageError.self) { try file.set([2: dice.bytes(upTo: 900)], how) }
    }

    let bystander: Coordinator?
    do {
      let failing = FailingDisk(process)
      let first = try open(retry == .ofSlotThatStays ? failing : process)
      try recording.rename(to: "", replace: false)
      for step in 0..<(retry == .ofFirstClearedSlot ? 0 : 3) {
        note(first)
        try first.set([step: dice.bytes(upTo: 900)])
      }
      bystander = try retry == .behindTheDead ? open(MortalDisk(recording)) : nil
      switch retry {
      case .byAnotherOpener, .besideReader: try commitAndDie(first)
      case .ofClearedSlot, .ofFirstClearedSlot, .withoutLockFile: try failToCommit(first)
      case .ofSlotThatStays:
        // Behind the flush, which this one lets pass.
        failing.fail(at: how == .twoPhase ? 4 : 3, .refused, sticky: true)
        try failToCommit(first)
      case .behindTheDead:
        let version = first.newestVersion.next
        // Killed as soon as the flush has failed: nothing is cleared.
        let committing = first.lock.word(LockFile.committingOffset)
        recording.onFailure { process.die() }
        try failToCommit(first)
        first.lock.givenUp = nil
        rb_store_seq_cst(committing, version.number)
      }
      if retry == .ofClearedSlot || retry == .withoutLockFile {
        recording.failFlushes(1)
        #expect(throws: StorageError.self) { try first.beginWrite() }
      }
    }
    let heir: Coordinator
    var reader: Coordinator?
    switch retry {
    case .byAnotherOpener, .ofFirstClearedSlot:
      recording.failFlushes(1)
      #expect(throws: StorageError.self) { try open(MortalDisk(recording)) }
      heir = try open(MortalDisk(recording))
    case .besideReader:
      configuration.isReadOnly = true
      reader = try open(MortalDisk(recording))
      configuration.isReadOnly = false
      heir = try open(MortalDisk(recording))
      recording.failFlushes(1)
      #expect(throws: StorageError.self) { try heir.beginWrite() }
      try heir.beginWrite().cancel()
    case .behindTheDead:
      heir = try #require(bystander)
      try heir.beginWrite().cancel()
    case .ofClearedSlot: heir = try open(MortalDisk(recording))
    case .withoutLockFile:
      unlink(folder.path + "/retried.lock")
      heir = try open(MortalDisk(recording))
    case .ofSlotThatStays:
      let failing = FailingDisk(MortalDisk(recording))
      failing.fail(at: 0, .refused, sticky: true)
      #expect(throws: StorageError.self) { try open(failing) }
      heir = try open(MortalDisk(recording))
    }
    for step in 0..<3 {
      note(heir)
      try heir.set([step + 4: dice.bytes(upTo: 900)], how)
    }
    note(heir, mayFollow: 0)
    try heir.checkEverything()
    withExtendedLifetime(reader) {}
    var states = CrashStates(
      steps: recording.steps, story: story, dice: Dice(seed: 4), randomSubsets: 20)
    states.mostEnumerated = 5
    let outcome = states.explore()
    #expect(outcome.problems.isEmpty, "\(outcome.problems)")
    #expect(outcome.states > 100)
    recording.close()
  }

  @Test(arguments: [Workload.singleFlush, .groupsFlushedOnce, .alone])
  func `COMMIT-02: without its checksum one flush would not be enough`(workload: Workload) throws {
    let states = try record(workload, commits: 12, seed: 5)
    let steps = states.steps.map { step -> RecordingDisk.Step in
      guard case .write(let offset, let bytes) = step, bytes.count == FileHeader.sector,
        let slot = (0...1).first(where: { FileHeader.slotOffset($0) == offset }),
        let found = bytes.withUnsafeBytes({ CommitSlot($0, slot: slot) })
      else { return step }
      var unguarded = bytes
      unguarded.withUnsafeMutableBytes {
        let root = found.root
        CommitSlot(root: root.committed(by: .twoPhase, slot: slot, end: root.end)).encode(into: $0)
      }
      return .write(offset: offset, bytes: unguarded)
    }
    var mutant = CrashStates(
      steps: steps, story: states.story, dice: Dice(seed: 6), randomSubsets: 60)
    mutant.problemLimit = 1
    let outcome = mutant.explore()
    #expect(!outcome.problems.isEmpty)
    print("\(workload) without checksums: caught at \(outcome.problems.first ?? "-")")
  }
}
