import Testing

@testable import ReferenceEngine

/// Every way in which a home's calls, its users' code, other threads and the gate can follow each
/// other, up to a bound: what the machine says is done to a world of toys, and each of the world's
/// answers is tried.
@Suite struct `The machine of asynchronous writes` {
  private static let bounds = [
    Bound(blocks: 2, seals: 2), Bound(blocks: 1, tasks: 1, seals: 1),
    Bound(blocks: 1, seals: 1, writes: 1, failures: 1), Bound(tasks: 1, writes: 1, closes: 1),
    Bound(seals: 2, writes: 2, failures: 1, closes: 1), Bound(blocks: 2, failures: 1),
    Bound(tasks: 2, failures: 1), Bound(tasks: 1, cancels: 1, closes: 1),
    Bound(blocks: 1, seals: 1, cancels: 1, closes: 1), Bound(blocks: 1, seals: 2, failures: 1),
    Bound(tasks: 1, lates: 2), Bound(blocks: 1, seals: 1, refusals: 2, closes: 1),
    Bound(blocks: 1, seals: 1, writes: 1, cancels: 1, refusals: 1),
  ]
  private static let seen = bounds.map { bound in
    let walk = Walk(from: World(bound))
    walk.run()
    return walk.seen
  }

  @Test(arguments: bounds.indices)
  func `keeps its promises in every state, and always comes to rest`(number: Int) {
    let seen = Self.seen[number]
    #expect(seen.fault == nil, "\(seen.fault ?? "")")
    #expect(seen.states > 40, "so few states: \(seen.states)")
  }

  @Test func `is asked everything, and has everything done`() {
    var (events, effects) = (Set<String>(), Set<String>())
    for seen in Self.seen {
      events.formUnion(seen.events)
      effects.formUnion(seen.effects)
    }
    // `abandoned` comes from anywhere, and ends all; see below.
    #expect(
      events.sorted() == [
        "added", "awaits", "brought", "called", "cancelled", "changed", "closes", "due",
        "entered", "failed", "flushed", "flushing", "groupTaken", "holds", "homeCame", "left",
        "lent", "needsFlushes", "ran", "refused", "sealed", "taskCame", "taskLeft",
        "tellsRefused", "used", "waitEnded",
      ])
    #expect(
      effects.sorted() == [
        "ask", "await", "begin", "call", "callHome", "cancel", "collect",
        "continueGroup", "dismiss", "dismissGuest", "end", "fail", "flush", "flushHere", "leave",
        "lend", "look", "nothing", "reenter", "refuse", "run", "seize", "use", "wait", "withdraw",
      ])
  }
}

private struct Bound: CustomStringConvertible, Sendable {
  var (blocks, tasks, seals, writes) = (0, 0, 0, 0)
  var (cancels, failures, lates, refusals, closes) = (0, 0, 0, 0, 0)

  /// - Parameter lates: How many times somebody is let in before the home.
  init(
    blocks: Int = 0, tasks: Int = 0, seals: Int = 0, writes: Int = 0, cancels: Int = 0,
    failures: Int = 0, lates: Int = 1, refusals: Int = 0, closes: Int = 0
  ) {
    (self.blocks, self.tasks, self.seals, self.writes) = (blocks, tasks, seals, writes)
    (self.cancels, self.failures, self.lates, self.closes) = (cancels, failures, lates, closes)
    self.refusals = refusals
  }

  var description: String {
    "\(blocks) \(tasks) \(seals) \(writes) \(cancels) \(failures) \(lates) "
      + "\(refusals) \(closes)"
  }
}

// MARK: - Toys

private final class Token: Sendable, CustomStringConvertible {
  let number: Int
  init(_ number: Int) { self.number = number }
  var description: String { "#\(number)" }
}

private struct Job {
  let number: Int
  let isTask: Bool
}

private enum Toys: AsyncWriteParts {
  typealias Work = Job
  typealias Completion = Int
  typealias Wait = Token
  typealias Held = Int
  typealias Write = Int
  typealias Flush = Token

