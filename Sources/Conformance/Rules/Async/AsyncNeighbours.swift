import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Asynchronous commits of each kind, few and many, that a plain one comes behind.
  static let plainAfterOthers: [Probe] = ["alone", "grouped", "in turns"].flatMap { kind in
    [false, true].map { isInBlock in
      Probe(
        "a plain commit delivers the completions of all before it: \(kind)"
          + (isInBlock ? ", in a block that has its turn" : "")
      ) { stage in
        for count in [1, 2, 3, 20] {
          for end in ["write", "commitWrite", "a write of nothing"] {
            let file = "\(count) \(end)"
            let realm = try stage.stocked(file)
            var order: [Int] = []
            var wanted = Array(0..<count)
            func commit(_ number: Int) {
              realm.account(1).balance = number
              realm.commitAsyncWrite(
                allowGrouping: kind == "grouped" || kind == "in turns" && number % 2 == 0
              ) { error in
                order.append(error == nil ? number : -1)
              }
            }
            func plain() throws {
              switch end {
              case "write": try realm.write { realm.account(2).balance = count }
              case "a write of nothing": try realm.write {}
              default:
                realm.beginWrite()
                realm.account(2).balance = count
                try realm.commitWrite()
              }
              stage.equal(order, wanted, "the completions of \(count), after \(end)")
            }
            if isInBlock {
              var isDone = false
              realm.beginAsyncWrite {
                commit(0)
                for number in 1..<max(count, 1) {
                  realm.beginWrite()
                  commit(number)
                }
                do { try plain() } catch { stage.fail(expected: "a commit", observed: "\(error)") }
                isDone = true
              }
              try stage.spin(until: { isDone }, "the block")
            } else {
              for number in 0..<count {
                realm.beginWrite()
                commit(number)
              }
              try plain()
              // And again, behind one of those that are known already.
              realm.beginWrite()
              commit(count)
              wanted.append(count)
              try plain()
            }
            try stage.spin(
              until: { !realm.isPerformingAsynchronousWriteOperations }, "the end of all")
            stage.equal(order, wanted, "all completions, in the end")
            stage.equal(
              try stage.seen(file) { $0.account(1).balance }, wanted.last, "the last balance")
          }
        }
      }
    }
  }
}
