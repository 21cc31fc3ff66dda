import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let committing: [Rule] = [
    async06, async07, async08, async09, async10, async20, async21, async22, async23, async24,
    async25, async34, async49,
  ]

  static let async06 = Rule(
    "ASYNC-06", .documented,
    "`onComplete` MUST be called exactly once per commit, on the source thread/queue, after "
      + "the block, with nil on success.",
    source: "S0 Perform a Background Write; Commit or Cancel.",
    broken: "twice; on I/O thread; before the block returns",
    probes: [
      Probe("one completion per commit, here, after the block, without error") { stage in
        let realm = try stage.stocked()
        let home = pthread_self()
        var events: [String] = []
        for number in 0..<3 {
          realm.writeAsync {
            realm.account(1).balance = number
            events.append("block \(number)")
          } onComplete: { error in
            let here = pthread_equal(home, pthread_self()) != 0
            events.append("completion \(number) \(here) \(error == nil)")
          }
        }
        try stage.spin(until: { events.count >= 6 }, "three completions")
        var fence = false
        realm.writeAsync {
        } onComplete: { _ in
          fence = true
        }
        try stage.spin(until: { fence }, "one more")
        stage.equal(events.count, 6, "the number of events")
        for number in 0..<3 {
          let block = events.firstIndex(of: "block \(number)")
          let completion = events.firstIndex(of: "completion \(number) true true")
          stage.expect(
            block != nil && completion != nil && block! < completion!,
            "completion \(number) after its block", observed: "\(events)")
        }
      }
    ] + EachCompletion.probes + AsyncInsideCalls.probes
      + Probe.asynchronousInEachState)

  static let async07 = Rule(
    "ASYNC-07", .documented,
    "In `onComplete` the realm MUST show the write and MUST NOT be in the write "
      + "transaction.",
    source: "S0 code (XCTAssertEqual 3 in completion).",
    broken: "completion before publish",
    probes: [
      Probe("the completion sees the write, outside of it") { stage in
        let realm = try stage.stocked()
        var seen: String?
        realm.writeAsync {
          realm.person("Ann").dogs.append(Dog(name: "third"))
        } onComplete: { _ in
          // Of two calls the first counts.
          seen = seen ?? "\(realm.person("Ann").dogs.count) \(realm.isInWriteTransaction)"
        }
        try stage.spin(until: { seen != nil }, "the completion")
        stage.equal(seen, "3 false", "dogs and flag in the completion")
      }
    ])

  static let async08 = Rule(
    "ASYNC-08", .documented,
    "When `onComplete(nil)` runs the commit MUST be durable: a crash right after it keeps "
      + "the data.",
    source: "S0 (\"the step that persists the data ... once the commit completes\"); "
      + "RS/Realm.swift:445-463.",
    broken: "completion before sync (needs WB sync hook to catch for power loss)",
    probes: [
      Probe(
        "what a completion reported survives a kill",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            realm.writeAsync {
              realm.account(1).balance = 7
            } onComplete: { error in
              stage.tell(error == nil ? "completed" : "failed")
            }
            try stage.spin(until: { false }, "the kill")
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        for _ in 0..<3 {
          try stage.foreign { $0.account(1).balance = 0 }
          let writer = try stage.companion("writer")
          stage.equal(try stage.hear(writer, "the completion"), "completed", "the writer's word")
          writer.signal(SIGKILL)
          use(writer.remains())
          stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
        }
      },
      // Whoever writes first has to find out what space others have left free.
      Probe(
        "what a completion reported is kept in a file that another process made large",
        companions: [
          "grower": { stage in
            let realm = try stage.stocked()
            try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 1 << 20))) }
            stage.tell("grown")
          }
        ]
      ) { stage in
        let grower = try stage.companion("grower")
        stage.equal(try stage.hear(grower, "the growth"), "grown", "the grower's word")
        use(grower.remains())
        let realm = try stage.open()
        var failed: Bool?
        realm.writeAsync {
          realm.account(1).balance = 7
        } onComplete: {
          failed = $0 != nil
        }
        try stage.spin(until: { failed != nil }, "the completion")
        stage.equal(failed, false, "whether the completion got an error")
        let kept = try stage.seen {
          "\($0.account(1).balance) \($0.objects(Blob.self).first?.bytes.count ?? 0)"
        }
        stage.equal(kept, "7 1048576", "the balance and the bytes of the other's")
      },
    ])

  static let async09 = Rule(
    "ASYNC-09", .documented,
    "On failure `onComplete` MUST get the error.",
    source: "S0 (\"completes or fails with an error\").",
    broken: "nil passed",
    probes: [
      Probe("a commit that fails says so to its completion") { stage in
        let realm = try stage.stocked()
        var failed: Bool?
        let size = stage.size()
        try Stage.withFilesLimited(to: size + 65_536) {
          realm.writeAsync {
            realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000)))
          } onComplete: {
            failed = $0 != nil
          }
          try stage.spin(until: { failed != nil }, "the completion")
        }
        stage.equal(failed, true, "whether the completion got an error")
        stage.equal(try stage.seen { $0.objects(Blob.self).count }, 0, "what was persisted")
      },
      Probe("of commits in a group each hears whether it was kept") { stage in
        for (round, large) in [1, 2, 3].enumerated() {
          let realm = try stage.stocked("round \(round)")
          var told: [Int: Bool] = [:]
          var calls = 0
          let size = stage.size(of: "round \(round)")
          try Stage.withFilesLimited(to: size + 65_536) {
            for number in 1...3 {
              realm.beginAsyncWrite {
                let bytes = number == large ? 10_000_000 : 10
                realm.add(Blob(id: number, bytes: Data(repeating: 1, count: bytes)))
                realm.commitAsyncWrite(allowGrouping: true) {
                  told[number] = $0 == nil
                  calls += 1
                }
              }
            }
            try stage.spin(
              until: { calls >= 3 && !realm.isPerformingAsynchronousWriteOperations },
              "three completions")
          }
          stage.equal(calls, 3, "the calls of completions")
          let kept = try stage.seen("round \(round)") { Set($0.objects(Blob.self).map(\.id)) }
          for number in 1...3 {
            stage.equal(
              told[number], kept.contains(number), "what commit \(number) heard, as it was kept")
          }
          stage.equal(kept.contains(large), false, "whether the large one was kept")
        }
      },
      Probe("a write that cannot begin says so to its completion, and the next one writes") {
        stage in
        var configuration = stage.configuration()
        configuration.maximumNumberOfActiveVersions = 3
        let realm = try Realm(configuration: configuration)
        try realm.write { Stage.stock(realm) }
        var held: [Realm] = []
        for round in 0..<2 {
          held.append(realm.freeze())
          try realm.write { realm.account(1).balance = round }
        }
        held.append(realm.freeze())
        // One more than is allowed, and nobody has asked yet.
        var balances: [Int] = []
        var told: [Bool] = []
        func write(_ balance: Int) {
          realm.writeAsync {
            realm.account(1).balance = balance
            balances.append(balance)
          } onComplete: {
            told.append($0 == nil)
          }
        }
        for balance in 10..<16 { write(balance) }
        try stage.spin(until: { told.count == 6 }, "six completions")
        stage.equal(told.count { $0 }, balances.count, "those that heard of no error")
        stage.expect(told.contains(false), "an error beyond the limit")
        held = []
        write(20)
        try stage.spin(until: { told.count == 7 }, "the completion below the limit")
        stage.equal(told.last, true, "whether the last one was kept")
        stage.equal(realm.account(1).balance, 20, "the balance in the end")
      },
    ] + Probe.lostWhileRead + Probe.lostWithAPlainCommit
      + [LateWrites.failing.probe, Probe.failuresOnQueues] + OnFailingDisks.behindOthers)

  static let async10 = Rule(
    "ASYNC-10", .implementation,
    "Without `onComplete`, an asynchronous I/O failure is not reported to anybody (no "
      + "crash).",
    source: "(impl) OC/RLMRealm.mm:705-740 passes no callback; OS/shared_realm.cpp:779 skips.",
    broken: "abort",
    probes: [
      Probe("a failure that nobody asked about ends nothing") { stage in
        let realm = try stage.stocked()
        try Stage.withFilesLimited(to: stage.size() + 65_536) {
          var ran = false
          realm.writeAsync {
            realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000)))
            ran = true
          }
          try stage.spin(
            until: { ran && !realm.isPerformingAsynchronousWriteOperations }, "the failure")
        }
        stage.equal(try stage.seen { $0.objects(Blob.self).count }, 0, "what was persisted")
      }
    ])

  static let async20 = Rule(
    "ASYNC-20", .documented,
    "Returning from a `beginAsyncWrite` block without commit MUST roll the transaction "
      + "back.",
    source: "S0 Commit or Cancel; RS/Realm.swift:430.",
    broken: "auto-commit",
    probes: [
      Probe("a begin's block that returns without commit rolls back") { stage in
        let realm = try stage.stocked()
        var ran = false
        realm.beginAsyncWrite {
          realm.account(1).balance = 7
          ran = true
        }
        try stage.spin(until: { ran && !realm.isInWriteTransaction }, "the block")
        stage.equal(realm.account(1).balance, 100, "the balance here")
        try stage.foreign { $0.account(2).balance = 8 }
        stage.equal(try stage.seen { $0.account(1).balance }, 100, "the balance elsewhere")
      }
    ] + [LateWrites.rolledBack.probe])

  static let async21 = Rule(
    "ASYNC-21", .documented,
    "`writeAsync` MUST commit by itself when its block returns.",
    source: "S0 Commit or Cancel; RS/Realm.swift:394-409.",
    broken: "rollback",
    probes: [
      Probe("writeAsync commits by itself") { stage in
        let realm = try stage.stocked()
        var done = false
        realm.writeAsync {
          realm.account(1).balance = 7
        } onComplete: { _ in
          done = true
        }
        try stage.spin(until: { done }, "the completion")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
      }
    ])

  static let async22 = Rule(
    "ASYNC-22", .documented,
    "Inside a `writeAsync` block the caller MAY commit or cancel explicitly, and "
      + "`writeAsync` MUST then not commit a second time.",
    source: "S0 (\"while in the writeAsync block, you can explicitly call commitAsyncWrite or "
      + "cancelAsyncWrite\"); RS/Realm.swift:397-400 (commitWrite/cancelWrite)",
    broken: "double commit",
    probes: ["commitAsyncWrite", "commitWrite", "cancelWrite"].map { verb in
      Probe("the block calls \(verb) itself") { stage in
        let realm = try stage.stocked()
        var ran = false
        realm.writeAsync {
          realm.account(1).balance = 7
          switch verb {
          case "commitAsyncWrite": realm.commitAsyncWrite()
          case "commitWrite": try! realm.commitWrite()
          default: realm.cancelWrite()
          }
          ran = true
        }
        try stage.spin(
          until: {
            ran && !realm.isPerformingAsynchronousWriteOperations && !realm.isInWriteTransaction
          },
          "the write's end")
        var fence = false
        realm.writeAsync {
        } onComplete: { _ in
          fence = true
        }
        try stage.spin(until: { fence }, "a later write")
        stage.equal(
          try stage.seen { $0.account(1).balance }, verb == "cancelWrite" ? 100 : 7, "the balance")
      }
    })

  static let async23 = Rule(
    "ASYNC-23", .documented,
    "`commitAsyncWrite` MUST return at once and the committed data MUST be visible in the "
      + "committing realm immediately.",
    source: "S0 Commit or Cancel.",
    broken: "visible only at completion",
    probes: [
      Probe("commitAsyncWrite returns at once and the realm shows the data") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.account(1).balance = 7
        var completed = false
        realm.commitAsyncWrite { _ in completed = true }
        stage.equal(completed, false, "whether it completed inside the call")
        stage.equal(realm.isInWriteTransaction, false, "whether the realm is still writing")
        stage.equal(realm.account(1).balance, 7, "the balance right after the call")
        try stage.spin(until: { completed }, "the completion")
      }
    ])

  static let async24 = Rule(
    "ASYNC-24", .implementation,
    "`commitAsyncWrite` MUST be allowed for a write begun with `beginWrite`, and "
      + "`commitWrite` for one begun with `beginAsyncWrite`.",
    source: "RS/Realm.swift:445; OCT/RealmTests.mm:1985; TOS/realm.cpp:2826-2862.",
    broken: "separate state machines",
    probes: ["beginWrite", "beginAsyncWrite"].flatMap { begin in
      ["commitWrite", "commitAsyncWrite"].map { commit in
        Probe("\(begin) with \(commit)") { stage in
          let realm = try stage.stocked()
          var done = false
          let change = {
            realm.account(1).balance = 7
            if commit == "commitWrite" {
              try! realm.commitWrite()
              done = true
            } else {
              realm.commitAsyncWrite { _ in done = true }
            }
          }
          if begin == "beginWrite" {
            realm.beginWrite()
            change()
          } else {
            realm.beginAsyncWrite { change() }
          }
          try stage.spin(until: { done }, "the commit")
          stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
        }
      }
    })

  static let async25 = Rule(
    "ASYNC-25", .implementation,
    "`cancelWrite()` inside a `beginAsyncWrite` block MUST roll back at once; later queued "
      + "blocks still run.",
    source: "RS/Realm.swift:365; TOS/realm.cpp:2312.",
    broken: "queue stalls",
    probes: [
      Probe("a block cancels at once, later ones still run") { stage in
        let realm = try stage.stocked()
        var counts: [Int] = []
        var done = false
        realm.beginAsyncWrite {
          realm.add(Account(id: 9))
          counts.append(realm.objects(Account.self).count)
          realm.cancelWrite()
          counts.append(realm.objects(Account.self).count)
        }
        realm.writeAsync {
          realm.add(Account(id: 10))
        } onComplete: { _ in
          done = true
        }
        try stage.spin(until: { done }, "the second write")
        stage.equal(counts, [4, 3], "the counts in the block")
        stage.equal(
          try stage.seen { $0.objects(Account.self).map(\.id).sorted() }, [1, 2, 3, 10],
          "the accounts")
      }
    ])

  static let async34 = Rule(
    "ASYNC-34", .implementation,
    "`commitAsyncWrite` outside a write MUST die.",
    source: "OCT/RealmTests.mm:1957, 1964.",
    broken: "no-op",
    probes: [
      Probe.dies("outside a write", saying: Words.nothingToCommit) { stage in
        let realm = try stage.stocked()
        stage.act { realm.commitAsyncWrite() }
      },
      Probe.dies("right after beginAsyncWrite returned", saying: Words.nothingToCommit) { stage in
        let realm = try stage.stocked()
        realm.beginAsyncWrite {}
        stage.act { realm.commitAsyncWrite() }
      },
    ] + AsyncRefusals.unbegun)

  static let async49 = Rule(
    "ASYNC-49", .implementation,
    "Realm-level observers of the committing realm MUST be called synchronously by "
      + "`commitAsyncWrite`; collection and object observers later.",
    source: "(impl) OS/impl/realm_coordinator.cpp:800; TOS/realm.cpp:3075.",
    broken: "notifies at sync completion",
    probes: [
      Probe("realm observers at once, collection observers later") { stage in
        let realm = try stage.stocked()
        var realmTold = 0
        var updates = 0
        let token = realm.observe { _, _ in realmTold += 1 }
        let collection = realm.objects(Account.self).observe { change in
          if case .update = change { updates += 1 }
        }
        var initial = false
        stage.later(on: .main) { initial = true }
        try stage.spin(until: { initial }, "the first turn")
        realm.beginWrite()
        realm.account(1).balance = 7
        realm.commitAsyncWrite()
        stage.equal(realmTold, 1, "calls of the realm observer when commitAsyncWrite returned")
        stage.equal(updates, 0, "calls of the collection observer then")
        try stage.spin(until: { updates == 1 }, "the collection observer's call")
        token.invalidate()
        collection.invalidate()
      }
    ] + CommitWays.probes)
}
