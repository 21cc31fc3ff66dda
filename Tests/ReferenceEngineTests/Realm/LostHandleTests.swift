import CoreFoundation
import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// References into a commit that is lost with the last handle that could write the file.
@Suite struct LostHandleTests {
  // thread                        reader, which only reads,     afterwards, another realm
  //                               as another process does
  // puts another in a place
  // seals that
  // names it
  //                               (the disk refuses it)
  // ends
  //                               (the disk refuses it)
  //                                                             puts others in the places
  //                               looks for all                 looks for all
  @Test(arguments: [false, true], [false, true])
  func `REF-09, REF-25: what is lost with a file's last writing handle is nobody else`(
    endsFirst: Bool, isReplaced: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [endsFirst = endsFirst as Bool, isReplaced = isReplaced as Bool] in
      alarm(60)
      let (scratch, disks, flushes) = (Scratch(), FailingDisks(), HeldErrands())
      disks.install()
      Seams.given.schedulers = HeldSchedulers(flushes)
      let configuration = scratch.configuration([Keyed.self, Dog.self])
      let first = Desk(configuration)
      first.commit { $0.create(Keyed.self, value: ["id": 7, "name": "old"]) }
      first.leave()
      var readOnly = configuration
      readOnly.readOnly = true
      let reader = Desk(apart: readOnly)
      let references = Noted<ThreadSafeReference<Keyed>>()
      let variables = Noted<ThreadSafe<Keyed>>()
      let (sealed, ends) = (Bell(), Bell())
      let thread = JoinedThread {
        ThreadScheduler.current().run {
          let realm = try! Realm(configuration: configuration)
          realm.beginWrite()
          LossScene.replace(realm, "lost")
          realm.create(Keyed.self, value: ["id": 9, "name": "lost"])
          references.add(ThreadSafeReference(to: LossScene.keyed(realm)!))
          realm.commitAsyncWrite { _ in }
          for id in [7, 9] {
            let keyed = LossScene.keyed(realm, id)!
            for _ in 0..<2 { references.add(ThreadSafeReference(to: keyed)) }
            variables.add(ThreadSafe(wrappedValue: keyed))
          }
        }
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 20, true)
        sealed.ring()
        ends.wait()
      }
      #expect(sealed.wait())
      disks.fail(at: 0, .refused, sticky: true)
      if !endsFirst { flushes.work() }
      ends.ring()
      thread.join()
      if endsFirst { flushes.work() }
      disks.heal()
      let all = references.all
      #expect(all.count == 5)
      reader.work { realm in
        realm.invalidate()
        #expect(realm.resolve(all[1]) == nil && realm.resolve(all[3]) == nil)
      }
      let other = Desk(configuration)
      if isReplaced {
        other.commit { realm in
          LossScene.replace(realm, "new")
          realm.create(Keyed.self, value: ["id": 9, "name": "new"])
        }
      }
      reader.work { realm in
        realm.invalidate()
        #expect(realm.objects(Keyed.self).count == (isReplaced ? 2 : 1))
        #expect(realm.resolve(all[0]) == nil && realm.resolve(all[2]) == nil)
      }
      other.work { realm in
        for variable in variables.all { #expect(variable.wrappedValue == nil) }
        #expect(realm.resolve(all[4]) == nil)
      }
    }
  }
}
