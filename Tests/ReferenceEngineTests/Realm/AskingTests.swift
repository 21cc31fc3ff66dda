import CoreFoundation
import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// The lock was asked for at a turn of the loop: `invalidate()` right after the call had nothing to
/// wait for, and of two realms the one whose loop turned first was let in first.
@Suite struct AskingTests {
  // other                          home
  // writes
  //                                asks for a write, and invalidates
  // commits
  //                                comes back from it
  @Test func `ASYNC-19: invalidating right after the call waits for the lock, and gives it back`()
    async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let moments = Awaited()
      Seams.given.moments = moments
      let scratch = Scratch()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (home, order) = (Desk(configuration), Noted<String>())
      let other = try Realm(configuration: configuration)
      other.beginWrite()
      let done = Bell()
      home.queue.async {
        home.workHere { realm in
          realm.beginAsyncWrite { order.add("ran") }
          realm.invalidate()
        }
        order.add("closed")
        done.ring()
      }
      #expect(moments.bell.wait(), "nothing was waited for")
      order.add("released")
      try other.commitWrite()
      #expect(done.wait())
      #expect(order.all == ["released", "closed"])
      try other.write { other.add(Person(name: "Ada")) }
    }
  }

  // The clock that lets others in ran on the very queue on which a thread of the same realm waited
  // at the gate: four actors that wrote in all ways at once stopped for ever, once in some rounds.
  //
  // errands                        gate
  //                                is held for a home that does not come
  // waits for the gate
  //                                is given up, and entered
  @Test func `ASYNC-52: what waits for the gate does not hold up what gives it up`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
    let errands = Seams.given.schedulers.errands("realm.gate")
    for _ in 0..<20 {
      let held = HeldWrite(try coordinator.beginWrite())
      let entered = Bell()
      errands.run {
        (try? coordinator.beginWrite())?.cancel()
        entered.ring()
      }
      held.leave(after: 1, on: errands)
      try #require(entered.wait(), "the gate was held for ever")
    }
  }

  @Test func `ASYNC-52: what gives the gate up needs none of the threads that others occupy`() async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let folder = Folder()
      let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
      let errands = Seams.given.schedulers.errands("realm.gate")
      let held = HeldWrite(try coordinator.beginWrite())
      let mayEnd = DispatchSemaphore(value: 0)
      for _ in 0..<600 { DispatchQueue(label: "occupied").async { mayEnd.wait() } }
      held.leave(after: 1, on: errands)
      try coordinator.beginWrite().cancel()
      for _ in 0..<600 { mayEnd.signal() }
    }
  }

  // Each request had a thread of libdispatch's at the gate: where they were as many as it has, none
  // was left for the homes, nor for the clock that lets others in.
  @Test func `ASYNC-19: more realms may ask than there are threads`() async {
    await #expect(processExitsWith: .success) {
      alarm(120)
      let scratch = Scratch()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let other = try Realm(configuration: configuration)
      let desks = (0..<500).map { _ in Desk(configuration) }
      let (order, done) = (Noted<Int>(), Bell())
      // Nobody gets in before all have asked.
      other.beginWrite()
      for (number, desk) in desks.enumerated() {
        desk.work { realm in
          realm.writeAsync {
            order.add(number)
          } onComplete: { error in
            #expect(error == nil)
            done.ring()
          }
        }
      }
      try other.commitWrite()
      for number in 0..<500 {
        try #require(done.wait(), "only \(number) were let in")
      }
      #expect(order.all == Array(0..<500))
    }
  }

  // other        one            two
  // writes
  //              asks, is busy
  //                             asks
  // commits
  //              is free
  @Test func `ASYNC-19: requests of several realms are granted in the order of the calls`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let other = try Realm(configuration: configuration)
    let desks = (0..<4).map { _ in Desk(configuration) }
    for round in 0..<20 {
      let (order, done) = (Noted<Int>(), Bell())
      let order4 = (0..<4).map { (round + $0) % 4 }
      other.beginWrite()
      let mayGo = DispatchSemaphore(value: 0)
      for number in order4 {
        let hasCalled = Bell()
        desks[number].queue.async {
          desks[number].workHere { realm in
            realm.writeAsync {
              order.add(number)
            } onComplete: { _ in
              done.ring()
            }
          }
          hasCalled.ring()
          // The first is busy until the last has called, and has had a turn.
          if number == order4[0] { mayGo.wait() }
        }
        #expect(hasCalled.wait())
      }
      for number in order4.dropFirst() { desks[number].queue.sync {} }
      mayGo.signal()
      try other.commitWrite()
      for _ in 0..<4 { #expect(done.wait()) }
      #expect(order.all == order4, "round \(round)")
    }
  }

  // home                           other
  // asks, and is free to
  //                                asks
  // comes late
  @Test func `ASYNC-19: who asked while nobody wrote is in before who asked then`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let (home, other) = (Desk(configuration), Desk(configuration))
    home.commit { $0.add(Person(name: "Ada")) }
    let (order, done) = (Noted<String>(), Bell())
    home.work { realm in
      realm.writeAsync {
        order.add("home")
        realm.add(Person(name: "Bea"))
      } onComplete: { _ in
        done.ring()
      }
    }
    other.work { realm in
      realm.writeAsync {
        order.add("other")
      } onComplete: { _ in
        done.ring()
      }
    }
    for _ in 0..<2 { #expect(done.wait()) }
    #expect(order.all == ["home", "other"])
  }

  // A home that was late by more than 10 ms lost the lock, and its place with it.
  //
  // first            second, third    writer
  // asks, is busy
  //                  ask
  //                                   writes: the first has lost the lock
  // is free
  @Test func `ASYNC-19: a home keeps its place however late it comes`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let writer = try Realm(configuration: configuration)
    try writer.write { writer.add(Person(name: "Ada")) }
    let desks = (0..<3).map { _ in Desk(configuration) }
    for round in 0..<10 {
      let (order, done) = (Noted<Int>(), Bell())
      let late = Late(desks[round % 3])
      for number in 0..<3 {
        let desk = desks[(round + number) % 3]
        let ask = { (realm: Realm) in
          realm.writeAsync {
            order.add(number)
          } onComplete: { _ in
            done.ring()
          }
          return
        }
        if number == 0 { late.begin(ask) } else { desk.work(ask) }
      }
      for _ in 0..<3 {
        try writer.write { writer.add(Person(name: "Bea")) }
        for number in 1..<3 { desks[(round + number) % 3].queue.sync {} }
      }
      #expect(order.all == [], "round \(round)")
      late.end()
      for _ in 0..<3 { #expect(done.wait()) }
      #expect(order.all == [0, 1, 2], "round \(round)")
    }
  }

  // home                     second        writer
  // a task asks, is called
  //                          asks
  //                                        writes: the task has lost the lock
  // the task comes
  @Test func `ASYNC-19: a task keeps its place however late it comes`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let writer = try Realm(configuration: configuration)
    try writer.write { writer.add(Person(name: "Ada")) }
    let (home, second) = (Desk(configuration), Desk(configuration))
    let (order, called, done) = (Noted<String>(), Bell(), Bell())
    let id = home.work { realm in
      let id = realm.session.asyncWrites.add(.task(resume: { _ in called.ring() }))
      realm.writeAsync {
        order.add("behind the task")
      } onComplete: { _ in
        done.ring()
      }
      return id
    }
    #expect(called.wait())
    second.work { realm in
      realm.writeAsync {
        order.add("second")
      } onComplete: { _ in
        done.ring()
      }
    }
    for _ in 0..<3 {
      try writer.write { writer.add(Person(name: "Bea")) }
      second.queue.sync {}
    }
    // It may be so late that it loses the lock again.
    while !home.work({ $0.session.asyncWrites.takeTurn(id) }) { #expect(called.wait()) }
    home.work { realm in
      order.add("task")
      realm.session.asyncWrites.returnTurn()
    }
    for _ in 0..<2 { #expect(done.wait()) }
    #expect(order.all.first == "task")
    #expect(order.all.count == 3)
  }

  // first            second
  // asks, is busy with waiting for the second
  //                  asks, and writes by itself
  //                  asks, and invalidates
  @Test func `Who waits with a thread is let in before a home that is late`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let (first, second, done) = (Desk(configuration), Desk(configuration), Bell())
    second.commit { $0.add(Person(name: "Ada")) }
    let late = Late(first)
    late.begin { realm in
      realm.writeAsync {
        realm.add(Person(name: "first"))
      } onComplete: { _ in
        done.ring()
      }
    }
    let isPast = Bell()
    second.queue.async {
      second.workHere { realm in
        realm.beginAsyncWrite {}
        try! realm.write { realm.add(Person(name: "second")) }
        realm.beginAsyncWrite {}
        realm.invalidate()
      }
      isPast.ring()
    }
    #expect(isPast.wait(), "who waits with a thread waits for a home that is late")
    late.end()
    #expect(done.wait())
    second.work { realm in
      realm.refresh()
      #expect(realm.objects(Person.self).map(\.name) == ["Ada", "second", "first"])
    }
  }

  // thread                        second         writer
  // asks
  //                               asks
  //                                              writes: the thread has lost the lock
  // ends, while its realm lives on
  @Test func `A home that has ended gives up its place`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let writer = try Realm(configuration: configuration)
    try writer.write { writer.add(Person(name: "Ada")) }
    let second = Desk(configuration)
    let (called, mayEnd, ended, done) = (Bell(), Bell(), Bell(), Bell())
    let kept = Noted<Smuggled<Realm>>()
    let thread = Thread {
      // A timer, because what is due is looked after before the timers of a turn.
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        let realm = try! Realm(configuration: configuration)
        kept.add(Smuggled(realm))
        realm.writeAsync { Issue.record("a write whose home has ended ran") }
        called.ring()
        // Ends without another turn of the loop.
        mayEnd.wait()
        CFRunLoopStop(CFRunLoopGetCurrent())
      }
      RunLoop.current.add(timer, forMode: .default)
      CFRunLoopRun()
      ended.ring()
    }
    thread.start()
    #expect(called.wait())
    second.work { realm in
      realm.writeAsync {
        realm.add(Person(name: "second"))
      } onComplete: { _ in
        done.ring()
      }
    }
    for _ in 0..<3 { try writer.write { writer.add(Person(name: "Bea")) } }
    mayEnd.ring()
    #expect(ended.wait())
    #expect(done.wait(), "a home that has ended keeps others waiting")
    withExtendedLifetime(kept) {}
  }

  // No time passes in these two: whatever was held for a busy home would be held for ever.
  //
  // home                           other
  //                                writes
  // asks, cancels, is busy
  //                                commits, and writes
  @Test func `What is cancelled while the lock is awaited is not held for`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      Seams.given.schedulers = Timeless()
      let scratch = Scratch()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (home, other) = (Desk(configuration), try Realm(configuration: configuration))
      home.commit { $0.add(Person(name: "Ada")) }
      for _ in 0..<20 {
        other.beginWrite()
        let late = Late(home)
        late.begin { realm in
          let first = realm.writeAsync { realm.add(Person(name: "never")) }
          let second = realm.beginAsyncWrite { realm.add(Person(name: "never")) }
          try! realm.cancelAsyncWrite(first)
          try! realm.cancelAsyncWrite(second)
        }
        try other.commitWrite()
        try other.write { other.add(Person(name: "Bea")) }
        late.end()
      }
      home.work { #expect($0.objects(Person.self).count == 21) }
    }
  }

  // home                           other
  //                                writes
  // asks
  //                                commits
  // has the lock, cancels, is busy
  //                                writes
  @Test func `What is cancelled when the lock has come for it gives it back`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      Seams.given.schedulers = Timeless()
      let scratch = Scratch()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (home, other) = (Desk(configuration), try Realm(configuration: configuration))
      home.commit { $0.add(Person(name: "Ada")) }
      for _ in 0..<20 {
        other.beginWrite()
        let (late, hasCommitted) = (Late(home), Bell())
        let ids = Noted<AsyncTransactionId>()
        late.begin(
          { realm in
            ids.add(realm.beginAsyncWrite { realm.add(Person(name: "never")) })
          },
          then: { realm in
            #expect(hasCommitted.wait())
            while !realm.session.coordinator.hasWriter { sched_yield() }
            try! realm.cancelAsyncWrite(ids.all[0])
          })
        try other.commitWrite()
        hasCommitted.ring()
        late.pass()
        try other.write { other.add(Person(name: "Bea")) }
        late.end()
      }
      home.work { #expect($0.objects(Person.self).count == 21) }
    }
  }

  @Test func `A home that does not come for what it asked for lets others in`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let (home, done) = (Desk(configuration), Bell())
    let other = try Realm(configuration: configuration)
    let (hasAsked, isBusy) = (Bell(), Bell())
    home.commit { $0.add(Person(name: "Ada")) }
    home.queue.async {
      home.workHere { realm in
        realm.writeAsync {
          realm.add(Person(name: "Bea"))
        } onComplete: { _ in
          done.ring()
        }
      }
      // The call has asked for the lock. Whether it still has it when the other looks is another
      // matter: it is kept for a home that is late for some milliseconds only.
      hasAsked.ring()
      // Waits for somebody who waits for the lock.
      #expect(isBusy.wait())
    }
    #expect(hasAsked.wait())
    other.beginWrite()
    other.add(Person(name: "Cy"))
    try other.commitWrite()
    isBusy.ring()
    #expect(done.wait())
    other.refresh()
    #expect(other.objects(Person.self).count == 3)
  }

  // The lock that the call had taken was held until the home's next turn, or for 10 ms.
  //
  // home                           other
  // asks, and has the lock
  // cancels
  //                                has the lock
  // is free
  @Test func `What is cancelled while the lock is held for it gives it back in the call`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let (home, other) = (Desk(configuration), try Realm(configuration: configuration))
    home.commit { $0.add(Person(name: "Ada")) }
    for _ in 0..<20 {
      home.work { realm in
        let first = realm.writeAsync { realm.add(Person(name: "never")) }
        let second = realm.beginAsyncWrite { realm.add(Person(name: "never")) }
        try! realm.cancelAsyncWrite(first)
        #expect(realm.isPerformingAsynchronousWriteOperations, "the second still waits")
        try! realm.cancelAsyncWrite(second)
        #expect(!realm.session.coordinator.hasWriter)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        let write = try! other.session.coordinator.tryBeginWrite()
        #expect(write != nil)
        write?.cancel()
      }
    }
    home.work { #expect($0.objects(Person.self).count == 1) }
  }

  @Test
  func `A write at home takes what was held for the home, and cancelled requests hold nothing`()
    throws
  {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let (home, done) = (Desk(configuration), Bell())
    home.work { realm in
      realm.writeAsync {
        realm.add(Person(name: "late"))
      } onComplete: { _ in
        done.ring()
      }
      try! realm.write { realm.add(Person(name: "first")) }
      #expect(realm.objects(Person.self).map(\.name) == ["first"])
    }
    #expect(done.wait())
    home.work { realm in
      #expect(realm.objects(Person.self).map(\.name) == ["first", "late"])
      let id = realm.beginAsyncWrite { realm.add(Person(name: "never")) }
      try! realm.cancelAsyncWrite(id)
    }
    home.queue.sync {}
    home.work { realm in #expect(!realm.session.coordinator.hasWriter) }
    home.work { realm in
      realm.beginAsyncWrite { realm.add(Person(name: "never")) }
      realm.invalidate()
      #expect(!realm.session.coordinator.hasWriter)
    }
    Desk(configuration).commit { $0.add(Person(name: "other")) }
  }
}

