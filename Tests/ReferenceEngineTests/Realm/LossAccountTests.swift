import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Which commits are told of which loss, where whoever is told commits more.
@Suite struct LossAccountTests {
  // block                     disk                      completion, listener
  // seals the first
  // begins the next           refuses the first
  // seals the second
  // commits the third         refuses both
  //                                                     is told of the first, writes
  /// The second was told to be kept, and then once more, which ended the process.
  @Test func `ASYNC-09, ASYNC-40: who writes as it is told of a loss does not keep the next one`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      var told: [String] = []
      scene.desk.work { realm in
        func seal(_ name: String, _ completion: @escaping ((any Error)?) -> Void) {
          realm.create(Dog.self, value: ["name": name])
          realm.commitAsyncWrite(allowGrouping: true) { error in
            told.append("\(name) \(error == nil)")
            completion(error)
          }
          scene.disks.fail(at: 0, .refused, sticky: true)
        }
        realm.beginAsyncWrite {
          seal("first") { _ in
            scene.disks.heal()
            try! realm.write { _ = realm.create(Dog.self, value: ["name": "own"]) }
            told.append("own")
          }
          realm.beginWrite()
          scene.disks.heal()
          seal("second") { _ in }
          scene.disks.heal()
          realm.beginWrite()
          realm.create(Dog.self, value: ["name": "third"])
          scene.disks.fail(at: 0, .refused, sticky: true)
          #expect(throws: (any Error).self) { try realm.commitWrite() }
          #expect(told == ["first false", "second false", "own"])
          ended.ring()
        }
      }
      #expect(ended.wait())
      scene.desk.work { realm in
        #expect(told == ["first false", "second false", "own"])
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "own"])
        #expect(!realm.isPerformingAsynchronousWriteOperations)
      }
    }
  }

  // block                     listener                  disk
  // seals the first
  // commits the second
  //                           seals the third
  //                           begins the next           refuses the third
  /// What went to the disk with the second was told of the third's loss, and the third was kept.
  @Test func `ASYNC-09, ASYNC-12: a commit is not told of the loss of one that a listener makes`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      var (told, isMeant, tokens): ([String], Bool, [NotificationToken]) = ([], false, [])
      scene.desk.work { realm in
        func seal(_ name: String) {
          realm.create(Dog.self, value: ["name": name])
          realm.commitAsyncWrite(allowGrouping: true) { told.append("\(name) \($0 == nil)") }
        }
        tokens = [
          realm.observe { _, realm in
            guard isMeant else { return }
            isMeant = false
            realm.beginWrite()
            seal("third")
            scene.disks.fail(at: 0, .refused, sticky: true)
            realm.beginWrite()
            scene.disks.heal()
            realm.cancelWrite()
          }
        ]
        realm.beginAsyncWrite {
          seal("first")
          realm.beginWrite()
          realm.create(Dog.self, value: ["name": "second"])
          isMeant = true
          #expect(throws: Never.self) { try realm.commitWrite() }
          #expect(told == ["first true", "third false"])
          ended.ring()
        }
      }
      #expect(ended.wait())
      scene.desk.work { realm in
        #expect(told == ["first true", "third false"])
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "first", "second"])
        for token in tokens { token.invalidate() }
      }
    }
  }

  // block                     memory                    listener
  // seals one of a group
  // invalidates               has no room for it
  //                                                     writes
  /// The one without room was told to be kept, and then once more, which ended the process.
  @Test func `ASYNC-09, ASYNC-17: a commit without room is told so whatever a listener writes`()
    async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      signal(SIGXFSZ, SIG_IGN)
      func limit(to bytes: UInt?) {
        var now = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &now)
        now.rlim_cur = bytes.map { rlim_t($0) } ?? now.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &now)
      }
      let desk = Desk(freshConfiguration())
      desk.commit { $0.create(Dog.self, value: ["name": "Rex"]) }
      let ended = Bell()
      var (told, isLost, tokens): ([Bool], Bool, [NotificationToken]) = ([], false, [])
      desk.work { realm in
        tokens = [
          realm.observe { _, realm in
            guard isLost else { return }
            isLost = false
            limit(to: nil)
            try! realm.write { _ = realm.create(Dog.self, value: ["name": "new"]) }
          }
        ]
        realm.beginAsyncWrite {
          realm.create(Person.self, value: ["name": String(repeating: "x", count: 100_000)])
          realm.commitAsyncWrite(allowGrouping: true) { told.append($0 == nil) }
          #expect(realm.session.root?.isWaiting == true)
          isLost = true
          limit(to: 4096)
          realm.invalidate()
          limit(to: nil)
          #expect(!isLost)
          #expect(told == [false])
          ended.ring()
        }
        realm.beginAsyncWrite { realm.cancelWrite() }
      }
      #expect(ended.wait())
      desk.work { realm in
        #expect(told == [false])
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "new"])
        #expect(realm.objects(Person.self).isEmpty)
        for token in tokens { token.invalidate() }
      }
    }
  }

  // home                      disk
  // knows the first
  // seals the second          refuses it
  // reads
  // is told by its bell, of the loss later
  /// The one that is back was told as changed, though it is another one than that in its place.
  @Test func `NOTIFY-07: who cannot read on tells of those that others were put in the place of`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      var (told, tokens): ([String], [NotificationToken]) = ([], [])
      scene.desk.work { realm in
        tokens = [
          realm.objects(Keyed.self).sorted(byKeyPath: "id").observe { told.append($0.brief) }
        ]
      }
      scene.desk.work { realm in
        #expect(told == ["initial"])
        realm.beginAsyncWrite {
          LossScene.replace(realm, "lost")
          realm.commitAsyncWrite(allowGrouping: true) { #expect($0 != nil) }
          realm.beginWrite()
          #expect(told == ["initial", "-[0] +[0] ~[]"])
          realm.create(Dog.self)
          realm.commitAsyncWrite { error in
            #expect(error != nil)
            ended.ring()
          }
          scene.disks.fail(at: 0, .refused, sticky: true)
          #expect(LossScene.keyed(realm)?.name == "old")
          scene.disks.heal()
        }
      }
      for _ in 0..<3 { scene.desk.work { _ in } }
      scene.flushes.work()
      #expect(ended.wait())
      scene.desk.work { realm in
        #expect(told == ["initial", "-[0] +[0] ~[]", "-[0] +[0] ~[]"])
        for token in tokens { token.invalidate() }
      }
    }
  }
}