  static func isTask(_ work: Job) -> Bool { work.isTask }
}

private struct Broken: Error {}

private typealias Machine = AsyncMachine<Toys>

// MARK: - The world

/// All that is around the machine: the gate, other threads, users' code, and what the session is in
/// the middle of.
private struct World {
  /// Where the one write is that there can be.
  enum Gate { case free, withThread, held, open, inWrite, group, flush }

  /// What is still to be done at home, the next of it last: the stack of a thread.
  enum Step {
    case perform(Machine.Effect)
    case event(Machine.Event)
    /// Users' code runs, and does what it likes.
    case user
    case begin
    /// A block or a task ends.
    case endBlock
    case taskTurn
    case endClosing
  }

  struct Wait {
    let token: Token
    var hasEnded = false
    var hasFailed = false
  }

  struct Flying {
    let token: Token
    let commits: [Int]
    var hasEnded = false
    var hasFailed = false
    var hasArrived = false
  }

  var machine = Machine()
  var agenda: [Step] = []
  var gate = Gate.free
  var wait: Wait?
  /// Ends of waits that are on their way home; the wait itself may be over.
  var arrivals: [Token] = []
  var homeCalls = 0
  var flying: [Flying] = []
  /// How many times the home comes to tell of refused commits.
  var refusalCalls = 0
  /// A task has been called, and comes.
  var comer: UInt32?
  var lentNumber = 0
  /// The commits of the open group, and those that were lost or refused.
  var (group, lost) = ([Int](), Set<Int>())
  var isClosing = false

  var bound: Bound
  var (jobs, commits) = (0, 0)
  var (ran, called) = ([Int](), [Int]())
  var (ids, seals) = ([UInt32: Int](), [UInt32: Int]())
  var (over, silent) = (Set<Int>(), Set<Int>())
  var fault: String?

  init(_ bound: Bound) { self.bound = bound }

  var isInWrite: Bool { gate == .inWrite }
  /// Whether nobody can tell what comes next but users and other threads.
  var isOpen: Bool {
    switch agenda.last {
    case nil, .user: true
    default: false
    }
  }

  mutating func check(_ condition: Bool, _ message: String) {
    if !condition, fault == nil { fault = message }
  }

  /// A name that nothing on its way has.
  func token() -> Token {
    let used = Set(
      (arrivals + flying.map(\.token) + [wait?.token].compactMap(\.self)).map(\.number))
    return Token((1...).first { !used.contains($0) } ?? 0)
  }

  /// What can have become of it in one step.
  func next() -> [World] {
    guard fault == nil else { return [] }
    return isOpen ? choices() : steps()
  }

  private func with(_ change: (inout World) -> Void) -> World {
    var copy = self
    change(&copy)
    return copy
  }

  // MARK: Users and threads

