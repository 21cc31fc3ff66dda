import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A loss that is found out at home before its completions are told, and what is under way there
/// besides.
@Suite struct LossFoundTests {
  @Test func `WRITE-19, WRITE-20: what another realm loses is not what this one has sealed`() async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (own, ended) = (Bell(), Bell())
      var held: [Keyed] = []
      scene.desk.work { realm in
        held.append(LossScene.keyed(realm)!)
        realm.beginWrite()
        LossScene.replace(realm, "own")
        realm.commitAsyncWrite { error in
          #expect(error == nil)
          own.ring()
        }
        held.append(LossScene.keyed(realm)!)
        let (version, flushes) = (realm.session.version!, scene.flushes)
        DispatchQueue.global().async { flushes.work() }
        while realm.session.coordinator.newestVersion < version { sched_yield() }
        // On the disk, and its end has not come home.
        var reference: ThreadSafeReference<Dog>?
        scene.other.work { other in
          other.beginWrite()
          reference = ThreadSafeReference(to: other.create(Dog.self))
          other.commitAsyncWrite { error in
            #expect(error != nil)
            ended.ring()
          }
        }
        scene.disks.fail(at: 0, .refused, sticky: true)
        #expect(realm.resolve(reference!) == nil)
        scene.disks.heal()
        #expect(LossScene.keyed(realm)?.name == "own")
        #expect(held.map(\.isInvalidated) == [true, false])
      }
      #expect(own.wait())
      scene.flushes.work()
      #expect(ended.wait())
      scene.desk.work { realm in
        realm.refresh()
        #expect(held.map(\.isInvalidated) == [true, false])
        held = []
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `NOTIFY-16: who listens to what a failed commit takes along is told that it is gone`(
    isPlaced: Bool, isCommit: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [isPlaced = isPlaced as Bool, isCommit = isCommit as Bool] in
      let scene = LossScene()
      let ended = Bell()
      var (told, tokens): ([String], [NotificationToken]) = ([], [])
      func fail() { scene.disks.fail(at: 0, .refused, sticky: true) }
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          LossScene.replace(realm, "lost")
          realm.commitAsyncWrite(allowGrouping: true) { error in
            #expect(error != nil)
            ended.ring()
          }
          #expect(realm.session.root?.isWaiting == true)
          tokens = [
            LossScene.keyed(realm)!.observe { told.append($0.brief) }
          ]
          if isPlaced { _ = realm.freeze() }
        }
        realm.beginAsyncWrite {
          realm.create(Dog.self)
          fail()
          if isCommit {
            #expect(throws: (any Error).self) { try realm.commitWrite() }
          } else {
            realm.cancelWrite()
          }
        }
      }
      for _ in 0..<3 { scene.desk.work { _ in } }
      scene.flushes.work()
      #expect(ended.wait())
      scene.disks.heal()
      scene.desk.work { realm in
        realm.refresh()
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(told == ["deleted"])
      }
      scene.other.commit { LossScene.keyed($0)!.name = "changed" }
      scene.desk.work { realm in
        realm.refresh()
        #expect(told == ["deleted"])
        for token in tokens { token.invalidate() }
      }
    }
  }

  /// How far its realm has come when a loss is told.
  enum Place: String, Codable, CaseIterable {
    case hasRead, hasWritten
  }

  @Test(arguments: Place.allCases)
  func `REFRESH-11: a realm that has left what is lost stays where it is when that is told`(
    place: Place
  ) async {
    await #expect(processExitsWith: .success) { [place = place as Place] in
      let scene = LossScene()
      let ended = Bell()
      scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
      func dogs(_ realm: Realm) -> [String] { realm.objects(Dog.self).map(\.name) }
      scene.desk.work { realm in
        scene.disks.fail(at: 0, .refused, sticky: false)
        if place == .hasRead { #expect(LossScene.keyed(realm)?.name == "old") }
        let flushes = scene.flushes
        DispatchQueue.global().async { flushes.work() }
        if place == .hasWritten {
          try! realm.write { _ = realm.create(Dog.self, value: ["name": "own"]) }
        }
        scene.other.commit { $0.create(Dog.self, value: ["name": "other"]) }
        #expect(!dogs(realm).contains("other"))
      }
      #expect(ended.wait())
      scene.desk.work { realm in
        #expect(!dogs(realm).contains("other"))
        realm.refresh()
        #expect(dogs(realm).contains("other"))
      }
    }
  }

  @Test(arguments: [false, true])
  func `ASYNC-24: a write begins behind one of its group that the disk does not take`(
    isWaiting: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isWaiting = isWaiting as Bool] in
      let scene = LossScene()
      let (lost, kept) = (Bell(), Bell())
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          LossScene.replace(realm, "lost")
          realm.commitAsyncWrite(allowGrouping: true) { error in
            #expect(error != nil)
            lost.ring()
          }
          #expect(realm.session.root?.isWaiting == isWaiting)
          scene.disks.fail(at: 0, .refused, sticky: false)
          if isWaiting { _ = ThreadSafeReference(to: LossScene.keyed(realm)!) }
          realm.beginWrite()
          scene.disks.heal()
          #expect(LossScene.keyed(realm)?.name == "old")
          realm.create(Dog.self, value: ["name": "kept"])
          realm.commitAsyncWrite { error in
            #expect(error == nil)
            kept.ring()
          }
        }
        if isWaiting { realm.beginAsyncWrite { realm.cancelWrite() } }
      }
      for _ in 0..<3 { scene.desk.work { _ in } }
      #expect(lost.wait())
      scene.flushes.work()
      #expect(kept.wait())
      scene.other.work { realm in
        realm.refresh()
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "kept"])
      }
    }
  }

  /// Its home has ended, and nobody else remembered for long what was lost there.
  @Test func `REF-05: what a thread that has ended has lost is never taken for another`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let names = Noted<ThreadSafeReference<Keyed>>()
      scene.desk.work { realm in
        let configuration = scene.configuration
        let thread = JoinedThread {
          let realm = try! Realm(configuration: configuration)
          realm.beginWrite()
          names.add(ThreadSafeReference(to: realm.create(Keyed.self, value: ["id": 9])))
          realm.commitAsyncWrite()
        }
        thread.join()
      }
      scene.disks.fail(at: 0, .refused, sticky: false)
      scene.flushes.work()
      for _ in 0..<70 {
        let ended = Bell()
        scene.seal({ $0.create(Dog.self) }, ended: ended)
        scene.desk.work { realm in _ = realm.freeze() }
        scene.lose({}, ended: ended)
      }
      scene.other.commit { $0.create(Keyed.self, value: ["id": 9, "name": "new"]) }
      scene.other.work { realm in
        #expect(LossScene.keyed(realm, 9)?.name == "new")
        #expect(realm.resolve(names.all[0])?.name == nil)
      }
    }
  }

  @Test func `what was sealed elsewhere is not remembered for ever`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      for _ in 0..<100 {
        let done = Bell()
        let reference = scene.other.work { realm in
          realm.beginWrite()
          let reference = ThreadSafeReference(to: realm.create(Dog.self))
          realm.commitAsyncWrite { _ in done.ring() }
          return reference
        }
        scene.desk.work { #expect($0.resolve(reference) != nil) }
        scene.flushes.work()
        #expect(done.wait())
      }
      scene.desk.work { #expect($0.session.departures.countElsewhere < 4) }
    }
  }

  // third                 desk
  //                       replaces 7, seals
  // finds the second 7
  //                       seals another of the group, which the disk does not take
  // is handed that
  @Test func `REF-05, LIFE-12: who cannot read on leaves all that is lost with it`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      var (old, found): (Keyed?, Keyed?)
      third.work { realm in
        realm.autorefresh = false
        realm.refresh()
        old = LossScene.keyed(realm)
      }
      func isAsBefore(_ realm: Realm) {
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(old?.isInvalidated == false && found?.isInvalidated == true)
      }
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          LossScene.replace(realm, "lost")
          let first = ThreadSafeReference(to: LossScene.keyed(realm)!)
          realm.commitAsyncWrite(allowGrouping: true)
          third.work { realm in
            found = realm.resolve(first)
            #expect(found?.name == "lost" && old?.isInvalidated == true)
          }
          realm.beginWrite()
          let second = ThreadSafeReference(to: realm.create(Dog.self))
          realm.commitAsyncWrite { error in
            #expect(error != nil)
            ended.ring()
          }
          scene.disks.fail(at: 0, .refused, sticky: true)
          third.work { realm in
            #expect(realm.resolve(second) == nil)
            isAsBefore(realm)
          }
        }
      }
      scene.desk.work { _ in }
      scene.flushes.work()
      #expect(ended.wait())
      scene.disks.heal()
      scene.other.commit { $0.create(Dog.self) }
      third.work { realm in
        realm.refresh()
        isAsBefore(realm)
        (old, found) = (nil, nil)
      }
    }
  }
}
