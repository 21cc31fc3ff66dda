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
      Seams.current.moments = moments
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

  // The clock that lets others in ran on the very queue on which a thread of the same realm waited at
  // the gate: four actors that wrote in all ways at once stopped for ever, once in some rounds.
  //
  // errands                        gate
  //                                is held for a home that does not come
  // waits for the gate
  //                                is given up, and entered
  @Test func `ASYNC-52: what waits for the gate does not hold up what gives it up`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
    let errands = Seams.current.schedulers.errands("realm.gate")
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
      #expect(realm.session.coordinator.hasWriter)
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

  @Test func `A home that does not come for what it asked for lets others in`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Person.self, Dog.self])
    let (home, done) = (Desk(configuration), Bell())
    let other = try Realm(configuration: configuration)
    let isBusy = Bell()
    home.commit { $0.add(Person(name: "Ada")) }
    home.queue.async {
      home.workHere { realm in
        realm.writeAsync {
          realm.add(Person(name: "Bea"))
        } onComplete: { _ in
          done.ring()
        }
      }
      // Waits for somebody who waits for the lock.
      #expect(isBusy.wait())
    }
    home.whenAsked {
      other.beginWrite()
      other.add(Person(name: "Cy"))
      try? other.commitWrite()
      isBusy.ring()
    }
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

  /// Runs when the realm has asked for the lock.
  fileprivate func whenAsked(_ body: () -> Void) {
    while !SessionCache.sessions(of: configuration.path).contains(where: {
      $0.coordinator.hasWriter
    }) { sched_yield() }
    body()
  }
}
