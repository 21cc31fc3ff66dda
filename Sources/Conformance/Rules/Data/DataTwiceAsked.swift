import EngineUnderTest
import Foundation

/// Two and three conditions about one property: each has its say.
enum TwiceAsked {
  private struct Condition {
    let words: String
    let holds: (Int?) -> Bool
  }

  private static var conditions: [Condition] {
    [
      Condition(words: "IN {1, 2}") { [1, 2].contains($0) },
      Condition(words: "IN {2, 3}") { [2, 3].contains($0) },
      Condition(words: "IN {4}") { $0 == 4 },
      Condition(words: "== 2") { $0 == 2 }, Condition(words: "== 3") { $0 == 3 },
      Condition(words: "!= 2") { $0 != 2 },
      Condition(words: "< 3") { $0.map { $0 < 3 } ?? false },
      Condition(words: ">= 2") { $0.map { $0 >= 2 } ?? false },
      Condition(words: "BETWEEN {1, 3}") { $0.map { (1...3).contains($0) } ?? false },
      Condition(words: "== nil") { $0 == nil }, Condition(words: "!= nil") { $0 != nil },
    ]
  }

  static let probe = Probe("two and three conditions about one property, indexed or not") { stage in
    let realm = try Realm(configuration: stage.specimens())
    func value(_ id: Int) -> Int? { id % 6 == 0 ? nil : id % 6 }
    try realm.write {
      for id in 0..<14 {
        let specimen = Specimen(id: id)
        (specimen.whole, specimen.number) = (value(id), value(id))
        realm.add(specimen)
      }
    }
    let all = realm.objects(Specimen.self).sorted(byKeyPath: "id")
    for name in ["whole", "number"] {
      func ask(_ format: String, _ holds: (Int?) -> Bool) {
        stage.equal(
          Array(all.filter(format).map(\.id)), (0..<14).filter { holds(value($0)) },
          "what \(format) finds")
      }
      for one in conditions {
        for other in conditions {
          let (left, right) = ("\(name) \(one.words)", "\(name) \(other.words)")
          ask("\(left) AND \(right)") { one.holds($0) && other.holds($0) }
          ask("\(left) OR \(right)") { one.holds($0) || other.holds($0) }
          ask("\(left) AND NOT \(right)") { one.holds($0) && !other.holds($0) }
          ask("\(left) AND \(right) AND \(name) IN {2, 4}") {
            one.holds($0) && other.holds($0) && [2, 4].contains($0)
          }
        }
      }
    }
  }
}
