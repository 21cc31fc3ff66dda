import EngineUnderTest
import Evidence
import Foundation

/// Least, greatest, sum and mean of a list, a set or a map of values, and of a property: of large
/// numbers, too, which do not fit into half of a word or into what a fraction holds exactly.
extension Probe {
  private static let counts = [0, 1, 2, 7, 64, 65, 300]

  static let sumsOfMembers = Probe(
    "least, greatest, sum and mean of lists and sets of each kind of number"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for count in counts {
      let realm = try Realm(configuration: stage.cupboards("\(count)"))
      try realm.write { realm.add(Cupboard(id: 0)) }
      let cupboard = realm.cupboard(0)
      var chance = stage.chance
      /// Small ones and large ones; null among them where it may be.
      func draw(_ bits: Int) -> [Int] {
        (0..<count).map { place in
          let small = chance.below(19) - 9
          return place % 5 == 3 ? small << (bits - 12) : small * 7 + 1
        }
      }
      func look<Value: Equatable, Mean: Equatable>(
        _ name: String, _ observed: (Value?, Value?, Value?, Mean?),
        _ expected: (Value?, Value?, Value?, Mean?)
      ) {
        stage.expect(
          observed == expected, "the least, greatest, sum and mean of \(count) \(name)",
          observed: "\(observed) instead of \(expected)")
      }
      func mean(_ all: [Int]) -> Double? {
        all.isEmpty ? nil : Double(all.reduce(0, +)) / Double(all.count)
      }
      let (wholes, middles, tinies) = (draw(50), draw(26), draw(8 + 6).map { $0 % 100 })
      let maybes = wholes.map { $0 % 3 == 0 ? nil : Int?.some($0) }
      let halves = wholes.map { Double($0) / 2 }
      let prices = wholes.map { Decimal128($0) }
      try realm.write {
        cupboard.wholeList.append(objectsIn: wholes)
        cupboard.maybeWholeList.append(objectsIn: maybes)
        cupboard.middleList.append(objectsIn: middles.map { Int32($0) })
        cupboard.tinyList.append(objectsIn: tinies.map { Int8($0) })
        cupboard.fractionList.append(objectsIn: halves)
        cupboard.priceList.append(objectsIn: prices)
        cupboard.wholeSet.insert(objectsIn: wholes)
        cupboard.fractionSet.insert(objectsIn: halves)
        cupboard.dayList.append(objectsIn: halves.map { Date(timeIntervalSince1970: $0) })
      }
      for (when, cupboard) in [("live", cupboard), ("frozen", cupboard.freeze())] {
        do {
          let list = cupboard.wholeList
          look(
            "whole numbers, \(when)", (list.min(), list.max(), list.sum(), list.average()),
            (wholes.min(), wholes.max(), wholes.reduce(0, +), mean(wholes)))
        }
        do {
          let (list, some) = (cupboard.maybeWholeList, maybes.compactMap(\.self))
          look(
            "numbers or nulls, \(when)", (list.min(), list.max(), list.sum(), list.average()),
            (some.min(), some.max(), some.reduce(0, +), mean(some)))
        }
        do {
          let list = cupboard.middleList
          let ends = (middles.min().map { Int32($0) }, middles.max().map { Int32($0) })
          look(
            "middle numbers, \(when)", (list.min(), list.max(), nil, list.average()),
            (ends.0, ends.1, nil, mean(middles)))
        }
        do {
          let list = cupboard.tinyList
          let ends = (tinies.min().map { Int8($0) }, tinies.max().map { Int8($0) })
          look(
            "tiny numbers, \(when)", (list.min(), list.max(), nil, list.average()),
            (ends.0, ends.1, nil, mean(tinies)))
        }
        do {
          let list = cupboard.fractionList
          look(
            "fractions, \(when)", (list.min(), list.max(), list.sum(), list.average()),
            (
              halves.min(), halves.max(), Double(wholes.reduce(0, +)) / 2,
              mean(wholes).map { $0 / 2 }
            ))
        }
        do {
          let list = cupboard.priceList
          look(
            "decimal numbers, \(when)", (list.min(), list.max(), list.sum(), Int?.none),
            (prices.min(), prices.max(), Decimal128(wholes.reduce(0, +)), nil))
        }
        do {
          let set = cupboard.wholeSet
          let some = Array(Set(wholes))
          look(
            "whole numbers of a set, \(when)", (set.min(), set.max(), set.sum(), set.average()),
            (some.min(), some.max(), some.reduce(0, +), mean(some)))
        }
        do {
          let list = cupboard.dayList
          stage.equal(
            list.min()?.timeIntervalSince1970, halves.min(), "the first of \(count) days, \(when)")
          stage.equal(
            list.max()?.timeIntervalSince1970, halves.max(), "the last of \(count) days, \(when)")
        }
        do {
          let sorted = cupboard.wholeList.sorted()
          stage.equal(Array(sorted), wholes.sorted(), "\(count) sorted, \(when)")
          let back = cupboard.wholeList.sorted(ascending: false)
          stage.equal(Array(back), wholes.sorted(by: >), "\(count) sorted down, \(when)")
          var seen: Set<Int> = []
          let firsts = wholes.filter { seen.insert($0).inserted }
          stage.equal(
            Array(cupboard.wholeList.distinct()), firsts, "\(count) distinct, \(when)")
          stage.equal(
            [back.first, back.last, sorted.first], [wholes.max(), wholes.min(), wholes.min()],
            "the ends of \(count) sorted, \(when)")
        }
      }
    }
  }

