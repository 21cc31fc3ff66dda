import CShims
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Opening a realm took a thread that listens for other processes, and closing it waited for that
/// thread's end, also where nobody could have been told of anything in between.
@Suite struct FirstTurnTests {
  @Test func `LIFE-24: who opens, reads and closes in one turn takes no thread`() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      let counted = CountedBeacons.installed()
      let configuration = scratch.configuration([Keyed.self])
      // No loop runs on this thread.
      let worker = Thread {
        for round in 0..<100 {
          do {
            let realm = try Realm(configuration: configuration)
            if round == 0 { try realm.write { realm.create(Keyed.self, value: ["id": 1]) } }
            if realm.object(ofType: Keyed.self, forPrimaryKey: 1) == nil { stop("it is gone") }
          } catch { stop("\(error)") }
        }
        counted.done.signal()
      }
      worker.start()
      counted.done.wait()
      if counted.listens != 0 { stop("somebody listened \(counted.listens) times") }

      // A queue that turns listens as soon as it does.
      let desk = Desk(configuration)
      desk.work { _ in }
      if counted.listens != 1 { stop("a queue listened \(counted.listens) times") }
      desk.leave()
      if counted.stops != 1 { stop("the thread did not end") }
    }
  }

  @Test func `REFRESH-09: what others commit before the home turns is told when it does`()
    async throws
  {
    try await hears { FutexBeacon(lock: $0) }
  }

  /// Opening was refused; and then a timer was set, for which the system may have no thread either.
  @Test func `REFRESH-09: where the system gives no thread it is asked again with a commit`()
    async throws
  {
    try await hears(commitsHere: true) { lock in
      let isFirst = Atomic(true)
      return FutexBeacon(lock: lock) { thread, made in
        isFirst.exchange(false, ordering: .relaxed) ? EAGAIN : made.start(&thread)
      }
    }
  }

  /// A queue opens a realm, another process commits before the queue has turned, and the realm's
  /// listener is told.
  ///
  /// - Parameter commitsHere: Whether that one commits when somebody here has, after the turn.
  private func hears(
    commitsHere: Bool = false, _ beacon: @escaping @Sendable (LockFile) -> any Beacon
  ) async throws {
    let scratch = Scratch()
    var configuration = scratch.configuration([Keyed.self])
    let own = try Coordinator(configuration.storage)
    var seams = Seams.given
    seams.beacon = beacon
    var storage = configuration.storage
    storage.seams = seams
    let here = try Coordinator(storage)
    configuration.cache = false
    // As another process would: the two have nothing in common but the file.
    let other = configuration
    func commit(_ id: Int, _ file: Coordinator) throws {
      let realm = Realm(try Session.openHere(other, of: file))
      try realm.write { realm.create(Keyed.self, value: ["id": id]) }
    }
    let (queue, told) = (DispatchQueue(label: "home"), Bell())
    let kept = Mutex<[Smuggled<Any>]>([])
    try queue.sync {
      let scheduler = try #require(QueueScheduler(queue))
      let realm = Realm(try Session.open(configuration, at: scheduler, of: here))
      try #require(realm.objects(Keyed.self).isEmpty)
      let token = realm.observe { _, realm in
        if realm.object(ofType: Keyed.self, forPrimaryKey: 1) != nil { told.ring() }
      }
      kept.withLock { $0 = [Smuggled(realm), Smuggled(token)] }
      if !commitsHere { try commit(1, own) }
    }
    if commitsHere {
      queue.sync {}
      let asksAgain = here.asksAgain.load(ordering: .relaxed)
      try #require(asksAgain)
      try commit(2, here)
      try commit(1, own)
    }
    #expect(told.wait(), "nobody was told")
    queue.sync { kept.withLock { $0 = [] } }
  }

  // busy queue                     home
  // opens a realm, lets go of it
  //                                opens one
  // goes on, for as long as …
  //                                … turns
  /// Homes were known by the addresses of their schedulers. That of a queue goes with its realm,
  /// while the queue has yet to turn: the next one at its address, of another queue, waited for the
  /// turn of the first, and heard of no other process meanwhile.
  @Test func `REFRESH-09: a queue hears of other processes while another one is busy`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      let counted = CountedBeacons.installed()
      let configuration = scratch.configuration([Keyed.self])
      let (busy, home) = (DispatchQueue(label: "busy"), DispatchQueue(label: "home"))
      let kept = Mutex<Smuggled<Realm>?>(nil)
      do {
        try busy.sync {
          for round in 1...500 {
            _ = try Realm(configuration: configuration, queue: busy)
            try home.sync {
              let realm = try Realm(configuration: configuration, queue: home)
              kept.withLock { $0 = Smuggled(realm) }
            }
            // Behind its turn.
            home.sync {}
            if counted.listens != round { stop("round \(round): it hears nothing") }
            home.sync { kept.withLock { $0 = nil } }
          }
        }
      } catch { stop("\(error)") }
    }
  }

  /// What was on its way to an actor kept it until it came, and so the realm: the file could not be
  /// deleted as long as the threads of all actors had something else to do.
  @Test func `LIFE-08: who lets go of an actor lets go of its realm`() async throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self])
    let executor = HeldExecutor()
    var holder: Holder? = Holder(executor)
    let tie = try await holder?.open(configuration)
    defer { executor.goOn() }
    holder = nil
    #expect(tie?.isBound == false, "its realm is open")
    #expect(try Realm.deleteFiles(for: configuration))
  }

  /// What becomes of a row under a key that may be given again is read from the records of all
  /// commits, which are kept only for a while.
  @Test func `FREEZE-24: who may thaw hears of other processes, whether its home turns or not`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      let counted = CountedBeacons.installed()
      let configuration = scratch.configuration([Keyed.self])
      let worker = Thread {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.create(Keyed.self, value: ["id": 1]) }
          if counted.listens != 0 { stop("somebody listens already") }
          let frozen = realm.freeze()
          if counted.listens != 1 { stop("nobody listens") }
          withExtendedLifetime(frozen) {}
        } catch { stop("\(error)") }
        counted.done.signal()
      }
      worker.start()
      counted.done.wait()
    }
  }
}

