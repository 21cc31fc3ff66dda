import Dispatch
import ReferenceEngine
import Synchronization

/// An honest scheduler, wrong about one thing.
final class WrongScheduler: Scheduler {
  enum Fault: Sendable {
    case isEverywhere
    case runsElsewhere
    case runsTwice
    case runsBackwards
    case runsNothing
    case runsAtOnce
    case hasNoHome
    case claimsALoop
    case hasAThreadsHandle
    case losesItsHome
    case isNowhere
  }

  private let honest: any Scheduler
  private let fault: Fault
  private let held = Mutex<[@Sendable () -> Void]>([])
  private let hasLeft = Atomic(false)
  private static let number = Atomic<UInt>(1)
  private static let helper = DispatchQueue(label: "helper")
  let home: Home

  init(_ honest: any Scheduler, _ fault: Fault) {
    self.honest = honest
    self.fault = fault
    home =
      switch fault {
      case .hasNoHome:
        .actor(WrongScheduler.number.wrappingAdd(1, ordering: .relaxed).newValue)
      case .hasAThreadsHandle: .thread(threadHandle())
      default: honest.home
      }
    if fault == .losesItsHome { honest.run { [self] in hasLeft.store(true, ordering: .relaxed) } }
  }

  var threadToken: UInt { [.losesItsHome, .isNowhere].contains(fault) ? .max : honest.threadToken }
  var isHere: Bool {
    fault == .isEverywhere
      || honest.isHere && fault != .isNowhere && !hasLeft.load(ordering: .relaxed)
  }
  var canDeliver: Bool { fault == .claimsALoop || honest.canDeliver }
  var isAlive: Bool { fault == .hasAThreadsHandle || honest.isAlive }
  var isActorIsolated: Bool { honest.isActorIsolated }

  func run(_ work: @escaping @Sendable () -> Void) {
    switch fault {
    case .runsElsewhere: WrongScheduler.helper.async(execute: work)
    case .runsTwice:
      honest.run(work)
      honest.run(work)
    case .runsBackwards:
      held.withLock { $0.append(work) }
      honest.run { [self] in held.withLock { $0.popLast() }?() }
    case .runsNothing: break
    case .runsAtOnce: if honest.isHere { work() } else { honest.run(work) }
    case .isEverywhere, .hasNoHome, .claimsALoop, .hasAThreadsHandle, .losesItsHome, .isNowhere:
      honest.run(work)
    }
  }
}

/// Schedulers with one fault each.
struct WrongSchedulers: Schedulers {
  let fault: WrongScheduler.Fault

  func here() -> any Scheduler { WrongScheduler(HonestSchedulers().here(), fault) }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? {
    HonestSchedulers().queue(queue).map { WrongScheduler($0, fault) }
  }
  func actor(_ actor: any Actor) -> any Scheduler {
    WrongScheduler(HonestSchedulers().actor(actor), fault)
  }
}

/// Binds everything to the thread that opened it.
struct ThreadsForAll: Schedulers {
  func here() -> any Scheduler { HonestSchedulers().here() }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { HonestSchedulers().here() }
  func actor(_ actor: any Actor) -> any Scheduler { HonestSchedulers().here() }
}

/// Keeps the main queue's realm apart from the main thread's.
struct MainQueueApart: Schedulers {
  func here() -> any Scheduler { HonestSchedulers().here() }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? {
    HonestSchedulers().queue(queue).map { WrongScheduler($0, .hasNoHome) }
  }
  func actor(_ actor: any Actor) -> any Scheduler {
    WrongScheduler(HonestSchedulers().actor(actor), .hasNoHome)
  }
}

/// Does not recognise actors, or not for long.
struct ActorsLost: Schedulers {
  let fault: WrongScheduler.Fault
  func here() -> any Scheduler { HonestSchedulers().here() }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { HonestSchedulers().queue(queue) }
  func actor(_ actor: any Actor) -> any Scheduler {
    WrongScheduler(HonestSchedulers().actor(actor), fault)
  }
}

extension Mutant {
  private static func homes(
    _ name: String, _ story: String, caughtBy: [String], _ schedulers: any Schedulers
  ) -> Mutant {
    Mutant(name, story, caughtBy: caughtBy) { $0.schedulers = schedulers }
  }

  static let schedulers: [Mutant] = [
    homes(
      "confines-nothing", "no thread is ever wrong",
      caughtBy: [
        "CONFINE-01", "CONFINE-02", "CONFINE-03", "CONFINE-04", "CONFINE-05",
        "CONFINE-19", "CONFINE-20", "QUEUE-04", "QUEUE-05", "FREEZE-22", "REF-22", "SEND-05",
        "NOTIFY-29", "ACTOR-09", "ACTOR-34", "ACTOR-37", "ACTOR-01",
      ],
      WrongSchedulers(fault: .isEverywhere)),
    homes(
      "delivers-on-a-helper", "blocks and news run on a thread of the engine's own",
      caughtBy: [
        "ASYNC-03", "NOTIFY-21", "QUEUE-09", "QUEUE-08", "ASYNC-06", "NOTIFY-02", "ACTOR-39",
      ],
      WrongSchedulers(fault: .runsElsewhere)),
    homes(
      "delivers-nothing", "what is due at a home never arrives",
      caughtBy: [
        "REFRESH-09", "ACTOR-38", "NOTIFY-01", "ASYNC-21", "ACTOR-29", "REFRESH-13", "NOTIFY-04",
        "NOTIFY-06", "NOTIFY-16", "ASYNC-55", "QUEUE-08",
      ],
      WrongSchedulers(fault: .runsNothing)),
    homes(
      "delivers-inline", "what is due at the caller's own home runs inside the call",
      caughtBy: ["ASYNC-01", "NOTIFY-19"], WrongSchedulers(fault: .runsAtOnce)),
    homes(
      "never-the-same-realm", "every open makes a realm of its own",
      caughtBy: ["CONFINE-10", "QUEUE-06", "REFRESH-18", "ACTOR-10", "LIFE-13", "FREEZE-30"],
      WrongSchedulers(fault: .hasNoHome)),
    homes(
      "main-queue-apart", "main thread, main queue and main actor have a realm each",
      caughtBy: ["CONFINE-12", "QUEUE-07", "ACTOR-01", "ACTOR-02"], MainQueueApart()),
    homes(
      "binds-to-threads", "queues and actors are bound to the thread that opened",
      caughtBy: [
        "QUEUE-01", "QUEUE-02", "QUEUE-03", "QUEUE-04", "QUEUE-05", "QUEUE-11", "ACTOR-04",
        "ACTOR-05", "ACTOR-07", "ACTOR-08",
      ],
      ThreadsForAll()),
    homes(
      "binds-to-jobs", "an actor's realm dies when the actor comes to something else",
      caughtBy: ["ACTOR-08"], ActorsLost(fault: .losesItsHome)),
    homes(
      "never-on-the-actor", "code on an actor is refused its actor's realm",
      caughtBy: ["ACTOR-06", "ACTOR-36"], ActorsLost(fault: .isNowhere)),
    homes(
      "names-threads-by-handle", "a new thread with a dead one's handle gets its realm",
      caughtBy: ["CONFINE-13"], WrongSchedulers(fault: .hasAThreadsHandle)),
    homes(
      "claims-a-loop", "a thread without loop is promised what never comes",
      caughtBy: ["ASYNC-31", "NOTIFY-29"], WrongSchedulers(fault: .claimsALoop)),
  ]
}
