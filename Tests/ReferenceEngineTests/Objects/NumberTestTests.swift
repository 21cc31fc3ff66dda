import Foundation
import Testing

@testable import ReferenceEngine

private final class Measure: Object {
  @Persisted var whole: Int
  @Persisted var mayBeWhole: Int?
  @Persisted var fraction: Double
  @Persisted var mayBeFraction: Double?
  @Persisted var time: Date
  @Persisted var mayBeTime: Date?
}

/// Most comparisons with a number are bound without a path of their own. With the constant at the
/// left they are bound as all others, and must mean the same.
@Suite struct NumberTestTests {
  private static let wholes = [Int.min, -1, 0, 1, 50, Int.max]
  private static let fractions = [
    -Double.infinity, -1.5, -0.0, 0, .leastNonzeroMagnitude, 50, .infinity, .nan,
  ]

  private func filled() throws -> Results<Measure> {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    let numbers: [Int?] = NumberTestTests.wholes + [nil]
    let values: [Double?] = NumberTestTests.fractions + [nil]
    try realm.write {
      for place in 0..<max(numbers.count, values.count) {
        let measure = realm.create(Measure.self, value: [:])
        let (number, value) = (numbers[place % numbers.count], values[place % values.count])
        (measure.whole, measure.mayBeWhole) = (number ?? 7, number)
        (measure.fraction, measure.mayBeFraction) = (value ?? 7, value)
        let time = value.map { Date(timeIntervalSinceReferenceDate: $0) }
        (measure.time, measure.mayBeTime) = (time ?? Date(timeIntervalSince1970: 7), time)
      }
    }
    return realm.objects(Measure.self)
  }

  /// Each operator, and the one that says the same with its sides exchanged.
  private static let operators = [
    ("==", "=="), ("!=", "!="), ("<", ">"), ("<=", ">="), (">", "<"), (">=", "<="),
  ]

  @Test(arguments: operators)
  func `a number is compared alike from either side`(_ word: String, _ turned: String) throws {
    let all = try filled()
    func compare(_ names: [String], _ constants: [Any]) {
      for name in names {
        for constant in constants {
          let direct = Predicate(parsing: "\(name) \(word) %@", [constant])
          guard case .comparison(let comparison) = direct else {
            Issue.record("\(direct) is no comparison")
            continue
          }
          #expect(all.state.binding.numberTest(comparison) != nil, "\(direct)")
          let short = Results<Measure>(all.state.filtered(by: direct))
          let long = all.filter("%@ \(turned) \(name)", constant)
          #expect(short.state.allKeys() == long.state.allKeys(), "\(direct)")
          #expect(short.count == long.count, "\(direct)")
        }
      }
    }
    compare(["whole", "mayBeWhole"], NumberTestTests.wholes)
    compare(["fraction", "mayBeFraction"], NumberTestTests.fractions)
    compare(
      ["time", "mayBeTime"],
      NumberTestTests.fractions.map { Date(timeIntervalSinceReferenceDate: $0) })
  }
}

private typealias Predicate = ReferenceEngine.Predicate
