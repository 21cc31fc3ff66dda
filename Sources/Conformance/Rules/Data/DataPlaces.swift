import EngineUnderTest
import Foundation

/// Each question about places, to each kind of collection of none to four members, beside an array
/// of the same.
enum SmallPlaces {
  private static func look<Members: RealmCollection>(
    _ stage: Stage, _ name: String, _ members: Members, _ expected: [Specimen],
    _ strangers: [Specimen]
  ) where Members.Element == Specimen, Members.Index == Int {
    let ids = expected.map(\.id)
    func same(_ asked: [Int], _ answer: [Int], _ what: String) {
      stage.expect(asked == answer, "\(what) of \(name) is \(answer)", observed: "\(asked)")
    }
    same([members.count, members.startIndex, members.endIndex], [ids.count, 0, ids.count], "size")
    stage.equal(members.isEmpty, ids.isEmpty, "whether there is nobody in \(name)")
    same(members.first.map { [$0.id] } ?? [], Array(ids.prefix(1)), "the first")
    same(members.last.map { [$0.id] } ?? [], Array(ids.suffix(1)), "the last")
    same(members.map(\.id), ids, "the loop")
    same(members.reversed().map(\.id), ids.reversed(), "the loop backwards")
    same(
      members.enumerated().map { $0.offset * 100 + $0.element.id },
      ids.enumerated().map { $0.offset * 100 + $0.element }, "the numbered loop")
    same(members.indices.map { members[$0].id }, ids, "those at each place")
    for low in 0...ids.count {
      same(members.prefix(low).map(\.id), Array(ids.prefix(low)), "the first \(low)")
      same(members.suffix(low).map(\.id), Array(ids.suffix(low)), "the last \(low)")
      same(members.dropFirst(low).map(\.id), Array(ids.dropFirst(low)), "all but the first \(low)")
      same(members.dropLast(low).map(\.id), Array(ids.dropLast(low)), "all but the last \(low)")
      for high in low...ids.count {
        same(members[low..<high].map(\.id), Array(ids[low..<high]), "those from \(low) to \(high)")
        same(
          members.objects(at: IndexSet(low..<high)).map(\.id), Array(ids[low..<high]),
          "those at \(low) to \(high)")
      }
    }
    for bits in 0..<1 << ids.count {
      let places = ids.indices.filter { bits >> $0 & 1 == 1 }
      same(
        members.objects(at: IndexSet(places)).map(\.id), places.map { ids[$0] },
        "those at \(places)")
    }
    for one in expected + strangers {
      let place = ids.firstIndex(of: one.id)
      stage.equal(members.index(of: one), place, "the place of \(one.id) in \(name)")
      stage.equal(members.contains(one), place != nil, "whether \(name) has \(one.id)")
      stage.equal(
        members.index(matching: "id == %@", one.id), place, "where \(one.id) is found in \(name)")
      stage.equal(
        members.index(matching: { $0.id == one.id }), place,
        "where \(one.id) is found in \(name), asked in Swift")
      stage.equal(
        members.firstIndex { $0.id == one.id }, place, "where a loop over \(name) meets \(one.id)")
    }
    for amount in 0...2 {
      stage.equal(
        members.index(matching: "amount == %@", amount),
        expected.firstIndex { $0.amount == amount }, "the first with \(amount) in \(name)")
      stage.equal(
        members.index(matching: { $0.amount > amount }),
        expected.firstIndex { $0.amount > amount }, "the first above \(amount) in \(name)")
    }
    stage.equal(members.min(of: \.amount), expected.map(\.amount).min(), "the least of \(name)")
    stage.equal(
      members.max(ofProperty: "amount"), expected.map(\.amount).max(), "the greatest of \(name)")
    stage.equal(
      members.sum(of: \.amount), expected.map(\.amount).reduce(0, +), "the sum of \(name)")
  }

  static let probe = Probe("each question about places, to each kind of a few members") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.specimens())
    for count in 0...4 {
      for isFrozen in [false, true] {
        try realm.write {
          realm.deleteAll()
          for id in 0...6 {
            let one = Specimen(id: id)
            (one.amount, one.word) = (id % 3, id == 0 ? "owner" : "word \(id % 2)")
            realm.add(one)
          }
          let owner = realm.specimen(0)!
          for id in (1..<count + 1).reversed() {
            let one = realm.specimen(id)!
            owner.members.append(one)
            owner.group.insert(one)
            one.next = owner
          }
          for id in count + 1..<7 { realm.specimen(id)!.word = "stranger" }
        }
        let shown = isFrozen ? realm.freeze() : realm
        let all = shown.objects(Specimen.self)
        let some = all.filter("word BEGINSWITH 'word'")
        let owner = shown.specimen(0)!
        let ones = (1..<count + 1).map { shown.specimen($0)! }
        let strangers = (count + 1..<7).map { shown.specimen($0)! }
        let what = "\(count)\(isFrozen ? ", frozen" : "")"
        func ranked(_ ones: [Specimen]) -> [Specimen] {
          ones.sorted { ($0.amount, $0.id) < ($1.amount, $1.id) }
        }
        func ask<Members: RealmCollection>(
          _ name: String, _ members: Members, _ expected: [Specimen]
        ) where Members.Element == Specimen, Members.Index == Int {
          look(stage, "\(name) of \(what)", members, expected, strangers)
          look(
            stage, "\(name) of \(what), erased", AnyRealmCollection(members), expected, strangers)
        }
        ask("a query", some.sorted(byKeyPath: "id"), ones)
        ask("a query, turned", some.sorted(byKeyPath: "id", ascending: false), ones.reversed())
        ask("a query by two", some.sorted(by: ["amount", "id"]), ranked(ones))
        ask("a list", owner.members, ones.reversed())
        ask("a query of a list", owner.members.where { $0.id > 0 }, ones.reversed())
        ask("a list, sorted", owner.members.sorted(by: ["amount", "id"]), ranked(ones))
        ask("a set, sorted", owner.group.sorted(byKeyPath: "id"), ones)
        ask("links backwards, sorted", owner.throughNext.sorted(byKeyPath: "id"), ones)
        var seen: Set<Int> = []
        ask(
          "distinct ones", some.sorted(byKeyPath: "id").distinct(by: ["amount"]),
          ones.filter { seen.insert($0.amount).inserted })
        // What has no order has one of its own, and keeps to it.
        ask("a set", owner.group, Array(owner.group))
        ask("links backwards", owner.throughNext, Array(owner.throughNext))
        ask("a query without an order", some, Array(some))
        stage.equal(Set(some.map(\.id)), Set(1..<count + 1), "whom a query finds of \(what)")
        stage.equal(
          owner.throughNext.map(\.id).sorted(), Array(1..<count + 1), "who links, of \(what)")
      }
    }
  }
}
