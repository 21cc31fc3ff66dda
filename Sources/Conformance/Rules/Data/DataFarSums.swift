import EngineUnderTest
import Evidence
import Foundation

/// Numbers computed of what an object has, as a part of a question and of maps: over links, with
/// nulls, and of nothing.
enum FarSums {
  private struct Fact {
    var amount = 0
    var whole: Int?
    var fraction: Double?
    var price: Decimal128?
    var next: Int?
    var members: [Int] = []
    var group: Set<Int> = []
    var named: [String: Int?] = [:]
    var numbers: [Int?] = []
    var scores: [String: Int] = [:]
  }

  private static func facts(_ count: Int, _ chance: inout SeededGenerator) -> [Fact] {
    func few() -> Int { chance.below(9) - 4 }
    return (0..<count).map { id in
      var fact = Fact(amount: few())
      fact.whole = chance.below(3) == 0 ? nil : few()
      fact.fraction = chance.below(3) == 0 ? nil : Double(few()) / 2
      fact.price = chance.below(3) == 0 ? nil : Decimal128(few())
      fact.next = chance.below(4) == 0 ? nil : chance.below(count)
      // Some of them twice, and some with nothing but nulls.
      fact.members = (0..<chance.below(5)).map { _ in chance.below(count) }
      fact.group = Set((0..<chance.below(4)).map { _ in chance.below(count) })
      for key in ["a", "b", "c"] where chance.below(2) == 0 {
        fact.named[key] = .some(chance.below(4) == 0 ? nil : chance.below(count))
      }
      fact.numbers = (0..<chance.below(4)).map { _ in chance.below(2) == 0 ? nil : few() }
      for key in ["a", "b", ""] where chance.below(2) == 0 { fact.scores[key] = few() }
      return fact
    }
  }

  private static func fill(_ realm: Realm, _ facts: [Fact]) {
    for id in facts.indices { realm.add(Specimen(id: id)) }
    for (id, fact) in facts.enumerated() {
      let one = realm.specimen(id)!
      (one.amount, one.whole) = (fact.amount, fact.whole)
      (one.fraction, one.price) = (fact.fraction, fact.price)
      one.next = fact.next.flatMap { realm.specimen($0) }
      one.members.append(objectsIn: fact.members.map { realm.specimen($0)! })
      one.group.insert(objectsIn: fact.group.map { realm.specimen($0)! })
      for (key, id) in fact.named { one.named[key] = .some(id.flatMap { realm.specimen($0) }) }
      one.numbers.append(objectsIn: fact.numbers)
      for (key, score) in fact.scores { one.scores[key] = score }
    }
  }

  // MARK: In questions

  /// Where the members of a question's collection are. A key of a map that has no object counts as
  /// one, and there is nothing to be computed of it.
  private static let ways: [(path: String, members: @Sendable (Int, [Fact]) -> [Int?])] = [
    ("members", { $1[$0].members }), ("group", { Array($1[$0].group) }),
    ("named", { Array($1[$0].named.values) }),
    ("next.named", { id, facts in facts[id].next.map { Array(facts[$0].named.values) } ?? [] }),
    ("throughNext", { id, facts in facts.indices.filter { facts[$0].next == id } }),
    (
      "throughMembers",
      { id, facts in
        facts.indices.flatMap { one in
          facts[one].members.filter { $0 == id }
            .map { _ in one }
        }
      }
    ),
    ("next.members", { id, facts in facts[id].next.map { facts[$0].members } ?? [] }),
    (
      "next.next.group",
      { id, facts in
        let far = facts[id].next.flatMap { facts[$0].next }
        return far.map { Array(facts[$0].group) } ?? []
      }
    ),
    (
      "next.throughNext",
      { id, facts in
        facts[id].next.map { next in facts.indices.filter { facts[$0].next == next } } ?? []
      }
    ),
  ]

  /// What is computed of each member.
  private static let properties: [(name: String, value: @Sendable (Fact) -> Double?)] = [
    ("amount", { Double($0.amount) }), ("whole", { $0.whole.map(Double.init) }),
    ("fraction", { $0.fraction }), ("price", { $0.price.flatMap { Double("\($0)") } }),
  ]

