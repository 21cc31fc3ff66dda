import EngineUnderTest
import Foundation
import Harness

extension Rules.Write {
  static let failing: [Rule] = [
    write24, write27,
  ]

  static let write24 = Rule(
    "WRITE-24", .documented,
    "If a process dies inside a write, other processes MUST be able to write afterwards and "
      + "MUST see none of its uncommitted changes.",
    source: "S0/S1/S3 Internal Structure (failure partway never corrupts); "
      + "OCT/InterprocessTests.m:372, 388; test_shared.cpp:1594",
    broken: "stale lock file blocks forever; torn data visible",
    probes: [
      Probe(
        "a process dies inside its write",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            realm.beginWrite()
            realm.account(1).balance = 7
            for id in 100..<200 {
              realm.add(Account(id: id, note: String(repeating: "x", count: 200)))
            }
            stage.tell("inside")
            _ = stage.hear()
          }
        ]
      ) { stage in
        let realm = try stage.stocked()
        for round in 1...5 {
          let writer = try stage.companion("writer")
          _ = try stage.hear(writer, "inside")
          writer.signal(SIGKILL)
          stage.equal(writer.remains().ending, .signalled(SIGKILL), "the writer's end")
          // The realm that was open all the time, and then a fresh one.
          try realm.write { realm.account(2).balance = round }
          try stage.foreign { $0.account(3).balance = round }
          let seen = try stage.seen {
            "\($0.account(1).balance) \($0.account(2).balance) \($0.account(3).balance) "
              + "\($0.objects(Account.self).count)"
          }
          stage.equal(seen, "100 \(round) \(round) 3", "the file after round \(round)")
        }
      }
    ])

  static let write27 = Rule(
    "WRITE-27", .documented,
    "I/O failure at commit MUST be thrown from `write`/`commitWrite`, leave the file at the "
      + "previous version, and leave the realm usable.",
    source: "S0/S1/S3 Internal Structure; RS/Realm.swift:325-327",
    broken: "success reported; corrupt file",
    probes: [
      Probe("a commit that finds no room throws and leaves everything") { stage in
        let realm = try stage.stocked()
        do {
          try Stage.withFilesLimited(to: stage.size() + 65_536) {
            try realm.write {
              for id in 0..<400 {
                realm.add(Blob(id: id, bytes: Data(repeating: 1, count: 50_000)))
              }
            }
          }
          stage.fail(expected: "an error", observed: "a commit")
        } catch { stage.expect(true, "the error of a full disk") }
        let seen = try stage.seen { "\($0.objects(Blob.self).count) \($0.account(1).balance)" }
        stage.equal(seen, "0 100", "the file seen by another thread")
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "a later commit")
      }
    ])
}
