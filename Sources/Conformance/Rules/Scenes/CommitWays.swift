import EngineUnderTest
import Foundation
import Harness

/// Every way to commit, of something and of nothing: whoever listens to the realm is told of each,
/// once, and outside of the write.
enum CommitWays {
  private static let ways = [
    "write", "commitWrite", "commitAsyncWrite", "commitAsyncWrite without a completion",
    "writeAsync", "beginAsyncWrite", "beginAsyncWrite, grouped", "beginAsyncWrite and commitWrite",
  ]

  static let probes: [Probe] = ways.map { way in
    Probe("a commit of something or nothing is told to the realm's listeners: \(way)") { stage in
      let realm = try stage.stocked()
      var told: [Bool] = []
      let token = realm.observe { _, realm in told.append(realm.isInWriteTransaction) }
      for round in 0..<4 {
        for changes in [true, false] {
          let what = "\(way) of \(changes ? "something" : "nothing")"
          let before = told.count
          var isDone = false
          func change() { if changes { realm.account(1).balance = 1_000 + round } }
          func finish(_ error: (any Error)?) {
            stage.expect(error == nil, "no error of \(what)")
            isDone = true
          }
          func commitLater(grouped: Bool = false) {
            realm.commitAsyncWrite(allowGrouping: grouped, finish)
            stage.equal(told.count - before, 1, "calls when commitAsyncWrite returned, \(what)")
          }
          func begin() {
            realm.beginWrite()
            change()
          }
          switch way {
          case "write":
            try realm.write { change() }
            isDone = true
          case "commitWrite":
            begin()
            try realm.commitWrite()
            isDone = true
          case "commitAsyncWrite":
            begin()
            commitLater()
          case "commitAsyncWrite without a completion":
            begin()
            realm.commitAsyncWrite()
            isDone = true
          case "writeAsync": realm.writeAsync({ change() }, onComplete: finish)
          case "beginAsyncWrite", "beginAsyncWrite, grouped":
            realm.beginAsyncWrite {
              change()
              commitLater(grouped: way != "beginAsyncWrite")
            }
          default:
            realm.beginAsyncWrite {
              change()
              try! realm.commitWrite()
              finish(nil)
            }
          }
          try stage.spin(until: { isDone }, "the end of \(what)")
          stage.equal(told.count - before, 1, "calls of the realm's listener for \(what)")
        }
      }
      stage.equal(told.contains(true), false, "whether a listener was called inside a write")
      token.invalidate()
    }
  }
}