/// A home that is busy from a call on, until it is told to come.
private final class Late: @unchecked Sendable {
  // Sendable because it is constant.
  private let desk: Desk
  private let (hasBegun, isPast, mayEnd) = (Bell(), Bell(), Bell())

  init(_ desk: Desk) { self.desk = desk }

  /// Returns when the home has done `body`; after that it does `more`, and is busy.
  func begin(
    _ body: @escaping (Realm) -> Void, then more: @escaping (Realm) -> Void = { _ in }
  ) {
    let bodies = Smuggled((body, more))
    desk.queue.async { [self] in
      desk.workHere { realm in
        bodies.value.0(realm)
        hasBegun.ring()
        bodies.value.1(realm)
      }
      isPast.ring()
      #expect(mayEnd.wait())
    }
    #expect(hasBegun.wait())
  }

  /// Returns when the home has done all, and is busy.
  func pass() { #expect(isPast.wait()) }

  func end() {
    mayEnd.ring()
    desk.queue.sync {}
  }
}

/// Homes and errands as they are, but no time passes.
private struct Timeless: Schedulers {
  private struct Patient: Errands {
    let errands: any Errands
    func run(_ work: @escaping @Sendable () -> Void) { errands.run(work) }
    func run(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {}
  }
  private let honest = HonestSchedulers()
  func here() -> any Scheduler { honest.here() }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { honest.queue(queue) }
  func actor(_ actor: any Actor) -> any Scheduler { honest.actor(actor) }
  func errands(_ name: String) -> any Errands { Patient(errands: honest.errands(name)) }
}

extension Coordinator {
  /// For who asks once.
  func tryBeginWrite() throws -> WriteTransaction? {
    try tryBeginWrite(for: requests.makeTicket())
  }
}

/// Tells when a home is about to wait for the gate.
private final class Awaited: Moments {
  let bell = Bell()
  func reach(_ moment: Moment) {}
  func wait(at moment: Moment, until isSo: @escaping () -> Bool) {
    if moment == .gateAwaited { bell.ring() }
  }
}

extension Desk {
  /// For code that is on the queue already.
  func workHere(_ body: (Realm) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if let realm = try? Realm(configuration: configuration, queue: queue) { body(realm) }
  }
}
