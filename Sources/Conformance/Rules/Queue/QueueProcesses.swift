import EngineUnderTest
import Foundation
import Harness

/// Queues that hear of another process, where no realm lives elsewhere in this one.
enum QueueProcesses {
  /// What one queue has heard; touched there alone.
  private final class Ear {
    var realm: Realm?
    var tokens: [NotificationToken] = []
    var seen: [String: Int] = [:]
  }

  private static let writer: Probe.Body = { stage in
    while let line = stage.hear() {
      let realm = try stage.open()
      try realm.write { realm.account(1).balance = Int(line)! }
      stage.tell("written")
    }
  }

  static let probes: [Probe] = [1, 3].flatMap { count in
    [false, true].map { listens in
      Probe(
        "queues whose realms are all there are hear of another process: \(count), "
          + (listens ? "with listeners" : "by autorefresh alone"), companions: ["writer": writer]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queues = (0..<count).map { DispatchQueue(label: "home \($0)") }
        let ears = queues.map { _ in Ear() }
        for (queue, ear) in zip(queues, ears) {
          try stage.on(queue) {
            let realm = try Realm(configuration: stage.configuration(), queue: queue)
            ear.realm = realm
            let account = realm.account(1)
            stage.equal(account.balance, 100, "the balance at first")
            if !listens { return }
            ear.tokens = [
              realm.objects(Account.self).observe { _ in ear.seen["results"] = account.balance },
              realm.observe { _, _ in ear.seen["realm"] = account.balance },
              account.observe { (_: ObjectChange<Account>) in
                ear.seen["object"] = account.balance
              },
            ]
          }
        }
        let writer = try stage.companion("writer")
        for balance in [7, 8, 9] {
          writer.send("\(balance)")
          stage.equal(try stage.hear(writer, "its commit"), "written", "the other process")
          for (number, (queue, ear)) in zip(queues, ears).enumerated() {
            try stage.spin(
              until: {
                stage.on(queue) {
                  if listens {
                    return ear.seen == ["results": balance, "realm": balance, "object": balance]
                  }
                  return ear.realm?.account(1).balance == balance
                }
              }, "commit \(balance) of the other process on queue \(number)")
          }
        }
        for (queue, ear) in zip(queues, ears) {
          stage.on(queue) {
            stage.equal(ear.realm?.account(1).balance, 9, "the balance at last")
            for token in ear.tokens { token.invalidate() }
            (ear.realm, ear.tokens) = (nil, [])
          }
        }
        writer.closeInput()
        use(writer.remains())
      }
    }
  }
}
