import EngineUnderTest
import Foundation
import Harness

/// Collections that are held before their object is added: they are the object's ever after.
enum HeldOnes {
  private struct Kind: Sendable {
    let name: String
    /// Holds a collection; what it returns puts something into it, by a number, and counts.
    let hold: @Sendable (Vessel) -> (put: (Int) -> Void, count: () -> Int)
  }

  private static let kinds: [Kind] = [
    kind("a list of texts", { $0.texts }, { $0.append("\($1)") }, { $0.count }),
    kind("a list of numbers", { $0.numbers }, { $0.append($1) }, { $0.count }),
    kind("a list of data", { $0.blobs }, { $0.append(Data([UInt8($1)])) }, { $0.count }),
    kind("a list of mixed values", { $0.mixture }, { $0.append(.int($1)) }, { $0.count }),
    kind("a list of objects", { $0.links }, { $0.append(Vessel(id: 100 + $1)) }, { $0.count }),
    kind(
      "a list of embedded objects", { $0.parts }, { $0.append(Part(text: "\($1)")) }, { $0.count }),
    kind("a set of texts", { $0.labels }, { $0.insert("\($1)") }, { $0.count }),
    kind("a set of mixed values", { $0.mixedSet }, { $0.insert(.int($1)) }, { $0.count }),
    kind("a set of objects", { $0.group }, { $0.insert(Vessel(id: 100 + $1)) }, { $0.count }),
    kind("a map of texts", { $0.titles }, { $0["\($1)"] = "x" }, { $0.count }),
    kind("a map of mixed values", { $0.mixedMap }, { $0["\($1)"] = .int($1) }, { $0.count }),
    kind(
      "a map of objects", { $0.named }, { $0["\($1)"] = .some(Vessel(id: 100 + $1)) },
      { $0.count }),
  ]

  private static func kind<Members>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> Members,
    _ put: @escaping @Sendable (Members, Int) -> Void,
    _ count: @escaping @Sendable (Members) -> Int
  ) -> Kind {
    Kind(name: name) { vessel in
      let held = find(vessel)
      return ({ put(held, $0) }, { count(held) })
    }
  }

  private static let ways: [(name: String, add: @Sendable (Realm, Vessel) -> Void)] = [
    ("add(_:)", { $0.add($1) }),
    ("add of several", { $0.add([$1]) }),
    ("add(_:update: .modified)", { $0.add($1, update: .modified) }),
    ("add(_:update: .all)", { $0.add($1, update: .all) }),
    ("a link", { $0.vessel(2).link = $1 }),
    ("a list", { $0.vessel(2).links.append($1) }),
    ("a set", { $0.vessel(2).group.insert($1) }),
    ("a map", { $0.vessel(2).named["new"] = .some($1) }),
    (
      "another that is added",
      { realm, vessel in
        let other = Vessel(id: 4)
        other.link = vessel
        realm.add(other)
      }
    ),
  ]

  static let probes: [Probe] = kinds.map { kind in
    Probe("what is held before its object is added is the object's: \(kind.name)") { stage in
      Backstage.hooks?.skipFlushes()
      for (number, way) in ways.enumerated() {
        for begins in [0, 2] {
          let file = "\(number) \(begins)"
          let what = "with \(begins) at first, added by \(way.name)"
          let realm = try Vessel.stocked(stage, file)
          let vessel = Vessel(id: 3)
          let held = kind.hold(vessel)
          for place in 0..<begins { held.put(place) }
          func look(_ count: Int, _ when: String) {
            stage.equal(held.count(), count, "what the held one has \(when), \(what)")
            stage.equal(
              kind.hold(vessel).count(), count, "what the object's has \(when), \(what)")
            stage.equal(
              kind.hold(realm.vessel(3)).count(), count, "what is found \(when), \(what)")
          }
          try realm.write {
            way.add(realm, vessel)
            look(begins, "when it was added")
            held.put(10)
            look(begins + 1, "in the write that added it")
          }
          look(begins + 1, "after that write")
          try realm.write {
            held.put(11)
            kind.hold(realm.vessel(3)).put(12)
            look(begins + 3, "in a later write")
          }
          stage.equal(
            try stage.elsewhere {
              kind.hold(try Vessel.stocked(stage, file).vessel(3)).count()
            }, begins + 3, "what is found elsewhere, \(what)")
        }
      }
    }
  }
}
