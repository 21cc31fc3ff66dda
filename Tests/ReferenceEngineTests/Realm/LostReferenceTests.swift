import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// References into an unfinished commit, resolved where that cannot be shown: by a realm that only
/// reads, with the file opened once more, and before the realm that has sealed it hears that it is
/// lost.
@Suite struct LostReferenceTests {
  @Test(arguments: [false, true], [false, true])
  func `REF-02, REF-25: what an unfinished or lost commit has replaced is not what it has`(
    isReadOnly: Bool, isLost: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [isReadOnly = isReadOnly as Bool, isLost = isLost as Bool] in
      let scene = LossScene()
      var readOnly = scene.configuration
      readOnly.readOnly = true
      let reader = isReadOnly ? Desk(apart: readOnly) : Desk(scene.configuration)
      let ended = Bell()
      scene.seal({ LossScene.replace($0, "new") }, ended: ended)
      let (new, kept, variable) = scene.desk.work { realm in
        let new = LossScene.keyed(realm)!
        return (
          ThreadSafeReference(to: new),
          ThreadSafeReference(to: LossScene.keyed(realm, 8)!), ThreadSafe(wrappedValue: new)
        )
      }
      func look() {
        reader.work { realm in
          // As long as it may be durable it is shown where that is possible.
          let name = isReadOnly || isLost ? nil : "new"
          #expect(realm.resolve(new)?.name == name)
          if !isReadOnly { #expect(variable.wrappedValue?.name == name) }
          if isLost { #expect(realm.resolve(kept)?.name == "kept") }
        }
      }
      if !isLost { look() }
      scene.lose(
        {
          if isLost {
            scene.other.commit { $0.create(Dog.self) }
            look()
          }
        }, ended: ended)
    }
  }

  // reader, which only reads          home                     another realm
  // names and freezes the old 7
  //                                   puts another in its place
  //                                   loses that
  //                                                            does so, too, or not
  // looks for all of them
  @Test(arguments: [false, true])
  func `REF-09, REF-25, FREEZE-27: who only reads finds who is there whatever others lose`(
    isReplaced: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isReplaced = isReplaced as Bool] in
      let scene = LossScene()
      var configuration = scene.configuration
      configuration.readOnly = true
      let (ended, reader) = (Bell(), Desk(apart: configuration))
      let (old, frozen, variable, held) = reader.work { realm in
        let keyed = LossScene.keyed(realm)!
        return (
          (0..<3).map { _ in ThreadSafeReference(to: keyed) }, keyed.freeze(),
          ThreadSafe(wrappedValue: keyed), Smuggled(keyed)
        )
      }
      var lost: [ThreadSafeReference<Keyed>] = []
      var dogs: [ThreadSafeReference<Dog>] = []
      scene.seal(
        { realm in
          LossScene.replace(realm, "lost")
          let dog = realm.create(Dog.self, value: ["name": "lost"])
          dogs.append(ThreadSafeReference(to: dog))
        }, ended: ended)
      scene.desk.work { realm in
        #expect(realm.resolve(old[0]) == nil)
        for _ in 0..<2 { lost.append(ThreadSafeReference(to: LossScene.keyed(realm)!)) }
        dogs.append(ThreadSafeReference(to: realm.objects(Dog.self).last!))
      }
      reader.work { realm in
        #expect(realm.resolve(lost[0]) == nil && realm.resolve(dogs[0]) == nil)
        #expect(held.value.name == "old" && variable.wrappedValue?.name == "old")
        #expect(frozen.thaw()?.name == "old")
      }
      scene.lose(
        {
          guard isReplaced else { return }
          scene.other.commit { realm in
            LossScene.replace(realm, "new")
            realm.create(Dog.self, value: ["name": "new"])
          }
        }, ended: ended)
      let name = isReplaced ? nil : "old"
      reader.work { realm in
        #expect(held.value.name == "old")
        // It does not refresh.
        realm.invalidate()
        #expect(LossScene.keyed(realm)?.name == (isReplaced ? "new" : "old"))
        #expect(realm.resolve(lost[1]) == nil && realm.resolve(dogs[1]) == nil)
        #expect(realm.resolve(old[1])?.name == name && variable.wrappedValue?.name == name)
        #expect(frozen.thaw()?.name == name && frozen.name == "old")
      }
      scene.desk.work { realm in
        realm.refresh()
        #expect(realm.resolve(old[2])?.name == name)
      }
    }
  }

  // home                          another realm
  // puts another in its place
  // names that, and one that stays
  //                               looks for both
  // commits, or cancels
  //                               looks for the other
  /// In the write, the one that was being replaced was found.
  @Test(arguments: [false, true])
  func `REF-15, REF-25: what a running write puts in another's place is not yet there`(
    isKept: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isKept = isKept as Bool] in
      let scene = LossScene()
      scene.desk.work { realm in
        realm.beginWrite()
        LossScene.replace(realm, "new")
        let (new, kept) = (LossScene.keyed(realm)!, LossScene.keyed(realm, 8)!)
        let references = (0..<2).map { _ in ThreadSafeReference(to: new) }
        let (stays, variable) = (ThreadSafeReference(to: kept), ThreadSafe(wrappedValue: new))
        scene.other.work { realm in
          #expect(realm.resolve(references[0]) == nil && variable.wrappedValue == nil)
          #expect(realm.resolve(stays)?.name == "kept")
        }
        if isKept { try! realm.commitWrite() } else { realm.cancelWrite() }
        let name = isKept ? "new" : nil
        scene.other.work { realm in
          #expect(realm.resolve(references[1])?.name == name)
          #expect(variable.wrappedValue?.name == name)
        }
      }
    }
  }

  // home                          another realm
  // seals another in its place
  // names that in the next write
  //                               looks for it
  /// The one that is there until that is on the disk was found.
  @Test func `REF-12, REF-25: what is named above a sealed commit is of that one`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          LossScene.replace(realm, "new")
          realm.commitAsyncWrite(allowGrouping: true)
          realm.beginWrite()
          realm.create(Dog.self)
          let new = LossScene.keyed(realm)!
          let (reference, variable) = (
            ThreadSafeReference(to: new), ThreadSafe(wrappedValue: new)
          )
          scene.other.work { realm in
            #expect(variable.wrappedValue?.name == "new")
            #expect(realm.resolve(reference)?.name == "new")
          }
          realm.commitAsyncWrite { error in
            #expect(error == nil)
            ended.ring()
          }
        }
      }
      scene.desk.work { _ in }
      scene.flushes.work()
      #expect(ended.wait())
    }
  }
}
