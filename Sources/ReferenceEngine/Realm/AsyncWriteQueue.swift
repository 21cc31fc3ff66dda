/// What a realm knows of its asynchronous writes: which wait, which are committed but not yet on
/// the disk, and what has to happen next. It decides and does nothing itself, so that every order
/// of events can be tried.
///
/// ```
///            shouldRequest              granted              next … seal … endTurn
///   resting ───────────────▶ requested ─────────▶ running ──────────────────────────▶ syncing
///      ▲                         │ returned                │ endTurn, nothing sealed      │ synced
///      └─────────────────────────┴─────────────────────────┴──────────────────────────────┘
/// ```
///
/// 1. Blocks run in the order in which they were queued, completions in the order of the commits,
///    each at most once.
/// 2. A block runs only in `running`: while this realm holds the file's gate.
/// 3. A commit without grouping ends its turn, and so does the twentieth commit of a group; the
///    next block runs only after the commits of the turn are on the disk.
/// 4. An id names one thing; cancelling anything else than a waiting block or a pending completion
///    does nothing.
/// 5. A commit that is refused is told so behind those that were sealed before it.
struct AsyncWriteQueue<Block, Completion> {
  typealias ID = UInt32

  enum Phase: Equatable {
    /// Nothing has been asked for.
    case resting
    /// The gate has been asked for.
    case requested
    /// The gate is ours, blocks run.
    case running
    /// The commits of the turn go to the disk, and the thread that brings them has the gate.
    case syncing
  }

  struct Waiting {
    let id: ID
    let block: Block
  }

  struct Sealed {
    let id: ID
    var completion: Completion?
  }

  /// A commit that could not even be sealed.
  struct Refused {
    let id: ID
    var completion: Completion?
    let error: any Error
    /// How many of what is sealed are told before it.
    var behind: Int
  }

  /// A completion to be called now.
  struct Ended {
    let completion: Completion
    /// Why the commit was refused; nil where it shares the fate of those that it was flushed with.
    var refusal: (any Error)?
  }

  /// How many commits one flush may carry.
  static var groupLimit: Int { 20 }

  private(set) var phase = Phase.resting
  private(set) var waiting = WaitingLine<Waiting>()
  private(set) var sealed: [Sealed] = []
  /// What is still to be told that it was not committed, in the order of the commits.
  private(set) var refused: [Refused] = []
  private var mayGroup = true
  /// The number that was given last.
  private(set) var lastID: ID = 0

  /// Whether asynchronous work is under way or waits.
  var isBusy: Bool {
    phase != .resting || !waiting.isEmpty || !sealed.isEmpty || !refused.isEmpty
  }

  /// A number that nothing else has.
  mutating func makeID() -> ID {
    lastID &+= 1
    if lastID == 0 { lastID = 1 }
    return lastID
  }

  /// Queues a block behind all others.
  mutating func add(_ block: Block) -> ID {
    let id = makeID()
    waiting.append(Waiting(id: id, block: block))
    return id
  }

  /// Lets what was taken out wait again, before all others.
  mutating func putBack(_ id: ID, _ block: Block) {
    waiting.prepend(Waiting(id: id, block: block))
  }

  /// Drops a waiting block, or the completion of a commit that is not yet on the disk or was
  /// refused.
  mutating func cancel(_ id: ID) {
    if waiting.contains(where: { $0.id == id }) {
      waiting.remove(where: { $0.id == id })
    } else if let index = sealed.firstIndex(where: { $0.id == id }) {
      sealed[index].completion = nil
    } else if let index = refused.firstIndex(where: { $0.id == id }) {
      refused[index].completion = nil
    }
  }

  /// Whether the gate is to be asked for now; if so, it counts as asked for.
  ///
  /// Not during a write: blocks queued in it wait for its end.
  mutating func shouldRequest(inWrite: Bool) -> Bool {
    guard phase == .resting, !inWrite, !waiting.isEmpty else { return false }
    phase = .requested
    return true
  }

  /// The gate has been entered for this realm.
  mutating func granted() {
    invariant(phase == .requested, "the gate is given to one that is \(phase)")
    phase = .running
    mayGroup = true
  }

  /// The gate was given back unused, because somebody needed it on another way.
  mutating func returned() {
    invariant(phase == .requested, "the gate is given back by one that is \(phase)")
    phase = .resting
  }

  /// Whether another block may run in this turn.
  var hasNext: Bool {
    phase == .running && mayGroup && sealed.count < Self.groupLimit && !waiting.isEmpty
  }

  /// Whether another block may follow the one that runs now, if its commit allows it.
  var mayGoOn: Bool { mayGroup && sealed.count + 1 < Self.groupLimit && !waiting.isEmpty }

  /// The block to run next in this turn, if there is one.
  mutating func next() -> Waiting? {
    guard hasNext else { return nil }
    return waiting.removeFirst()
  }

  /// Takes note of a commit that is visible but not yet on the disk.
  mutating func seal(_ completion: Completion?, allowGrouping: Bool) -> ID {
    let id = makeID()
    sealed.append(Sealed(id: id, completion: completion))
    if !allowGrouping { mayGroup = false }
    return id
  }

  /// Takes note of a commit that could not be sealed.
  mutating func refuse(_ completion: Completion?, _ error: any Error) -> ID {
    let id = makeID()
    refused.append(
      Refused(id: id, completion: completion, error: error, behind: sealed.count))
    return id
  }

  /// What was refused and has no more than so many commits before it that are still to be told.
  mutating func takeRefused(behind count: Int = 0) -> [Ended] {
    let ready = refused.prefix { $0.behind <= count }
    refused.removeFirst(ready.count)
    return ready.compactMap { one in
      one.completion.map { Ended(completion: $0, refusal: one.error) }
    }
  }

  /// No block runs any more in this turn; whether there is something to bring to the disk.
  mutating func endTurn() -> Bool {
    invariant(phase == .running, "a turn ends that is \(phase)")
    phase = sealed.isEmpty ? .resting : .syncing
    return phase == .syncing
  }

  /// The oldest of what was sealed, or all of it, is on the disk, or has failed to get there: the
  /// completions to call, in order, with those that were refused before, between and behind them.
  mutating func synced(_ count: Int? = nil) -> [Ended] {
    invariant(
      0...sealed.count ~= count ?? 0, "\(count ?? 0) of \(sealed.count) commits are on the disk")
    let flushed = sealed.prefix(count ?? sealed.count)
    sealed.removeFirst(flushed.count)
    var ended: [Ended] = []
    ended.reserveCapacity(flushed.count)
    for (place, one) in flushed.enumerated() {
      if !refused.isEmpty { ended += takeRefused(behind: place) }
      if let completion = one.completion { ended.append(Ended(completion: completion)) }
    }
    if !refused.isEmpty {
      ended += takeRefused(behind: flushed.count)
      for index in refused.indices { refused[index].behind -= flushed.count }
    }
    if phase == .syncing, sealed.isEmpty { phase = .resting }
    if sealed.isEmpty { mayGroup = true }
    return ended
  }

  /// Forgets the blocks that have not begun; they and their completions never run.
  @discardableResult
  mutating func dropWaiting() -> [Block] {
    defer { waiting = WaitingLine() }
    return waiting.all.map(\.block)
  }
}