  private func choices() -> [World] {
    var all: [World] = []
    func may(_ can: Bool, _ change: (inout World) -> Void) { if can { all.append(with(change)) } }
    let isCompleting = machine.isCompleting
    let isIdle = agenda.isEmpty

    // Other threads first: so the first way leads to rest.
    for index in flying.indices where !flying[index].hasEnded {
      may(true) { $0.endFlush(index, failing: false) }
      may(bound.failures > 0) {
        $0.bound.failures -= 1
        $0.endFlush(index, failing: true)
      }
    }
    if let wait, !wait.hasEnded {
      may(gate == .free || gate == .withThread) { $0.endWait(failing: false) }
      may(gate == .free && bound.failures > 0) {
        $0.bound.failures -= 1
        $0.endWait(failing: true)
      }
    }
    may(!isIdle) { _ = $0.agenda.removeLast() }
    if isIdle {
      for index in arrivals.indices {
        may(true) { $0.agenda = [.event(.waitEnded($0.arrivals.remove(at: index)))] }
      }
      may(homeCalls > 0) {
        $0.homeCalls -= 1
        $0.agenda = [.event(.homeCame(inWrite: $0.isInWrite))]
      }
      for index in flying.indices where flying[index].hasEnded && !flying[index].hasArrived {
        may(true) { $0.arrive(index) }
      }
      may(refusalCalls > 0) {
        $0.refusalCalls -= 1
        $0.agenda = [.event(.tellsRefused)]
      }
      may(comer != nil) { $0.comes() }
    }
    may(isInWrite && !isCompleting) { $0.cancelWrite() }

    // What need not happen.
    may(gate == .held && bound.lates > 0) {
      $0.bound.lates -= 1
      $0.gate = .free
    }
    may(isInWrite) { $0.commit() }
    may(isInWrite && bound.failures > 0) {
      $0.bound.failures -= 1
      $0.failCommit()
    }
    may(isInWrite && !isCompleting && bound.seals > 0) { $0.seal(true) }
    may(isInWrite && !isCompleting && bound.seals > 0) { $0.seal(false) }
    may(isInWrite && !isCompleting && bound.refusals > 0) { $0.refuse() }
    may(!isInWrite && bound.writes > 0) {
      $0.bound.writes -= 1
      $0.agenda.append(.begin)
    }
    may(!isCompleting && bound.blocks > 0) {
      $0.bound.blocks -= 1
      $0.add(isTask: false)
    }
    may(!isCompleting && bound.tasks > 0) {
      $0.bound.tasks -= 1
      $0.add(isTask: true)
    }
    for id in Set(ids.keys).union(seals.keys) {
      may(bound.cancels > 0) {
        $0.bound.cancels -= 1
        $0.cancel(id)
      }
    }
    may(bound.closes > 0) {
      $0.bound.closes -= 1
      $0.close()
    }
    return all
  }

  private mutating func endFlush(_ index: Int, failing: Bool) {
    check(gate == .flush, "a flush ends that is not under way")
    gate = .free
    flying[index].hasEnded = true
    flying[index].hasFailed = failing
    if failing { lost.formUnion(flying[index].commits) }
  }

  private mutating func arrive(_ index: Int) {
    flying[index].hasArrived = true
    agenda = [.event(.flushed(flying[index].token))]
    forgetFlushes()
  }

  /// What has come home and was told is over.
  private mutating func forgetFlushes() {
    let untold = machine.flushes.map(\.flush)
    flying.removeAll { one in one.hasArrived && !untold.contains { $0 === one.token } }
  }

  private mutating func endWait(failing: Bool) {
    guard let token = wait?.token else { return }
    gate = failing ? .free : .held
    wait?.hasEnded = true
    wait?.hasFailed = failing
    arrivals.append(token)
  }

  private mutating func comes() {
    let id = comer
    comer = nil
    if machine.isLent(to: id) { agenda = [.taskTurn, .event(.taskCame)] }
  }

  private mutating func add(isTask: Bool) {
    jobs += 1
    let effect = machine.add(Job(number: jobs, isTask: isTask), inWrite: isInWrite)
    note("added")
    check(ids[machine.lastID] == nil && seals[machine.lastID] == nil, "an id is given twice")
    ids[machine.lastID] = jobs
    agenda.append(.perform(effect))
  }

  private mutating func cancel(_ id: UInt32) {
    if let job = ids[id], machine.queue.waiting.contains(where: { $0.id == id }) {
      over.insert(job)
    }
    let isUntold =
      machine.queue.sealed.contains { $0.id == id }
      || machine.queue.refused.contains { $0.id == id }
    if let commit = seals[id], isUntold { silent.insert(commit) }
    agenda.append(.event(.cancelled(id)))
  }

  private mutating func seal(_ allowGrouping: Bool) {
    bound.seals -= 1
    commits += 1
    gate = .group
    group.append(commits)
    let effect = machine.on(.sealed(commits, allowGrouping: allowGrouping))
    note("sealed")
    seals[machine.lastID] = commits
    agenda.append(.perform(effect))
  }

  /// A write ends in a commit that cannot be sealed: the commits before it in its group are whole.
  private mutating func refuse() {
    bound.refusals -= 1
    commits += 1
    gate = machine.openGroup > 0 ? .group : .free
    refusalCalls += 1
    lost.insert(commits)
    let effect = machine.on(.refused(commits, Broken()))
    note("refused")
    seals[machine.lastID] = commits
    agenda += [.perform(.look), .perform(effect)]
  }

