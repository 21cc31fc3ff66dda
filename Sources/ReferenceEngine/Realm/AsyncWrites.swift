import Dispatch
import Synchronization

/// The asynchronous writes of one session: carries out what `AsyncWriteQueue` decides.
///
/// A turn begins where the session is at home. If nobody else writes, its transaction begins there and then, so that
/// the gate is not held while a busy home keeps the block waiting; else another thread waits for the gate. Blocks run
/// at home, one after the other; what they commit is sealed: visible to this session at once, brought to the disk on
/// another thread, and only then visible to others and told. Everything here is touched at home only, and pending
/// work keeps the session.
final class AsyncWrites {
  typealias Completion = ((any Error)?) -> Void

  /// What waits for the gate.
  enum Work {
    /// A block to run in a write; `fail` is told if the write could not even begin.
    case block(run: () -> Void, fail: Completion)
    /// A task that writes by itself once the gate is held, and gives the turn back with `returnTurn`; told an
    /// error if its turn never comes.
    case task(resume: Completion)
  }

  private unowned let session: Session
  private var queue = AsyncWriteQueue<Work, Completion>()
  /// The wait for the gate on another thread.
  private var wait: GateWait?
  /// Begun for this turn, and not yet used.
  private var held: WriteTransaction?
  /// Commits on their way to the disk, oldest first. Only one at a time can be under way; an older one has ended, and
  /// its end has not come home yet.
  private var flushes: [Flush] = []
  /// Keeps the home while work is pending.
  private var anchor: AnyObject?
  private(set) var isCompleting = false

  private lazy var waits = Seams.current.schedulers.errands("realm.gate")
  private lazy var disk = Seams.current.schedulers.errands("realm.flush")

  init(of session: Session) { self.session = session }

  var isBusy: Bool { queue.isBusy }

  /// Whether the write the session is in may end asynchronously, however it was begun.
  var mayEndWrite: Bool { queue.phase == .running || keeps(.asyncCommitsEndAnyWrite) }

  /// Whether another write of the group follows the one that runs, as far as anybody can tell.
  var goesOn: Bool { queue.phase == .running && (hasWaitingCommits || queue.mayGoOn) }

  private var hasWaitingCommits: Bool { session.root?.isWaiting == true }

  // MARK: Queueing

  func add(_ work: Work) -> AsyncTransactionId {
    if !session.isAutorefreshing, !keeps(.asyncWritesNeedNoAutorefresh) { return queue.makeID() }
    if held == nil, !session.isInWrite, !keeps(.callsTakeNoLock) {
      held = try? session.coordinator.beginWrite()
    }
    let id = queue.add(work)
    anchor = session.scheduler.anchor
    requestTurn()
    return id
  }

  func cancel(_ id: AsyncTransactionId) { queue.cancel(id) }

  /// Asks for a turn if work waits and nothing is under way; called when any of this may have changed.
  func requestTurn() {
    if !queue.isBusy { anchor = nil }
    guard flushes.isEmpty, queue.shouldRequest(inWrite: session.isInWrite) else { return }
    let errand = Handed(Errand(for: session))
    session.scheduler.run { errand.value.session?.asyncWrites.beginTurn() }
  }

  /// The home has come to it: begins, or lets another thread wait for the gate.
  ///
  /// - Parameter isReady: whether another thread has just found out what space is free.
  func beginTurn(isReady: Bool = false) {
    guard queue.phase == .requested, wait == nil else { return }
    // A write at home has begun meanwhile, or all has been cancelled; the end of either asks again.
    if session.isInWrite || !flushes.isEmpty || queue.waiting.isEmpty { return queue.returned() }
    do {
      if held == nil { held = try session.coordinator.tryBeginWrite() }
      if held == nil, !keeps(.beginsWaitElsewhere) { held = try session.coordinator.beginWrite() }
    } catch {
      return failTurn(error)
    }
    if let begun = held {
      if begun.knowsSpace || isReady || !keeps(.beginsWaitElsewhere) { return runTurn() }
      held = nil
      return learnSpace(begun)
    }
    let wait = GateWait()
    self.wait = wait
    let session = Handed(session)
    wait.start(at: self.session.coordinator, on: waits) {
      session.value.scheduler.run { session.value.asyncWrites.endWait(wait) }
    }
  }

  /// Lets another thread find out what space is free, which may take a look at the whole file, and comes again. The gate is
  /// left meanwhile: it is not held for a home that may be busy.
  private func learnSpace(_ begun: WriteTransaction) {
    let (begun, session) = (Handed(begun), Handed(session))
    waits.run {
      begun.value.learnSpace()
      if keeps(.gateStaysOpenForBusyHomes) { begun.value.cancel() }
      session.value.scheduler.run {
        if !keeps(.gateStaysOpenForBusyHomes) { begun.value.cancel() }
        session.value.asyncWrites.beginTurn(isReady: true)
      }
    }
  }

