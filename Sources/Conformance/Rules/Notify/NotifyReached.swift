import EngineUnderTest
import Foundation
import Harness

/// Those who write to a file elsewhere.
private struct Others {
  let stage: Stage
  let file: String

  func commit(_ change: @escaping (Realm) throws -> Void) throws {
    try stage.foreign(file, change)
  }
}

extension Probe {
  /// How members lead to others of their class.
  private static let leads: [(name: String, lead: @Sendable (Specimen, Specimen) -> Void)] = [
    ("a link", { $0.next = $1 }), ("a list", { $0.members.append($1) }),
    ("a set", { $0.group.insert($1) }), ("a map", { $0.named["key"] = .some($1) }),
  ]

  /// Members that are modified, and others that lead to them, before and behind them: of few and of
  /// many the change set names each once, ascending.
  static let reachedOnes: [Probe] = [1, 5, 64, 65, 130, 300].map { count in
    Probe("of \(count) changed ones, and others that lead to them, each is told once, ascending") {
      stage in
      Backstage.hooks?.skipFlushes()
      for (round, way) in leads.enumerated()
      where count < 300 || [0, 3].contains(where: { stage.isDue(round + $0, of: 4) }) {
        let configuration = stage.specimens("\(round)")
        let realm = try Realm(configuration: configuration)
        realm.autorefresh = false
        // By turns: one that leads, one that is led to, and one that is neither.
        let total = 3 * count
        func led(by id: Int) -> Int { 3 * (count - 1 - id / 3) + 1 }
        try realm.write {
          for id in 0..<total { realm.add(Specimen(id: id)) }
          for id in stride(from: 0, to: total, by: 3) {
            way.lead(realm.specimen(id)!, realm.specimen(led(by: id))!)
          }
        }
        let all = realm.objects(Specimen.self)
        let questions: [(name: String, members: Results<Specimen>)] = [
          ("all", all), ("a filter", all.where { $0.amount >= 0 }),
          ("a filter of half", all.where { $0.id >= total / 2 }),
          ("sorted ones", all.sorted(byKeyPath: "id", ascending: false)),
        ]
        var told: [String: [[Int]]] = [:]
        var known: [String: [Int]] = [:]
        let tokens = questions.map { name, members in
          members.observe { change in
            if case .update(_, let gone, let come, let modified) = change {
              told[name, default: []] += [modified]
              stage.equal(gone, [], "who is gone of \(name)")
              stage.equal(come, [], "who has come to \(name)")
            }
            known[name] = members.map(\.id)
          }
        }
        try stage.spin(until: { known.count == questions.count }, "the first calls")
        var chance = stage.chance
        for turn in 0..<3 {
          told = [:]
          let changed = (0..<total).filter { $0 % 3 == 1 && (turn == 0 || $0 % 2 == turn % 2) }
          let set = Set(changed)
          let due = Set(
            (0..<total).filter { id in
              set.contains(id) || id % 3 == 0 && set.contains(led(by: id))
            })
          let places = known.mapValues { ids in ids.indices.filter { due.contains(ids[$0]) } }
          let concerned = places.values.count { !$0.isEmpty }
          let order = changed.shuffled(using: &chance)
          func change(_ realm: Realm) {
            for id in order { realm.specimen(id)!.amount = 10 + turn }
          }
          try stage.commit(in: realm, byOthers: turn != 1, change)
          try stage.spin(until: { told.count >= concerned }, "the calls")
          for (name, wanted) in places {
            stage.expect(
              (told[name] ?? []) == (wanted.isEmpty ? [] : [wanted]),
              "\(wanted.count) modified of \(name), by \(way.name), ascending",
              observed: "\((told[name] ?? []).map { "\($0.count): \($0.prefix(12))" })")
          }
        }
        for token in tokens { token.invalidate() }
      }
    }
  }

