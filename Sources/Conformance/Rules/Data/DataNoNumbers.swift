import EngineUnderTest
import Evidence
import Foundation

extension Probe {
  /// NaN is less than nothing and greater than nothing, so whoever keeps it as the least or the
  /// greatest so far keeps it to the end: what is computed depends on where it stands then.
  static let noNumbersAmongNumbers = Probe(
    "least, greatest, sum and mean leave out NaN, wherever it stands"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.cupboards("none"))
    let orders: [[Double]] = [
      [.nan, 1, 2], [1, .nan, 2], [2, 1, .nan], [.nan, .nan, 2, 1], [.nan], [],
    ]
    try realm.write {
      for (id, values) in orders.enumerated() {
        let cupboard = Cupboard(id: id)
        realm.add(cupboard)
        cupboard.fractionList.append(objectsIn: values)
        cupboard.maybeFractionList.append(objectsIn: values.map { .some($0) } + [nil])
        cupboard.fractionSet.insert(objectsIn: values)
        cupboard.singleList.append(objectsIn: values.map { Float($0) })
        cupboard.priceList.append(objectsIn: values.map { Decimal128($0) })
        for (place, value) in values.enumerated() {
          cupboard.fractionMap["\(place)"] = value
          cupboard.singleMap["\(place)"] = Float(value)
        }
      }
    }
    for home in [realm, realm.freeze()] {
      for (id, values) in orders.enumerated() {
        let cupboard = home.cupboard(id)
        let isEmpty = values.allSatisfy(\.isNaN)
        let (least, greatest, sum) = isEmpty ? (nil, nil, 0) : (1.0, 2.0, 3.0)
        let mean = isEmpty ? nil : 1.5
        func look(_ name: String, _ numbers: (Double?, Double?, Double, Double?)) {
          let what = "\(name) of \(values), frozen: \(home.isFrozen)"
          stage.equal(numbers.0, least, "the least \(what)")
          stage.equal(numbers.1, greatest, "the greatest \(what)")
          stage.equal(numbers.2, sum, "the sum \(what)")
          stage.equal(numbers.3, mean, "the mean \(what)")
        }
        let list = cupboard.fractionList
        look("list", (list.min(), list.max(), list.sum(), list.average()))
        let maybe = cupboard.maybeFractionList
        look("list with null", (maybe.min(), maybe.max(), maybe.sum(), maybe.average()))
        let set = cupboard.fractionSet
        look("set", (set.min(), set.max(), set.sum(), set.average()))
        let map = cupboard.fractionMap
        look("map", (map.min(), map.max(), map.sum(), map.average()))
        let singles = cupboard.singleList
        look(
          "list of floats",
          (
            singles.min().map(Double.init), singles.max().map(Double.init), Double(singles.sum()),
            singles.average()
          ))
        let named = cupboard.singleMap
        look(
          "map of floats",
          (
            named.min().map(Double.init), named.max().map(Double.init), Double(named.sum()),
            named.average()
          ))
        let prices = cupboard.priceList
        let priced: Decimal128? = isEmpty ? nil : 1
        stage.equal(prices.min(), priced, "the least decimal of \(values)")
        stage.equal(prices.sum(), Decimal128(sum), "the sum of decimals of \(values)")
      }
      let whole = Array(0..<orders.count)
      func ask(_ format: String, _ ids: [Int]) {
        let found = home.objects(Cupboard.self).filter(format).sorted(byKeyPath: "id").map(\.id)
        stage.equal(Array(found), ids, "what \(format) finds, frozen: \(home.isFrozen)")
      }
      ask("fractionList.@min == 1", Array(whole.dropLast(2)))
      ask("singleList.@max == 2", Array(whole.dropLast(2)))
      ask("fractionList.@sum == 3", Array(whole.dropLast(2)))
      ask("fractionSet.@avg == 1.5", Array(whole.dropLast(2)))
      ask("fractionList.@min == nil", Array(whole.suffix(2)))
    }
    try noNumbersOfProperties(stage, realm)
  }

  /// Of a property of all objects, of some, and of those in an order.
  private static func noNumbersOfProperties(_ stage: Stage, _ realm: Realm) throws {
    try realm.write {
      for (id, value) in [Double.nan, 2, .nan, 4, .nan, .nan].enumerated() {
        let cupboard = realm.cupboard(id)
        (cupboard.fraction, cupboard.maybeFraction) = (value, id == 4 ? nil : value)
        (cupboard.single, cupboard.price) = (Float(value), Decimal128(value))
      }
    }
    let all = realm.objects(Cupboard.self)
    for (name, members) in [
      ("all", all), ("some", all.where { $0.id < 5 }),
      ("those once", all.distinct(by: ["id"])),
    ] {
      for property in ["fraction", "maybeFraction"] {
        let what = "\(property) of \(name)"
        stage.equal(members.min(ofProperty: property) as Double?, 2, "the least \(what)")
        stage.equal(members.max(ofProperty: property) as Double?, 4, "the greatest \(what)")
        stage.equal(members.sum(ofProperty: property) as Double, 6, "the sum of \(what)")
        stage.equal(members.average(ofProperty: property) as Double?, 3, "the mean \(what)")
      }
      stage.equal(members.min(ofProperty: "single") as Float?, 2, "the least float of \(name)")
      stage.equal(members.sum(ofProperty: "single") as Float, 6, "the sum of floats of \(name)")
      stage.equal(
        members.max(ofProperty: "price") as Decimal128?, 4, "the greatest decimal of \(name)")
    }
    let none = all.filter("id != 1 AND id != 3")
    stage.equal(none.min(ofProperty: "fraction") as Double?, nil, "the least of nothing but NaN")
    stage.equal(none.sum(ofProperty: "fraction") as Double, 0, "the sum of nothing but NaN")
    stage.equal(none.average(ofProperty: "fraction") as Double?, nil, "the mean of nothing but NaN")
  }
}