  private static func computed(_ aggregate: String, _ values: [Double]) -> Double? {
    switch aggregate {
    case "@sum": values.reduce(0, +)
    case "@min": values.min()
    case "@max": values.max()
    default: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
  }

  private static func compares(_ left: Double?, _ operation: String, _ right: Double) -> Bool {
    guard let left else { return false }
    switch operation {
    case "==": return left == right
    case "<": return left < right
    case "<=": return left <= right
    case ">": return left > right
    default: return left >= right
    }
  }

  static let asked = Probe("numbers of collections behind links are those of all their members") {
    stage in
    Backstage.hooks?.skipFlushes()
    var chance = stage.chance
    let facts = facts(60, &chance)
    let realm = try Realm(configuration: stage.specimens())
    try realm.write { fill(realm, facts) }
    for home in [realm, realm.freeze()] {
      let all = home.objects(Specimen.self)
      func found(_ words: String, _ holds: (Int) -> Bool) {
        let ids = facts.indices.filter(holds)
        let observed = Array(all.filter(words).map(\.id))
        stage.expect(
          observed == ids, "\(words) finds \(ids.count), frozen: \(home.isFrozen)",
          observed: "\(observed.count), also \(Set(observed).subtracting(ids).sorted().prefix(5)),"
            + " not \(Set(ids).subtracting(observed).sorted().prefix(5))")
      }
      for (round, way) in ways.enumerated() {
        let members = facts.indices.map { way.members($0, facts) }
        for count in 0...2 {
          found("\(way.path).@count == \(count)") { members[$0].count == count }
          found("\(way.path).@count > \(count)") { members[$0].count > count }
        }
        for (turn, property) in properties.enumerated() {
          let values = members.map { $0.compactMap { $0.flatMap { property.value(facts[$0]) } } }
          for aggregate in ["@sum", "@min", "@max", "@avg"] {
            for (number, operation) in ["==", "<", "<=", ">", ">="].enumerated() {
              // Each bound with some of them; the quarters hit means.
              let bound = [0, 1, -1, 0.5, 2][(number + round + turn) % 5]
              found("\(way.path).\(aggregate).\(property.name) \(operation) \(bound)") {
                compares(computed(aggregate, values[$0]), operation, bound)
              }
            }
          }
        }
      }
      for aggregate in ["@sum", "@min", "@max", "@avg"] {
        for bound in [-1.0, 0, 1.5] {
          found("numbers.\(aggregate) > \(bound)") {
            compares(
              computed(aggregate, facts[$0].numbers.compactMap { $0.map(Double.init) }), ">", bound)
          }
          found("scores.\(aggregate) <= \(bound)") {
            compares(computed(aggregate, facts[$0].scores.values.map(Double.init)), "<=", bound)
          }
          found("next != nil AND next.numbers.\(aggregate) < \(bound)") { id in
            guard let numbers = facts[id].next.map({ facts[$0].numbers }) else { return false }
            return compares(
              computed(aggregate, numbers.compactMap { $0.map(Double.init) }), "<", bound)
          }
        }
      }
      found("members.@sum.amount > group.@count") { id in
        facts[id].members.map { facts[$0].amount }.reduce(0, +) > facts[id].group.count
      }
      found("SUBQUERY(members, $one, $one.members.@sum.amount > 2).@count > 1") { id in
        facts[id].members.count {
          facts[$0].members.map { facts[$0].amount }.reduce(0, +) > 2
        } > 1
      }
      stage.equal(
        Array(all.where { $0.next.members.whole.sum > 1 }.map(\.id)),
        facts.indices.filter { id in
          let members = facts[id].next.map { facts[$0].members } ?? []
          return members.compactMap { facts[$0].whole }.reduce(0, +) > 1
        }, "who has a large sum behind a link, in Swift, frozen: \(home.isFrozen)")
      stage.equal(
        Array(all.where { $0.next.next.group.fraction.max < 1 }.map(\.id)),
        facts.indices.filter { id in
          let far = facts[id].next.flatMap { facts[$0].next }
          let values = far.map { facts[$0].group.compactMap { facts[$0].fraction } } ?? []
          return values.max().map { $0 < 1 } ?? false
        }, "who has a small greatest behind two links, in Swift, frozen: \(home.isFrozen)")
    }
  }

  // MARK: Of maps

  static let maps = Probe("least, greatest, sum and mean of the values of maps, some null or none")
  {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.cupboards("maps"))
    try realm.write { realm.add(Cupboard(id: 0)) }
    var chance = stage.chance
    func mean(_ numbers: [Int]) -> Double? {
      numbers.isEmpty ? nil : Double(numbers.reduce(0, +)) / Double(numbers.count)
    }
    for count in [0, 1, 2, 7, 70, 300] {
      let wholes = (0..<count).map { _ in chance.below(19) - 9 }
      let maybes = (0..<count).map { _ in chance.below(3) == 0 ? nil : chance.below(19) - 9 }
      realm.beginWrite()
      let cupboard = realm.cupboard(0)
      cupboard.wholeMap.removeAll()
      cupboard.maybeWholeMap.removeAll()
      cupboard.fractionMap.removeAll()
      cupboard.maybePriceMap.removeAll()
      cupboard.dayMap.removeAll()
      for place in 0..<count {
        cupboard.wholeMap["\(place)"] = wholes[place]
        cupboard.maybeWholeMap["\(place)"] = .some(maybes[place])
        cupboard.fractionMap["\(place)"] = Double(wholes[place]) / 2
        cupboard.maybePriceMap["\(place)"] = .some(maybes[place].map { Decimal128($0) })
        cupboard.dayMap["\(place)"] = Date(timeIntervalSince1970: Double(wholes[place]))
      }
      func look(_ cupboard: Cupboard, _ moment: String) {
        let some = maybes.compactMap(\.self)
        let what = "of \(count) values \(moment)"
        let whole = cupboard.wholeMap
        stage.equal(whole.min(), wholes.min(), "the least \(what)")
        stage.equal(whole.max(), wholes.max(), "the greatest \(what)")
        stage.equal(whole.sum(), wholes.reduce(0, +), "the sum \(what)")
        stage.equal(whole.average() as Double?, mean(wholes), "the mean \(what)")
        let maybe = cupboard.maybeWholeMap
        stage.equal(maybe.min(), some.min(), "the least \(what), some null")
        stage.equal(maybe.max(), some.max(), "the greatest \(what), some null")
        stage.equal(maybe.sum(), some.reduce(0, +), "the sum \(what), some null")
        stage.equal(maybe.average() as Double?, mean(some), "the mean \(what), some null")
        let fractions = cupboard.fractionMap
        stage.equal(fractions.max(), wholes.max().map { Double($0) / 2 }, "the most \(what)")
        stage.equal(
          fractions.sum(), Double(wholes.reduce(0, +)) / 2, "the sum of fractions \(what)")
        let prices = cupboard.maybePriceMap
        stage.equal(prices.min(), some.min().map { Decimal128($0) }, "the least price \(what)")
        stage.equal(prices.sum(), Decimal128(some.reduce(0, +)), "the sum of prices \(what)")
        stage.equal(
          cupboard.dayMap.min()?.timeIntervalSince1970, wholes.min().map(Double.init),
          "the first day \(what)")
      }
      look(cupboard, "in the write")
      try realm.commitWrite()
      look(cupboard, "after it")
      look(cupboard.freeze(), "frozen")
    }
  }

