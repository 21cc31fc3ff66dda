import EngineUnderTest
import Foundation
import Harness

/// A way to look at the objects of a realm, made once and asked again and again.
private struct Lookout: Sendable {
  let name: String
  /// Makes it; what it returns asks what there is now.
  let make: @Sendable (Realm) -> () -> [Int]

  static let all = [
    Lookout(name: "all objects") { realm in
      let all = realm.objects(Specimen.self)
      return { all.map(\.id) }
    },
    Lookout(name: "a filter") { realm in
      let some = realm.objects(Specimen.self).where { $0.amount > 1 }
      return { some.map(\.id) }
    },
    Lookout(name: "a sort") { realm in
      let sorted = realm.objects(Specimen.self).sorted(byKeyPath: "amount", ascending: false)
      return { sorted.map(\.id) }
    },
    Lookout(name: "a sort over a link") { realm in
      let sorted = realm.objects(Specimen.self).sorted(byKeyPath: "next.amount")
      return { sorted.map(\.id) }
    },
    Lookout(name: "distinct ones") { realm in
      let distinct = realm.objects(Specimen.self).distinct(by: ["amount"])
      return { distinct.map(\.id) }
    },
    Lookout(name: "a list") { realm in
      let members = realm.specimen(0)!.members
      return { members.map(\.id) }
    },
    Lookout(name: "a filter of a list") { realm in
      let some = realm.specimen(0)!.members.where { $0.amount > 1 }
      return { some.map(\.id) }
    },
    Lookout(name: "a set") { realm in
      let group = realm.specimen(0)!.group
      return { group.map(\.id).sorted() }
    },
    Lookout(name: "a map") { realm in
      let named = realm.specimen(0)!.named
      return { named.keys.sorted().map { named[$0].flatMap { $0 }?.id ?? -1 } }
    },
    Lookout(name: "links backwards") { realm in
      let linking = realm.specimen(0)!.throughNext
      return { linking.map(\.id).sorted() }
    },
    Lookout(name: "an erased collection") { realm in
      let members = AnyRealmCollection(realm.specimen(0)!.members)
      return { members.map(\.id) }
    },
    Lookout(name: "sections") { realm in
      let sections = realm.objects(Specimen.self).sectioned(by: \.amount)
      return { sections.flatMap { [-1, $0.key] + $0.map(\.id) } }
    },
    Lookout(name: "the keys of sections") { realm in
      let sections = realm.objects(Specimen.self).sectioned(by: \.amount)
      return { sections.allKeys }
    },
    Lookout(name: "sections of a list") { realm in
      let sections = realm.specimen(0)!.members.sectioned(by: \.amount)
      return { sections.flatMap { [-1, $0.key] + $0.map(\.id) } }
    },
    Lookout(name: "numbers") { realm in
      let all = realm.objects(Specimen.self)
      return {
        let (least, most): (Int?, Int?) = (
          all.min(ofProperty: "amount"), all.max(ofProperty: "amount")
        )
        return [all.sum(ofProperty: "amount"), least ?? -1, most ?? -1]
      }
    },
    Lookout(name: "properties") { realm in
      let first = realm.specimen(0)!
      return {
        [first.amount, first.next?.id ?? -1, first.members.count, first.word.count]
          + first.numbers.map { $0 ?? -1 }
      }
    },
  ]
}

