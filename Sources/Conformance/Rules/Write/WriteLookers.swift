import EngineUnderTest
import Foundation
import Harness

/// What opens the file once more in the middle of a write, and lets it go again: the write keeps
/// its lock, also before other processes.
enum WriteLookers {
  private static let ways: [(name: String, look: @Sendable (Stage, Realm) throws -> Void)] = [
    ("schemaVersionAtURL", { stage, _ in use(try schemaVersionAtURL(url(stage))) }),
    ("a question for the file", { stage, _ in use(Realm.fileExists(for: stage.configuration())) }),
    ("a realm on another thread", { stage, _ in use(try stage.seen { $0.account(1).balance }) }),
    (
      "a frozen realm", { stage, _ in use(try stage.seen { $0.freeze().account(1).balance }) }
    ),
    (
      "a copy of the file",
      { stage, realm in
        try realm.writeCopy(toFile: stage.directory.appendingPathComponent("copy.realm"))
      }
    ),
    (
      "files that cannot be deleted",
      { stage, _ in use(try? Realm.deleteFiles(for: stage.configuration())) }
    ),
  ]

  private static func url(_ stage: Stage) -> URL {
    stage.directory.appendingPathComponent("probe.realm")
  }

  static let probes: [Probe] = ways.map { name, look in
    Probe(
      "in a write, \(name) lets no other process in",
      companions: [
        "writer": { stage in
          let realm = try stage.open()
          use(realm.account(1).balance)
          _ = stage.hear()
          stage.tell("asks")
          realm.beginWrite()
          let balance = realm.account(1).balance
          realm.account(1).balance = balance + 1
          stage.tell("\(balance)")
          try realm.commitWrite()
        }
      ]
    ) { stage in
      let realm = try stage.stocked()
      let other = try stage.companion("writer")
      realm.beginWrite()
      other.send("go")
      stage.equal(try stage.hear(other, "asks"), "asks", "the other's word")
      try look(stage, realm)
      // An engine that lets it in now does so at once.
      stage.letShow(Latch("nothing"), within: .milliseconds(150))
      realm.account(1).balance = 500
      try realm.commitWrite()
      stage.equal(try stage.hear(other, "what it found"), "500", "what the other found")
      try stage.spin(
        until: {
          realm.refresh()
          return realm.account(1).balance == 501
        }, "the other's write")
      stage.equal(realm.account(1).balance, 501, "what both have written")
    }
  }
}
