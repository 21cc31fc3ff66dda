import EngineUnderTest
import Foundation
import Harness

extension Rules.Commit {
  static let crashes: [Rule] = [
    commit15, commit16, commit17, commit18,
  ]

  static let commit15 = Rule(
    "COMMIT-15", .implementation,
    "If a process dies in the critical step between publishing in the shared structure and "
      + "finishing, others MUST not silently continue on a broken version list.",
    source: "(impl) db.cpp:2441.",
    broken: "continues on a half-published version",
    untested:
      "seen only from inside the engine: needs a process that dies at a named instant of a commit")

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
    ])

  static let commit17 = Rule(
    "COMMIT-17", .documented,
    "Where async commits are visible but not yet durable, the last durable version's nodes "
      + "MUST NOT be reused until the newer one is durable.",
    source: "S0/S1/S3 (original version not corrupted).",
    broken: "free list counts the non-durable root as the only root",
    untested:
      "seen only from inside the engine: needs the durable root. The crash states of ReferenceEngineTests/Versions show it for the reference engine"
  )

  static let commit18 = Rule(
    "COMMIT-18", .implementation,
    "If the sync of an async commit fails, the in-memory newer version MUST NOT cause later "
      + "overwriting of the durable version.",
    source: "(impl) CORE/transaction.cpp:808-830 (read lock leaked deliberately).",
    broken: "durable version overwritten after a failed sync",
    untested:
      "seen only from inside the engine: needs a disk whose sync fails. The fault tests of ReferenceEngineTests/Versions show it for the reference engine"
  )
}
