import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// After a commit that failed as its nodes were placed, the next one of another thread was not told
/// to whoever had failed: it got the number that the other had waited for as its own.
@Suite struct FailedCommitNewsTests {
  // home (listens)                 another thread
  // cannot commit
  //                                commits
  // is told
  @Test(arguments: [0, 1, 2])
  func `COMMIT-07, NOTIFY-01: the commit after a failed one is told like any other`(call: Int)
    async
  {
    await #expect(processExitsWith: .success) { [call = call as Int] in
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (home, other) = (Desk(configuration), Desk(configuration))
      home.commit { $0.add(Person(name: "Ada")) }
      let told = Noted<Int>()
      let tokens = home.work { realm in
        [
          realm.observe { _, _ in told.add(-1) },
          realm.objects(Person.self).observe { change in
            if case .update(let all, _, _, _) = change { told.add(all.count) }
          },
        ]
      }
      home.work { _ in }
      disks.fail(at: call, .noSpace, sticky: false)
      home.work { realm in
        #expect(throws: (any Error).self) {
          try realm.write { realm.add(Person(name: String(repeating: "x", count: 200_000))) }
        }
        #expect(realm.objects(Person.self).count == 1)
      }
      disks.heal()
      other.commit { $0.add(Person(name: "Bea")) }
      home.work { realm in #expect(realm.objects(Person.self).count == 2, "without a refresh") }
      #expect(told.all.contains(-1), "the realm's listener heard nothing")
      #expect(told.all.last == 2, "\(told.all)")
      withExtendedLifetime(tokens) {}
    }
  }

  // home
  // begins a write, listens
  //            looks for news in the middle of it
  // cannot commit
  // is told for the first time
  @Test
  func `NOTIFY-04: who came in a write that could not be committed gets a first call`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let home = Desk(scratch.configuration([Person.self, Dog.self]))
      home.commit { $0.add(Person(name: "Ada")) }
      let told = Noted<Int>()
      let token = home.work { realm in
        realm.beginWrite()
        return realm.objects(Person.self).observe { change in
          if case .initial(let all) = change { told.add(all.count) }
        }
      }
      home.work { _ in }
      #expect(told.all == [], "told in the middle of the write")
      disks.fail(at: 0, .noSpace, sticky: false)
      home.work { realm in
        realm.add(Person(name: String(repeating: "x", count: 200_000)))
        #expect(throws: (any Error).self) { try realm.commitWrite() }
      }
      disks.heal()
      home.work { _ in }
      #expect(told.all == [1])
      withExtendedLifetime(token) {}
    }
  }
}