  private mutating func commit() {
    gate = .free
    endGroup(failing: false)
    // A listener is told first.
    agenda += [.perform(.look), .event(.needsFlushes), .user]
  }

  private mutating func failCommit() {
    gate = .free
    endGroup(failing: true)
    agenda += [.perform(.look), .event(.needsFlushes)]
  }

  private mutating func endGroup(failing: Bool) {
    let count = machine.openGroup
    if count == 0 { return }
    flying.append(takeGroup(failing: failing))
    _ = machine.on(.groupTaken)
    _ = machine.on(.flushing(flying.last!.token, count: count))
    note("groupTaken")
  }

  /// The open group, which has ended at home.
  private mutating func takeGroup(failing: Bool) -> Flying {
    defer { group = [] }
    if failing { lost.formUnion(group) }
    return Flying(
      token: token(), commits: group, hasEnded: true, hasFailed: failing, hasArrived: true)
  }

  private mutating func cancelWrite() {
    gate = machine.openGroup > 0 ? .group : .free
    agenda.append(.perform(.look))
  }

  private mutating func close() {
    isClosing = true
    agenda += [
      .endClosing, .event(.tellsRefused), .event(.closes(.group)), .event(.needsFlushes),
      .event(.closes(.request)), .event(.closes(.wait)), .event(.closes(.guest)),
      .event(.closes(.waiting)),
    ]
    if isInWrite { cancelWrite() }
  }

  // MARK: What the executor does

  private func steps() -> [World] {
    var world = self
    guard let step = world.agenda.popLast() else { return [] }
    switch step {
    case .event(let event):
      world.note("\(event)")
      world.agenda.append(.perform(world.machine.on(event)))
      return [world]
    case .perform(let effect):
      world.noteEffect("\(effect)")
      return world.perform(effect)
    case .user: return []
    case .begin: return world.begin()
    case .endBlock:
      if world.isInWrite { world.cancelWrite() }
    case .taskTurn:
      if world.machine.share.isOpen {
        world.runs(world.lentNumber)
        let cancelled = world.with { $0.agenda.append(.event(.taskLeft)) }
        world.agenda += [.event(.taskLeft), .endBlock, .user, .begin]
        return [world, cancelled]
      }
    case .endClosing: world.isClosing = false
    }
    return [world]
  }

  private mutating func runs(_ number: Int) {
    check(number > ran.last ?? 0, "\(number) runs after \(ran)")
    check(!over.contains(number), "\(number) runs, and is over")
    ran.append(number)
    over.insert(number)
  }

  private func begin() -> [World] {
    var world = self
    while true {
      switch world.machine.takeSource() {
      case .open:
        world.check(world.gate == .open, "a write is open that is \(world.gate)")
        return [world.begun()]
      case .group:
        world.check(world.gate == .group, "a group goes on that is \(world.gate)")
        // It may turn out that it cannot be written, which its completions hear later.
        let failed = world.with {
          $0.bound.failures -= 1
          $0.gate = .free
          $0.endGroup(failing: true)
          $0.flying[$0.flying.count - 1].hasArrived = false
        }
        return [world.begun()] + (world.bound.failures > 0 ? failed.begin() : [])
      case .held:
        world.machine.took(world.gate == .held)
        if world.gate == .held { return [world.begun()] }
      case .lent:
        if world.gate == .held { return [world.begun()] }
      case .gate(let flush, let wait):
        if let flush { world.waitFor(flush) }
        if let wait { world.take(wait) }
        if world.gate == .held { return [world.begun()] }
        world.check(world.gate == .free, "the home waits for itself: \(world.gate)")
        return [world.begun()]
      }
      if world.fault != nil { return [world] }
    }
  }

  private func begun() -> World { with { $0.gate = .inWrite } }

