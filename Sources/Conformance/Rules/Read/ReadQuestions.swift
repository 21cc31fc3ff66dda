import EngineUnderTest
import Foundation
import Harness

/// A question to a collection of specimens that is told by the ids of its members in order.
private struct AskedOfView: Sendable {
  let name: String
  /// Whether the answer depends on the order of the members, which not every collection has.
  let isOrdered: Bool
  let answer: @Sendable ([Int]) -> [Int]

  static let all = [
    AskedOfView(name: "its count", isOrdered: false) { [$0.count] },
    AskedOfView(name: "whether it is empty", isOrdered: false) { [$0.isEmpty ? 1 : 0] },
    AskedOfView(name: "whether it has a first", isOrdered: false) { [$0.isEmpty ? 0 : 1] },
    AskedOfView(name: "whether it has a last", isOrdered: false) { [$0.isEmpty ? 0 : 1] },
    AskedOfView(name: "its first", isOrdered: true) { Array($0.prefix(1)) },
    AskedOfView(name: "its last", isOrdered: true) { Array($0.suffix(1)) },
    AskedOfView(name: "the one at 0", isOrdered: true) { Array($0.prefix(1)) },
    AskedOfView(name: "where the second specimen is", isOrdered: true) {
      [$0.firstIndex(of: 2) ?? -1]
    },
    AskedOfView(name: "whether it has the second specimen", isOrdered: false) {
      [$0.contains(2) ? 1 : 0]
    },
    AskedOfView(name: "where the third specimen is found", isOrdered: true) {
      [$0.firstIndex(of: 3) ?? -1]
    },
    AskedOfView(name: "its sum", isOrdered: false) { [$0.map { $0 + 5 }.reduce(0, +)] },
    AskedOfView(name: "its least", isOrdered: false) { [$0.map { $0 + 5 }.min() ?? -1] },
    AskedOfView(name: "its greatest", isOrdered: false) { [$0.map { $0 + 5 }.max() ?? -1] },
    AskedOfView(name: "who comes first in a loop", isOrdered: true) { Array($0.prefix(1)) },
    AskedOfView(name: "all of a loop", isOrdered: false) { $0 },
    AskedOfView(name: "how many a query finds", isOrdered: false) { [$0.filter { $0 > 1 }.count] },
    AskedOfView(name: "the last of a sort", isOrdered: false) { Array($0.suffix(1)) },
  ]

  /// The question of that number, put to a collection.
  static func put<Members: RealmCollection>(_ number: Int, to members: Members) -> [Int]
  where Members.Element == Specimen, Members.Index == Int {
    switch all[number].name {
    case "its count": return [members.count]
    case "whether it is empty": return [members.isEmpty ? 1 : 0]
    case "whether it has a first": return [members.first == nil ? 0 : 1]
    case "whether it has a last": return [members.last == nil ? 0 : 1]
    case "its first": return members.first.map { [$0.id] } ?? []
    case "its last": return members.last.map { [$0.id] } ?? []
    case "the one at 0": return members.count > 0 ? [members[0].id] : []
    case "where the second specimen is":
      return [members.realm!.specimen(2).flatMap { members.index(of: $0) } ?? -1]
    case "whether it has the second specimen":
      return [members.realm!.specimen(2).map { members.contains($0) } ?? false ? 1 : 0]
    case "where the third specimen is found": return [members.index(matching: "id == 3") ?? -1]
    case "its sum": return [members.sum(ofProperty: "amount")]
    case "its least": return [members.min(ofProperty: "amount") ?? -1]
    case "its greatest": return [members.max(ofProperty: "amount") ?? -1]
    case "who comes first in a loop":
      for member in members { return [member.id] }
      return []
    case "all of a loop": return members.map(\.id).sorted()
    case "how many a query finds": return [members.filter("id > 1").count]
    default: return members.sorted(byKeyPath: "id").last.map { [$0.id] } ?? []
    }
  }
}

