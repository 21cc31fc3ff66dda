import EngineUnderTest
import Harness

extension Asking {
  /// What only collections of objects can be asked: numbers computed from them, and the first that
  /// satisfies a condition.
  static func objects<T: Wide>(
    _ collection: AnyRealmCollection<T>, _ finder: Finder, _ dice: inout SplitMix
  ) -> String? {
    let state = finder.state
    let births = collection.map(\.birth)
    let numeric = T.members.indices.filter { T.members[$0].isNumeric }
    let member = numeric.randomElement(using: &dice)!
    let name = T.members[member].name
    let values = births.compactMap { state.content($0, member)?.single }.filter { $0 != .null }
    let least = values.min { $0.precedes($1) }
    let greatest = values.max { $0.precedes($1) }
    if case .double = T.members[member].pickFirst {
      let sum: Double = collection.sum(ofProperty: name)
      let expected = values.reduce(0.0) { $0 + $1.number }
      if sum != expected { return "the sum of \(name) is \(sum) instead of \(expected)" }
      let (low, high): (Double?, Double?) = (
        collection.min(ofProperty: name), collection.max(ofProperty: name)
      )
      if low.map(Worth.double) != least {
        return "the least \(name) is \(Worth.say(low)), not \(Worth.say(least))"
      }
      if high.map(Worth.double) != greatest {
        return "the greatest \(name) is \(Worth.say(high)), not \(Worth.say(greatest))"
      }
    } else {
      let sum: Int = collection.sum(ofProperty: name)
      let expected = values.reduce(0) { $0 + Int($1.number) }
      if sum != expected { return "the sum of \(name) is \(sum) instead of \(expected)" }
      let (low, high): (Int?, Int?) = (
        collection.min(ofProperty: name), collection.max(ofProperty: name)
      )
      if low.map(Worth.int) != least {
        return "the least \(name) is \(Worth.say(low)), not \(Worth.say(least))"
      }
      if high.map(Worth.int) != greatest {
        return "the greatest \(name) is \(Worth.say(high)), not \(Worth.say(greatest))"
      }
    }
    let mean: Double? = collection.average(ofProperty: name)
    let expected =
      values.isEmpty ? nil : values.reduce(0.0) { $0 + $1.number } / Double(values.count)
    if (mean == nil) != (expected == nil) || abs((mean ?? 0) - (expected ?? 0)) > 1e-6 {
      return "the mean of \(name) is \(Worth.say(mean)), not \(Worth.say(expected))"
    }
    let condition = Condition(about: T.kind, in: state, &dice)
    let (format, arguments) = condition.predicate(of: T.kind, finder)
    guard Engine.offersReins, arguments.count <= 1 else { return nil }
    let found =
      arguments.isEmpty
      ? collection.index(matching: format) : collection.index(matching: format, arguments[0])
    let place = births.firstIndex { condition.holds(of: $0, in: state) }
    return found == place
      ? nil
      : "the first with \(condition.words(T.kind)) is \(Worth.say(found)), not "
        + Worth.say(place)
  }
}

extension Worth {
  fileprivate var number: Double {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: 0
    }
  }

  fileprivate static func say<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }
}

extension Member {
  fileprivate var pickFirst: Worth {
    if case .values(let all) = pool { all[0] } else { .null }
  }
}