  /// Of the objects of a map, by a property of theirs.
  static let mapsOfObjects = Probe("numbers of the objects of a map leave out nulls and no objects")
  {
    stage in
    Backstage.hooks?.skipFlushes()
    var chance = stage.chance
    let facts = facts(30, &chance)
    let realm = try Realm(configuration: stage.specimens())
    try realm.write { fill(realm, facts) }
    for home in [realm, realm.freeze()] {
      for (id, fact) in facts.enumerated() {
        let named = home.specimen(id)!.named
        let members = fact.named.values.compactMap(\.self)
        let amounts = members.map { facts[$0].amount }
        let wholes = members.compactMap { facts[$0].whole }
        let what = "of \(id), frozen: \(home.isFrozen)"
        stage.equal(named.min(ofProperty: "amount") as Int?, amounts.min(), "the least \(what)")
        stage.equal(named.max(ofProperty: "whole") as Int?, wholes.max(), "the greatest \(what)")
        stage.equal(
          named.sum(ofProperty: "amount") as Int, amounts.reduce(0, +), "the sum \(what)")
        stage.equal(
          named.sum(ofProperty: "whole") as Int, wholes.reduce(0, +), "the sum, some null, \(what)")
        let mean = wholes.isEmpty ? nil : Double(wholes.reduce(0, +)) / Double(wholes.count)
        stage.equal(named.average(ofProperty: "whole") as Double?, mean, "the mean \(what)")
      }
    }
  }
}
