/// The asynchronous writes of one session: carries out what `AsyncWriteQueue` decides.
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

  private unowned let session: Session
  private var queue = AsyncWriteQueue<Work, Completion>()
  /// What keeps its place among those who ask for the gate, from the call until something runs.
  private var ticket: WriteRequests.Ticket?
  /// What it has of the gate.
  private var share = GateShare<GateWait, HeldWrite, WriteTransaction>.nothing
  private let watch = HeldWriteWatch()
  /// How long it is held for a home that does not come.
  private var patience = HeldWrite.patience
  /// The task that was lent the turn, and has not come yet.
  private var guest: (id: AsyncTransactionId, resume: Completion)?
  /// Commits on their way to the disk, oldest first. Only one at a time can be under way; an older
  /// one has ended, and its end has not come home yet.
  private var flushes: [Flush] = []
  /// How many of what is sealed are of the turn that runs, in a group that is open: whoever writes
  /// next at home goes on with it.
  private var openGroup = 0
  private(set) var isCompleting = false
  /// Completions that are due, in the order of their commits, and how many have been called.
  private var due: (completions: [(Completion, (any Error)?)], called: Int) = ([], 0)

  private lazy var errands = session.coordinator.seams.schedulers.errands("realm.gate")
  let carrier: Carrier

  init(of session: Session) {
    self.session = session
    carrier = Carrier(for: session)
  }

  var isBusy: Bool { queue.isBusy }

  /// Whether another write of the group follows the one that runs, as far as anybody can tell.
  var goesOn: Bool { queue.phase == .running && (hasWaitingCommits || queue.mayGoOn) }

  private var hasWaitingCommits: Bool { session.root?.isWaiting == true }

  // MARK: Queueing

  func add(_ work: Work) -> AsyncTransactionId {
    let id = queue.add(work)
    requestTurn()
    return id
  }

  func cancel(_ id: AsyncTransactionId) {
    queue.cancel(id)
    guard queue.waiting.isEmpty else { return }
    // Nothing is held or asked for on behalf of what does not come.
    if queue.phase == .requested {
      share.takeWait()?.withdraw()
      giveTurnBack()
    } else {
      returnUnusedTicket()
    }
  }

  /// The ticket of what waits.
  private func myTicket() -> WriteRequests.Ticket {
    if let ticket { return ticket }
    let made = session.coordinator.requests.makeTicket()
    ticket = made
    return made
  }

  /// Something runs: what waits behind it has a ticket of its own.
  private func returnTicket() {
    ticket?.leave()
    ticket = nil
  }

  private func returnUnusedTicket() {
    if queue.waiting.isEmpty, guest == nil { returnTicket() }
  }

  /// Asks for a turn if work waits and nothing is under way; called when any of this may have
  /// changed.
  func requestTurn() {
    guard flushes.isEmpty, queue.shouldRequest(inWrite: session.isInWrite) else { return }
    let (coordinator, ticket) = (session.coordinator, myTicket())
    if carrier.notesTurn() { return }
    // What a dead writer left is finished on the way in, which may take a flush. What fails here
    // fails again on the thread that waits, and is told.
    guard !coordinator.isCommitUnfinished, let begun = try? coordinator.tryBeginWrite(for: ticket)
    else { return waitForGate() }
    if !begun.knowsSpace { return waitForGate(having: begun) }
    hold(begun)
    WayHome(to: session, for: ticket).take { $0.beginTurn() }
  }

  /// Keeps a write for the home's turn.
  private func hold(_ begun: WriteTransaction) {
    let held = HeldWrite(begun)
    share.holds(held)
    watch.leave(held, after: patience, on: errands)
  }

  /// Lets another thread wait for the gate, or find out what space is free, and comes again.
  private func waitForGate(having begun: WriteTransaction? = nil) {
    let ticket = myTicket()
    let (wait, wayHome) = (
      GateWait(patience, session.coordinator.moments), WayHome(to: session, for: ticket)
    )
    share.awaits(wait)
    let then: @Sendable () -> Void = { wayHome.take { $0.endWait(wait) } }
    if let begun {
      wait.start(with: begun, on: errands, then)
    } else {
      wait.start(at: session.coordinator, for: ticket, on: errands, then)
    }
  }

  /// The home has come to it: runs what waits, or lets another thread wait for the gate.
  func beginTurn() {
    guard queue.phase == .requested, !share.isAwaited else { return }
    // A write at home has begun meanwhile, or all has been cancelled; the end of either asks again.
    if session.isInWrite || !flushes.isEmpty || queue.waiting.isEmpty { return giveTurnBack() }
    let begun: WriteTransaction?
    do {
      begun = try takeHeld() ?? session.coordinator.tryBeginWrite(for: myTicket())
    } catch {
      return failTurn(error)
    }
    guard let begun else { return waitForGate() }
    if !begun.knowsSpace { return waitForGate(having: begun) }
    share.opens(begun)
    runTurn()
  }

  /// The turn that was asked for is not needed, or not now.
  private func giveTurnBack() {
    returnUnusedTicket()
    share.takeHeld()?.take()?.cancel()
    queue.returned()
  }

  /// What was held for the home; nil if others were let in.
  private func takeHeld() -> WriteTransaction? {
    guard let held = share.takeHeld() else { return nil }
    let taken = held.take()
    patience = taken == nil ? 2 * patience : HeldWrite.patience
    return taken
  }

  private func endWait(_ wait: GateWait) {
    // A write at home may have taken what was waited for before the home came to this.
    guard share.arrives(wait) else { return }
    do {
      share.holds(try wait.take())
      runTurn()
    } catch {
      failTurn(error)
    }
  }

  /// The write cannot begin: tells the first that waits, and tries again for the others.
  private func failTurn(_ error: any Error) {
    queue.granted()
    let first = queue.next()
    returnTicket()
    _ = queue.endTurn()
    switch first?.block {
    case .block(_, let fail): complete([fail], error)
    case .task(let resume): resume(Realm.Error(error))
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
    while queue.hasNext, !isGroupBeforeTask, takeGate(), let next = queue.next() {
      switch next.block {
      case .block(let run, let fail):
        returnTicket()
        self.run(run, fail)
      case .task(let resume):
        lend(to: next.id, resume)
        return
      }
    }
    endTurn()
  }

  /// Whether a task is next and commits of the turn have yet to go to the disk: they do not wait
  /// until it comes.
  private var isGroupBeforeTask: Bool {
    if case .task = queue.waiting.first?.block { openGroup > 0 } else { false }
  }

  /// Sees to it that the turn can write on; false if it cannot. A block that rolled back, or
  /// committed by itself, has left the gate; and others were let in if the home, or a task, was
  /// long in coming.
  private func takeGate() -> Bool {
    if share.isOpen { return true }
    let begun: WriteTransaction?
    if openGroup > 0 {
      // If what was sealed cannot be written it is lost, and who waits begins without it.
      begun = try? session.coordinator.continueGroup()
    } else {
      begun = takeHeld() ?? (try? session.coordinator.tryBeginWrite(for: myTicket()))
    }
    guard let begun else { return false }
    share.opens(begun)
    return true
  }

  private func run(_ block: () -> Void, _ fail: @escaping Completion) {
    do {
      try session.startWrite()
    } catch {
      return complete([fail], error)
    }
    block()
    if session.isInWrite { session.cancelWrite() }
  }

  /// Lets a task have the turn, which comes for it when its actor has the time.
  private func lend(to id: AsyncTransactionId, _ resume: @escaping Completion) {
    guest = (id, resume)
    _ = myTicket()
    if let begun = share.takeOpen() {
      let held = HeldWrite(begun)
      share.holds(held)
      held.leave(after: patience, on: errands)
    }
    resume(nil)
  }

  /// A task comes for the turn that it was lent; false if it has to wait once more, in its old
  /// place.
  func takeTurn(_ id: AsyncTransactionId?) -> Bool {
    guard let guest, guest.id == id else { return false }
    if takeGate() {
      self.guest = nil
      returnTicket()
      return true
    }
    takeBackTurn()
    endTurn()
    return false
  }

  /// Lets the task that was lent the turn wait again, before all others of this realm.
  private func takeBackTurn() {
    guard let guest else { return }
    self.guest = nil
    queue.putBack(guest.id, .task(resume: guest.resume))
  }

  /// Takes the turn back from a task that has written.
  func returnTurn() { continueTurn() }

  private func endTurn() {
    returnUnusedTicket()
    (share.takeOpen() ?? share.takeHeld()?.take())?.cancel()
    if queue.endTurn(), openGroup > 0 { startFlush() } else { requestTurn() }
  }

  // MARK: Committing

  /// Takes note of the write that the session has just sealed.
  func sealed(_ completion: Completion?, allowGrouping: Bool) -> AsyncTransactionId {
    let isOutside = queue.phase != .running
    let id = queue.seal(completion, allowGrouping: allowGrouping)
    openGroup += 1
    if isOutside { startFlush() }
    return id
  }

  private func startFlush() {
    let flush = makeFlush(of: takeGroup())
    flushes.append(flush)
    let lost = place(for: flush)
    carrier.carry(flush)
    // Under way before anybody is told: a listener may write, and waits for it then.
    if let lost { session.haveLeft(lost) }
  }

  /// The open group is somebody's now, who brings it to the disk: how many commits it has.
  @discardableResult
  func takeGroup() -> Int {
    defer { openGroup = 0 }
    return openGroup
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
      let lost = session.leaveLost()
      session.coordinator.giveUpGroup()
      return lost
    }
  }

  /// Calls the completions of a flush and of those before it, unless a write at home that needed
  /// the flush to end has called them already.
  func finish(through flush: Flush) {
    // One by one: a completion may write, and so finish those that come after its own.
    while flushes.contains(where: { $0 === flush }) {
      let ended = flushes.removeFirst()
      let completions = synced(ended.count, ended.error)
      if ended.error != nil, let lost = session.leaveLost() { session.haveLeft(lost) }
      complete(completions, ended.error)
    }
    requestTurn()
  }

  /// Waits for all flushes, and calls their completions.
  private func finishAll() {
    guard let last = flushes.last else { return }
    carrier.wait(for: last)
    finish(through: last)
  }

  /// The oldest of what was sealed, or all of it, has ended: the completions to call.
  private func synced(_ count: Int?, _ error: (any Error)?) -> [Completion] {
    session.endSealed(count, areLost: error != nil)
    return queue.synced(count)
  }

  private func complete(_ completions: [Completion], _ error: (any Error)?) {
    let before = isCompleting
    isCompleting = true
    defer { isCompleting = before }
    // Callers know Realm's errors, and not those of the floors below.
    let told = error.map { Realm.Error($0) }
    for completion in completions { due.completions.append((completion, told)) }
    // One that writes makes later commits due: those before them are called first, from there.
    while due.called < due.completions.count {
      let (completion, error) = due.completions[due.called]
      due.called += 1
      completion(error)
    }
    due.completions.removeAll(keepingCapacity: true)
    due.called = 0
  }

  // MARK: Meeting the writes of the same home

  /// The transaction for a write that begins at home now.
  ///
  /// A write that was begun for this home may hold the gate already. To wait behind it would be to
  /// wait for oneself, so that write is used here, and what it was meant for asks again. A flush is
  /// waited for: it ends without anybody at home.
  func transaction() throws -> WriteTransaction {
    if guest != nil {
      takeBackTurn()
      let begun = share.takeHeld()?.take()
      _ = queue.endTurn()
      if let begun { return begun }
    }
    if let begun = share.takeOpen() { return begun }
    if openGroup > 0 { return try session.coordinator.continueGroup() }
    if queue.phase == .requested, !share.isAwaited {
      queue.returned()
      if let write = takeHeld() { return write }
    }
    if let last = flushes.last { carrier.wait(for: last) }
    if let wait = share.takeWait() {
      queue.returned()
      hurry()
      if let write = try wait.take().take() { return write }
    }
    return try session.coordinator.beginWrite()
  }

  /// The home waits for the gate itself now.
  private func hurry() {
    if let ticket { session.coordinator.requests.hurry(ticket) }
  }

  /// A write of the session is on the disk, and so is what was sealed before it: its completions
  /// are due.
  func writeEnded(isDurable: Bool) {
    if isDurable {
      finishAll()
      completeDurable()
    }
    requestTurn()
  }

  /// Calls the completions of what a write of the session has taken to the disk with it.
  private func completeDurable() {
    let durable = queue.sealed.count - openGroup
    if durable > 0 { complete(synced(durable, nil), nil) }
  }

  /// A write of the session could not be committed, and with it a group of sealed ones was lost.
  func writeFailed(_ error: any Error, losing group: Int) {
    finishAll()
    if queue.sealed.count > group { complete(synced(queue.sealed.count - group, nil), nil) }
    if group > 0 {
      session.fallBack()
      complete(synced(group, error), error)
    }
    requestTurn()
  }

  /// A write could not even be sealed: tells so where a completion would have.
  func refused(_ completion: Completion?, _ error: any Error) -> AsyncTransactionId {
    let (session, completion) = (Handed(session), Handed(completion))
    self.session.scheduler.run {
      session.value.asyncWrites.complete(completion.value.map { [$0] } ?? [], error)
    }
    requestTurn()
    return queue.makeID()
  }

  /// Lets go of all asynchronous work, as the thread that is home ends: what has not begun never
  /// runs, what is committed goes to the disk, and nobody is told.
  func abandon() {
    share.takeWait()?.withdraw()
    (share.takeOpen() ?? share.takeHeld()?.take())?.cancel()
    returnTicket()
    queue = AsyncWriteQueue()
  }

  /// Ends all asynchronous work before the session lets its version go: what has not begun never
  /// runs, what is committed goes to the disk and is told.
  func close() {
    for case .task(let resume) in queue.dropWaiting() { resume(CancellationError()) }
    if let guest {
      self.guest = nil
      guest.resume(CancellationError())
      endTurn()
    }
    if let wait = share.takeWait() {
      queue.returned()
      hurry()
      (try? wait.take())?.take()?.cancel()
    }
    // What the home has been asked to come for is no longer there.
    if queue.phase == .requested { giveTurnBack() }
    returnUnusedTicket()
    finishAll()
    completeDurable()
    if openGroup > 0 {
      let flush = makeFlush(of: takeGroup())
      let lost = place(for: flush)
      flush.run(at: session.coordinator)
      if let lost { session.haveLeft(lost) }
      complete(synced(flush.count, flush.error), flush.error)
    }
  }
}
