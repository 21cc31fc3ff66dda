import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let grouping: [Rule] = [
    async41, async42, async43, async44, async45, async46, async47, async48,
  ]

  static let async41 = Rule(
    "ASYNC-41", .documented,
    "A synchronous begin on the realm while its async commit is being synced MUST wait for "
      + "the sync, not fail.",
    source: "S2 (\"does block new transactions on the calling thread\").",
    broken: "error or lost commit",
    probes: [
      Probe("a plain begin waits for the async commit being synced") { stage in
        let realm = try stage.stocked()
        for round in 1...20 {
          realm.beginWrite()
          realm.account(1).balance = round
          realm.commitAsyncWrite()
          try realm.write {
            stage.equal(realm.account(1).balance, round, "the balance in the plain write")
            realm.account(2).balance = round
          }
        }
        stage.equal(
          try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" }, "20 20",
          "in the end")
      }
    ])

  static let async42 = Rule(
    "ASYNC-42", .documented,
    "An async commit MUST be visible to other threads and processes as soon as it is made, "
      + "before it is durable.",
    source: "(impl) db.cpp:2521-2622 adds the version with commit_to_disk false; S0 only promises "
      + "visibility after commit.",
    broken: "async version hidden from others until synced, yet own realm shows it and hands out "
      + "notifications (only a violation if a foreign reader sees a *later* version without it)",
    probes: [
      Probe("others see an async commit at its completion at the latest, and whole") { stage in
        let realm = try stage.stocked()
        for round in 1...10 {
          realm.beginWrite()
          realm.account(1).balance = round
          realm.account(2).balance = round
          var completed = false
          realm.commitAsyncWrite { _ in completed = true }
          let early = try stage.seen { ($0.account(1).balance, $0.account(2).balance) }
          stage.expect(
            early == (round, round) || early == (round == 1 ? (100, 200) : (round - 1, round - 1)),
            "the state before or after", observed: "\(early)")
          try stage.spin(until: { completed }, "the completion")
          stage.equal(
            try stage.seen { $0.account(2).balance }, round, "the balance after the completion")
        }
      }
    ])

  static let async43 = Rule(
    "ASYNC-43", .documented,
    "The write lock MUST be kept until the async commit has been synced; another writer "
      + "begins only afterwards.",
    source: "(impl) AsyncCommitHelper::main releases after the sync callback, db.cpp:2085-2104; "
      + "S0/S1/S3 one writer.",
    broken: "lock released before sync, so a crash could lose A but keep B",
    probes: [
      Probe("a writer elsewhere begins after the async commit before it, and keeps it") { stage in
        let realm = try stage.stocked()
        for round in 1...10 {
          realm.beginWrite()
          realm.account(1).balance = round
          realm.commitAsyncWrite()
          try stage.foreign { other in
            stage.equal(other.account(1).balance, round, "the async commit seen by the next writer")
            other.account(2).balance = round
          }
        }
        realm.refresh()
        stage.equal(
          "\(realm.account(1).balance) \(realm.account(2).balance)", "10 10", "both in the end")
      }
    ])

  static let async44 = Rule(
    "ASYNC-44", .documented,
    "With `allowGrouping: true` sequential async commits MAY be persisted together; then "
      + "either all of a group or none survive a crash.",
    source: "S0 (\"group sequential calls\"); RS/Realm.swift:451-458.",
    broken: "middle of a group missing",
    probes: [
      Probe(
        "a kill amid grouped commits leaves a prefix",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            var completed = 0
            func next(_ number: Int) {
              realm.beginAsyncWrite {
                realm.account(1).balance = number
                realm.add(Account(id: 100 + number, balance: number))
                realm.commitAsyncWrite(allowGrouping: true) { _ in
                  completed += 1
                  if number % 20 == 0 { stage.tell("\(number)") }
                }
              }
            }
            for number in 1...4000 { next(number) }
            try stage.spin(until: { completed == 4000 }, "the kill")
          }
        ]
      ) { stage in
        var chance = stage.chance
        for round in 0..<3 {
          try stage.elsewhere {
            let realm = try stage.open("probe")
            try realm.write {
              realm.delete(realm.objects(Account.self))
              realm.add(Account(id: 1, balance: 0))
            }
          }
          let writer = try stage.companion("writer")
          let told = Int(try stage.hear(writer, "twenty completions")) ?? 0
          stage.giveWay(Int.random(in: 0..<2000, using: &chance))
          writer.signal(SIGKILL)
          use(writer.remains())
          let state = try stage.seen { realm in
            (realm.account(1).balance, realm.objects(Account.self).map(\.id).sorted())
          }
          stage.expect(
            state.0 >= told, "at least \(told) in round \(round)", observed: "\(state.0)")
          stage.equal(state.1, [1] + Array(101..<(101 + state.0)), "the accounts of a prefix")
        }
      }
    ])

  static let async45 = Rule(
    "ASYNC-45", .implementation,
    "At most 20 grouped commits MUST share one sync.",
    source: "(impl) TOS/realm.cpp:2566.",
    broken: "unbounded group",
    probes: [
      Probe("of sixty grouped commits no more than twenty are made without a flush between them") {
        stage in
        let flushes = try stage.flushesAndCommits(of: 60, grouping: true)
        var since = 0
        var most = 0
        for isFlush in flushes {
          since = isFlush ? 0 : since + 1
          most = max(most, since)
        }
        stage.expect(most <= 20, "at most 20 commits share a flush", observed: "\(most) do")
        stage.equal(flushes.count { !$0 }, 60, "the number of commits")
      }
    ])

  static let async46 = Rule(
    "ASYNC-46", .implementation,
    "A commit without grouping MUST be a barrier: it and everything before are synced "
      + "before the next block starts.",
    source: "(impl) OS/shared_realm.cpp:983-987; TOS/realm.cpp:2587.",
    broken: "flag ignored",
    probes: [
      Probe("a commit without grouping is complete before the next block") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        for number in 1...5 {
          realm.beginAsyncWrite {
            events.append("block \(number)")
            realm.account(1).balance = number
            realm.commitAsyncWrite(allowGrouping: false) { _ in events.append("done \(number)") }
          }
        }
        try stage.spin(until: { events.count == 10 }, "ten events")
        stage.equal(events, (1...5).flatMap { ["block \($0)", "done \($0)"] }, "the order")
      },
      Probe("who writes after a barrier goes on from what the group has made") { stage in
        let realm = try stage.open()
        try realm.write { for id in 0..<600 { realm.add(Account(id: id)) } }
        for round in 1...6 {
          var done = 0
          // Another row each: what one has made the next ones leave as it is.
          for (place, isGrouped) in [true, true, false].enumerated() {
            realm.beginAsyncWrite {
              realm.account(place * 290).balance = round
              if round % 2 == 0 { realm.add(Account(id: 1_000 * round + place)) }
              realm.commitAsyncWrite(allowGrouping: isGrouped) { _ in done += 1 }
            }
          }
          try stage.spin(until: { done == 3 }, "three completions of round \(round)")
          try realm.write {
            for place in 0..<3 { realm.account(place * 290 + round).balance = round }
            realm.account(0).note = "round \(round)"
          }
          let balances = try stage.seen { other in
            (0..<3).flatMap { [other.account($0 * 290), other.account($0 * 290 + round)] }
              .map(\.balance)
          }
          stage.equal(balances, Array(repeating: round, count: 6), "the balances")
        }
      },
      Probe("a barrier stands wherever it is among commits that may be grouped") { stage in
        let realm = try stage.stocked()
        for barrier in 1...6 {
          var events: [String] = []
          for number in 1...6 {
            realm.beginAsyncWrite {
              events.append("block \(number)")
              realm.account(1).balance = number
              realm.commitAsyncWrite(allowGrouping: number != barrier) { _ in
                events.append("done \(number)")
              }
            }
          }
          try stage.spin(until: { events.count == 12 }, "twelve events")
          let before = events.prefix { $0 != "block \(barrier + 1)" }
          stage.expect(
            (1...barrier).allSatisfy { before.contains("done \($0)") },
            "all up to commit \(barrier) complete before the block behind it", observed: "\(events)"
          )
        }
      },
      .barriersBySilence,
    ])

  static let async47 = Rule(
    "ASYNC-47", .implementation,
    "Grouping MUST default to off; the Swift label is `allowGrouping`.",
    source: "RS/Realm.swift:462.",
    broken: "default true",
    probes: [
      Probe("allowGrouping may be left out") { stage in
        try stage.compiles(
          "func f(_ r: Realm) { r.commitAsyncWrite(); r.commitAsyncWrite { _ in }; "
            + "r.commitAsyncWrite(allowGrouping: true) { _ in } }"
        )
      },
      .barriersBySilence,
    ])

  static let async48 = Rule(
    "ASYNC-48", .documented,
    "Grouping MUST reduce the number of disk syncs for many small commits.",
    source: "S0 (\"improves write performance; particularly when ... small\").",
    broken: "one sync each",
    probes: [
      Probe("forty grouped commits flush less often than forty single ones, and than forty times") {
        stage in
        let grouped = try stage.flushesAndCommits(of: 40, grouping: true).count { $0 }
        let single = try stage.flushesAndCommits(of: 40, grouping: false, "single").count { $0 }
        stage.expect(
          grouped < single && grouped < 40, "fewer flushes in groups",
          observed: "\(grouped) in groups, \(single) singly")
      }
    ])
}