  private mutating func waitFor(_ flush: Token) {
    guard let index = flying.firstIndex(where: { $0.token === flush }) else {
      return check(false, "a flush is waited for that is not there")
    }
    if !flying[index].hasEnded { endFlush(index, failing: false) }
  }

  /// Waits for what another thread has begun.
  private mutating func take(_ token: Token) {
    check(wait?.token === token, "a wait is taken that is over")
    if wait?.hasEnded == false {
      check(gate == .free || gate == .withThread, "another thread waits for the home: \(gate)")
      gate = .held
      arrivals.append(token)
    }
    wait = nil
  }

  private func perform(_ effect: Machine.Effect) -> [World] {
    var world = self
    func tries(_ entered: World.Gate, _ event: Machine.Event) -> World {
      with {
        $0.check(gate == .free, "the gate is tried by one that is \(gate)")
        $0.gate = entered
        $0.agenda.append(.event(event))
      }
    }
    func awaits(having begun: Bool) -> World {
      with {
        $0.check(gate == .free, "the gate is awaited by one that is \(gate)")
        if begun { $0.gate = .withThread }
        $0.agenda.append(.event(.awaits($0.token(), for: begun ? 0 : nil)))
      }
    }
    switch effect {
    case .nothing: break
    case .look: world.agenda.append(.event(.changed(inWrite: isInWrite)))

    case .ask:
      let noted = with { $0.homeCalls += 1 }
      return [tries(.held, .holds(0)), awaits(having: false), awaits(having: true), noted]
    case .callHome: world.homeCalls += 1
    case .wait(let token, _):
      world.check(wait == nil, "two threads wait for the gate")
      world.wait = Wait(token: token)
    case .begin:
      let failed = with {
        $0.bound.failures -= 1
        $0.agenda.append(.event(.failed(Broken())))
      }
      return [tries(.open, .entered(0)), awaits(having: false), awaits(having: true)]
        + (bound.failures > 0 ? [failed] : [])
    case .use:
      world.check(gate == .held || gate == .free, "a write is used that is \(gate)")
      world.agenda.append(.event(.used(gate == .held ? 0 : nil)))
      if gate == .held { world.gate = .open }
    case .reenter:
      let late = tries(.free, .entered(nil)).with { $0.bound.lates -= 1 }
      return [tries(.open, .entered(0))] + (bound.lates > 0 ? [late] : [])
    case .continueGroup:
      world.check(gate == .group, "a group is continued that is \(gate)")
      let failed = with {
        $0.bound.failures -= 1
        $0.agenda.append(.event(.entered(nil)))
      }
      world.gate = .open
      world.agenda.append(.event(.entered(0)))
      return [world] + (bound.failures > 0 ? [failed] : [])
    case .collect(let token):
      world.check(wait?.token === token && wait?.hasEnded == true, "nothing was brought")
      world.agenda.append(.event(wait?.hasFailed == true ? .failed(Broken()) : .brought(0)))
      world.wait = nil

    case .withdraw(let token):
      world.check(wait?.token === token, "a wait is withdrawn that is over")
      if gate == .held || gate == .withThread { world.gate = .free }
      world.wait = nil
    case .leave:
      if gate == .held { world.gate = .free }
      world.agenda.append(.event(.left))
    case .cancel:
      world.check(gate == .open, "a write is cancelled that is \(gate)")
      world.gate = machine.openGroup > 0 ? .group : .free
      world.agenda.append(.event(.left))
    case .seize(let token):
      world.take(token)
      if world.gate == .held { world.gate = .free }

    case .run(let job):
      world.runs(job.number)
      world.agenda += [.event(.ran), .endBlock, .user, .begin]
    case .lend(let job, _):
      world.check(gate == .open, "a write is lent that is \(gate)")
      world.gate = .held
      world.comer = machine.guest?.id
      world.lentNumber = job.number
      world.agenda.append(.event(.lent(0)))
    case .fail(let job, _):
      world.agenda.append(.perform(.look))
      if let job {
        world.check(world.over.insert(job.number).inserted, "\(job.number) ends twice")
        if !job.isTask {
          world.agenda.append(.event(.due([.init(completion: -job.number)], Broken())))
        }
      }
    case .dismiss(let jobs):
      for job in jobs { world.over.insert(job.number) }
    case .dismissGuest(let job):
      world.over.insert(job.number)
      world.comer = nil
      world.agenda.append(.event(.left))

    case .flush(let count):
      world.check(gate == .group && count > 0, "\(count) are flushed of one that is \(gate)")
      world.check(flying.allSatisfy(\.hasEnded), "two flushes are under way")
      world.gate = .flush
      let token = world.token()
      world.flying.append(Flying(token: token, commits: group))
      world.group = []
      world.agenda.append(.event(.flushing(token, count: count)))
    case .flushHere(let count):
      world.check(gate == .group && count > 0, "\(count) are flushed of one that is \(gate)")
      world.gate = .free
      func ended(failing: Bool) -> World {
        world.with {
          let one = $0.takeGroup(failing: failing)
          $0.flying.append(one)
          // Listeners may be told.
          $0.agenda += [
            .event(.flushed(one.token)), .user, .event(.flushing(one.token, count: count)),
          ]
        }
      }
      let failed = ended(failing: true).with { $0.bound.failures -= 1 }
      return [ended(failing: false)] + (bound.failures > 0 ? [failed] : [])
    case .await(let flush):
      world.waitFor(flush)
      world.agenda.append(.event(.flushed(flush)))
    case .end(let flush, _, let completions, let last):
      let ended = flying.first { $0.token === flush }
      world.check(ended?.hasEnded == true, "a flush is told of that is under way")
      let error: (any Error)? = ended?.hasFailed == true ? Broken() : nil
      world.forgetFlushes()
      world.agenda += [.event(.flushed(last)), .event(.due(completions, error))]
    case .refuse(let refused): world.agenda.append(.event(.due(refused, nil)))
    case .call(let completion, let error):
      if completion > 0 {
        world.check(
          (error != nil) == lost.contains(completion), "\(completion) is told \(error as Any)")
        world.check(completion > called.last ?? 0, "\(completion) is told after \(called)")
        world.check(!silent.contains(completion), "\(completion) is told, and was silenced")
        world.called.append(completion)
      }
      world.agenda += [.event(.called), .user]
    }
    return [world]
  }

