import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// When an id that stands for nothing is cancelled: before the block, in it, in a completion,
  /// behind all, in a plain write, in a listener's call.
  private enum IdMoment: String, CaseIterable {
    case asked = "when all have been asked for"
    case block = "in each block"
    case completion = "in each completion"
    case write = "in a plain write"
    case call = "in a listener's call"
    case later = "when all have ended"
  }

  /// Ids of what has ended, in each way there is, and such as nobody was given: at each home, at
  /// each moment, and twice.
  static let strayIds: [Probe] = [false, true].map { isOnQueue in
    Probe(
      "ids that stand for nothing cancel nobody, \(isOnQueue ? "on a queue" : "here")"
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for moment in IdMoment.allCases {
        let name = moment.rawValue
        let queue = isOnQueue ? DispatchQueue(label: "home") : nil
        func home<Value>(_ body: () throws -> Value) rethrows -> Value {
          if let queue { try queue.sync(execute: body) } else { try body() }
        }
        func wait(_ what: String, _ condition: () -> Bool) throws {
          try stage.spin(until: { home(condition) }, "\(what), \(name)")
        }
        let realm = try home {
          let realm = try Realm(configuration: stage.configuration(name), queue: queue)
          try realm.write { Stage.stock(realm) }
          return realm
        }
        // What has ended: by a commit, by its block, by a cancel, by its id, and a commit itself.
        var stray: [AsyncTransactionId] = [0, .max, .max - 1, .max / 2]
        var ended = 0
        home {
          stray.append(
            realm.writeAsync {
            } onComplete: { _ in
              ended += 1
            })
          stray.append(
            realm.beginAsyncWrite {
              stray.append(realm.commitAsyncWrite { _ in ended += 1 })
            })
          stray.append(
            realm.beginAsyncWrite {
              realm.cancelWrite()
              ended += 1
            })
          stray.append(realm.beginAsyncWrite { ended += 1 })
          let dropped = realm.writeAsync { ended += 100 }
          try? realm.cancelAsyncWrite(dropped)
          stray.append(dropped)
        }
        try wait("the end of those before") {
          ended == 4 && !realm.isPerformingAsynchronousWriteOperations
        }
        func cancel() {
          for id in stray + stray.reversed() {
            do { try realm.cancelAsyncWrite(id) } catch {
              stage.fail(expected: "no error for \(id)", observed: "\(error)")
            }
          }
        }
        var (ran, told): ([Int], [Int]) = ([], [])
        var token: NotificationToken?
        home {
          if moment == .call { token = realm.observe { _, _ in cancel() } }
          var given: [AsyncTransactionId] = []
          for number in 0..<6 {
            let body = {
              if moment == .block { cancel() }
              ran.append(number)
              realm.account(1).balance = number
            }
            let done: (Bool) -> Void = { isKept in
              if moment == .completion { cancel() }
              told.append(isKept ? number : -1)
            }
            switch number % 3 {
            case 0: given.append(realm.writeAsync(body, onComplete: { done($0 == nil) }))
            case 1:
              given.append(
                realm.beginAsyncWrite {
                  body()
                  realm.commitAsyncWrite(allowGrouping: number == 4) { done($0 == nil) }
                })
            default:
              given.append(
                realm.beginAsyncWrite {
                  body()
                  do { try realm.commitWrite() } catch {}
                  done(true)
                })
            }
          }
          // An id is used again at the earliest when all 32 bits have been.
          stage.expect(
            Set(given).isDisjoint(with: stray) && Set(given).count == 6,
            "ids of their own, \(name)",
            observed: "\(given) beside \(stray)")
          if moment == .asked { cancel() }
          if moment == .write {
            realm.beginWrite()
            cancel()
            realm.account(2).balance = 7
            realm.cancelWrite()
          }
        }
        try wait("six completions") { told.count == 6 }
        home {
          cancel()
          stage.equal(ran, Array(0..<6), "the blocks that ran, \(name)")
          stage.equal(told.sorted(), Array(0..<6), "the completions, \(name)")
          token?.invalidate()
        }
        stage.equal(try stage.seen(name) { $0.account(1).balance }, 5, "the balance, \(name)")
        // And the next one, too.
        var isDone = false
        home {
          realm.writeAsync {
            realm.account(1).balance = 6
          } onComplete: { _ in
            isDone = true
          }
          cancel()
        }
        try wait("the last write") { isDone }
        stage.equal(try stage.seen(name) { $0.account(1).balance }, 6, "the last one, \(name)")
      }
    }
  }
}