extension Probe {
  /// What is looked at before, during and after whatever a realm goes through.
  static let lookouts = Probe(
    "each way to look, made once, shows what one made just now shows, in writes and after them"
  ) { stage in
    let configuration = stage.specimens()
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try realm.write { for id in 0..<4 { realm.add(Specimen(id: id)) } }
    let made = Lookout.all.map { $0.make(realm) }
    func look(_ moment: String) {
      for (lookout, known) in zip(Lookout.all, made) {
        stage.equal(known(), lookout.make(realm)(), "\(lookout.name) \(moment)")
      }
    }
    let changes: [(String, (Realm, Int) -> Void)] = [
      ("an addition", { $0.add(Specimen(id: 10 + $1)) }),
      ("a number", { $0.specimen(1)!.amount = $1 + 2 }),
      ("another number", { $0.specimen(0)!.amount = 4 - $1 }),
      ("a link", { $0.specimen(2)!.next = $0.specimen($1 % 2) }),
      ("a list", { $0.specimen(0)!.members.append($0.specimen(1 + $1 % 3)!) }),
      ("a list, put in order", { realm, _ in realm.specimen(0)!.members.move(from: 0, to: 1) }),
      ("a set", { $0.specimen(0)!.group.insert($0.specimen(1 + $1 % 3)!) }),
      ("a map", { $0.specimen(0)!.named["\($1)"] = .some($0.specimen(1 + $1 % 3)!) }),
      ("values", { $0.specimen(0)!.numbers.append($1) }),
      ("a text", { realm, _ in realm.specimen(0)!.word += "x" }),
      ("a deletion", { realm, round in realm.specimen(10 + round).map { realm.delete($0) } }),
    ]
    try realm.write {
      for number in 1...2 { realm.specimen(0)!.members.append(realm.specimen(number)!) }
    }
    look("at first")
    for round in 0..<3 {
      for commits in [false, true] {
        realm.beginWrite()
        look("at the begin of write \(round)")
        for (name, change) in changes {
          change(realm, round)
          look("in write \(round), after \(name)")
        }
        if commits { try realm.commitWrite() } else { realm.cancelWrite() }
        look("after write \(round), \(commits ? "committed" : "cancelled")")
      }
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { for (_, change) in changes { change(other, round + 5) } }
      }
      look("before the refresh")
      realm.refresh()
      look("after the refresh")
    }
  }

  /// Loops hand out objects one after the other, perhaps the same instance: what belongs to one is
  /// none of the next one's.
  static let loopsOverOwners = Probe(
    "in a loop, each object has collections and links of its own, in each way to walk"
  ) { stage in
    for count in [3, 300] {
      let realm = try Realm(configuration: stage.specimens("loop of \(count)"))
      try realm.write {
        for id in 0..<count {
          let specimen = Specimen(id: id)
          realm.add(specimen)
          specimen.numbers.append(id)
          specimen.words.append("\(id)")
          specimen.scores["id"] = id
          specimen.labels.insert("\(id)")
          specimen.members.append(specimen)
          specimen.group.insert(specimen)
          specimen.named["id"] = .some(specimen)
          specimen.next = specimen
        }
      }
      func told(_ specimen: Specimen) -> [Int] {
        [
          specimen.id, specimen.numbers[0] ?? -1, Int(specimen.words[0]) ?? -1,
          specimen.scores["id"] ?? -1, Int(specimen.labels[0]) ?? -1, specimen.members[0].id,
          specimen.group[0].id, specimen.named["id"].flatMap { $0 }?.id ?? -1,
          specimen.next?.id ?? -1, specimen.throughNext[0].id, specimen.throughMembers[0].id,
        ]
      }
      let all = realm.objects(Specimen.self)
      func walk(_ moment: String) {
        for (name, members) in [
          ("all", AnyRealmCollection(all)),
          ("filtered", AnyRealmCollection(all.where { $0.id >= 0 })),
          ("sorted", AnyRealmCollection(all.sorted(byKeyPath: "id"))),
          ("frozen", AnyRealmCollection(all.freeze())),
        ] where !realm.isInWriteTransaction || name != "frozen" {
          var wrong: [[Int]] = []
          var visited = 0
          for specimen in members {
            let found = told(specimen)
            if found != [Int](repeating: visited, count: found.count) { wrong.append(found) }
            visited += 1
          }
          stage.equal(visited, count, "the objects visited, \(name) \(moment)")
          stage.equal(
            wrong.first ?? [], [], "what an object has of others, \(name) of \(count) \(moment)")
        }
      }
      walk("at rest")
      realm.beginWrite()
      realm.specimen(0)!.word = "changed"
      walk("in a write")
      realm.cancelWrite()
    }
  }
}
