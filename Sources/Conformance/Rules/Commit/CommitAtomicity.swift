import EngineUnderTest
import Foundation
import Harness

extension Rules.Commit {
  static let atomicity: [Rule] = [
    commit01, commit02, commit03, commit04, commit05, commit06, commit07, commit08,
  ]

  static let commit01 = Rule(
    "COMMIT-01", .documented,
    "A commit MUST be atomic: other readers and any later opener see all of it or none.",
    source: "S0/S1/S3 Git (\"atomic writes\"), Internal Structure.",
    broken: "partial apply",
    probes: [
      Probe("in the middle of a write others see none of it") { stage in
        let realm = try stage.stocked()
        func seen() throws -> [Int] {
          try stage.seen { realm in [1, 2].map { realm.account($0).balance } }
        }
        let before = try seen()
        realm.beginWrite()
        for id in [1, 2] {
          realm.account(id).balance = 7000 + id
          stage.equal(try seen(), before, "the balances that others see")
        }
        try realm.commitWrite()
        stage.equal(try seen(), [7001, 7002], "the balances after the commit")
      },
      Probe(
        "a process is killed again and again; every state is a whole one",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            stage.tell("\(realm.account(1).balance)")
            while true {
              try realm.write {
                let next = realm.account(1).balance + 1
                realm.account(1).balance = next
                realm.account(2).balance = -next
                realm.account(3).note = String(repeating: "\(next % 10)", count: 1000 + next % 500)
                if next % 5 == 0 {
                  realm.add(Blob(id: next, bytes: Data(repeating: 1, count: 3000)))
                }
              }
              if realm.account(1).balance % 20 == 0 { stage.tell("\(realm.account(1).balance)") }
            }
          }
        ]
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { for id in 1...3 { realm.add(Account(id: id)) } }
        }
        var chance = stage.chance
        var last = 0
        for _ in 0..<6 {
          let writer = try stage.companion("writer")
          _ = try stage.hear(writer, "its start")
          let told = Int(try stage.hear(writer, "a number")) ?? 0
          stage.giveWay(Int.random(in: 0..<3000, using: &chance))
          writer.signal(SIGKILL)
          use(writer.remains())
          let state = try stage.seen { realm in
            let one = realm.account(1).balance
            let note = realm.account(3).note
            let whole =
              realm.account(2).balance == -one
              && note == String(repeating: "\(one % 10)", count: 1000 + one % 500)
              && realm.objects(Blob.self).count == one / 5
            return (one, whole)
          }
          stage.expect(
            state.1, "a whole state", observed: "number \(state.0) with other parts missing")
          stage.expect(
            state.0 >= told && state.0 >= last, "nothing lost", observed: "\(state.0) after \(told)"
          )
          last = state.0
        }
      },
    ] + [.changesAreWhole, .readersSeeWholes] + CommitMasses.probes)

  static let commit02 = Rule(
    "COMMIT-02", .documented,
    "A commit MUST work in two phases: all new data is written and verified first, only "
      + "then is the pointer to the newest version switched.",
    source: "S0/S1/S3 Internal Structure (two bullets).",
    broken: "pointer first; single sync; missing barrier",
    probes: [
      Probe("a crash anywhere in a commit leaves the version before or the new one, whole") {
        stage in
        try stage.survivesCrashes(
          Workload("commits", "", rules: []) { for round in 0..<4 { try $0.write(round) } })
      },
      Probe("a crash amid groups of a home that listens leaves whole groups") { stage in
        try stage.survivesCrashes(.observed)
      },
      Probe("a commit that lies in many places of the file is there whole or not at all") { stage in
        try stage.survivesCrashes(.scattered)
      },
      Probe("a commit that makes the file longer is there whole or not at all") { stage in
        try stage.survivesCrashes(.growing)
      },
    ])

  static let commit03 = Rule(
    "COMMIT-03", .documented,
    "If a failure strikes during phase one, the root pointer MUST still name the previous "
      + "version and that version MUST be intact.",
    source: "S0/S1/S3 (\"original version is not corrupted\", \"root pointer will point to the "
      + "original version\").",
    broken: "in-place update",
    probes: [
      Probe("a commit whose data cannot be written leaves the version before, also after a crash") {
        stage in
        try stage.survivesCrashes(
          Workload("failing commits", "", rules: []) { recorder in
            for round in 0..<3 {
              try recorder.write(round)
              recorder.hooks.fail(.writes, after: 0, times: 1)
              recorder.attempt(round)
              recorder.hooks.fail(.flushes, after: 0, times: 1)
              recorder.attempt(round)
            }
            try recorder.write(1)
          })
      }
    ])

  static let commit04 = Rule(
    "COMMIT-04", .implementation,
    "A crash (SIGKILL) at any point of a commit MUST leave either the old or the new "
      + "version, openable without repair by the user.",
    source: "as above.",
    broken: "recovery needs deletion of the file; lock file left inconsistent",
    probes: [
      Probe(
        "a killed writer leaves the old or the new version",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            let round = Int(stage.words[0])!
            var number: UInt32 = 0
            stage.tell("ready")
            _ = stage.hear()
            var isFirst = true
            while true {
              try realm.write {
                if isFirst { stage.tell("inside") }
                isFirst = false
                realm.account(1).balance += 1
                // Scattered, and none twice.
                number += 1
                realm.add(
                  Blob(
                    id: round << 32 | Int(number &* 2_654_435_769),
                    bytes: Data(repeating: UInt8(round), count: 20_000)))
                realm.account(2).balance += 1
              }
            }
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var chance = stage.chance
        for round in 0..<10 {
          let writer = try stage.companion("writer", "\(round)")
          _ = try stage.hear(writer, "ready")
          writer.send("go")
          // Or on a busy machine it is killed before it has begun.
          _ = try stage.hear(writer, "its first write")
          stage.giveWay(Int.random(in: 0..<4000, using: &chance))
          writer.signal(SIGKILL)
          use(writer.remains())
          let pair = try stage.seen { ($0.account(1).balance, $0.account(2).balance) }
          guard stage.expect(pair.0 + 100 == pair.1, "a pair of one version", observed: "\(pair)")
          else { return }
        }
      },
      CommitTorn.probe, .killedInMigration,
    ])

  static let commit05 = Rule(
    "COMMIT-05", .documented,
    "A commit that has returned (sync) or completed (async) MUST survive a process crash.",
    source: "S0/S1/S3 durability.",
    broken: "data only in process memory",
    probes: [
      Probe(
        "what a killed process had reported is there",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            for number in 1... {
              try realm.write { realm.account(1).balance = 1000 + number }
              stage.tell("\(1000 + number)")
            }
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        for _ in 0..<4 {
          let writer = try stage.companion("writer")
          var told = 0
          for _ in 0..<10 { told = Int(try stage.hear(writer, "a number")) ?? 0 }
          writer.signal(SIGKILL)
          use(writer.remains())
          let seen = try stage.seen { $0.account(1).balance }
          stage.expect(seen >= told, "at least \(told)", observed: "\(seen)")
          try stage.foreign { $0.account(1).balance = 0 }
        }
      }
    ] + [.changesReopened, .killedManners]
      + RealmMake.allCases.filter(\.isKeptInAFile).map { .filesInStates($0) })

  static let commit06 = Rule(
    "COMMIT-06", .documented,
    "Commits MUST only survive as prefixes of the commit order: never version n+1 without "
      + "n.",
    source: "S0/S1/S3 Git (linear history).",
    broken: "log replay out of order",
    probes: [
      Probe(
        "after a crash the chain has no gap",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            while true {
              try realm.write {
                let last: Int = realm.objects(Account.self).max(ofProperty: "id")!
                let link = Account(id: last + 1, balance: last)
                realm.add(link)
                link.previous = realm.account(last)
              }
              let last: Int = realm.objects(Account.self).max(ofProperty: "id")!
              if last % 10 == 0 { stage.tell("\(last)") }
            }
          }
        ]
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 0)) }
        }
        for _ in 0..<3 {
          func isWhole(_ when: String) throws -> Bool {
            let chain = try stage.seen { realm in
              var ids: [Int] = []
              var next: Account? = realm.account(realm.objects(Account.self).max(ofProperty: "id")!)
              while let link = next {
                ids.append(link.id)
                next = link.previous
              }
              return ids
            }
            return stage.equal(chain, Array((0...chain[0]).reversed()), "the chain \(when)")
          }
          let writer = try stage.companion("writer")
          _ = try stage.hear(writer, "ten links")
          for _ in 0..<20 { if try !isWhole("while it grows") { break } }
          writer.signal(SIGKILL)
          use(writer.remains())
          if try !isWhole("after the kill") { return }
        }
      }
    ])

  static let commit07 = Rule(
    "COMMIT-07", .implementation,
    "After a failed commit the realm and file MUST remain usable for reading, and a later "
      + "commit may succeed; whoever makes it, it is told like any other.",
    source: "Internal Structure.",
    broken: "realm unusable after ENOSPC; the next commit taken for the failed one",
    probes: [
      Programs.afterFailures.probe,
      Probe("after a failed commit a later one succeeds") { stage in
        let realm = try stage.stocked()
        try stage.failsToCommit(realm)
        stage.equal(realm.objects(Account.self).count, 3, "the accounts read here afterwards")
        stage.equal(
          try stage.seen { $0.objects(Account.self).count }, 3, "the accounts read elsewhere")
        try stage.foreign { $0.add(Account(id: 9)) }
        stage.equal(
          try stage.seen { $0.objects(Account.self).count }, 4, "the accounts after a commit")
      },
      Probe("who failed is told of the commit of another thread that follows") { stage in
        let realm = try stage.stocked()
        try stage.failsToCommit(realm)
        try stage.foreign { $0.add(Account(id: 9)) }
        // Nothing but news brings it here.
        try stage.spin(until: { realm.objects(Account.self).count == 4 }, "the news of the commit")
        stage.equal(realm.objects(Account.self).count, 4, "the accounts here")
      },
    ] + Probe.failuresKeepNothing + Probe.failuresHaveNoHeirs + Probe.failedChanges
      + Probe.heardAfterFailures + Refusals.probes)

  static let commit08 = Rule(
    "COMMIT-08", .documented,
    "A synchronous commit MUST force the data to stable storage before returning; "
      + "asynchronous before completion.",
    source: "S0/S1/S3 (\"writes changes to disk and verifies success\"); durability.",
    broken: "no fsync; fsync after return",
    probes: [
      Probe("nothing of a commit that has returned is lost by a crash") { stage in
        try stage.survivesCrashes(
          Workload("commits", "", rules: []) { for round in 0..<4 { try $0.write(round) } })
      },
      Probe("nothing of a commit is lost by a crash after its completion") { stage in
        try stage.survivesCrashes(
          Workload("asynchronous commits", "", rules: []) { recorder in
            for round in 0..<4 {
              recorder.writeAsync(round, grouping: false)
              try recorder.settle()
            }
          })
      },
    ]
      + Meetings.atADisk + Probe.flushedChanges + [Probe.namesOfFiles])
}
