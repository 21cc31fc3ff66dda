import EngineUnderTest
import Foundation
import Harness

/// Whatever keeps a version counts as long as it is kept, whatever kind of thing it is, and no
/// longer.
enum CountedVersions {
  /// Something that keeps the version of the moment.
  private struct Keeping {
    let name: String
    /// What is kept, and what it tells, which must stay what it is.
    let keep: (Stage, Realm) throws -> (thing: Any, digest: (() -> String)?)
  }

  private static func frozen() -> [Keeping] {
    RefKinds.all.map { kind in
      Keeping(name: "\(kind.name), frozen") { _, realm in
        let held = kind.hold(realm, 1).freeze()
        return (held, held.digest)
      }
    } + [
      Keeping(name: "a realm, frozen") { _, realm in
        let frozen = realm.freeze()
        return (frozen, { "\(frozen.vessel(1)!.number)" })
      },
      Keeping(name: "a frozen realm's results that nobody has read") { _, realm in
        let found = realm.freeze().objects(Vessel.self).where { $0.number > -5 }
        return (found, { "\(found.map(\.number))" })
      },
      Keeping(name: "a query that was frozen unread") { _, realm in
        let found = realm.objects(Vessel.self).where { $0.number > -5 }.freeze()
        return (found, { "\(found.map(\.number))" })
      },
      Keeping(name: "an array of frozen objects") { _, realm in
        let all = Array(realm.objects(Vessel.self).freeze())
        return (all, { "\(all.map(\.number))" })
      },
      Keeping(name: "a loop over frozen objects under way") { _, realm in
        var iterator = realm.objects(Vessel.self).freeze().makeIterator()
        use(iterator.next())
        return (iterator, nil)
      },
      Keeping(name: "what a frozen object links to") { _, realm in
        let link = realm.vessel(1)!.freeze().link!
        return (link, { "\(link.number) \(link.text)" })
      },
    ]
  }

  /// Realms that stay where they are, because their thread is gone.
  private static func live() -> [Keeping] {
    [
      Keeping(name: "a realm of a thread that has ended") { stage, realm in
        let configuration = realm.configuration
        return (
          try stage.elsewhere {
            let own = try Realm(configuration: configuration)
            use(own.vessel(1)!.number)
            return Smuggling(own)
          }, nil
        )
      },
      Keeping(name: "an object of a thread that has ended") { stage, realm in
        let configuration = realm.configuration
        return (
          try stage.elsewhere {
            let own = try Realm(configuration: configuration)
            let vessel = own.vessel(1)!
            use(vessel.number)
            return Smuggling(vessel)
          }, nil
        )
      },
    ]
  }

  private static let limit = 3

  private static func look(_ stage: Stage, _ keepings: [Keeping]) throws {
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    var configuration = RefKinds.configuration(stage)
    configuration.maximumNumberOfActiveVersions = UInt(limit)
    let realm = try Realm(configuration: configuration)
    var number = 0
    /// Whether there was a write.
    func write() throws -> Bool {
      number += 1
      let mark = number
      var end: (any Error)??
      realm.writeAsync(
        {
          let vessel = realm.vessel(1)!
          (vessel.number, vessel.text) = (mark, "text \(mark)")
          (vessel.texts[0], vessel.numbers[0]) = ("\(mark)", mark)
          (vessel.titles["a"], vessel.part!.text) = ("\(mark)", "\(mark)")
          (vessel.link!.number, vessel.links[0].text) = (mark, "\(mark)")
        }, onComplete: { end = .some($0) })
      try stage.spin(until: { end != nil }, "the completion of write \(mark)")
      return (end ?? nil) == nil
    }
    /// Who reads records on behalf of others keeps a version for a moment.
    func writes(_ what: String) throws {
      try stage.spin(until: { (try? write()) == true }, what)
    }
    for keeping in keepings {
      for round in 0..<2 {
        let what = "\(keeping.name), round \(round)"
        var kept: [(thing: Any, digest: (() -> String)?)] = []
        var digests: [String?] = []
        for count in 1...limit {
          kept.append(try keeping.keep(stage, realm))
          digests.append(kept[count - 1].digest?())
          try writes("a write with \(count) \(what)")
        }
        for _ in 0..<2 {
          stage.equal(try write(), false, "whether a write goes beyond the limit with \(what)")
        }
        stage.equal(kept.map { $0.digest?() }, digests, "what each shows, \(what)")
        // The middle one alone: what it kept is between what others keep.
        kept.remove(at: round)
        digests.remove(at: round)
        try writes("a write when one has gone, \(what)")
        stage.equal(kept.map { $0.digest?() }, digests, "what the others show, \(what)")
        kept = []
        for turn in 0..<3 { try writes("write \(turn) when all have gone, \(what)") }
      }
    }
    stage.expect(realm.vessel(1)!.number > 0, "the number in the end")
  }

  static let frozenOnes = Probe("each kind of frozen thing counts one version, and lets it go") {
    stage in try look(stage, frozen())
  }

  static let ofEndedHomes = Probe("realms of threads that ended count one version until dropped") {
    stage in try look(stage, live())
  }
}
