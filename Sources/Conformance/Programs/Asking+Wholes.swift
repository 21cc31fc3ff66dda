import EngineUnderTest
import Harness

extension Asking {
  /// What collections of numbers can be asked besides.
  static func wholes<C: RealmCollection>(
    _ collection: C, _ finder: Finder, _ dice: inout SplitMix
  ) -> String? where C.Element == Int {
    let all = Array(collection)
    if collection.sum() != all.reduce(0, +) { return "the sum is \(collection.sum())" }
    let (least, greatest) = (collection.min(), collection.max())
    if least != all.min() { return "the least is \(say(least)), not \(say(all.min()))" }
    if greatest != all.max() { return "the greatest is \(say(greatest)), not \(say(all.max()))" }
    return mean(collection.average(), all) ?? order(collection, all.map(\.worth), &dice)
  }

  /// The same of numbers and nulls.
  static func maybeWholes<C: RealmCollection>(
    _ collection: C, _ finder: Finder, _ dice: inout SplitMix
  ) -> String? where C.Element == Int? {
    let all = Array(collection)
    let some = all.compactMap(\.self)
    if collection.sum() != some.reduce(0, +) { return "the sum is \(collection.sum())" }
    let (least, greatest) = (collection.min(), collection.max())
    if least != some.min() { return "the least is \(say(least)), not \(say(some.min()))" }
    if greatest != some.max() {
      return "the greatest is \(say(greatest)), not \(say(some.max()))"
    }
    return mean(collection.average(), some)
  }

  private static func mean(_ mean: Double?, _ all: [Int]) -> String? {
    let expected = all.isEmpty ? nil : Double(all.reduce(0, +)) / Double(all.count)
    let isRight = (mean == nil) == (expected == nil) && abs((mean ?? 0) - (expected ?? 0)) < 1e-6
    return isRight ? nil : "the mean is \(say(mean)), not \(say(expected))"
  }

  /// In an order, each once, and those that satisfy a condition.
  private static func order<C: RealmCollection>(
    _ collection: C, _ all: [Worth], _ dice: inout SplitMix
  ) -> String? where C.Element == Int {
    let isAscending = Bool.random(using: &dice)
    let sorted = all.sorted { isAscending ? $0.precedes($1) : $1.precedes($0) }
    if let complaint = difference(
      collection.sorted(ascending: isAscending).map(\.worth), Expected(sorted, isOrdered: true))
    {
      return "sorted, \(complaint)"
    }
    var seen: Set<Worth> = []
    let each = all.filter { seen.insert($0).inserted }
    if let complaint = difference(
      collection.distinct().map(\.worth), Expected(each, isOrdered: false))
    {
      return "distinct, \(complaint)"
    }
    let some = all.filter { Worth.int(0).precedes($0) }
    return difference(
      collection.filter("SELF > %@", 0).map(\.worth), Expected(some, isOrdered: true)
    ).map { "filtered, \($0)" }
  }

  private static func say<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }
}
