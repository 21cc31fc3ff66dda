import EngineUnderTest
import Foundation
import Harness

extension Rules.Refresh {
  static let autorefresh: [Rule] = [
    refresh08, refresh09, refresh10, refresh11, refresh12, refresh13, refresh14, refresh18,
  ]

  static let refresh08 = Rule(
    "REFRESH-08", .documented,
    "`autorefresh` MUST default to true.",
    source: "RS/Realm.swift:884; S0 Refreshing code.",
    broken: "default false",
    probes: [
      Probe("autorefresh is on: main thread, plain thread, queue") { stage in
        stage.equal(try stage.open().autorefresh, true, "on the main thread")
        try stage.elsewhere { stage.equal(try stage.open().autorefresh, true, "on a plain thread") }
        let queue = DispatchQueue(label: "serial")
        try stage.on(queue) {
          let realm = try Realm(configuration: stage.configuration(), queue: queue)
          stage.equal(realm.autorefresh, true, "on a queue")
        }
      },
      Probe.task("autorefresh is on: actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        stage.equal(await keeper.with { _, realm in realm.autorefresh }, true, "on an actor")
      },
    ] + RefreshHomes.defaults)

  static let refresh09 = Rule(
    "REFRESH-09", .documented,
    "With autorefresh on, a realm on a run-loop thread, serial queue or actor MUST advance "
      + "by itself after a foreign commit, without any call, once its loop/queue/executor gets "
      + "to run.",
    source: "S0/S1/S3 Refreshing (\"event loop thread ... automatically refreshes at the beginning "
      + "of that thread's loop\"); S4 (\"(auto)refreshed\").",
    broken: "only on open; only with observers",
    probes: [
      Probe("the main thread's realm advances by itself") { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { account.balance == 7 }, "the realm's advance")
        stage.equal(realm.account(1).balance, 7, "the balance")
      },
      Probe("a queue's realm advances by itself") { stage in
        let queue = DispatchQueue(label: "serial")
        var realm: Realm?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          try realm!.write { Stage.stock(realm!) }
          use(realm!.account(1).balance)
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(
          until: { stage.on(queue) { realm!.account(1).balance == 7 } }, "the realm's advance")
        stage.equal(stage.on(queue) { realm!.account(1).balance }, 7, "the balance")
      },
    ] + Probe.commitsDuringCalls + RefreshHomes.advances
      + [OwnLoops.advances, FirstOfItsClass.appears])

  static let refresh10 = Rule(
    "REFRESH-10", .documented,
    "It MUST NOT advance in the middle of a synchronous stretch of code on that thread.",
    source: "S0/S1/S3 (\"at the beginning of that thread's loop\").",
    broken: "refresh on read",
    probes: [
      Probe("nothing moves within one stretch of code") { stage in
        let realm = try stage.stocked()
        for round in 1...5 {
          realm.refresh()
          let account = realm.account(1)
          let before = account.balance
          try stage.foreign { $0.account(1).balance = round }
          for _ in 0..<200 { sched_yield() }
          stage.equal(account.balance, before, "the balance in the same stretch")
          stage.equal(realm.account(1).balance, before, "the balance, read afresh")
        }
      }
    ] + Probe.firstUses)

  static let refresh11 = Rule(
    "REFRESH-11", .documented,
    "With autorefresh off it MUST NOT advance by itself, on any kind of thread.",
    source: "S0/S1/S3.",
    broken: "flag ignored on queue realms",
    probes: [
      Probe("with autorefresh off the main thread's realm stays") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let account = realm.account(1)
        use(account.balance)
        var told: [Realm.Notification] = []
        let token = realm.observe { notification, _ in told.append(notification) }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { !told.isEmpty }, "the notification")
        stage.equal(account.balance, 100, "the balance after the loop ran")
        realm.refresh()
        stage.equal(account.balance, 7, "the balance after the refresh")
        token.invalidate()
      },
      Probe("with autorefresh off a queue's realm stays") { stage in
        let queue = DispatchQueue(label: "serial")
        var realm: Realm?
        var told = 0
        var token: NotificationToken?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          try realm!.write { Stage.stock(realm!) }
          realm!.autorefresh = false
          use(realm!.account(1).balance)
          token = realm!.observe { _, _ in told += 1 }
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { stage.on(queue) { told > 0 } }, "the notification")
        stage.on(queue) {
          stage.equal(realm!.account(1).balance, 100, "the balance after the notification")
          realm!.refresh()
          stage.equal(realm!.account(1).balance, 7, "the balance after the refresh")
          token?.invalidate()
          realm = nil
        }
      },
    ] + [.autorefreshStaysOff] + Probe.endsOfAutorefresh + [RefreshHomes.stays, OwnLoops.stays])

  static let refresh12 = Rule(
    "REFRESH-12", .documented,
    "On a loopless thread it MUST never advance by itself even with autorefresh true.",
    source: "S0/S1/S3 (\"must manually refresh\").",
    broken: "timer thread refreshes",
    probes: [
      Probe("a thread without loop never moves by itself") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        try stage.elsewhere("loopless") {
          let realm = try stage.open()
          stage.equal(realm.autorefresh, true, "autorefresh")
          let account = realm.account(1)
          use(account.balance)
          for round in 1...10 {
            try stage.foreign { $0.account(1).balance = round }
            for _ in 0..<50 { sched_yield() }
            guard stage.equal(account.balance, 100, "the balance"),
              stage.equal(realm.account(1).balance, 100, "the balance found anew")
            else { return }
          }
          realm.refresh()
          stage.equal(account.balance, 10, "the balance after the refresh")
        }
      }
    ])

  static let refresh13 = Rule(
    "REFRESH-13", .documented,
    "With autorefresh off, realm observers MUST get `.refreshRequired` for a foreign "
      + "commit; with it on, `.didChange` after the advance.",
    source: "RS/Realm.swift:874 + Notification 1143; S0.",
    broken: "wrong kind of notification, both, or none",
    probes: [
      Probe("with autorefresh on: didChange after the advance") { stage in
        let realm = try stage.stocked()
        var told: [String] = []
        let token = realm.observe { notification, realm in
          told.append("\(notification.rawValue) \(realm.account(1).balance)")
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { !told.isEmpty }, "the notification")
        stage.expect(
          told.first!.lowercased().contains("didchange") && told.first!.hasSuffix(" 7"),
          "didChange, with the new balance", observed: told.first!)
        token.invalidate()
      },
      Probe("with autorefresh off: refreshRequired before it") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        var told: [Realm.Notification] = []
        var seen: [Int] = []
        let token = realm.observe { notification, realm in
          told.append(notification)
          seen.append(realm.account(1).balance)
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { !told.isEmpty }, "the notification")
        stage.equal(told.first, .refreshRequired, "the notification")
        stage.equal(seen.first, 100, "the balance in it")
        token.invalidate()
      },
      Probe("with autorefresh off: of each commit, refreshed to or not") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        var told: [Realm.Notification] = []
        let token = realm.observe { notification, _ in told.append(notification) }
        for round in 0..<6 {
          told = []
          try stage.foreign { $0.account(1).balance = round }
          try stage.spin(until: { !told.isEmpty }, "the notification of commit \(round)")
          stage.equal(told.first, .refreshRequired, "the notification of commit \(round)")
          guard round % 2 == 1 else { continue }
          realm.refresh()
          stage.equal(realm.account(1).balance, round, "the balance after a refresh")
          try realm.write { realm.account(2).balance = round }
        }
        token.invalidate()
      },
      .ownMovesAreNoNews,
    ] + Beyond.unread
      + Probe.advancesInEachState)

  static let refresh14 = Rule(
    "REFRESH-14", .implementation,
    "`autorefresh` MUST read false on a frozen realm, and setting it to true MUST die.",
    source: "(impl) OCT 2530.",
    broken: "settable",
    probes: [
      Probe("a frozen realm's autorefresh is off") { stage in
        stage.equal(try stage.stocked().freeze().autorefresh, false, "autorefresh")
      },
      Probe.dies(
        "autorefresh of a frozen realm is set",
        saying: "Auto-refresh cannot be enabled for frozen Realms"
      ) { stage in
        let frozen = try stage.stocked().freeze()
        stage.act { frozen.autorefresh = true }
      },
    ])

  static let refresh18 = Rule(
    "REFRESH-18", .implementation,
    "Setting `autorefresh` MUST affect the shared instance of the thread (CONFINE-10) and "
      + "be forgotten when the instance dies.",
    source: "RS/Realm.swift:878-883.",
    broken: "per-value flag",
    probes: [
      Probe("autorefresh belongs to the thread's instance and dies with it") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        do {
          let one = try stage.open()
          let two = try stage.open()
          one.autorefresh = false
          stage.equal(two.autorefresh, false, "the flag read through the other value")
          two.autorefresh = true
          stage.equal(one.autorefresh, true, "the flag after the other set it")
          one.autorefresh = false
        }
        stage.equal(try stage.open().autorefresh, true, "the flag of a new instance")
      }
    ] + [RefreshHomes.ofTheInstance] + OpenedAgain.probes)
}
