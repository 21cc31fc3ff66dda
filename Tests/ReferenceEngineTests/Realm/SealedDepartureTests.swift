import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// An object that came by a reference while its version was on its way to the disk, under the key
/// of a deleted one, was invalid after the realm's next step: as if it had gone in that.
@Suite struct SealedDepartureTests {
  // desk        other
  //             deletes 7, adds another 7, seals
  // resolves the new 7
  //             is flushed, commits
  // steps
  @Test func `REF-05: what came from a sealed version is not taken for what went in it`() async {
    await #expect(processExitsWith: .success) {
      let flushes = HeldErrands()
      Seams.given.schedulers = HeldSchedulers(flushes)
      let configuration = freshConfiguration()
      let (desk, other) = (Desk(configuration), Desk(configuration))
      other.commit { $0.create(Keyed.self, value: ["id": 7, "name": "old"]) }
      let old = desk.work { realm in
        realm.refresh()
        return Smuggled(realm.object(ofType: Keyed.self, forPrimaryKey: 7))
      }
      let done = Bell()
      let reference = other.work { realm in
        realm.beginWrite()
        realm.delete(realm.objects(Keyed.self))
        let new = realm.create(Keyed.self, value: ["id": 7, "name": "new"])
        realm.commitAsyncWrite { _ in done.ring() }
        return ThreadSafeReference(to: new)
      }
      let new = desk.work { Smuggled($0.resolve(reference)) }
      desk.work { _ in #expect(new.value?.name == "new") }
      flushes.work()
      #expect(done.wait())
      other.commit { $0.create(Keyed.self, value: ["id": 8]) }
      desk.work { realm in
        realm.refresh()
        #expect(realm.objects(Keyed.self).count == 2)
        #expect(new.value?.isInvalidated == false && old.value?.isInvalidated == true)
      }
    }
  }

  // desk                      disk
  // adds 7, seals
  // refers to 7 and 8
  //                           refuses
  // adds another 7
  /// A reference that was made behind an asynchronous commit led to whoever came under the key when
  /// that was lost: only those made in a write were taken note of.
  @Test func `REF-15: what was referred to behind a commit that is lost is gone`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks, flushes) = (Scratch(), FailingDisks(), HeldErrands())
      disks.install()
      Seams.given.schedulers = HeldSchedulers(flushes)
      let desk = Desk(scratch.configuration([Keyed.self]))
      desk.commit { $0.create(Keyed.self, value: ["id": 8, "name": "kept"]) }
      let done = Bell()
      let (lost, kept) = desk.work { realm in
        realm.beginWrite()
        let made = realm.create(Keyed.self, value: ["id": 7, "name": "lost"])
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          done.ring()
        }
        let old = realm.object(ofType: Keyed.self, forPrimaryKey: 8)!
        return (ThreadSafeReference(to: made), ThreadSafeReference(to: old))
      }
      disks.fail(at: 0, .refused, sticky: true)
      flushes.work()
      #expect(done.wait())
      disks.heal()
      desk.commit { $0.create(Keyed.self, value: ["id": 7, "name": "later"]) }
      desk.work { realm in
        #expect(realm.resolve(lost) == nil)
        #expect(realm.resolve(kept)?.name == "kept")
      }
    }
  }

  // desk                  who resolves: the same, or another
  // replaces 7, seals
  //                       finds the first
  // is flushed
  //                       replaces it by a second
  /// What the sealed write had deleted was noted behind what the later one had, and as of earlier.
  @Test(arguments: [false, true])
  func `LIFE-12: what came with an unfinished commit is gone when a later one replaces it`(
    elsewhere: Bool
  ) async {
    await #expect(processExitsWith: .success) { [elsewhere = elsewhere as Bool] in
      let scene = LossScene()
      let (done, third) = (Bell(), Desk(scene.configuration))
      let reference = scene.desk.work { realm in
        realm.beginWrite()
        LossScene.replace(realm, "first")
        realm.commitAsyncWrite { error in
          #expect(error == nil)
          done.ring()
        }
        return ThreadSafeReference(to: LossScene.keyed(realm)!)
      }
      (elsewhere ? third : scene.desk).work { realm in
        let found = realm.resolve(reference)
        #expect(found?.name == "first")
        let flushes = scene.flushes
        DispatchQueue.global().async { flushes.work() }
        do { try realm.write { LossScene.replace(realm, "second") } } catch {
          Issue.record(error)
        }
        #expect(found?.isInvalidated == true)
      }
      #expect(done.wait())
    }
  }
}
