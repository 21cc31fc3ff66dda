/// The asynchronous writes of one session: carries out what `AsyncMachine` decides.
///
/// The gate is asked for by the call that has work for it. If nobody else writes the transaction
/// begins there and then; else another thread waits for the gate. In both cases the write is kept
/// until the home has its turn. If the home is long in coming, writers that block a thread are let
/// in before it, because the home may itself be waiting for one of them. Asynchronous requests do
/// not overtake each other, however late a home comes: so blocks of several realms run in the order
/// of the calls.
///
/// Blocks run at home, one after the other. What they commit is sealed: visible to this session at
/// once, brought to the disk on another thread, and only then visible to others and told. A task is
/// lent the turn until it comes for it; a write that begins at home before that takes the turn
/// back, and the task asks again. Everything here is touched at home only, and pending work keeps
/// the session and its home.
final class AsyncWrites {
  typealias Completion = ((any Error)?) -> Void

  /// What waits for the gate.
  enum Work {
    /// A block to run in a write; `fail` is told if the write could not even begin.
    case block(run: () -> Void, fail: Completion)
    /// A task that writes by itself once the gate is held, and gives the turn back with
    /// `returnTurn`; told an error if its turn never comes.
    case task(resume: Completion)
  }

  enum Parts: AsyncWriteParts {
    typealias Work = AsyncWrites.Work
    typealias Completion = AsyncWrites.Completion
    typealias Wait = GateWait
    typealias Held = HeldWrite
    typealias Write = WriteTransaction
    typealias Flush = ReferenceEngine.Flush

    static func isTask(_ work: Work) -> Bool { if case .task = work { true } else { false } }
  }

  private typealias Event = AsyncMachine<Parts>.Event
  private typealias Effect = AsyncMachine<Parts>.Effect

  private unowned let session: Session
  private var machine = AsyncMachine<Parts>()
  /// The place among those who ask for the gate, made when it is first needed.
  private var ticket: WriteRequests.Ticket?
  private let watch = HeldWriteWatch()
  private lazy var errands = session.coordinator.seams.schedulers.errands("realm.gate")
  let carrier: Carrier

  init(of session: Session) {
    self.session = session
    carrier = Carrier(for: session)
  }

  var isBusy: Bool { machine.isBusy }
  var isCompleting: Bool { machine.isCompleting }

  /// Whether another write of the group follows the one that runs, as far as anybody can tell.
  var goesOn: Bool { machine.isRunning && (hasWaitingCommits || machine.mayGoOn) }

  private var hasWaitingCommits: Bool { session.root?.isWaiting == true }

  // MARK: What happens

  func add(_ work: Work) -> AsyncTransactionId {
    let effect = machine.add(work, inWrite: session.isInWrite)
    let id = machine.lastID
    carryOut(effect)
    return id
  }

  func cancel(_ id: AsyncTransactionId) { carryOut(on(.cancelled(id))) }

  /// Asks for a turn if work waits and nothing is under way; called when any of this may have
  /// changed.
  func requestTurn() { carryOut(.look) }

  /// The home has come to it: runs what waits, or lets another thread wait for the gate.
  func beginTurn() { carryOut(on(.homeCame(inWrite: session.isInWrite))) }

  /// A task comes for the turn that it was lent; false if it has to wait once more, in its old
  /// place.
  func takeTurn(_ id: AsyncTransactionId?) -> Bool {
    guard machine.isLent(to: id) else { return false }
    carryOut(on(.taskCame))
    return machine.share.isOpen
  }

  /// Takes the turn back from a task that has written.
  func returnTurn() { carryOut(on(.taskLeft)) }

  /// Takes note of the write that the session has just sealed.
  func sealed(_ completion: Completion?, allowGrouping: Bool) -> AsyncTransactionId {
    let effect = on(.sealed(completion, allowGrouping: allowGrouping))
    let id = machine.lastID
    carryOut(effect)
    return id
  }

