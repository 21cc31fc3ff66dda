import CoreFoundation
import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// What was at home on a thread that has ended. Each of these kept its version for good, so that
/// the file grew with every commit, or kept everybody else out.
@Suite struct HomeEndTests {
  private let configuration = freshConfiguration()

  /// Lets a thread open a realm in its loop, which it never turns again.
  ///
  /// - Parameter meanwhile: What is done elsewhere before it ends.
  private func visit(
    _ work: @escaping @Sendable (Realm) -> Void, meanwhile: () -> Void = {}
  ) {
    let (worked, ends) = (Bell(), Bell())
    let thread = JoinedThread { [configuration] in
      ThreadScheduler.current().run { work(try! Realm(configuration: configuration)) }
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 20, true)
      // Now, as the loop does in one turn all that comes while it does something.
      worked.ring()
      ends.wait()
    }
    #expect(worked.wait())
    meanwhile()
    ends.ring()
    thread.join()
  }

  /// Who keeps a version besides the one that is asked.
  private func holders(_ desk: Desk) -> [PinHolder] {
    let limit = ContinuousClock.now + .seconds(20)
    while true {
      let others = desk.work { Array($0.session.coordinator.pins.holders().dropFirst()) }
      // What others do for a home ends when it ends.
      if others.isEmpty || ContinuousClock.now > limit { return others }
      sched_yield()
    }
  }

  // thread                   elsewhere
  // listens
  //                          ends the listener
  // ends
  @Test func `GROW-11: a listener that was ended elsewhere goes with its thread`() {
    let desk = Desk(configuration)
    let tokens = Noted<NotificationToken>()
    visit { realm in
      tokens.add(realm.objects(Person.self).observe { _ in })
      tokens.add(realm.observe { _, _ in })
    } meanwhile: {
      for token in tokens.all { token.invalidate() }
      tokens.clear()
    }
    #expect(holders(desk) == [])
    visit { realm in tokens.add(realm.objects(Person.self).observe { _ in }) }
    #expect(desk.work { $0.session.coordinator.pins.holders().count } == 2)
    tokens.clear()
    #expect(holders(desk) == [])
  }

  @Test func `GROW-11: writes that wait for a thread that has ended keep nothing`() {
    let desk = Desk(configuration)
    desk.work { $0.beginWrite() }
    visit { realm in
      for _ in 0..<3 { realm.writeAsync { realm.add(Person(name: "never")) } }
    } meanwhile: {
      desk.work { $0.cancelWrite() }
    }
    #expect(holders(desk) == [])
    desk.commit { $0.add(Person(name: "Ada")) }
    #expect(desk.work { $0.objects(Person.self).map(\.name) } == ["Ada"])
  }

  @Test(arguments: [false, true])
  func `GROW-11: what was committed on a thread that has ended is there`(isGrouped: Bool) {
    let desk = Desk(configuration)
    visit { realm in
      realm.beginWrite()
      realm.add(Person(name: "Ada"))
      realm.commitAsyncWrite(allowGrouping: isGrouped) { _ in realm.refresh() }
    }
    #expect(holders(desk) == [])
    desk.work { realm in
      realm.refresh()
      #expect(realm.objects(Person.self).map(\.name) == ["Ada"])
    }
  }

  @Test(arguments: [false, true])
  func `a thread that ends in a write lets others in`(isQueued: Bool) async {
    await #expect(processExitsWith: .success) { [isQueued = isQueued as Bool] in
      alarm(30)
      let tests = HomeEndTests()
      let desk = Desk(tests.configuration)
      let kept = Noted<Smuggled<Realm>>()
      tests.visit { realm in
        kept.add(Smuggled(realm))
        realm.beginWrite()
        realm.add(Person(name: "never"))
        if isQueued { realm.writeAsync { realm.add(Person(name: "nor this")) } }
      }
      desk.commit { $0.add(Person(name: "Ada")) }
      #expect(desk.work { $0.objects(Person.self).map(\.name) } == ["Ada"])
      kept.clear()
      #expect(tests.holders(desk) == [])
    }
  }
}