  /// What may come between the moment at which a realm moves and that at which its collections'
  /// listeners are told of it: what its own listener does.
  private static let interludes: [(name: String, run: @Sendable (Others, Realm) throws -> Void)] = [
    ("others commit", { others, _ in try others.commit { $0.add(Account(id: -1)) } }),
    ("it writes", { _, realm in try realm.write { realm.add(Account(id: -2)) } }),
    (
      "others commit, and it writes",
      { others, realm in
        try others.commit { $0.add(Account(id: -1)) }
        try realm.write { realm.add(Account(id: -2)) }
      }
    ),
    (
      "it writes, others commit, and it writes again",
      { others, realm in
        try realm.write { realm.add(Account(id: -2)) }
        try others.commit { $0.delete($0.account(-2)) }
        try realm.write { realm.add(Account(id: -3)) }
      }
    ),
    (
      "others commit, and it begins and cancels a write",
      { others, realm in
        try others.commit { $0.add(Account(id: -1)) }
        realm.beginWrite()
        realm.add(Account(id: -2))
        realm.cancelWrite()
      }
    ),
    (
      "others commit, and it asks for a write",
      { others, realm in
        try others.commit { $0.add(Account(id: -1)) }
        realm.writeAsync { realm.add(Account(id: -2)) }
      }
    ),
    (
      "others take much away, and it writes",
      { others, realm in
        try others.commit { $0.delete($0.objects(Account.self).where { $0.balance == 3 }) }
        try realm.write { realm.add(Account(id: -2)) }
      }
    ),
    (
      "others commit, and it freezes and reads",
      { others, realm in
        try others.commit { $0.add(Account(id: -1)) }
        use(realm.freeze().isEmpty)
        use(realm.refresh())
        use(realm.objects(Account.self).count)
      }
    ),
  ]

  /// Of steps of every size that others make, with something of everything between.
  static let betweenSteps: [Probe] = [1, 5, 65, 300, 600, 5_000].map { count in
    Probe("change sets of \(count) objects add up, whatever a realm's own listener does meanwhile")
    {
      stage in
      Backstage.hooks?.skipFlushes()
      for (number, interlude) in interludes.enumerated()
      where count < 5_000 || stage.isDue(number + 2, of: 4) {
        let file = "\(number)"
        let realm = try stage.open(file)
        try realm.write { for id in 0..<10 { realm.add(Account(id: id * 2, balance: id)) } }
        let all = realm.objects(Account.self)
        let collections = [all, all.where { $0.balance < 5 }, all.sorted(by: ["balance", "id"])]
        let mirrors = collections.map { _ in CollectionMirror() }
        // The realm's own listener is called before those of its collections.
        var due = 0
        var isInside = false
        let listener = realm.observe { _, realm in
          guard due > 0, !isInside, !realm.isInWriteTransaction else { return }
          (isInside, due) = (true, due - 1)
          try! interlude.run(Others(stage: stage, file: file), realm)
          isInside = false
        }
        let tokens = zip(collections, mirrors).map { some, mirror in some.observe(mirror.take) }
        try stage.spin(until: { mirrors.allSatisfy { $0.calls == 1 } }, "the first calls")
        due = 1
        try stage.foreign(file) { realm in
          for id in 0..<count { realm.add(Account(id: id * 2 + 1, balance: id % 8)) }
        }
        try stage.spin(
          until: {
            due == 0 && !realm.isPerformingAsynchronousWriteOperations
              && zip(mirrors, collections).allSatisfy { mirror, some in
                mirror.wrong != nil || mirror.rows.count == some.count && some.count != 10
              }
          }, "the calls after: \(interlude.name)")
        try stage.settle(realm)
        for (mirror, some) in zip(mirrors, collections) {
          stage.equal(mirror.wrong, nil, "what is wrong with the index sets: \(interlude.name)")
          stage.expect(
            mirror.rows == Array(some.map(CollectionMirror.row)),
            "the mirror is what is there: \(interlude.name)",
            observed: "\(mirror.rows.count) rows of \(some.count), or others")
        }
        listener.invalidate()
        for token in tokens { token.invalidate() }
      }
    }
  }
}
