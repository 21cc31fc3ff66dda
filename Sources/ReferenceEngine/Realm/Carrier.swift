/// Brings the flushes of a session to the disk on a thread of its own, and each one's end home.
///
/// Where the home can be visited, as a serial queue can, that thread comes home itself: it calls
/// the completions there, runs the next turn, and takes along what that has sealed. So one group
/// after another goes to the disk and nobody has to be woken for it, which takes a third as long as
/// the flush. Any other home is asked to come for the end.
///
/// A thread that waits for a busy home can bring nothing to the disk. What the home seals while it
/// is waited for goes by a second thread; that one never waits for a home, so it always comes back.
///
/// Everything here is touched at home only; what is on its way is a `Trip`'s.
final class Carrier {
  private unowned let session: Session
  private lazy var disk = session.coordinator.seams.schedulers.errands("realm.flush")
  private lazy var spare = session.coordinator.seams.schedulers.errands("realm.flush.spare")
  /// The first thread is on its way, or at home, and cannot be sent.
  private var isTaken = false
  private var isHome = false
  /// Whether a turn that is asked for now begins before the thread leaves home.
  private var mayTakeTurn = false
  private var turnIsDue = false
  /// What the thread takes along when it leaves home.
  private var load: Flush?

  init(for session: Session) { self.session = session }

  /// A flush will be carried in a moment.
  func prepare() {
    if !isHome, !isTaken { disk.prepare() }
  }

  /// Brings a flush to the disk.
  func carry(_ flush: Flush) {
    if isHome, load == nil {
      load = flush
    } else if isTaken {
      carryApart(flush)
    } else {
      isTaken = true
      let trip = Trip(for: session, with: flush)
      disk.run { trip.go() }
    }
  }

  private func carryApart(_ flush: Flush) {
    let (coordinator, wayHome) = (session.coordinator, WayHome(to: session))
    spare.run {
      flush.run(at: coordinator)
      wayHome.take { $0.finish(through: flush) }
    }
  }

  /// Waits at home until a flush has ended.
  func wait(for flush: Flush) {
    if load === flush {
      load = nil
      carryApart(flush)
    }
    flush.wait()
  }

  /// Whether a turn need not be asked for, as one begins before the thread leaves home; if so, that
  /// turn is noted as due.
  func notesTurn() -> Bool {
    if mayTakeTurn { turnIsDue = true }
    return mayTakeTurn
  }

  /// The thread has come home, and leaves with what is returned.
  fileprivate func arrive(with flush: Flush) -> Flush? {
    invariant(isTaken && !isHome, "a thread comes home that had not left")
    isHome = true
    mayTakeTurn = true
    session.asyncWrites.finish(through: flush)
    mayTakeTurn = false
    if turnIsDue {
      turnIsDue = false
      session.asyncWrites.beginTurn()
    }
    isHome = false
    defer { load = nil }
    isTaken = load != nil
    return load
  }

  /// The home has come for the end of a flush.
  fileprivate func fetch(_ flush: Flush) {
    invariant(isTaken && load == nil, "the end of a flush is fetched that nobody brought")
    isTaken = false
    session.asyncWrites.finish(through: flush)
  }
}

/// A thread's way between the disk and the home.
private final class Trip: @unchecked Sendable {
  // Sendable because one thread at a time has it: the one on the way, and the home's while that
  // waits or has ended.
  private let coordinator: Coordinator
  private let scheduler: any Scheduler
  private var flush: Flush?
  /// Kept until the last end is home, and let go there.
  private var session: Session?
  private let home: AnyObject?

  init(for session: Session, with flush: Flush) {
    coordinator = session.coordinator
    scheduler = session.scheduler
    home = scheduler.anchor
    self.session = session
    self.flush = flush
  }

  func go() {
    while let flush {
      flush.run(at: coordinator)
      if !scheduler.visit({ arrive() }) { return scheduler.run { self.fetch() } }
    }
  }

  private func arrive() {
    guard let flush, let session else { return }
    self.flush = session.asyncWrites.carrier.arrive(with: flush)
    if self.flush == nil { self.session = nil }
  }

  private func fetch() {
    guard let flush, let session else { return }
    (self.flush, self.session) = (nil, nil)
    session.asyncWrites.carrier.fetch(flush)
  }
}
