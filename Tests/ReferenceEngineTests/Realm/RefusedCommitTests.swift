import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// An asynchronous commit for which no place can be found never becomes one; its completion is told
/// with the home's next turn, and was neither under way until then nor to be cancelled.
@Suite struct RefusedCommitTests {
  /// A home whose next commit is refused.
  private final class Home: @unchecked Sendable {
    // Sendable because both are set once, before anybody else knows it.
    private let scratch = Scratch()
    private(set) var disk: MeasuredDisk!
    private(set) var desk: Desk!

    init() {
      let made = Mutex<MeasuredDisk?>(nil)
      let honest = Seams.given.disk
      Seams.given.disk = { path, writable, create in
        let disk = MeasuredDisk(try honest(path, writable, create))
        made.withLock { $0 = disk }
        return disk
      }
      desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      disk = made.withLock { $0 }
    }

    /// Commits what finds no place: what is free is forgotten, and cannot be found out.
    func refuse(
      _ realm: Realm, _ completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> AsyncTransactionId {
      realm.beginWrite()
      realm.add(Person(name: "never"))
      realm.session.coordinator.writer.heap = nil
      disk.onMeasure { [path = disk.path] in
        throw StorageError.failed(
          path: path, operation: "measure", reason: "it was told to fail", code: EIO)
      }
      defer { disk.onMeasure(nil) }
      return realm.commitAsyncWrite(completion)
    }
  }

  @Test func `ASYNC-24: is under way until its completion has been told`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (home, told, done) = (Home(), Noted<String>(), Bell())
      home.desk.work { realm in
        _ = home.refuse(realm) { error in
          told.add((error as? Realm.Error).map { "\($0.code)" } ?? "\(error as Any)")
          done.ring()
        }
        #expect(told.all.isEmpty, "it is told before the call returns")
        #expect(realm.isPerformingAsynchronousWriteOperations)
        #expect(realm.objects(Person.self).count == 1)
      }
      #expect(done.wait())
      #expect(told.all == ["fileOperationFailed"], "\(told.all)")
      home.desk.work { #expect(!$0.isPerformingAsynchronousWriteOperations) }
      home.desk.commit { $0.add(Person(name: "Grace")) }
      home.desk.work { #expect($0.objects(Person.self).count == 2) }
    }
  }

  @Test func `ASYNC-28: says nothing once it is cancelled`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (home, told) = (Home(), Noted<String>())
      home.desk.work { realm in
        let id = home.refuse(realm) { _ in told.add("told") }
        try! realm.cancelAsyncWrite(id)
      }
      home.desk.work { #expect(!$0.isPerformingAsynchronousWriteOperations) }
      #expect(told.all.isEmpty)
    }
  }

  @Test func `ASYNC-17: is told by invalidate()`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (home, told) = (Home(), Noted<String>())
      home.desk.work { realm in
        _ = home.refuse(realm) { _ in told.add("told") }
        realm.invalidate()
        #expect(told.all == ["told"])
        #expect(!realm.isPerformingAsynchronousWriteOperations)
      }
      home.desk.work { _ in }
      #expect(told.all == ["told"])
    }
  }
}
