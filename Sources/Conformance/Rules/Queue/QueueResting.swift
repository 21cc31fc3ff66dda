import EngineUnderTest
import Foundation
import Harness

/// Realms of queues that do not autorefresh: they stay, and are told that they have to be
/// refreshed.
enum QueueResting {
  static let probe = Probe("a queue's realm with autorefresh off is told of each commit") { stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let queue = DispatchQueue(label: "home")
    var realm: Realm?
    var token: NotificationToken?
    var told: [Realm.Notification] = []
    try stage.on(queue) {
      realm = try Realm(configuration: stage.configuration(), queue: queue)
      realm!.autorefresh = false
      use(realm!.account(1).balance)
      token = realm!.observe { notification, _ in told.append(notification) }
    }
    for round in 1...3 {
      try stage.foreign { $0.account(1).balance = round }
      try stage.spin(
        until: { stage.on(queue) { !told.isEmpty } }, "the call for commit \(round)")
      stage.on(queue) {
        stage.equal(told, [.refreshRequired], "what it is told of commit \(round)")
        stage.expect(realm!.account(1).balance != round, "the version before commit \(round)")
        told = []
        realm!.refresh()
        stage.equal(realm!.account(1).balance, round, "what it shows after a refresh")
        stage.equal(told, [.didChange], "what it is told of a refresh")
        told = []
      }
    }
    stage.on(queue) {
      token?.invalidate()
      realm = nil
    }
  }
}
