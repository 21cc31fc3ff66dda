import Synchronization

/// Who has asked for a write and does something else meanwhile, in the order of the calls.
///
/// For each who waits a thread waits at the gate, and whichever gets in does so for the one who
/// asked first. So requests are granted in the order in which they were made, however the threads
/// come to run. Who was called and has not come yet keeps its place, also if the gate was given up
/// for those who wait for it with a thread of theirs: a thread that gets in meanwhile, for one who
/// asked later, leaves the gate again and waits until that place is free.
final class WriteRequests: Sendable {
  typealias Granted = @Sendable (Result<WriteTransaction, any Error>) -> Void

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
    /// Threads that wait until whoever is to come has come.
    var parked: [@Sendable () -> Void] = []

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

    mutating func takeParked() -> [@Sendable () -> Void] {
      defer { parked = [] }
      return parked
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

  /// Asks for a write; a thread has to `grant` then.
  func ask(for ticket: Ticket, _ granted: @escaping Granted) {
    state.withLock { state in
      if let index = state.index(of: ticket.number) { state.line[index].granted = granted }
    }
  }

  /// Who has the ticket waits for its write with a thread: as any such, it waits for nobody who is
  /// still to come, which may be one who waits for this thread.
  func hurry(_ ticket: Ticket) {
    let parked = state.withLock { state -> [@Sendable () -> Void] in
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
  /// - Parameter again: Called, if others wait, when that one has come: has to `grant` once more.
  func grant(
    _ outcome: Result<WriteTransaction, any Error>, again: @escaping @Sendable () -> Void
  ) {
    let granted = state.withLock { state -> Granted? in
      var next = state.next
      // An error needs no gate, and so no order.
      if case .failure = outcome { next = state.line.firstIndex { $0.granted != nil } }
      if let next {
        defer {
          state.line[next].granted = nil
          state.line[next].isUrgent = false
        }
        return state.line[next].granted
      }
      if state.parked.count < state.line.count(where: { $0.granted != nil }) {
        state.parked.append(again)
      }
      return nil
    }
    if let granted {
      granted(outcome)
    } else if case .success(let write) = outcome {
      write.cancel()
    }
  }

  private func leave(_ number: UInt64) {
    // What is let go of here may leave, too: not under the lock.
    let (left, parked) = state.withLock { state -> (Entry?, [@Sendable () -> Void]) in
      guard let index = state.index(of: number) else { return (nil, []) }
      return (state.line.remove(at: index), state.takeParked())
    }
    for again in parked { again() }
    withExtendedLifetime(left) {}
  }
}
