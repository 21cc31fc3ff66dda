import EngineUnderTest
import Foundation
import Harness

/// Queues of every make: serial ones are homes, concurrent ones are none.
enum QueueMakes {
  private typealias Make = (name: String, make: @Sendable () -> DispatchQueue)

  private static let serial: [Make] = [
    ("a plain one", { DispatchQueue(label: "queue") }),
    ("one of a quality of service", { DispatchQueue(label: "queue", qos: .utility) }),
    ("one that targets a global queue", { DispatchQueue(label: "queue", target: .global()) }),
    (
      "one that targets another global queue",
      { DispatchQueue(label: "queue", target: .global(qos: .utility)) }
    ),
    (
      "one that targets a serial queue",
      { DispatchQueue(label: "queue", target: DispatchQueue(label: "target")) }
    ),
    (
      "one that targets a concurrent queue",
      {
        DispatchQueue(
          label: "queue", target: DispatchQueue(label: "target", attributes: .concurrent))
      }
    ),
    (
      "one that lets go behind each block",
      { DispatchQueue(label: "queue", autoreleaseFrequency: .workItem) }
    ),
    (
      "one that was inactive at first",
      {
        let queue = DispatchQueue(label: "queue", attributes: .initiallyInactive)
        queue.activate()
        return queue
      }
    ),
    (
      "one whose target was set later",
      {
        let queue = DispatchQueue(label: "queue", attributes: .initiallyInactive)
        queue.setTarget(queue: .global(qos: .background))
        queue.activate()
        return queue
      }
    ),
  ]

  private static let concurrent: [Make] = [
    ("a plain one", { DispatchQueue(label: "queue", attributes: .concurrent) }),
    (
      "one that targets a serial queue",
      {
        DispatchQueue(
          label: "queue", attributes: .concurrent, target: DispatchQueue(label: "target"))
      }
    ),
    ("a global one for the background", { .global(qos: .background) }),
    ("a global one for the user", { .global(qos: .userInteractive) }),
  ]

  static let homes: [Probe] = serial.map { name, make in
    Probe("a serial queue is a home: \(name)") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let queue = make()
      var realm: Realm?
      var token: NotificationToken?
      var told: [Int] = []
      var isDone = false
      try stage.on(queue) {
        realm = try Realm(configuration: stage.configuration(), queue: queue)
        token = realm!.objects(Account.self).observe { _ in told.append(realm!.account(1).balance) }
      }
      try stage.spin(until: { stage.on(queue) { told == [100] } }, "the first call")
      try stage.foreign { $0.account(1).balance = 7 }
      try stage.spin(until: { stage.on(queue) { told == [100, 7] } }, "the call for a commit")
      stage.on(queue) {
        _ = realm!.writeAsync({ realm!.account(1).balance = 8 }, onComplete: { _ in isDone = true })
      }
      try stage.spin(until: { stage.on(queue) { isDone } }, "the completion")
      stage.equal(try stage.seen { $0.account(1).balance }, 8, "what was written")
      stage.on(queue) {
        token?.invalidate()
        realm = nil
      }
    }
  }

  static let none: [Probe] = concurrent.map { name, make in
    Probe(
      "a concurrent queue is no home: \(name)",
      refusing: ["Realms can only be confined to serial queues or the main queue"]
    ) { stage in
      let queue = make()
      stage.on(queue) {
        stage.act { use(try Realm(configuration: stage.configuration(), queue: queue)) }
      }
    }
  }
}
