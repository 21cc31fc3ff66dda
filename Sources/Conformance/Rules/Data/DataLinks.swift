import EngineUnderTest
import Evidence
import Foundation

extension Rules.Values {
  static let links: [Rule] = [data09, data10]

  static let data09 = Rule(
    "DATA-09", .implementation,
    "The objects that link to one through a property MUST be those that do, and each property's "
      + "are its own: an object is among them as often as the property links to it.",
    source: "RS/LinkingObjects.swift; RT/QueryTests.m:2971 testLinkingObjects.",
    broken:
      "of two links from one list the first that goes takes the way back with it; two links from "
      + "one list counted as one; the answers of two properties mixed; links set in a cancelled "
      + "write",
    probes: [
      Programs.linking.probe,
      Probe("links through each property, made, moved and taken away in every way") { stage in
        try stage.tangle { realm, web, moment in
          for id in web.ids {
            let target = realm.specimen(id)!
            // One after the other, and twice: an answer that is kept belongs to one of them.
            for _ in 0..<2 {
              for (name, linkers) in target.linkers {
                stage.equal(
                  linkers, web.linkers(of: id, through: name),
                  "what links to \(id) through \(name) \(moment)")
              }
            }
          }
        }
      },
    ] + Probe.newcomersHaveNothing + [.repeatedMembers])

  static let data10 = Rule(
    "DATA-10", .implementation,
    "Deleting an object MUST take it out of everything that held it: links become null, lists and "
      + "sets lose it wherever they have it, maps keep the key without a value.",
    source:
      "RS/Realm.swift:679; RST/MapTests.swift:244 testDeleteObjectFromMap; CORE "
      + "test/test_links.cpp.",
    broken:
      "a list that has it twice loses one; a map loses its key; links by another property "
      + "forgotten; what held it shows another object that takes its place",
    probes: [
      Programs.deleting.probe,
      Probe("links, lists, sets and maps after deletions, cancels and refreshes") { stage in
        try stage.tangle { realm, web, moment in
          for id in web.ids {
            let specimen = realm.specimen(id)!
            let facts = web.facts[id]!
            stage.equal(specimen.next?.id, facts.next, "the next of \(id) \(moment)")
            stage.equal(specimen.other?.id, facts.other, "the other of \(id) \(moment)")
            stage.equal(specimen.members.map(\.id), facts.members, "the members of \(id) \(moment)")
            stage.equal(specimen.spares.map(\.id), facts.spares, "the spares of \(id) \(moment)")
            stage.equal(
              specimen.group.map(\.id).sorted(), facts.group.sorted(),
              "the group of \(id) \(moment)")
            stage.equal(
              Dictionary(uniqueKeysWithValues: specimen.named.map { ($0.key, $0.value?.id) }),
              facts.named, "the named of \(id) \(moment)")
          }
          stage.equal(realm.objects(Specimen.self).count, web.facts.count, "the objects \(moment)")
        }
      },
    ] + Probe.laterClasses + [.classesOfOthers, .setAgain] + Probe.manyHolds
      + CrowdedLinks.deleted)
}

extension Specimen {
  /// What links here, each as often as it does, by the names of the properties.
  fileprivate var linkers: [(String, [Int])] {
    [
      ("next", throughNext.map(\.id).sorted()), ("other", throughOther.map(\.id).sorted()),
      ("members", throughMembers.map(\.id).sorted()),
      ("spares", throughSpares.map(\.id).sorted()),
      ("group", throughGroup.map(\.id).sorted()),
    ]
  }
}

/// Who links to whom, in plain Swift.
private struct Web {
  struct Facts {
    var next: Int?
    var other: Int?
    var members: [Int] = []
    var spares: [Int] = []
    var group: Set<Int> = []
    var named: [String: Int?] = [:]
  }
  var facts: [Int: Facts] = [:]

  var ids: [Int] { facts.keys.sorted() }

  func linkers(of id: Int, through name: String) -> [Int] {
    facts.flatMap { key, facts in
      let count =
        switch name {
        case "next": facts.next == id ? 1 : 0
        case "other": facts.other == id ? 1 : 0
        case "members": facts.members.count { $0 == id }
        case "spares": facts.spares.count { $0 == id }
        default: facts.group.contains(id) ? 1 : 0
        }
      return [Int](repeating: key, count: count)
    }.sorted()
  }

