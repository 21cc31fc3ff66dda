import CShims

/// Lets one writer at a time into a file, over all threads and processes.
package protocol Gate: AnyObject, Sendable {
  /// Waits for its turn and enters.
  ///
  /// - Returns: true if the one before died inside, so that what it left must be looked at first.
  func enter() -> Bool

  /// Enters if nobody is inside or waiting; nil if somebody is, else as `enter`.
  func tryEnter() -> Bool?

  /// Leaves; may be called by another thread than the one that entered.
  func leave()

  /// Waits for its turn, and may also be let in by one that does not leave (`pass`).
  ///
  /// - Returns: nil if it was: what the other has of the gate is its own now. Else as `enter`.
  func enterBehind() -> Bool?

  /// Whether one that may be let in by `pass` waits next.
  var hasOneBehind: Bool { get }

  /// Lets it in, and does not leave: the gate stays shut for all others, also for other processes.
  /// Whoever is let in leaves for both, or lets in the next.
  ///
  /// - Returns: false if nobody could be let in, or somebody else is to enter before; the caller is
  ///   inside still.
  func pass() -> Bool
}

extension Gate {
  // A gate that passes nothing on.
  package func enterBehind() -> Bool? { enter() }
  package var hasOneBehind: Bool { false }
  package func pass() -> Bool { false }
}

/// The honest gate: a queue of the threads of this process, and a word in the lock file for the
/// processes.
///
/// In this process: tickets, so first come is first served. Who is inside may pass the gate on to
/// the next of the process without opening it; the word then stays as it is. Between processes the
/// word is in one of three states:
///
///     nobody is inside     0
///     offered              to one that has waited for more than two milliseconds, by whoever left
///     inside               the name of whoever is: its place among the processes, its life there
///
/// Only who enters writes its own name, over 0, over an offer that is its own or that nobody took
/// up in time, or over the name of a process that the system says has ended. A name is never
/// used twice, so who has ended never comes back, and what was found out about it stays true. That
/// is all that keeps writers apart; the rest (when somebody began to wait, who waits at all) only
/// decides whom an offer is made to, and may be wrong, old or written by a stranger: an offer keeps
/// nobody out for longer than ten milliseconds. Each who waits also looks by itself as often,
/// whether or not it was woken.
///
/// The word belongs to a process and not to a thread: an asynchronous write is begun on one thread
/// and ended on another.
final class FileGate: Gate, @unchecked Sendable {
  // Sendable because the tickets are only touched by atomic operations, and what else varies only
  // by the thread that is inside.
  private let lock: LockFile
  /// {next, served, whether somebody is inside}, then by ticket who may be passed on to.
  private let tickets: UnsafeMutablePointer<UInt32>
  private let word: UnsafeMutablePointer<UInt32>
  private let mine: UInt32

  /// Nobody is inside, somebody is, or the next one is in the place of one that has passed it on.
  private static let (out, inside, passed) = (UInt32(0), UInt32(1), UInt32(2))
  /// For so many who wait it is known whether they may be passed on to.
  private static let behind: UInt32 = 64

  /// Somebody sleeps on the word, or may.
  private static let contended: UInt32 = 1 << 31
  /// Who so many nanoseconds have passed for is made an offer.
  private static let patience: UInt64 = 2_000_000
  /// After so many nanoseconds who waits finds out whether it waits for anybody.
  private static let trust: UInt64 = 10_000_000

  init(lock: LockFile) {
    self.lock = lock
    tickets = .allocate(capacity: 3 + Int(FileGate.behind))
    tickets.initialize(repeating: 0, count: 3 + Int(FileGate.behind))
    word = lock.half(LockFile.gateOffset)
    invariant(LockFile.isPlace(lock.place), "process \(lock.place) has no place at the gate")
    mine = GateName(place: lock.place, life: lock.life).word
  }

  deinit { tickets.deallocate() }

  func enter() -> Bool {
    wait(for: rb_add32(tickets, 1))
    let otherDied = enterProcess()
    noteInside()
    return otherDied
  }

  func enterBehind() -> Bool? {
    let ticket = rb_add32(tickets, 1)
    rb_store32(place(of: ticket), ticket &+ 1)
    wait(for: ticket)
    // Nobody else looks at it or changes it now.
    if rb_load32(tickets + 2) == FileGate.passed {
      rb_store32(tickets + 2, FileGate.inside)
      return nil
    }
    let otherDied = enterProcess()
    noteInside()
    return otherDied
  }

  private func wait(for ticket: UInt32) {
    while true {
      let served = rb_load32(tickets + 1)
      if served == ticket { return }
      _ = rb_futex_wait_bits(tickets + 1, served, 1 << (ticket & 31))
    }
  }

  /// Where it stands that whoever has a ticket may be passed on to: its number and one. Another one
  /// that waits behind 63 others may write over it, which passes nothing on to anybody.
  private func place(of ticket: UInt32) -> UnsafeMutablePointer<UInt32> {
    tickets + 3 + Int(ticket % FileGate.behind)
  }

  var hasOneBehind: Bool {
    let next = rb_load32(tickets + 1) &+ 1
    return rb_load32(place(of: next)) == next &+ 1
  }

  func pass() -> Bool {
    guard hasOneBehind, !isOverdue else { return false }
    invariant(
      rb_load32(tickets + 2) == FileGate.inside, "the gate is passed on by one who is not inside")
    rb_store32(tickets + 2, FileGate.passed)
    serveNext()
    return true
  }

