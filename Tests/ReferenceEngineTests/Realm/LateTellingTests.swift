import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// What a home comes to between a loss and the turn in which it is told of it.
@Suite struct LateTellingTests {
  // A write that another thread was to begin has failed, and the home begins one itself.
  @Test func `ASYNC-19, COMMIT-07: a begin does not fail of what failed before it`() async {
    await #expect(processExitsWith: .success) {
      let scene = LostVersionTests.Scene()
      let (ended, ran) = (Bell(), Bell())
      scene.seal({ $0.create(Dog.self) }, ended: ended)
      // What is given up owes a flush, which the next write has to make.
      scene.disks.fail(at: 2, .refused, sticky: true)
      scene.flushes.work()
      #expect(ended.wait())
      scene.desk.work { realm in
        scene.disks.fail(at: 0, .refused, sticky: false)
        realm.beginAsyncWrite { ran.ring() }
        while !scene.disks.all.contains(where: \.hasFailed) { sched_yield() }
        scene.disks.heal()
        realm.beginWrite()
        realm.create(Dog.self, value: ["name": "own"])
        #expect(throws: Never.self) { try realm.commitWrite() }
      }
      #expect(ran.wait())
    }
  }
}
