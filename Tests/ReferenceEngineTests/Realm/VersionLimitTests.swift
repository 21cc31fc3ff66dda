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
}
