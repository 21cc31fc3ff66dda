import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A queue that is busy when its write could begin, so that others are let in before.
  static let lateQueues = ["writeAsync", "beginAsyncWrite"].map { verb in
    Probe("a queue that comes late for its \(verb) runs other blocks while others write") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let queue = DispatchQueue(label: "late")
      var realm: Realm?
      try stage.on(queue) {
        realm = try Realm(configuration: stage.configuration(), queue: queue)
        use(realm!.account(1).balance)
      }
      let (inside, release) = (Latch("the other's write"), Latch("the other's end"))
      let (ran, done) = (Latch("another block of the queue"), Latch("the queue's own write"))
      stage.later(on: queue) {
        if verb == "writeAsync" {
          realm!.writeAsync {
            realm!.account(1).balance = 7
          } onComplete: { _ in
            done.open()
          }
        } else {
          realm!.beginAsyncWrite {
            realm!.account(1).balance = 7
            realm!.commitAsyncWrite { _ in done.open() }
          }
        }
        stage.thread("the other") {
          let other = try stage.open()
          other.beginWrite()
          inside.open()
          try stage.wait(for: release)
          other.cancelWrite()
        }
        // An engine may keep others out until the queue has come; then there is nothing to see.
        _ = inside.wait(.seconds(3))
      }
      stage.later(on: queue) { ran.open() }
      try stage.wait(for: ran)
      stage.expect(true, "another block of the queue runs")
      release.open()
      try stage.wait(for: done)
      try stage.joinAll()
      stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      stage.on(queue) { realm = nil }
    }
  }

  /// What must be serial, wherever a queue is named.
  static let concurrentListeners = ["a collection", "an object", "a list", "a map"].map { what in
    Probe.refuses("\(what) observed on a concurrent queue", saying: "Invalid queue") { stage in
      let realm = try stage.stocked()
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let all = try realm.write { realm.create(Everything.self) }
      stage.act {
        switch what {
        case "a collection": use(realm.objects(Account.self).observe(on: queue) { _ in })
        case "an object": use(realm.account(1).observe(on: queue) { _ in })
        case "a list": use(realm.person("Ann").dogs.observe(on: queue) { _ in })
        default: use(all.scores.observe(on: queue) { _ in })
        }
        // Refused where it is called, or where it comes to: behind that there is nothing more.
        queue.sync(flags: .barrier) {}
      }
    }
  }
}
