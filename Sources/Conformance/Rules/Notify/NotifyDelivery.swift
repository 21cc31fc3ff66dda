import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let delivery: [Rule] = [
    notify18, notify19, notify21, notify22, notify32,
  ]

  static let notify18 = Rule(
    "NOTIFY-18", .documented,
    "For foreign writes the callback MUST come when the observing realm is (auto)refreshed "
      + "to a version that includes them; at that moment the realm shows them.",
    source: "S4 Observe.",
    broken: "callback before advance",
    probes: [
      Probe("foreign writes are told at the refresh that shows them") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        var seen: [Int] = []
        let token = realm.objects(Account.self).observe { change in
          if case .update(let accounts, _, _, _) = change { seen.append(accounts[0].balance) }
        }
        var shown: [Int] = []
        let other = realm.observe { notification, realm in
          if notification == .didChange { shown.append(realm.account(1).balance) }
        }
        try stage.settle(realm)
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.settle(realm)
        stage.equal(seen, [], "calls before the refresh")
        realm.refresh()
        try stage.spin(until: { !seen.isEmpty }, "the call")
        stage.equal(seen, [7], "the balance in the call")
        stage.equal(shown, [7], "the balance when the realm's observer was called")
        token.invalidate()
        other.invalidate()
      }
    ] + [Probe.eachListenerHears("commits elsewhere")])

  static let notify19 = Rule(
    "NOTIFY-19", .documented,
    "For local writes the collection/object callback MUST come some time after the commit, "
      + "never inside it.",
    source: "S4 Observe.",
    broken: "callback inside commit",
    probes: [
      Probe("local writes are told after the commit, not in it") { stage in
        let realm = try stage.stocked()
        var calls = 0
        let tokens = [
          realm.objects(Account.self).observe { if case .update = $0 { calls += 1 } },
          realm.account(1).observe { _ in calls += 1 },
        ]
        try stage.settle(realm)
        try realm.write { realm.account(1).balance = 7 }
        stage.equal(calls, 0, "calls when the commit returned")
        try stage.spin(until: { calls == 2 }, "both calls")
        stage.equal(calls, 2, "calls later")
        for token in tokens { token.invalidate() }
      }
    ] + EachHome.after + [EachHome.notInside])

  static let notify21 = Rule(
    "NOTIFY-21", .documented,
    "Callbacks MUST run on the thread (run loop), queue or actor for which they were "
      + "registered, one at a time.",
    source: "S4 (\"on the given actor's executor\"); RS/Realm.swift:825.",
    broken: "helper thread; concurrent callbacks",
    probes: [
      Probe("callbacks come here, one at a time") { stage in
        let realm = try stage.stocked()
        let home = pthread_self()
        var inside = 0
        var most = 0
        var elsewhere = 0
        var calls = 0
        var tokens: [NotificationToken] = []
        for _ in 0..<3 {
          tokens.append(
            realm.objects(Account.self).observe { _ in
              inside += 1
              most = max(most, inside)
              if pthread_equal(home, pthread_self()) == 0 { elsewhere += 1 }
              calls += 1
              inside -= 1
            })
        }
        try stage.spin(until: { calls == 3 }, "the initial calls")
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { calls == 6 }, "the updates")
        stage.equal(most, 1, "how many ran at once")
        stage.equal(elsewhere, 0, "how many ran elsewhere")
        for token in tokens { token.invalidate() }
      }
    ] + EachHome.atHome + [OwnLoops.told, InnerLoops.told])

  static let notify22 = Rule(
    "NOTIFY-22", .implementation,
    "`observe(on: queue)` MUST deliver on that serial queue with a collection/object bound "
      + "to that queue.",
    source: "RS/Object.swift:290; RST:1473, 1063.",
    broken: "delivered on the registering thread",
    probes: [
      Probe("observe(on:) delivers on that queue, with its own collection") { stage in
        let realm = try stage.stocked()
        let queue = DispatchQueue(label: "serial")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 5)
        var events: [String] = []
        let token = realm.objects(Account.self).observe(on: queue) { change in
          let place = DispatchQueue.getSpecific(key: key) ?? 0
          switch change {
          case .initial(let accounts): events.append("\(place) initial \(accounts.count)")
          case .update(let accounts, _, _, let m):
            events.append("\(place) \(m) \(accounts[0].balance)")
          case .error: events.append("error")
          }
        }
        try stage.spin(until: { stage.on(queue) { events.count == 1 } }, "the initial call")
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { stage.on(queue) { events.count == 2 } }, "the update")
        stage.equal(stage.on(queue) { events }, ["5 initial 3", "5 [0] 7"], "the calls")
        token.invalidate()
      }
    ] + Probe.beforeTheQueueCame + Probe.delayedListeners)

  static let notify32 = Rule(
    "NOTIFY-32", .implementation,
    "Beginning a write inside a callback MUST be allowed; further notifications are "
      + "delivered recursively and consistently, `refresh()` there is a no-op.",
    source: "(impl) OCT/RealmTests.mm:949-1066; TOS/results.cpp:677-830.",
    broken: "deadlock, lost or repeated callbacks",
    probes: [
      Probe("writes inside notifications") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).sorted(byKeyPath: "id").observe { change in
          guard case .update(_, let d, let i, let m) = change else { return }
          events.append("\(d) \(i) \(m)")
          if events.count < 4 { try! realm.write { realm.add(Account(id: 10 + events.count)) } }
        }
        try stage.settle(realm)
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { events.count == 4 }, "four calls")
        try stage.settle(realm)
        stage.equal(events, ["[] [] [0]", "[] [3] []", "[] [4] []", "[] [5] []"], "the calls")
        token.invalidate()
      }
    ] + [.nestedWrites] + Probe.writingRealmListeners + Callback.probes([.main, .elsewhere]))
}