/// A collection whose members are those specimens that are marked, asked one question.
private struct HeldView {
  let name: String
  let question: AskedOfView
  let ask: () -> [Int]

  /// One for each question that can be put to it: a question must not help the next one.
  static func each<Members: RealmCollection>(
    _ name: String, isOrdered: Bool = true, _ make: () -> Members
  ) -> [HeldView] where Members.Element == Specimen, Members.Index == Int {
    AskedOfView.all.indices.filter { isOrdered || !AskedOfView.all[$0].isOrdered }.map { number in
      let members = make()
      return HeldView(name: name, question: AskedOfView.all[number]) {
        AskedOfView.put(number, to: members)
      }
    }
  }

  static func all(_ realm: Realm) -> [HeldView] {
    let everything = realm.objects(Specimen.self)
    let owner = realm.specimen(0)!
    return [
      each("a query of numbers", isOrdered: false) { everything.where { $0.amount > 1 } },
      each("a query by an index", isOrdered: false) { everything.where { $0.number == 7 } },
      each("a query by a text's index", isOrdered: false) {
        everything.where { $0.tag == "marked" }
      },
      each("a query of texts", isOrdered: false) { everything.filter("word BEGINSWITH 'mark'") },
      each("a query over a link", isOrdered: false) { everything.filter("next.id == 0") },
      each("a query of a query", isOrdered: false) {
        everything.where { $0.id > 0 }.where { $0.amount > 1 }
      },
      each("a sorted query") { everything.where { $0.amount > 1 }.sorted(byKeyPath: "amount") },
      each("a query of a sort") { everything.sorted(byKeyPath: "id").where { $0.amount > 1 } },
      each("distinct ones") {
        everything.where { $0.amount > 1 }.distinct(by: ["amount"]).sorted(byKeyPath: "id")
      },
      each("a list") { owner.members },
      each("a query of a list") { owner.members.where { $0.id > 0 } },
      each("a sorted list") { owner.members.sorted(byKeyPath: "id") },
      each("a set", isOrdered: false) { owner.group },
      each("a sorted set") { owner.group.sorted(byKeyPath: "id") },
      each("links backwards", isOrdered: false) { owner.throughNext },
      each("a query of links backwards", isOrdered: false) {
        owner.throughNext.where { $0.id > 0 }
      },
      each("an erased list") { AnyRealmCollection(owner.members) },
      each("an erased query", isOrdered: false) {
        AnyRealmCollection(everything.where { $0.amount > 1 })
      },
      others(realm, owner),
    ].flatMap(\.self)
  }

  /// What is no collection of specimens, or has questions of its own.
  private static func others(_ realm: Realm, _ owner: Specimen) -> [HeldView] {
    func one(
      _ name: String, _ answer: @escaping @Sendable ([Int]) -> [Int], _ ask: @escaping () -> [Int]
    ) -> HeldView {
      let question = AskedOfView(name: "itself", isOrdered: true, answer: answer)
      return HeldView(name: name, question: question, ask: ask)
    }
    let marked = realm.objects(Specimen.self).where { $0.amount > 1 }
    let sections = (0..<5).map { _ in marked.sectioned(by: \.word) }
    let maps = (0..<4).map { _ in owner.named }
    let shown = (0..<3).map { _ in
      realm.objects(SpecimenView.self).filter("amount > 1").sorted(byKeyPath: "id")
    }
    return [
      one("the number of sections", { [min($0.count, 1)] }, { [sections[0].count] }),
      one(
        "whether there are sections", { [$0.isEmpty ? 1 : 0] }, { [sections[1].isEmpty ? 1 : 0] }),
      one("the keys of sections", { [min($0.count, 1)] }, { [sections[2].allKeys.count] }),
      one("the first section", { $0 }, { sections[3].first?.map(\.id).sorted() ?? [] }),
      one("all sections", { $0 }, { sections[4].flatMap { $0.map(\.id) }.sorted() }),
      one("the count of a map", { [$0.count] }, { [maps[0].count] }),
      one("whether a map is empty", { [$0.isEmpty ? 1 : 0] }, { [maps[1].isEmpty ? 1 : 0] }),
      one("the keys of a map", { $0 }, { maps[2].keys.compactMap { Int($0) }.sorted() }),
      one(
        "a value of a map", { $0.filter { $0 == 1 } },
        {
          (maps[3]["1"] ?? nil).map { [$0.id] } ?? []
        }),
      one("the count of what is shown", { [$0.count] }, { [shown[0].count] }),
      one("whether nothing is shown", { [$0.isEmpty ? 1 : 0] }, { [shown[1].isEmpty ? 1 : 0] }),
      one(
        "the first that is shown", { $0.prefix(1).map { $0 + 5 } },
        {
          shown[2].first.map { [$0.amount] } ?? []
        }),
    ]
  }
}

