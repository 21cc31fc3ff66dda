import EngineUnderTest
import Foundation
import Harness

/// Everything of each kind that holds a version for a while, and lets it go.
enum GrowKinds {
  private typealias Use = (
    name: String, run: @Sendable (Stage, Realm, RefKinds.Held) throws -> Void
  )

  /// What is done with a thing of each kind; nothing of it is kept afterwards.
  private static let uses: [Use] = [
    ("referred to and dropped", { _, _, held in use(held.refer().isInvalidated()) }),
    ("resolved where it is from", { _, realm, held in use(held.refer().resolve(realm)?.digest) }),
    (
      "resolved elsewhere",
      { stage, realm, held in
        let (ticket, configuration) = (held.refer(), realm.configuration)
        try stage.elsewhere {
          use(ticket.resolve(try Realm(configuration: configuration))?.digest)
        }
      }
    ),
    (
      "resolved in a write that is cancelled",
      { stage, realm, held in
        let (ticket, configuration) = (held.refer(), realm.configuration)
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          other.beginWrite()
          use(ticket.resolve(other)?.digest)
          other.cancelWrite()
        }
      }
    ),
    ("frozen", { _, _, held in use(held.freeze().digest()) }),
    ("frozen and not read", { _, _, held in use(held.freeze()) }),
    ("frozen and thawed", { _, _, held in use(held.freeze().thaw()?.digest()) }),
    (
      "frozen, and read and thawed elsewhere",
      { stage, _, held in
        let frozen = held.freeze()
        try stage.elsewhere {
          use(frozen.digest())
          use(frozen.thaw()?.digest())
        }
      }
    ),
    (
      "wrapped, and read here and elsewhere",
      { stage, realm, held in
        let (variable, configuration) = (held.wrap(), realm.configuration)
        use(variable.read()?.digest)
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          use(variable.read()?.digest)
          try other.write { other.vessel(2)!.number += 1 }
          use(variable.read()?.digest)
        }
        use(variable.read()?.digest)
      }
    ),
    (
      "wrapped and assigned",
      { _, _, held in
        let variable = held.wrap()
        variable.take(nil)
        variable.take(held)
        use(variable.read()?.digest)
        variable.take(nil)
      }
    ),
  ]

  static let probes: [Probe] = uses.map { use in
    Probe("things of each kind, \(use.name), hold no version afterwards") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try RefKinds.stocked(stage) }
      var configuration = RefKinds.configuration(stage)
      configuration.maximumNumberOfActiveVersions = 6
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      for kind in RefKinds.all {
        // More often than versions may live: one that leaks by each use is one too many.
        for round in 0..<8 {
          let held = kind.hold(realm, 1 + round % 2)
          try use.run(stage, realm, held)
          do { try realm.write { realm.vessel(1)!.number = round } } catch {
            return stage.fail(
              expected: "a write after \(kind.name), \(use.name)", observed: "\(error)")
          }
        }
      }
      stage.equal(realm.vessel(1)!.number, 7, "the number in the end")
    }
  }

  /// Views of each kind of one version, all kept at once.
  static let manyViews = Probe("views of every kind of one version count as one") { stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    var configuration = RefKinds.configuration(stage)
    configuration.maximumNumberOfActiveVersions = 4
    let realm = try Realm(configuration: configuration)
    var views: [RefKinds.Held] = []
    for _ in 0..<5 {
      for kind in RefKinds.all {
        for id in 1...2 {
          views.append(kind.hold(realm, id).freeze())
          views.append(views[views.count - 1].freeze())
        }
      }
      views.append(RefKinds.all[0].hold(realm.freeze(), 1))
    }
    let digests = views.map { $0.digest() }
    for round in 1...5 { try realm.write { RefKinds.change(realm, round) } }
    stage.expect(
      zip(views, digests).allSatisfy { $0.digest() == $1 }, "all views are as they were")
    stage.equal(realm.vessel(1)!.number, 5, "the number after five writes")
  }

  /// Between a version that is kept for long and another one what nobody has is used again.
  static let betweenPins: [Probe] = [
    "frozen realms", "frozen objects", "realms that stay", "references",
  ].map { kind in
    Probe("what lies between two versions that are kept is used again: \(kind)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      try Stage.addBlob(to: realm)
      var kept: [Any] = []
      let queues = (0..<2).map { DispatchQueue(label: "holder \($0)") }
      func keep(_ place: Int) throws {
        let blob = realm.object(ofType: Blob.self, forPrimaryKey: 1)!
        switch kind {
        case "frozen realms": kept.append(realm.freeze())
        case "frozen objects": kept.append(blob.freeze())
        case "references": kept.append(ThreadSafeReference(to: realm.objects(Blob.self)))
        default:
          try queues[place].sync {
            let other = try Realm(configuration: stage.configuration(), queue: queues[place])
            other.autorefresh = false
            use(other.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first)
            kept.append(other)
          }
        }
      }
      try keep(0)
      for round in 0..<100 { try stage.overwrite(realm, with: round) }
      try keep(1)
      for round in 0..<100 { try stage.overwrite(realm, with: round) }
      stage.equal(kept.count, 2, "who keeps a version")
      // Two that are kept, the newest, and what the commits around them need.
      stage.expect(
        stage.size() < 16 * Stage.blobSize, "fewer than 16 blobs after 200 commits",
        observed: "\(stage.size() / Stage.blobSize)")
      queues[1].sync { if kind == "realms that stay" { kept.removeLast() } }
      queues[0].sync { kept.removeAll() }
      try stage.growsNoMore("after both have gone")
    }
  }

  /// Readers that keep up, in each way there is.
  static let regularReaders: [Probe] = [
    "a refresh", "a begin", "its loop", "a queue", "a listener", "a process",
  ].map { way in
    Probe(
      "who comes along regularly does not make the file grow: by \(way)",
      companions: [
        "reader": { stage in
          let realm = try stage.open()
          while stage.hear() != nil {
            realm.refresh()
            stage.tell("\(realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first ?? 0)")
          }
        }
      ]
    ) { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      try Stage.addBlob(to: realm)
      let blob = realm.object(ofType: Blob.self, forPrimaryKey: 1)!
      let queue = DispatchQueue(label: "reader")
      var (other, told): (Realm?, UInt8?)
      var token: NotificationToken?
      var child: RunningChild?
      switch way {
      case "a queue":
        try queue.sync {
          other = try Realm(configuration: stage.configuration(), queue: queue)
          use(other!.objects(Blob.self).count)
        }
      case "a listener":
        token = realm.objects(Blob.self).observe { change in
          if case .update(let all, _, _, _) = change { told = all[0].bytes.first }
        }
        try stage.settle(realm)
      case "a process": child = try stage.companion("reader")
      default: break
      }
      var sizes: [Int] = []
      for round in 0..<120 {
        let byte = UInt8(round)
        try stage.foreign {
          $0.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
            repeating: byte, count: Stage.blobSize)
        }
        switch way {
        case "a begin":
          realm.beginWrite()
          realm.cancelWrite()
        case "its loop": try stage.spin(until: { blob.bytes.first == byte }, "its advance")
        case "a queue":
          try stage.spin(
            until: {
              queue.sync {
                other!.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first == byte
              }
            }, "the queue's advance")
          realm.refresh()
        case "a listener": try stage.spin(until: { told == byte }, "the call")
        case "a process":
          child?.send("look")
          stage.equal(try stage.hear(child!, "what it reads"), "\(byte)", "the byte there")
          realm.refresh()
        default: realm.refresh()
        }
        stage.equal(blob.bytes.first, byte, "the first byte, round \(round)")
        if round % 30 == 29 { sizes.append(stage.size()) }
      }
      // A leak of one commit in twenty would be more.
      stage.expect(
        sizes[3] <= sizes[1] + 2 * Stage.blobSize, "a file that stopped growing, \(way)",
        observed: "sizes \(sizes.map { $0 / Stage.blobSize }) in blobs")
      token?.invalidate()
      queue.sync { other = nil }
    }
  }
}
