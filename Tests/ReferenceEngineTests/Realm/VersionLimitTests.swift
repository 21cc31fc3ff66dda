import Foundation
import Testing

@testable import ReferenceEngine

/// A file had the limit of active versions of whoever opened it first, and no other.
@Suite struct VersionLimitTests {
  private let scratch = Scratch()

  /// Two realms of one file, the second one's limit being one version.
  private func open(limitedFirst: Bool) -> (free: Desk, limited: Desk) {
    let configuration = scratch.configuration([Dog.self])
    var limit = configuration
    limit.maximumNumberOfActiveVersions = 1
    if limitedFirst {
      let limited = Desk(limit)
      return (Desk(configuration), limited)
    }
    let free = Desk(configuration)
    return (free, Desk(limit))
  }

  /// What a write was told that began by itself.
  private func write(_ desk: Desk) -> Bool {
    let done = Bell()
    var isWritten = false
    desk.work { realm in
      realm.writeAsync {
        realm.create(Dog.self)
      } onComplete: { error in
        isWritten = error == nil
        done.ring()
      }
    }
    #expect(done.wait())
    return desk.work { _ in isWritten }
  }

  @Test(arguments: [false, true])
  func `GROW-07, GROW-08: a limit counts for the realms that have it`(limitedFirst: Bool) {
    let (free, limited) = open(limitedFirst: limitedFirst)
    // Nobody stays on a version that was read before.
    func settle() { for desk in [free, limited] { desk.work { _ = $0.refresh() } } }
    free.commit { $0.create(Dog.self) }
    settle()
    #expect(write(limited))
    settle()
    var frozen: Realm? = free.work { $0.freeze() }
    free.commit { $0.create(Dog.self) }
    settle()
    #expect(!write(limited))
    #expect(write(free))
    settle()
    #expect(!write(limited))
    #expect(frozen?.objects(Dog.self).count == 2)
    frozen = nil
    #expect(write(limited))
  }

  @Test func `GROW-07: a second opener with a limit may not write beyond it`() async {
    await #expect(processExitsWith: .failure) {
      let (free, limited) = VersionLimitTests().open(limitedFirst: false)
      let frozen = free.work { $0.freeze() }
      free.commit { $0.create(Dog.self) }
      limited.work { _ = $0.refresh() }
      withExtendedLifetime(frozen) { limited.commit { $0.create(Dog.self) } }
    }
  }

  /// The next writes of a group asked for no limit.
  @Test func `GROW-07: a group ends where more versions are kept than its realm allows`() {
    let scratch = Scratch()
    var configuration = scratch.configuration([Dog.self])
    configuration.maximumNumberOfActiveVersions = 3
    let (desk, done) = (Desk(configuration), Bell())
    desk.commit { $0.create(Dog.self) }
    var (errors, frozen): ([Bool], [Realm]) = ([], [])
    desk.work { realm in
      for _ in 0..<8 {
        realm.writeAsync {
          frozen.append(realm.freeze())
          realm.create(Dog.self)
        } onComplete: { error in
          errors.append(error != nil)
          done.ring()
        }
      }
    }
    for _ in 0..<8 { #expect(done.wait()) }
    desk.work { realm in
      #expect(errors.first == false && errors.last == true)
      #expect(realm.objects(Dog.self).count == 1 + errors.count { !$0 })
      frozen = []
    }
    desk.commit { $0.create(Dog.self) }
  }

  @Test(arguments: [1, 2])
  func `GROW-07: a limit of few versions allows for a group`(limit: UInt) {
    let scratch = Scratch()
    var configuration = scratch.configuration([Dog.self])
    configuration.maximumNumberOfActiveVersions = limit
    let (desk, done) = (Desk(configuration), Bell())
    desk.work { realm in
      for number in 0..<8 {
        realm.writeAsync {
          realm.create(Dog.self)
        } onComplete: { error in
          #expect(error == nil)
          if number == 7 { done.ring() }
        }
      }
      realm.beginAsyncWrite {
        realm.create(Dog.self)
        realm.commitAsyncWrite(allowGrouping: true)
        realm.beginWrite()
        realm.create(Dog.self)
        realm.commitAsyncWrite(allowGrouping: true)
      }
    }
    #expect(done.wait())
  }

  @Test func `GROW-07: who begins behind a commit of a group may not go beyond the limit`() async {
    await #expect(processExitsWith: .failure) {
      let scratch = Scratch()
      var configuration = scratch.configuration([Dog.self])
      configuration.maximumNumberOfActiveVersions = 3
      let (desk, done) = (Desk(configuration), Bell())
      desk.work { realm in
        realm.beginAsyncWrite {
          var frozen: [Realm] = []
          for _ in 0..<8 {
            realm.create(Dog.self)
            realm.commitAsyncWrite(allowGrouping: true)
            frozen.append(realm.freeze())
            realm.beginWrite()
          }
          withExtendedLifetime(frozen) { done.ring() }
        }
      }
      done.wait()
    }
  }
}