  /// The open group went to the disk with another write of the session, or is lost. Until its
  /// completions are called it counts as a flush under way, and is no open group any more: a write
  /// that comes meanwhile neither commits nor loses it a second time.
  ///
  /// - Returns: nil if no group is open.
  @discardableResult
  func endGroup(_ error: (any Error)? = nil) -> Flush? {
    let count = machine.openGroup
    if count == 0 { return nil }
    let flush = makeFlush(of: count)
    flush.end(error)
    carryOut(on(.groupTaken))
    carryOut(on(.flushing(flush, count: count)))
    return flush
  }

  /// Calls the completions of a flush and of those before it, unless a write at home that needed
  /// the flush to end has called them already.
  func finish(through flush: Flush) { carryOut(on(.flushed(flush))) }

  /// A write of the session is on the disk, and so is what was sealed before it: its completions
  /// are due.
  func writeEnded(isDurable: Bool) {
    if isDurable { finishFlushes() }
    requestTurn()
  }

  /// Waits for all flushes, and calls their completions.
  private func finishFlushes() { carryOut(on(.needsFlushes)) }

  /// A write of the session could not be committed: what became of those before it is told.
  func writeFailed() {
    finishFlushes()
    requestTurn()
  }

  /// A write could not even be sealed: tells so where a completion would have, behind those that
  /// were sealed before.
  func refused(_ completion: Completion?, _ error: any Error) -> AsyncTransactionId {
    Logger.tell(.error, "Commit failed: \(Realm.Error(error).message)")
    carryOut(on(.refused(completion, error)))
    let id = machine.lastID
    let session = Handed(session)
    self.session.scheduler.run { session.value.asyncWrites.tellRefused() }
    requestTurn()
    return id
  }

  private func tellRefused() {
    carryOut(on(.tellsRefused))
  }

  /// Lets go of all asynchronous work, as the thread that is home ends: what has not begun never
  /// runs, what is committed goes to the disk, and nobody is told.
  func abandon() { carryOut(on(.abandoned)) }

  /// Ends all asynchronous work before the session lets its version go: what has not begun never
  /// runs, what is committed goes to the disk and is told.
  func close() {
    close(.waiting)
    close(.guest)
    close(.wait)
    close(.request)
    finishFlushes()
    close(.group)
    tellRefused()
  }

  private func close(_ step: AsyncMachine<Parts>.Closing) { carryOut(on(.closes(step))) }

  /// The transaction for a write that begins at home now.
  func transaction() throws -> WriteTransaction {
    while true {
      switch machine.takeSource() {
      case .open(let write): return write
      case .group:
        try session.requireFewVersions(inGroup: true)
        do { return try session.coordinator.continueGroup() } catch { loseGroup(error) }
      case .held(let held):
        let write = held.take()
        machine.took(write != nil)
        if let write { return write }
      case .lent(let held):
        if let write = held.take() { return write }
      case .gate(let flush, let wait):
        if let flush { carrier.wait(for: flush) }
        if let wait {
          hurry()
          // What failed there failed before this call, which goes by what the disk does now.
          if let write = try? wait.take().take() { return try session.admitted(write) }
        }
        return try session.admitted(session.coordinator.beginWrite())
      }
    }
  }

  // MARK: What is done about it

  /// Tells the machine; where it keeps no place any more it leaves the line.
  private func on(_ event: consuming Event) -> Effect {
    let effect = machine.on(event)
    if !machine.keepsPlace, let ticket {
      self.ticket = nil
      ticket.leave()
    }
    return effect
  }

  /// Each effect is consumed, so that the block in it is let go before the next one runs.
  private func carryOut(_ first: consuming Effect) {
    var effect = consume first
    while let event = perform(consume effect) { effect = on(event) }
  }

