import EngineUnderTest
import Foundation
import Harness

/// Who opens a file while somebody is inside a write of it, and others have stayed on what was
/// before: whatever it could share with any of them, it shows the newest commit.
enum OpenedBesideWrites {
  static let probes: [Probe] = [
    probe("a thread") { stage, round in
      let release = Latch("the openings beside write \(round)")
      let writer = try stage.holdingWrite(until: release) { change($0) }
      return {
        release.open()
        try stage.join(writer)
      }
    },
    probe("another process") { stage, _ in
      let writer = try stage.companion("writer")
      stage.equal(try stage.hear(writer, "its write"), "inside", "the writer's word")
      return {
        writer.send("end")
        stage.equal(try stage.hear(writer, "its end"), "ended", "the writer's word")
        stage.equal(writer.remains().ending, .exited(0), "the writer's end")
      }
    },
  ]

  /// How a file is opened.
  private enum Way: String, CaseIterable {
    case thread = "a thread"
    case queue = "a queue"
    case asyncOpen = "asyncOpen"
    case process = "another process"
  }

  /// Nobody else may see this before it is committed.
  private static func change(_ realm: Realm) { realm.account(1).balance = -1 }

  private static func probe(
    _ writer: String,
    _ begin: @escaping @Sendable (Stage, Int) throws -> () throws -> Void
  ) -> Probe {
    Probe(
      "each opening beside a write shows the newest commit, whoever stays behind: \(writer) writes",
      companions: [
        "writer": { stage in
          let realm = try stage.open()
          realm.beginWrite()
          change(realm)
          stage.tell("inside")
          _ = stage.hear()
          try realm.commitWrite()
          stage.tell("ended")
        },
        "opener": { stage in stage.tell("\(try stage.open().account(1).balance)") },
      ]
    ) { stage in
      // One stays on each version that there will be: one here, one on a queue, one frozen.
      let first = try stage.stocked()
      first.autorefresh = false
      let frozen = first.freeze()
      try stage.foreign { $0.account(1).balance = 200 }
      let queue = DispatchQueue(label: "second")
      let second = try stage.on(queue) {
        let realm = try Realm(configuration: stage.configuration(), queue: queue)
        realm.autorefresh = false
        use(realm.account(1).balance)
        return realm
      }
      for round in 1...2 {
        let newest = 1000 * round
        try stage.foreign { $0.account(1).balance = newest }
        let end = try begin(stage, round)
        for way in Way.allCases {
          stage.equal(
            try balance(stage, openedBy: way), newest,
            "the balance that \(way.rawValue) finds beside write \(round)")
        }
        try end()
        stage.equal(
          try balance(stage, openedBy: .thread), -1, "the balance behind write \(round)")
      }
      stage.equal(first.account(1).balance, 100, "the balance of who stayed")
      stage.equal(frozen.account(1).balance, 100, "the frozen balance")
      stage.equal(
        stage.on(queue) { second.account(1).balance }, 200, "the balance of who stayed on a queue")
    }
  }

  /// What a realm shows that is opened just now.
  private static func balance(_ stage: Stage, openedBy way: Way) throws -> Int {
    switch way {
    case .thread: return try stage.seen { $0.account(1).balance }
    case .queue:
      let queue = DispatchQueue(label: "opener")
      return try stage.on(queue) {
        try Realm(configuration: stage.configuration(), queue: queue).account(1).balance
      }
    case .asyncOpen:
      return try stage.openedAsynchronously(
        stage.configuration(), on: DispatchQueue(label: "callback")
      ) { $0.account(1).balance }.get()
    case .process:
      let opener = try stage.companion("opener")
      defer { use(opener.remains()) }
      return Int(try stage.hear(opener, "what it shows")) ?? -2
    }
  }
}
