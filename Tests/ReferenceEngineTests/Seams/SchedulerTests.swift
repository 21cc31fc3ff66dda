import CShims
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Runs something on a thread of its own and waits for it.
func onNewThread<T: Sendable>(_ work: @escaping @Sendable () -> T) -> T {
  let outcome = Outcome<T>()
  Thread.detachNewThread {
    outcome.value.withLock { $0 = work() }
    outcome.done.signal()
  }
  outcome.done.wait()
  return outcome.value.withLock { $0! }
}

private final class Outcome<T: Sendable>: Sendable {
  let value = Mutex<T?>(nil)
  let done = DispatchSemaphore(value: 0)
}

/// A list that several threads add to.
final class Noted<T: Sendable>: Sendable {
  private let list = Mutex<[T]>([])
  var all: [T] { list.withLock { $0 } }
  func add(_ one: T) { list.withLock { $0.append(one) } }
  func clear() { list.withLock { $0 = [] } }
}

@Suite struct SchedulerTests {
  @Test func `CONFINE-11: a thread is at home on itself only`() {
    let scheduler = onNewThread { () -> any Scheduler in
      let scheduler = HonestSchedulers().here()
      #expect(scheduler.isHere)
      #expect(scheduler.threadToken == UInt(rb_token_get()))
      return scheduler
    }
    #expect(!scheduler.isHere)
    #expect(!onNewThread { scheduler.isHere })
  }

  @Test func `CONFINE-13: a new thread never passes for one that ended`() {
    let first = onNewThread { HonestSchedulers().here() }
    for _ in 0..<200 {
      let (isHere, home) = onNewThread { (first.isHere, HonestSchedulers().here().home) }
      #expect(!isHere)
      #expect(home != first.home)
    }
  }

  @Test func `a thread has one scheduler as long as it lives`() {
    #expect(onNewThread { HonestSchedulers().here() === HonestSchedulers().here() })
  }

  @Test func `CONFINE-18: a thread without a running loop delivers nothing`() {
    #expect(!onNewThread { HonestSchedulers().here().canDeliver })
  }