  private func perform(_ effect: consuming Effect) -> Event? {
    switch consume effect {
    case .nothing: return nil
    case .look: return .changed(inWrite: session.isInWrite)

    case .ask: return ask()
    case .callHome(let held): callHome(held)
    case .wait(let wait, let write): start(wait, for: write)
    case .begin: return begin()
    case .use(let held): return .used(held.take())
    case .reenter: return .entered(try? tryBegin(for: myTicket()))
    case .continueGroup: return .entered(try? continueGroup())
    case .collect(let wait):
      do { return .brought(try admitted(wait.take())) } catch { return .failed(error) }

    case .withdraw(let wait): wait.withdraw()
    case .leave(let held):
      held.take()?.cancel()
      return .left
    case .cancel(let write):
      write.cancel()
      return .left
    case .seize(let wait):
      hurry()
      (try? wait.take())?.take()?.cancel()

    case .run(.block(let run, let fail)):
      self.run(run, fail)
      return .ran
    case .lend(.task(let resume), let write): return lend(write, resume)
    case .run(.task), .lend(.block, _): broken("a task is run, or a block is lent the turn")
    case .fail(let work, let error):
      failTurn(of: work, error)
      return .changed(inWrite: session.isInWrite)
    case .dismiss(let works):
      for case .task(let resume) in works { resume(CancellationError()) }
    case .dismissGuest(let work):
      if case .task(let resume) = work { resume(CancellationError()) }
      return .left

    case .flush(let count): startFlush(of: count)
    case .flushHere(let count): return flushHere(count)
    case .await(let flush):
      carrier.wait(for: flush)
      return .flushed(flush)
    case .end(let ended, let count, let completions, let last):
      session.endSealed(count, areLost: ended.error != nil)
      let lost = ended.error == nil ? nil : session.hearOfLoss()
      complete(completions, ended.error)
      // Behind them, because a listener may commit, and what it commits is told later. A completion
      // that has begun a write has told them.
      if !session.isInWrite { session.didStep(from: lost) }
      return .flushed(last)
    case .refuse(let refused): complete(refused, nil)
    case .call(let completion, let error):
      // Callers know Realm's errors, and not those of the floors below.
      completion(error.map { Realm.Error($0) })
      return .called
    }
    return nil
  }

  // MARK: The gate

  /// The ticket of what waits.
  private func myTicket() -> WriteRequests.Ticket {
    if let ticket { return ticket }
    invariant(machine.keepsPlace, "a ticket is made that nobody needs")
    let made = session.coordinator.requests.makeTicket()
    ticket = made
    return made
  }

  /// Begins a write if nobody else writes, and this realm's limit of versions allows for it.
  private func tryBegin(for ticket: WriteRequests.Ticket) throws -> WriteTransaction? {
    try session.coordinator.tryBeginWrite(for: ticket).map(session.admitted)
  }

  /// Begins the next write of the group; behind too many versions it waits until that has ended,
  /// and is told then if they are too many still.
  private func continueGroup() throws -> WriteTransaction {
    try session.requireFewVersions(inGroup: true)
    return try session.coordinator.continueGroup()
  }

  /// What another thread has begun, which knew no limit.
  private func admitted(_ held: HeldWrite) throws -> HeldWrite {
    do { try session.requireFewVersions() } catch {
      held.take()?.cancel()
      throw error
    }
    return held
  }

  private var patience: Int { HeldWrite.patience << machine.lateness }

  private func ask() -> Event? {
    let (coordinator, ticket) = (session.coordinator, myTicket())
    if carrier.notesTurn() { return nil }
    // What a dead writer left is finished on the way in, which may take a flush. What fails here
    // fails again on the thread that waits, and is told.
    guard !coordinator.isCommitUnfinished, let begun = try? tryBegin(for: ticket)
    else { return waitForGate() }
    return begun.knowsSpace ? .holds(HeldWrite(begun)) : waitForGate(having: begun)
  }

  /// Keeps a write for the home's turn.
  private func callHome(_ held: HeldWrite) {
    watch.leave(held, after: patience, on: errands)
    WayHome(to: session, for: ticket).take { $0.beginTurn() }
  }

  private func waitForGate(having begun: WriteTransaction? = nil) -> Event {
    .awaits(GateWait(patience, session.coordinator.moments), for: begun)
  }