  /// Whether the gate is to be offered to another process.
  private var isOverdue: Bool {
    rb_load32(word) & FileGate.contended != 0 && longestWaiting() != nil
  }

  func tryEnter() -> Bool? {
    let served = rb_load32(tickets + 1)
    guard rb_swap32(tickets, served, served &+ 1) != 0 else { return nil }
    if takeFree(rb_load32(word)) {
      noteInside()
      return false
    }
    serveNext()
    return nil
  }

  private func noteInside() {
    invariant(
      rb_exchange32(tickets + 2, FileGate.inside) == FileGate.out,
      "two of this process are inside the gate")
  }

  func leave() {
    invariant(
      rb_exchange32(tickets + 2, FileGate.out) == FileGate.inside,
      "the gate is left by one who is not inside")
    if rb_swap32(word, mine, 0) == 0 { leaveToOthers() }
    serveNext()
  }

  private func serveNext() {
    let served = rb_add32(tickets + 1, 1) &+ 1
    // Nobody of this process waits: no system call.
    if rb_load32(tickets) != served { rb_futex_wake_bits(tickets + 1, 1 << (served & 31)) }
  }

  // MARK: between processes

  /// Enters if nobody is inside, and the word is offered to nobody else.
  private func takeFree(_ held: UInt32, _ bits: UInt32 = 0) -> Bool {
    guard held == 0 || GateName.offers(held, to: lock.place) else { return false }
    return rb_swap32(word, held, mine | bits | held & FileGate.contended) != 0
  }

  private func enterProcess() -> Bool {
    if takeFree(rb_load32(word)) { return false }
    let since = max(1, rb_uptime())
    defer { rb_store_seq_cst(lock.waitingSince(lock.place), 0) }
    var watched: (word: UInt32, since: UInt64) = (0, since)
    while true {
      // Each time: who finds an offer to us not taken up in time wipes this off.
      rb_store_seq_cst(lock.waitingSince(lock.place), since)
      let held = rb_load32(word)
      // Others may wait, too; only waking one that does not is the price of not counting them.
      if takeFree(held, FileGate.contended) { return false }
      if held == 0 || GateName.offers(held, to: lock.place) { continue }
      let seen = held | FileGate.contended
      if held != seen, rb_swap32(word, held, seen) == 0 { continue }
      let now = rb_uptime()
      if watched.word != seen {
        watched = (seen, now)
      } else if now &- watched.since >= FileGate.trust {
        if let otherDied = takeOver(seen) { return otherDied }
        watched.since = now
      }
      _ = rb_futex_wait(word, seen, Int64(FileGate.trust / 1_000_000))
    }
  }

  /// Enters in the place of one who is not there, as the system says; nil if it is.
  ///
  /// - Returns: whether it may have been inside.
  private func takeOver(_ seen: UInt32) -> Bool? {
    let name = GateName(seen)
    // Our name, while we are outside, can only be a stranger's work.
    if !name.isOffer, seen & ~FileGate.contended != mine, lock.lives(name) { return nil }
    guard rb_swap32(word, seen, mine | FileGate.contended) != 0 else { return nil }
    if name.isOffer, LockFile.isPlace(name.place) {
      rb_store_seq_cst(lock.waitingSince(name.place), 0)
    }
    return !name.isOffer
  }

  private func leaveToOthers() {
    let held = mine | FileGate.contended
    let next = longestWaiting()
    // If it is not our name any more a stranger wrote over it, and who waits will find out.
    if rb_swap32(word, held, next.map { GateName.offer(to: $0) | FileGate.contended } ?? 0) == 0 {
      return
    }
    rb_futex_wake(word, next == nil ? 1 : Int32.max)
  }

  /// The place of the process that has waited longest, if for long.
  private func longestWaiting() -> Int? {
    let now = rb_uptime()
    var next: (place: Int, since: UInt64)?
    for place in 0..<lock.processCount where place != lock.place {
      let since = rb_load_acquire(lock.waitingSince(place))
      guard since != 0, since < now, now - since > FileGate.patience, since < next?.since ?? .max,
        !lock.isDead(place)
      else { continue }
      next = (place, since)
    }
    return next?.place
  }
}

/// Who is inside the gate, or whom it is offered to, as its word says.
struct GateName {
  /// Negative, or beyond the table, in a word that a stranger wrote.
  let place: Int
  let life: UInt32
  let isOffer: Bool

  /// Lives are counted up to here, and then anew.
  static let lives: UInt32 = 1 << 21

  private static let offered: UInt32 = 1 << 30

  init(place: Int, life: UInt32) {
    (self.place, self.life, isOffer) = (place, life, false)
  }

  init(_ word: UInt32) {
    place = Int(word & 511) - 1
    life = word >> 9 & (GateName.lives - 1)
    isOffer = word & GateName.offered != 0
  }

  var word: UInt32 {
    invariant(
      0..<511 ~= place && life < GateName.lives, "life \(life) of process \(place) has no name")
    return life << 9 | UInt32(place) + 1
  }

  static func offer(to place: Int) -> UInt32 { offered | UInt32(place) + 1 }

  static func offers(_ word: UInt32, to place: Int) -> Bool {
    word & ~(1 << 31) == offer(to: place)
  }
}