  @Test func `a thread that runs its loop delivers there and in order`() {
    let order = Noted<Int>()
    let homes = Noted<any Scheduler>()
    let (ready, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      homes.add(HonestSchedulers().here())
      ready.signal()
      while order.all.count < 100 {
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
      ended.signal()
    }
    ready.wait()
    let scheduler = homes.all[0]
    for i in 0..<100 {
      scheduler.run {
        #expect(scheduler.isHere)
        #expect(scheduler.canDeliver)
        order.add(i)
      }
    }
    ended.wait()
    #expect(order.all == Array(0..<100))
  }

  @Test func `QUEUE-01: a serial queue is home whichever thread runs its blocks`() {
    let queue = DispatchQueue(label: "home")
    let scheduler = HonestSchedulers().queue(queue)!
    #expect(!scheduler.isHere)
    #expect(queue.sync { scheduler.isHere })
    #expect(onNewThread { queue.sync { scheduler.isHere } })
    let done = DispatchSemaphore(value: 0)
    scheduler.run {
      #expect(scheduler.isHere)
      done.signal()
    }
    done.wait()
  }

  @Test func `QUEUE-05: only the innermost queue is home`() {
    let (outer, inner) = (DispatchQueue(label: "outer"), DispatchQueue(label: "inner"))
    let scheduler = HonestSchedulers().queue(outer)!
    #expect(outer.sync { inner.sync { scheduler.isHere } } == false)
    #expect(inner.sync { outer.sync { scheduler.isHere } })
  }

  @Test func `a queue that targets the realm's queue is home too`() {
    let target = DispatchQueue(label: "target")
    let scheduler = HonestSchedulers().queue(target)!
    let queue = DispatchQueue(label: "aimed", target: target)
    #expect(queue.sync { scheduler.isHere })
  }

  @Test func `QUEUE-02: a concurrent queue is no home`() {
    let schedulers = HonestSchedulers()
    #expect(schedulers.queue(DispatchQueue.global()) == nil)
    #expect(schedulers.queue(DispatchQueue.global(qos: .background)) == nil)
    #expect(schedulers.queue(DispatchQueue(label: "both", attributes: .concurrent)) == nil)
    #expect(schedulers.queue(DispatchQueue(label: "one")) != nil)
    #expect(schedulers.queue(DispatchQueue(label: "pool", autoreleaseFrequency: .workItem)) != nil)
    #expect(schedulers.queue(DispatchQueue(label: "aim", target: .global())) != nil)
  }

  @Test func `CONFINE-12: main queue and main actor are one home`() async {
    let schedulers = HonestSchedulers()
    #expect(schedulers.queue(.main)! === schedulers.actor(MainActor.shared))
    await MainActor.run {
      #expect(HonestSchedulers().here() === MainScheduler.shared)
      #expect(MainScheduler.shared.isHere)
    }
    #expect(!onNewThread { MainScheduler.shared.isHere })
    await withCheckedContinuation { continuation in
      MainScheduler.shared.run {
        #expect(MainScheduler.shared.isHere)
        continuation.resume()
      }
    }
  }

  private actor Place {
    private var scheduler: (any Scheduler)?
    private(set) var order: [Int] = []
    func settle() -> any Scheduler {
      let made = HonestSchedulers().actor(self)
      scheduler = made
      return made
    }
    func isHome() -> Bool { scheduler!.isHere }
    func sees(_ scheduler: any Scheduler) -> Bool { scheduler.isHere }
    func isSigned(by scheduler: any Scheduler) -> Bool { scheduler.sign.isHere }
    func note(_ i: Int) { order.append(i) }
    /// Asks across suspensions until the actor has run on two threads, or often enough.
    func isHomeOnSeveralThreads() async -> Bool {
      let first = token()
      for _ in 0..<10_000 {
        guard isHome() else { return false }
        await Task.detached {}.value
        if token() != first { return isHome() }
      }
      return isHome()
    }
    private func token() -> UInt { UInt(rb_token_assign()) }
  }

  @Test func `ACTOR-08: an actor is home on whichever thread it runs`() async {
    let (place, other) = (Place(), Place())
    let scheduler = await place.settle()
    _ = await other.settle()
    #expect(!scheduler.isHere)
    #expect(await place.isHome())
    #expect(await place.isHomeOnSeveralThreads())
    #expect(await !other.sees(scheduler))
    #expect(!onNewThread { scheduler.isHere })
  }

  @Test func `an actor gets its work in order`() async {
    let place = Place()
    let scheduler = await place.settle()
    for i in 0..<200 {
      scheduler.run { place.assumeIsolated { $0.note(i) } }
    }
    while await place.order.count < 200 { await Task.yield() }
    #expect(await place.order == Array(0..<200))
  }

  private actor Guest {}

  @Test func `a scheduler does not keep its actor`() {
    var guest: Guest? = Guest()
    let scheduler = HonestSchedulers().actor(guest!)
    #expect(scheduler.isAlive)
    guest = nil
    #expect(!scheduler.isAlive)
    #expect(!scheduler.isHere)
    scheduler.run { Issue.record("ran without a home") }
  }

  // The memory of an actor that is gone was given to another one, whose code was then at home in
  // the realm of the first.
  @Test func `CONFINE-13: a new actor never passes for one that is gone`() async {
    func schedulerOfOneThatGoes() -> any Scheduler { HonestSchedulers().actor(Place()) }
    for _ in 0..<200 {
      let gone = schedulerOfOneThatGoes()
      #expect(!gone.isAlive)
      let next = Place()
      #expect(await !next.sees(gone))
      #expect(await !next.isSigned(by: gone))
      #expect(HonestSchedulers().actor(next).home != gone.home)
    }
  }

  @Test func `CONFINE-07: frozen realms are at home everywhere`() {
    #expect(FrozenScheduler.shared.isHere)
    #expect(onNewThread { FrozenScheduler.shared.isHere })
  }
}