  /// Lets another thread wait for the gate, or find out what space is free, and comes again.
  private func start(_ wait: GateWait, for begun: WriteTransaction?) {
    let ticket = myTicket()
    let wayHome = WayHome(to: session, for: ticket)
    let then: @Sendable () -> Void = { wayHome.take { $0.endWait(wait) } }
    if let begun {
      wait.start(with: begun, on: errands, then)
    } else {
      wait.start(at: session.coordinator, for: ticket, on: errands, then)
    }
  }

  private func endWait(_ wait: GateWait) { carryOut(on(.waitEnded(wait))) }

  private func begin() -> Event {
    do {
      guard let begun = try tryBegin(for: myTicket()) else {
        return waitForGate()
      }
      return begun.knowsSpace ? .entered(begun) : waitForGate(having: begun)
    } catch {
      return .failed(error)
    }
  }

  /// The home waits for the gate itself now.
  private func hurry() {
    if let ticket { session.coordinator.requests.hurry(ticket) }
  }

  // MARK: The turn

  private func run(_ block: () -> Void, _ fail: @escaping Completion) {
    do {
      try session.startWrite()
    } catch {
      return blockFailed(fail, error)
    }
    block()
    if session.isInWrite { session.cancelWrite() }
  }

  /// Lets a task have the turn, which comes for it when its actor has the time.
  private func lend(_ write: WriteTransaction, _ resume: Completion) -> Event? {
    _ = myTicket()
    let held = HeldWrite(write)
    carryOut(on(.lent(held)))
    held.leave(after: patience, on: errands)
    resume(nil)
    return nil
  }

  /// A block never runs, as its write could not begin. Not all who queue one can be told.
  private func blockFailed(_ fail: @escaping Completion, _ error: any Error) {
    Logger.tell(.error, "Write cannot begin: \(Realm.Error(error).message)")
    complete([.init(completion: fail)], error)
  }

  /// Tells that a write could not begin.
  private func failTurn(of work: Work?, _ error: any Error) {
    switch work {
    case .block(_, let fail): blockFailed(fail, error)
    case .task(let resume): resume(Realm.Error(error))
    case nil: break
    }
  }

  // MARK: Commits

  private func startFlush(of count: Int) {
    let flush = makeFlush(of: count)
    carryOut(on(.flushing(flush, count: count)))
    carrier.prepare()
    let lost = place(for: flush)
    carrier.carry(flush)
    // Under way before anybody is told: a listener may write, and waits for it then.
    session.didStep(from: lost)
  }

  private func flushHere(_ count: Int) -> Event {
    let flush = makeFlush(of: count)
    carryOut(on(.flushing(flush, count: count)))
    let lost = place(for: flush)
    flush.run(at: session.coordinator)
    // Through before anybody is told: a listener may write, and finds its end then.
    session.didStep(from: lost)
    return .flushed(flush)
  }

  /// The open group cannot be written: whoever begins at home begins without it. It is told when
  /// the home has the time.
  private func loseGroup(_ error: any Error) {
    guard let flush = endGroup(error) else { broken("a group is lost that nobody has sealed") }
    session.loseGroup()
    // Now, because what is lost must not be read once the gate is left.
    let lost = session.leaveLost()
    session.coordinator.giveUpGroup()
    let session = Handed(session)
    self.session.scheduler.run { session.value.asyncWrites.finish(through: flush) }
    self.session.didStep(from: lost)
  }

  private func makeFlush(of count: Int) -> Flush { Flush(of: count, session.coordinator.moments) }

  /// Gives what waits in the anteroom its place in the file: once another thread has the group, the
  /// session must not read it in the anteroom any more.
  ///
  /// - Returns: the version that was left, if there is no room for it.
  private func place(for flush: Flush) -> Root? {
    do {
      try session.placeSealed(isForLater: true)
      return nil
    } catch {
      flush.fail(error)
      // Now, because what is lost must not be read once the gate is left.
      session.loseGroup()
      let lost = session.leaveLost()
      session.coordinator.giveUpGroup()
      return lost
    }
  }

  private func complete(
    _ completions: [AsyncMachine<Parts>.Queue.Ended], _ error: (any Error)?
  ) {
    carryOut(on(.due(completions, error)))
  }
}
