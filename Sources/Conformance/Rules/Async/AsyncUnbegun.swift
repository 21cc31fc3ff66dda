import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Completions that hear that their write could not begin are completions like others: nothing
  /// asynchronous begins in them.
  static let beginsInUnbegun: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    ["beginAsyncWrite", "writeAsync", "writeAsync with a completion"].flatMap { verb in
      [1, 2, 5].map { number in
        Probe.dies(
          "\(verb) in the completion of write \(number) that cannot begin, on \(kind.rawValue)",
          saying: "Can't begin a write transaction from inside a commit completion callback"
        ) { stage in
          var configuration = stage.configuration()
          configuration.maximumNumberOfActiveVersions = 2
          let queue = kind == .queue ? DispatchQueue(label: "home") : nil
          func work<Value>(_ body: () throws -> Value) rethrows -> Value {
            if let queue { try queue.sync(execute: body) } else { try body() }
          }
          var (told, failed) = (0, 0)
          var held: [Realm] = []
          let realm = try work {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { Stage.stock(realm) }
            // With its own, one more than may be there when a write begins.
            for round in 1...2 {
              held.append(realm.freeze())
              try realm.write { realm.account(1).balance = round }
            }
            return realm
          }
          work {
            for place in 1...number {
              realm.writeAsync {
                realm.account(1).balance = place
              } onComplete: { error in
                told += 1
                if error != nil { failed += 1 }
                guard told == number, error != nil else { return }
                stage.act {
                  switch verb {
                  case "beginAsyncWrite": realm.beginAsyncWrite {}
                  case "writeAsync": realm.writeAsync {}
                  default:
                    realm.writeAsync {
                    } onComplete: { _ in
                    }
                  }
                }
              }
            }
          }
          try stage.spin(until: { work { told == number } }, "the completions")
          stage.equal(work { failed }, number, "how many writes could not begin")
          withExtendedLifetime(held) {}
        }
      }
    }
  }
}