  mutating func delete(_ id: Int) {
    facts[id] = nil
    for key in facts.keys {
      if facts[key]!.next == id { facts[key]!.next = nil }
      if facts[key]!.other == id { facts[key]!.other = nil }
      facts[key]!.members.removeAll { $0 == id }
      facts[key]!.spares.removeAll { $0 == id }
      facts[key]!.group.remove(id)
      for (name, value) in facts[key]!.named where value == id {
        facts[key]!.named[name] = .some(nil)
      }
    }
  }

  /// Makes one change to the links, here and in a realm.
  mutating func change(_ realm: Realm, by chance: inout SeededGenerator) {
    if facts.count < 4 || chance.below(9) == 0 {
      let id = chance.below(12)
      if facts[id] == nil {
        realm.add(Specimen(id: id))
        facts[id] = Facts()
      }
      return
    }
    func any() -> Int { ids[chance.below(facts.count)] }
    let (id, target) = (any(), any())
    let specimen = realm.specimen(id)!
    let linked = realm.specimen(target)!
    var new = facts[id]!
    defer { if facts[id] != nil { facts[id] = new } }
    switch chance.below(14) {
    case 0:
      specimen.next = linked
      new.next = target
    case 1:
      specimen.other = linked
      new.other = target
    case 2:
      if chance.below(2) == 0 {
        specimen.next = nil
        new.next = nil
      } else {
        specimen.other = nil
        new.other = nil
      }
    case 3, 4:
      Web.change(specimen.members, &new.members, linked, &chance)
    case 5, 6:
      Web.change(specimen.spares, &new.spares, linked, &chance)
    case 7:
      specimen.group.insert(linked)
      new.group.insert(target)
    case 8:
      specimen.group.remove(linked)
      new.group.remove(target)
    case 9, 10:
      let name = ["a", "b", ""][chance.below(3)]
      specimen.named[name] = .some(linked)
      new.named[name] = .some(target)
    case 11:
      let name = ["a", "b", ""][chance.below(3)]
      if new.named[name] != nil {
        specimen.named.removeObject(for: name)
        new.named.removeValue(forKey: name)
      }
    case 12:
      // The same objects, some of them twice.
      let list = new.members + new.members.prefix(2)
      specimen.spares.removeAll()
      specimen.spares.append(objectsIn: list.map { realm.specimen($0)! })
      new.spares = list
    default:
      realm.delete(linked)
      delete(target)
      // What it linked to may have gone.
      if let left = facts[id] { new = left }
    }
  }

  private static func change(
    _ list: List<Specimen>, _ facts: inout [Int], _ linked: Specimen,
    _ chance: inout SeededGenerator
  ) {
    let place = chance.below(facts.count + 1)
    switch facts.isEmpty ? 0 : chance.below(6) {
    case 0, 1:
      list.insert(linked, at: place)
      facts.insert(linked.id, at: place)
    case 2:
      list.append(linked)
      facts.append(linked.id)
    case 3:
      let place = min(place, facts.count - 1)
      list.remove(at: place)
      facts.remove(at: place)
    case 4:
      let place = min(place, facts.count - 1)
      list[place] = linked
      facts[place] = linked.id
    default:
      let (from, to) = (chance.below(facts.count), chance.below(facts.count))
      list.move(from: from, to: to)
      facts.insert(facts.remove(at: from), at: to)
    }
  }
}

extension Stage {
  /// Ties objects to each other at random and compares with what plain Swift knows: in writes,
  /// after cancels, after a
  /// refresh to another thread's commit, and in versions that are kept.
  fileprivate func tangle(_ check: (Realm, Web, String) throws -> Void) throws {
    let configuration = specimens()
    let realm = try Realm(configuration: configuration)
    var chance = self.chance
    var web = Web()
    for round in 0..<40 {
      realm.beginWrite()
      let before = web
      for step in 0..<6 {
        web.change(realm, by: &chance)
        if step % 2 == 1 { try check(realm, web, "in write \(round)") }
      }
      if round % 4 == 3 {
        realm.cancelWrite()
        web = before
        try check(realm, web, "after the cancel of write \(round)")
        continue
      }
      try realm.commitWrite()
      try check(realm, web, "after write \(round)")
      guard round % 5 == 0 else { continue }
      let frozen = realm.freeze()
      let kept = web
      try elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { for _ in 0..<6 { web.change(other, by: &chance) } }
      }
      try check(realm, kept, "before the refresh of round \(round)")
      realm.refresh()
      try check(realm, web, "after the refresh of round \(round)")
      try check(frozen, kept, "in the realm frozen in round \(round)")
    }
  }
}
