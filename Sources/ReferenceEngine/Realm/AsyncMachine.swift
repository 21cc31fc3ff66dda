/// What the machine of asynchronous writes hands on without ever looking into it.
protocol AsyncWriteParts {
  /// What waits for the gate: a block that runs in the turn, or a task that is lent it.
  associatedtype Work
  associatedtype Completion
  /// Another thread's wait for the gate.
  associatedtype Wait: AnyObject
  /// A write that waits for the home; others may be let in before it.
  associatedtype Held
  associatedtype Write
  /// Commits on their way to the disk.
  associatedtype Flush: AnyObject

  static func isTask(_ work: Work) -> Bool
}

/// All that a session knows of its asynchronous writes, and what has to be done about whatever
/// happens to them: (state, event) → (state, effect).
///
/// A plain value with no engine in it. `AsyncWrites` carries the effects out, one at a time: what
/// happens is an event (`on`; new work, and where a write at home comes from, have functions of
/// their own, `add`, `takeSource` and `took`), and each effect that has an outcome ends in another
/// event. Users' code runs in the effects `run`, `call`, `fail`, `refuse` and `end`, and in `flush`
/// and `flushHere` where a group is lost and listeners are told; any event of the home may come
/// while it does.
///
/// 1. What is due is called in the order of the commits, each once, also if a completion writes and
///    so makes others due.
/// 2. Of the gate there is one thing at a time (`GateShare`); a turn that was asked for ends by
///    being granted or by being given back.
/// 3. A place among those who ask is kept while the gate is asked for or lent, and never for
///    nothing: something waits, or a guest has the turn.
/// 4. A task is lent the turn only while no commit of that turn waits for the disk, and nothing
///    else runs until it has come or the turn was taken back.
/// 5. What is sealed belongs to the open group or to one flush until it is told, whoever has
///    brought it to the disk, or lost it: so each commit is told what became of its own.
/// 6. The home waits for a flush or for another thread, never for a write that it has itself.
struct AsyncMachine<Parts: AsyncWriteParts> {
  typealias Queue = AsyncWriteQueue<Parts.Work, Parts.Completion>
  typealias ID = Queue.ID

  enum Event {
    // What is asked for at home.

    case cancelled(ID)
    /// Something has changed that a turn may have waited for.
    case changed(inWrite: Bool)
    /// The home has come for the turn that was asked for.
    case homeCame(inWrite: Bool)
    /// The task that was lent the turn has come for it.
    case taskCame
    /// It has written.
    case taskLeft

    // What became of the gate.

    /// A write has begun already, and waits for the home.
    case holds(Parts.Held)
    /// Another thread waits for the gate, or finds out what space is free for a write.
    case awaits(Parts.Wait, for: Parts.Write?)
    /// That thread has done so.
    case waitEnded(Parts.Wait)
    /// What it has brought.
    case brought(Parts.Held)
    /// What was held has been asked for; nil if others were let in.
    case used(Parts.Write?)
    /// The gate has been tried; nil if others write.
    case entered(Parts.Write?)
    /// No write can begin.
    case failed(any Error)
    /// A write that nobody needs has ended.
    case left

    // What became of the turn.

    case ran
    case lent(Parts.Held)

    // What became of commits.

    case sealed(Parts.Completion?, allowGrouping: Bool)
    /// A write could not even be sealed.
    case refused(Parts.Completion?, any Error)
    /// What was refused may be told now.
    case tellsRefused
    /// The open group has ended with a write at home, or could not be written: it is a flush.
    case groupTaken
    case flushing(Parts.Flush, count: Int)
    /// The end of a flush has come home; of those before it, too.
    case flushed(Parts.Flush)
    /// All flushes have to end now.
    case needsFlushes
    case due([Queue.Ended], (any Error)?)
    case called

    // The ends.

    case closes(Closing)
    case abandoned
  }

  /// The steps in which all work ends before a session lets its version go.
  enum Closing { case waiting, guest, wait, request, group }

  enum Effect {
    case nothing
    /// Find out whether a write is under way at home; ends in `changed`.
    case look

    /// Try the gate, or let another thread wait for it; ends in `holds` or `awaits`, unless a turn
    /// begins soon without that.
    case ask
    /// Ask the home to come for what is held.
    case callHome(Parts.Held)
    /// Send another thread.
    case wait(Parts.Wait, for: Parts.Write?)
    /// Begin a write for the home that has come; ends in `entered`, `awaits` or `failed`.
    case begin
    /// Take what is held; ends in `used`.
    case use(Parts.Held)
    /// Enter the gate once more in this turn, or begin the next write of its group; both end in
    /// `entered`.
    case reenter
    case continueGroup
    /// Take what another thread has brought; ends in `brought` or `failed`.
    case collect(Parts.Wait)

