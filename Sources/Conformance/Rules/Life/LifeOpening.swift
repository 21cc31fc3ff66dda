import EngineUnderTest
import Foundation
import Harness

extension Rules.Life {
  static let opening: [Rule] = [
    life01, life02, life03, life10, life13, life17, life19, life24,
  ]

  static let life01 = Rule(
    "LIFE-01", .documented,
    "Realms opened with the same configuration (same file) anywhere MUST be the same data; "
      + "different files, different data.",
    source: "S0/S1 (\"same configuration ... same file on disk\"); S0 Communication.",
    broken: "data keyed by instance",
    probes: [
      Probe("one file, however its path is written; another file, other data") { stage in
        let realm = try stage.stocked()
        let link = stage.directory.appendingPathComponent("alias.realm")
        try FileManager.default.createSymbolicLink(
          at: link, withDestinationURL: stage.directory.appendingPathComponent("probe.realm"))
        let roundabout = stage.directory.appendingPathComponent(
          "../\(stage.directory.lastPathComponent)/probe.realm")
        for url in [link, roundabout] {
          let other = Realm.Configuration(fileURL: url, objectTypes: Models.all)
          try stage.elsewhere {
            let alias = try Realm(configuration: other)
            stage.equal(
              alias.account(1).balance, 100, "the balance through \(url.lastPathComponent)")
          }
        }
        try stage.elsewhere {
          stage.equal(
            try stage.open("other").objects(Person.self).count, 0, "people in another file")
        }
        stage.equal(
          try stage.open("other").objects(Person.self).count, 0, "people in another file, here")
        use(realm)
      },
      Probe(
        "processes share one file",
        companions: Probe.writer
      ) { stage in
        let realm = try stage.stocked()
        let writer = try stage.companion("writer")
        _ = try stage.hear(writer, "written")
        realm.refresh()
        stage.equal(realm.account(1).balance, 7, "the balance")
        _ = writer.remains()
      },
    ] + Probe.twoFiles + Probe.oneFileByTwoNames + Probe.crowdsOfFiles
      + [
        Settings.values, FileStates.probe, LongNames.probe, GrownFiles.probe, SchemasTold.probe,
        Handovers.probe,
      ])

  static let life02 = Rule(
    "LIFE-02", .documented,
    "`Realm()` MUST use `Realm.Configuration.defaultConfiguration`; setting that affects "
      + "later opens on all threads.",
    source: "S0/S4 code; RS/RealmConfiguration.swift:40.",
    broken: "default captured once",
    probes: [
      Probe("Realm() uses the default configuration of the moment") { stage in
        Realm.Configuration.defaultConfiguration = stage.configuration("one")
        try stage.elsewhere {
          let realm = try Realm()
          try realm.write { realm.add(Account(id: 1, balance: 11)) }
        }
        Realm.Configuration.defaultConfiguration = stage.configuration("two")
        try stage.elsewhere {
          let realm = try Realm()
          stage.equal(realm.objects(Account.self).count, 0, "accounts in the second file")
          try realm.write { realm.add(Account(id: 1, balance: 22)) }
        }
        stage.equal(try Realm().account(1).balance, 22, "the balance by default")
        stage.equal(
          try stage.seen("one") { $0.account(1).balance }, 11, "the balance in the first file")
      },
      Probe("and goes to another file while realms of the one before are open") { stage in
        var open: [Realm] = []
        for round in 0..<4 {
          Realm.Configuration.defaultConfiguration = stage.configuration("file \(round)")
          let realm = try Realm()
          stage.equal(realm.objects(Account.self).count, 0, "accounts in file \(round)")
          try realm.write { realm.add(Account(id: 1, balance: round)) }
          open.append(realm)
          stage.equal(
            open.map { $0.account(1).balance }, Array(0...round),
            "the balances of all that are open")
          stage.expect(try Realm() == realm, "the same again")
          stage.equal(
            try stage.elsewhere { try Realm().account(1).balance }, round, "the balance elsewhere")
        }
        Realm.Configuration.defaultConfiguration = stage.configuration("file 1")
        stage.equal(try Realm().account(1).balance, 1, "the balance of one that is open")
      },
      .onlySettingSetsTheDefault, Doors.all, Doors.ofActors,
    ])

  static let life03 = Rule(
    "LIFE-03", .implementation,
    "Opening a file already open in the process with contradicting settings MUST fail.",
    source: "OS/impl/realm_coordinator.cpp (set_config).",
    broken: "second opener silently gets other settings",
    probes: [
      Probe(
        "read-only beside read-write", refusing: ["already opened with different read permissions"]
      ) { stage in
        let realm = try stage.stocked()
        var configuration = stage.configuration()
        configuration.readOnly = true
        stage.act { use(try Realm(configuration: configuration).objects(Person.self).count) }
        use(realm)
      }
    ] + Probe.contradictions + Permissions.refused + [Permissions.afterwards]
      + SchemaVersions.refused + [SchemaVersions.afterwards])

