import EngineUnderTest
import Foundation
import Harness

extension Rules.Queue {
  static let working: [Rule] = [
    queue08, queue09, queue12,
  ]

  static let queue08 = Rule(
    "QUEUE-08", .documented,
    "Observation and autorefresh MUST work on queue realms without any run loop: callbacks "
      + "arrive as blocks on the queue.",
    source: "S0 Create a Serial Queue; OCT/RealmTests.mm:2108; AsyncTests.mm:985.",
    broken: "needs a run loop; callback on helper thread",
    probes: [
      Probe("observation and autorefresh work on a queue") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queue = DispatchQueue(label: "serial")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 5)
        var realm: Realm?
        var token: NotificationToken?
        var events: [String] = []
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          token = realm!.objects(Account.self).observe { change in
            let place = DispatchQueue.getSpecific(key: key) ?? 0
            switch change {
            case .initial: events.append("initial on \(place)")
            case .update(let accounts, _, _, let modified):
              events.append("update \(modified) \(accounts[0].balance) on \(place)")
            case .error: events.append("error")
            }
          }
        }
        try stage.spin(until: { stage.on(queue) { events.count == 1 } }, "the initial callback")
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { stage.on(queue) { events.count == 2 } }, "the update")
        stage.on(queue) {
          stage.equal(events, ["initial on 5", "update [0] 7 on 5"], "the callbacks")
          stage.equal(realm!.account(1).balance, 7, "the balance in the queue's realm")
          token?.invalidate()
          realm = nil
        }
      }
    ] + Callback.probes([.queue]) + Crossings.keptQueues + [QueueResting.probe]
      + Probe.crowdsOfListeners
      + QueueProcesses.probes + QueueMain.residents
      + [.advancesInStates(.limited, .queue), .newsInStates(.versioned, .queue)])

  static let queue09 = Rule(
    "QUEUE-09", .documented,
    "Async writes MUST work on queue realms; begin block and completion run on the queue.",
    source: "S0 Perform a Background Write (\"on the source thread\"); OCT/RealmTests.mm:1927.",
    broken: "completion on I/O thread (real bug fixed in core 11.10)",
    probes: [
      Probe("begin block and completion run on the queue") { stage in
        let queue = DispatchQueue(label: "serial")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 5)
        var places: [Int] = []
        let done = Latch("the completion")
        var realm: Realm?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          realm!.writeAsync {
            places.append(DispatchQueue.getSpecific(key: key) ?? 0)
            realm!.add(Account(id: 1))
          } onComplete: { _ in
            places.append(DispatchQueue.getSpecific(key: key) ?? 0)
            done.open()
          }
        }
        try stage.wait(for: done)
        stage.equal(stage.on(queue) { places }, [5, 5], "where block and completion ran")
        stage.equal(try stage.seen { $0.objects(Account.self).count }, 1, "the accounts")
        stage.on(queue) { realm = nil }
      }
    ] + [LateWrites.onQueue.probe, Probe.failuresOnQueues] + Crossings.busyHomes
      + Probe.crowdsOfQueues
      + [RealmMake.memory, .copied].map { .asynchronousInStates($0, .queue) })

  static let queue12 = Rule(
    "QUEUE-12", .documented,
    "Work submitted to the queue MUST NOT be blocked by the engine while an async write "
      + "waits for the lock: other blocks on the queue run in between.",
    source: "S0 Perform a Background Write; S2.",
    broken: "begin blocks the queue",
    probes: [
      Probe("the queue stays free while an async write waits for the lock") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let release = Latch("the other block having run")
        let writer = try stage.holdingWrite(until: release)
        let queue = DispatchQueue(label: "serial")
        let done = Latch("the async write")
        var realm: Realm?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          realm!.beginAsyncWrite {
            stage.stamps.mark("got")
            realm!.cancelWrite()
            done.open()
          }
        }
        let other = Latch("another block on the queue")
        stage.later(on: queue) {
          stage.stamps.mark("other block")
          other.open()
        }
        try stage.wait(for: other)
        release.open()
        try stage.join(writer)
        try stage.wait(for: done)
        stage.ordered("other block", before: "release")
        stage.ordered("release", before: "got")
        stage.on(queue) { realm = nil }
      }
    ] + Probe.lateQueues + LateTurns.onQueues)
}
