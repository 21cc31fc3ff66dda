import EngineUnderTest
import Foundation
import Harness

/// What was asked of an object's collections, and of the links to it, when the object is gone.
enum Orphans {
  private struct Held {
    let freeze: () -> Void
    let isInvalidated: () -> Bool
    let count: () -> Int
  }

  private struct Kind: Sendable {
    let name: String
    let hold: @Sendable (Vessel) -> Held
  }

  private static func kind<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> Members
  ) -> Kind {
    Kind(name: name) { vessel in
      let members = find(vessel)
      return Held(
        freeze: { use(members.freeze()) }, isInvalidated: { members.isInvalidated },
        count: { members.count })
    }
  }

  private static let kinds: [Kind] = [
    kind("a query of a list", { $0.links.where { $0.id > 0 } }),
    kind("links backwards", { $0.throughLink }),
    kind("a query of links backwards", { $0.throughLink.where { $0.id > 0 } }),
    kind("a list in an order", { $0.links.sorted(byKeyPath: "id") }),
    kind("links backwards through a list", { $0.throughLinks }),
    kind("links backwards in an order", { $0.throughLinks.sorted(byKeyPath: "id") }),
    kind("a list of texts in an order", { $0.texts.sorted(ascending: false) }),
    kind("a query of a set", { $0.group.where { $0.id > 0 } }),
    kind("a set of texts in an order", { $0.labels.sorted(ascending: true) }),
    kind("a query of a query of a list", { $0.links.where { $0.id > 0 }.filter("id < 9") }),
    kind("an erased query of a list", { AnyRealmCollection($0.links.where { $0.id > 0 }) }),
    kind(
      "an erased query of links backwards",
      { AnyRealmCollection($0.throughLinks.where { $0.id > 0 }) }),
    kind("a list of an embedded object in an order", { $0.part!.texts.sorted(ascending: true) }),
  ]

  /// How the object goes.
  private enum End: String, CaseIterable, Sendable {
    case deleted
    case everything = "deleted with everything"
    case elsewhere = "deleted elsewhere"
    case everythingElsewhere = "deleted elsewhere with everything"
    case invalidated

    func come(to realm: Realm, _ stage: Stage) throws {
      let configuration = realm.configuration
      switch self {
      case .deleted: try realm.write { realm.delete(realm.vessel(1)!) }
      case .everything: try realm.write { realm.deleteAll() }
      case .invalidated: realm.invalidate()
      case .elsewhere, .everythingElsewhere:
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write {
            if self == .elsewhere { other.delete(other.vessel(1)!) } else { other.deleteAll() }
          }
        }
        realm.refresh()
      }
    }
  }

  /// None of them can be frozen, and that is said.
  static let unfrozen: [Probe] = End.allCases.enumerated().flatMap { number, end in
    // Each kind where its object is deleted here; of the other ends each has a part.
    kinds.enumerated().filter { number == 0 || $0.offset % 4 == number - 1 }.map { _, kind in
      Probe(
        "\(kind.name), its object \(end.rawValue)",
        refusing: [
          Words.invalidated, "no longer valid", "invalidated Results", "been invalidated",
          "been deleted",
        ]
      ) { stage in
        let realm = try Vessel.stocked(stage)
        let held = kind.hold(realm.vessel(1)!)
        // Frozen and counted before, which must not help.
        held.freeze()
        use(held.count())
        try end.come(to: realm, stage)
        stage.act { held.freeze() }
      }
    }
  }

  /// Whether they are gone may be asked of each.
  static let asked = Probe(
    "whether it is invalidated may be asked of each question of what is gone, at each moment"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for end in End.allCases where end != .invalidated || Engine.offersReins {
      for isCounted in [false, true] {
        let realm = try Vessel.stocked(stage, "\(end.rawValue) \(isCounted)")
        realm.autorefresh = false
        let kept = kinds.map { ($0.name, $0.hold(realm.vessel(1)!)) }
        func look(_ isGone: Bool, _ moment: String) {
          for (name, held) in kept {
            let what = "\(name), its object \(end.rawValue), counted: \(isCounted), \(moment)"
            if isGone {
              // Which of both it is, the documents do not say.
              stage.expect(
                held.isInvalidated() || held.count() == 0, "gone or empty: \(what)",
                observed: "it is there, and not empty")
            } else {
              stage.equal(held.isInvalidated(), false, "whether it is gone: \(what)")
              if isCounted { stage.equal(held.count() > 0, true, "whether it has any: \(what)") }
            }
          }
        }
        look(false, "before")
        realm.beginWrite()
        look(false, "in a write")
        realm.delete(realm.vessel(1)!)
        look(true, "in the write that deletes it")
        realm.cancelWrite()
        look(false, "after the cancel")
        try end.come(to: realm, stage)
        look(true, "at the end")
        try realm.write { realm.add(Vessel(id: 9)) }
        look(true, "after another write")
        if end == .deleted || end == .elsewhere {
          try realm.write { realm.add(Vessel(id: 1)) }
          look(true, "when another has its key")
        }
      }
    }
  }
}
