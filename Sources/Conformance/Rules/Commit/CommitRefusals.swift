import EngineUnderTest
import Foundation
import Harness

/// Each way a commit can fail, made in each way to commit: what is thrown, and what the realm does
/// next.
enum Refusals {
  private enum Cause: String, CaseIterable {
    case write = "a write to the file fails"
    case flush = "a flush fails"
    case room = "there is no room"
  }

  private struct Own: Error, Equatable { let number: Int }

  /// What is done with the realm after a failure, each of it as if nothing had been.
  private static func nexts(
    _ stage: Stage, _ realm: Realm, _ mark: Int
  ) -> [(name: String, run: () throws -> Void)] {
    let configuration = realm.configuration
    func balance(_ expected: Int, _ what: String) {
      stage.equal(realm.vessel(1)!.maybe, expected, "the number after \(what)")
    }
    return [
      (
        "a write",
        {
          try realm.write { realm.vessel(1)!.maybe = mark }
          balance(mark, "a write")
        }
      ),
      (
        "another thread's write",
        {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { other.vessel(1)!.maybe = mark }
          }
          stage.equal(realm.refresh(), true, "whether it moves to another's write")
          balance(mark, "another's write")
        }
      ),
      (
        "another thread's write, by its loop",
        {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { other.vessel(1)!.maybe = mark }
          }
          try stage.spin(until: { realm.vessel(1)!.maybe == mark }, "the advance")
        }
      ),
      (
        "a cancelled write",
        {
          let before = realm.vessel(1)!.maybe
          realm.beginWrite()
          realm.vessel(1)!.maybe = -mark
          realm.cancelWrite()
          stage.equal(realm.vessel(1)!.maybe, before, "the number after a cancelled write")
        }
      ),
      (
        "an asynchronous write",
        {
          var end: (any Error)??
          realm.writeAsync({ realm.vessel(1)!.maybe = mark }, onComplete: { end = .some($0) })
          try stage.spin(until: { end != nil }, "the completion")
          stage.expect((end ?? nil) == nil, "an asynchronous write after it ends well")
          balance(mark, "an asynchronous write")
        }
      ),
      (
        "a listener",
        {
          var told = 0
          let token = realm.objects(Vessel.self).observe { if case .update = $0 { told += 1 } }
          try stage.settle(realm)
          try realm.write { realm.vessel(1)!.maybe = mark }
          try stage.settle(realm)
          stage.equal(told, 1, "calls of a listener that came after it")
          token.invalidate()
        }
      ),
      (
        "a freeze",
        {
          let (number, frozen) = (realm.vessel(1)!.maybe, realm.freeze())
          try realm.write { realm.vessel(1)!.maybe = mark }
          stage.equal(frozen.vessel(1)!.maybe, number, "what is frozen after it")
        }
      ),
      (
        "invalidate()",
        {
          realm.invalidate()
          use(realm.vessel(1)!.maybe)
          try realm.write { realm.vessel(1)!.maybe = mark }
          balance(mark, "invalidate() and a write")
        }
      ),
      (
        "a refresh", { stage.equal(realm.refresh(), false, "whether there is anything to move to") }
      ),
      (
        "a copy",
        {
          let there = stage.directory.appendingPathComponent("copy \(mark).realm")
          try realm.writeCopy(toFile: there)
          var copied = configuration
          copied.fileURL = there
          let copy = try Realm(configuration: copied)
          stage.equal(copy.vessel(1)!.maybe, realm.vessel(1)!.maybe, "what a copy has")
        }
      ),
    ]
  }

  static let probes: [Probe] = Cause.allCases.map { cause in
    Probe("what is thrown, and what the realm does next, when \(cause.rawValue)") { stage in
      let hooks = try stage.hooks()
      if cause != .room { hooks.record() }
      let realm = try RefKinds.stocked(stage)
      hooks.stop()
      let url = realm.configuration.fileURL!
      var told = 0
      let token = realm.objects(Vessel.self).observe { if case .update = $0 { told += 1 } }
      try stage.settle(realm)
      var mark = 100
      for (round, manner) in Manner.all.enumerated() {
        let count = nexts(stage, realm, mark).count
        for turn in 0..<2 {
          let what = "\(manner.name), round \(turn)"
          // What a failure leaves is put right by the next write, whose flush must not be the one
          // that fails: who queues a block is not told that it never begins.
          try realm.write { realm.vessel(1)!.number += 1 }
          try stage.settle(realm)
          let (before, number) = (realm.vessel(1)!.maybe, realm.objects(Vessel.self).count)
          let isBlob = cause == .room
          mark += 1
          told = 0
          func change() {
            realm.vessel(1)!.maybe = -mark
            realm.add(Vessel(id: 1_000 + mark))
            // More than there is room for.
            if isBlob { realm.add(Blob(id: mark, bytes: Data(count: 6_000_000))) }
          }
          var thrown: (any Error)?
          do {
            switch cause {
            case .room:
              try Stage.withFilesLimited(to: stage.size(of: "vessels") + 65_536) {
                try manner.commit(stage, realm) { change() }
              }
            case .flush:
              hooks.fail(.flushes, after: 0, times: 1)
              try manner.commit(stage, realm) { change() }
            case .write:
              hooks.fail(.writes, after: 0, times: 1)
              try manner.commit(stage, realm) { change() }
            }
          } catch { thrown = error }
          if cause != .room {
            hooks.fail(.writes, after: 0, times: 0)
            hooks.fail(.flushes, after: 0, times: 0)
          }
          guard let known = thrown as? Realm.Error else {
            return stage.fail(
              expected: "an error of Realm's by \(what)",
              observed: thrown.map { "\($0)" } ?? "none")
          }
          stage.equal(known.fileURL?.path, url.path, "the file that is named by \(what)")
          stage.expect(
            known.localizedDescription.contains(url.path), "the words of \(what) name its file",
            observed: known.localizedDescription)
          stage.equal(realm.isInWriteTransaction, false, "whether it writes after \(what)")
          stage.equal(
            realm.isPerformingAsynchronousWriteOperations, false, "what goes on after \(what)")
          stage.equal(realm.vessel(1)!.maybe, before, "the number after \(what)")
          stage.equal(realm.objects(Vessel.self).count, number, "how many there are, \(what)")
          stage.expect(realm.vessel(1_000 + mark) == nil, "what was added is not there, \(what)")
          try stage.settle(realm)
          stage.equal(told, 0, "calls of the listener, \(what)")
          let next = nexts(stage, realm, mark)[(round * 2 + turn) % count]
          try next.run()
          let end = realm.vessel(1)!.maybe
          stage.equal(
            try stage.elsewhere {
              try Realm(configuration: RefKinds.configuration(stage)).vessel(1)!.maybe
            }, end, "the number elsewhere after \(what) and \(next.name)")
        }
      }
      token.invalidate()
      // An error of the block's own is handed on as it is.
      for number in 0..<3 {
        do {
          try realm.write {
            realm.vessel(1)!.maybe = -1
            throw Own(number: number)
          }
          stage.fail(expected: "the block's error", observed: "none")
        } catch {
          stage.equal(error as? Own, Own(number: number), "the block's own error")
        }
      }
    }
  }
}
