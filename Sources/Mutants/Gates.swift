import Dispatch
import ReferenceEngine
import Synchronization

/// Lets everybody in, whoever is inside.
final class OpenGate: Gate {
  func enter() -> Bool { false }
  func tryEnter() -> Bool? { false }
  func leave() {}
}

/// Keeps threads apart, but not processes.
final class ThreadsOnlyGate: Gate {
  private let inside = DispatchSemaphore(value: 1)

  func enter() -> Bool {
    inside.wait()
    return false
  }

  func tryEnter() -> Bool? { inside.wait(timeout: .now()) == .success ? false : nil }

  func leave() { inside.signal() }
}

/// One lock for every file there is.
final class WorldGate: Gate {
  private static let inside = DispatchSemaphore(value: 1)
  private let own: any Gate

  init(_ own: any Gate) { self.own = own }

  func enter() -> Bool {
    WorldGate.inside.wait()
    return own.enter()
  }

  func tryEnter() -> Bool? {
    guard WorldGate.inside.wait(timeout: .now()) == .success else { return nil }
    let entered = own.tryEnter()
    if entered == nil { WorldGate.inside.signal() }
    return entered
  }

  func leave() {
    own.leave()
    WorldGate.inside.signal()
  }
}

/// Opens again only after a commit: a write that was cancelled keeps it shut.
final class LeakyGate: Gate, Moments {
  private let own = Mutex<(any Gate)?>(nil)
  private let committed = Mutex(false)

  func guarding(_ gate: any Gate) -> LeakyGate {
    own.withLock { $0 = gate }
    return self
  }

  func reach(_ moment: Moment) {
    if moment == .gateEntered { committed.withLock { $0 = false } }
    if moment == .published { committed.withLock { $0 = true } }
  }

  func enter() -> Bool { own.withLock { $0 }!.enter() }
  func tryEnter() -> Bool? { own.withLock { $0 }!.tryEnter() }
  func leave() { if committed.withLock({ $0 }) { own.withLock { $0 }!.leave() } }
}

/// Favours whoever was inside last, for as long as it keeps coming.
final class GreedyGate: Gate {
  private struct State {
    var isTaken = false
    var last: UInt = 0
    var left = ContinuousClock.now
  }

  private let state = Mutex(State())

  private func claim() -> Bool {
    let me = currentThread()
    return state.withLock { state in
      guard !state.isTaken, state.last == me || state.left.duration(to: .now) > .seconds(1) else {
        return false
      }
      state.isTaken = true
      state.last = me
      return true
    }
  }

  func enter() -> Bool {
    while !claim() { rest() }
    return false
  }

  func tryEnter() -> Bool? { claim() ? false : nil }

  func leave() {
    state.withLock {
      $0.isTaken = false
      $0.left = .now
    }
  }
}

/// A readers-writer lock around the file: who wants to open it waits for the writer.
final class OpenersWait: Moments, Schedulers {
  private let writer = Mutex<UInt?>(nil)

  func reach(_ moment: Moment) {
    switch moment {
    case .gateEntered: writer.withLock { $0 = currentThread() }
    case .gateLeft, .writeCancelled: writer.withLock { $0 = nil }
    default: break
    }
  }

  func here() -> any Scheduler {
    while let inside = writer.withLock({ $0 }), inside != currentThread() { rest() }
    return HonestSchedulers().here()
  }

  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { HonestSchedulers().queue(queue) }
  func actor(_ actor: any Actor) -> any Scheduler { HonestSchedulers().actor(actor) }
}

extension Mutant {
  static let gates: [Mutant] = [
    Mutant(
      "lets-two-writers-in", "the write lock locks nothing",
      caughtBy: ["WRITE-01", "WRITE-03", "WRITE-05", "ACTOR-25"]
    ) { $0.gate = { _ in OpenGate() } },
    Mutant(
      "locks-threads-only", "the write lock is the process's own", caughtBy: ["WRITE-02"]
    ) { $0.gate = { _ in ThreadsOnlyGate() } },
    Mutant(
      "locks-the-world", "one write lock for all files", caughtBy: ["WRITE-04"]
    ) { seams in
      let honest = seams.gate
      seams.gate = { WorldGate(honest($0)) }
    },
    Mutant(
      "keeps-the-lock-after-cancel", "a cancelled write never gives the lock back",
      caughtBy: ["WRITE-03", "WRITE-11", "LIFE-05", "ASYNC-20"]
    ) { seams in
      let honest = seams.gate
      let leaky = LeakyGate()
      seams.moments = leaky
      seams.gate = { leaky.guarding(honest($0)) }
    },
    Mutant(
      "favours-the-greedy", "who was inside last gets in first", caughtBy: ["WRITE-25"]
    ) { $0.gate = { _ in GreedyGate() } },
    Mutant(
      "openers-wait-for-the-writer", "a readers-writer lock around the file",
      caughtBy: ["READ-01", "READ-07"]
    ) { seams in
      let waiting = OpenersWait()
      seams.moments = waiting
      seams.schedulers = waiting
    },
  ]
}