  private func endWait(_ wait: GateWait) {
    // A write at home may have taken what was waited for before the home came to this.
    guard self.wait === wait else { return }
    self.wait = nil
    do {
      held = try wait.take()
      runTurn()
    } catch {
      failTurn(error)
    }
  }

  /// The write cannot begin: tells the first that waits, and tries again for the others.
  private func failTurn(_ error: any Error) {
    queue.granted()
    let first = queue.next()
    _ = queue.endTurn()
    switch first?.block {
    case .block(_, let fail): fail(error)
    case .task(let resume): resume(error)
    case nil: break
    }
    requestTurn()
  }

  // MARK: Running

  private func runTurn() {
    queue.granted()
    continueTurn()
  }

  /// Runs what the queue has for this turn, then brings its commits to the disk.
  private func continueTurn() {
    while queue.hasNext, hasGate(), let next = queue.next() {
      switch next.block {
      case .block(let run, let fail): self.run(run, fail)
      case .task(let resume):
        resume(nil)
        if keeps(.tasksTakeTurns) { return }
      }
    }
    endTurn()
  }

  /// Whether the turn can write on. A block that rolled back, or committed by itself, has left the gate.
  private func hasGate() -> Bool {
    if held != nil || !queue.sealed.isEmpty { return true }
    held = try? session.coordinator.tryBeginWrite()
    return held != nil
  }

  private func run(_ block: () -> Void, _ fail: Completion) {
    do {
      try session.startWrite()
    } catch {
      return fail(error)
    }
    if !keeps(.blocksSeeTheCallersObjects) { session.beginAnotherLife() }
    let before = queue.sealed.count
    block()
    if session.isInWrite { session.cancelWrite() }
    if queue.sealed.count == before, !keeps(.queueOutlivesCancelledBlocks) { queue.dropWaiting() }
  }

  /// Takes the turn back from a task.
  func returnTurn() { continueTurn() }

  private func endTurn() {
    if let unused = held {
      held = nil
      unused.cancel()
    }
    if queue.endTurn() { startFlush() } else { requestTurn() }
  }

  // MARK: Committing

  /// Takes note of the write that the session has just sealed.
  func sealed(_ completion: Completion?, allowGrouping: Bool) -> AsyncTransactionId {
    anchor = session.scheduler.anchor
    let isOutside = queue.phase != .running
    let id = queue.seal(completion, allowGrouping: allowGrouping)
    if isOutside { startFlush() }
    return id
  }

  private func startFlush() {
    let flush = Flush(of: queue.sealed.count - flushes.reduce(0) { $0 + $1.count })
    flushes.append(flush)
    place(for: flush)
    if !keeps(.flushesGoOnElsewhere) {
      flush.run(at: session.coordinator)
      return finish(through: flush)
    }
    let session = Handed(session)
    flush.start(at: self.session.coordinator, on: disk) {
      session.value.scheduler.run { session.value.asyncWrites.finish(through: flush) }
    }
  }

  /// Gives what waits its place, as the session must not read it where it is while another thread has the group.
  private func place(for flush: Flush) {
    do {
      try session.placeSealed(isForLater: keeps(.flushesGoOnElsewhere))
    } catch {
      flush.fail(error)
      // Now, because what is lost must not be read once the gate is left.
      session.sealedWritesWereLost()
      session.coordinator.giveUpGroup()
    }
  }

  /// Calls the completions of a flush and of those before it, unless somebody who could not wait has done so.
  private func finish(through flush: Flush) {
    guard let index = flushes.firstIndex(where: { $0 === flush }) else { return }
    for _ in 0...index {
      let ended = flushes.removeFirst()
      let completions = queue.synced(ended.count)
      if ended.error != nil { session.sealedWritesWereLost() }
      if let error = ended.error, completions.isEmpty, !keeps(.unheardFailuresPass) {
        fatalError("a commit failed: \(error)")
      }
      complete(completions, ended.error)
    }
    requestTurn()
  }

  /// Waits for all flushes, and calls their completions.
  private func finishAll() {
    guard let last = flushes.last else { return }
    last.wait()
    finish(through: last)
  }

  private func complete(_ completions: [Completion], _ error: (any Error)?) {
    let before = isCompleting
    isCompleting = true
    defer { isCompleting = before }
    for completion in completions { completion(error) }
  }

  // MARK: Meeting the writes of the same home