    /// Nobody needs it; a write ends in `left`.
    case withdraw(Parts.Wait)
    case leave(Parts.Held)
    case cancel(Parts.Write)
    /// Wait for what another thread has begun, and end it.
    case seize(Parts.Wait)

    /// Ends in `ran`.
    case run(Parts.Work)
    /// Keep the write for the task (`lent`), and call it.
    case lend(Parts.Work, Parts.Write)
    /// Tell that a write could not begin, then `look`.
    case fail(Parts.Work?, any Error)
    /// Tell what never runs.
    case dismiss([Parts.Work])
    /// Tell the task whose turn is lost; ends in `left`.
    case dismissGuest(Parts.Work)

    /// Bring the open group to the disk, elsewhere (`flushing`) or here (`flushing`, `flushed`).
    case flush(count: Int)
    case flushHere(count: Int)
    /// Wait for it; ends in `flushed`.
    case await(Parts.Flush)
    /// A flush has ended: tell its completions, then `flushed` with the last that is meant.
    case end(Parts.Flush, count: Int, [Queue.Ended], through: Parts.Flush)
    /// Tell what was refused.
    case refuse([Queue.Ended])
    /// Ends in `called`.
    case call(Parts.Completion, (any Error)?)
  }

  /// Where a write that begins at home now comes from.
  enum Source {
    case open(Parts.Write)
    case group
    /// Ends in `took`, and is asked for again if it was not there any more.
    case held(Parts.Held)
    /// What a task was lent; asked for again if it was not there any more.
    case lent(Parts.Held)
    /// The gate, behind a flush; or what another thread waits for there.
    case gate(after: Parts.Flush?, insteadOf: Parts.Wait?)
  }

  private(set) var queue = Queue()
  private(set) var share = GateShare<Parts.Wait, Parts.Held, Parts.Write>.nothing
  /// Whether it keeps its place among those who ask for the gate: from the call until something
  /// runs.
  private(set) var keepsPlace = false
  /// How many times in a row the home was too late for what was held for it.
  private(set) var lateness = 0
  /// The task that was lent the turn, and has not come yet.
  private(set) var guest: Queue.Waiting?
  /// How many of what is sealed are of the turn that runs, in a group that is open: whoever writes
  /// next at home goes on with it.
  private(set) var openGroup = 0
  /// Commits on their way to the disk, oldest first. Only one at a time can be under way; an older
  /// one has ended, and its end has not come home yet.
  private(set) var flushes: [(flush: Parts.Flush, count: Int)] = []
  /// Completions that are due, in the order of their commits, and how many have been called.
  private var due: (completions: [(Parts.Completion, (any Error)?)], called: Int) = ([], 0)
  /// How many calls of completions are under way, one inside the other.
  private var completing = 0

  var isBusy: Bool { queue.isBusy }
  var isCompleting: Bool { completing > 0 }
  /// Whether another write follows in the turn that runs, as far as anybody can tell.
  var mayGoOn: Bool { queue.phase == .running && queue.mayGoOn }
  var isRunning: Bool { queue.phase == .running }

  /// The number of what was added or sealed last.
  var lastID: ID { queue.lastID }
  mutating func makeID() -> ID { queue.makeID() }

  func isLent(to id: ID?) -> Bool { guest != nil && guest?.id == id }

