import CShims
import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// Synchronous commits of several threads that go to the disk together: all of them or none, seen
/// by nobody before, and nobody waits for what another one's code does.
@Suite struct SharedFlushTests {
  /// A file whose flushes are watched.
  private final class Scene: @unchecked Sendable {
    // Sendable because the coordinator is, and the rest is constant.
    let folder = Folder()
    let disk: FailingDisk
    let held: HeldDisk
    let file: Coordinator
    let flushes = Flushes()
    /// Whether the second of two has begun.
    let hasFollowed: Raised

    /// - Parameters:
    ///   - isPatient: Whether who waits for a flush leaves it to whoever is inside the gate,
    ///     however long that takes; else until somebody has begun on what is sealed.
    ///   - patience: Who waits for a flush sleeps, and looks only after so many milliseconds.
    init(isPatient: Bool = true, patience: Int64? = nil) throws {
      let hasFollowed = Raised()
      self.hasFollowed = hasFollowed
      let path = folder.path + "/a.realm"
      held = HeldDisk(try PosixDisk(path: path, writable: true, create: true))
      disk = FailingDisk(held)
      var configuration = Toy.configuration(folder.file())
      configuration.seams.sharing = .patient
      if let patience {
        configuration.seams.sharing.patience = patience
      } else {
        configuration.seams.moments = PatientMoments { !isPatient && hasFollowed.isSo }
      }
      file = try Coordinator(
        configuration, disk: disk, lockPath: path + ".lock")
      try file.set([0: [1], 1: [1], 2: [1]])
      let flushes = flushes
      held.hold { flushes.count() }
    }

    /// Returns when a writer waits that the gate may be passed on to.
    func awaitOneBehind() { while !file.gate.hasOneBehind { sched_yield() } }

    /// What somebody else finds.
    func elsewhere() throws -> [[UInt8]] {
      let other = try Coordinator(Toy.configuration(folder.file()))
      try other.checkEverything()
      return try other.newestContent()
    }
  }

  private final class Flushes: Sendable {
    private let number = Mutex(0)
    func count() { number.withLock { $0 += 1 } }
    func take() -> Int {
      number.withLock { number in
        defer { number = 0 }
        return number
      }
    }
  }

  /// Runs writers that wait for each other in this order: the second asks for the gate when the
  /// first is inside, and so on. Each is told when the next one waits.
  private func inLine(
    _ scene: Scene, _ writers: [@Sendable (WriteTransaction, _ meetNext: () -> Void) throws -> Void]
  ) -> [(any Error)?] {
    let outcomes = Mutex<[(any Error)?]>(Array(repeating: nil, count: writers.count))
    let begun = writers.map { _ in DispatchSemaphore(value: 0) }
    let threads = writers.indices.map { index in
      JoinedThread {
        if index > 0 { begun[index - 1].wait() }
        do {
          let write = try scene.file.beginSharedWrite()
          begun[index].signal()
          try writers[index](write) {
            if index + 1 < writers.count { scene.awaitOneBehind() }
          }
        } catch {
          begun[index].signal()
          outcomes.withLock { $0[index] = error }
        }
      }
    }
    for thread in threads { thread.join() }
    return outcomes.withLock { $0 }
  }

  private func set(_ values: [Int: [UInt8]], in write: WriteTransaction) throws -> Root {
    let toy = ToyWrite(write)
    for (index, bytes) in values.sorted(by: { $0.key < $1.key }) { toy.set(index, bytes) }
    return try write.commit(settle: toy.settle)
  }

  /// Lets the next one come, and sets the first value.
  private var setsFirst: @Sendable (WriteTransaction, _ meetNext: () -> Void) throws -> Void {
    { write, meetNext in
      meetNext()
      _ = try self.set([0: [7]], in: write)
    }
  }