/// An executor that can be held up.
private final class HeldExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func hold() { queue.suspend() }
  func goOn() { queue.resume() }
}

/// An actor that holds a realm, and comes to nothing else once it has opened it.
private actor Holder {
  private nonisolated let executor: HeldExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var realm: Realm?

  init(_ executor: HeldExecutor) { self.executor = executor }

  func open(_ configuration: Realm.Configuration) async throws -> SessionTie {
    let opened = try await Realm.open(configuration: configuration)
    realm = opened
    executor.hold()
    return opened.session.tie
  }
}

/// Beacons that count who begins and ends to listen.
private final class CountedBeacons: Sendable {
  let done = DispatchSemaphore(value: 0)
  private let counts = Mutex((listens: 0, stops: 0))
  var listens: Int { counts.withLock { $0.listens } }
  var stops: Int { counts.withLock { $0.stops } }

  /// Those of all files that this process opens from now on.
  static func installed() -> CountedBeacons {
    let all = CountedBeacons()
    Seams.given.beacon = { CountedBeacon(FutexBeacon(lock: $0), all) }
    return all
  }

  fileprivate func noteListening() { counts.withLock { $0.listens += 1 } }
  fileprivate func noteEnd() { counts.withLock { $0.stops += 1 } }
}

private final class CountedBeacon: Beacon {
  private let honest: any Beacon
  private let owner: CountedBeacons

  init(_ honest: any Beacon, _ owner: CountedBeacons) {
    (self.honest, self.owner) = (honest, owner)
  }

  var takesThread: Bool { true }
  func ring() { honest.ring() }
  func listen(_ body: @escaping @Sendable () -> Void) throws {
    owner.noteListening()
    try honest.listen(body)
  }
  func stop() {
    honest.stop()
    owner.noteEnd()
  }
}
