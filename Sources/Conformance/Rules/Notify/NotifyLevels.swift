import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Chains of objects that lead to each other through properties of each kind: what changes so many
/// links away is told to whoever listens to the collection that the first is in.
private enum Edge: String, CaseIterable {
  case link, list, set, map
  case mixed = "mixed value"
  case mixedList = "list of mixed values"
  case mixedSet = "set of mixed values"
  case mixedMap = "map of mixed values"

  func connect(_ from: Vessel, to next: Vessel) {
    switch self {
    case .link: from.link = next
    case .list: from.links.append(next)
    case .set: from.group.insert(next)
    case .map: from.named["next"] = .some(next)
    case .mixed: from.mixed = .object(next)
    case .mixedList: from.mixture.append(.object(next))
    case .mixedSet: from.mixedSet.insert(.object(next))
    case .mixedMap: from.mixedMap["next"] = .object(next)
    }
  }
}

private enum Deed: String, CaseIterable {
  case set = "a number is set"
  case same = "a number is set to what it is"
  case list = "a list is appended to"
  case map = "a map is changed"
  case link = "a link is set"
  case mixed = "a mixed value is set"
  case part = "an embedded object is set"

  func perform(_ vessel: Vessel, _ round: Int) {
    switch self {
    case .set: vessel.number = round
    case .same:
      let number = vessel.number
      vessel.number = number
    case .list: vessel.texts.append("\(round)")
    case .map: vessel.titles["a"] = "\(round)"
    case .link: vessel.part!.link = vessel
    case .mixed: vessel.mixedMap["own"] = .int(round)
    case .part: vessel.part = Part(text: "\(round)")
    }
  }
}

extension Probe {
  /// The deepest that must be told of.
  private static let deepest = 4

  /// Each kind of link alone, and chains of several kinds by lots.
  static let levels: [Probe] =
    Edge.allCases.map { edge in
      levels("links of one kind, a \(edge.rawValue)") { _, _ in edge }
    } + [
      levels("links of several kinds") { _, dice in Edge.allCases.randomElement(using: &dice)! }
    ]

  private static func levels(
    _ name: String, _ edge: @escaping @Sendable (Int, inout SplitMix) -> Edge
  ) -> Probe {
    Probe("what changes up to four links away is told: \(name)") { stage in
      Backstage.hooks?.skipFlushes()
      var dice = SplitMix(seed: derivedSeed(stage.seed, name))
      let realm = try Realm(configuration: Vessel.configuration(stage))
      let edges = (0..<deepest).map { edge($0, &dice) }
      let words = edges.map(\.rawValue).joined(separator: ", ")
      try realm.write {
        let holder = Vessel(id: 100)
        realm.add(holder)
        var last: Vessel?
        for level in 0...deepest {
          let vessel = Vessel(id: level)
          realm.add(vessel)
          vessel.part = Part(text: "part")
          if let last { edges[level - 1].connect(last, to: vessel) }
          last = vessel
        }
        let first = realm.vessel(0)!
        holder.links.append(first)
        holder.group.insert(first)
        holder.named["first"] = .some(first)
        first.link = first.link ?? holder
      }
      let holder = realm.vessel(100)!
      var told: [String: Int] = [:]
      var ofObject = 0
      let onlyFirst = realm.objects(Vessel.self).where { $0.id == 0 }
      func tell(_ name: String, isFirst: Bool) { told[name, default: 0] += isFirst ? 0 : 1 }
      func watch<C: RealmCollection>(_ name: String, _ members: C) -> NotificationToken {
        members.observe { change in
          guard case .update(_, let gone, let come, let changed) = change else {
            return tell(name, isFirst: true)
          }
          if !gone.isEmpty || !come.isEmpty || changed != [0] {
            stage.fail(
              expected: "the first member is changed, for \(name)",
              observed: "\(gone), \(come), \(changed)")
          }
          tell(name, isFirst: false)
        }
      }
      let tokens: [NotificationToken] = [
        watch("a filter", onlyFirst), watch("a list", holder.links),
        watch("a set", holder.group), watch("a query of a list", holder.links.where { $0.id == 0 }),
        watch("sorted results", onlyFirst.sorted(byKeyPath: "name")),
        watch("distinct results", onlyFirst.distinct(by: ["name"])),
        holder.named.observe { change in
          guard case .update(_, _, _, let changed) = change else {
            return tell("a map", isFirst: true)
          }
          stage.equal(changed, ["first"], "the keys that a map is told of")
          tell("a map", isFirst: false)
        },
        realm.vessel(0)!.observe { (_: ObjectChange<Vessel>) in ofObject += 1 },
      ]
      try stage.spin(until: { told.count == 7 }, "the first calls")
      var round = 0
      var ofFirst = 0
      for level in 0...deepest {
        // What is embedded is one step further away.
        for deed in Deed.allCases where level < deepest || deed != .link {
          for isForeign in [false, true] {
            round += 1
            let (number, before) = (round, told)
            if level == 0 { ofFirst += 1 }
            func perform(in realm: Realm) throws {
              try realm.write { deed.perform(realm.vessel(level)!, number) }
            }
            if isForeign {
              try stage.elsewhere {
                try perform(in: Realm(configuration: Vessel.configuration(stage)))
              }
            } else {
              try perform(in: realm)
            }
            realm.refresh()
            for (name, count) in before {
              stage.equal(
                told[name], count + 1,
                "how often \(name) was told after \(deed.rawValue) \(level) away by \(words)"
                  + (isForeign ? ", elsewhere" : ""))
            }
          }
        }
      }
      // Who listens to an object hears of itself alone.
      stage.expect(
        ofObject <= ofFirst + 2, "calls of the object's listener for its own changes",
        observed: "\(ofObject) of \(ofFirst)")
      for token in tokens { token.invalidate() }
    }
  }
}
