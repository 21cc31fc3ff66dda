import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Writes that cannot begin, because the disk does not take what is still to be done for a commit
/// that it did not take before.
@Suite struct FailedBeginTests {
  // home                                disk
  // asks for an asynchronous write
  // writes                              refuses that, and what takes it back
  // writes once more                    refuses that
  // writes again                        is well
  /// The second write ended the process, and the block that was asked for did not run.
  @Test func `WRITE-27: who cannot begin for the disk's sake is told so, and writes later`()
    async
  {
    await #expect(processExitsWith: .success) {
      var failures = 0
      for call in 0..<12 {
        alarm(60)
        let (scratch, disks) = (Scratch(), FailingDisks())
        disks.install()
        let desk = Desk(scratch.configuration([Dog.self]))
        desk.commit { $0.create(Dog.self, value: ["name": "Rex"]) }
        var names = ["Rex"]
        desk.work { realm in
          func write(_ name: String) throws {
            try realm.write {
              realm.create(Dog.self, value: ["name": name])
            }
            names.append(name)
          }
          realm.beginAsyncWrite { #expect(realm.objects(Dog.self).map(\.name) == names) }
          disks.fail(at: call, .refused, sticky: true)
          do {
            try write("first")
            try write("second")
          } catch {
            failures += 1
            for _ in 0..<2 {
              do { try write("other") } catch { #expect(error is Realm.Error) }
              #expect(!realm.isInWriteTransaction)
            }
          }
          #expect(realm.objects(Dog.self).map(\.name) == names)
          disks.heal()
        }
        // Nothing else lets it run.
        let limit = ContinuousClock.now + .seconds(20)
        while desk.work({ $0.isPerformingAsynchronousWriteOperations }) {
          if ContinuousClock.now > limit { fatalError("the block waits for ever") }
          sched_yield()
        }
        desk.commit { $0.create(Dog.self, value: ["name": "last"]) }
        desk.work { #expect($0.objects(Dog.self).map(\.name) == names + ["last"]) }
      }
      #expect(failures > 0)
    }
  }
}
