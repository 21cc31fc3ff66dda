import EngineUnderTest
import Evidence
import Foundation

extension Probe {
  /// The position of each member and of those that are none; several members by their positions.
  static let positionsOfAll = Probe(
    "each member's position, that of others, and members by positions, in each collection"
  ) { stage in
    try stage.eachView([Fields.ordered[0]], sizes: [1, 5, 65, 300]) { view, field, crowd in
      let realm = view.members.realm!
      let (others, count) = (Set(0..<crowd.size).subtracting(view.ids), crowd.size)
      func member(_ id: Int) -> Specimen { realm.specimen(id)! }
      for id in view.ids
      where count < 100 || id == view.ids.last || stage.isDue(id, of: 9) {
        let place = view.members.index(of: member(id))
        let expected = view.isOrdered ? view.ids.firstIndex(of: id) : place
        stage.expect(
          place != nil && place == expected && view.members[place!].id == id
            && view.members.contains(member(id)),
          "\(id) has its position in \(view.name) of \(count)",
          observed: place.map(String.init) ?? "it has none")
        let matching = view.members.index(matching: "id == %@", id)
        stage.equal(matching, place, "where the first with the id \(id) is in \(view.name)")
      }
      for id in others.sorted().prefix(40) {
        stage.expect(
          view.members.index(of: member(id)) == nil && !view.members.contains(member(id))
            && view.members.index(matching: "id == %@", id) == nil,
          "\(id) has no position in \(view.name) of \(count)")
      }
      stage.equal(view.members.index(matching: "id < 0"), nil, "where one without an id is")
      guard view.isOrdered else { return }
      let low = count / 2
      stage.equal(
        view.members.index(matching: "id >= %@", low), view.ids.firstIndex { $0 >= low },
        "where the first of the second half is in \(view.name) of \(count)")
      let places = IndexSet(view.ids.indices.filter { $0 % 7 == 2 || $0 == view.ids.count - 1 })
      stage.equal(
        view.members.objects(at: places).map(\.id), places.map { view.ids[$0] },
        "those at some positions of \(view.name) of \(count)")
      stage.equal(
        Array(view.members.suffix(3).map(\.id)), Array(view.ids.suffix(3)),
        "the last three of \(view.name) of \(count)")
      stage.equal(
        view.members.reversed().prefix(4).map(\.id), Array(view.ids.reversed().prefix(4)),
        "\(view.name) of \(count) from behind")
      if view.ids.count > 70 {
        stage.equal(
          view.members[62..<67].map(\.id), Array(view.ids[62..<67]), "a slice of \(view.name)")
      }
    }
  }

  /// Positions while members come and go, of collections that are kept.
  static let positionsThatMove = Probe(
    "positions, ends and counts of kept collections while members come, go and change"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.specimens())
    let all = realm.objects(Specimen.self)
    var (chance, model) = (stage.chance, [Int: Int]())
    let kept: [(name: String, results: Results<Specimen>, ids: ([Int: Int]) -> [Int])] = [
      ("all by id", all.sorted(byKeyPath: "id"), { $0.keys.sorted() }),
      (
        "some by amount, down",
        all.where { $0.amount > 2 }.sorted(by: [
          SortDescriptor(keyPath: "amount", ascending: false), SortDescriptor(keyPath: "id"),
        ]),
        { model in
          model.filter { $0.value > 2 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map(\.key)
        }
      ),
      (
        "the first of each amount", all.sorted(byKeyPath: "id").distinct(by: ["amount"]),
        { model in
          var seen: Set<Int> = []
          return model.keys.sorted().filter { seen.insert(model[$0]!).inserted }
        }
      ),
      (
        "one amount, unsorted", all.where { $0.amount == 3 },
        { model in model.filter { $0.value == 3 }.map(\.key).sorted() }
      ),
    ]
    func look(_ moment: String) {
      for (name, results, ids) in kept {
        let expected = ids(model)
        // Each time another question comes first.
        let questions: [() -> Void] = [
          { stage.equal(results.count, expected.count, "the count of \(name) \(moment)") },
          { stage.equal(results.first?.id, expected.first, "the first of \(name) \(moment)") },
          { stage.equal(results.last?.id, expected.last, "the last of \(name) \(moment)") },
          { stage.equal(results.isEmpty, expected.isEmpty, "if \(name) is empty \(moment)") },
          { stage.equal(Array(results.map(\.id)), expected, "\(name) \(moment)") },
          {
            guard !expected.isEmpty else { return }
            let place = chance.below(expected.count)
            let id = expected[place]
            stage.equal(
              results.index(of: realm.specimen(id)!), place, "where \(id) is in \(name) \(moment)")
            stage.equal(results[place].id, id, "who is there in \(name) \(moment)")
          },
          {
            guard let id = model.keys.first(where: { !expected.contains($0) }) else { return }
            stage.equal(
              results.index(of: realm.specimen(id)!), nil, "where \(id) is in \(name) \(moment)")
          },
        ]
        let start = chance.below(questions.count)
        for number in questions.indices { questions[(start + number) % questions.count]() }
      }
    }
    look("before there is anything")
    for round in 0..<25 {
      realm.beginWrite()
      let before = model
      for _ in 0..<(round % 6 == 1 ? 90 : 6) {
        let id = chance.below(120)
        if let specimen = realm.specimen(id) {
          if chance.below(3) == 0 {
            realm.delete(specimen)
            model[id] = nil
          } else {
            specimen.amount = chance.below(6)
            model[id] = specimen.amount
          }
        } else {
          let specimen = Specimen(id: id)
          specimen.amount = chance.below(6)
          realm.add(specimen)
          model[id] = specimen.amount
        }
      }
      if round % 9 == 8 {
        realm.deleteAll()
        model = [:]
      }
      look("in write \(round)")
      if round % 4 == 3 {
        realm.cancelWrite()
        model = before
      } else {
        try realm.commitWrite()
      }
      look("after write \(round)")
    }
  }

