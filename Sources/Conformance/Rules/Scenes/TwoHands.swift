import EngineUnderTest
import Evidence
import Foundation
import Harness

/// One thing that two variables have, each got for itself: what one changes in a write the other
/// shows at once, and goes on from there.
enum TwoHands {
  /// What a hand does to a list, or to a map under the key of that number.
  private enum Deed: CaseIterable { case append, insert, set, remove, clear }

  static let probes: [Probe] =
    Mixture.lists.map { list in
      Probe("two variables of the same one agree in a write: \(list.name)") { stage in
        try agree(stage, list.name) { list.find($0)! }
      }
    } + [
      Probe("two variables of the same one agree in a write: a list of numbers") { stage in
        try agree(stage, "a list of numbers") { $0.numbers }
      },
      Probe("two variables of the same one agree in a write: a map of numbers") { stage in
        try agreeOnMaps(stage, "a map of numbers") { $0.scores }
      },
    ]
    + Mixture.maps.map { map in
      Probe("two variables of the same one agree in a write: \(map.name)") { stage in
        try agreeOnMaps(stage, map.name) { map.find($0)! }
      }
    }

  private static func agree<Value: RealmCollectionValue & Number>(
    _ stage: Stage, _ name: String, _ find: (Everything) -> List<Value>
  ) throws {
    let realm = try stage.open()
    let owner = try Mixture.stocked(realm)
    var dice = SplitMix(seed: derivedSeed(stage.seed, name))
    var model: [Int] = []
    for round in 0..<6 {
      try realm.write {
        // One may have been there before the write.
        let hands = [find(owner), find(owner), find(owner)]
        if round == 0 {
          hands[0].removeAll()
        }
        for step in 0..<30 {
          let hand = hands.randomElement(using: &dice)!
          let value = round * 100 + step
          let place = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &dice)
          switch Deed.allCases.randomElement(using: &dice)! {
          case .append:
            hand.append(.of(value))
            model.append(value)
          case .insert:
            hand.insert(.of(value), at: place)
            model.insert(value, at: place)
          case .set where !model.isEmpty:
            hand[place] = .of(value)
            model[place] = value
          case .remove where !model.isEmpty:
            hand.remove(at: place)
            model.remove(at: place)
          case .clear where step % 7 == 0:
            hand.removeAll()
            model = []
          default: break
          }
          // Sometimes nobody looks before the next one changes it.
          guard Bool.random(using: &dice) else { continue }
          let other = hands.randomElement(using: &dice)!
          stage.equal(other.map(\.number), model, "what another variable of \(name) has")
        }
      }
      stage.equal(find(owner).map(\.number), model, "what \(name) has after the write")
    }
  }

  private static func agreeOnMaps<Value: RealmCollectionValue & Number>(
    _ stage: Stage, _ name: String, _ find: (Everything) -> Map<String, Value>
  ) throws {
    let realm = try stage.open()
    let owner = try Mixture.stocked(realm)
    var dice = SplitMix(seed: derivedSeed(stage.seed, name))
    var model: [String: Int] = [:]
    try realm.write {
      let map = find(owner)
      // What the others are in stays there.
      for key in map.keys where map[key]!.number >= 0 { map[key] = nil }
    }
    for round in 0..<6 {
      try realm.write {
        let hands = [find(owner), find(owner), find(owner)]
        for step in 0..<30 {
          let hand = hands.randomElement(using: &dice)!
          let (key, value) = ("k\(Int.random(in: 0..<5, using: &dice))", round * 100 + step)
          if Int.random(in: 0..<3, using: &dice) == 0 {
            hand[key] = nil
            model[key] = nil
          } else {
            hand[key] = .of(value)
            model[key] = value
          }
          guard Bool.random(using: &dice) else { continue }
          let other = hands.randomElement(using: &dice)!
          var seen: [String: Int] = [:]
          for entry in other where entry.key.hasPrefix("k") { seen[entry.key] = entry.value.number }
          stage.equal(seen, model, "what another variable of \(name) has")
        }
      }
    }
  }
}

/// A number, or a mixed value that may be one.
private protocol Number {
  var number: Int { get }
  static func of(_ number: Int) -> Self
}

extension Int: Number {
  fileprivate var number: Int { self }
  fileprivate static func of(_ number: Int) -> Int { number }
}

extension AnyRealmValue: Number {
  fileprivate var number: Int { intValue ?? -1 }
  fileprivate static func of(_ number: Int) -> AnyRealmValue { .int(number) }
}
