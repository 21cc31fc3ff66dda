import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// How many signals have been handled in this process.
private let handledSignals = Atomic(0)

/// Who waits for another's write is interrupted by signals, as timers and profilers send them: it
/// goes on waiting, and nothing else.
enum SignalledWaits {
  static let probes: [Probe] = [
    Probe("signals do not end a wait for the write of another thread") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      try eachWait(stage) { balance in
        let release = Latch("the signals to who waits")
        let writer = try stage.holdingWrite(until: release) { $0.account(1).balance = balance }
        return {
          release.open()
          try stage.join(writer)
        }
      }
    },
    Probe(
      "signals do not end a wait for the write of another process",
      companions: [
        "writer": { stage in
          let realm = try stage.open()
          while let word = stage.hear() {
            realm.beginWrite()
            realm.account(1).balance = Int(word) ?? -1
            stage.tell("inside")
            _ = stage.hear()
            try realm.commitWrite()
            stage.tell("ended")
          }
        }
      ]
    ) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let writer = try stage.companion("writer")
      try eachWait(stage) { balance in
        writer.send("\(balance)")
        stage.equal(try stage.hear(writer, "its write"), "inside", "the writer's word")
        return {
          writer.send("end")
          stage.equal(try stage.hear(writer, "its end"), "ended", "the writer's word")
        }
      }
      writer.closeInput()
      stage.equal(writer.remains().ending, .exited(0), "the writer's end")
    },
  ]

  /// Lets a plain thread and the main thread wait for a write that others hold, and sends signals
  /// to it that end a system call, or let it begin anew.
  ///
  /// - Parameter hold: Lets somebody be inside a write that sets a balance; what it returns ends
  ///   that write.
  private static func eachWait(
    _ stage: Stage, _ hold: (_ balance: Int) throws -> () throws -> Void
  ) throws {
    var balance = 1000
    for onMain in [false, true] {
      for (signal, isResumed) in [(SIGUSR1, false), (SIGALRM, false), (SIGALRM, true)] {
        balance += 1
        handle(signal, isResumed: isResumed)
        let release = try hold(balance)
        let waiter = SignalledThread()
        let order = Stamps()
        stage.thread("sender") {
          try stage.wait(for: waiter.isThere)
          for _ in 0..<10 { waiter.interrupt(by: signal) }
          order.mark("release")
          try release()
        }
        func wait() throws {
          let realm = try stage.open()
          waiter.comeHere()
          realm.beginWrite()
          order.mark("got")
          stage.equal(realm.account(1).balance, balance, "the balance that the wait was for")
          realm.cancelWrite()
        }
        if onMain { try wait() } else { try stage.elsewhere("waiter") { try wait() } }
        try stage.joinAll()
        stage.expect(
          order.ordered("release", before: "got"), "a wait that lasts until the other has ended",
          observed: "it began while the other was inside")
      }
    }
    stage.expect(
      handledSignals.load(ordering: .relaxed) > 0, "signals that reach who waits",
      observed: "none did")
  }

  private static func handle(_ number: Int32, isResumed: Bool) {
    // Makes it before a signal comes.
    use(handledSignals.load(ordering: .relaxed))
    var action = sigaction()
    #if canImport(Darwin)
    action.__sigaction_u.__sa_handler = { _ in SignalledWaits.count() }
    #else
    action.__sigaction_handler.sa_handler = { _ in SignalledWaits.count() }
    #endif
    action.sa_flags = isResumed ? Int32(bitPattern: UInt32(SA_RESTART)) : 0
    sigaction(number, &action, nil)
  }

  private static func count() { handledSignals.add(1, ordering: .relaxed) }

  /// A thread that is about to wait.
  private final class SignalledThread: @unchecked Sendable {
    // Sendable because the rest is written before the latch opens, and read after.
    let isThere = Latch("the one who waits")
    private var thread = pthread_self()
    private var sleeper = Sleeper()

    /// It is the calling thread.
    func comeHere() {
      thread = pthread_self()
      sleeper = Sleeper()
      isThere.open()
    }

    /// Sends a signal when the thread sleeps, as far as the system says so, and lets it be handled.
    /// No right engine depends on either.
    func interrupt(by signal: Int32) {
      let end = ContinuousClock.now + .milliseconds(50)
      while .now < end, sleeper.sleeps != true { sched_yield() }
      let before = handledSignals.load(ordering: .relaxed)
      pthread_kill(thread, signal)
      while .now < end + .milliseconds(50), handledSignals.load(ordering: .relaxed) == before {
        sched_yield()
      }
    }
  }
}
