import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let realms: [Rule] = [
    notify01, notify02, notify03, notify33, notify34, notify35, notify36,
  ]

  static let notify01 = Rule(
    "NOTIFY-01", .documented,
    "Realm observers (`Realm.observe`) MUST be called after every commit made in any thread "
      + "or process (coalescing allowed), also after one that failed.",
    source: "S0/S1/S3 Communication (\"react to changes made on any thread, use notifications\"); "
      + "RS/Realm.swift:823.",
    broken: "only in-process; the commit after a failed one is not told",
    probes: [
      Probe("realm observers hear of commits here, on other threads, and coalesced") { stage in
        let realm = try stage.stocked()
        var calls = 0
        let token = realm.observe { _, _ in calls += 1 }
        try realm.write { realm.account(1).balance = 1 }
        stage.equal(calls, 1, "calls after an own commit")
        try stage.foreign { $0.account(1).balance = 2 }
        try stage.spin(until: { calls >= 2 }, "the call for a foreign commit")
        let before = calls
        for round in 0..<5 { try stage.foreign { $0.account(1).balance = round } }
        try stage.spin(
          until: { realm.account(1).balance == 4 && calls > before }, "the call for five commits")
        stage.expect(
          calls <= before + 5, "at most one call per commit", observed: "\(calls - before)")
        token.invalidate()
      },
      Probe(
        "realm observers hear of commits of another process",
        companions: Probe.writer
      ) { stage in
        let realm = try stage.stocked()
        var seen: Int?
        let token = realm.observe { _, realm in seen = realm.account(1).balance }
        let writer = try stage.companion("writer")
        _ = try stage.hear(writer, "its commit")
        try stage.spin(until: { seen != nil }, "the call")
        stage.equal(seen, 7, "the balance in the call")
        use(writer.remains())
        token.invalidate()
      },
      Probe("realm observers hear of the commit after one that failed") { stage in
        let realm = try stage.stocked()
        try stage.failsToCommit(realm)
        var calls = 0
        let token = realm.observe { _, _ in calls += 1 }
        try stage.foreign { $0.account(1).balance = 2 }
        try stage.spin(until: { calls > 0 }, "the call for the commit after a failed one")
        stage.equal(realm.account(1).balance, 2, "the balance after the call")
        token.invalidate()
      },
    ] + Beyond.oneCall + Probe.tellsOnce)

  static let notify02 = Rule(
    "NOTIFY-02", .implementation,
    "For commits by the same realm instance they MUST be called synchronously inside the "
      + "commit; for foreign ones asynchronously on the observer's thread.",
    source: "RS/Realm.swift:303-308; TOS/realm.cpp:3057-3075.",
    broken: "all asynchronous; or foreign ones inside the foreign thread",
    probes: [
      Probe("own commits: inside; foreign ones: later, here") { stage in
        let realm = try stage.stocked()
        let home = pthread_self()
        var calls: [String] = []
        let token = realm.observe { _, _ in
          calls.append(pthread_equal(home, pthread_self()) != 0 ? "here" : "elsewhere")
        }
        realm.beginWrite()
        realm.account(1).balance = 1
        stage.equal(calls, [], "calls before the commit")
        try realm.commitWrite()
        stage.equal(calls, ["here"], "calls when the commit returned")
        try stage.foreign { $0.account(1).balance = 2 }
        stage.equal(calls, ["here"], "calls right after a foreign commit")
        try stage.spin(until: { calls.count == 2 }, "the call for it")
        stage.equal(calls, ["here", "here"], "where the calls were made")
        token.invalidate()
      }
    ])

  static let notify03 = Rule(
    "NOTIFY-03", .documented,
    "Realm observers MUST be called even if no data of interest changed or the commit was "
      + "empty.",
    source: "WRITE-21; OCT/RealmTests.mm:1404.",
    broken: "suppressed when nothing changed",
    probes: [
      Probe("empty and unrelated commits are told to realm observers") { stage in
        let realm = try stage.stocked()
        var calls = 0
        let token = realm.observe { _, _ in calls += 1 }
        try realm.write {}
        stage.equal(calls, 1, "calls after an empty commit")
        try realm.write { realm.add(Todo(value: ["name": "x"])) }
        stage.equal(calls, 2, "calls after an unrelated commit")
        token.invalidate()
      }
    ])

  static let notify33 = Rule(
    "NOTIFY-33", .implementation,
    "A cancelled write MUST produce no realm, collection or object notifications.",
    source: "RS/Realm.swift:363.",
    broken: "observers see the rolled-back state",
    probes: [
      Probe("a cancelled write is told to nobody") { stage in
        let realm = try stage.stocked()
        let listeners = Listeners(realm)
        try stage.settle(realm)
        realm.beginWrite()
        realm.account(1).balance = 7
        realm.cancelWrite()
        try stage.settle(realm)
        stage.equal(listeners.told, [], "the calls for the cancelled write")
        try realm.write { realm.account(1).balance = 8 }
        try stage.spin(until: { listeners.told.count == 3 }, "the calls for a real one")
        stage.equal(
          listeners.told.sorted(), ["collection", "object", "realm"], "the calls for a real one")
        listeners.end()
      }
    ] + [Probe.eachListenerHears("cancelled writes")] + [.changesTakenBack, .nothingIsTold])

  static let notify34 = Rule(
    "NOTIFY-34", .documented,
    "Changes by another process MUST reach observers in this process without polling by the "
      + "user.",
    source: "S4 (\"different threads or in different processes\").",
    broken: "needs refresh",
    probes: [
      Probe(
        "collection observers hear of another process",
        companions: Probe.writer
      ) { stage in
        let realm = try stage.stocked()
        var seen: [Int] = []
        let token = realm.objects(Account.self).observe {
          if case .update(let accounts, _, _, _) = $0 { seen.append(accounts[0].balance) }
        }
        try stage.settle(realm)
        let writer = try stage.companion("writer")
        _ = try stage.hear(writer, "its commit")
        try stage.spin(until: { !seen.isEmpty }, "the call")
        stage.equal(seen, [7], "the balance in the call")
        use(writer.remains())
        token.invalidate()
      },
      Probe(
        "each of several listening processes hears of each commit",
        companions: [
          "listener": { stage in
            let realm = try stage.open()
            var seen = -1
            let token = realm.observe { _, realm in
              let balance = realm.account(1).balance
              if balance != seen { stage.tell("\(balance)") }
              seen = balance
            }
            stage.tell("listens")
            try stage.spin(until: { seen == 1_000 }, "the last commit")
            token.invalidate()
          }
        ]
      ) { stage in
        let realm = try stage.stocked()
        let listeners = try (0..<4).map { _ in try stage.companion("listener") }
        for listener in listeners { _ = try stage.hear(listener, "that it listens") }
        for balance in [500, 501, 502, 1_000] {
          try realm.write { realm.account(1).balance = balance }
          for (number, listener) in listeners.enumerated() {
            // Before the first commit it may have been told of the file as it was.
            var line = try stage.hear(listener, "commit \(balance), by listener \(number)")
            if line == "100" { line = try stage.hear(listener, "commit \(balance)") }
            stage.equal(line, "\(balance)", "what listener \(number) sees")
          }
        }
        for listener in listeners { use(listener.remains()) }
      },
      Probe(
        "what another process commits before anybody listens comes with the first turn",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            stage.tell("ready")
            _ = stage.hear()
            try realm.write { realm.account(1).balance = 7 }
            stage.tell("written")
            _ = stage.hear()
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let writer = try stage.companion("writer")
        _ = try stage.hear(writer, "that it is ready")
        let realm = try stage.open()
        stage.equal(realm.account(1).balance, 100, "the balance before")
        writer.send("go")
        // No turn of the loop until it has committed.
        _ = try stage.hear(writer, "its commit")
        var seen: [Int] = []
        let token = realm.observe { _, realm in seen.append(realm.account(1).balance) }
        try stage.spin(until: { seen.contains(7) }, "the news of the commit")
        stage.equal(realm.account(1).balance, 7, "the balance behind the first turns")
        writer.send("end")
        use(writer.remains())
        token.invalidate()
      },
    ] + [Programs.tellingOfNeighbours.probe] + Probe.homesOfFiles
      + Probe.homesOfFilesAtOnce)

  static let notify35 = Rule(
    "NOTIFY-35", .implementation,
    "No spurious notification MUST arise from another process merely opening or reading.",
    source: "(impl) OCT/InterprocessTests.m:220.",
    broken: "file-watch on any access",
    probes: [
      Probe(
        "another process that only reads is not told",
        companions: [
          "reader": { stage in
            let realm = try stage.open()
            use(realm.account(1).balance)
            stage.tell("read")
            _ = stage.hear()
            try realm.write { realm.account(1).balance = 7 }
            stage.tell("written")
          }
        ]
      ) { stage in
        let realm = try stage.stocked()
        var calls = 0
        let token = realm.observe { _, _ in calls += 1 }
        let reader = try stage.companion("reader")
        _ = try stage.hear(reader, "its read")
        try stage.settle(realm)
        stage.equal(calls, 0, "calls while the other only read")
        reader.send("write")
        _ = try stage.hear(reader, "its commit")
        try stage.spin(until: { calls > 0 }, "the call for a commit")
        stage.equal(calls, 1, "calls for a commit")
        use(reader.remains())
        token.invalidate()
      },
      ClassLists.openUnheard,
    ])

  static let notify36 = Rule(
    "NOTIFY-36", .documented,
    "A blocked observer thread MUST NOT hold up delivery to other threads, nor writers.",
    source: "(impl) AsyncTests.mm:747; S0 rule 1.",
    broken: "delivery under a global lock",
    probes: [
      Probe("a blocked observer holds nobody up") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let blocked = DispatchQueue(label: "blocked")
        let free = DispatchQueue(label: "free")
        let release = Latch("the other observer's call")
        let entered = Latch("the blocked observer's call")
        let told = Latch("the free observer's call")
        var realms: [Realm] = []
        var tokens: [NotificationToken] = []
        try stage.on(blocked) {
          let realm = try Realm(configuration: stage.configuration(), queue: blocked)
          realms.append(realm)
          tokens.append(
            realm.observe { _, _ in
              entered.open()
              _ = release.wait(stage.patience * 2)
            })
        }
        try stage.on(free) {
          let realm = try Realm(configuration: stage.configuration(), queue: free)
          realms.append(realm)
          tokens.append(realm.observe { _, _ in if entered.isOpen { told.open() } })
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.wait(for: entered)
        try stage.foreign { $0.account(1).balance = 8 }
        try stage.wait(for: told)
        stage.equal(try stage.seen { $0.account(1).balance }, 8, "what was written meanwhile")
        release.open()
        stage.on(blocked) {}
        for token in tokens { token.invalidate() }
      }
    ])
}