extension Realm {
  /// Makes those specimens of 1 to 3 the members of each collection, and no others.
  fileprivate func mark(_ ids: [Int]) {
    let owner = specimen(0)!
    owner.members.removeAll()
    owner.group.removeAll()
    owner.named.removeAll()
    for id in 1...3 {
      guard let one = specimen(id) else { continue }
      let isMarked = ids.contains(id)
      one.amount = isMarked ? id + 5 : 0
      one.number = isMarked ? 7 : nil
      one.tag = isMarked ? "marked" : nil
      one.word = isMarked ? "marked" : ""
      one.next = isMarked ? owner : nil
      guard isMarked else { continue }
      owner.members.append(one)
      owner.group.insert(one)
      owner.named["\(id)"] = .some(one)
    }
  }
}

extension Probe {
  /// Each collection is held through whatever happens, and asked one question all the time.
  static let heldQuestions = ["a write", "a write that is cancelled", "a refresh", "a begin"].map {
    way in
    Probe(
      "each question to each collection is answered by what is there, though asked before: "
        + "after \(way)"
    ) { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = stage.specimens()
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      try realm.write {
        for id in 0...3 { realm.add(Specimen(id: id)) }
        realm.mark([1, 2, 3])
      }
      let all = HeldView.all(realm)
      func look(_ ids: [Int], _ moment: String) {
        for held in all {
          let (found, wanted) = (held.ask(), held.question.answer(ids))
          stage.expect(
            found == wanted, "\(held.name), \(held.question.name), with \(ids) \(moment)",
            observed: "\(found) instead of \(wanted)")
        }
      }
      var ids = [1, 2, 3]
      look(ids, "at first")
      for (round, next) in [[2], [], [3], [1, 3], [], [1, 2, 3], []].enumerated() {
        func change(_ realm: Realm) {
          // Some cease to match, others go.
          if round % 3 == 1 { for id in 1...3 { realm.delete(realm.specimen(id)!) } }
          for id in 1...3 where realm.specimen(id) == nil { realm.add(Specimen(id: id)) }
          realm.mark(next)
        }
        func elsewhere() throws {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other) }
          }
        }
        switch way {
        case "a write":
          try realm.write {
            change(realm)
            look(next, "in write \(round)")
          }
        case "a write that is cancelled":
          realm.beginWrite()
          look(ids, "at the begin of write \(round)")
          change(realm)
          look(next, "in write \(round)")
          realm.cancelWrite()
          look(ids, "after write \(round) was cancelled")
          try realm.write { change(realm) }
        case "a refresh":
          try elsewhere()
          look(ids, "before refresh \(round)")
          realm.refresh()
        default:
          try elsewhere()
          look(ids, "before begin \(round)")
          realm.beginWrite()
          look(next, "at begin \(round)")
          realm.cancelWrite()
        }
        ids = next
        look(ids, "after step \(round)")
      }
    }
  }
}
