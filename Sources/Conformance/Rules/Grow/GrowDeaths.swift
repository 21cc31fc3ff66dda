import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Processes that hold versions and die of it, while nobody opens the file any more: who has it
  /// open already is to find out.
  static let deadHolders: [Probe] = [6, 16].flatMap { count in
    ["a realm", "a frozen realm", "a listener"].map { kind in
      Probe(
        "space is reused once \(count) processes that held versions have died: \(kind)",
        companions: ["holder": holder(of: kind), "meter": meter]
      ) { stage in
        let realm = try stage.open()
        try Stage.addBlob(to: realm)
        let meter = try stage.companion("meter")
        _ = try stage.hear(meter, "that it has the file open")
        // Each holds a version of its own, with bytes of its own.
        var holders: [RunningChild] = []
        for round in 0..<count {
          let holder = try stage.companion("holder")
          _ = try stage.hear(holder, "that it holds a version")
          holders.append(holder)
          try stage.overwrite(realm, with: round)
        }
        let size = stage.size()
        for holder in holders {
          holder.signal(SIGKILL)
          use(holder.remains())
        }
        try stage.overwrite(realm, with: 100)
        meter.send("write")
        stage.equal(try stage.hear(meter, "whether it could write"), "fits", "the versions alive")
        for id in 0..<count {
          try realm.write {
            realm.add(Blob(id: 10 + id, bytes: Data(repeating: 1, count: Stage.blobSize)))
          }
        }
        // The files of engines grow by steps; what the dead held is most of what is needed.
        stage.expect(
          stage.size() <= size + (count / 2 + 1) * Stage.blobSize,
          "a file in which there was room for \(count) blobs",
          observed: "\(size) and then \(stage.size())")
        meter.closeInput()
        use(meter.remains())
      }
    }
  }

  /// Holds a version until it is killed.
  private static func holder(of kind: String) -> Body {
    { stage in
      let realm = try stage.open()
      use(realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.count)
      let frozen = kind == "a frozen realm" ? realm.freeze() : nil
      let token = kind == "a listener" ? realm.objects(Blob.self).observe { _ in } : nil
      stage.tell("holds")
      _ = stage.hear()
      use((realm, frozen, token))
    }
  }

  /// Has the file open from the beginning, holds nothing, and tells whether it may write beside few
  /// versions.
  private static let meter: Body = { stage in
    var configuration = stage.configuration()
    configuration.maximumNumberOfActiveVersions = 5
    let realm = try Realm(configuration: configuration)
    realm.invalidate()
    stage.tell("open")
    _ = stage.hear()
    do {
      try realm.write { realm.add(Account(id: 1)) }
      realm.invalidate()
      stage.tell("fits")
    } catch {
      stage.tell("too many")
    }
    _ = stage.hear()
  }
}
