import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// However an asynchronous write of an actor ends, the next ones of every kind go on.
  static let writesAfterEnds = ["throws", "cancels", "commits", "throws at last"].map { how in
    Probe.task("after a block that \(how) the same realm writes in each way") { stage in
      struct Trouble: Error {}
      let keeper = try await Keeper(stage.configuration())
      try await keeper.add(Account.self, id: 1)
      for round in 1...3 {
        await keeper.run { _, realm in
          do {
            try await realm.asyncWrite {
              realm.account(1).note = how
              switch how {
              case "throws": throw Trouble()
              case "cancels": realm.cancelWrite()
              case "commits": try realm.commitWrite()
              default:
                realm.cancelWrite()
                throw Trouble()
              }
            }
          } catch { stage.expect(error is Trouble, "the block's error", observed: "\(error)") }
          stage.equal(realm.isInWriteTransaction, false, "whether it is in a write")
          stage.equal(
            realm.isPerformingAsynchronousWriteOperations, false, "whether work is left")
        }
        try await keeper.run { _, realm in
          try await realm.asyncWrite { realm.account(1).balance = 10 * round }
          stage.equal(realm.account(1).balance, 10 * round, "the balance by asyncWrite")
          try realm.write { realm.account(1).balance += 1 }
          stage.equal(realm.account(1).balance, 10 * round + 1, "the balance by write")
          await withCheckedContinuation { continuation in
            realm.writeAsync {
              realm.account(1).balance += 1
            } onComplete: { _ in
              continuation.resume()
            }
          }
          stage.equal(realm.account(1).balance, 10 * round + 2, "the balance by writeAsync")
        }
        try stage.foreign { $0.account(1).balance += 1 }
      }
      stage.equal(try stage.seen { $0.account(1).balance }, 33, "the balance elsewhere")
    }
  }
}