  static let life10 = Rule(
    "LIFE-10", .documented,
    "Read-only realms MUST allow reading and freezing on any number of threads, refuse "
      + "write, refresh, observe; the file must exist.",
    source: "S4 Observation Limitations; OCT 98-190. diag as WRITE-26, NOTIFY-27, REFRESH-07; open "
      + "of a missing file THROWS fileNotFound(5).",
    broken: "creates the file; allows write",
    probes: [
      Probe("a read-only realm is read and frozen by threads") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let readOnly = configuration
        let realm = try Realm(configuration: readOnly)
        stage.equal(realm.person("Ann").age, 30, "Ann's age")
        stage.equal(realm.freeze().person("Ann").age, 30, "Ann's age, frozen")
        try stage.elsewhere {
          stage.equal(
            try Realm(configuration: readOnly).objects(Dog.self).count, 6, "dogs on a thread")
        }
      },
      Probe("a read-only realm of a missing file is not opened") { stage in
        var configuration = stage.configuration("missing")
        configuration.readOnly = true
        do {
          _ = try Realm(configuration: configuration)
          stage.fail(expected: "an error", observed: "a realm")
        } catch {
          stage.equal((error as? Realm.Error)?.code, .fileNotFound, "the error")
        }
        stage.equal(Realm.fileExists(for: configuration), false, "whether a file was made")
      },
      Probe.dies("a write in a read-only realm", saying: Words.readOnly) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act { try realm.write {} }
      },
      Probe.dies(
        "a refresh of a read-only realm",
        saying: "Read-only Realms do not change and cannot be refreshed"
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act { realm.refresh() }
      },
      Probe.dies(
        "an observer of a read-only realm",
        saying: "Read-only Realms do not change and do not have change notifications"
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act { use(realm.objects(Person.self).observe { _ in }) }
      },
      Errors.missing, SchemaVersions.readers,
    ])

  static let life13 = Rule(
    "LIFE-13", .implementation,
    "`Realm.==` MUST compare instances, not files.",
    source: "RS/Realm.swift:1132; RST:1024.",
    broken: "file equality",
    probes: [
      Probe("realms are compared by instance") { stage in
        let one = try stage.open()
        let two = try stage.open()
        stage.expect(one == two, "two opens on one thread are equal")
        let foreign = try stage.elsewhere { try stage.open() }
        stage.expect(one != foreign, "the same file on another thread is not equal")
        let other = try stage.open("other")
        stage.expect(one != other, "another file is not equal")
        let queue = DispatchQueue(label: "serial")
        let queued = try stage.on(queue) {
          try Realm(configuration: stage.configuration(), queue: queue)
        }
        stage.expect(one != queued, "the same file on a queue is not equal")
      }
    ] + Probe.crowdsOfHomes)

  static let life17 = Rule(
    "LIFE-17", .implementation,
    "Several threads and processes opening a *new* file at the same time MUST all succeed "
      + "and agree, also where it is made from a seed.",
    source: "(impl) OCT/InterprocessTests.m:37; test_shared.cpp:4403.",
    broken: "race in creation: one fails or wipes the other",
    probes: [
      Probe(
        "who opens a new file leaves its first writer inside",
        companions: [
          "first": { stage in
            let realm = try stage.open("new")
            realm.beginWrite()
            realm.add(Account(id: 1))
            stage.tell("inside")
            _ = stage.hear()
            try realm.commitWrite()
            stage.tell("done")
          }
        ]
      ) { stage in
        // Whether the second write has begun too early when the first goes on is the system's
        // choice: some rounds.
        for round in 0..<4 {
          let first = try stage.companion("first")
          _ = try stage.hear(first, "inside")
          let opened = Latch("the second open")
          stage.thread("second") {
            let realm = try stage.open("new")
            opened.open()
            try realm.write { realm.add(Account(id: 2)) }
          }
          try stage.wait(for: opened)
          first.send("go")
          stage.equal(try stage.hear(first, "done"), "done", "the first writer's word")
          try stage.joinAll()
          _ = first.remains()
          let ids = try stage.seen("new") { $0.objects(Account.self).map(\.id).sorted() }
          stage.equal(ids, [1, 2], "the accounts of round \(round)")
          _ = try Realm.deleteFiles(for: stage.configuration("new"))
        }
      },
      Probe(
        "threads and processes open a new file at once",
        companions: [
          "opener": { stage in
            stage.tell("ready")
            _ = stage.hear()
            let base = Int(stage.words[0])!
            for number in 0..<2 {
              stage.thread("opener \(number)") {
                let realm = try stage.open("new")
                try realm.write { realm.add(Account(id: base + number)) }
              }
            }
            try stage.joinAll()
            stage.tell("done")
          }
        ]
      ) { stage in
        for round in 0..<2 {
          let children = try (0..<2).map { try stage.companion("opener", "\(($0 + 1) * 10)") }
          for child in children { _ = try stage.hear(child, "ready") }
          for child in children { child.send("go") }
          stage.thread("opener") {
            let realm = try stage.open("new")
            try realm.write { realm.add(Account(id: 1)) }
          }
          try stage.joinAll()
          for child in children {
            stage.equal(try stage.hear(child, "done"), "done", "a process's word")
          }
          for child in children { _ = child.remains() }
          let ids = try stage.seen("new") { $0.objects(Account.self).map(\.id).sorted() }
          stage.equal(ids, [1, 10, 11, 20, 21], "the accounts of round \(round)")
          _ = try Realm.deleteFiles(for: stage.configuration("new"))
        }
      },
      MigratedTogether.once,
    ])

  static let life19 = Rule(
    "LIFE-19", .implementation,
    "`Realm.open`/`asyncOpen` with callback queue MUST deliver a realm confined to that "
      + "queue.",
    source: "(impl) RS/Realm.swift:142.",
    broken: "bound to the calling thread",
    probes: [
      Probe("asyncOpen delivers a realm of its callback queue") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queue = DispatchQueue(label: "callback")
        let called = Latch("the callback")
        var balance = 0
        var failed: String?
        var kept: Realm?
        Realm.asyncOpen(configuration: stage.configuration(), callbackQueue: queue) { result in
          switch result {
          case .success(let realm):
            balance = realm.account(1).balance
            kept = realm
          case .failure(let error): failed = "\(error)"
          }
          called.open()
        }
        try stage.spin(until: { called.isOpen }, "the callback")
        stage.equal(failed, nil, "the error")
        stage.equal(balance, 100, "the balance read in the callback")
        // Confined to the queue and not to the thread that ran the callback: here the main thread
        // runs the block.
        stage.equal(
          stage.on(queue) { kept?.account(1).balance }, 100, "the balance read later on the queue")
        stage.on(queue) { kept = nil }
      },
      Probe.dies("the delivered realm off its queue", saying: Words.wrongThread) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queue = DispatchQueue(label: "callback")
        let called = Latch("the callback")
        var kept: Realm?
        Realm.asyncOpen(configuration: stage.configuration(), callbackQueue: queue) { result in
          kept = try? result.get()
          called.open()
        }
        try stage.spin(until: { called.isOpen }, "the callback")
        stage.act { use(kept?.objects(Person.self).count) }
      },
    ] + Probe.failedOpenings + Probe.cancelledOpenings + [.asyncOpensByDefault])

  static let life24 = Rule(
    "LIFE-24", .implementation,
    "Opening and closing from many threads, queues and actors at once MUST end.",
    source: "OS/impl/realm_coordinator.cpp (get_coordinator, unregister_realm); "
      + "OS/impl/epoll/external_commit_helper.cpp.",
    broken: "lost stop of a listener",
    probes: [
      Probe.task("threads, queues and actors open, observe, write and close, and all come back") {
        stage in
        try await Task.detached { try stage.elsewhere { _ = try stage.stocked() } }.value
        for number in 0..<3 {
          stage.thread("thread \(number)") {
            for _ in 0..<20 { use(try stage.open().objects(Account.self).count) }
          }
          stage.thread("thread with queue \(number)") {
            let queue = DispatchQueue(label: "storm \(number)")
            for round in 0..<20 {
              try queue.sync {
                let realm = try Realm(configuration: stage.configuration(), queue: queue)
                let token = realm.objects(Account.self).observe { _ in }
                if round % 4 == number { try realm.write { realm.account(1).balance += 1 } }
                token.invalidate()
              }
            }
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask {
              for _ in 0..<20 {
                let keeper = try await Keeper(stage.configuration())
                await keeper.with { _, realm in use(realm.objects(Account.self).count) }
                await keeper.close()
              }
            }
          }
          try await group.waitForAll()
        }
        try await Task.detached { try stage.joinAll() }.value
        let ids = try await Keeper(stage.configuration()).ids
        stage.equal(ids, [1, 2, 3], "the accounts after the storm")
      },
      Probe(
        "who begins to listen as the last one ends hears of another process",
        companions: Probe.writer
      ) { stage in
        let realm = try stage.stocked()
        // More than once, because a thread's last realm may end a little after it is joined, and
        // is an ear as long as it is there.
        for _ in 0..<3 {
          try realm.write { realm.account(1).balance = 0 }
          let closing = stage.thread("closing") {
            for _ in 0..<200 { use(try stage.open().objects(Account.self).count) }
          }
          try stage.join(closing)
          let writer = try stage.companion("writer")
          _ = try stage.hear(writer, "its commit")
          try stage.spin(until: { realm.account(1).balance == 7 }, "the news of another process")
          stage.equal(realm.account(1).balance, 7, "the balance")
          use(writer.remains())
        }
      },
    ] + Multitudes.passed)
}