  // first                second                third
  // is inside            waits
  // seals                begins on that        waits
  //                      seals                 begins on that
  //                                            seals, and flushes for all
  @Test func `Three writers that wait for each other share one flush`() throws {
    let scene = try Scene()
    let before = scene.file.newestVersion
    let roots = Mutex<[Root]>([])
    let bases = Mutex<[Root]>([])
    let errors = inLine(
      scene,
      (0..<3).map { index in
        { write, meetNext in
          bases.withLock { $0.append(write.base) }
          meetNext()
          let root = try self.set([index: [UInt8(7 + index)]], in: write)
          roots.withLock { $0.append(root) }
        }
      })
    #expect(errors.allSatisfy { $0 == nil })
    #expect(scene.flushes.take() == 1)
    let versions = roots.withLock { $0.map(\.version.number) }.sorted()
    #expect(versions == (1...3).map { before.number + $0 })
    #expect(bases.withLock { $0.map(\.version.number) } == (0...2).map { before.number + $0 })
    #expect(scene.file.newestVersion.number == versions[2])
    #expect(scene.file.board.newestRoot.commitProtocol == .singleFlush)
    #expect(try scene.file.newestContent()[0...2] == [[7], [8], [9]])
    #expect(try scene.elsewhere()[0...2] == [[7], [8], [9]])
    try scene.file.checkEverything()
    // Each is a version of its own to whoever asks what changed.
    let log = ChangeLog.chain(
      from: scene.file.board.newestRoot, downTo: before, in: scene.file.space)
    #expect(log?.map(\.version.number) == versions.reversed())
  }

  @Test func `A writer alone makes its own two flushes, and shares nothing`() throws {
    let scene = try Scene()
    for value in UInt8(1)...3 {
      let write = try scene.file.beginSharedWrite()
      #expect(write.flush == nil)
      let root = try set([0: [value]], in: write)
      #expect(root.commitProtocol == .twoPhase)
      #expect(scene.flushes.take() == 2)
      #expect(scene.file.writer.shared == nil && scene.file.writer.company == 0)
    }
  }

  @Test func `COMMIT-08: nobody sees a shared commit before its flush, here or elsewhere`() throws {
    let scene = try Scene()
    let other = try Coordinator(Toy.configuration(scene.folder.file()))
    let seen = Mutex<[[[UInt8]]]>([])
    let returned = Atomic(0)
    scene.held.hold {
      scene.flushes.count()
      for reader in [scene.file, other] {
        if let content = try? reader.newestContent() { seen.withLock { $0.append(content) } }
      }
      #expect(returned.load(ordering: .sequentiallyConsistent) == 0)
    }
    let errors = inLine(
      scene,
      (0..<2).map { index in
        { write, meetNext in
          meetNext()
          let root = try self.set([index: [9]], in: write)
          returned.add(1, ordering: .sequentiallyConsistent)
          // Whoever comes after the return sees it.
          #expect(scene.file.newestVersion >= root.version)
          #expect(other.newestVersion >= root.version)
        }
      })
    #expect(errors.allSatisfy { $0 == nil })
    #expect(scene.flushes.take() == 1)
    #expect(seen.withLock { $0.map { Array($0[0...2]) } } == [[[1], [1], [1]], [[1], [1], [1]]])
    #expect(try other.newestContent()[0...2] == [[9], [9], [1]])
  }

  // first                second
  // is inside            waits
  // seals                begins on that, and waits until the first has returned
  // flushes, returns
  //                      commits
  @Test func `WRITE-03: nobody's commit waits for what the next writer does`() throws {
    let scene = try Scene(isPatient: false)
    let hasReturned = DispatchSemaphore(value: 0)
    let errors = inLine(
      scene,
      [
        { write, meetNext in
          meetNext()
          _ = try self.set([0: [7]], in: write)
          hasReturned.signal()
        },
        { write, _ in
          #expect(write.flush != nil)
          scene.hasFollowed.raise()
          hasReturned.wait()
          #expect(scene.file.newestVersion == write.base.version)
          #expect(!write.isBaseLost)
          _ = try self.set([1: [8]], in: write)
        },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(try scene.elsewhere()[0...2] == [[7], [8], [1]])
    try scene.file.checkEverything()
  }

  @Test func `WRITE-03: who cancels leaves what was before it durable`() throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        setsFirst,
        { write, meetNext in
          meetNext()
          let sealed = write.base
          let toy = ToyWrite(write)
          toy.set(1, [8])
          write.cancel()
          #expect(scene.file.newestVersion >= sealed.version)
        },
        { write, _ in _ = try self.set([2: [9]], in: write) },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(try scene.elsewhere()[0...2] == [[7], [1], [9]])
    try scene.file.checkEverything()
  }

  /// Only ends of several commits woke anybody: who had let in one that cancelled slept on.
  @Test func `Who lets another one in is woken, though that one writes nothing`() throws {
    let patience: Int64 = 120_000
    let scene = try Scene(patience: patience)
    let began = rb_uptime()
    let outcomes = inLine(
      scene,
      [
        setsFirst,
        { write, _ in
          // The first one most likely sleeps by then; if it does not, it need not be woken. Time is
          // what limits it: beside other work each yield may take as long as others like.
          let begun = rb_uptime()
          for _ in 0..<10_000 where rb_uptime() - begun < 100_000_000 { sched_yield() }
          write.cancel()
        },
      ])
    #expect(outcomes.allSatisfy { $0 == nil })
    #expect(rb_uptime() - began < UInt64(patience) * 500_000)
    #expect(try scene.elsewhere()[0] == [7])
  }

  @Test func `What a write was begun on is durable before it is handed on`() throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        setsFirst,
        { write, _ in
          #expect(scene.file.newestVersion < write.base.version)
          write.settleBase()
          #expect(scene.file.newestVersion == write.base.version)
          write.settleBase()
          _ = try self.set([1: [8]], in: write)
        },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(try scene.elsewhere()[0...2] == [[7], [8], [1]])
  }

