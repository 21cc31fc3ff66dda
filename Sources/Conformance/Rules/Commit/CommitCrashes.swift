import EngineUnderTest
import Foundation
import Harness

extension Rules.Commit {
  static let crashes: [Rule] = [
    commit15, commit16, commit17, commit18, commit19, commit20,
  ]

  static let commit15 = Rule(
    "COMMIT-15", .implementation,
    "If a process dies in the critical step between publishing in the shared structure and "
      + "finishing, others MUST not silently continue on a broken version list.",
    source: "(impl) db.cpp:2441.",
    broken: "continues on a half-published version",
    probes: [
      Probe(
        "others go on with a whole version when a writer dies at any step of its commit",
        deadline: .seconds(150),
        companions: [
          "writer": { stage in
            try stage.hooks().die(at: stage.words.first ?? "")
            let realm = try stage.open()
            realm.beginWrite()
            for id in 1...3 { realm.account(id).balance = 7 }
            try realm.commitWrite()
            stage.tell("survived")
          }
        ]
      ) { stage in
        let steps = try stage.hooks().steps
        // It has the file open all the time: what the dead one did half it must see whole or not at
        // all.
        let witness = try stage.stocked()
        let balances = { (realm: Realm) in [1, 2, 3].map { realm.account($0).balance } }
        for step in steps {
          try stage.foreign { realm in for id in 1...3 { realm.account(id).balance = 1 } }
          let remains = try stage.companion("writer", step).remains()
          if case .exited = remains.ending { continue }
          witness.refresh()
          for (who, seen) in [
            ("a session from before", balances(witness)),
            ("a new session", try stage.seen { balances($0) }),
          ] {
            stage.expect(
              seen == [1, 1, 1] || seen == [7, 7, 7],
              "after a death at \(step) \(who) sees the accounts as before or as committed",
              observed: "\(seen)")
          }
          try stage.foreign { $0.account(1).note = step }
          stage.equal(
            try stage.seen { $0.account(1).note }, step, "what is written after a death at \(step)")
        }
      }
    ] + [Probe.deaths[0]])

  static let commit16 = Rule(
    "COMMIT-16", .implementation,
    "The commit after a crash MUST recover space that the lost transaction had written, and "
      + "not treat it as used for ever.",
    source: "(impl) test_lang_bind_helper NoExtremeFileSpaceLeaks 3123.",
    broken: "leak per crash",
    probes: [
      Probe(
        "crashes do not make the file grow",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            realm.beginWrite()
            realm.add(Blob(id: 99, bytes: Data(repeating: 9, count: 200_000)))
            stage.tell("inside")
            _ = stage.hear()
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var size = 0
        for round in 0..<12 {
          let writer = try stage.companion("writer")
          _ = try stage.hear(writer, "inside")
          writer.signal(SIGKILL)
          use(writer.remains())
          try stage.foreign { $0.account(1).balance = round }
          if round == 3 { size = stage.size() }
        }
        stage.expect(
          stage.size() <= size + 200_000, "a file that stopped growing",
          observed: "\(size) and then \(stage.size())")
        stage.equal(
          try stage.seen { $0.objects(Blob.self).count }, 0, "what the crashed writers left")
      }
    ] + [Probe.deaths[1]])

  static let commit17 = Rule(
    "COMMIT-17", .documented,
    "Where async commits are visible but not yet durable, the last durable version's nodes "
      + "MUST NOT be reused until the newer one is durable.",
    source: "S0/S1/S3 (original version not corrupted).",
    broken: "free list counts the non-durable root as the only root",
    probes: [
      Probe("a crash during groups that use space again leaves a durable version, whole") { stage in
        try stage.survivesCrashes(
          Workload("groups", "", rules: [], pages: 260) { recorder in
            for _ in 0..<2 {
              for _ in 0..<2 { recorder.writeAsync(nil, grouping: true) }
              recorder.writeAsync(1, grouping: true)
              try recorder.settle()
            }
          })
      }
    ])

  static let commit18 = Rule(
    "COMMIT-18", .implementation,
    "If the sync of an async commit fails, the in-memory newer version MUST NOT cause later "
      + "overwriting of the durable version.",
    source: "(impl) CORE/transaction.cpp:808-830 (read lock leaked deliberately).",
    broken: "durable version overwritten after a failed sync",
    probes: [
      Probe("after a flush of an async commit has failed a crash leaves what was acknowledged") {
        stage in
        try stage.survivesCrashes(
          Workload("failing flushes", "", rules: []) { recorder in
            for round in 0..<4 {
              try recorder.attemptAsync(round)
              try recorder.settle()
              recorder.writeAsync(round, grouping: false)
              try recorder.settle()
            }
          })
      }
    ])

  static let commit20 = Rule(
    "COMMIT-20", .implementation,
    "A file that exists and is not a whole Realm file MUST be refused and left byte for byte as it "
      + "is; only an absent or empty file is made anew.",
    source: "CORE/alloc_slab.cpp (validate_header: InvalidDatabase).",
    broken: "made anew",
    probes: [
      Probe("zeros, short files, other formats and beginnings of a sound file stay as they are") {
        stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let sound = try Data(contentsOf: stage.file("probe"))
        let url = stage.file("victim")
        let victims =
          [1, 511, 512, 4096, 65_536].map { Data(count: $0) }
          + [1, 8, 100, 508, 511, 512, 1024, 4095, 4096, 5000].map { sound.prefix($0) }
          + [Data("Dear aunt,".utf8), Data("SQLite format 3\0".utf8) + Data(count: 4080)]
        for victim in victims {
          for isReadOnly in [false, true] {
            try victim.write(to: url)
            var configuration = stage.configuration("victim")
            configuration.readOnly = isReadOnly
            stage.refused("opening \(victim.count) bytes that are no Realm") {
              _ = try Realm(configuration: configuration)
            }
            stage.equal(try Data(contentsOf: url), victim, "what was refused")
          }
        }
        try Data().write(to: url)
        try stage.elsewhere { _ = try stage.stocked("victim") }
        stage.equal(
          try stage.seen("victim") { $0.account(1).balance }, 100, "the balance in a new file")
      }
    ] + Misaddressed.left)
}
