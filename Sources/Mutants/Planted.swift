import Dispatch
import Harness
import ReferenceEngine
import StandIns
import Synchronization

// Broken engines whose fault shows in a window of nanoseconds: whether a rule sees it is luck,
// exploration always does.

/// Looks whether anybody is inside before it goes in, and believes what it saw.
final class HastyGate: Gate {
  private let honest: any Gate
  private let inside = Atomic(0)

  init(_ honest: any Gate) { self.honest = honest }

  func enter() -> Bool {
    while inside.load(ordering: .acquiring) > 0 {
      let waits = Turns.current?.wait(for: "gate") { [self] in
        inside.load(ordering: .acquiring) == 0
      }
      if waits != true { rest() }
    }
    return goIn()
  }

  func tryEnter() -> Bool? {
    inside.load(ordering: .acquiring) > 0 ? nil : goIn()
  }

  private func goIn() -> Bool {
    Turns.current?.point("gateFoundFree")
    let isFirst = inside.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
    return isFirst ? honest.enter() : false
  }

  func leave() {
    if inside.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { honest.leave() }
  }
}

/// Opens the gate as soon as a version is published, before the writer has settled its accounts.
final class EarlyGate: Gate, Moments {
  private let honest: any Gate
  private let moments: any Moments
  private let hasLeft = Atomic(false)

  init(_ honest: any Gate, _ moments: any Moments) {
    (self.honest, self.moments) = (honest, moments)
  }

  func enter() -> Bool {
    let otherDied = honest.enter()
    hasLeft.store(false, ordering: .releasing)
    return otherDied
  }

  func tryEnter() -> Bool? {
    guard let otherDied = honest.tryEnter() else { return nil }
    hasLeft.store(false, ordering: .releasing)
    return otherDied
  }

  func leave() {
    if !hasLeft.exchange(true, ordering: .acquiringAndReleasing) { honest.leave() }
  }

  func reach(_ moment: Moment) {
    if moment == .published { leave() }
    moments.reach(moment)
  }

  func wait(at moment: Moment, until isSo: @escaping () -> Bool) {
    moments.wait(at: moment, until: isSo)
  }
  func wait(
    at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool
  ) {
    moments.wait(at: moment, until: isSo, orLate: mayGoOn)
  }
}

/// Gathers what is due at a home, and forgets what comes while it is being fetched.
final class ForgetfulHome: Scheduler {
  private let honest: any Scheduler
  private let gathered = Mutex<[@Sendable () -> Void]>([])

  init(_ honest: any Scheduler) { self.honest = honest }

  var threadToken: UInt { honest.threadToken }
  var isHere: Bool { honest.isHere }
  var canDeliver: Bool { honest.canDeliver }
  var home: Home { honest.home }
  var isAlive: Bool { honest.isAlive }
  var isActorIsolated: Bool { honest.isActorIsolated }
  var anchor: AnyObject? { honest.anchor }

  func run(_ work: @escaping @Sendable () -> Void) {
    let isFirst = gathered.withLock { gathered in
      gathered.append(work)
      return gathered.count == 1
    }
    guard isFirst else { return }
    honest.run { [self] in
      let batch = gathered.withLock { $0 }
      Turns.current?.point("fetched")
      gathered.withLock { $0 = [] }
      for work in batch { work() }
    }
  }
}

struct ForgetfulSchedulers: Schedulers {
  let honest: any Schedulers

  func here() -> any Scheduler { ForgetfulHome(honest.here()) }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? {
    honest.queue(queue).map { ForgetfulHome($0) }
  }
  func actor(_ actor: any Actor) -> any Scheduler { ForgetfulHome(honest.actor(actor)) }
  func errands(_ name: String) -> any Errands { honest.errands(name) }
}

extension Mutant {
  /// Broken engines that exploration must find; `caughtBy` names the scenarios that must see them.
  /// The first one passes every rule about writing.
  public static let planted: [Mutant] = [
    Mutant(
      "looks-before-it-locks", "the gate is found free and entered in two steps",
      caughtBy: ["two-writers", "cancelled-writer", "async-and-sync"]
    ) { seams in
      let honest = seams.gate
      seams.gate = { HastyGate(honest($0)) }
    },
    Mutant(
      "opens-before-it-settles", "the next writer enters while the last one's books are open",
      caughtBy: ["two-writers"]
    ) { seams in
      let (honest, moments) = (seams.gate, seams.moments)
      let early = Mutex<EarlyGate?>(nil)
      seams.gate = { lock in
        let gate = EarlyGate(honest(lock), moments)
        early.withLock { $0 = gate }
        return gate
      }
      seams.moments = Relay { early.withLock { $0 } ?? moments }
    },
    Mutant(
      "opens-beside-others", "who opens a file first lets others in before it has found a version",
      breaking: .openersComeOneByOne, caughtBy: ["opener-and-compaction", "opener-and-closer"]),
    Mutant(
      "deletes-what-is-just-opened", "who deletes a file does not ask who has it open",
      breaking: .openFilesAreNotDeleted, caughtBy: ["opener-and-deletion"]),
    Mutant(
      "forgets-while-it-fetches", "work that comes to a home while it fetches other work is lost",
      caughtBy: ["two-async-homes"]
    ) { $0.schedulers = ForgetfulSchedulers(honest: $0.schedulers) },
    Mutant(
      "loses-the-fortieth-write", "what a file's fortieth commit writes never reaches it",
      caughtBy: ["model-of-versions"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { LosingDisk(try honest($0, $1, $2), losing: 40) }
    },
    Mutant(
      "checks-the-first-run", "the checksum of a commit covers the first of its runs",
      breaking: .checksumsCoverAllRuns, caughtBy: ["crash-of-reuse"]),
    Mutant(
      "returns-before-its-company", "a commit that goes to the disk with others returns before it",
      breaking: .sharedCommitsAreWaitedFor, caughtBy: ["shared-flushes"]),
    Mutant(
      "forgets-what-it-follows", "who writes on top of a sealed commit begins on the one before",
      breaking: .sharedWritesGoOn, caughtBy: ["two-writers"]),
    Mutant(
      "freezes-what-is-sealed", "what a write was begun on is handed on before it is durable",
      breaking: .sealedBasesAreSettled, caughtBy: ["shared-and-frozen"]),
  ]
}

/// Hands moments on to whom they concern now.
struct Relay: Moments {
  let target: @Sendable () -> any Moments

  func reach(_ moment: Moment) { target().reach(moment) }
  func wait(at moment: Moment, until isSo: @escaping () -> Bool) {
    target().wait(at: moment, until: isSo)
  }
  func wait(
    at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool
  ) {
    target().wait(at: moment, until: isSo, orLate: mayGoOn)
  }
}