  @Test func `A commit with a protocol of its own, or that is pinned, goes alone`() throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        { write, meetNext in
          meetNext()
          let toy = ToyWrite(write)
          toy.set(0, [7])
          let root = try write.commit(.twoPhase, settle: toy.settle)
          #expect(root.commitProtocol == .twoPhase)
        },
        { write, meetNext in
          #expect(write.flush == nil)
          meetNext()
          _ = try self.set([1: [8]], in: write)
        },
        { write, _ in
          #expect(write.flush != nil)
          let toy = ToyWrite(write)
          toy.set(2, [9])
          let root = try write.commit(.twoPhase, settle: toy.settle)
          #expect(root.commitProtocol == .twoPhase)
        },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(try scene.elsewhere()[0...2] == [[7], [8], [9]])
  }

  /// What broke: only who had passed the gate on was asked how much there is, and not the last.
  @Test(arguments: [1 << 10, 1 << 19])
  func `Whoever opens the file looks at no more than is bounded`(bytes: Int) throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        setsFirst,
        { write, _ in
          #expect(write.flush != nil)
          _ = try self.set([1: [UInt8](repeating: 8, count: bytes)], in: write)
        },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    let isLarge = bytes > SharingLimits().bytes
    #expect(scene.file.board.newestRoot.commitProtocol == (isLarge ? .twoPhase : .singleFlush))
    #expect(scene.flushes.take() == (isLarge ? 2 : 1))
    #expect(try scene.elsewhere()[0] == [7])
  }

  @Test func `Who asks for a write of its own waits for all that is shared`() throws {
    let scene = try Scene()
    let write = try scene.file.beginSharedWrite()
    let content = Mutex<[[UInt8]]>([])
    let asks = DispatchSemaphore(value: 0)
    let apart = JoinedThread {
      asks.signal()
      guard let next = try? scene.file.beginWrite() else { return }
      content.withLock { $0 = Toy.content(next.base, next.space) }
      #expect(next.flush == nil && scene.file.newestVersion == next.base.version)
      next.cancel()
    }
    asks.wait()
    #expect(!scene.file.gate.hasOneBehind)
    _ = try set([0: [7]], in: write)
    apart.join()
    #expect(content.withLock { $0[0...1] } == [[7], [1]])
  }

  @Test func `Rows that are deleted are published before another write begins`() throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        { write, meetNext in
          meetNext()
          write.changes.deleted(table: 1, key: 0)
          _ = try self.set([0: [7]], in: write)
        },
        { write, _ in
          #expect(write.flush == nil && scene.file.newestVersion == write.base.version)
          _ = try self.set([1: [8]], in: write)
        },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(try scene.elsewhere()[0...2] == [[7], [8], [1]])
  }

  // MARK: failures

  /// The first call that fails: the second one's nodes, the slot, the flush.
  @Test(arguments: [0, 1, 2], FailingDisk.Failure.allCases)
  func `WRITE-27: where one cannot be sealed, or none be flushed, who is told is right`(
    call: Int, failure: FailingDisk.Failure
  ) throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        setsFirst,
        { write, _ in
          scene.disk.fail(at: call, failure, sticky: false)
          defer { scene.disk.heal() }
          do {
            _ = try self.set([1: [8]], in: write)
          } catch {
            #expect(write.isBaseLost == (call > 0))
            throw error
          }
        },
      ])
    #expect(scene.disk.hasFailed)
    // The second one's nodes alone, or all of both.
    #expect(errors.map { $0 != nil } == [call > 0, true])
    let left: [[UInt8]] = call > 0 ? [[1], [1], [1]] : [[7], [1], [1]]
    #expect(try Array(scene.file.newestContent()[0...2]) == left)
    try scene.file.set([2: [5]])
    #expect(try Array(scene.elsewhere()[0...2]) == [left[0], left[1], [5]])
    for value in UInt8(1)..<20 { try scene.file.set([0: [value], 1: [value]]) }
    try scene.file.checkEverything()
    #expect(try scene.elsewhere()[0...2] == [[19], [19], [5]])
  }

  @Test(arguments: [false, true])
  func `WRITE-27: a flush that fails below a write takes the write with it`(cancels: Bool) throws {
    let scene = try Scene(isPatient: false)
    let other = try Coordinator(Toy.configuration(scene.folder.file()))
    let hasFailed = DispatchSemaphore(value: 0)
    let errors = inLine(
      scene,
      [
        { write, meetNext in
          meetNext()
          scene.disk.fail(at: 2, .refused, sticky: false)
          defer { hasFailed.signal() }
          _ = try self.set([0: [7], 3: [UInt8](repeating: 3, count: 900)], in: write)
        },
        { write, _ in
          scene.hasFollowed.raise()
          hasFailed.wait()
          scene.disk.heal()
          #expect(write.isBaseLost)
          // It can be read to the end, whatever others would do with the space.
          #expect(Toy.content(write.base, write.space)[0] == [7])
          if cancels { return write.cancel() }
          _ = try self.set([1: [8]], in: write)
        },
      ])
    #expect(errors.map { $0 != nil } == [true, !cancels])
    #expect(try scene.file.newestContent()[0...2] == [[1], [1], [1]])
    for round in 0..<40 { try [other, scene.file][round % 2].set([round % 3: [UInt8(round)]]) }
    try scene.file.checkEverything()
    try other.checkEverything()
    #expect(try scene.elsewhere() == scene.file.newestContent())
  }

  @Test func `The rows that lost commits had added are known`() throws {
    let scene = try Scene()
    let lost = Mutex<[RowChange]>([])
    _ = inLine(
      scene,
      [
        { write, meetNext in
          meetNext()
          write.changes.inserted(table: 1, key: 77)
          _ = try self.set([0: [7]], in: write)
        },
        { write, _ in
          scene.disk.fail(at: 2, .refused, sticky: false)
          defer {
            scene.disk.heal()
            lost.withLock { $0 = write.flush?.lostRows ?? [] }
          }
          _ = try self.set([1: [8]], in: write)
        },
      ])
    #expect(lost.withLock { $0.map(\.keys) } == [77...77])
  }

  // MARK: others look on

  @Test(arguments: [false, true])
  func `COMMIT-08: who opens the file while commits are sealed finds the version before them`(
    isReadOnly: Bool
  ) throws {
    let scene = try Scene()
    let errors = inLine(
      scene,
      [
        setsFirst,
        { write, _ in
          #expect(write.flush != nil)
          var configuration = Toy.configuration(scene.folder.file())
          configuration.isReadOnly = isReadOnly
          let other = try Coordinator(configuration)
          #expect(try other.newestContent()[0...2] == [[1], [1], [1]])
          #expect(other.hasWriter)
          _ = try self.set([1: [8]], in: write)
          #expect(try other.newestContent()[0...2] == [[7], [8], [1]])
        },
      ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(scene.flushes.take() == 1)
  }

  // MARK: deaths

  /// Is killed at a moment that is reached for the n-th time, and waits patiently before.
  private struct PatientDeath: Moments {
    let death: Death
    func reach(_ moment: Moment) { death.reach(moment) }
    func wait(
      at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool
    ) {
      PatientMoments().wait(at: moment, until: isSo, orLate: mayGoOn)
    }
  }

  /// Where both of two that share a flush are killed, and which one is at work there.
  enum End: String, CaseIterable, Sendable {
    case firstInside, firstPlaced, firstWritten
    case secondInside, secondPlaced, secondWritten
    case slotWritten, slotSynced, published, gateLeft

    var moment: (Moment, times: Int) {
      switch self {
      case .firstInside: (.gateEntered, 1)
      case .firstPlaced: (.placesChosen, 1)
      case .firstWritten: (.dataWritten, 1)
      case .secondInside: (.gateEntered, 2)
      case .secondPlaced: (.placesChosen, 2)
      case .secondWritten: (.dataWritten, 2)
      case .slotWritten: (.slotWritten, 1)
      case .slotSynced: (.slotSynced, 1)
      case .published: (.published, 1)
      case .gateLeft: (.gateLeft, 1)
      }
    }

    /// Whether whoever comes next finds both commits; else it finds none.
    var isDone: Bool { [.slotWritten, .slotSynced, .published, .gateLeft].contains(self) }
    /// Whether the second one has begun, and waits until the survivor waits.
    var meetsSurvivor: Bool {
      ![.firstInside, .firstPlaced, .firstWritten, .secondInside].contains(self)
    }
  }

  // parent                  child's first        child's second
  //                         is inside            waits
  //                         seals                begins on that
  // waits for the gate                           seals, brings both to the disk
  //                         both die at the moment
  // is let in, finds both commits or none
  @Test(arguments: End.allCases)
  func `WRITE-24: who waits finds both of two commits whose process is killed, or none`(
    end: End
  ) async throws {
    let folder = Folder()
    let path = folder.path
    let parent = try Coordinator(Toy.configuration(folder.file()))
    try parent.set([0: [1], 1: [1], 2: [1]])
    let isOver = Atomic(false)
    let failure = Mutex<(any Error)?>(nil)
    let survivor = JoinedThread {
      // A file is all that tells one process of the other here, so it is looked for.
      while access(path + "/begun", F_OK) != 0, !isOver.load(ordering: .acquiring) { usleep(500) }
      do { try parent.set([2: [3]]) } catch { failure.withLock { $0 = error } }
    }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, end = end.rawValue as String] in
      guard let end = End(rawValue: end) else { return }
      let (moment, times) = end.moment
      var configuration = Toy.configuration(.file(path: path + "/a.realm"))
      configuration.seams.moments = PatientDeath(death: Death(at: moment, times: times))
      configuration.seams.sharing = .patient
      let child = try Coordinator(configuration)
      let first = try child.beginSharedWrite()
      let second = JoinedThread {
        guard let write = try? child.beginSharedWrite(), write.flush != nil else { return }
        close(open(path + "/begun", O_CREAT | O_RDWR, 0o644))
        // That another process has begun to wait is told by no call: its word is looked at.
        while !(0..<2).contains(where: { place in
          place != child.lock.place && rb_load_acquire(child.lock.waitingSince(place)) != 0
        }) { usleep(500) }
        let toy = ToyWrite(write)
        toy.set(1, [2])
        _ = try? write.commit(settle: toy.settle)
      }
      while !child.gate.hasOneBehind { sched_yield() }
      let toy = ToyWrite(first)
      toy.set(0, [2])
      _ = try first.commit(settle: toy.settle)
      second.join()
    }
    isOver.store(true, ordering: .releasing)
    survivor.join()
    #expect(failure.withLock { $0 } == nil)
    #expect((access(path + "/begun", F_OK) == 0) == end.meetsSurvivor)
    let expected: [[UInt8]] = end.isDone ? [[2], [2], [3]] : [[1], [1], [3]]
    #expect(try Array(parent.newestContent()[0...2]) == expected)
    for value in UInt8(0)..<40 { try parent.set([Int(value % 16): [value]]) }
    try parent.checkEverything()
    let next = try Coordinator(Toy.configuration(folder.file()))
    try next.checkEverything()
  }

  // MARK: many

  @Test func `WRITE-01: no increment is lost where flushes are shared, over processes`() throws {
    let folder = Folder()
    let files = try (0..<2).map { _ in
      try Coordinator(Toy.configuration(folder.file()))
    }
    @Sendable func bytes(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    @Sendable func number(_ content: [UInt8]) -> Int {
      content.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    try files[0].set([0: bytes(0)])
    let rounds = 60
    let shared = Atomic(0)
    let cancelled = Atomic(0)
    let threads = (0..<6).map { index in
      JoinedThread {
        let file = files[index % 2]
        var last = VersionID(0)
        for round in 0..<rounds {
          guard let write = try? file.beginSharedWrite() else { return }
          if write.flush != nil { shared.add(1, ordering: .relaxed) }
          let old = number(Toy.content(write.base, write.space)[0])
          let toy = ToyWrite(write)
          toy.set(0, bytes(old + 1))
          if round % 7 == index {
            write.cancel()
            cancelled.add(1, ordering: .relaxed)
            continue
          }
          guard let root = try? write.commit(settle: toy.settle) else { return }
          #expect(root.version > last && file.newestVersion >= root.version)
          last = root.version
        }
      }
    }
    for thread in threads { thread.join() }
    let expected = 6 * rounds - cancelled.load(ordering: .relaxed)
    for file in files {
      #expect(number(try file.newestContent()[0]) == expected)
      try file.checkEverything()
      #expect(file.writer.shared == nil && !file.writer.isGroupOpen)
    }
    print("\(shared.load(ordering: .relaxed)) of \(6 * rounds) writes began on sealed ones")
  }
}