  // MARK: What must hold

  /// Looks at a state in which users' code may run.
  mutating func judge() {
    guard isOpen, fault == nil else { return }
    let queue = machine.queue
    let isWanted = !queue.waiting.isEmpty || machine.guest != nil
    if !isClosing {
      check(!machine.keepsPlace || isWanted, "a place is kept for nothing")
      check(
        queue.phase != .requested || machine.keepsPlace, "the gate is asked for without a place")
    }
    check(machine.guest == nil || machine.keepsPlace, "a guest has the turn without a place")
    check(machine.guest == nil || queue.phase == .running, "a guest has no turn")
    check(machine.guest == nil || machine.openGroup == 0, "a group waits for a task")
    check(machine.share.isOpen == (gate == .open), "\(machine.share) of a gate that is \(gate)")
    check(!machine.share.isAwaited || queue.phase == .requested, "awaited by nobody")
    check(machine.share.isAwaited == (wait != nil), "a wait that nobody knows")
    let flushed = machine.flushes.reduce(0) { $0 + $1.count }
    check(
      queue.sealed.count == machine.openGroup + flushed,
      "\(queue.sealed.count) sealed, \(machine.openGroup) open, \(flushed) flushed")
    check(
      machine.openGroup == 0 || gate == .group || gate == .inWrite || gate == .open,
      "a group without the gate")
    check(queue.phase != .syncing || flushed + machine.openGroup > 0, "nothing is brought")
    check(
      machine.openGroup == 0 || flying.allSatisfy(\.hasEnded), "a group goes on beside a flush")
    check(!agenda.isEmpty || !machine.isCompleting, "it is told for ever")
  }

