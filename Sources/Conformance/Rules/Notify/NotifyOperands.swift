import EngineUnderTest
import Foundation

extension Probe {
  /// Whoever listens to the answer of a query that looks at other objects, whatever becomes of
  /// these: its copy, kept by index sets alone, is what the query finds.
  static func followed(_ name: String, of queries: [String]) -> Probe {
    Probe(name) { stage in
      let realm = try Realm(configuration: stage.specimens())
      try realm.write { for id in 0..<8 { realm.add(Specimen(id: id)) } }
      let all = realm.objects(Specimen.self)
      var copies = [[Int]?](repeating: nil, count: queries.count)
      var wrong: String?
      var tokens = queries.enumerated().map { number, query in
        all.filter(query).observe { change in
          switch change {
          case .initial(let members): copies[number] = members.map(\.id)
          case .update(let members, let deletions, let insertions, _):
            var copy = copies[number] ?? []
            for place in deletions.reversed() where place < copy.count { copy.remove(at: place) }
            for place in insertions where place <= copy.count && place < members.count {
              copy.insert(members[place].id, at: place)
            }
            copies[number] = copy
          case .error(let error): wrong = "\(error)"
          }
        }
      }
      // The last one that is told, of every write.
      var rounds = 0
      tokens.append(all.observe { _ in rounds += 1 })
      try stage.spin(until: { rounds == 1 }, "the initial calls")
      var chance = stage.chance
      var next = 100
      for round in 0..<60 where wrong == nil {
        try realm.write {
          realm.specimen(0)?.whole = round
          for _ in 0..<Int.random(in: 1...3, using: &chance) {
            let one = all[Int.random(in: 0..<all.count, using: &chance)]
            let other = all[Int.random(in: 0..<all.count, using: &chance)]
            switch Int.random(in: 0..<9, using: &chance) {
            case 0: one.next = one.next == nil ? other : nil
            case 1: one.other = one.other == nil ? other : nil
            case 2: one.members.append(other)
            case 3: one.members.removeAll()
            case 4: one.group.insert(other)
            case 5: one.group.removeAll()
            case 6 where one.id > 0: realm.delete(one)
            case 7:
              realm.create(Specimen.self, value: ["id": next, "next": other])
              next += 1
            default: one.amount = Int.random(in: 0..<7, using: &chance)
            }
          }
        }
        try stage.spin(until: { rounds == round + 2 }, "call \(round)")
        for (number, query) in queries.enumerated() where wrong == nil {
          let now = Array(all.filter(query).map(\.id))
          if copies[number] != now {
            wrong = "\(query), round \(round): told \(copies[number] ?? []), there are \(now)"
          }
        }
      }
      stage.equal(wrong, nil, "what is wrong with the index sets")
      for token in tokens { token.invalidate() }
    }
  }

  /// Each side of a comparison, and each place of a condition, may be what looks at another object.
  static let operands: [Probe] = [
    ("on the right", ["amount < next.amount", "2 < next.amount", "next.amount > other.amount"]),
    ("on both sides", ["next.amount == other.amount", "next.next.amount != next.other.amount"]),
    (
      "behind NOT, AND and OR",
      [
        "NOT (amount < next.amount)", "id >= 0 AND amount < next.amount",
        "id < 0 OR amount < other.amount", "NOT (id < 0 OR 3 < next.amount)",
      ]
    ),
    ("in a subquery", ["SUBQUERY(members, $m, 2 < $m.next.amount).@count > 0"]),
    ("beside a collection", ["ANY members.amount > amount", "ANY members.amount < next.amount"]),
  ].map { place, queries in
    followed("members come and go as others change that a condition names \(place)", of: queries)
  }
}
