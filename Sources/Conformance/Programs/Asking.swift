import EngineUnderTest
import Foundation
import Harness

/// Every question that a collection's interface has, to be answered alike.
enum Asking {
  /// More members than these are asked for here and there only.
  private static let most = 24

  static func members<C: RealmCollection>(
    _ collection: C, _ expected: Expected, hasIdentity: Bool = false, _ dice: inout SplitMix
  ) -> String? where C.Element: Worthy {
    let count = expected.values.count
    // What is asked first may be answered in another way than what is asked then.
    let isWalkedFirst = Bool.random(using: &dice)
    if !isWalkedFirst {
      if collection.isEmpty != (count == 0) { return "isEmpty is \(collection.isEmpty)" }
      if (collection.first == nil) != (count == 0) { return "first says there is \(count == 0)" }
      if collection.count != count { return "count is \(collection.count) instead of \(count)" }
    }
    let walked = walk(collection)
    if let complaint = difference(walked, expected) { return complaint }
    if collection.isEmpty != (count == 0) { return "isEmpty is \(collection.isEmpty)" }
    if collection.count != count { return "count is \(collection.count) instead of \(count)" }
    if collection.isInvalidated { return "it is invalidated" }
    if collection.first?.worth != walked.first {
      return "first is \(collection.first?.worth.words ?? "nobody"), not "
        + (walked.first?.words ?? "nobody")
    }
    if collection.last?.worth != walked.last {
      return "last is \(collection.last?.worth.words ?? "nobody"), not "
        + (walked.last?.words ?? "nobody")
    }
    for place in places(count, &dice) {
      let member = collection[place]
      let worth = member.worth
      if worth != walked[place] {
        return "[\(place)] is \(worth.words), not \(walked[place].words)"
      }
      if hasIdentity || worth.isNested { continue }
      let index = collection.index(of: member)
      if index != walked.firstIndex(of: worth) {
        return "index(of: \(worth.words)) is \(index.map(String.init) ?? "nil"), not "
          + "\(walked.firstIndex(of: worth)!)"
      }
      if !collection.contains(member) { return "it does not contain \(worth.words)" }
    }
    return loops(collection, walked, &dice)
  }

  private static func walk<C: RealmCollection>(_ collection: C) -> [Worth]
  where C.Element: Worthy {
    var walked: [Worth] = []
    for member in collection { walked.append(member.worth) }
    return walked
  }

  private static func loops<C: RealmCollection>(
    _ collection: C, _ walked: [Worth], _ dice: inout SplitMix
  ) -> String? where C.Element: Worthy {
    if walked.count > most { return nil }
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      let reversed = collection.reversed().map(\.worth)
      if reversed != walked.reversed() { return "reversed() has \(reversed.map(\.words))" }
    case 1:
      for (place, member) in collection.enumerated() where member.worth != walked[place] {
        return "enumerated() has \(member.worth.words) at \(place)"
      }
    case 2:
      // A description that ends the program would be one.
      if collection.description.isEmpty { return "it has no description" }
    default:
      let some = collection.dropFirst().prefix(3).map(\.worth)
      if some != Array(walked.dropFirst().prefix(3)) { return "a slice has \(some.map(\.words))" }
    }
    return nil
  }

  private static func places(_ count: Int, _ dice: inout SplitMix) -> [Int] {
    if count <= most { return Array(0..<count) }
    return [0, count - 1] + (0..<6).map { _ in Int.random(in: 0..<count, using: &dice) }
  }

  static func difference(_ walked: [Worth], _ expected: Expected) -> String? {
    let isRight =
      expected.isOrdered
      ? walked == expected.values
      : walked.count == expected.values.count && tally(walked) == tally(expected.values)
    if isRight { return nil }
    let (has, should) = (walked.map(\.words), expected.values.map(\.words))
    return "it has \(walked.count) members, \(has.prefix(16)), instead of "
      + "\(should.count), \(should.prefix(16))\(expected.isOrdered ? "" : " in any order")"
  }

  private static func tally(_ worths: [Worth]) -> [Worth: Int] {
    worths.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  static func entries<V: Worthy>(_ map: Map<String, V>, _ expected: [String: Worth]) -> String? {
    if map.count != expected.count { return "count is \(map.count), not \(expected.count)" }
    if map.isEmpty != expected.isEmpty { return "isEmpty is \(map.isEmpty)" }
    if map.keys.sorted() != expected.keys.sorted() { return "its keys are \(map.keys.sorted())" }
    for key in Edit.keys + ["never"] {
      let worth = map[key]?.worth
      if worth != expected[key] {
        return
          "['\(key)'] is \(worth?.words ?? "missing"), not \(expected[key]?.words ?? "missing")"
      }
    }
    var walked: [String: Worth] = [:]
    for entry in map { walked[entry.key] = entry.value.worth }
    if walked != expected { return "a loop has \(walked.mapValues(\.words))" }
    let pairs = Dictionary(map.asKeyValueSequence().map { ($0.key, $0.value.worth) }) { $1 }
    if pairs != expected { return "its pairs are \(pairs.mapValues(\.words))" }
    if tally(map.values.map(\.worth)) != tally(Array(expected.values)) {
      return "its values are \(map.values.map(\.worth.words))"
    }
    return map.description.isEmpty ? "it has no description" : nil
  }
}
