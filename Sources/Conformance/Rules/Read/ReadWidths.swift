import EngineUnderTest
import Foundation

/// Numbers at both sides of each power of two, and so of each width that they may be kept in: each
/// is read as it was written, whatever lies beside it.
enum Widths {
  private static let edges: [Int] = {
    let powers = [1, 2, 3, 4, 7, 8, 15, 16, 24, 31, 32, 33, 40, 48, 62].map { 1 << $0 }
    return Set(powers.flatMap { [$0 - 1, $0, $0 + 1] } + [Int.max - 1, Int.max]).sorted()
  }()

  /// The least number beside each: an engine chooses a width for both.
  private static func lows(beside high: Int) -> [Int] { [0, -1, -high, -high - 1, high / 2] }

  /// A pair of numbers in every place of two objects, of which each place holds no others.
  private static func put(_ low: Int, _ high: Int, _ realm: Realm) {
    let values = [low, high]
    let ones = values.map { value in
      let one = Specimen(id: value)
      (one.amount, one.whole, one.number) = (value, value, value)
      return one
    }
    realm.add(ones)
    ones[0].numbers.append(objectsIn: [low, nil, high])
    ones[1].numbers.append(objectsIn: [high, high, low])
    (ones[0].scores["low"], ones[0].scores["high"]) = (low, high)
    ones[1].scores["high"] = high
    // And set, where something else was.
    ones[1].amount = low
    ones[1].amount = high
  }

  private static func look(
    _ stage: Stage, _ realm: Realm, _ low: Int, _ high: Int, _ when: String
  ) {
    let what = "of \(low) and \(high) \(when)"
    let ones = [low, high].compactMap { realm.specimen($0) }
    guard ones.count == 2 else {
      return stage.fail(expected: "both by their keys \(what)", observed: "\(ones.map(\.id))")
    }
    stage.equal(ones.map(\.id), [low, high], "the keys \(what)")
    stage.equal(ones.map(\.amount), [low, high], "the numbers \(what)")
    stage.equal(ones.map(\.whole), [low, high], "the numbers that may be null \(what)")
    stage.equal(ones.map(\.number), [low, high], "the numbers that have an index \(what)")
    stage.equal(Array(ones[0].numbers), [low, nil, high], "a list \(what)")
    stage.equal(Array(ones[1].numbers), [high, high, low], "another list \(what)")
    stage.equal(
      [ones[0].scores["low"], ones[0].scores["high"], ones[1].scores["high"]], [low, high, high],
      "the maps \(what)")
    let all = realm.objects(Specimen.self)
    stage.equal(all.where { $0.number == high }.first?.id, high, "who is found \(what)")
    stage.equal(all.max(ofProperty: "amount") as Int?, max(low, high), "the greatest \(what)")
    stage.equal(all.min(ofProperty: "whole") as Int?, min(low, high), "the least \(what)")
  }

  static let probe = Probe("numbers at both sides of each width are read as they were written") {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = stage.specimens()
    let realm = try Realm(configuration: configuration)
    for (number, high) in edges.enumerated() {
      for low in Set(lows(beside: high)).subtracting([high]).sorted() {
        try realm.write {
          realm.deleteAll()
          put(low, high, realm)
          look(stage, realm, low, high, "in the write")
        }
        look(stage, realm, low, high, "after the write")
        // What others read of it is behind another way.
        if stage.isDue(number, of: 3) {
          look(stage, realm.freeze(), low, high, "in a frozen realm")
        }
      }
      let low = -high
      try realm.write {
        realm.deleteAll()
        put(low, high, realm)
      }
      try stage.elsewhere {
        look(stage, try Realm(configuration: configuration), low, high, "elsewhere")
      }
    }
  }
}