  /// What is to be done about what has happened.
  mutating func on(_ event: consuming Event) -> Effect {
    switch consume event {
    case .cancelled(let id): return cancel(id)
    case .changed(let inWrite): return lookForWork(inWrite)
    case .homeCame(let inWrite): return beginTurn(inWrite)
    case .taskCame: return lendAgain()
    case .taskLeft, .ran: return goOn()

    case .holds(let held):
      invariant(queue.phase == .requested, "a write is held for one that is \(queue.phase)")
      share.holds(held)
      return .callHome(held)
    case .awaits(let wait, let write):
      invariant(queue.phase == .requested, "the gate is awaited by one that is \(queue.phase)")
      share.awaits(wait)
      return .wait(wait, for: write)
    case .waitEnded(let wait):
      // A write at home may have taken what was waited for before the home came to this.
      return share.arrives(wait) ? .collect(wait) : .nothing
    case .brought(let held):
      share.holds(held)
      queue.granted()
      return goOn()
    case .used(let write):
      took(write != nil)
      return write == nil ? useNothing() : enter(write)
    case .entered(let write): return enter(write)
    case .failed(let error): return failTurn(error)
    case .left: return queue.phase == .running ? endTurn() : .nothing

    case .lent(let held):
      invariant(guest != nil, "a write is lent to nobody")
      share.holds(held)
      return .nothing

    case .sealed(let completion, let allowGrouping):
      _ = queue.seal(completion, allowGrouping: allowGrouping)
      openGroup += 1
      return queue.phase == .running ? .nothing : flush()
    case .refused(let completion, let error):
      _ = queue.refuse(completion, error)
      return .nothing
    case .tellsRefused:
      let refused = queue.takeRefused()
      return refused.isEmpty ? .nothing : .refuse(refused)
    case .groupTaken:
      openGroup = 0
      return .nothing
    case .flushing(let flush, let count):
      flushes.append((flush, count))
      invariant(
        flying + openGroup <= queue.sealed.count, "\(flying) of \(queue.sealed.count) are flushed")
      return .nothing
    case .flushed(let flush): return end(through: flush)
    case .needsFlushes: return flushes.last.map { .await($0.flush) } ?? .nothing
    case .due(let completions, let error):
      completing += 1
      for one in completions { due.completions.append((one.completion, one.refusal ?? error)) }
      return callNext()
    case .called: return callNext()

    case .closes(let step): return close(step)
    case .abandoned: return abandon()
    }
  }

  // MARK: Asking

  /// What is to be done about new work. An event like all others, but one that comes many times
  /// while nothing has to be done: a case of `Event` would be made, and copied, for each.
  mutating func add(_ work: consuming Parts.Work, inWrite: Bool) -> Effect {
    _ = queue.add(work)
    return lookForWork(inWrite)
  }

  /// Asks for a turn if work waits and nothing is under way.
  private mutating func lookForWork(_ inWrite: Bool) -> Effect {
    guard flushes.isEmpty, queue.shouldRequest(inWrite: inWrite) else { return .nothing }
    invariant(share.isNothing, "the gate is asked for by one that has \(share)")
    keepsPlace = true
    return .ask
  }

  private mutating func cancel(_ id: ID) -> Effect {
    queue.cancel(id)
    guard queue.waiting.isEmpty else { return .nothing }
    // Nobody is left who could use the gate.
    if queue.phase == .requested { return giveTurnBack() }
    leaveUnusedPlace()
    return .nothing
  }

  private mutating func leaveUnusedPlace() {
    if queue.waiting.isEmpty, guest == nil { keepsPlace = false }
  }

  /// The turn that was asked for is not needed, or not now.
  private mutating func giveTurnBack() -> Effect {
    leaveUnusedPlace()
    queue.returned()
    if let wait = share.takeWait() { return .withdraw(wait) }
    return share.takeHeld().map { .leave($0) } ?? .nothing
  }

  /// The home has come: something may run, unless another thread waits for the gate.
  private mutating func beginTurn(_ inWrite: Bool) -> Effect {
    guard queue.phase == .requested, !share.isAwaited else { return .nothing }
    // A write at home has begun meanwhile, or all has been cancelled; the end of either asks again.
    if inWrite || !flushes.isEmpty || queue.waiting.isEmpty { return giveTurnBack() }
    return share.takeHeld().map { .use($0) } ?? .begin
  }

  /// What was held has been taken, or it was not there any more.
  mutating func took(_ isThere: Bool) { lateness = isThere ? 0 : lateness + 1 }

  /// Others were let in before the home.
  private mutating func useNothing() -> Effect {
    if queue.phase == .requested { return .begin }
    keepsPlace = true
    return .reenter
  }

  private mutating func enter(_ write: Parts.Write?) -> Effect {
    if queue.phase == .requested { queue.granted() }
    invariant(queue.phase == .running, "the gate is entered by one that is \(queue.phase)")
    guard let write else {
      // If what was sealed cannot be written it is lost, and who waits begins without it.
      takeBackTurn()
      return endTurn()
    }
    share.opens(write)
    guard guest != nil else { return goOn() }
    guest = nil
    keepsPlace = false
    return .nothing
  }

  /// The write cannot begin: tells the first that waits, and tries again for the others.
  private mutating func failTurn(_ error: any Error) -> Effect {
    queue.granted()
    let first = queue.next()
    keepsPlace = false
    _ = queue.endTurn()
    return .fail(first?.block, error)
  }

  // MARK: The turn

  /// Runs what the queue has for this turn, then brings its commits to the disk.
  private mutating func goOn() -> Effect {
    guard queue.hasNext, !isGroupBeforeTask else { return endTurn() }
    if let entering = enterAgain() { return entering }
    guard let next = queue.next() else { return endTurn() }
    guard Parts.isTask(next.block) else {
      // What waits behind it has a place of its own.
      keepsPlace = false
      return .run(next.block)
    }
    guest = next
    keepsPlace = true
    return share.takeOpen().map { .lend(next.block, $0) } ?? .nothing
  }

