import EngineUnderTest
import Foundation
import Harness

extension Rules.Write {
  static let failing: [Rule] = [
    write24, write27, write33, write34,
  ]

  static let write24 = Rule(
    "WRITE-24", .documented,
    "If a process dies inside a write, or while it waits for one, other processes MUST be "
      + "able to write afterwards and MUST see none of its uncommitted changes.",
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
      },
      Probe("a process dies while it waits for its write", companions: Stage.waiting) { stage in
        try stage.survives(killing: [0])
      },
    ])

  static let write27 = Rule(
    "WRITE-27", .documented,
    "I/O failure at commit MUST be thrown from `write`/`commitWrite`, leave the file at the "
      + "previous version, and leave the realm usable.",
    source: "S0/S1/S3 Internal Structure; RS/Realm.swift:325-327",
    broken: "success reported; corrupt file",
    probes: [
      Programs.failing.probe,
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
      },
      Bygones.failed,
    ])

  static let write33 = Rule(
    "WRITE-33", .implementation,
    "A writer that is killed while it waits for the lock MUST NOT keep others from it.",
    source: "CORE/util/thread.cpp (robust mutex), CORE/db.cpp (begin_write).",
    broken: "the lock is handed to the dead",
    probes: [
      Probe(
        "of three processes that wait one is killed, whichever; the others write",
        companions: Stage.waiting
      ) { stage in
        var chance = stage.chance
        try stage.survives(killing: [0, 1, 2].shuffled(using: &chance))
      }
    ])

  static let write34 = Rule(
    "WRITE-34", .implementation,
    "A value beyond the documented limit of 16 MB (String, Data) MUST be refused when it is "
      + "set, in Realm's words; anything below MUST commit.",
    source: "CORE/obj.cpp (check_range), CORE/table.hpp (max_string_size, max_binary_size).",
    broken: "accepted, dies in the commit",
    probes: Longest.kept + Longest.refused + Longest.refusedElements + Probe.longValues)
}

/// The ways of a long value into a realm.
private enum Longest {
  struct Way: Sendable {
    let name: String
    let kind: String
    let set: @Sendable (Realm, Int) -> Void
    let length: @Sendable (Realm) -> Int
  }

  static let kept: [Probe] = ways.map { way in
    Probe("a byte less than 16 MB: \(way.name)") { stage in
      let realm = try stage.stocked()
      try realm.write { way.set(realm, 1 << 24 - 1) }
      stage.equal(try stage.seen { way.length($0) }, 1 << 24 - 1, "its length, read elsewhere")
    }
  }

  private static let sizes: [(name: String, bytes: Int)] = [
    ("16 MB", 1 << 24), ("16 MB and a byte", 1 << 24 + 1), ("128 MiB", 1 << 27),
  ]

  static let refused: [Probe] = ways.flatMap { way in
    sizes.map { size in
      Probe("\(size.name): \(way.name)", refusing: ["\(way.kind) too big"]) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        stage.act { way.set(realm, size.bytes) }
      }
    }
  }

  /// Values that are no property's own.
  static let refusedElements: [Probe] = elements.map { element in
    Probe("16 MB: \(element.name)", refusing: ["too big"]) { stage in
      let realm = try Realm(configuration: stage.specimens())
      try realm.write { realm.add(Specimen(id: 0)) }
      realm.beginWrite()
      stage.act { element.put(realm.specimen(0)!) }
    }
  }

  private static let elements: [(name: String, put: @Sendable (Specimen) -> Void)] = [
    ("a list's element", { $0.words.append(text(1 << 24)) }),
    ("a list's element, inserted", { $0.words.insert(text(1 << 24), at: 0) }),
    ("a list that is assigned", { $0.words.append(objectsIn: ["short", text(1 << 24)]) }),
    ("a set's member", { $0.labels.insert(text(1 << 24)) }),
    ("a map's key", { $0.scores[text(1 << 24)] = 1 }),
    ("an optional text", { $0.text = text(1 << 24) }),
    ("an indexed text", { $0.name = text(1 << 24) }),
    ("optional data", { $0.bytes = data(1 << 24) }),
    ("a text by name", { $0.setValue(text(1 << 24), forKey: "word") }),
  ]

  private static func text(_ count: Int) -> String { LongValue.text(count) }
  private static func data(_ count: Int) -> Data { LongValue.data(count) }

  static let ways = [
    Way(
      name: "a string that is set", kind: "String",
      set: { realm, count in realm.account(1).note = text(count) },
      length: { $0.account(1).note.utf8.count }),
    Way(
      name: "the data of an object that is added", kind: "Binary",
      set: { realm, count in realm.add(Blob(id: 1, bytes: data(count))) },
      length: { $0.objects(Blob.self)[0].bytes.count }),
    Way(
      name: "a string in a value that is created", kind: "String",
      set: { realm, count in
        realm.create(Account.self, value: ["id": 9, "note": text(count)] as [String: Any])
      },
      length: { $0.account(9).note.utf8.count }),
  ]
}
