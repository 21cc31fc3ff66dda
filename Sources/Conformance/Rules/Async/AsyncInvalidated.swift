import EngineUnderTest
import Foundation

// What is under way while somebody invalidates the realm, from the middle of it.

extension Probe {
  /// Of several commits one's completion, whichever it is, invalidates the realm: the others are
  /// told all the same, once each and in their order.
  static let invalidatingCompletions = [false, true].map { grouping in
    Probe("invalidate() in a completion drops none behind it, \(grouping ? "" : "not ")grouped") {
      stage in
      for culprit in 0..<4 {
        let name = "\(culprit)"
        let realm = try stage.stocked(name)
        // What is made when the realm is invalidated is told; blocks that wait then are dropped.
        var (made, told) = ([Int](), [Int]())
        for number in 0..<4 {
          realm.beginAsyncWrite {
            realm.account(1).balance = number
            made.append(number)
            realm.commitAsyncWrite(allowGrouping: grouping) { error in
              stage.expect(error == nil, "commit \(number) went well", observed: "\(error!)")
              told.append(number)
              if number == culprit { realm.invalidate() }
            }
          }
        }
        try stage.spin(until: { told.contains(culprit) }, "the completion that invalidates")
        // Behind all that was due with it.
        try stage.settle(realm)
        try stage.settle(realm)
        stage.equal(told, made, "the completions, of which number \(culprit) invalidates")
        stage.equal(
          try stage.seen(name) { $0.account(1).balance }, made.last, "the balance elsewhere")
        stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "whether work is left")
      }
    }
  }

  /// A listener of the realm, of a collection or of an object invalidates it in the call that tells
  /// of an asynchronous commit: what was committed stays.
  static let invalidatingListeners = [false, true].map { grouping in
    Probe("invalidate() in the news of an asynchronous commit, \(grouping ? "" : "not ")grouped") {
      stage in
      for listener in 0..<3 {
        let name = "\(listener)"
        let realm = try stage.stocked(name)
        var isOn = false
        func call() { if isOn { realm.invalidate() } }
        let token =
          switch listener {
          case 0: realm.observe { _, _ in call() }
          case 1: realm.objects(Account.self).observe { _ in call() }
          default: realm.account(1).observe { (_: ObjectChange<Account>) in call() }
          }
        try stage.settle(realm)
        isOn = true
        var failures: [Bool] = []
        for number in 1...2 {
          realm.beginAsyncWrite {
            realm.account(1).balance = number
            realm.account(2).balance += 1
            realm.commitAsyncWrite(allowGrouping: grouping) { failures.append($0 != nil) }
          }
        }
        try stage.spin(until: { failures.count == 2 }, "the completions of both")
        isOn = false
        stage.equal(failures, [false, false], "whether they failed, with listener \(listener)")
        stage.equal(
          try stage.seen(name) { [$0.account(1).balance, $0.account(2).balance] }, [2, 102 + 100],
          "the balances elsewhere, with listener \(listener)")
        token.invalidate()
      }
    }
  }
}