  /// Of properties: what is large, in all, in some, and in a list of objects.
  static let sumsOfLargeNumbers = Probe(
    "least, greatest, sum and mean of large and small numbers, while they change"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for count in counts.dropFirst() {
      let realm = try Realm(configuration: stage.cupboards("\(count)"))
      var chance = stage.chance
      var facts: [Int: Int?] = [:]
      func draw() -> Int? {
        switch chance.below(6) {
        case 0: nil
        case 1: (chance.below(9) - 4) << 40
        case 2: (chance.below(9) - 4) << 31
        default: chance.below(200) - 100
        }
      }
      func put(_ id: Int) {
        let value = draw()
        facts[id] = .some(value)
        let cupboard = realm.cupboard(id)
        cupboard.maybeWhole = value
        cupboard.whole = value ?? 0
        cupboard.maybeFraction = value.map { Double($0) / 2 }
        cupboard.maybePrice = value.map { Decimal128($0) }
        cupboard.maybeDay = value.map { Date(timeIntervalSince1970: Double($0) / 2) }
      }
      func look(_ moment: String) {
        for bound in [-1, count / 3] {
          let some = realm.objects(Cupboard.self).where { $0.id > bound }
          for (way, members) in [
            ("all behind \(bound)", AnyRealmCollection(some)),
            (
              "the first half behind \(bound)",
              AnyRealmCollection(some.filter("maybeWhole == nil OR maybeWhole < 1"))
            ),
            ("distinct", AnyRealmCollection(some.distinct(by: ["maybeWhole"]))),
          ] {
            var values = facts.filter { $0.key > bound }.map(\.value)
            if way.hasPrefix("the first") { values = values.filter { $0.map { $0 < 1 } ?? true } }
            if way == "distinct" { values = Array(Set(values)) }
            let numbers = values.compactMap(\.self)
            let sum = numbers.reduce(0, +)
            let mean = numbers.isEmpty ? nil : Double(sum) / Double(numbers.count)
            let what = "\(way) of \(count), \(moment)"
            stage.equal(members.min(of: \.maybeWhole), numbers.min(), "the least of \(what)")
            stage.equal(members.max(of: \.maybeWhole), numbers.max(), "the greatest of \(what)")
            stage.equal(members.sum(of: \.maybeWhole), sum, "the sum of \(what)")
            stage.equal(members.average(of: \.maybeWhole), mean, "the mean of \(what)")
            stage.equal(
              members.sum(ofProperty: "maybeFraction") as Double, Double(sum) / 2,
              "the sum of fractions of \(what)")
            stage.equal(
              members.average(ofProperty: "maybeFraction") as Double?, mean.map { $0 / 2 },
              "the mean of fractions of \(what)")
            stage.equal(
              members.sum(ofProperty: "maybePrice") as Decimal128, Decimal128(sum),
              "the sum of decimal numbers of \(what)")
            stage.equal(
              members.min(of: \.maybeDay)?.timeIntervalSince1970,
              numbers.min().map { Double($0) / 2 }, "the first day of \(what)")
            stage.equal(
              members.max(of: \.maybeDay)?.timeIntervalSince1970,
              numbers.max().map { Double($0) / 2 }, "the last day of \(what)")
            if way != "distinct" {
              stage.equal(members.sum(of: \.whole), sum, "the sum, null being zero, of \(what)")
            }
          }
        }
      }
      try realm.write {
        for id in 0..<count {
          realm.add(Cupboard(id: id))
          put(id)
        }
        look("in the write")
      }
      look("after the write")
      for round in 0..<3 {
        realm.beginWrite()
        let before = facts
        for id in facts.keys.sorted() where chance.below(4) == 0 || id == round { put(id) }
        if count > 2, let gone = facts.keys.filter({ $0 % 3 == round }).min() {
          realm.delete(realm.cupboard(gone))
          facts[gone] = nil
        }
        look("in write \(round)")
        if round == 1 {
          realm.cancelWrite()
          facts = before
        } else {
          try realm.commitWrite()
        }
        look("after write \(round)")
      }
    }
  }
}
