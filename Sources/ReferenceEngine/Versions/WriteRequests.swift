import Synchronization

/// Who has asked for a write and does something else meanwhile, in the order of the calls.
///
/// For each who waits a thread is due at the gate, and whichever gets in does so for the one who
/// asked first. So requests are granted in the order in which they were made, however the threads
/// come to run. Only a few stand there at a time, and the next are sent when one has left: were
/// there one for each request, many would take all threads that the system gives, and leave none
/// for the homes and the flushes that the gate is held for. Who was called and has not come yet
/// keeps its place, also if the gate was given up for those who wait for it with a thread of
/// theirs: a thread that gets in meanwhile, for one who asked later, leaves the gate again and
/// waits until that place is free.
final class WriteRequests: Sendable {
  typealias Granted = @Sendable (Result<WriteTransaction, any Error>) -> Void
  /// Sends a thread to the gate, which has to `grant` then.
  typealias Send = @Sendable () -> Void

  /// How many threads stand at the gate at most: more than one, so that a few who ask have their
  /// places among those who wait there with a thread of their own.
  static let room = 8

  /// A place in the line; whoever lets go of it leaves the line.
  final class Ticket: Sendable {
    private let requests: WriteRequests
    fileprivate let number: UInt64

    fileprivate init(_ number: UInt64, in requests: WriteRequests) {
      (self.number, self.requests) = (number, requests)
    }

    deinit { leave() }

    /// The write is under way, or not needed any more; what may be called again.
    func leave() { requests.leave(number) }
  }

  private struct Entry {
    let number: UInt64
    /// What is told of the write; nil while none is asked for: who has the ticket is to come.
    var granted: Granted?
    /// Somebody waits for it with a thread, and so not for those who are still to come.
    var isUrgent = false
  }

  private struct State {
    var line: [Entry] = []
    var lastNumber: UInt64 = 0
    /// How many threads are at the gate, or on their way there.
    var standing = 0
    /// What sends further threads: when there is room for them at the gate, or whoever is to come
    /// has come.
    var parked: [Send] = []

    /// Who is to be told of a write that has begun.
    var next: Int? {
      var isBehindOneToCome = false
      for (index, entry) in line.enumerated() {
        if entry.granted == nil {
          isBehindOneToCome = true
        } else if entry.isUrgent || !isBehindOneToCome {
          return index
        }
      }
      return nil
    }

    func index(of number: UInt64) -> Int? { line.firstIndex { $0.number == number } }

    var countOfAsking: Int { line.count(where: { $0.granted != nil }) }

    /// As many of those that wait as there is room for; they are sent by whoever calls this.
    mutating func takeParked() -> [Send] {
      let count = min(parked.count, WriteRequests.room - standing)
      defer { parked.removeFirst(count) }
      standing += count
      return Array(parked.prefix(count))
    }

    /// A thread leaves that has got in for somebody; returns what sends the next one. As a rule
    /// the others wait until the one that was called has come, and threads are sent then.
    mutating func replaceOne() -> Send? {
      standing -= 1
      invariant(standing >= 0, "a thread leaves the gate that was not sent there")
      if parked.isEmpty || next == nil { return nil }
      standing += 1
      return parked.removeFirst()
    }
  }

  private let state = Mutex(State())

  /// A place behind all others in the line.
  func makeTicket() -> Ticket {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.line.append(Entry(number: state.lastNumber))
      return state.lastNumber
    }
    return Ticket(number, in: self)
  }

  /// Whether nobody is before this one in the line.
  func isFirst(_ ticket: Ticket) -> Bool {
    state.withLock { $0.line.first?.number == ticket.number }
  }

  /// Asks for a write.
  ///
  /// - Parameter later: What sends a thread, if there is no room for it now.
  /// - Returns: whether a thread is to be sent now.
  func ask(
    for ticket: Ticket, _ granted: @escaping Granted, orLater later: () -> Send
  ) -> Bool {
    state.withLock { state in
      if let index = state.index(of: ticket.number) { state.line[index].granted = granted }
      if state.standing < WriteRequests.room {
        state.standing += 1
        return true
      }
      // Who has asked before and needs it no more has left a thread that is due.
      if state.standing + state.parked.count < state.countOfAsking { state.parked.append(later()) }
      return false
    }
  }

  /// Who has the ticket waits for its write with a thread: as any such, it waits for nobody who is
  /// still to come, which may be one who waits for this thread.
  func hurry(_ ticket: Ticket) {
    let parked = state.withLock { state -> [Send] in
      guard let index = state.index(of: ticket.number), state.line[index].granted != nil else {
        return []
      }
      state.line[index].isUrgent = true
      return state.takeParked()
    }
    for again in parked { again() }
  }

  /// Gives what was entered to whoever asked first, or leaves the gate if nobody asks any more or
  /// who asked first is still to come.
  ///
  /// - Parameter again: Sends the thread once more, if others wait, when that one has come.
  func grant(_ outcome: Result<WriteTransaction, any Error>, again: @escaping Send) {
    let (granted, send) = state.withLock { state -> (Granted?, Send?) in
      var next = state.next
      // An error needs no gate, and so no order.
      if case .failure = outcome { next = state.line.firstIndex { $0.granted != nil } }
      if let next {
        let granted = state.line[next].granted
        state.line[next].granted = nil
        state.line[next].isUrgent = false
        return (granted, state.replaceOne())
      }
      // None is sent instead: it would find the same.
      state.standing -= 1
      if state.parked.count < state.countOfAsking { state.parked.append(again) }
      return (nil, nil)
    }
    // The next thread sets out first: `granted` may search the whole file for free space.
    send?()
    if let granted {
      granted(outcome)
    } else if case .success(let write) = outcome {
      write.cancel()
    }
  }

  private func leave(_ number: UInt64) {
    // What is let go of here may leave, too: not under the lock.
    let (left, parked) = state.withLock { state -> (Entry?, [Send]) in
      guard let index = state.index(of: number) else { return (nil, []) }
      return (state.line.remove(at: index), state.takeParked())
    }
    for again in parked { again() }
    withExtendedLifetime(left) {}
  }
}
