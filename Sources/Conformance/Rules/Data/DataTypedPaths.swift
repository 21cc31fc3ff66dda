import EngineUnderTest
import Foundation

/// Whoever sorts, tells apart or computes by a typed key path gets what the name of the property
/// gives, in each kind of collection, with each argument and without.
enum TypedPaths {
  private struct Facts {
    let id: Int
    let amount: Int
    let ratio: Double
    let word: String
    let whole: Int?
    let nextAmount: Int?
  }

  static let probe = Probe("typed key paths sort, tell apart and compute like names") { stage in
    Backstage.hooks?.skipFlushes()
    for count in [1, 2, 9, 70] + (stage.isDeep ? [300] : []) {
      let realm = try Realm(configuration: stage.specimens("\(count)"))
      var chance = stage.chance
      try realm.write {
        let holder = Specimen(id: 0)
        realm.add(holder)
        for id in 1...count {
          let specimen = Specimen(id: id)
          specimen.amount = chance.below(5) - 2
          specimen.ratio = Double(chance.below(4)) / 4
          specimen.word = ["", "a", "b", "B"][chance.below(4)]
          specimen.whole = chance.below(3) == 0 ? nil : chance.below(9)
          specimen.next = chance.below(4) == 0 ? nil : realm.specimen(chance.below(id))
          specimen.other = holder
          realm.add(specimen)
          holder.members.append(specimen)
          holder.group.insert(specimen)
        }
      }
      let holder = realm.specimen(0)!
      let facts = (1...count).map { id -> Facts in
        let one = realm.specimen(id)!
        return Facts(
          id: id, amount: one.amount, ratio: one.ratio, word: one.word, whole: one.whole,
          nextAmount: one.next?.amount)
      }
      func look<C: RealmCollection>(_ name: String, _ members: C, isOrdered: Bool = true)
      where C.Element == Specimen {
        let what = "\(name) of \(count)"
        /// Members that are alike stay in the order that they had, where there is one.
        func check<Value: Comparable>(
          _ results: Results<Specimen>, _ value: @escaping (Facts) -> Value, _ up: Bool,
          _ words: String
        ) {
          let expected = facts.enumerated().sorted { one, other in
            let (left, right) = (value(one.element), value(other.element))
            if left != right { return (left < right) == up }
            return one.offset < other.offset
          }.map(\.element)
          let observed = Array(results.map(\.id))
          let agrees =
            isOrdered
            ? observed == expected.map(\.id)
            : observed.map { value(facts[$0 - 1]) } == expected.map(value)
          stage.expect(
            agrees && Set(observed).count == count, "\(what), sorted by \(words), up: \(up)",
            observed: "\(observed.prefix(9)) instead of \(expected.prefix(9).map(\.id))")
        }
        check(members.sorted(by: \.amount), { $0.amount }, true, "a path to a number")
        check(members.sorted(by: \.ratio), { $0.ratio }, true, "a path to a fraction")
        check(members.sorted(by: \.word), { $0.word }, true, "a path to a text")
        check(
          members.sorted(by: \.whole), { $0.whole ?? Int.min }, true, "a path to a number or null")
        for up in [true, false] {
          check(
            members.sorted(by: \.amount, ascending: up), { $0.amount }, up, "a path to a number")
          check(members.sorted(by: \.word, ascending: up), { $0.word }, up, "a path to a text")
          check(
            members.sorted(by: \.whole, ascending: up), { $0.whole ?? Int.min }, up,
            "a path to a number or null")
          check(members.sorted(byKeyPath: "ratio", ascending: up), { $0.ratio }, up, "a name")
        }
        check(members.sorted(byKeyPath: "amount"), { $0.amount }, true, "a name alone")
        check(
          members.sorted(by: ["amount", "id"]),
          { $0.amount * 1_000 + $0.id }, true, "literals")

        func firsts<Value: Hashable>(_ value: (Facts) -> Value) -> [Int] {
          var seen: Set<Value> = []
          return facts.filter { seen.insert(value($0)).inserted }.map(\.id)
        }
        func check<Value: Hashable>(
          distinct results: Results<Specimen>, _ value: (Facts) -> Value, _ words: String
        ) {
          let observed = Array(results.map(\.id))
          let expected = firsts(value)
          let agrees =
            isOrdered
            ? observed == expected
            : Set(observed.map { value(facts[$0 - 1]) }) == Set(facts.map(value))
              && observed.count == expected.count
          stage.expect(
            agrees && results.count == expected.count, "\(what), distinct by \(words)",
            observed: "\(observed.prefix(9)) instead of \(expected.prefix(9))")
        }
        check(distinct: members.distinct(by: [\Specimen.amount]), { $0.amount }, "a path")
        check(
          distinct: members.distinct(by: [\Specimen.amount, \Specimen.word]),
          { "\($0.amount) \($0.word)" }, "two paths")
        check(
          distinct: members.distinct(by: [\Specimen.whole, \Specimen.ratio, \Specimen.amount]),
          { "\($0.whole ?? -1) \($0.ratio) \($0.amount)" }, "three paths")
        check(distinct: members.distinct(by: ["word"]), { $0.word }, "a name")
        check(distinct: members.distinct(by: [\Specimen.id]), { $0.id }, "a path to the key")

        let (amounts, wholes) = (facts.map(\.amount), facts.compactMap(\.whole))
        func mean(_ numbers: [Int]) -> Double? {
          numbers.isEmpty ? nil : Double(numbers.reduce(0, +)) / Double(numbers.count)
        }
        let names: (Int?, Int?, Int, Double?) = (
          members.min(ofProperty: "amount"), members.max(ofProperty: "amount"),
          members.sum(ofProperty: "amount"), members.average(ofProperty: "amount")
        )
        let paths = (
          members.min(of: \.amount), members.max(of: \.amount), members.sum(of: \.amount),
          members.average(of: \.amount)
        )
        let maybes = (
          members.min(of: \.whole), members.max(of: \.whole), members.sum(of: \.whole),
          members.average(of: \.whole)
        )
        stage.expect(
          names == (amounts.min(), amounts.max(), amounts.reduce(0, +), mean(amounts)),
          "least, greatest, sum and mean by a name of \(what)", observed: "\(names)")
        stage.expect(
          paths == (amounts.min(), amounts.max(), amounts.reduce(0, +), mean(amounts)),
          "least, greatest, sum and mean by a path of \(what)", observed: "\(paths)")
        stage.expect(
          maybes == (wholes.min(), wholes.max(), wholes.reduce(0, +), mean(wholes)),
          "least, greatest, sum and mean, some null, of \(what)", observed: "\(maybes)")
        stage.equal(
          members.sum(of: \.ratio), facts.map(\.ratio).reduce(0, +), "a sum in \(what)")
      }
      for place in ["here", "frozen", "in a write"] {
        if place == "in a write" { realm.beginWrite() }
        let home = place == "frozen" ? realm.freeze() : realm
        let first = home.specimen(0)!
        let all = home.objects(Specimen.self)
        look("some, \(place)", all.where { $0.id > 0 })
        look("a list, \(place)", first.members)
        look("a set, \(place)", first.group, isOrdered: false)
        look("links backwards, \(place)", first.throughOther, isOrdered: false)
        look("an erased list, \(place)", AnyRealmCollection(first.members))
        look("sorted ones, \(place)", all.where { $0.id > 0 }.sorted(byKeyPath: "id"))
        if place == "in a write" { realm.cancelWrite() }
      }
      use(holder)
    }
  }
}