  /// The transaction for a write that begins at home now.
  ///
  /// It may not wait for the gate behind what was begun for the home itself, which is busy with this: so it takes
  /// that, and what was to use it asks again. It waits for a flush, which needs nobody at home.
  func transaction() throws -> WriteTransaction {
    if let held {
      self.held = nil
      return held
    }
    if queue.phase == .running, !queue.sealed.isEmpty {
      return try session.coordinator.continueGroup()
    }
    if !flushes.isEmpty, !keeps(.beginsWaitForTheFlush) { refuse(.alreadyInWrite, at: .beginWrite) }
    flushes.last?.wait()
    if let wait {
      self.wait = nil
      queue.returned()
      return try wait.take()
    }
    return try session.coordinator.beginWrite()
  }

  /// A write of the session is on the disk, and so is what was sealed before it: its completions are due.
  func writeEnded(isDurable: Bool) {
    if isDurable, keeps(.plainCommitsFinishEarlierOnes) {
      finishAll()
      if !queue.sealed.isEmpty { complete(queue.synced(), nil) }
    }
    requestTurn()
  }

  /// A write of the session could not be committed, and what was sealed before it was lost with it.
  func writeFailed(_ error: any Error) {
    finishAll()
    if !queue.sealed.isEmpty {
      session.fallBack()
      complete(queue.synced(), error)
    }
    requestTurn()
  }

  /// A write could not even be sealed: tells so where a completion would have.
  func refused(_ completion: Completion?, _ error: any Error) -> AsyncTransactionId {
    if completion == nil, !keeps(.unheardFailuresPass) { fatalError("a commit failed: \(error)") }
    let (session, completion) = (Handed(session), Handed(completion))
    self.session.scheduler.run {
      session.value.asyncWrites.complete(completion.value.map { [$0] } ?? [], error)
    }
    requestTurn()
    return queue.makeID()
  }

  /// Ends all asynchronous work before the session lets its version go: what has not begun never runs, what is
  /// committed goes to the disk and is told.
  func close() {
    if keeps(.closingDropsWhatWaits) {
      for case .task(let resume) in queue.dropWaiting() { resume(CancellationError()) }
    }
    if let wait {
      self.wait = nil
      queue.returned()
      if keeps(.closingTakesTheLockBack) { (try? wait.take())?.cancel() }
    }
    // What the home has been asked to come for is no longer there.
    if queue.phase == .requested { queue.returned() }
    if !keeps(.closingDropsWhatWaits) { requestTurn() }
    if !keeps(.closingFinishesCommits) { return }
    finishAll()
    if !queue.sealed.isEmpty {
      let flush = Flush(of: queue.sealed.count)
      place(for: flush)
      flush.run(at: session.coordinator)
      complete(queue.synced(), flush.error)
    }
  }
}

/// A value on its way to its own home; nobody touches it meanwhile.
struct Handed<Value>: @unchecked Sendable {
  // Sendable because only code that runs at the value's home opens it.
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Work that is pending for a session, which it keeps.
struct Errand {
  private weak var known: Session?
  private let kept: Session?

  init(for session: Session) {
    known = session
    kept = keeps(.pendingWorkKeepsTheRealm) ? session : nil
  }

  var session: Session? { kept ?? known }
}

/// A write that begins on another thread, which waits for the gate, and finds out what space is free.
private final class GateWait: @unchecked Sendable {
  // Sendable because the outcome is written before the signal and read after it.
  private var outcome: Result<WriteTransaction, any Error>?
  private let ended = DispatchSemaphore(value: 0)

  func start(
    at coordinator: Coordinator, on errands: any Errands, _ then: @escaping @Sendable () -> Void
  ) {
    errands.run {
      self.outcome = Result {
        let write = try coordinator.beginWrite()
        write.learnSpace()
        return write
      }
      self.ended.signal()
      then()
    }
  }

  /// Waits until the write has begun. Once only.
  func take() throws -> WriteTransaction {
    Seams.current.moments.wait(at: .gateAwaited) { self.outcome != nil }
    ended.wait()
    guard let outcome else { fatalError("the wait for the gate has ended without an outcome") }
    return try outcome.get()
  }
}

/// Sealed commits on their way to the disk.
private final class Flush: @unchecked Sendable {
  // Sendable because what varies is written before the signal and read after it.
  let count: Int
  private(set) var error: (any Error)?
  private var hasEnded = false
  private let ended = DispatchSemaphore(value: 0)

  init(of count: Int) { self.count = count }

  func start(
    at coordinator: Coordinator, on errands: any Errands, _ then: @escaping @Sendable () -> Void
  ) {
    errands.run {
      self.run(at: coordinator)
      then()
    }
  }

  /// The commits are lost already: their end is only to be told.
  func fail(_ error: any Error) { self.error = error }

  func run(at coordinator: Coordinator) {
    if error == nil {
      do { _ = try coordinator.commitGroup() } catch { self.error = error }
    }
    hasEnded = true
    ended.signal()
  }

  /// Waits for the end; may be called again.
  func wait() {
    Seams.current.moments.wait(at: .flushAwaited) { self.hasEnded }
    ended.wait()
    ended.signal()
  }
}
