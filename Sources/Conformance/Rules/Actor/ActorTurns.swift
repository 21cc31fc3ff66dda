import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Blocks that end their write themselves, in each way: whoever comes next has the turn.
  static let turnsAfterOwnEnds = Probe.task(
    "a block that ends its write itself leaves the turn to others: here, elsewhere, in each way"
  ) { stage in
    let keeper = try await Keeper(stage.configuration())
    let other = try await Keeper(stage.configuration())
    try await keeper.add(Account.self, id: 1)
    var balance = 0
    for end in ["cancelled", "committed", "committed and begun again", "invalidated", "thrown"] {
      for isFirst in [true, false] {
        struct Trouble: Error {}
        balance += 1
        let now = balance
        try await keeper.run { _, realm in
          do {
            try await realm.asyncWrite {
              realm.account(1).note = end
              switch end {
              case "cancelled": realm.cancelWrite()
              case "committed": try realm.commitWrite()
              case "committed and begun again":
                try realm.commitWrite()
                realm.beginWrite()
              case "invalidated": realm.invalidate()
              default:
                realm.cancelWrite()
                throw Trouble()
              }
            }
          } catch is Trouble {}
        }
        // Either comes next, and the other then; and a plain write.
        for next in isFirst ? [keeper, other] : [other, keeper] {
          try await next.run { _, realm in
            try await realm.asyncWrite { realm.account(1).balance = now }
            stage.equal(realm.account(1).balance, now, "the balance after one that \(end)")
            stage.equal(realm.isInWriteTransaction, false, "whether it is in a write")
            stage.equal(
              realm.isPerformingAsynchronousWriteOperations, false, "whether it is busy")
          }
        }
        try stage.foreign { $0.account(1).balance += 100 }
        stage.equal(try stage.seen { $0.account(1).balance }, now + 100, "the balance in the end")
      }
    }
  }
}
