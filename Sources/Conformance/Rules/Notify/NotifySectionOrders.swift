import EngineUnderTest
import Foundation
import Harness

/// Sections by words, kept up by what is told of them alone, as a table on a screen is.
private final class SectionTable {
  struct Section: Equatable, CustomStringConvertible {
    let word: String
    var ids: [Int]
    var description: String { "\(word): \(ids)" }
  }

  private(set) var sections: [Section] = []
  private(set) var calls = 0
  private(set) var wrong: String?

  static func all(_ sections: SectionedResults<String, Specimen>) -> [Section] {
    sections.map { Section(word: $0.key, ids: $0.map(\.id)) }
  }

  func take(_ change: SectionedResultsChange<SectionedResults<String, Specimen>>) {
    calls += 1
    switch change {
    case .initial(let all): sections = Self.all(all)
    case .update(let all, let deletions, let insertions, _, let come, let gone):
      let (before, now) = (sections, Self.all(all))
      if !follow(now, deletions, insertions, come, gone) || sections != now {
        wrong =
          wrong ?? "\(before) became \(now), and is told as \(deletions) gone, \(insertions) come, "
          + "sections \(Array(gone)) gone, \(Array(come)) come"
      }
      sections = now
    }
  }

  /// Members go, then sections, each by where it was; then sections come, and members, each by
  /// where it is. False if something is told of a place that there is not.
  private func follow(
    _ now: [Section], _ deletions: [IndexPath], _ insertions: [IndexPath], _ come: IndexSet,
    _ gone: IndexSet
  ) -> Bool {
    for path in deletions.sorted().reversed() where !gone.contains(path[0]) {
      guard path[0] < sections.count, path[1] < sections[path[0]].ids.count else { return false }
      sections[path[0]].ids.remove(at: path[1])
    }
    for place in gone.reversed() {
      guard place < sections.count else { return false }
      sections.remove(at: place)
    }
    for place in come {
      guard place <= sections.count, place < now.count else { return false }
      sections.insert(now[place], at: place)
    }
    for path in insertions.sorted() where !come.contains(path[0]) {
      guard path[0] < sections.count, path[0] < now.count, path[1] < now[path[0]].ids.count,
        path[1] <= sections[path[0]].ids.count
      else { return false }
      sections[path[0]].ids.insert(now[path[0]].ids[path[1]], at: path[1])
    }
    return true
  }
}

/// Sections whose order is that of their first members: what is told of them makes of the old order
/// the new one, also where no section comes or goes.
enum SectionOrders {
  /// What the members are sorted by.
  private enum Sort: String, CaseIterable {
    case own = "a property"
    case linked = "a property of what they link to"
    case downwards = "a property, downwards"

    var path: String { self == .linked ? "next.amount" : "amount" }
    var isAscending: Bool { self != .downwards }

    func set(_ amount: Int, of member: Specimen) {
      switch self {
      case .own: member.amount = amount
      case .linked: member.next!.amount = amount
      case .downwards: member.amount = -amount
      }
    }
  }

  private typealias Act = (name: String, run: @Sendable (Realm, _ number: Int) -> Void)

  private static let words = ["a", "b", "c", "d"]
  private static let orders = [
    "abcd", "bacd", "abdc", "badc", "dcba", "dabc", "bcda", "acbd", "cdab", "adcb", "abcd",
  ]

  /// What else happens in the write.
  private static let acts: [Act] = [
    ("nothing else", { _, _ in }),
    ("a member comes to the first", { put($0, 100 + $1, "a", 11) }),
    ("a member of the last goes", { realm, _ in realm.delete(members("d", realm).last!) }),
    ("a member goes from one to another", { realm, _ in members("b", realm).last!.word = "c" }),
    ("a member is set", { members("c", $0)[0].tag = "set \($1)" }),
    ("a section comes", { put($0, 100 + $1, "e", 25) }),
    ("a section goes", { realm, _ in realm.delete(members("e", realm)) }),
  ]

  private static func members(_ word: String, _ realm: Realm) -> Results<Specimen> {
    realm.objects(Specimen.self).where { $0.id < 1_000 && $0.word == word }
      .sorted(byKeyPath: "id")
  }

  private static func put(_ realm: Realm, _ id: Int, _ word: String, _ amount: Int) {
    let (member, weight) = (Specimen(id: id), Specimen(id: 2_000 + id))
    (member.word, member.amount, weight.amount) = (word, amount, amount)
    realm.add([member, weight])
    member.next = weight
    realm.specimen(1_000)!.members.append(member)
  }

  private static func stock(_ realm: Realm) {
    realm.add(Specimen(id: 1_000))
    for (rank, word) in words.enumerated() {
      for place in 0..<(rank == 2 ? 1 : 5) { put(realm, 10 * rank + place, word, 10 * rank) }
    }
  }

  /// Puts the sections in an order: by all of their members, or by the first of each alone, behind
  /// which all others come.
  private static func order(_ words: String, _ sort: Sort, _ realm: Realm, byFirst: Bool) {
    for (rank, word) in words.enumerated() {
      for (place, member) in Array(members("\(word)", realm)).enumerated() {
        sort.set(byFirst && place > 0 ? 500 + member.id : 10 * rank + place, of: member)
      }
    }
  }

  static let probes: [Probe] = [false, true].flatMap { isForeign in
    Sort.allCases.map { sort in
      Probe(
        "sections that change places are told so that a table can follow: sorted by "
          + "\(sort.rawValue), \(isForeign ? "another thread's" : "own") changes"
      ) { stage in
        Backstage.hooks?.skipFlushes()
        let asked = stage.settlingSpecimens
        let realm = try Realm(configuration: asked)
        try realm.write { stock(realm) }
        let word: (Specimen) -> String = { $0.word }
        let all = realm.objects(Specimen.self).where { $0.id < 1_000 }
          .sectioned(
            by: word,
            sortDescriptors: [
              SortDescriptor(keyPath: sort.path, ascending: sort.isAscending),
              SortDescriptor(keyPath: "id"),
            ])
        let ofList = realm.specimen(1_000)!.members
          .sectioned(
            by: word,
            sortDescriptors: [
              SortDescriptor(keyPath: sort.path, ascending: sort.isAscending),
              SortDescriptor(keyPath: "id"),
            ])
        let tables = [("of a query", all, SectionTable()), ("of a list", ofList, SectionTable())]
        let tokens = tables.map { _, sections, table in sections.observe { table.take($0) } }
        try stage.spin(until: { tables.allSatisfy { $0.2.calls > 0 } }, "the first calls")
        for (turn, words) in orders.enumerated() {
          for byFirst in [false, true] {
            let number = 2 * turn + (byFirst ? 1 : 0)
            let act = acts[number % acts.count]
            let what = "\(words), by the first alone: \(byFirst), and \(act.name)"
            let change: @Sendable (Realm) -> Void = {
              order(words, sort, $0, byFirst: byFirst)
              act.run($0, number)
            }
            if isForeign {
              try stage.elsewhere {
                let other = try Realm(configuration: asked)
                try other.write { change(other) }
              }
              realm.refresh()
            } else {
              try realm.write { change(realm) }
            }
            try stage.settle(realm)
            for (name, sections, table) in tables {
              stage.equal(table.wrong, nil, "what is wrong with the table \(name): \(what)")
              stage.equal(
                table.sections, SectionTable.all(sections), "the table \(name), told of \(what)")
            }
          }
        }
        for token in tokens { token.invalidate() }
      }
    }
  }
}