  /// Whether a task is next and commits of the turn have yet to go to the disk: they do not wait
  /// until it comes.
  private var isGroupBeforeTask: Bool {
    guard openGroup > 0, let first = queue.waiting.first else { return false }
    return Parts.isTask(first.block)
  }

  /// How the turn comes to a write that it can go on with; nil if it has one. A block that rolled
  /// back, or committed by itself, has left the gate; and others were let in if the home, or a
  /// task, was long in coming.
  private mutating func enterAgain() -> Effect? {
    if share.isOpen { return nil }
    if openGroup > 0 { return .continueGroup }
    if let held = share.takeHeld() { return .use(held) }
    keepsPlace = true
    return .reenter
  }

  private mutating func lendAgain() -> Effect {
    invariant(guest != nil && !share.isOpen, "a task comes for a turn that was not lent")
    return enterAgain() ?? .nothing
  }

  /// Lets the task that was lent the turn wait again, before all others of this realm.
  private mutating func takeBackTurn() {
    guard let late = guest else { return }
    guest = nil
    queue.putBack(late.id, late.block)
  }

  private mutating func endTurn() -> Effect {
    leaveUnusedPlace()
    if let write = share.takeOpen() { return .cancel(write) }
    if let held = share.takeHeld() { return .leave(held) }
    return queue.endTurn() && openGroup > 0 ? flush() : .look
  }

  // MARK: Commits

  private mutating func flush() -> Effect {
    defer { openGroup = 0 }
    return .flush(count: openGroup)
  }

  /// How many commits are on their way.
  private var flying: Int {
    var count = 0
    for flush in flushes { count += flush.count }
    return count
  }

  /// Ends a flush and those before it, one by one: a completion may write, and so end those that
  /// come after its own. A write at home that needed the flush may have ended it already.
  private mutating func end(through flush: Parts.Flush) -> Effect {
    guard flushes.contains(where: { $0.flush === flush }) else { return .look }
    let (ended, count) = flushes.removeFirst()
    return .end(ended, count: count, queue.synced(count), through: flush)
  }

  /// One that writes makes later commits due: those before them are called first, from there.
  private mutating func callNext() -> Effect {
    invariant(completing > 0, "a completion was called that was not due")
    if due.called < due.completions.count {
      let (completion, error) = due.completions[due.called]
      due.called += 1
      return .call(completion, error)
    }
    due.completions.removeAll(keepingCapacity: true)
    due.called = 0
    completing -= 1
    return .nothing
  }

  // MARK: Meeting the writes of the same home

  /// Where a write that begins at home now comes from.
  ///
  /// A write that was begun for this home may hold the gate already. To wait behind it would be to
  /// wait for oneself, so that write is used here, and what it was meant for asks again. A flush is
  /// waited for: it ends without anybody at home.
  mutating func takeSource() -> Source {
    if guest != nil {
      takeBackTurn()
      _ = queue.endTurn()
      if let held = share.takeHeld() { return .lent(held) }
    }
    if let write = share.takeOpen() { return .open(write) }
    if openGroup > 0 { return .group }
    if queue.phase == .requested {
      queue.returned()
      if let held = share.takeHeld() { return .held(held) }
    }
    return .gate(after: flushes.last?.flush, insteadOf: share.takeWait())
  }

  // MARK: The ends

  private mutating func close(_ step: Closing) -> Effect {
    switch step {
    case .waiting: return .dismiss(queue.dropWaiting())
    case .guest:
      guard let late = guest else { return .nothing }
      guest = nil
      return .dismissGuest(late.block)
    case .wait:
      guard let wait = share.takeWait() else { return .nothing }
      queue.returned()
      return .seize(wait)
    case .request:
      // What the home has been asked to come for is no longer there.
      if queue.phase == .requested { return giveTurnBack() }
      leaveUnusedPlace()
      return .nothing
    case .group:
      guard openGroup > 0 else { return .nothing }
      defer { openGroup = 0 }
      return .flushHere(count: openGroup)
    }
  }

  /// Forgets all but what is being told already.
  private mutating func abandon() -> Effect {
    let last = share
    let told = (due, completing)
    self = AsyncMachine()
    (due, completing) = told
    switch last {
    case .nothing: return .nothing
    case .awaited(let wait): return .withdraw(wait)
    case .held(let held): return .leave(held)
    case .open(let write): return .cancel(write)
    }
  }
}
