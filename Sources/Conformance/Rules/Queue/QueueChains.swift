import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Queues that stand on each other, above the one that has the realm.
  static let chainsOfQueues: [Probe] = [1, 2, 3, 5, 9, 17].map { depth in
    Probe("code on a queue that is \(depth) above the realm's is at home, and no other is") {
      stage in
      let queue = DispatchQueue(label: "the realm's")
      var chain = [queue]
      for number in 1...depth {
        chain.append(DispatchQueue(label: "\(number) above", target: chain[number - 1]))
      }
      let beside = DispatchQueue(label: "beside", target: chain[depth / 2])
      var realm: Realm! = try queue.sync {
        let realm = try Realm(configuration: stage.configuration(), queue: queue)
        try realm.write { Stage.stock(realm) }
        return realm
      }
      for (number, place) in (chain + [beside]).enumerated() {
        try place.sync {
          try realm.write { realm.account(1).balance = number }
          stage.equal(realm.account(1).balance, number, "the balance at \(number)")
          let again = try Realm(configuration: stage.configuration(), queue: queue)
          stage.expect(again == realm, "the realm of the queue, opened at \(number)")
        }
        let done = Latch("a completion of what was asked for at \(number)")
        stage.later(on: place) {
          realm.writeAsync {
            realm.account(2).balance = number
          } onComplete: { _ in
            stage.equal(realm.account(2).balance, number, "the balance in the completion")
            done.open()
          }
        }
        try stage.wait(for: done)
      }
      queue.sync { realm = nil }
    }
  }
}
