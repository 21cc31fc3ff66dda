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
      let scene = LossScene()
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

  // home                            disk
  // names an object in a write
  // replaces it there, and seals
  //                                 refuses it
  //                                 (has what others commit)
  // asks for the object
  // is told of the loss
  @Test(arguments: [false, true], [false, true])
  func `REF-09: what was named in a lost write, and replaced in it, is there as before`(
    isOwn: Bool, isBehindOthers: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [isOwn = isOwn as Bool, isBehindOthers = isBehindOthers as Bool] in
      let scene = LossScene()
      let ended = Bell()
      var named: [ThreadSafe<Keyed>] = []
      var reference: ThreadSafeReference<Keyed>?
      scene.seal(
        { realm in
          realm.create(Dog.self)
          if isOwn { LossScene.replace(realm, "first") }
          named.append(ThreadSafe(wrappedValue: LossScene.keyed(realm)!))
          reference = ThreadSafeReference(to: LossScene.keyed(realm)!)
          LossScene.replace(realm, "lost")
          named.append(ThreadSafe(wrappedValue: LossScene.keyed(realm)!))
        }, ended: ended)
      scene.disks.fail(at: 0, .refused, sticky: false)
      let old = isOwn ? nil : "old"
      scene.desk.work { realm in
        scene.flush(of: realm)
        if isBehindOthers { scene.other.commit { $0.create(Dog.self) } }
        #expect(named.map { $0.wrappedValue?.name } == [old, nil])
        scene.other.work { #expect($0.resolve(reference!)?.name == old) }
      }
      #expect(ended.wait())
      scene.desk.work { _ in
        #expect(named.map { $0.wrappedValue?.name } == [old, nil])
      }
    }
  }
}