  /// Goes on without anything that need not happen, and looks whether it comes to rest.
  func comesToRest() -> String? {
    var world = self
    world.bound = Bound(lates: 0)
    for _ in 0..<300 {
      if let fault = world.fault { return fault }
      // Users do no more; the first of all ways is that on which nothing goes wrong.
      guard let next = world.next().first, !world.isAtRest else {
        return world.isAtRest ? world.whatIsMissing : "nothing goes on"
      }
      world = next
    }
    return "it never comes to rest"
  }

  /// A home may end wherever it is: nothing is held or asked for any more, and what comes late
  /// finds nothing to do.
  func abandoned() -> String? {
    var world = self
    let effect = world.machine.on(.abandoned)
    switch (effect, world.gate) {
    case (.withdraw, _), (.leave, .held), (.leave, .free), (.cancel, .open): break
    case (.nothing, .free), (.nothing, .inWrite), (.nothing, .group), (.nothing, .flush): break
    default: return "\(effect) of a gate that is \(world.gate) in an abandoned session"
    }
    for late in [Machine.Event.left, .homeCame(inWrite: false), .changed(inWrite: false)] {
      guard case .nothing = world.machine.on(late) else { return "\(late) does something" }
    }
    for token in arrivals {
      guard case .nothing = world.machine.on(.waitEnded(token)) else { return "a wait comes home" }
    }
    return world.machine.isBusy || world.machine.keepsPlace ? "an abandoned session is busy" : nil
  }

  private var isAtRest: Bool {
    agenda.isEmpty && arrivals.isEmpty && homeCalls == 0 && refusalCalls == 0 && flying.isEmpty
      && comer == nil
      && gate == .free && wait == nil
  }

  private var whatIsMissing: String? {
    if machine.isBusy { return "busy at rest: \(machine.queue)" }
    if machine.keepsPlace { return "a place is kept at rest" }
    if !machine.share.isNothing { return "\(machine.share) at rest" }
    if machine.guest != nil { return "a guest at rest" }
    if machine.openGroup > 0 || !machine.flushes.isEmpty { return "commits at rest" }
    if over.count != jobs { return "of \(jobs) only \(over) are over" }
    if Set(called).union(silent).count != commits { return "\(called) of \(commits) are told" }
    return nil
  }

  // MARK: What was seen

  var (events, effects) = (Set<String>(), Set<String>())

  private mutating func note(_ event: String) { events = [name(of: event)] }
  private mutating func noteEffect(_ effect: String) { effects = [name(of: effect)] }

  private func name(of text: String) -> String { String(text.prefix { $0 != "(" }) }

  /// What tells it from other states.
  var print: String {
    """
    \(machine)|\(agenda)|\(gate)|\(wait.map { "\($0)" } ?? "")|\(arrivals)|\(homeCalls)|\(refusalCalls)|\(flying)\
    |\(comer ?? 0)|\(group)|\(lost.sorted())|\(isClosing)|\(bound)|\(ran)|\(called)|\(over.sorted())\
    |\(silent.sorted())
    """
  }
}

// MARK: - The walk

/// All states in which somebody can decide what comes next.
private final class Walk {
  struct Seen: Sendable {
    var states = 0
    var fault: String?
    var (events, effects) = (Set<String>(), Set<String>())
  }

  private(set) var seen = Seen()
  private var known: Set<Int> = []
  private var line: [World]

  init(from world: World) { line = [world] }

  func run() {
    while let world = line.popLast(), seen.fault == nil {
      follow(world)
      if let fault = world.abandoned() { seen.fault = "\(fault), behind \(world.print)" }
    }
    seen.states = known.count
  }

  private func follow(_ world: World) {
    var ways = world.next()
    while var next = ways.popLast() {
      seen.events.formUnion(next.events)
      seen.effects.formUnion(next.effects)
      if !next.isOpen, next.fault == nil {
        ways += next.next()
        continue
      }
      next.judge()
      guard known.insert(next.print.hashValue).inserted else { continue }
      if let fault = next.fault ?? next.comesToRest() {
        seen.fault = "\(fault) in \(next.print), behind \(world.print)"
      }
      line.append(next)
    }
  }
}