  /// `distinct` by several properties, by those of links, and what comes after it.
  static let distinctBySeveral = Probe(
    "distinct by one, two and three properties and by a link's, and a filter and a sort after it"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for count in [1, 9, 70, 300] {
      let realm = try Realm(configuration: stage.specimens("\(count)"))
      var chance = stage.chance
      try realm.write {
        for id in 0..<count {
          let specimen = Specimen(id: id)
          specimen.amount = chance.below(3)
          specimen.whole = chance.below(3) == 0 ? nil : chance.below(2)
          specimen.text = [nil, "", "a", "b"][chance.below(4)]
          specimen.truth = [nil, true, false][chance.below(3)]
          specimen.ratio = Double(chance.below(3))
          realm.add(specimen)
        }
        for id in 0..<count where chance.below(4) > 0 {
          realm.specimen(id)!.next = realm.specimen(chance.below(count))
        }
      }
      let facts = (0..<count).map { id -> [String: AnyHashable?] in
        let specimen = realm.specimen(id)!
        return [
          "id": id, "amount": specimen.amount, "whole": specimen.whole, "text": specimen.text,
          "truth": specimen.truth, "ratio": specimen.ratio, "next.amount": specimen.next?.amount,
          "next.text": specimen.next.map { [$0.text] },
        ]
      }
      func firsts(_ ids: [Int], _ names: [String]) -> [Int] {
        var seen: Set<[AnyHashable?]> = []
        return ids.filter { id in
          // Who has no link is not among them.
          if names.contains(where: { $0.hasPrefix("next") && facts[id][$0]! == nil }) {
            return false
          }
          return seen.insert(names.map { facts[id][$0]! }).inserted
        }
      }
      let all = realm.objects(Specimen.self)
      for names in [
        ["amount"], ["whole"], ["text"], ["truth"], ["amount", "whole"], ["text", "amount"],
        ["whole", "text", "truth"], ["ratio", "amount"], ["next.amount"], ["next.text", "amount"],
      ] {
        for up in [true, false] {
          let ids = up ? Array(0..<count) : (0..<count).reversed()
          let kept = firsts(ids, names)
          let results = all.sorted(byKeyPath: "id", ascending: up).distinct(by: names)
          let what = "\(count) distinct by \(names), up: \(up)"
          stage.equal(Array(results.map(\.id)), kept, what)
          stage.equal(results.count, kept.count, "the count of \(what)")
          stage.equal(results.first?.id, kept.first, "the first of \(what)")
          stage.equal(results.last?.id, kept.last, "the last of \(what)")
          stage.equal(
            Array(results.sorted(byKeyPath: "id", ascending: !up).map(\.id)), kept.reversed(),
            "\(what), sorted the other way")
          // A filter is as if it had been first.
          let rest = ids.filter { (facts[$0]["amount"]! as? Int) != 1 }
          stage.equal(
            Array(results.where { $0.amount != 1 }.map(\.id)), firsts(rest, names),
            "\(what), then filtered")
          stage.equal(
            Array(results.distinct(by: ["amount"]).map(\.id)), firsts(kept, ["amount"]),
            "\(what), then distinct by another")
          if let last = kept.last {
            stage.equal(
              results.index(of: realm.specimen(last)!), kept.count - 1, "a position, \(what)")
          }
        }
      }
    }
  }
}
