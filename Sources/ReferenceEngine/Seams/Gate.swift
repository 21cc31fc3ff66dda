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
}

/// The honest gate: a queue of the threads of this process, and a word in the lock file for the processes.
///
/// In this process: tickets, so first come is first served. Between processes: whoever finds the word free; but one who has
/// waited for more than two milliseconds is handed the word by the one who leaves, so that no process starves. The word
/// belongs to a process and not to a thread: an asynchronous write is begun on one thread and ended on another. A
/// waiting process looks every ten milliseconds whether the owner is still alive; that, and the first owner of all,
/// is the only thing it wakes up for.
final class FileGate: Gate, @unchecked Sendable {
  // Sendable because the tickets are only touched by atomic operations, and what else varies only by the thread
  // that is inside.
  private let lock: LockFile
  private let tickets: UnsafeMutablePointer<UInt32>  // {next, served}
  private let word: UnsafeMutablePointer<UInt32>
  private let mine: UInt32

  private static let contended: UInt32 = 1 << 31
  private static let patience: UInt64 = 2_000_000

  init(lock: LockFile) {
    self.lock = lock
    tickets = .allocate(capacity: 2)
    tickets.initialize(repeating: 0, count: 2)
    word = lock.half(LockFile.gateOffset)
    mine = UInt32(lock.place) + 1
  }

  deinit { tickets.deallocate() }

  func enter() -> Bool {
    let ticket = rb_add32(tickets, 1)
    while true {
      let served = rb_load32(tickets + 1)
      if served == ticket { break }
      _ = rb_futex_wait_bits(tickets + 1, served, 1 << (ticket & 31))
    }
    return enterProcess()
  }

  func tryEnter() -> Bool? {
    let served = rb_load32(tickets + 1)
    guard rb_swap32(tickets, served, served &+ 1) != 0 else { return nil }
    if rb_swap32(word, 0, mine) != 0 { return false }
    serveNext()
    return nil
  }

  func leave() {
    let held = rb_load32(word)
    invariant(held & ~FileGate.contended == mine, "the gate is left by one who is not inside")
    if held & FileGate.contended != 0 {
      leaveToOthers()
    } else if rb_swap32(word, mine, 0) == 0 {
      leaveToOthers()
    }
    serveNext()
  }

  private func serveNext() {
    let served = rb_add32(tickets + 1, 1) &+ 1
    // Nobody of this process waits: no system call.
    if rb_load32(tickets) != served { rb_futex_wake_bits(tickets + 1, 1 << (served & 31)) }
  }

  // MARK: between processes

  private var waitingSince: UnsafeMutablePointer<UInt64> { waitingSince(lock.place) }

  private func waitingSince(_ place: Int) -> UnsafeMutablePointer<UInt64> {
    lock.word(LockFile.processesOffset + place * LockFile.stride + 16)
  }

  private func enterProcess() -> Bool {
    if rb_swap32(word, 0, mine) != 0 { return false }
    rb_store_seq_cst(waitingSince, rb_now())
    defer { rb_store_seq_cst(waitingSince, 0) }
    while true {
      let held = rb_load32(word)
      if held == 0 {
        // Others may wait, too; only waking one that does not is the price of not counting them.
        if rb_swap32(word, 0, mine | FileGate.contended) != 0 { return false }
        continue
      }
      if held & ~FileGate.contended == mine { return false }  // handed to us
      if held & FileGate.contended == 0 {
        if rb_swap32(word, held, held | FileGate.contended) == 0 { continue }
      }
      _ = rb_futex_wait(word, held | FileGate.contended, 10)
      let owner = rb_load32(word)
      if owner != 0, keeps(.theDeadHoldNoLock), lock.isDead(Int(owner & ~FileGate.contended) - 1),
        rb_swap32(word, owner, mine | FileGate.contended) != 0
      {
        return true
      }
    }
  }

  private func leaveToOthers() {
    let now = rb_now()
    var next: (place: Int, since: UInt64)?
    for place in 0..<lock.processCount where place != lock.place {
      let since = rb_load_acquire(waitingSince(place))
      guard since != 0, since + FileGate.patience < now, since < next?.since ?? .max else {
        continue
      }
      if lock.isDead(place) { continue }
      next = (place, since)
    }
    if let next {
      rb_store32(word, UInt32(next.place) + 1 | FileGate.contended)
      rb_futex_wake(word, Int32.max)
    } else {
      rb_store32(word, 0)
      rb_futex_wake(word, 1)
    }
  }
}
