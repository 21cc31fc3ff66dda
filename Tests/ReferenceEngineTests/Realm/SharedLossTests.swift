import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// Three writers share a flush that the disk refuses.
@Suite struct SharedLossTests {
  // first            second           third
  // is inside        waits
  // seals            begins on that   waits
  //                  seals            begins on both
  //                                   does something, which the disk refuses
  enum Third: String, Codable, CaseIterable {
    case commits, cancels, freezes, names, replaces, seals, invalidates, copies, listens
  }

  @Test(arguments: Third.allCases)
  func `WRITE-27, COMMIT-07: three that share a refused flush have all failed`(
    third: Third
  ) async {
    await #expect(processExitsWith: .success) { [third = third as Third] in
      alarm(60)
      let disks = FailingDisks()
      disks.install()
      let scratch = Scratch()
      let (configuration, folder) = (scratch.configuration([Keyed.self]), scratch.directory)
      Seams.bePatient()
      let watcher = Desk(configuration)
      watcher.commit { $0.add(Keyed(value: ["id": 1, "name": "old"])) }
      let told = Noted<String>()
      let tokens = watcher.work { realm in
        Smuggled([
          realm.objects(Keyed.self).observe { told.add($0.brief) },
          realm.observe { _, _ in told.add("realm") },
        ])
      }
      watcher.work { _ in }
      #expect(told.all == ["initial"])
      let frozen = watcher.work { Smuggled($0.freeze()) }
      @Sendable func name(_ realm: Realm, _ id: Int) -> String? {
        realm.object(ofType: Keyed.self, forPrimaryKey: id)?.name
      }
      let inside = (0..<3).map { _ in DispatchSemaphore(value: 0) }
      let over = Bell()

      /// Writes behind the one before, and goes on when the next one waits.
      @Sendable func writer(_ number: Int, _ body: @escaping @Sendable (Realm) throws -> Void)
        -> JoinedThread
      {
        JoinedThread {
          let queue = DispatchQueue(label: "writer \(number)")
          do {
            try queue.sync {
              let realm = try Realm(configuration: configuration, queue: queue)
              realm.refresh()
              if number > 0 { inside[number - 1].wait() }
              realm.beginWrite()
              inside[number].signal()
              if number < 2 {
                while !realm.session.coordinator.gate.hasOneBehind { sched_yield() }
              }
              try body(realm)
            }
          } catch {
            Issue.record(error)
          }
        }
      }
      let first = writer(0) { realm in
        let old = realm.object(ofType: Keyed.self, forPrimaryKey: 1)!
        old.name = "first"
        let new = realm.create(Keyed.self, value: ["id": 10, "name": "lost"])
        #expect(throws: (any Error).self) { try realm.commitWrite() }
        #expect(!old.isInvalidated && old.name == "old" && new.isInvalidated)
        #expect(!realm.isInWriteTransaction)
        over.ring()
      }
      let second = writer(1) { realm in
        #expect(name(realm, 1) == "first" && name(realm, 10) == "lost")
        let met = realm.object(ofType: Keyed.self, forPrimaryKey: 10)!
        let new = realm.create(Keyed.self, value: ["id": 20, "name": "lost"])
        met.name = "second"
        #expect(throws: (any Error).self) { try realm.commitWrite() }
        #expect(met.isInvalidated && new.isInvalidated && name(realm, 1) == "old")
        over.ring()
      }
      let last = writer(2) { realm in
        let old = realm.object(ofType: Keyed.self, forPrimaryKey: 1)!
        let met = [10, 20].map { realm.object(ofType: Keyed.self, forPrimaryKey: $0)! }
        #expect(old.name == "first" && met.map(\.name) == ["second", "lost"])
        #expect(realm.session.write?.flush != nil)
        if third == .replaces {
          for one in met { realm.delete(one) }
          for id in [10, 20] { realm.create(Keyed.self, value: ["id": id, "name": "third"]) }
        }
        let new = realm.create(Keyed.self, value: ["id": 30, "name": "lost"])
        disks.fail(at: third == .commits || third == .replaces ? 2 : 1, .refused, sticky: false)
        var references: [ThreadSafeReference<Keyed>] = []
        var variables: [ThreadSafe<Keyed>] = []
        var cold: Realm?
        var listener: [NotificationToken] = []
        let wasTold = Noted<String>()
        switch third {
        case .commits, .replaces: break
        case .cancels: realm.cancelWrite()
        case .freezes: cold = realm.freeze()
        case .names:
          for one in met + [old] {
            references.append(ThreadSafeReference(to: one))
            variables.append(ThreadSafe(wrappedValue: one))
          }
        case .seals: realm.commitAsyncWrite { wasTold.add("\($0 == nil)") }
        case .invalidates: realm.invalidate()
        case .copies:
          var copy = configuration
          copy.fileURL = folder.appendingPathComponent("copy.realm")
          _ = try? realm.writeCopy(configuration: copy)
        case .listens: listener = [realm.observe { _, _ in wasTold.add("realm") }]
        }
        if realm.isInWriteTransaction {
          #expect(throws: (any Error).self) { try realm.commitWrite() }
        }
        disks.heal()
        over.ring()
        if let cold {
          #expect(name(cold, 1) == "old" && cold.objects(Keyed.self).count == 1)
        }
        #expect(met.map(\.isInvalidated) == [true, true] && new.isInvalidated)
        #expect(old.isInvalidated == (third == .invalidates))
        #expect(realm.objects(Keyed.self).map(\.name) == ["old"])
        for _ in 0..<3 { #expect(over.wait()) }
        // The keys are other ones' by now.
        try realm.write {
          for id in [10, 20, 30] {
            realm.create(Keyed.self, value: ["id": id, "name": "new"])
          }
        }
        #expect(met.map(\.isInvalidated) == [true, true] && new.isInvalidated)
        #expect(references.map { realm.resolve($0)?.name }.prefix(2).allSatisfy { $0 == nil })
        #expect(variables.map { $0.wrappedValue?.name }.prefix(2).allSatisfy { $0 == nil })
        if third == .names { #expect(variables[2].wrappedValue?.name == "old") }
        for token in listener { token.invalidate() }
      }
      for thread in [first, second, last] { thread.join() }
      watcher.work { realm in
        #expect(realm.objects(Keyed.self).map(\.name) == ["old", "new", "new", "new"])
        #expect(name(frozen.value, 1) == "old" && frozen.value.objects(Keyed.self).count == 1)
        #expect(told.all == ["initial", "realm", "-[] +[1, 2, 3] ~[]"])
        for token in tokens.value { token.invalidate() }
      }
    }
  }
}
