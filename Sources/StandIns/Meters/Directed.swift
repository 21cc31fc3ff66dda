import Dispatch
import Harness
import ReferenceEngine

/// The engine with a director: wherever its threads meet (gate, moments, homes, errands), the turn
/// is given away, and whoever runs the program decides who goes on.
///
/// Threads that belong to no program find everything as it is. The disk loses its flushes, because
/// thousands of runs would wait for the medium and nothing here asks what a crash leaves.
package enum Directed {
  /// Puts the stand-ins in place, for the rest of this process. To be done before any realm opens.
  package static func install() {
    var seams = Seams.given
    let (gate, disk) = (seams.gate, seams.disk)
    seams.gate = { DirectedGate(gate($0)) }
    seams.disk = { UnflushedDisk(try disk($0, $1, $2)) }
    seams.beacon = { _ in MuteBeacon() }
    seams.moments = DirectedMoments()
    seams.schedulers = DirectedSchedulers()
    seams.readersPause = true
    Seams.given = seams
  }
}

/// A gate at which the director chooses among those who wait.
final class DirectedGate: Gate, @unchecked Sendable {
  // Sendable because only the thread with the turn touches what varies.
  private let honest: any Gate
  private var isTaken = false
  /// How many wait who may be passed on to, and whether one of them is to go in.
  private var behind = 0
  private var isPassed = false

  init(_ honest: any Gate) { self.honest = honest }

  func enter() -> Bool {
    Turns.current?.wait(for: "gate") { [self] in !isTaken }
    isTaken = true
    return honest.enter()
  }

  /// Of those whom the gate may be passed on to the director chooses, too: it is passed on here,
  /// and whoever goes on is inside for the honest gate already.
  func enterBehind() -> Bool? {
    guard let turns = Turns.current else { return honest.enterBehind() }
    behind += 1
    turns.wait(for: "gate") { [self] in isPassed || !isTaken }
    behind -= 1
    if isPassed {
      isPassed = false
      return nil
    }
    isTaken = true
    return honest.enter()
  }

  var hasOneBehind: Bool { Turns.current == nil ? honest.hasOneBehind : behind > 0 }

  func pass() -> Bool {
    if Turns.current == nil { return honest.pass() }
    isPassed = behind > 0
    return isPassed
  }

  func tryEnter() -> Bool? {
    Turns.current?.point("gateTried")
    guard let entered = honest.tryEnter() else { return nil }
    isTaken = true
    return entered
  }

  func leave() {
    isTaken = false
    honest.leave()
  }
}

/// Gives the turn away at every moment.
struct DirectedMoments: Moments {
  /// What follows these concerns the writer alone. It is inside the gate, nobody reads what it has
  /// written before the version is published, and only who enters the gate looks at the slots and
  /// at `committing`: after the first comes the flush, after the second the slot is written, after
  /// the third comes the second flush.
  private static let followedByNothingShared: Set<Moment> = [
    .dataWritten, .dataSynced, .slotWritten,
  ]

  func reach(_ moment: Moment) {
    guard let turns = Turns.current else { return }
    turns.point(
      moment.name, isPrivate: DirectedMoments.followedByNothingShared.contains(moment))
  }

  func wait(at moment: Moment, until isSo: @escaping () -> Bool) {
    Turns.current?.wait(for: moment.name, until: isSo)
  }

  func wait(
    at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool
  ) {
    Turns.current?.wait(for: moment.name, until: isSo, late: mayGoOn)
  }
}

/// Homes of a program's threads, and errands that are threads of the program themselves.
struct DirectedSchedulers: Schedulers {
  private let honest = HonestSchedulers()

  func here() -> any Scheduler {
    guard let turns = Turns.current, let number = turns.number else { return honest.here() }
    return DirectedHome(honest.here(), number, of: turns)
  }

  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { honest.queue(queue) }
  func actor(_ actor: any Actor) -> any Scheduler { honest.actor(actor) }

  func errands(_ name: String) -> any Errands {
    Turns.current.map { DirectedErrands(name, of: $0) } ?? honest.errands(name)
  }
}

/// A thread of a program as the home of a realm: what is due there waits until the thread attends.
final class DirectedHome: Scheduler {
  private let thread: any Scheduler
  private let number: Int
  private let turns: Turns

  init(_ thread: any Scheduler, _ number: Int, of turns: Turns) {
    (self.thread, self.number, self.turns) = (thread, number, turns)
  }

  var threadToken: UInt { thread.threadToken }
  var isHere: Bool { thread.isHere }
  var canDeliver: Bool { true }
  var home: Home { thread.home }
  var isAlive: Bool { thread.isAlive }
  var isActorIsolated: Bool { false }

  func run(_ work: @escaping @Sendable () -> Void) { turns.post(to: number, work) }

  /// The visitor waits until the thread has done its work: a thread is at home alone. What is due
  /// at one that has come to its end is lost, as what it is given to run.
  func visit(_ work: () -> Void) -> Bool {
    withoutActuallyEscaping(work) { work in
      var hasRun = false
      var due: (() -> Void)? = work
      turns.post(to: number) {
        due?()
        hasRun = due != nil
        due = nil
      }
      turns.wait(for: "visit") { hasRun || self.turns.hasFinished(self.number) }
      due = nil
      return hasRun
    }
  }
}

/// Each errand is a thread of the program, which begins when the one before it has ended.
final class DirectedErrands: Errands, @unchecked Sendable {
  // Sendable because only the thread with the turn touches the counts.
  private let name: String
  private let turns: Turns
  private var given = 0
  private var done = 0

  init(_ name: String, of turns: Turns) { (self.name, self.turns) = (name, turns) }

  func run(_ work: @escaping @Sendable () -> Void) {
    let mine = given
    given += 1
    turns.start(
      Turns.Part(name) { [self] in
        turns.wait(for: name) { self.done == mine }
        work()
        done += 1
      })
  }

  /// Turns know no time: a home always comes.
  func run(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {}
}

/// A disk whose flushes return at once.
final class UnflushedDisk: WatchedDisk, @unchecked Sendable {
  override func sync() throws {}
  override func syncName() throws {}
}
