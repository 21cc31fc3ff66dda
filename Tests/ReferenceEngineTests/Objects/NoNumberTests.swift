import Foundation
import Testing

@testable import ReferenceEngine

private class Meter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0.0
  @Persisted var maybe: Double?
  @Persisted var values: List<Double>
  @Persisted var maybes: List<Double?>
  @Persisted var named: Map<String, Float>
  @Persisted var prices: MutableSet<Decimal128>
  @Persisted var priceList: List<Decimal128>
  @Persisted var mixed: List<AnyRealmValue>
}

/// What is computed of numbers leaves out NaN, in each of the ways to compute it.
struct NoNumberTests {
  private let realm = try! Realm(
    configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Meter.self]))

  /// NaN that came first stayed the least and the greatest.
  @Test(arguments: [[Double.nan, 1, 2], [2, .nan, 1], [1, 2, .nan]])
  func `members that are no numbers are neither least nor greatest`(values: [Double]) throws {
    let meter = Meter()
    func look(_ meter: Meter) {
      #expect(meter.values.min() == 1 && meter.values.max() == 2)
      #expect(meter.values.sum() == 3 && meter.values.average() == 1.5)
      #expect(meter.maybes.min() == 1 && meter.maybes.max() == 2 && meter.maybes.sum() == 3)
      #expect(meter.named.min() == 1 && meter.named.max() == 2 && meter.named.sum() == 3)
      #expect(meter.prices.min() == 1 && meter.prices.max() == 2 && meter.prices.sum() == 3)
    }
    meter.values.append(objectsIn: values)
    meter.maybes.append(objectsIn: [nil] + values.map { .some($0) })
    for (place, value) in values.enumerated() { meter.named["\(place)"] = Float(value) }
    meter.prices.insert(objectsIn: values.map { Decimal128($0) })
    look(meter)
    try realm.write { realm.add(meter) }
    look(meter)
    let meters = realm.objects(Meter.self)
    #expect(meters.filter("values.@min == 1 AND values.@max == 2").count == 1)
    #expect(meters.filter("values.@sum == 3 AND values.@avg == 1.5").count == 1)
    #expect(meters.filter("values.@count == 3").count == 1)
  }

  @Test func `objects whose number is none are left out, with a filter and without`() throws {
    try realm.write {
      for (id, value) in [Double.nan, 4, .nan, 2].enumerated() {
        realm.create(Meter.self, value: ["id": id, "value": value, "maybe": value])
      }
    }
    let all = realm.objects(Meter.self)
    for meters in [all, all.filter("id >= 0"), all.distinct(by: ["id"])] {
      #expect(meters.min(of: \.value) == 2 && meters.max(of: \.value) == 4)
      #expect(meters.sum(of: \.value) == 6 && meters.average(of: \.value) == 3)
      #expect(meters.min(of: \.maybe) == 2 && meters.sum(of: \.maybe) == 6)
    }
    let none = all.filter("id == 0 OR id == 2")
    #expect(none.min(of: \.value) == nil && none.average(of: \.value) == nil)
    #expect(none.sum(of: \.value) == 0)
  }

  @Test func `decimal numbers that are none stand before all others, as fractions do`() throws {
    let meter = Meter()
    try realm.write {
      realm.add(meter)
      meter.values.append(objectsIn: [1, -.infinity, .nan, -3])
      meter.prices.insert(objectsIn: ["1", "-Inf", "NaN", "-3"] as [Decimal128])
    }
    #expect(meter.values.sorted().map { "\($0)" } == ["nan", "-inf", "-3.0", "1.0"])
    #expect(meter.prices.sorted().map { "\($0)" } == ["NaN", "-Inf", "-3", "1"])
    #expect(meter.values.sorted(ascending: false).last?.isNaN == true)
    #expect(meter.prices.sorted(ascending: false).last?.isNaN == true)
  }

  /// As in Realm: a list looks for fractions with Swift's `==`, what else looks compares them as
  /// they are stored.
  @Test func `what is none is found where it is compared as it is stored`() throws {
    let meter = Meter()
    try realm.write {
      realm.add(meter)
      meter.values.append(objectsIn: [1, .nan])
      meter.named["a"] = .nan
      meter.prices.insert(objectsIn: [1, .nan])
      meter.priceList.append(objectsIn: [1, .nan])
      meter.mixed.append(objectsIn: [.int(1), .double(.nan), .string("\u{e9}")])
    }
    #expect(meter.values.index(of: .nan) == nil)
    #expect(meter.values.sorted().index(of: .nan) == 0)
    #expect(meter.values.sorted(ascending: false).index(of: .nan) == 1)
    #expect(meter.values.distinct().index(of: .nan) == 1)
    #expect(meter.prices.contains(.nan) && meter.prices.sorted().index(of: .nan) == 0)
    #expect(meter.priceList.index(of: .nan) == 1 && meter.priceList.sorted().index(of: .nan) == 0)
    #expect(meter.mixed.index(of: .double(.nan)) == 1)
    #expect(meter.mixed.index(of: .string("\u{e9}")) == 2)
    #expect(meter.mixed.index(of: .string("e\u{301}")) == nil)
  }
}
